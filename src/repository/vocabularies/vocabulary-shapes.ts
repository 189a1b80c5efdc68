// Entries of vocabularies in the form of the records interface and the tools (R37; specification 3, "Tool-server
// records and requests"): the common shape, and those of organisations, funders, awards and subjects. Pure.
import { tagsOf } from "../search/document/vocabulary-keys.ts";
import type { StoredVocabularyEntry } from "../store/vocabularies.ts";

/** Types with a separate address and shape. */
export const OWN_SHAPES = ["affiliations", "awards", "funders", "names", "subjects"] as const;
export type OwnShape = (typeof OWN_SHAPES)[number];
export const isOwnShape = (type: string): type is OwnShape => OWN_SHAPES.some((each) => each === type);

/** An entry in its shape; the caller adds its `links`. */
export type VocabularyItem = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly title?: Readonly<Record<string, string>>;
};

/** Members of `props` for internal use. */
const INNER = new Set(["tags", "icon", "description"]);

type Write = (entry: StoredVocabularyEntry) => Readonly<Record<string, unknown>>;

const WRITERS: Readonly<Record<Exclude<OwnShape, "names">, Write>> = {
  affiliations: ({ id, title, props }) => ({
    name: title.en,
    ...acronymAndAliases(props),
    identifiers: identifiersOf(id, props),
    ...present({ country: props.country, status: props.status }),
  }),
  funders: ({ id, title, props }) => ({
    name: title.en,
    ...acronymAndAliases(props),
    identifiers: identifiersOf(id, props),
    ...present({ country: props.country, status: props.status }),
  }),
  awards: ({ id, props }) => ({
    number: props.number ?? id,
    ...present({ acronym: props.acronym, program: props.program, start_date: props.start, end_date: props.end }),
    ...(props.funder === undefined && props.funder_name === undefined
      ? {}
      : { funder: present({ id: props.funder, name: props.funder_name }) }),
    identifiers: props.url === undefined ? [] : [{ scheme: "url", identifier: props.url }],
  }),
  subjects: ({ title, props }) => ({
    scheme: props.scheme ?? "",
    subject: title.en,
    ...(props.names === undefined ? {} : { synonyms: namesIn(props.names) }),
    identifiers: props.url === undefined ? [] : [{ scheme: "url", identifier: props.url }],
  }),
};

/** An entry as the address of its type returns it. */
export function vocabularyItem(entry: StoredVocabularyEntry): VocabularyItem {
  const { type, id, revision, createdAt, updatedAt, props } = entry;
  const life = { created: createdAt, updated: updatedAt, revision_id: revision };
  if (isOwnShape(type) && type !== "names") return { id, ...life, title: titleOf(entry), ...WRITERS[type](entry) };
  const tags = tagsOf(props);
  return {
    id,
    ...life,
    type,
    title: titleOf(entry),
    ...present({ icon: props.icon }),
    ...(props.description === undefined ? {} : { description: { en: props.description } }),
    props: Object.fromEntries(Object.entries(props).filter(([name]) => !INNER.has(name))),
    ...(tags.length === 0 ? {} : { tags }),
  };
}

/**
 * Titles by language; one that is not known is absent, and so is a Japanese one that only repeats the English one of a
 * public dump.
 */
function titleOf({ type, title: { en, ja } }: StoredVocabularyEntry): Readonly<Record<string, string>> {
  const repeats = isOwnShape(type) && ja === en;
  return { ...(en === "" ? {} : { en }), ...(ja === "" || repeats ? {} : { ja }) };
}

/** Adds the title in the reader's language, for clients that ask for rendered labels. */
export function localizedItem(item: VocabularyItem, language: string): VocabularyItem {
  const { title } = item;
  if (title === undefined) return item;
  return { ...item, title_l10n: title[language] ?? title.en ?? Object.values(title)[0] ?? item.id };
}

const namesIn = (names: string): readonly string[] => names.split("; ").filter((name) => name !== "");

function acronymAndAliases({ acronym, names = "" }: StoredVocabularyEntry["props"]) {
  const aliases = namesIn(names);
  return { ...present({ acronym }), ...(aliases.length === 0 ? {} : { aliases }) };
}

function identifiersOf(id: string, { scheme, url }: StoredVocabularyEntry["props"]) {
  if (scheme === "ROR") return [{ scheme: "ror", identifier: id }];
  const doi = /^https:\/\/doi\.org\/(10\..+)$/.exec(url ?? "")?.[1];
  if (doi !== undefined) return [{ scheme: "doi", identifier: doi }];
  return url === undefined ? [] : [{ scheme: "url", identifier: url }];
}

function present<T extends Readonly<Record<string, string | undefined>>>(members: T): Partial<T> {
  const there = Object.entries(members).filter(([, value]) => value !== undefined && value !== "");
  // A part of the members is of their type.
  return Object.fromEntries(there) as Partial<T>;
}
