// What work number n of a filled repository says: Japanese and English words as common as they are in libraries, people
// and files with heavy tails. The same number says the same at every run.
import { numbersFrom } from "../../test/support/random-from.ts";
import { commonly, ENGLISH_WORDS, english, JAPANESE_WORDS, japanese } from "../search-documents.ts";

export type Language = "en" | "ja";

/** What distinguishes templates: everything of a work that is no text. */
export type Shape = {
  readonly kind: "published" | "submitted" | "draft";
  readonly language: Language;
  readonly type: string;
  readonly licence: string;
  readonly creators: number;
  /** These many of the first creators are persons of the author database. */
  readonly linked: number;
  readonly subjects: number;
  readonly files: readonly string[];
  readonly access: "open" | "restricted" | "closed";
  /** Versions after the first. */
  readonly versions: number;
  /** Places in the lists of a {@link Base}. */
  readonly owner: number;
  readonly community: number | null;
  readonly index: number | null;
};

/** The texts of a work. None has a character that JSON or HTML writes in another way. */
export type Texts = {
  readonly title: string;
  readonly translated: string;
  readonly abstract: string;
  readonly published: string;
  readonly doi: string;
  readonly publisher: string;
  readonly creators: readonly { readonly family: string; readonly given: string }[];
  /** Numbers of persons, in the order of the creators. */
  readonly identifiers: readonly string[];
  readonly subjects: readonly string[];
  /** The content of each file. */
  readonly files: readonly string[];
};

type Random = () => number;

const TYPES = [
  "publication-article",
  "dataset",
  "publication-article",
  "publication-thesis",
  "image-photo",
  "software",
];
const LICENCES = ["cc-by-4.0", "cc-by-4.0", "cc0-1.0", "cc-by-nc-4.0"];
const DAY_MS = 86_400_000;
/** Works are spread over years before this day. */
const LAST_DAY = Date.UTC(2026, 10, 20);
const ABSTRACT_WORDS_MAX = 600;
export const PERSONS_LINKED_MAX = 12;
const CREATORS_MAX = 80;
const FILES_MAX = 40;

const VOCABULARY: Readonly<Record<Language, readonly string[]>> = {
  en: Array.from({ length: ENGLISH_WORDS }, (_, at) => english(at)),
  ja: Array.from({ length: JAPANESE_WORDS }, (_, at) => japanese(at)),
};

/** A count of at least `least`, one in many times far more: the density of x falls with the square of x. */
const heavy = (share: number, least: number, most: number): number =>
  Math.min(most, Math.floor(least / Math.max(1 - share, 1e-6)));

/** `count` shapes: what is rare in works is rare among them. */
export function shapesOf(
  count: number,
  places: { readonly owners: number; readonly communities: number; readonly indexes: number },
): readonly Shape[] {
  const random = numbersFrom(2_711);
  return Array.from({ length: count }, (_, at): Shape => {
    const creators = heavy(random() ** 2, 1, CREATORS_MAX);
    const kind = at % 100 === 31 ? "draft" : at % 100 === 37 ? "submitted" : "published";
    const files = at % 10 === 9 || kind !== "published" ? 0 : heavy(random() ** 4, 1, FILES_MAX);
    const community = Math.floor(places.communities * random() ** 3);
    const index = Math.floor(places.indexes * random() ** 2);
    return {
      kind,
      language: random() < 0.45 ? "ja" : "en",
      type: TYPES[at % TYPES.length] ?? "dataset",
      licence: LICENCES[at % LICENCES.length] ?? "cc-by-4.0",
      creators,
      linked: Math.min(PERSONS_LINKED_MAX, Math.ceil(creators * (at % 3 === 0 ? 0 : 0.6))),
      subjects: Math.min(20, heavy(random(), 1, 20)),
      files: Array.from({ length: files }, (_, file) => `${file === 0 ? "notes" : `table-${file}`}.txt`),
      access: at % 14 === 5 ? "restricted" : at % 17 === 4 ? "closed" : "open",
      versions: kind !== "published" ? 0 : at % 40 === 13 ? 2 : at % 12 === 3 ? 1 : 0,
      owner: Math.floor(places.owners * random() ** 3),
      community: kind === "submitted" || at % 3 !== 2 ? community : null,
      index: at % 5 === 4 || kind !== "published" ? null : index,
    };
  });
}

