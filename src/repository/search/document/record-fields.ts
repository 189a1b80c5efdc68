// What the records interface and the tools find items by beyond item search (R27, R37; reference 2.6): the members of a
// record as its clients name them. One field of words holds them all, each word after the code of its member, so that
// a hundred members cost an index one field.

import type { IndexOutline } from "../../../model/indexes/index-node.ts";
import type { Item, ItemContent, ItemParent } from "../../../model/items/item.ts";
import { licenseIdOf } from "../../../model/metadata/licenses.ts";
import {
  type Agent,
  type Metadata,
  type Org,
  publicationDate,
  type Right,
  type Text,
} from "../../../model/metadata/metadata.ts";
import type { Json } from "../../../shared/json/json.ts";
import { RecentValues } from "../../../shared/recent-values.ts";
import { normalForm } from "../../../shared/text/text.ts";
import type { Day } from "../../../shared/time/day.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import { RECORD_FACETS, RECORD_NUMBERS, RECORD_SORTS } from "../detail/record-schema.ts";
import { dayNumbers } from "../query/days.ts";
import { accessKey } from "./access-keys.ts";
import type { Key } from "./document.ts";
import { journalLabel } from "./journal-label.ts";
import { labelOf, numberKey } from "./keys.ts";
import { tokensOf } from "./tokens.ts";

/** Between the code of a member and a word of it. No code has it. */
export const CODE_SEPARATOR = "=";
/** The code of members that an item has, where their words are among those of another member. */
export const MEMBER_CODE = "ex";
/** Words of members of one item; characters of the texts of one member. */
const WORDS = 2_000;
const CHARACTERS = 20_000;
const VALUE_CHARACTERS = 100;
/** Of each list of an item: what goes beyond is found by its words. */
const VALUES = 200;
/** Linked persons of one item that are counted; items are found by all of them. */
const PERSONS = 1_000;

/** What most values are: their own words. */
const IS_PLAIN_VALUE = /^[a-z0-9./:_-]{0,100}$/;

/** A value that is compared whole: case, width and the kind of blanks do not matter. */
export const valueWord = (text: string): string => (IS_PLAIN_VALUE.test(text) ? text : standardValue(text));

const standardValue = (text: string): string =>
  normalForm(text.slice(0, VALUE_CHARACTERS).toWellFormed(), "NFKC").trim().toLowerCase().replace(/\s+/gu, "_");

export type RecordFacts = {
  readonly item: Item;
  readonly parent: ItemParent;
  readonly content: ItemContent;
  /** Views and downloads of all versions, those that came in one visit counted once (R39). */
  readonly usage?: { readonly uniqueViews: number; readonly uniqueDownloads: number };
  /** When the draft was saved last, of what was never published. */
  readonly savedAt?: Instant | null;
};

const values = (texts: readonly Text[]): readonly string[] => texts.map(({ value }) => value);
const present = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

/**
 * Codes of members about files, and the prefix of restricted files: only the privileged find by those
 * (file-classes.ts).
 */
export const FILE_CODES: readonly string[] = ["fk", "ft"];
export const RESTRICTED = "x";

/**
 * Whether all who find the item may know which files it has (mayListFiles), as is written of it: days change no
 * document.
 */
export const hasListedFiles = ({ item, content }: Pick<RecordFacts, "item" | "content">): boolean =>
  item.state === "draft" || content.access.files === "public";

