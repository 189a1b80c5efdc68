// The RO-Crate form of an item in search, detail and lists (specification 3, "RO-Crate object"; R29): what its item
// type maps, as a tree of tabs, sections and subsections. It is made for display; the crate that can be imported again
// is write.ts.
import type { CrateMap, CrateMapping, CrateNode, CrateSource } from "../../model/item-types/crate-mapping.ts";
import type { FormValues } from "../../model/item-types/definition.ts";
import { pathWithoutIndices } from "../../model/item-types/metadata-path.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { CRATE_CONTEXT, CRATE_FILE_NAME, CRATE_PROFILE, ROOT_ID } from "./terms.ts";

export type DetailFile = {
  /** Address of the file; its @id. */
  readonly url: string;
  /** `open_access`, `open_date`, `open_login` or `open_no`. */
  readonly accessMode: string;
  readonly dateCreated: string | null;
  /** The form values of this file alone. */
  readonly values: FormValues;
};

export type DetailSubject = {
  readonly values: FormValues;
  readonly files: readonly DetailFile[];
  /** For mappings that have no date. */
  readonly datePublished: string;
  readonly landingPage: string;
  /** The address of its ARK, an additional identifier next to the mapped ones (R5); null before it has one. */
  readonly ark: string | null;
  /** The requested language. */
  readonly language: string;
};

/**
 * `{@context, @graph}`. Mapped keys are always lists, but for the dates that RO-Crate has once; entities without any
 * value are left out. Files hang below the root, since every data entity must.
 */
export function writeDetailCrate(subject: DetailSubject, mapping: CrateMapping): JsonObject {
  const reading = readingOf(subject.values, subject.language);
  const tabs: JsonObject[] = [];
  const heads = mapping.tabs.flatMap((tab) => writeNode(tab, reading, tabs) ?? []);
  const files = subject.files.map((file) => fileEntity(file, mapping.file, readingOf(file.values, subject.language)));
  const urls = subject.files.map(({ url }) => url);
  const root = {
    ...rootOf(subject, mapping.root, reading, urls),
    hasPart: [...heads, ...urls.map(linkTo)],
  };
  const descriptor = {
    "@id": CRATE_FILE_NAME,
    "@type": "CreativeWork",
    conformsTo: { "@id": CRATE_PROFILE },
    about: { "@id": ROOT_ID },
  };
  const page = { "@id": subject.landingPage, "@type": "WebPage" };
  return { "@context": CRATE_CONTEXT, "@graph": [root, descriptor, ...tabs, ...files, page] };
}

/** The root entity without its parts, with these keys mapped: what a list shows of an item. */
export function writeCrateRoot(
  subject: Omit<DetailSubject, "files">,
  map: CrateMap,
  fileUrls: readonly string[],
): JsonObject {
  return rootOf(subject, map, readingOf(subject.values, subject.language), fileUrls);
}

function rootOf(
  subject: Omit<DetailSubject, "files">,
  map: CrateMap,
  reading: Reading,
  fileUrls: readonly string[],
): JsonObject {
  const { datePublished, identifier = [], subjectOf = [], ...others } = mapTexts(map, reading);
  const identifiers =
    subject.ark === null ? identifier : [...identifier.filter((each) => each !== subject.ark), subject.ark];
  return {
    "@id": ROOT_ID,
    "@type": "Dataset",
    ...others,
    ...(identifiers.length === 0 ? {} : { identifier: identifiers }),
    datePublished: datePublished?.find((each) => DATE.test(each)) ?? subject.datePublished,
    mainEntity: fileUrls.map(linkTo),
    subjectOf: [...subjectOf, linkTo(subject.landingPage)],
  };
}

/** The form of a date in RO-Crate (ISO 8601). */
const DATE = /^\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?)?)?$/;

const linkTo = (id: string): JsonObject => ({ "@id": id });

/**
 * Writes a node and everything below it, itself first, and returns the link to it; null when none of it has a value.
 */
function writeNode(node: CrateNode, reading: Reading, written: JsonObject[]): JsonObject | null {
  const at = written.length;
  const parts: JsonObject[] = [];
  for (const child of node.children) {
    const part = writeNode(child, reading, written);
    if (part !== null) parts.push(part);
  }
  const own = mapTexts(node.map, reading);
  if (parts.length === 0 && isEmpty(own)) return null;
  const names = node.nameByLanguage;
  const named = reading.wanted.find((each) => Object.hasOwn(names, each)) ?? "";
  const entity = {
    "@id": node.id,
    "@type": "Dataset",
    additionalType: node.type,
    name: names[named] ?? node.name,
    ...own,
    ...(parts.length === 0 ? {} : { hasPart: parts }),
  };
  written.splice(at, 0, entity);
  return linkTo(node.id);
}

