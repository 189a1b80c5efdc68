// What citation styles have in common: names with initials, years, numbers, ends of sentences. Plain text has no
// italics.
import { closedName, isEastAsianName, primaryLanguage } from "../../../model/metadata/reader-language.ts";
import { own } from "../../../shared/objects.ts";
import { MONTHS } from "../../../shared/time/written-date.ts";
import type { CslItem, CslName } from "../../csl/item.ts";

const SENTENCE_END = /[.?!…。？！][”’"'」』]?$/;

/** Adds a full stop where the text does not end with a mark. */
export const sentence = (text: string): string => (text === "" || SENTENCE_END.test(text) ? text : `${text}.`);

export const sentences = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== "")
    .map(sentence)
    .join(" ");

export const together = (parts: readonly (string | undefined)[], between: string): string =>
  parts.filter((part) => part !== undefined && part !== "").join(between);

const LETTER = /^\p{L}/u;

/** "Jun Jean-Luc" as its pieces by word: [["J"], ["J", "L"]]. A particle in lower case is kept as it is. */
function pieces(given: string): readonly (readonly string[])[] {
  return given
    .replaceAll(".", ". ")
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) =>
      word
        .split(/[-‐‑]/)
        .filter((piece) => LETTER.test(piece))
        .map((piece) => [...piece][0]?.toUpperCase() ?? ""),
    )
    .filter((word) => word.length > 0);
}

/** `between` separates the initials of two words: "M. J.-L." or "M.J.-L.". */
export const initials = (given: string, between: string): string =>
  pieces(given)
    .map((word) => word.map((letter) => `${letter}.`).join("-"))
    .join(between);

/** "MJL", as medicine writes them. */
export const bareInitials = (given: string): string => pieces(given).flat().join("");

/** A name in Han, kana or Hangul as one text; null for others. */
export function closed(name: CslName): string | null {
  const agent = "literal" in name ? { full: name.literal } : name;
  if (!("family" in agent) || !isEastAsianName(agent)) return null;
  return closedName(agent, "personal");
}

/** Whether a name has a given name in letters that have initials. */
export const hasInitials = (name: CslName): name is { readonly family: string; readonly given: string } =>
  "given" in name &&
  name.given !== undefined &&
  /\p{L}/u.test(name.given) &&
  !/[\p{scx=Han}\p{scx=Hang}]/u.test(name.given);

/** Years of publication: one, or both ends of an interval; words that name a year; null where no year is known. */
export function years({ issued }: CslItem): string | null {
  if (issued === undefined) return null;
  if ("literal" in issued) return /\d{4}/.test(issued.literal) ? issued.literal : null;
  return [...new Set(issued["date-parts"].map(([year]) => yearText(year)))].join("–");
}

const yearText = (year: number): string => (year < 0 ? `${-year} BCE` : String(year));

export const monthName = (month: number): string => MONTHS[month - 1] ?? "";

/** Month and day of a single date. */
export function monthAndDay({ issued }: CslItem): readonly [month: number, day: number | null] | null {
  if (issued === undefined || "literal" in issued || issued["date-parts"].length !== 1) return null;
  const [, month, day = null] = issued["date-parts"][0] ?? [];
  return month === undefined ? null : [month, day];
}

/** "34–57" of "34-57". */
export const pageRange = ({ page = "" }: CslItem): string => page.replaceAll("-", "–");

/** "p. 5" or "pp. 5–9". */
export function pagesWithLabel(item: CslItem): string {
  const range = pageRange(item);
  if (range === "") return "";
  return `${/[–,&]/.test(range) ? "pp." : "p."} ${range}`;
}

/** `12(3)`; an issue without a volume is written in its brackets alone. */
export const volumeAndIssue = ({ volume, issue }: CslItem): string =>
  `${volume ?? ""}${issue === undefined ? "" : `(${issue})`}`;

const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });

/** "2nd" of "2"; null for an edition in words. */
export function ordinal(edition: string): string | null {
  if (!/^\d{1,6}$/.test(edition)) return null;
  const number = Number(edition);
  return `${number}${ENDINGS[ORDINALS.select(number)] ?? "th"}`;
}

/** Where the work is available: its DOI, else the address of the record. */
export const addressOf = ({ DOI, URL }: CslItem): string =>
  DOI === undefined ? (URL ?? "") : `https://doi.org/${DOI}`;

/**
 * The citation with the address of the ARK after it where the style itself names the item by its DOI alone (R38).
 * `ark`: null before it is minted.
 */
export function withArk(citation: string, ark: string | null): string {
  if (ark === null || citation.includes(ark)) return citation;
  return `${citation} ${ark}${citation.endsWith(".") ? "." : ""}`;
}

export const isJapanese = (locale: string): boolean => primaryLanguage(locale) === "ja";

/** The separator of names in languages that write names without initials; all others follow the English way. */
const BETWEEN: Readonly<Record<string, string>> = { ja: "・", zh: "、", ko: ", " };

/**
 * Null for languages that list names as English does. Where a name itself holds the middle dot, a comma keeps names
 * apart.
 */
export function betweenNames(language: string, names: readonly string[]): string | null {
  const between = own(BETWEEN, primaryLanguage(language)) ?? null;
  return between === "・" && names.some((name) => /[・･]/.test(name)) ? "、" : between;
}

/** "Adachi, Jun": as lists sort it. */
export const sortedName = (name: CslName): string =>
  closed(name) ?? ("literal" in name ? name.literal : together([name.family, name.given], ", "));

/** "Jun Adachi". */
export const spokenName = (name: CslName): string =>
  closed(name) ?? ("literal" in name ? name.literal : together([name.given, name.family], " "));

/** A title in American quotation marks, with the mark that follows it inside them. */
export function quoted(title: string, mark: "." | ","): string {
  return `“${title}${/[?!…？！]$/.test(title) || (mark === "." && title.endsWith(".")) ? "" : mark}”`;
}

/** Month, abbreviated as the names state it: an empty text without one. `names`: twelve. */
export function abbreviatedDate(item: CslItem, names: readonly string[], order: "day first" | "month first"): string {
  const year = years(item) ?? "";
  const day = monthAndDay(item);
  if (day === null) return year;
  const month = names[day[0] - 1] ?? "";
  if (day[1] === null) return together([month, year], " ");
  return order === "day first" ? `${day[1]} ${month} ${year}` : `${month} ${day[1]}, ${year}`;
}

/** Kinds of works whose title is in italics, not in quotation marks. */
const WHOLE_WORKS: readonly string[] = [
  "book",
  "report",
  "dataset",
  "software",
  "periodical",
  "motion_picture",
  "song",
  "map",
  "standard",
];
export const isWholeWork = ({ type }: CslItem): boolean => WHOLE_WORKS.includes(type);

/** Where several are cited by name: authors, else editors; `isEdited` for the latter. */
export function leadingPeople(item: CslItem): { readonly people: readonly CslName[]; readonly isEdited: boolean } {
  const { author = [], editor = [] } = item;
  return author.length > 0 || editor.length === 0
    ? { people: author, isEdited: false }
    : { people: editor, isEdited: true };
}

/** "2nd ed." of "2"; an edition in words as it is. */
export function editionText({ edition }: CslItem): string {
  if (edition === undefined) return "";
  const count = ordinal(edition);
  return count === null ? edition : `${count} ed.`;
}

/** What a work is, where its form does not tell; a first letter in upper case. */
export const kindText = (item: CslItem, kinds: Readonly<Partial<Record<string, string>>>): string =>
  item.type === "thesis" ? "" : (item.genre ?? kinds[item.type] ?? "");
