// Documents of the bench of search: Japanese and English records made up from a number alone, in the schema that is
// shipped. Words are as common as they are in libraries: a few in very many titles, most in few.

import { RECORD_TEXTS } from "../src/repository/search/detail/record-schema.ts";
import { FIELDS, type SearchDocument } from "../src/repository/search/document/document.ts";
import { sortText } from "../src/repository/search/document/item-document.ts";
import { FIELD_LIMITS } from "../src/repository/search/document/item-words.ts";
import { facetKey, keyOf, numberKey } from "../src/repository/search/document/keys.ts";
import { tokensOf } from "../src/repository/search/document/tokens.ts";
import { pairsIn } from "../src/repository/search/query/word-pairs.ts";
import {
  KEYS,
  NUMBERS,
  REPEATED,
  SORTS,
  searchSchema,
  TEXTS,
} from "../src/repository/search/settings/search-schema.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../src/repository/search/settings/shipped-settings.ts";
import type { StemLanguage } from "../src/repository/search/words/stems.ts";
import { noTriples, textWords, tripleTokens } from "../src/repository/search/words/text-words.ts";
import { runWithoutYielding } from "../src/shared/time/event-loop.ts";
import { numbersFrom } from "../test/support/random-from.ts";

export const BENCH_SCHEMA = searchSchema(SHIPPED_SEARCH_SETTINGS);
export const BENCH_FACETS = BENCH_SCHEMA.facets.slice(0, 5);
/** In the titles of three records in ten. */
export const WIDE_WORD = "report";
/** Shares of the first five facets: languages, kinds of access, places, times, subjects. */
const FACET_VALUES = [18, 4, 60, 200, 5_000, 500, 12];
export const ENGLISH_WORDS = 30_000;
export const JAPANESE_WORDS = 20_000;
const PEOPLE = 50_000;
const FIRST_DAY = Date.UTC(2001, 0, 1);
const DAY_MS = 86_400_000;

type Random = () => number;

/** Low numbers often, high ones rarely. */
export const commonly = (random: Random, count: number): number => Math.floor(count ** random()) - 1;

const SYLLABLES = "ka ne ro tu mi sol ver dan lit ing qua per tion al sta gra men der on ci".split(" ");
/** As many characters as books use most. */
const KANJI = Array.from({ length: 1_200 }, (_, index) => String.fromCodePoint(0x4e00 + index * 13));

export function english(number: number): string {
  let word = "";
  for (let left = number + 20; left > 0; left = Math.floor(left / 20)) word += SYLLABLES[left % 20];
  return word;
}

export function japanese(number: number): string {
  let word = "";
  for (let left = number + KANJI.length; left > 0; left = Math.floor(left / KANJI.length)) {
    word += KANJI[left % KANJI.length];
  }
  return word;
}

const several = (count: number, make: () => string): string[] => Array.from({ length: count }, make);

/** The content of a record, before it is cut into tokens. */
function recordOf(id: number, random: Random) {
  const isJapanese = random() < 0.5;
  const words = (count: number): string[] =>
    several(count, () =>
      isJapanese ? japanese(commonly(random, JAPANESE_WORDS)) : english(commonly(random, ENGLISH_WORDS)),
    );
  const join = (parts: readonly string[]): string => parts.join(isJapanese ? "の" : " ");
  const title = `${join(words(6))}${random() < 0.3 ? ` ${WIDE_WORD}` : ""} ${id}`;
  const people = several(1 + Math.floor(random() * 3), () => {
    const person = commonly(random, PEOPLE);
    return isJapanese ? `${japanese(person)} ${japanese(person * 7)}` : `${english(person)} ${english(person * 7)}`;
  });
  return {
    title,
    people,
    description: join(words(45)),
    subjects: several(3, () => `Subject ${commonly(random, 5_000)}`),
  };
}

