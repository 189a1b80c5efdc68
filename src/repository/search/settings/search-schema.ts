// The fields of a search index (R27, R28; specification 3, rules 2 to 5 and 8): which there are, and which of them each
// parameter, each choice and each facet of the settings is searched for in. Documents are made by it
// (item-document.ts), conditions are compiled to it.

import { RECORD_FACETS, RECORD_NUMBERS, RECORD_SORTS, RECORD_TEXTS } from "../detail/record-schema.ts";
import { FIELDS, type IndexSchema } from "../document/document.ts";
import { keyOf } from "../document/keys.ts";
import { CHOICE_LISTS, type FacetItem, FREE_FIELDS, type SearchSettings } from "./settings.ts";

/** Incremented when documents are made differently: indexes are rebuilt. */
const DOCUMENTS_VERSION = 15;

/** Fields of words in addition to `FIELDS.all`, with what they are made from. */
export const TEXTS = {
  /** Titles of every kind. */
  title: "title",
  /** Names in every language, alternative names and identifiers of creators. */
  creator: "creator",
  contributor: "contributor",
  description: "description",
  publisher: "publisher",
  subject: "subjectwords",
  /** What the item appeared in. */
  sourceTitle: "sourcetitle",
  degreeName: "degreename",
  degreeGrantor: "degreegrantor",
} as const;

/** Words that occur several times in the descriptions of an item, for the order of hits. */
export const REPEATED = "repeated";

/** Fields of keys. `keyOf(value)` finds a value as it is written, unless stated otherwise. */
export const KEYS = {
  /** Titles and alternative titles (rule 3). */
  exactTitle: "exacttitle",
  /** `keyOf(choice.value, subject)`: a subject and a choice of `sbjscheme` that means its scheme. */
  subject: "subject",
  spatial: "spatial",
  temporal: "temporal",
  mediaType: "mimetype",
  dissertationNumber: "dissno",
  /** Identifiers of creators. */
  creatorIdentifier: "wid",
  /** `keyOf(choice.value)` of the choices that mean a value of the item. */
  type: "type",
  language: "lang",
  version: "version",
  license: "license",
  /** Every identifier of the item and its ARK in one spelling: `keyOf(identifierText(...))` (duplicate-keys.ts). */
  identifier: "identifier",
  /**
   * Identifiers of the item, its people and their institutions, what it appeared in and its awards, as people paste them:
   * `keyOf(identNames(...))` (words/identifiers.ts).
   */
  named: "named",
  /** What its relations and references point at, and as what (relation-keys.ts). */
  related: "related",
  /** `numberKey`: of the item and of its parent. */
  number: "number",
  owner: "owner",
  /** `keyOf(id)`. */
  community: "community",
  /** `numberKey`: persons of the author database that creators and contributors are linked to. */
  person: "person",
} as const;

/** Fields of numbers: days unless stated otherwise. */
export const NUMBERS = {
  dateGranted: "dategranted",
  /** When the thing itself was published, as stated. */
  published: "published",
  created: "created",
  updated: "updated",
} as const;

/** Sorts by the keys of the specification: `controlnumber` is `id`, which every index sorts by. */
export const SORTS = {
  /** `wtl`. */
  title: "sorttitle",
  creator: "sortcreator",
  /** `upd`, `createdate`: moments in milliseconds. */
  updated: "sortupdated",
  created: "sortcreated",
  /** `pyear`: the day the thing was published, as a number. */
  published: "sortpublished",
  /** `publish_date`: the day the record opened. */
  opened: "sortopened",
  itemType: "sortitemtype",
  temporal: "sorttemporal",
  /** How many words the title and the descriptions have, repeated ones too, and the title alone. */
  length: "sortlength",
  titleLength: "sorttitlelength",
} as const;

const SORT_TYPES: Readonly<Record<keyof typeof SORTS, "number" | "text">> = {
  title: "text",
  creator: "text",
  updated: "number",
  created: "number",
  published: "number",
  opened: "number",
  itemType: "number",
  temporal: "text",
  length: "number",
  titleLength: "number",
};