/** Members whose values are compared whole, by code. */
function wholeValues(facts: RecordFacts): Readonly<Record<string, readonly string[]>> {
  const { item, parent, content } = facts;
  const { metadata, access, files } = content;
  const { type } = metadata;
  const [identifiers, relations, subjects, funding, rights, dates] = [
    metadata.identifiers.slice(0, VALUES),
    metadata.relations.slice(0, VALUES),
    metadata.subjects.slice(0, VALUES),
    metadata.funding.slice(0, VALUES),
    metadata.rights.slice(0, VALUES),
    metadata.dates.slice(0, VALUES),
  ];
  const registered = metadata.registration === undefined ? identifiers : [...identifiers, metadata.registration];
  const dois = registered.filter(({ scheme }) => scheme.toLowerCase() === "doi");
  const types = typeParts(type?.id);
  return {
    id: [String(item.id)],
    pa: [String(item.parentId)],
    co: parent.communities,
    ow: [String(parent.owner)],
    xr: [access.record],
    xf: [access.files],
    rt: present(type?.id),
    ry: types.slice(0, 1),
    la: metadata.languages,
    ...agentValues("c", metadata.creators.slice(0, VALUES)),
    ...agentValues("n", metadata.contributors.slice(0, VALUES)),
    ve: present(metadata.versionLabel),
    ri: rights.flatMap(({ id }) => present(id)),
    si: subjects.flatMap(({ id, uri }) => [...present(id), ...present(uri)]),
    ss: subjects.flatMap(({ scheme }) => present(scheme)),
    ii: registered.flatMap(({ value, uri }) => [value, ...present(uri)]),
    is: registered.map(({ scheme }) => scheme),
    do: dois.map(({ value }) => withoutResolver(value)),
    ar: item.ark === null ? [] : [`ark:${item.ark}`, `ark:/${item.ark}`],
    li: relations.flatMap(({ ident }) => (ident === undefined ? [] : [ident.value, withoutResolver(ident.value)])),
    ls: relations.flatMap(({ ident }) => (ident === undefined ? [] : [ident.scheme])),
    lr: relations.map(({ type: kind }) => kind),
    fi: funding.flatMap(({ funder }) => funder.ids.map(({ value }) => value)),
    an: funding.flatMap(({ award }) => present(award?.number)),
    dt: dates.map(({ type: kind }) => kind),
    dd: dates.map(({ date }) => date),
    pd: present(publicationDate(metadata) ?? undefined),
    [hasListedFiles(facts) ? "ft" : `${RESTRICTED}ft`]: fileTypes(files),
    [hasListedFiles(facts) ? "fk" : `${RESTRICTED}fk`]: files.slice(0, VALUES).map(({ name }) => name),
    fe: [String(files.length > 0)],
    cu: Object.keys(metadata.custom),
    [MEMBER_CODE]: sharedMembers(metadata),
  };
}

/** The records interface shows one title and one abstract by themselves, and the others as additional ones (R3). */
function sharedMembers({ titles, descriptions }: Metadata): readonly string[] {
  const abstracts = descriptions.some(({ kind }) => kind === "Abstract") ? 1 : 0;
  return [
    ...(titles.length > 1 ? ["additional_titles"] : []),
    ...(descriptions.length > abstracts ? ["additional_descriptions"] : []),
  ];
}

const agentValues = (code: string, agents: readonly Agent[]): Readonly<Record<string, readonly string[]>> => ({
  [`${code}i`]: agents.flatMap(({ ids }) => ids.flatMap(({ value }) => [value, withoutResolver(value)])),
  [`${code}s`]: agents.flatMap(({ ids }) => ids.map(({ scheme }) => scheme)),
  [`${code}k`]: agents.flatMap(({ kind }) => kind ?? []),
  [`${code}r`]: agents.flatMap(({ role }) => present(role)),
  [`${code}f`]: agents.flatMap(({ affiliations }) => affiliations.flatMap(({ ids }) => ids.map(({ value }) => value))),
});

