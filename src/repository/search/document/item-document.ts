// What a search index holds of one item, made from the item alone (R34; specification 3, rules 2 to 8): the same item
// is the same document, at any time, except for days that were reached meanwhile (visibility-keys.ts).

import type { RecordFacts as VisibilityFacts } from "../../../model/access/visibility.ts";
import { claimOf } from "../../../model/files/described-package.ts";
import type { IndexOutline } from "../../../model/indexes/index-node.ts";
import type { FormValues, ItemTypeDefinition } from "../../../model/item-types/definition.ts";
import { toForm } from "../../../model/item-types/to-form.ts";
import type { Item, ItemContent, ItemFile, ItemParent } from "../../../model/items/item.ts";
import { isLong } from "../../../model/items/long-item.ts";
import { identifierText } from "../../../model/metadata/duplicate-keys.ts";
import { licenseIdOf } from "../../../model/metadata/licenses.ts";
import { type Metadata, mainTitle, publicationDate, type Text } from "../../../model/metadata/metadata.ts";
import { boundedMetadata } from "../../../model/metadata/metadata-limits.ts";
import { nameText } from "../../../model/metadata/reader-language.ts";
import { printedResourceType } from "../../../model/metadata/resource-types.ts";
import { normalForm } from "../../../shared/text/text.ts";
import type { Day } from "../../../shared/time/day.ts";
import { type InParts, runWithoutYielding } from "../../../shared/time/event-loop.ts";
import { readFiles } from "../../store/full-text.ts";
import { NEWEST, RECORD_FACETS, RECORD_SORTS, RECORD_TEXTS } from "../detail/record-schema.ts";
import { dayNumber, dayNumbers } from "../query/days.ts";
import { DRAFT_CLASSES, fileClasses } from "../query/file-classes.ts";
import {
  facetField,
  factField,
  fileDateField,
  freeField,
  identifierField,
  isAssigned,
  KEYS,
  NUMBERS,
  SORTS,
} from "../settings/search-schema.ts";
import { type Choice, choiceText, FREE_FIELDS, type SearchSettings } from "../settings/settings.ts";
import { parseSource, type Source, type SourceItem, valuesFrom } from "../settings/source.ts";
import { identNames } from "../words/identifiers.ts";
import type { StemLanguage } from "../words/stems.ts";
import { noTriples, textWords, tripleTokens } from "../words/text-words.ts";
import { MORE_TRIPLES } from "../words/word-forms.ts";
import { accessKey } from "./access-keys.ts";
import { FIELDS, type Key, type SearchDocument, type SortValue, VISIBLE_BEFORE } from "./document.ts";
import { FIELD_LIMITS, itemLanguage, itemWords, joined } from "./item-words.ts";
import { documentDigest, facetKey, keyOf, labelOf, numberKey, personalKeys, visibilityKeys } from "./keys.ts";
import {
  accessFacet,
  hasListedFiles,
  memberWords,
  type RecordFacts,
  recordFacets,
  recordNumbers,
  recordSorts,
} from "./record-fields.ts";
import { relationKeys } from "./relation-keys.ts";
import { folded, tokenField } from "./tokens.ts";

/** Everything a document is made from, read together. */
export type DocumentSource = {
  readonly item: Item;
  readonly parent: ItemParent;
  /** The content of the item: published, or the draft of an item that was never published. */
  readonly content: ItemContent;
  /** One for each index of the content, in their order; empty for one that is not there. */
  readonly lineages: readonly (readonly IndexOutline[])[];
  /** Null where the type is not there any more. */
  readonly itemType: ItemTypeDefinition | null;
  /** Words of the files by SHA-256 (R35), of those that were read. */
  readonly fileTexts: ReadonlyMap<string, string>;
  /** No version of its parent has a higher number, drafts too. Left out: as far as its parent knows. */
  readonly isNewest?: boolean;
  /** Of each version that was published after this one, who may see it. Left out: there is none. */
  readonly newer?: readonly VisibilityFacts[];
} & Pick<RecordFacts, "usage" | "savedAt">;