function isEmpty(own: object): boolean {
  for (const _key in own) return false;
  return true;
}

function fileEntity(file: DetailFile, map: CrateMap, reading: Reading): JsonObject {
  const { dateCreated: [dateCreated = file.dateCreated] = [], accessMode: _stated, ...others } = mapTexts(map, reading);
  return {
    "@id": file.url,
    "@type": "File",
    ...others,
    accessMode: file.accessMode,
    ...(dateCreated === null ? {} : { dateCreated }),
  };
}

type Value = {
  /** The path of what encloses the value, with indices. */
  readonly group: string;
  readonly value: string;
};
/** Values by property path without indices. */
type ValuesByPath = ReadonlyMap<string, readonly Value[]>;

/** The values of an item, indexed for lookup. */
type Reading = {
  readonly values: ValuesByPath;
  /** Languages that suit the reader, in lower case: `ja-jp`, `ja`, `en`. */
  readonly wanted: readonly string[];
  /** Values found before: most are used on the root and on a tab. */
  readonly found: Map<CrateSource, readonly string[]>;
};

function readingOf(values: FormValues, language: string): Reading {
  const requested = language.toLowerCase();
  const [primary = requested] = requested.split("-", 1);
  return { values: indexValues(values), wanted: [requested, primary, "en"], found: new Map() };
}

function indexValues(values: FormValues): ValuesByPath {
  const byPath = new Map<string, Value[]>();
  for (const [written, value] of Object.entries(values)) {
    if (value === "") continue;
    const path = pathWithoutIndices(written);
    const known = byPath.get(path) ?? [];
    if (known.length === 0) byPath.set(path, known);
    known.push({ group: written.slice(0, Math.max(0, written.lastIndexOf("."))), value });
  }
  return byPath;
}

type MappedTexts = { readonly [key: string]: readonly string[] | undefined };

function mapTexts(map: CrateMap, reading: Reading): MappedTexts & { readonly [key: string]: Json } {
  const entries: [string, readonly string[]][] = [];
  for (const [key, sources] of map) {
    const [only] = sources;
    const found =
      sources.length === 1 && only !== undefined
        ? valuesOf(only, reading)
        : sources.flatMap((source) => valuesOf(source, reading));
    if (found.length > 0) entries.push([key, found]);
  }
  return entries.length === 0 ? {} : Object.fromEntries(entries);
}

function valuesOf(source: CrateSource, reading: Reading): readonly string[] {
  if (source.kind === "static") return source.values;
  const first = reading.values.get(source.path);
  if (first === undefined) return NONE;
  const known = reading.found.get(source) ?? chooseValues(first, source, reading);
  reading.found.set(source, known);
  return known;
}

const NONE: readonly string[] = [];

function chooseValues(
  first: readonly Value[],
  { lang, where }: Extract<CrateSource, { readonly kind: "field" }>,
  { values, wanted }: Reading,
): readonly string[] {
  let found = first;
  if (where !== null) found = withNeighbour(found, values.get(where.path) ?? [], where.is);
  if (lang !== null && found.length > 1) found = inLanguage(found, values.get(lang) ?? [], wanted);
  return found.map(({ value }) => value);
}

/** Values in a group, or below one, in which another field holds one of these texts. */
function withNeighbour(found: readonly Value[], others: readonly Value[], is: readonly string[]): Value[] {
  const groups = new Set(others.filter(({ value }) => is.includes(value)).map(({ group }) => group));
  return found.filter(({ group }) => {
    for (let at = group; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) if (groups.has(at)) return true;
    return groups.has("");
  });
}

/**
 * Of values in one list, such as the names of one creator or the titles of the item, those in the requested language,
 * else in English, else in the language of the first.
 */
function inLanguage(found: readonly Value[], languages: readonly Value[], wanted: readonly string[]): Value[] {
  const languageOf = new Map(languages.map(({ group, value }) => [group, value.toLowerCase()]));
  const lists = Map.groupBy(found, ({ group }) => group.slice(0, Math.max(0, group.lastIndexOf("["))));
  return [...lists.values()].flatMap((list) => {
    const byLanguage = Map.groupBy(list, ({ group }) => languageOf.get(group));
    const [best] = [...wanted, languageOf.get(list[0]?.group ?? "")].filter((each) => byLanguage.has(each));
    return byLanguage.get(best) ?? [];
  });
}
