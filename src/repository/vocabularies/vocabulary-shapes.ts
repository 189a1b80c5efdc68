// Entries of vocabularies in the form of the records interface and the tools (R37; specification 3, "Tool-server
// records and requests"): the common shape, and those of organisations, funders, awards and subjects. Pure.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { MomentShape, manyOf, membersOf } from "../../shared/shapes.ts";
import { tagsOf } from "../search/document/vocabulary-keys.ts";
import type { StoredVocabularyEntry } from "../store/vocabularies.ts";

/** Types with a separate address and shape. */
export const OWN_SHAPES = ["affiliations", "awards", "funders", "names", "subjects"] as const;
export type OwnShape = (typeof OWN_SHAPES)[number];
export const isOwnShape = (type: string): type is OwnShape => OWN_SHAPES.some((each) => each === type);

/** Known titles by language. */
const TITLE = Type.Object({ en: Type.Optional(Type.String()), ja: Type.Optional(Type.String()) });
const IDENTIFIERS = manyOf(Type.Object({ scheme: Type.String(), identifier: Type.String() }));
const TEXT = Type.Optional(Type.String());
const LIFE = {
  id: Type.String(),
  created: MomentShape,
  updated: MomentShape,
  links: Type.Object({ self: Type.String() }),
};
const TITLED = {
  ...LIFE,
  revision_id: Type.Integer(),
  title: TITLE,
  title_l10n: Type.Optional(Type.String({ description: "The title in the language of the reader, where asked for" })),
};
const Organization = Type.Object(
  {
    ...TITLED,
    name: Type.String(),
    acronym: TEXT,
    aliases: Type.Optional(manyOf(Type.String())),
    identifiers: IDENTIFIERS,
    country: TEXT,
    status: TEXT,
  },
  { $id: "Organization" },
);

/** An entry of each type with a separate shape, as answers have it. */
export const OWN_ENTRIES = {
  affiliations: Organization,
  awards: Type.Object(
    {
      ...TITLED,
      number: Type.String(),
      acronym: TEXT,
      program: TEXT,
      start_date: TEXT,
      end_date: TEXT,
      funder: Type.Optional(Type.Object({ id: TEXT, name: TEXT })),
      identifiers: IDENTIFIERS,
    },
    { $id: "Award" },
  ),
  funders: Organization,
  names: Type.Object(
    {
      ...LIFE,
      name: Type.String(),
      family_name: TEXT,
      given_name: TEXT,
      identifiers: IDENTIFIERS,
      affiliations: manyOf(Type.Object({ id: TEXT, name: TEXT })),
      props: Type.Object({ other_names: TEXT }),
    },
    { $id: "PersonName" },
  ),
  subjects: Type.Object(
    {
      ...TITLED,
      scheme: Type.String(),
      subject: Type.String(),
      synonyms: Type.Optional(manyOf(Type.String())),
      identifiers: IDENTIFIERS,
    },
    { $id: "Subject" },
  ),
} as const satisfies Readonly<Record<OwnShape, TSchema>>;
const CommonEntry = Type.Object(
  {
    ...TITLED,
    type: Type.String(),
    icon: TEXT,
    description: Type.Optional(Type.Object({ en: Type.String() })),
    props: membersOf(Type.String()),
    tags: Type.Optional(manyOf(Type.String())),
  },
  { $id: "VocabularyEntry" },
);
/** An entry of any type. */
export const AnyEntry = Type.Union([CommonEntry, ...new Set(Object.values(OWN_ENTRIES))]);

type EntryOf<Type extends OwnShape> = Omit<Static<(typeof OWN_ENTRIES)[Type]>, "links">;
/** An entry in its shape; the caller adds its `links`. */
export type VocabularyItem = Omit<Static<typeof CommonEntry>, "links"> | { [T in OwnShape]: EntryOf<T> }[OwnShape];
export type PersonItem = EntryOf<"names">;

/** Members of `props` for internal use. */
const INNER = new Set(["tags", "icon", "description"]);

/** What an entry of a type has besides its titles. */
type Writers = {
  readonly [T in Exclude<OwnShape, "names">]: (
    entry: StoredVocabularyEntry,
  ) => Omit<EntryOf<T>, Exclude<keyof typeof TITLED, "links">>;
};

const WRITERS: Writers = {
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
function titleOf({ type, title: { en, ja } }: StoredVocabularyEntry): Static<typeof TITLE> {
  const repeats = isOwnShape(type) && ja === en;
  return { ...(en === "" ? {} : { en }), ...(ja === "" || repeats ? {} : { ja }) };
}

/** Adds the title in the reader's language, for clients that ask for rendered labels. */
export function localizedItem<Item extends VocabularyItem>(item: Item, language: string): Item {
  if (!("title" in item)) return item;
  const titles: Readonly<Record<string, string>> = item.title;
  return { ...item, title_l10n: titles[language] ?? titles.en ?? Object.values(titles)[0] ?? item.id };
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