/** How much of the files of an item is found. */
export const FILE_LIMITS = { characters: 400_000, tokens: 40_000 } as const;
/** Files that a form is made with of an item that is long. */
const FORM_FILES = 1_000;
/** Values of a field of keys or of numbers; labels count too. */
const VALUES = 1_000;
/** Bytes of a text that is sorted by; an engine cuts at 100 digits. */
const SORT_BYTES = 40;

export type DocumentMaker = (source: DocumentSource, today: Day) => SearchDocument | null;

/** The same document, with pauses: an item of many authors or long texts takes a good part of a second (R9a). */
export type DocumentMaking = (source: DocumentSource, today: Day) => InParts<SearchDocument | null>;

/** The settings, prepared once for many documents. */
export function documentMaking(settings: SearchSettings): DocumentMaking {
  const made = prepared(settings);
  return function* (source, today) {
    const standing = standingOf(source);
    return standing === null ? null : yield* documentOf(source, standing, made, today);
  };
}

export function documentMaker(settings: SearchSettings): DocumentMaker {
  const making = documentMaking(settings);
  return (source, today) => runWithoutYielding(making(source, today));
}

type Standing = "latest" | "old" | "draft";

/** A deleted item has no standing. */
function standingOf({ item, parent }: DocumentSource): Standing | null {
  if (item.state === "deleted") return null;
  if (item.state === "draft") return "draft";
  return parent.latest === item.id ? "latest" : "old";
}

type NamedSources = { readonly name: string; readonly sources: readonly Source[] };
type Meaning = (value: string) => readonly string[];
type PreparedSettings = {
  readonly facets: readonly NamedSources[];
  readonly identifiers: readonly NamedSources[];
  readonly fileDates: readonly NamedSources[];
  readonly texts: readonly NamedSources[];
  readonly integers: readonly NamedSources[];
  readonly floats: readonly NamedSources[];
  readonly dates: readonly NamedSources[];
  readonly type: Meaning;
  readonly language: Meaning;
  readonly version: Meaning;
  readonly license: Meaning;
  readonly scheme: Meaning;
};

function prepared(settings: SearchSettings): PreparedSettings {
  const { facets, choices, fields } = settings;
  const read = (written: readonly string[]): readonly Source[] => written.flatMap((text) => parseSource(text) ?? []);
  const free = (names: readonly string[]): readonly NamedSources[] =>
    names
      .filter((name) => isAssigned(settings, name))
      .map((name) => ({ name: freeField(name), sources: read(fields[name] ?? []) }));
  const places = (list: readonly Choice[], field: (at: number) => string): readonly NamedSources[] =>
    list.map(({ means }, at) => ({ name: field(at), sources: read(means ?? []) }));
  return {
    facets: facets
      .filter(({ active, sources }) => active && factField(sources) === null)
      .map((facet) => ({ name: facetField(facet), sources: read(facet.sources) })),
    identifiers: places(choices.id_attr, identifierField),
    fileDates: places(choices.fd_attr, fileDateField),
    texts: free(FREE_FIELDS.text),
    integers: free(FREE_FIELDS.integer),
    floats: free(FREE_FIELDS.float),
    dates: free(FREE_FIELDS.date),
    type: meaningIn(choices.type),
    language: meaningIn(choices.lang),
    version: meaningIn(choices.version),
    license: meaningIn(choices.license),
    scheme: meaningIn(choices.sbjscheme),
  };
}

/** The choices of a list that mean a value (settings.ts: choicesMeaning), without going through the list for each. */
function meaningIn(list: readonly Choice[]): Meaning {
  const named = new Map<string, string[]>();
  for (const { value, means } of list) {
    for (const text of new Set(means?.map(choiceText))) named.set(text, [...(named.get(text) ?? []), value]);
  }
  const others = list.filter(({ means }) => means === null).map(({ value }) => value);
  return (value) => named.get(choiceText(value)) ?? others;
}

