// The choice among several wordings for a reader (R19a): titles, names and texts of an item in the reader's language
// first. Pages, lists, citations, meta tags and JSON-LD all ask here.

import { own } from "../../shared/objects.ts";
import { shortLanguage } from "./language-codes.ts";
import type { Agent, AgentName, Metadata, Text, Title } from "./metadata.ts";

/** At most this many entries are ordered by language; the rest of longer lists stays in the order it was written. */
const ORDERED_MAX = 1_000;
/** At most this many characters are read to recognise the script of a text. */
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

/** How well a wording suits a reader of a language. */
const SUITS = { exactly: 0, well: 1, byScript: 2, asReading: 3, not: 4, least: 5, empty: 6 } as const;

function suits(lang: string | undefined, text: string, tag: string): number {
  if (text.trim() === "") return SUITS.empty;
  const wanted = primaryLanguage(tag);
  if (lang === undefined || lang === "") return isWrittenIn(text, wanted) ? SUITS.byScript : SUITS.not;
  if (lang.toLowerCase() === tag.toLowerCase()) return SUITS.exactly;
  const script = /^[A-Za-z]{2,8}[-_]([A-Za-z]{4})(?:[-_]|$)/.exec(lang)?.[1]?.toLowerCase();
  const usual = scriptOf(wanted).subtag;
  if (primaryLanguage(lang) === wanted && (script === undefined || script === usual)) return SUITS.well;
  // `ja-Kana` next to `ja`, or `ja-Latn` for readers of Latin letters: how the name is read, better than nothing.
  const isKana = script === "kana" || script === "hira" || script === "hrkt";
  if (script !== undefined && (script === usual || (isKana && wanted === "ja"))) return SUITS.asReading;
  return script === undefined ? SUITS.not : SUITS.least;
}

function orderByLanguage<T>(entries: readonly T[], tag: string | undefined, suit: (entry: T, tag: string) => number) {
  if (tag === undefined || entries.length < 2) return entries;
  const head = entries.slice(0, ORDERED_MAX).map((entry) => ({ entry, at: suit(entry, tag) }));
  return [...head.sort((a, b) => a.at - b.at).map(({ entry }) => entry), ...entries.slice(ORDERED_MAX)];
}

/** Wordings with those of the reader's language first, otherwise as they were written. */
export function inLanguage<T extends Text>(texts: readonly T[], tag: string | undefined): readonly T[] {
  return orderByLanguage(texts, tag, ({ value, lang }, wanted) => suits(lang, value, wanted));
}

/** The same for what has a wording or none. */
export function wordedInLanguage<T extends { readonly text?: Text }>(
  entries: readonly T[],
  tag: string | undefined,
): readonly T[] {
  return orderByLanguage(entries, tag, ({ text }, wanted) => suits(text?.lang, text?.value ?? "", wanted));
}

/** The first wording for a reader; "" where all are empty. */
export const wordIn = (texts: readonly Text[], tag: string | undefined): string =>
  inLanguage(texts, tag)[0]?.value ?? "";

const lettersOf = ({ full, family, given }: AgentName): string => full || `${family ?? ""} ${given ?? ""}`;

/** Names that are not empty, those of the reader's language first. */
export function namesIn(names: readonly AgentName[], tag: string | undefined): readonly AgentName[] {
  const named = names.filter((name) => lettersOf(name).trim() !== "");
  return orderByLanguage(named, tag, (name, wanted) => suits(name.lang, lettersOf(name), wanted));
}

const statesLanguage = ({ lang }: Title): boolean => lang !== undefined && lang !== "";

/**
 * The title a reader is shown (R3): the main title, unless another one suits the reader better. A main title that
 * states no language is replaced by a translation only where the reader requests a language by name (`isAsked`).
 */
export function titleIn(metadata: Metadata, tag: string | undefined, isAsked = false): Title | null {
  const { titles } = metadata;
  const main = titles.find(({ kind }) => kind === "main") ?? titles[0] ?? null;
  if (tag === undefined || main === null) return main;
  const mayTranslate = isAsked || statesLanguage(main);
  const suit = (title: Title): number =>
    suits(isAsked && title === main ? statedLanguage(main, metadata) : title.lang, title.value, tag);
  if (!mayTranslate && suit(main) <= SUITS.byScript) return main;
  const whole = [
    ...titles.filter(({ kind }) => kind === "main"),
    ...(mayTranslate ? titles.filter(({ kind }) => kind === "translated") : []),
  ];
  const [first] = orderByLanguage(whole, tag, suit);
  return first !== undefined && suit(first) <= SUITS.byScript ? first : main;
}

/** At most this many creators are checked for the languages of their names. */
const ASKED_MAX = 20;

/** The title an item is cited by, and the language of the whole citation; undefined where it is unknown. */
type CitedTitle = { readonly title: Title | null; readonly lang: string | undefined };

/**
 * The reader's language where the item has a title and names in it, else the main title and its language, so that what
 * the item has in both is not mixed. `isAsked`: the reader requests the language by name, so that translated titles
 * count.
 */
export function citedTitle(metadata: Metadata, reader: string | undefined, isAsked = false): CitedTitle {
  const title = titleIn(metadata, undefined);
  const main = { title, lang: languageOfMain(title, metadata, reader) };
  const read = titleIn(metadata, reader, isAsked);
  if (reader === undefined || read === null) return main;
  const lang = read === title ? statedLanguage(read, metadata) : read.lang;
  if (suits(lang, read.value, reader) > SUITS.byScript) return main;
  const named = metadata.creators.slice(0, ASKED_MAX).flatMap(({ names }) => namesIn(names, reader).slice(0, 1));
  const isNamed = named.some((name) => suits(name.lang, lettersOf(name), reader) < SUITS.not);
  return named.length === 0 || isNamed ? { title: read, lang: reader } : main;
}

