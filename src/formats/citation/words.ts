// The words a citation adds to what the item says, in the language of the citation (R19a). English stands for every language without words here.
import { primaryLanguage } from "../../repository/model/reader-language.ts";
import { own } from "../../shared/own-entry.ts";

export type CitationWords = {
  readonly untitled: string;
  readonly version: (label: string) => string;
  readonly inBook: (title: string) => string;
  /** By id of the vocabulary resourcetypes. */
  readonly types: Readonly<Partial<Record<string, string>>>;
  readonly theses: Readonly<Record<"doctoral" | "master" | "bachelor" | "other", string>>;
  /** A thesis and who granted its degree; "" where nobody is named. */
  readonly thesis: (kind: string, grantor: string) => string;
};

const en: CitationWords = {
  untitled: "[Untitled]",
  version: (label) => `(Version ${label})`,
  inBook: (title) => `In ${title}`,
  types: {
    dataset: "Data set",
    software: "Computer software",
    "software-computationalnotebook": "Computer software",
    poster: "Poster",
    presentation: "Presentation",
    video: "Video",
    audio: "Audio",
    "publication-conferencepaper": "Conference paper",
    "publication-preprint": "Preprint",
    workflow: "Workflow",
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
  version: (label) => `(バージョン ${label})`,
  inBook: (title) => `『${title}』所収`,
  types: {
    dataset: "データセット",
    software: "ソフトウェア",
    "software-computationalnotebook": "ソフトウェア",
    poster: "ポスター",
    presentation: "発表資料",
    video: "動画",
    audio: "音声",
    "publication-conferencepaper": "会議発表論文",
    "publication-preprint": "プレプリント",
    workflow: "ワークフロー",
  },
  theses: { doctoral: "博士論文", master: "修士論文", bachelor: "卒業論文", other: "学位論文" },
  thesis: (kind, grantor) => `${grantor}${kind}`,
};

const WORDS: Readonly<Record<string, CitationWords>> = { en, ja };

export const citationWords = (lang: string | undefined): CitationWords => own(WORDS, primaryLanguage(lang ?? "")) ?? en;