function* documentOf(
  source: DocumentSource,
  standing: Standing,
  made: PreparedSettings,
  today: Day,
): InParts<SearchDocument> {
  const { item, content } = source;
  const values = sourceItem(source);
  const facets: (readonly [string, readonly string[]])[] = [];
  for (const { name, sources } of made.facets) {
    facets.push([name, valuesFrom(sources, values).map(labelOf)]);
  }
  facets.push(...recordFacets(source));
  yield;
  const facetKeys: Record<string, readonly Key[]> = {};
  const labels: Record<Key, string> = {};
  for (const [name, of] of facets) {
    const keys = of.map(facetKey);
    facetKeys[name] = different(keys);
    for (const [at, key] of keys.entries()) labels[key] = of[at] ?? "";
  }
  const { texts, lengths } = yield* textsOf(source, standing, made, values, today);
  const keys = keysOf(source, standing, made, today);
  yield;
  const document = {
    id: item.id,
    parentId: item.parentId,
    texts,
    keys: Object.assign(keys, facetKeys, accessFacet(source, today)),
    labels,
    numbers: Object.assign(numbersOf(item, content.metadata, made, values), recordNumbers(source)),
    sorts: Object.assign(sortsOf(source), lengths, recordSorts(source)),
  };
  yield;
  return Object.assign(document, { digest: yield* documentDigest(timeless(document, source, standing)) });
}

/** No day has been reached on this one. */
const NEVER: Day = "0000-00-00";

/** What depends on days, on who reads, or is counted: the digest has the item's own values in place of it. */
const TIMELY: ReadonlySet<string> = new Set([
  ...[FIELDS.files, FIELDS.visibility, FIELDS.newer, FIELDS.standing, FIELDS.fileClasses, RECORD_FACETS.access],
  ...[RECORD_SORTS.views, RECORD_SORTS.downloads],
]);

/** The part of the document that is the same on every day, as one text. */
function timeless(
  { id, parentId, texts, keys, sorts, labels, numbers }: Omit<SearchDocument, "digest">,
  { item, parent, content, lineages, fileTexts, isNewest, newer = [] }: DocumentSource,
  standing: Standing,
): string {
  // Written out: words and keys have no line breaks, and objects that leave some of them out cost more than all of it.
  let text = "";
  for (const [field, words] of Object.entries(texts))
    if (words !== "" && !TIMELY.has(field)) text += `${field}\n${words}\n`;
  for (const [field, held] of Object.entries(keys))
    if (held.length > 0 && !TIMELY.has(field)) text += `${field}\n${held.join(" ")}\n`;
  for (const [field, value] of Object.entries(sorts)) if (!TIMELY.has(field)) text += `${field}\n${value}\n`;
  const facts = { ...parent, state: item.state, access: content.access, lineages };
  const files = readFiles(content)
    .filter(({ sha256 }) => fileTexts.has(sha256))
    .map((file) => [file.sha256, fileTexts.get(file.sha256)?.length, fileClasses(file, content.access, NEVER)]);
  const others = [
    ...[id, parentId, labels, numbers, standing, isNewest ?? standing !== "old"],
    ...[visibilityKeys(facts, NEVER), newerKeys(newer, NEVER), accessKey(content, NEVER), files],
  ];
  return text + JSON.stringify(others);
}

function sourceItem({ item, content, itemType }: DocumentSource): SourceItem {
  let form: FormValues | null = null;
  // No more of a very long item is taken from a form than a page shows.
  const isCut = itemType !== null && isLong(content);
  const shown = isCut ? boundedMetadata(content.metadata) : content.metadata;
  const listed = hasListedFiles({ item, content }) ? content.files : [];
  const files = isCut ? listed.slice(0, FORM_FILES) : listed;
  return {
    metadata: content.metadata,
    files: listed,
    itemType: content.itemType,
    form: () => {
      form ??= itemType === null ? {} : toForm(shown, itemType, files.map(claimOf), content.access.openDate);
      return form;
    },
  };
}