export const citedLanguage = (metadata: Metadata, reader: string | undefined): string | undefined =>
  citedTitle(metadata, reader).lang;

const LETTERED = ["en", "ja", "zh", "ko"];
const lettersFit = ({ value }: Title): readonly string[] => LETTERED.filter((language) => isWrittenIn(value, language));

/** The language that a title states, else the first language of the item unless the letters are of another script. */
function statedLanguage(title: Title, { languages: [first = ""] }: Metadata): string | undefined {
  if (statesLanguage(title)) return title.lang;
  if (first === "") return undefined;
  const tag = shortLanguage(first);
  const fitting = lettersFit(title);
  const script = scriptOf(primaryLanguage(tag));
  return fitting.length === 0 || fitting.some((language) => scriptOf(language) === script) ? tag : undefined;
}

/**
 * What is stated of its language, else what its letters show; letters that several languages have are the reader's,
 * else English or Japanese.
 */
function languageOfMain(title: Title | null, metadata: Metadata, reader: string | undefined): string | undefined {
  if (title === null) return reader;
  const stated = statedLanguage(title, metadata);
  if (stated !== undefined) return stated;
  const fitting = lettersFit(title);
  return reader !== undefined && fitting.includes(primaryLanguage(reader)) ? reader : fitting[0];
}

// How names of people and organisations are written (R19a): in Latin letters "Family, Given", in Han, kana and Hangul
// family name first without a comma, each language in its own way.

type Kind = Agent["kind"];

const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]/gu;
const HANGUL = /\p{scx=Hang}/u;
const KATAKANA = /^[\p{scx=Kana}\s]*$/u;

const tidy = (text: string | undefined): string => text?.replace(/\s+/g, " ").trim() ?? "";

/** Letters there are, and all of them are Han, kana or Hangul. */
const isEastAsian = (text: string): boolean => /\p{L}/u.test(text) && !/\p{L}/u.test(text.replace(EAST_ASIAN, ""));

/** Chinese and Korean names are written as one word. */
function isOneWord(parts: readonly string[], lang: string | undefined): boolean {
  const language = primaryLanguage(lang ?? "");
  return language === "zh" || language === "ko" || parts.some((part) => HANGUL.test(part));
}

/** "山田, 花子", or 山田 and 花子, as two parts; null for other scripts and for a text without family and given name. */
function eastAsianParts({ full, family, given }: AgentName): readonly string[] | null {
  const stated = [tidy(family), tidy(given)].filter((part) => part !== "");
  const written = tidy(full)
    .replaceAll("，", ",")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const parts = stated.length === 2 || tidy(full) === "" ? stated : written;
  const [first = ""] = parts;
  // A given name in other letters belongs to the family name before it: 山田 Hanako.
  if (parts.length > 2 || !isEastAsian(first)) return null;
  return parts;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Whether a name has none of the letters of East Asian names: most have not. */
function hasAsciiOnly({ full = "", family = "", given = "" }: AgentName): boolean {
  return !BEYOND_ASCII.test(full) && !BEYOND_ASCII.test(family) && !BEYOND_ASCII.test(given);
}

/** A name as pages, lists and tags write it: 山田 花子, 王小明, 홍길동; Adachi, Jun. */
export function nameText(name: AgentName, kind: Kind): string {
  const full = tidy(name.full);
  const stated = [tidy(name.family), tidy(name.given)].filter((part) => part !== "");
  if (kind === "organizational") return full === "" ? stated.join(" ") : full;
  const parts = hasAsciiOnly(name) ? null : eastAsianParts(name);
  if (parts !== null) return parts.join(isOneWord(parts, name.lang) ? "" : " ");
  return full === "" ? stated.join(", ") : full;
}

/**
 * A name as citations in East Asian languages write it: 山田花子. Two parts in katakana stay apart, they may be a
 * foreigner's.
 */
export function closedName(name: AgentName, kind: Kind): string {
  const text = nameText(name, kind);
  if (!BEYOND_ASCII.test(text)) return text;
  const parts = text.split(" ");
  const isClosed = parts.length === 2 && isEastAsian(text) && !parts.every((part) => KATAKANA.test(part));
  return kind !== "organizational" && isClosed ? parts.join("") : text;
}

/** True for names without Latin and other spaced letters; they have no initials. */
export const isEastAsianName = (name: AgentName): boolean => eastAsianParts(name) !== null;

type NamedAgent = { readonly text: string; readonly lang?: string };

const namedAgent = (text: string, lang: string | undefined): NamedAgent => ({
  text,
  ...(lang === undefined ? {} : { lang }),
});

/** At most `most` names of an agent as they are written, the reader's language first, then the alternatives. */
export function agentNames(
  { names, alternatives, kind }: Agent,
  tag: string | undefined,
  most: number,
): readonly NamedAgent[] {
  const own = namesIn(names, tag).slice(0, most);
  return [
    ...own.map((name) => namedAgent(nameText(name, kind), name.lang)),
    ...inLanguage(alternatives, tag)
      .slice(0, most - own.length)
      .map(({ value, lang }) => namedAgent(tidy(value), lang)),
  ].filter(({ text }) => text !== "");
}

/** People as a line names them, each by the first name for the reader; at most `most` agents are read. */
export function peopleIn(agents: readonly Agent[], tag: string | undefined, most: number): readonly string[] {
  return agents.slice(0, most).flatMap((agent) => agentNames(agent, tag, 1)[0]?.text ?? []);
}

/**
 * How people are named to others (R2g): by their name, and never by a mail address, which accounts without a name carry
 * in its place. Empty where the person has no name.
 */
export function personName({ name }: { readonly name: string }): string {
  return name.includes("@") ? "" : name;
}
