// Dates of records as people read them, in English and Japanese: days, months, years and intervals, long and medium.
import { readEdtf } from "../../shared/time/edtf.ts";

export type DateWording = "long" | "medium";
export type UiLanguage = "en" | "ja";

/** In English. */
export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The precision of a date: 1 a year, 2 a month, 3 a day. */
type Precision = 1 | 2 | 3;
type Parts = { readonly year: number; readonly month: number; readonly day: number };

const partsOf = (day: string): Parts => {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return { year, month, day: date };
};

function english({ year, month, day }: Parts, precision: Precision, wording: DateWording): string {
  if (precision === 1) return String(year);
  const name = MONTHS[month - 1] ?? "";
  const shown = wording === "long" ? name : name.slice(0, 3);
  return precision === 2 ? `${shown} ${year}` : `${shown} ${day}, ${year}`;
}

function japanese({ year, month, day }: Parts, precision: Precision, wording: DateWording): string {
  if (precision === 1) return `${year}年`;
  if (precision === 2) return `${year}年${month}月`;
  const two = (part: number): string => String(part).padStart(2, "0");
  return wording === "long" ? `${year}年${month}月${day}日` : `${year}/${two(month)}/${two(day)}`;
}

const WORDS = { en: english, ja: japanese } as const;
const BETWEEN = { en: "\u2009–\u2009", ja: "～" } as const;

const precisionOf = (written: string): Precision => {
  const parts = written.split("-").length;
  return parts >= 3 ? 3 : parts === 2 ? 2 : 1;
};

/** A date in words; as it is written where it is not a date of EDTF level 0. */
export function dateWords(written: string, wording: DateWording, language: UiLanguage): string {
  const date = readEdtf(written);
  if (date === null) return written;
  const inWords = WORDS[language];
  const ends = written.split("T")[0]?.split("/") ?? [];
  // Both ends get the precision of the more exact one.
  const precisions = ends.filter((end) => end !== "").map(precisionOf);
  const precision = precisions.includes(3) ? 3 : precisions.includes(2) ? 2 : 1;
  const [first, last] = [date.first, date.last].map((day) =>
    day === null ? "" : inWords(partsOf(day), precision, wording),
  );
  if (date.kind !== "interval" || first === last) return first ?? "";
  return `${first}${BETWEEN[language]}${last}`.trim();
}