/** Words of identifiers that the choice of `id_attr` at this place of its list looks into. */
export const identifierField = (at: number): string => `id${at}`;
/** Days that the choice of `fd_attr` at this place of its list searches. */
export const fileDateField = (at: number): string => `fd${at}`;
/** The field of a free field by its name in `FREE_FIELDS`: text1, integer_range1. */
export const freeField = (name: string): string => name.replaceAll("_", "");
/**
 * Facts of an item as the only source of a facet, and the fields that count them: its type as the vocabulary names it,
 * how open it is (R48), the years in which it was published, its communities, its indexes and those above them.
 */
export const FACTS: Readonly<Record<string, string>> = {
  "type.id": RECORD_FACETS.resourceType,
  "access.status": RECORD_FACETS.access,
  "publication.year": RECORD_FACETS.year,
  communities: RECORD_FACETS.community,
  indexes: RECORD_FACETS.index,
};

/** Null: the facet counts values of the metadata. */
export function factField([only = "", ...others]: readonly string[]): string | null {
  return others.length === 0 && Object.hasOwn(FACTS, only) ? (FACTS[only] ?? null) : null;
}

/** The field of a facet. */
export const facetField = ({ id, sources }: Pick<FacetItem, "id" | "sources">): string =>
  factField(sources) ?? `facet${id}`;

/** A free field without sources has no values: a parameter that names it is ignored. */
export const isAssigned = (settings: SearchSettings, name: string): boolean => (settings.fields[name] ?? []).length > 0;

export function searchSchema(settings: SearchSettings): IndexSchema {
  const { choices, facets } = settings;
  const counted = [
    ...facets.filter(({ active, sources }) => active && factField(sources) === null).map(facetField),
    ...Object.values(RECORD_FACETS),
  ];
  const assigned = (names: readonly string[]): readonly string[] =>
    names.filter((name) => isAssigned(settings, name)).map(freeField);
  return {
    version: versionOf(settings),
    texts: [
      FIELDS.all,
      FIELDS.files,
      ...Object.values(TEXTS),
      REPEATED,
      ...Object.values(RECORD_TEXTS),
      ...choices.id_attr.map((_choice, at) => identifierField(at)),
      ...assigned(FREE_FIELDS.text),
    ],
    keys: [
      ...[FIELDS.visibility, FIELDS.standing, FIELDS.newer, FIELDS.itemType, FIELDS.under, FIELDS.fileClasses],
      ...Object.values(KEYS),
      ...counted,
    ],
    facets: counted,
    numbers: [
      ...Object.values(NUMBERS),
      ...Object.values(RECORD_NUMBERS),
      ...choices.fd_attr.map((_choice, at) => fileDateField(at)),
      ...assigned([...FREE_FIELDS.integer, ...FREE_FIELDS.float, ...FREE_FIELDS.date]),
    ],
    sorts: [
      ...Object.entries(SORTS).map(([member, name]) => ({ name, type: SORT_TYPES[member as keyof typeof SORTS] })),
      ...Object.values(RECORD_SORTS).map((name) => ({ name, type: "number" as const })),
    ],
  };
}

/** Another number for whatever decides what documents hold: labels and the look of facets do not. */
function versionOf({ facets, choices, fields }: SearchSettings): number {
  const decides = [
    DOCUMENTS_VERSION,
    facets.filter(({ active }) => active).map(({ id, sources }) => [id, sources]),
    CHOICE_LISTS.map((list) => choices[list].map(({ value, means }) => [value, means])),
    Object.values(FREE_FIELDS).map((names) => names.map((name) => fields[name] ?? [])),
  ];
  return Number.parseInt(keyOf(JSON.stringify(decides)).slice(0, VERSION_DIGITS), 16);
}
/** Of a digest, as many as stay below 2^53. */
const VERSION_DIGITS = 12;
