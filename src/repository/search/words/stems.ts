// What is common to the forms of a word (R27): Snowball's stemmers for the languages that most Latin texts have, and
// Russian for Cyrillic. Words are stemmed as they are folded, without accents, for that is how people type them.
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { own } from "../../../shared/objects.ts";
import { RecentValues } from "../../../shared/recent-values.ts";
import { spelled } from "./spellings.ts";

const STEMMERS = {
  ...{ en: english, de: german, fr: french, es: spanish },
  ...{ it: italian, pt: portuguese, nl: dutch },
} as const;

/** `none`: a language without a stemmer, or names, which have no forms. */
export type StemLanguage = keyof typeof STEMMERS | "none";

/** By two and by three letters (ISO 639-1, 639-2, both of them where they differ). */
const LANGUAGES: Readonly<Record<string, StemLanguage>> = {
  ...{ en: "en", eng: "en", de: "de", deu: "de", ger: "de", fr: "fr", fra: "fr", fre: "fr", es: "es", spa: "es" },
  ...{ it: "it", ita: "it", pt: "pt", por: "pt", nl: "nl", nld: "nl", dut: "nl" },
  // Latin words in texts of these languages are mostly English.
  ...{ ja: "en", jpn: "en", zh: "en", zho: "en", chi: "en", ko: "en", kor: "en", "": "en" },
};

/** The stemmer of a language as metadata name it: `en`, `eng`, `zh-tw`. */
export function stemLanguageOf(tag: string | undefined): StemLanguage {
  const [language = ""] = (tag ?? "").toLowerCase().split("-", 1);
  return own(LANGUAGES, language) ?? "none";
}

/** Words that are stemmed: no longer than words are. */
const LATIN = /^[a-z]{3,30}$/;
const CYRILLIC = /^[а-я]{3,30}$/;

function stemmed(word: string, language: StemLanguage): string {
  if (CYRILLIC.test(word)) return russian(word);
  if (!LATIN.test(word)) return word;
  const one = spelled(word);
  return language === "none" ? one : STEMMERS[language](one);
}

/** Words of texts come again and again: each costs some microseconds. By language. */
const KEPT = 20_000;

/** The same, remembered for the words that come again. */
export function kept<T>(
  make: (word: string, language: StemLanguage) => T,
): (word: string, language: StemLanguage) => T {
  const all = new Map<StemLanguage, RecentValues<T>>();
  return (word, language) => {
    const known = all.get(language) ?? new RecentValues<T>(KEPT);
    const found = known.get(word);
    if (found !== undefined) return found;
    all.set(language, known);
    return known.set(word, make(word, language));
  };
}

/** One key for all forms of a word of a text in this language; the word itself where it has no other form. */
export const keyOfWord = kept(stemmed);

/** Before what another stemmer than the English one made: it would take many English words for one. */
const OTHER_LANGUAGE = "+";
const ofLanguage = (key: string, language: StemLanguage): string =>
  language === "en" || language === "none" ? key : OTHER_LANGUAGE + key;

/** The same with what keeps the languages apart: of two words that are written as one, which drive out no others. */
export const languageKey = kept((word, language) => ofLanguage(stemmed(word, language), language));

/**
 * Letters of a stem that is searched for as a word of any language: a shorter one is mostly another word elsewhere
 * (German makes show of shower, French plan of plane), and is searched for in texts of its language alone.
 */
const LETTERS_OF_ANY = 5;
const isOfAny = (key: string, language: StemLanguage): boolean =>
  key.length >= LETTERS_OF_ANY || ofLanguage(key, language) === key;

/** The same of a word of a text; null where it is found by the word itself. */
export const formOfWord = kept((word, language) => {
  const key = stemmed(word, language);
  return key === word && isOfAny(key, language) ? null : ofLanguage(key, language);
});

const ALL: readonly StemLanguage[] = ["none", "en", "de", "fr", "es", "it", "pt", "nl"];

/** The words of any text that a word of a query is found by, whose language nobody knows. */
export const keysOfWord = (word: string): readonly string[] => [
  ...new Set(
    ALL.flatMap((language) => {
      const key = keyOfWord(word, language);
      return isOfAny(key, language) ? [key] : [];
    }),
  ),
];

/** The same with what keeps the languages apart: a text in one of them is not found by the stems of another. */
export const languageKeys = (word: string): readonly string[] => [
  ...new Set(ALL.map((language) => ofLanguage(keyOfWord(word, language), language))),
];