/** No more is read than is taken. */
function different<T>(values: Iterable<T>): readonly T[] {
  if (Array.isArray(values) && values.length <= 1) return values;
  const found = new Set<T>();
  for (const value of values) {
    if (found.size >= VALUES) break;
    found.add(value);
  }
  return [...found];
}

function* subjectKeys(subjects: Metadata["subjects"], meaning: Meaning): Generator<Key> {
  for (const { text, scheme } of subjects) {
    if (text !== undefined) for (const choice of meaning(scheme ?? "")) yield keyOf(choice, text.value);
  }
}

function* keysIn(texts: Iterable<string>): Generator<Key> {
  for (const text of texts) yield keyOf(text);
}

// --- words

const values = (texts: readonly Text[]): readonly string[] => texts.map(({ value }) => value);

type DocumentWords = {
  readonly texts: Readonly<Record<string, string>>;
  readonly lengths: Readonly<Record<string, number>>;
};

function* textsOf(
  source: DocumentSource,
  standing: Standing,
  { identifiers, texts }: PreparedSettings,
  from: SourceItem,
  today: Day,
): InParts<DocumentWords> {
  const { item, content, fileTexts } = source;
  const { metadata, access } = content;
  const words = yield* itemWords({ metadata, ark: item.ark });
  const fields: Record<string, string> = { ...words.texts, [RECORD_TEXTS.members]: memberWords(source) };
  for (const { name, sources } of [...identifiers, ...texts]) {
    fields[name] = sources.length === 0 ? "" : tokenField(valuesFrom(sources, from), FIELD_LIMITS);
  }
  yield;
  const readers = (file: ItemFile) => (standing === "draft" ? DRAFT_CLASSES : fileClasses(file, access, today));
  // What this item leaves out may have been read for another that is read at the same time.
  fields[FIELDS.files] = yield* wordsOfFiles(readFiles(content), fileTexts, itemLanguage(metadata), readers);
  return { texts: fields, lengths: words.lengths };
}
/** Each token after the class of its readers. The limits are those of all files together. */
function* wordsOfFiles(
  files: readonly ItemFile[],
  texts: ReadonlyMap<string, string>,
  language: StemLanguage,
  readers: (file: ItemFile) => readonly Key[],
): InParts<string> {
  if (texts.size === 0) return "";
  const found = new Set<string>();
  const forms = new Set<string>();
  let left: number = FILE_LIMITS.characters;
  for (const file of files) {
    const value = texts.get(file.sha256);
    if (value === undefined) continue;
    const limits = { characters: left, tokens: FILE_LIMITS.tokens };
    const words = yield* textWords([{ value, language }], limits, false, noTriples());
    left -= value.length;
    yield;
    for (const each of readers(file)) {
      for (const token of words.tokens.keys()) {
        if (found.size >= FILE_LIMITS.tokens) return joined(found, forms, [`${each}${MORE_TRIPLES}`]);
        found.add(`${each}${token}`);
      }
      const more = [...words.forms, ...tripleTokens(words.triples)];
      if (forms.size + more.length > FILE_LIMITS.tokens) forms.add(`${each}${MORE_TRIPLES}`);
      else for (const form of more) forms.add(`${each}${form}`);
    }
    if (left <= 0) break;
    yield;
  }
  return joined(found, forms);
}

// --- keys

/** Who may see one of these versions. */
const newerKeys = (newer: readonly VisibilityFacts[], today: Day): readonly Key[] => [
  ...new Set(newer.flatMap((facts) => visibilityKeys(facts, today))),
];