/** How many days before the last day work `n` of `count` is deposited, in a repository of so many days. */
export const ageOf = (n: number, count: number, days: number): number => days * (1 - n / count);

/** The same as a moment. */
export const momentOf = (n: number, count: number, days: number): string =>
  new Date(LAST_DAY - Math.floor(ageOf(n, count, days) * DAY_MS)).toISOString();

function several(count: number, language: Language, random: Random): string {
  const words = VOCABULARY[language];
  const between = language === "ja" ? "の" : " ";
  let text = words[commonly(random, words.length)] ?? "";
  for (let at = 1; at < count; at += 1) text += between + (words[commonly(random, words.length)] ?? "");
  return text;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The names of person number n in both languages. */
export function personOf(n: number) {
  const names = (["en", "ja"] as const).map((language) => {
    const words = VOCABULARY[language];
    const [family, given] = [words[(n * 7 + 11) % 6_000] ?? "", words[6_000 + ((n * 13 + 5) % 14_000)] ?? ""];
    return { language, family: capital(family), given: capital(given) };
  });
  const [en = names[0], ja = names[1]] = names;
  if (en === undefined || ja === undefined) throw new RangeError("A person has two names");
  return { en, ja, identifier: isni(n), affiliation: `${capital(VOCABULARY.en[(n % 900) + 400] ?? "")} University` };
}

/** An ISNI in a range of numbers that nobody gets. */
function isni(n: number): string {
  const digits = `9999${String(n + 10_000).padStart(11, "0")}`;
  let total = 0;
  for (const digit of digits) total = (total + Number(digit)) * 2;
  const check = (12 - (total % 11)) % 11;
  return `${digits}${check === 10 ? "X" : check}`.replace(/(.{4})(?=.)/g, "$1-");
}

/** Different persons, few of them in very many works. */
function personsOf(count: number, persons: number, random: Random): readonly number[] {
  const chosen: number[] = [];
  while (chosen.length < Math.min(count, persons)) {
    let person = commonly(random, persons);
    while (chosen.includes(person)) person = (person + 1) % persons;
    chosen.push(person);
  }
  return chosen;
}

export type WorkText = Texts & { readonly persons: readonly number[] };

export function textsOf(n: number, shape: Shape, persons: number): WorkText {
  const random = numbersFrom(n + 1);
  const { language } = shape;
  const other = language === "ja" ? "en" : "ja";
  const linked = personsOf(shape.linked, persons, random);
  const creators = Array.from({ length: shape.creators }, (_, at) => {
    const person = linked[at];
    const { family, given } = personOf(person ?? persons + commonly(random, 200_000))[language];
    return { family, given };
  });
  const title = `${capital(several(4 + Math.floor(random() * 6), language, random))} ${n}`;
  const published = LAST_DAY - Math.floor(random() ** 2 * 60 * 365) * DAY_MS;
  return {
    title,
    translated: `${capital(several(5, other, random))} ${n}`,
    abstract: `${capital(several(heavy(random(), 20, ABSTRACT_WORDS_MAX), language, random))}.`,
    published: new Date(published).toISOString().slice(0, 10),
    doi: `10.5555/fill.${n}`,
    publisher: `${capital(several(1, "en", random))} Press`,
    creators,
    identifiers: linked.map(isni),
    subjects: Array.from({ length: shape.subjects }, () => several(1, language, random)),
    files: shape.files.map((name) => `${capital(several(12, language, random))} ${name} ${n}.`),
    persons: linked,
  };
}

/** Views and downloads of work `n` in the last month, as days before its end; few works have many, most have none. */
export function visitsOf(
  n: number,
  shape: Shape,
): readonly { readonly day: number; readonly views: number; readonly downloads: number }[] {
  if (shape.kind !== "published") return [];
  const random = numbersFrom(-n - 1);
  const days = random() < 0.6 ? 0 : heavy(random(), 1, 30);
  const first = Math.floor(random() * 30);
  return Array.from({ length: days }, (_, at) => {
    const views = heavy(random(), 1, 200);
    const isOpen = shape.files.length > 0 && shape.access === "open";
    return { day: (first + at) % 30, views, downloads: isOpen ? Math.floor(views * random()) : 0 };
  });
}