function repeated(text: string): string {
  const counts = new Map<string, number>();
  for (const token of tokensOf(text)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return [...counts].flatMap(([token, count]) => (count > 1 ? [token] : [])).join(" ");
}

/** The document of this number. */
export function benchDocument(id: number): SearchDocument {
  const random = numbersFrom(id);
  const { title, people, description, subjects } = recordOf(id, random);
  const triples = noTriples();
  const all = new Set<string>();
  const field = (texts: readonly string[], language: StemLanguage = "en", isShort = false): string => {
    const written = texts.map((value) => ({ value, language }));
    const { tokens, forms } = runWithoutYielding(textWords(written, FIELD_LIMITS, isShort, triples));
    const words = [...tokens.keys(), ...forms];
    for (const word of words) all.add(word);
    return words.join(" ");
  };
  const day = new Date(FIRST_DAY + Math.floor(random() * 9_000) * DAY_MS).toISOString().slice(0, 10);
  const dayNumber = Number(day.replaceAll("-", ""));
  const updated = FIRST_DAY + Math.floor(random() * 8e11);
  const publisher = `University ${commonly(random, 800)}`;
  const index = 1 + Math.floor(random() * 300);
  const counted = BENCH_SCHEMA.facets.map((name, at) => {
    const values = FACET_VALUES[at] ?? 10;
    return [name, several(at === 4 ? 3 : 1, () => `Value ${at} ${commonly(random, values)}`)] as const;
  });
  const texts = {
    [TEXTS.title]: field([title], "en", true),
    [TEXTS.creator]: field(people, "none"),
    [TEXTS.description]: field([description]),
    [TEXTS.publisher]: field([publisher]),
    [TEXTS.subject]: field(subjects, "en", true),
  };
  return {
    id,
    parentId: id,
    digest: `d${id}`,
    texts: {
      ...texts,
      [FIELDS.all]: [...all, ...tripleTokens(triples)].join(" "),
      [RECORD_TEXTS.pairs]: [...pairsIn([title, ...people, ...subjects, description])].join(" "),
      [REPEATED]: repeated(description),
    },
    keys: {
      [FIELDS.visibility]: [`a${1 + Math.floor(random() * 500)}`, "so0", random() < 0.95 ? "sr0" : "sr0ie"],
      [FIELDS.standing]: ["latest"],
      [FIELDS.itemType]: [random() < 0.8 ? "30002" : "30001"],
      [FIELDS.under]: [numberKey(index), numberKey(1_000 + (index % 20))],
      [KEYS.exactTitle]: [keyOf(title)],
      [KEYS.subject]: subjects.map((subject) => keyOf(subject)),
      [KEYS.type]: [`t${commonly(random, 40)}`],
      [KEYS.language]: [random() < 0.5 ? "jpn" : "eng"],
      [KEYS.number]: [numberKey(id)],
      ...Object.fromEntries(counted.map(([name, values]) => [name, [...new Set(values)].map(facetKey)])),
    },
    labels: Object.fromEntries(counted.flatMap(([, values]) => values.map((value) => [facetKey(value), value]))),
    numbers: { [NUMBERS.published]: [dayNumber], [NUMBERS.created]: [dayNumber], [NUMBERS.updated]: [dayNumber] },
    sorts: {
      [SORTS.title]: sortText(title),
      [SORTS.creator]: sortText(people[0] ?? ""),
      [SORTS.updated]: updated,
      [SORTS.created]: updated,
      [SORTS.published]: dayNumber,
      [SORTS.opened]: dayNumber,
      [SORTS.itemType]: 30_001,
      [SORTS.temporal]: "",
      [SORTS.length]: tokensOf(`${title} ${description}`).length,
      [SORTS.titleLength]: tokensOf(title).length,
    },
  };
}

/** Title, creators, description and subjects of this number, as they would be deposited. */
export const benchRecord = (id: number): ReturnType<typeof recordOf> => recordOf(id, numbersFrom(id));

/** Two words of one title, as somebody would ask for it: half of them Japanese. */
export function twoWords(number: number, documents: number): string {
  const id = 1 + Math.floor(numbersFrom(-number - 1)() * documents);
  const words = recordOf(id, numbersFrom(id)).title.split(/[ の]/);
  return `${words[0]} ${words[3]}`;
}