/** The part after the host of an address: `10.5072/x` of a DOI, the digits of an ORCID. */
const withoutResolver = (value: string): string => value.replace(/^https?:\/\/[^/]{1,100}\//i, "");

/** Members that are found by their words, by code. */
function wordedTexts({ content: { metadata } }: RecordFacts): Readonly<Record<string, readonly string[]>> {
  const orgs = (all: readonly Org[]): readonly string[] => all.flatMap(({ names }) => values(names));
  return {
    caw: orgs(metadata.creators.slice(0, VALUES).flatMap(({ affiliations }) => affiliations)),
    naw: orgs(metadata.contributors.slice(0, VALUES).flatMap(({ affiliations }) => affiliations)),
    fnw: orgs(metadata.funding.slice(0, VALUES).map(({ funder }) => funder)),
    aww: metadata.funding.slice(0, VALUES).flatMap(({ award }) => values(award?.titles ?? [])),
    rww: metadata.rights.flatMap(({ text }) => values(text)),
    lpw: metadata.locations.flatMap(({ places }) => values(places)),
    cpw: present(metadata.copyright),
    rew: textsIn(metadata.references),
    szw: [...metadata.sizes, ...metadata.formats].flatMap(textsIn),
    ...Object.fromEntries(
      Object.entries(metadata.custom)
        .slice(0, VALUES)
        .map(([name, value]) => [customCode(name), textsIn(value)]),
    ),
  };
}

/** The code of a field of a library's own. */
export const customCode = (name: string): string => `cu.${valueWord(name)}`;

/** Texts in a value, whatever its shape. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).slice(0, VALUES).flatMap(textsIn);
}

/** Affiliations, rights, places: texts of many items, which are cut once in a while. */
const keptWords = new RecentValues<readonly string[]>(5_000);
const KEPT_CHARACTERS = 200;
const wordsOnce = (text: string): readonly string[] =>
  text.length > KEPT_CHARACTERS
    ? tokensOf(text.toWellFormed())
    : (keptWords.get(text) ?? keptWords.set(text, tokensOf(text.toWellFormed())));

/** The words of all members of an item, each after its code. */
export function memberWords(facts: RecordFacts): string {
  const words = new Set<string>();
  for (const [code, texts] of Object.entries(wholeValues(facts))) {
    if (texts.length === 0) continue;
    const before = `${code}${CODE_SEPARATOR}`;
    for (const text of texts.length > VALUES ? texts.slice(0, VALUES) : texts) {
      const word = valueWord(text);
      if (word !== "" && words.size < WORDS) words.add(before + word);
    }
  }
  for (const [code, texts] of Object.entries(wordedTexts(facts))) {
    if (texts.length === 0) continue;
    let left = CHARACTERS;
    for (const text of texts.slice(0, VALUES)) {
      if (left <= 0 || words.size >= WORDS) break;
      const taken = text.length <= left ? text : text.slice(0, left).toWellFormed();
      for (const word of wordsOnce(taken)) words.add(`${code}${CODE_SEPARATOR}${word}`);
      left -= text.length;
    }
  }
  return [...words].join(" ");
}

// --- facets

/** The kind of a thing and, where it has one, what kind of that kind: `publication` and `publication-article`. */
function typeParts(id: string | undefined): readonly string[] {
  if (id === undefined) return [];
  const [kind = id] = id.split("-", 1);
  return kind === id ? [kind] : [kind, id];
}

/** Between the two in the value of a facet. */
export const NESTED = "::";

const EXTENSION = /\.([a-z0-9]{1,12})$/i;
function fileTypes(files: ItemContent["files"]): readonly string[] {
  const types = new Set<string>();
  for (const { name } of files) {
    const type = EXTENSION.exec(name)?.[1]?.toLowerCase();
    if (type !== undefined) types.add(type);
    if (types.size >= VALUES) break;
  }
  return [...types];
}

/** Years of a thing: of a period of many each tenth would be a guess, so its first hundred. */
const YEARS = 100;
function yearsOf(metadata: Metadata): readonly string[] {
  const days = dayNumbers(publicationDate(metadata) ?? "");
  if (days.length === 0) return [];
  const [first, last] = [Math.floor(Math.min(...days) / 10_000), Math.floor(Math.max(...days) / 10_000)];
  return Array.from({ length: Math.min(last - first + 1, YEARS) }, (_, at) => String(first + at).padStart(4, "0"));
}

/** The access of an item depends on the day: its key has no label and is left out of the digest. */
export const accessFacet = ({ content }: RecordFacts, today: Day): Readonly<Record<string, readonly Key[]>> => ({
  [RECORD_FACETS.access]: [accessKey(content, today)],
});

/** A licence as items are filed by it: its id in the vocabulary, else its words, else its address. */
export const licenseLabel = ({ id, uri, text }: Right): string =>
  id ?? (uri === undefined ? null : licenseIdOf(uri)) ?? text[0]?.value ?? uri ?? "";

/** Persons of the author database, by number. */
function linkedPersons({ creators, contributors }: Metadata): ReadonlySet<string> {
  const linked = new Set<string>();
  for (const { authorId } of [...creators, ...contributors].slice(0, PERSONS)) {
    if (authorId !== undefined) linked.add(numberKey(authorId));
  }
  return linked;
}

/** What is counted, by field. */
export function recordFacets(
  facts: RecordFacts & { readonly lineages: readonly (readonly Pick<IndexOutline, "id">[])[] },
): readonly (readonly [string, readonly string[]])[] {
  const { item, parent, content, lineages } = facts;
  const { metadata, files } = content;
  const [kind, subtype] = typeParts(metadata.type?.id);
  const labels = (texts: readonly string[]): readonly string[] => [
    ...new Set(texts.map((text) => labelOf(text.trim())).filter((text) => text !== "")),
  ];
  return [
    [RECORD_FACETS.type, labels(present(kind))],
    [RECORD_FACETS.subtype, kind === undefined || subtype === undefined ? [] : [`${kind}${NESTED}${subtype}`]],
    [RECORD_FACETS.fileType, hasListedFiles(facts) ? fileTypes(files) : []],
    [RECORD_FACETS.language, labels(metadata.languages)],
    [RECORD_FACETS.subject, labels(metadata.subjects.slice(0, VALUES).flatMap(({ text }) => present(text?.value)))],
    [RECORD_FACETS.year, yearsOf(metadata)],
    [RECORD_FACETS.published, [String(item.state === "published")]],
    [RECORD_FACETS.resourceType, labels(present(metadata.type?.id))],
    [RECORD_FACETS.community, parent.communities],
    [RECORD_FACETS.index, [...new Set(lineages.flat().map(({ id }) => String(id)))]],
    [
      RECORD_FACETS.journal,
      [...new Set(metadata.containers.slice(0, VALUES).flatMap((each) => journalLabel(each) ?? []))],
    ],
    [
      RECORD_FACETS.funder,
      labels(metadata.funding.slice(0, VALUES).flatMap(({ funder }) => funder.names.map(({ value }) => value))),
    ],
    [RECORD_FACETS.license, labels(metadata.rights.slice(0, VALUES).map(licenseLabel))],
    [RECORD_FACETS.person, [...linkedPersons(metadata)]],
  ];
}

// --- numbers and sorts

const updatedMs = ({ item, savedAt }: RecordFacts): number =>
  Math.max(Date.parse(item.updatedAt), savedAt === undefined || savedAt === null ? 0 : Date.parse(savedAt));

export function recordNumbers(facts: RecordFacts): Readonly<Record<string, readonly number[]>> {
  const { item, content } = facts;
  const bytes = content.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const [listed, restricted] = hasListedFiles(facts) ? [[content.files.length], []] : [[], [content.files.length]];
  const [listedBytes, restrictedBytes] = hasListedFiles(facts) ? [[bytes], []] : [[], [bytes]];
  return {
    [RECORD_NUMBERS.createdAt]: [Date.parse(item.createdAt)],
    [RECORD_NUMBERS.updatedAt]: [updatedMs(facts)],
    [RECORD_NUMBERS.version]: [item.versionIndex],
    [RECORD_NUMBERS.files]: listed,
    [RECORD_NUMBERS.bytes]: listedBytes,
    [RECORD_NUMBERS.restrictedFiles]: restricted,
    [RECORD_NUMBERS.restrictedBytes]: restrictedBytes,
  };
}

export function recordSorts(facts: RecordFacts): Readonly<Record<string, number>> {
  return {
    [RECORD_SORTS.changed]: updatedMs(facts),
    [RECORD_SORTS.version]: facts.item.versionIndex,
    [RECORD_SORTS.views]: facts.usage?.uniqueViews ?? 0,
    [RECORD_SORTS.downloads]: facts.usage?.uniqueDownloads ?? 0,
  };
}
