// The words a citation adds to the item's metadata, in the language of the citation (R19a). English is the fallback for
// languages without words here.
import type { Metadata } from "../../model/metadata/metadata.ts";
import { primaryLanguage } from "../../model/metadata/reader-language.ts";
import { own } from "../../shared/objects.ts";

export type ThesisKind = "doctoral" | "master" | "bachelor" | "other";

export function thesisKind({ type }: Metadata): ThesisKind {
  const label = type?.label?.toLowerCase() ?? "";
  if (type?.id === "publication-dissertation" || label.startsWith("doctoral")) return "doctoral";
  if (label.startsWith("master")) return "master";
  return label.startsWith("bachelor") ? "bachelor" : "other";
}

export type CitationWords = {
  readonly untitled: string;
  readonly versionOf: (label: string) => string;
  /** `by`: the editors of the book, as `editors` writes them; "" for nobody. */
  readonly inBookBy: (by: string, title: string) => string;
  readonly editors: (names: string, count: number) => string;
  /** The same in front of the title of a book. */
  readonly bookEditors: (names: string, count: number) => string;
  readonly editorMark: (count: number) => string;
  readonly edition: (ordinal: string, number: string) => string;
  readonly volume: (number: string) => string;
  readonly issue: (number: string) => string;
  readonly reviewOf: (title: string) => string;
  /** By id of the vocabulary resourcetypes: the kind of a work, where its CSL type does not name it. */
  readonly genres: Readonly<Partial<Record<string, string>>>;
  /** By CSL type: what follows a title in brackets. */
  readonly kinds: Readonly<Partial<Record<string, string>>>;
  readonly theses: Readonly<Record<ThesisKind, string>>;
  /** A thesis and the institution that granted its degree; "" where none is named. */
  readonly thesis: (kind: string, grantor: string) => string;
};

const en: CitationWords = {
  untitled: "[Untitled]",
  versionOf: (label) => `Version ${label}`,
  inBookBy: (by, title) => `In ${by === "" ? "" : `${by}, `}${title}`,
  editors: (names, count) => `${names}, ${en.editorMark(count).slice(1, -1)}`,
  bookEditors: (names, count) => `${names} ${en.editorMark(count)}`,
  editorMark: (count) => (count > 1 ? "(Eds.)" : "(Ed.)"),
  edition: (ordinal) => `${ordinal} ed.`,
  volume: (number) => `Vol. ${number}`,
  issue: (number) => `Issue ${number}`,
  reviewOf: (title) => `Review of ${title}`,
  genres: {
    poster: "Poster",
    presentation: "Presentation",
    "publication-preprint": "Preprint",
    workflow: "Workflow",
  },
  kinds: {
    dataset: "Dataset",
    software: "Computer software",
    figure: "Figure",
    graphic: "Graphic",
    map: "Map",
    motion_picture: "Video recording",
    song: "Audio recording",
  },
  theses: {
    doctoral: "Doctoral dissertation",
    master: "Master’s thesis",
    bachelor: "Bachelor’s thesis",
    other: "Thesis",
  },
  thesis: (kind, grantor) => (grantor === "" ? kind : `${kind}, ${grantor}`),
};

const ja: CitationWords = {
  untitled: "[無題]",
  versionOf: (label) => `バージョン ${label}`,
  inBookBy: (by, title) => `${by}『${title}』所収`,
  editors: (names) => `${names}編`,
  bookEditors: (names) => `${names}編`,
  editorMark: () => "(編)",
  edition: (_, number) => `第${number}版`,
  volume: (number) => `第${number}巻`,
  issue: (number) => `第${number}号`,
  reviewOf: (title) => `『${title}』書評`,
  genres: {
    poster: "ポスター",
    presentation: "発表資料",
    "publication-preprint": "プレプリント",
    workflow: "ワークフロー",
  },
  kinds: {
    dataset: "データセット",
    software: "ソフトウェア",
    figure: "図",
    graphic: "画像",
    map: "地図",
    motion_picture: "動画",
    song: "音声",
  },
  theses: { doctoral: "博士論文", master: "修士論文", bachelor: "卒業論文", other: "学位論文" },
  thesis: (kind, grantor) => `${grantor}${kind}`,
};

const WORDS: Readonly<Record<string, CitationWords>> = { en, ja };

export const citationWords = (lang: string | undefined): CitationWords => own(WORDS, primaryLanguage(lang ?? "")) ?? en;
