// The vocabularies the product brings along (R6a): one file a type. Facts of public lists (InvenioRDM's ids, COAR,
// DataCite, CSL, MARC relators, SPDX license list 3.27, ISO 639-3), titles in our words; Japanese names of languages as
// CLDR has them. Each file has its own import, because the compiled program carries only what is named.
import communitytypes from "./communitytypes.json" with { type: "json" };
import contributorsroles from "./contributorsroles.json" with { type: "json" };
import creatorsroles from "./creatorsroles.json" with { type: "json" };
import datetypes from "./datetypes.json" with { type: "json" };
import descriptiontypes from "./descriptiontypes.json" with { type: "json" };
import identifierschemes from "./identifierschemes.json" with { type: "json" };
import languages from "./languages.json" with { type: "json" };
import licenses from "./licenses.json" with { type: "json" };
import relationtypes from "./relationtypes.json" with { type: "json" };
import removalreasons from "./removalreasons.json" with { type: "json" };
import resourcetypes from "./resourcetypes.json" with { type: "json" };
import titletypes from "./titletypes.json" with { type: "json" };

/**
 * What is shipped, as a date, year first: the start of a program with another edition adds what a database lacks (a
 * test compares it with the files). It also changes when entries are found otherwise (vocabulary-keys.ts).
 */
export const SHIPPED_EDITION = 20_261_123;

/**
 * One entry as the port of vocabularies takes it; the Japanese title is "" where none is known (rare languages,
 * software licences).
 */
export type ShippedEntry = {
  readonly type: string;
  readonly id: string;
  readonly title: { readonly en: string; readonly ja: string };
  readonly props: Readonly<Record<string, string>>;
};

type Props = Readonly<Record<string, string>>;
type EntrySource = { readonly id: string; readonly en: string; readonly ja?: string; readonly props?: object };
type Language = Readonly<Record<string, string>>;

const LANGUAGES: { readonly en: Language; readonly ja: Language; readonly alpha_2: Language } = languages;

/** Each file by its type; the long ones are held as they are written and made into entries where somebody asks. */
const LISTS: Readonly<Record<string, readonly EntrySource[]>> = {
  communitytypes,
  contributorsroles,
  creatorsroles,
  datetypes,
  descriptiontypes,
  identifierschemes,
  relationtypes,
  removalreasons,
  resourcetypes,
  titletypes,
};
const LICENSES = new Map(licenses.map((each) => [each.id, each]));

export const SHIPPED_TYPES: readonly string[] = [...Object.keys(LISTS), "languages", "licenses"].sort();

const SMALL: ReadonlyMap<string, ReadonlyMap<string, ShippedEntry>> = new Map(
  Object.entries(LISTS).map(([type, entries]) => [
    type,
    new Map(entries.map((each) => [each.id, entryOf(type, each, textsOf(each.props ?? {}))])),
  ]),
);

/** Every entry of a type in the order of its file. */
export function shippedVocabulary(type: string): readonly ShippedEntry[] {
  if (type === "languages") return Object.keys(LANGUAGES.en).flatMap((id) => language(id) ?? []);
  if (type === "licenses") return licenses.map(license);
  return [...(SMALL.get(type)?.values() ?? [])];
}

/** One entry; null for what is not shipped. */
export function shippedEntry(type: string, id: string): ShippedEntry | null {
  if (type === "languages") return language(id);
  if (type !== "licenses") return SMALL.get(type)?.get(id) ?? null;
  const found = LICENSES.get(id);
  return found === undefined ? null : license(found);
}

/** What else is known of an entry; null for one that is not shipped, "" for what does not hold of it. */
export const shippedProps = (type: string, id: string): Props | null => shippedEntry(type, id)?.props ?? null;

function entryOf(type: string, { id, en, ja = "" }: EntrySource, props: Props): ShippedEntry {
  return { type, id, title: { en, ja }, props };
}

function language(id: string): ShippedEntry | null {
  if (!Object.hasOwn(LANGUAGES.en, id)) return null;
  const alpha2 = LANGUAGES.alpha_2[id];
  const written = { id, en: LANGUAGES.en[id] ?? "", ja: LANGUAGES.ja[id] ?? "" };
  return entryOf("languages", written, alpha2 === undefined ? {} : { alpha_2: alpha2 });
}

function license(each: (typeof licenses)[number]): ShippedEntry {
  const { spdx, url, tags } = each;
  return entryOf("licenses", each, {
    spdx,
    url,
    scheme: "spdx",
    osi_approved: "osi" in each ? "y" : "n",
    tags,
    ...("deprecated" in each ? { deprecated: "y" } : {}),
  });
}

/** The files hold texts only; the types of imported JSON also name the members other entries have. */
function textsOf(props: object): Props {
  return Object.fromEntries(
    Object.entries(props).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