function standingKeys(standing: Standing, isNewest: boolean, visibility: readonly Key[], newer: readonly Key[]): Key[] {
  const isBefore = standing === "old" && visibility.some((key) => !newer.includes(key));
  return [standing, ...(isNewest ? [NEWEST] : []), ...(isBefore ? [VISIBLE_BEFORE] : [])];
}

function keysOf(
  { item, parent, content, lineages, fileTexts, isNewest, newer: later = [] }: DocumentSource,
  standing: Standing,
  made: PreparedSettings,
  today: Day,
): Record<string, readonly Key[]> {
  const { metadata, access } = content;
  const listed = hasListedFiles({ item, content }) ? content.files : [];
  const facts: VisibilityFacts = { ...parent, state: item.state, access, lineages };
  const { titles, subjects, locations, temporals, creators, contributors, degree, languages } = metadata;
  const named = readFiles(content).filter(({ sha256 }) => fileTexts.has(sha256));
  const classes = named.flatMap((file) => (standing === "draft" ? DRAFT_CLASSES : fileClasses(file, access, today)));
  const visibility = standing === "draft" ? personalKeys(facts, "preview") : visibilityKeys(facts, today);
  const newer = newerKeys(later, today);
  const linked = [...creators, ...contributors].flatMap(({ authorId }) => authorId ?? []);
  const each = (texts: readonly string[], meaning: Meaning): readonly Key[] =>
    different(keysIn(new Set(texts.flatMap((text) => meaning(text)))));
  const exact = (texts: Iterable<string>): readonly Key[] => different(keysIn(texts));
  return {
    [FIELDS.visibility]: visibility,
    [FIELDS.standing]: standingKeys(standing, isNewest ?? standing !== "old", visibility, newer),
    [FIELDS.newer]: newer,
    [FIELDS.itemType]: [numberKey(content.itemType)],
    [FIELDS.under]: [...new Set(lineages.flat().map(({ id }) => numberKey(id)))],
    [FIELDS.fileClasses]: different(classes),
    [KEYS.exactTitle]: exact(values(titles)),
    [KEYS.subject]: different(subjectKeys(subjects, made.scheme)),
    [KEYS.spatial]: exact(locations.flatMap(({ places }) => values(places))),
    [KEYS.temporal]: exact(values(temporals)),
    [KEYS.mediaType]: exact(listed.map(({ mediaType }) => mediaType)),
    [KEYS.dissertationNumber]: exact(degree?.number === undefined ? [] : [degree.number]),
    [KEYS.creatorIdentifier]: exact(creators.flatMap(({ ids }) => values(ids))),
    [KEYS.type]: each(typeWords(metadata), made.type),
    [KEYS.language]: each(languages, made.language),
    [KEYS.version]: each(metadata.versionType === undefined ? [] : [metadata.versionType.label], made.version),
    [KEYS.license]: each(licenses(metadata, listed), made.license),
    [KEYS.identifier]: exact(identifiers(item, metadata)),
    [KEYS.named]: exact(namesOf(item, metadata)),
    [KEYS.related]: different(relationKeys(metadata)),
    [KEYS.number]: [numberKey(item.id), numberKey(item.parentId)],
    [KEYS.owner]: [numberKey(parent.owner)],
    [KEYS.community]: exact(parent.communities),
    [KEYS.person]: different(linked.map(numberKey)),
  };
}

/** The label as it is printed, however the type was given; for an unknown type, the text as written. */
function typeWords({ type }: Metadata): readonly string[] {
  return type === null ? [] : [printedResourceType(type)?.label ?? type.label ?? type.id];
}

function licenses({ rights }: Metadata, files: readonly ItemFile[]): readonly string[] {
  const stated = rights.flatMap(({ id, uri }) => id ?? uri ?? []);
  const ofFiles = files.flatMap(({ license }) => license ?? []);
  return [...stated, ...ofFiles].map((written) => licenseIdOf(written) ?? written);
}

