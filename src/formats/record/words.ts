// Words of the canonical metadata and the ids of the tools' vocabularies (R3). The canonical words are JPCOAR's where
// it has one, else DataCite's; ids are DataCite's words in lower case except those listed here.
import { Type } from "@sinclair/typebox";
import { RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import { languageOf, shortLanguage } from "../../model/metadata/language-codes.ts";
import type { Text, Title } from "../../model/metadata/metadata.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type OptionalField, optional } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { isObject } from "../../shared/objects.ts";
import { hasSameContent } from "./keep.ts";
import { type Entry, type EntryField, entryOf, line, type RecordInput } from "./record-input.ts";

type Pair = readonly [word: string, id: string];

const RELATIONS: readonly Pair[] = [
  ["isFormatOf", "isvariantformof"],
  ["hasFormat", "isoriginalformof"],
  ["isReplacedBy", "isobsoletedby"],
  ["replaces", "obsoletes"],
];
const DESCRIPTIONS: readonly Pair[] = [
  ["SeriesInformation", "series-information"],
  ["TableOfContents", "table-of-contents"],
  ["TechnicalInfo", "technical-info"],
];
/** A free date of JPCOAR is of no type. */
const DATES: readonly Pair[] = [["dcterms", "other"]];

export type Words = {
  readonly vocabulary: string;
  /** What names one of its entries. */
  readonly entry: EntryField;
  readonly idOf: (word: string) => string;
  readonly wordOf: (entry: Entry) => string;
};

function words(vocabulary: string, pairs: readonly Pair[]): Words {
  const ids = new Map(pairs.map(([word, id]) => [word.toLowerCase(), id]));
  const named = new Map(pairs.map(([word, id]) => [id, word]));
  return {
    vocabulary,
    entry: entryOf(vocabulary),
    idOf: (word) => ids.get(word.toLowerCase()) ?? word.toLowerCase(),
    wordOf({ id, props }) {
      const known = named.get(id);
      if (known !== undefined) return known;
      // A word that does not map to its id is less exact than the id.
      return [props.jpcoar, props.datacite].find((word) => word?.toLowerCase() === id) ?? id;
    },
  };
}

export const RELATION_WORDS = words("relationtypes", RELATIONS);
export const DESCRIPTION_WORDS = words("descriptiontypes", DESCRIPTIONS);
export const DATE_WORDS = words("datetypes", DATES);
export const CREATOR_ROLES = words("creatorsroles", []);
export const CONTRIBUTOR_ROLES = words("contributorsroles", []);

const TITLE_IDS: Readonly<Record<Title["kind"], string>> = {
  // A second main title is the title in another language.
  main: "translated-title",
  translated: "translated-title",
  alternative: "alternative-title",
  subtitle: "subtitle",
  other: "other",
};
const TITLE_KINDS = new Map<string, Title["kind"]>([
  ["translated-title", "translated"],
  ["alternative-title", "alternative"],
  ["subtitle", "subtitle"],
]);

export const titleTypeOf = (kind: Title["kind"]): string => TITLE_IDS[kind];
export const titleKindOf = (id: string): Title["kind"] => TITLE_KINDS.get(id) ?? "other";

/** The id of the vocabulary languages for a language of a text (BCP 47). */
export const languageIdOf = (lang: string): string => languageOf(lang);

/** The language of a text for an id; the present one where that is the same language with more subtags. */
export function textLanguage(id: string, before: string | undefined): string {
  return before !== undefined && languageOf(before) === id ? before : shortLanguage(id);
}

/** Titles and descriptions of licences have a key of two letters for their language. */
export const worded = ({ value, lang }: Text): JsonObject => {
  const short = lang === undefined ? "en" : shortLanguage(languageOf(lang));
  return { [/^[a-z]{2}$/.test(short) ? short : "en"]: value };
};

const WORDS = line();

/** A text under its language; null where there is none. */
export const WORDING: OptionalField<Text | null> = optional({
  schema: Type.Record(Type.String({ pattern: "^[a-z]{2}$" }), WORDS.schema, { maxProperties: 1 }),
  read(sent, path) {
    if (sent === null) throw faultSentence(path, RECORD_SENTENCES.nullValue);
    if (!isObject(sent)) throw faultSentence(path, "Not a valid mapping type.");
    const [[lang, value] = ["", undefined], ...more] = Object.entries(sent);
    if (value === undefined) return null;
    if (more.length > 0) throw faultSentence(path, "Only one value is accepted.");
    if (!/^[a-z]{2}$/.test(lang) || languageOf(lang) === lang) throw faultSentence(path, "Not a valid locale.");
    const text = WORDS.read(value, `${path}.${lang}`);
    return text === "" ? null : { value: text, lang };
  },
});

/** The words that were sent; the stored ones where they are shown so. */
export const wordingAt = (
  sent: Json | undefined,
  path: string,
  to: RecordInput,
  before: Text | undefined,
): Text | null =>
  before !== undefined && hasSameContent(sent, worded(before)) ? before : to.read(WORDING, sent, path);
