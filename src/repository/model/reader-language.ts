// Which of several wordings somebody reads (R19a): titles, names and texts of an item in the reader's language first. Pages, lists, citations, meta
// tags and JSON-LD all ask here.
import { own } from "../../shared/own-entry.ts";
import type { AgentName, Metadata, Text, Title } from "./metadata.ts";

/** Entries whose language is looked at; of longer lists the rest stays in the order it was written. */
const ORDERED_MAX = 1_000;
/** A text tells its script in so many characters. */
const SCRIPT_CHARACTERS = 200;

/** Letters of the language and the subtag of its usual script; all other languages are taken for Latin ones. */
const SCRIPTS: Readonly<Record<string, { readonly subtag: string; readonly letter: RegExp }>> = {
  ja: { subtag: "jpan", letter: /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/gu },
  zh: { subtag: "hani", letter: /[\p{scx=Han}\p{scx=Bopo}]/gu },
  ko: { subtag: "kore", letter: /[\p{scx=Hang}\p{scx=Han}]/gu },
};
const LATIN = { subtag: "latn", letter: /\p{scx=Latn}/gu };

const scriptOf = (language: string) => own(SCRIPTS, language) ?? LATIN;

/** The language of a tag without script, country and the rest: `ja` of `ja-Kana`. */
export function primaryLanguage(tag: string): string {
  return tag.split(/[-_]/, 1)[0]?.toLowerCase() ?? "";
}

/** The text has letters, and all of them are of the script a language is written in. */
function isWrittenIn(text: string, language: string): boolean {
  const start = text.slice(0, SCRIPT_CHARACTERS);
  return /\p{L}/u.test(start) && !/\p{L}/u.test(start.replace(scriptOf(language).letter, ""));
}

/** How well a wording suits who reads a language. */
const SUITS = { exactly: 0, well: 1, byScript: 2, asReading: 3, not: 4, least: 5, empty: 6 } as const;

function suits(lang: string | undefined, text: string, tag: string): number {
  if (text.trim() === "") return SUITS.empty;
  const wanted = primaryLanguage(tag);
  if (lang === undefined || lang === "") return isWrittenIn(text, wanted) ? SUITS.byScript : SUITS.not;
  if (lang.toLowerCase() === tag.toLowerCase()) return SUITS.exactly;
  const script = /^[A-Za-z]{2,8}[-_]([A-Za-z]{4})(?:[-_]|$)/.exec(lang)?.[1]?.toLowerCase();
  const usual = scriptOf(wanted).subtag;
  if (primaryLanguage(lang) === wanted && (script === undefined || script === usual)) return SUITS.well;
  // `ja-Kana` beside `ja`, or `ja-Latn` for who reads Latin letters: how the name is read, better than nothing.
  const isKana = script === "kana" || script === "hira" || script === "hrkt";
  if (script !== undefined && (script === usual || (isKana && wanted === "ja"))) return SUITS.asReading;
  return script === undefined ? SUITS.not : SUITS.least;
}

function ordered<T>(entries: readonly T[], tag: string | undefined, suit: (entry: T, tag: string) => number) {
  if (tag === undefined || entries.length < 2) return entries;
  const head = entries.slice(0, ORDERED_MAX).map((entry) => ({ entry, at: suit(entry, tag) }));
  return [...head.sort((a, b) => a.at - b.at).map(({ entry }) => entry), ...entries.slice(ORDERED_MAX)];
}

/** Wordings with those of the reader's language first, otherwise as they were written. */
export function inLanguage<T extends Text>(texts: readonly T[], tag: string | undefined): readonly T[] {
  return ordered(texts, tag, ({ value, lang }, wanted) => suits(lang, value, wanted));
}

/** The same for what has a wording or none. */
export function wordedInLanguage<T extends { readonly text?: Text }>(
  entries: readonly T[],
  tag: string | undefined,
): readonly T[] {
  return ordered(entries, tag, ({ text }, wanted) => suits(text?.lang, text?.value ?? "", wanted));
}

/** The first wording for a reader; "" where there is none. */
export const wordIn = (texts: readonly Text[], tag: string | undefined): string =>
  inLanguage(texts, tag)[0]?.value ?? "";

const lettersOf = ({ full, family, given }: AgentName): string => full || `${family ?? ""} ${given ?? ""}`;

/** Names that say something, those of the reader's language first. */
export function namesIn(names: readonly AgentName[], tag: string | undefined): readonly AgentName[] {
  const said = names.filter((name) => lettersOf(name).trim() !== "");
  return ordered(said, tag, (name, wanted) => suits(name.lang, lettersOf(name), wanted));
}

/** The title a reader is shown (R3): a main or translated one in the reader's language, else the one the item is listed under. */
export function titleIn({ titles }: Metadata, tag: string | undefined): Title | null {
  const main = titles.find(({ kind }) => kind === "main") ?? titles[0] ?? null;
  if (tag === undefined) return main;
  const whole = titles.filter(({ kind }) => kind === "main" || kind === "translated");
  const [first] = inLanguage(
    whole.toSorted((a, b) => Number(a.kind !== "main") - Number(b.kind !== "main")),
    tag,
  );
  return first !== undefined && suits(first.lang, first.value, tag) <= SUITS.byScript ? first : main;
}

/** Creators that are asked which languages their names are in. */
const ASKED_MAX = 20;

/**
 * The language of everything in one citation: the reader's where the item has a title and names in it, else that of its main title, so that
 * what the item has in both is not mixed. Undefined where nothing tells.
 */
export function citedLanguage(metadata: Metadata, reader: string | undefined): string | undefined {
  const main = languageOf(titleIn(metadata, undefined), metadata, reader);
  if (reader === undefined) return main;
  const title = titleIn(metadata, reader);
  if (title === null || suits(title.lang, title.value, reader) > SUITS.byScript) return main;
  const named = metadata.creators.slice(0, ASKED_MAX).flatMap(({ names }) => namesIn(names, reader).slice(0, 1));
  const isNamed = named.some((name) => suits(name.lang, lettersOf(name), reader) < SUITS.not);
  return named.length === 0 || isNamed ? reader : main;
}

/** What a title says of its language, else what its letters tell; letters that several languages have are the reader's, else Japanese or English. */
function languageOf(title: Title | null, { languages }: Metadata, reader: string | undefined): string | undefined {
  if (title === null) return reader;
  if (title.lang !== undefined && title.lang !== "") return title.lang;
  const fitting = ["en", "ja", "zh", "ko"].filter((language) => isWrittenIn(title.value, language));
  if (reader !== undefined && fitting.includes(primaryLanguage(reader))) return reader;
  if (fitting.includes("zh") && (languages[0] === "zho" || languages[0] === "chi")) return "zh";
  return fitting[0];
}