function identifiers({ ark }: Item, { identifiers: stated, registration }: Metadata): readonly string[] {
  const all = registration === undefined ? stated : [...stated, registration];
  const own = ark === null ? [] : [{ scheme: "ARK", value: `ark:/${ark}` }];
  return [...all, ...own].flatMap((ident) => identifierText(ident) ?? []);
}

/** Those of the item first. */
function* namesOf({ ark }: Item, { registration, ...metadata }: Metadata): Generator<string> {
  const { identifiers: stated, creators, contributors, containers, funding } = metadata;
  if (ark !== null) yield* identNames({ scheme: "ARK", value: `ark:/${ark}` });
  for (const ident of registration === undefined ? stated : [registration, ...stated]) yield* identNames(ident);
  for (const { ids } of containers) for (const ident of ids) yield* identNames(ident);
  for (const { award } of funding) {
    if (award?.number !== undefined) yield* identNames({ scheme: "", value: award.number });
  }
  for (const { ids, affiliations } of [...creators, ...contributors]) {
    for (const ident of [...ids, ...affiliations.flatMap((each) => each.ids)]) yield* identNames(ident);
  }
}

// --- numbers and sorts

const INTEGER = /^[+-]?\d{1,15}$/;
const FLOAT = /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?$/i;
/** No number is longer. */
const NUMBER_CHARACTERS = 100;
const numberIn = (pattern: RegExp) => (text: string) => {
  if (text.length > NUMBER_CHARACTERS) return [];
  const written = normalForm(text, "NFKC").replaceAll(",", "").trim();
  return pattern.test(written) ? [Number(written)] : [];
};

function numbersOf(
  { createdAt, updatedAt }: Item,
  metadata: Metadata,
  { fileDates, dates, integers, floats }: PreparedSettings,
  from: SourceItem,
): Record<string, readonly number[]> {
  const numbers: Record<string, readonly number[]> = {
    [NUMBERS.dateGranted]: dayNumbers(metadata.degree?.granted ?? ""),
    [NUMBERS.published]: dayNumbers(publicationDate(metadata) ?? ""),
    [NUMBERS.created]: [dayNumber(createdAt)],
    [NUMBERS.updated]: [dayNumber(updatedAt)],
  };
  const kinds = [
    [[...fileDates, ...dates], dayNumbers],
    [integers, numberIn(INTEGER)],
    [floats, numberIn(FLOAT)],
  ] as const;
  for (const [named, parse] of kinds) {
    for (const { name, sources } of named) {
      numbers[name] = sources.length === 0 ? [] : different(valuesFrom(sources, from).flatMap(parse));
    }
  }
  return numbers;
}

function sortsOf({ item, content }: DocumentSource): Record<string, SortValue> {
  const { metadata, access, itemType } = content;
  const [creator] = metadata.creators;
  const [name] = creator?.names ?? [];
  const [published = 0] = dayNumbers(publicationDate(metadata) ?? "");
  return {
    [SORTS.title]: sortText(mainTitle(metadata)),
    [SORTS.creator]: sortText(creator === undefined || name === undefined ? "" : nameText(name, creator.kind)),
    [SORTS.updated]: Date.parse(item.updatedAt),
    [SORTS.created]: Date.parse(item.createdAt),
    [SORTS.published]: published,
    [SORTS.opened]: dayNumber(access.openDate),
    [SORTS.itemType]: itemType,
    [SORTS.temporal]: sortText(metadata.temporals[0]?.value ?? ""),
  };
}

const encoder = new TextEncoder();
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Bytes in hex: ordered as the folded letters are, in every engine. */
export function sortText(text: string): string {
  const bytes = encoder.encode(folded(text.slice(0, SORT_BYTES)).trim()).subarray(0, SORT_BYTES);
  let hex = "";
  for (const byte of bytes) hex += HEX[byte] ?? "";
  return hex;
}
