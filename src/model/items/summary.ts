// What lists show of an item (R2d, R9a): a part of its metadata that is small whatever the item holds, so that a list
// reads what it shows.

import type { ItemId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { type Agent, EMPTY_METADATA, type Metadata, type Text } from "../metadata/metadata.ts";
import type { Access, FileAccess } from "./item.ts";

/** The access of one file or of many that are alike. */
export type FileFacts = { readonly access: FileAccess; readonly accessDate: Day | null };

/** Written with each revision: the metadata that lists name, cut, and who may have the files. */
export type Summary = {
  readonly metadata: Pick<
    Metadata,
    "type" | "titles" | "creators" | "descriptions" | "languages" | "dates" | "publicationDate" | "degree"
  >;
  readonly files: readonly FileFacts[];
};

type SummaryContent = {
  readonly metadata: Metadata;
  readonly access: Access;
  /** One of each kind, not one for each file. */
  readonly files: readonly FileFacts[];
};

export type ItemSummary = {
  readonly id: ItemId;
  readonly updatedAt: Instant;
  readonly publishedAt: Instant | null;
  /** Null while the item was never published. */
  readonly content: SummaryContent | null;
};

/** How much of an item a list may show. No settings: a line of a list has no room for more. */
const TITLES = 10;
const CREATORS = 20;
const NAMES = 4;
const LANGUAGES = 10;
const DATES = 4;
const TITLE_CHARACTERS = 1_000;
const NAME_CHARACTERS = 200;
const WORD_CHARACTERS = 100;
/** As many as an item has languages, mostly. */
const ABSTRACTS = 3;
const ABSTRACT_CHARACTERS = 2_000;
/** At most this many days on which files open are kept; the earliest and the latest are always among them. */
const DAYS = 32;

/** The first characters of a text, never half of one. */
export function cut(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : `${text
        .slice(0, characters - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, "")}…`;
}

const cutText = <T extends Text>(text: T, characters: number): T => ({ ...text, value: cut(text.value, characters) });

function cutAgent({ kind, names, alternatives, ids }: Agent): Agent {
  const named = names.slice(0, NAMES).map(({ full, family, given, lang }) => ({
    ...(full === undefined ? {} : { full: cut(full, NAME_CHARACTERS) }),
    ...(family === undefined ? {} : { family: cut(family, NAME_CHARACTERS) }),
    ...(given === undefined ? {} : { given: cut(given, NAME_CHARACTERS) }),
    ...(lang === undefined ? {} : { lang: cut(lang, WORD_CHARACTERS) }),
  }));
  const others = alternatives.slice(0, 1).map((text) => cutText(text, NAME_CHARACTERS));
  const orcids = ids.filter(({ scheme, value }) => /^orcid$/i.test(scheme) && value.length <= WORD_CHARACTERS);
  const own = orcids.slice(0, 1).map(({ scheme, value }) => ({ scheme, value }));
  return { kind, names: named, alternatives: others, ids: own, emails: [], affiliations: [] };
}

/** One fact for each kind of access, and one for each day on which files open. */
export function fileFacts(files: readonly FileFacts[]): readonly FileFacts[] {
  const kinds = new Set<FileAccess>();
  const days = new Set<Day>();
  for (const { access, accessDate } of files) {
    if (access === "date" && accessDate !== null) days.add(accessDate);
    else kinds.add(access);
  }
  const sorted = [...days].sort();
  const kept = sorted.length <= DAYS ? sorted : [...sorted.slice(0, DAYS - 1), ...sorted.slice(-1)];
  return [
    ...[...kinds].map((access) => ({ access, accessDate: null })),
    ...kept.map((accessDate) => ({ access: "date" as const, accessDate })),
  ];
}

/**
 * Main titles first, since a list is named by them, then translated ones, for readers of their language; each part in
 * its order otherwise.
 */
export function summaryOf({ metadata, files }: Pick<SummaryContent, "metadata" | "files">): Summary {
  const { type, titles, creators, descriptions, languages, dates, publicationDate, degree } = metadata;
  const main = titles.filter(({ kind }) => kind === "main");
  const listed = main.length > 0 ? [...main, ...titles.filter(({ kind }) => kind === "translated")] : titles;
  const abstracts = descriptions.filter(({ kind, html }) => kind.toLowerCase() === "abstract" && !html);
  const word = (text: string) => cut(text, WORD_CHARACTERS);
  return {
    metadata: {
      type:
        type === null ? null : { id: word(type.id), ...(type.label === undefined ? {} : { label: word(type.label) }) },
      titles: listed.slice(0, TITLES).map((title) => cutText(title, TITLE_CHARACTERS)),
      creators: creators.slice(0, CREATORS).map(cutAgent),
      descriptions: abstracts.slice(0, ABSTRACTS).map((abstract) => cutText(abstract, ABSTRACT_CHARACTERS)),
      languages: languages.slice(0, LANGUAGES).map(word),
      dates: dates
        .filter((date) => date.type === "Issued")
        .slice(0, DATES)
        .map(({ date, type: kind }) => ({ date: word(date), type: kind })),
      ...(publicationDate === undefined ? {} : { publicationDate: word(publicationDate) }),
      ...(degree?.granted === undefined ? {} : { degree: { names: [], granted: word(degree.granted), grantors: [] } }),
    },
    files: fileFacts(files),
  };
}

/** The metadata of a summary as the whole model has them: what a list does not show is empty. */
export function summaryMetadata({ metadata }: Summary): Metadata {
  return { ...EMPTY_METADATA, ...metadata };
}
