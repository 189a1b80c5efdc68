// Dates as people write them, read into the form in which they are stored: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. The
// answer states in both languages how a text was understood, or why it was refused: a text with two readings is never
// guessed. Read are ISO 8601, 2024/3/25, 2024年3月25日, eras (令和6年3月1日, H31.4.30), full-width digits, numerals of kanji,
// and English names of months.
import { normalForm } from "../text/text.ts";
import { isDay } from "./day.ts";
import {
  ERAS,
  type Era,
  eraOf,
  eraYearText,
  FIRST_SOLAR_YEAR,
  gregorianYear,
  hasDate,
  yearOf,
} from "./japanese-eras.ts";

type Bilingual = { readonly en: string; readonly ja: string };

/** `date`: as it is stored; `words`: how it was understood. */
export type WrittenDate =
  | { readonly date: string; readonly words: Bilingual }
  | { readonly date: null; readonly words: Bilingual };

/** Longer texts are refused before they are read. */
const LONGEST = 60;

type DateParts = { readonly year: number; readonly month: number | null; readonly day: number | null };

/** @returns the stored date, or null with the reason in `words` */
export function readWrittenDate(written: string): WrittenDate {
  const text = written.length > LONGEST ? "" : normalise(written);
  if (text === "") return refused(NOT_A_DATE);
  return (
    readEra(text) ?? readYearFirst(text) ?? readEnglish(text) ?? readYearLast(text) ?? refused(explainUnread(text))
  );
}

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
] as const;

const NOT_A_DATE: Bilingual = {
  en: "This is not a date. Write it as 2024, 2024-03, 2024-03-25 or 令和6年3月25日",
  ja: "日付として読み取れません。2024、2024-03、2024-03-25、令和6年3月25日のように入力してください",
};

const refused = (words: Bilingual): WrittenDate => ({ date: null, words });

/** Half-width characters, Arabic numerals, plain hyphens, single spaces; the mark of the Western calendar is left out. */
function normalise(written: string): string {
  const narrow = normalForm(written, "NFKC")
    .trim()
    .replace(/[\u2010-\u2015\u2212ー]/g, "-")
    .replace(/\s+/g, " ")
    .replace(/^(?:西暦|AD |A\.D\. )/i, "");
  // Each numeral is read once, whatever follows it.
  return narrow.replace(/([〇零一二三四五六七八九十百千]+)([年月日]|$)?/g, (whole, numeral: string, unit?: string) =>
    unit === undefined ? whole : `${kanjiNumber(numeral)}${unit}`,
  );
}

const KANJI_DIGITS = "〇一二三四五六七八九";
const KANJI_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/** 二〇二四 is 2024, 二千二十四 as well. */
function kanjiNumber(numeral: string): number {
  let [sum, digits] = [0, 0];
  for (const each of numeral.replaceAll("零", "〇")) {
    const unit = KANJI_UNITS[each];
    if (unit === undefined) digits = digits * 10 + KANJI_DIGITS.indexOf(each);
    else {
      sum += (digits === 0 ? 1 : digits) * unit;
      digits = 0;
    }
  }
  return sum + digits;
}

// Eras.

const ERA_NAMES = ERAS.flatMap(({ ja, initial }) => [ja, initial]).join("|");
const SHORT_ERA_NAMES = ERAS.map(({ ja }) => ja.slice(0, 1)).join("|");
const ERA_DATE = new RegExp(
  `^(${ERA_NAMES}|${SHORT_ERA_NAMES}) ?(元|\\d{1,4}) ?(?:年 ?(?:(\\d{1,2}) ?月 ?(?:(\\d{1,2}) ?日)?)?|([./-])(\\d{1,2})(?:\\5(\\d{1,2}))?)?$`,
  "i",
);

function readEra(text: string): WrittenDate | null {
  const parts = ERA_DATE.exec(text);
  const alone = ERAS.find(({ ja }) => ja === text);
  if (alone !== undefined) return refused(eraWithoutYear(alone));
  if (parts === null) return null;
  const [, name = "", year = "", month, day, , otherMonth, otherDay] = parts;
  const era = ERAS.find(({ ja, initial }) => ja === name || ja.startsWith(name) || initial === name.toUpperCase());
  if (era === undefined) return null;
  const number = year === "元" ? 1 : Number(year);
  const date = {
    year: gregorianYear(era, number),
    month: numberOf(month ?? otherMonth),
    day: numberOf(day ?? otherDay),
  };
  if (number === 0) return refused({ en: `${era.en} begins with year 1`, ja: `${era.ja}は元年から始まります` });
  if (date.month !== null && date.year < FIRST_SOLAR_YEAR) return refused(LUNISOLAR);
  const wrong = calendarFault(date);
  if (wrong !== null) return refused(wrong);
  const stored = storedDate(date);
  return hasDate(era, stored) ? understood(date, era) : refused(otherEra(era, stored));
}

const LUNISOLAR: Bilingual = {
  en: "Months and days before Meiji 6 (1873) are of the lunisolar calendar. Write the year alone, or the Western date",
  ja: "明治5年以前の月日は旧暦です。年だけを入力するか、西暦の日付を入力してください",
};

const eraWithoutYear = ({ ja, en, first, last }: Era): Bilingual => ({
  en: `${en} is an era (${first} to ${last ?? "today"}) and needs a year, such as ${ja}元年`,
  ja: `${ja}（${first}から${last === null ? "現在" : `${last}`}まで）には年が必要です（例：${ja}元年）`,
});

function otherEra(era: Era, stored: string): Bilingual {
  const right = eraOf(stored);
  const isBefore = stored < era.first.slice(0, stored.length);
  const border = isBefore ? era.first : (era.last ?? era.first);
  const named = right === null ? { en: stored, ja: stored } : inEra(right, stored);
  return {
    en: `${era.en} ${isBefore ? "began" : "ended"} on ${border}. This date is ${named.en}`,
    ja: `${era.ja}は${border}${isBefore ? "に始まりました" : "に終わりました"}。この日付は${named.ja}です`,
  };
}

/** A date in the words of an era: 平成2年3月1日. */
function inEra(era: Era, stored: string): Bilingual {
  const [, month, day] = stored.split("-").map(Number);
  const year = eraYearText(era, stored);
  const rest = { year: yearOf(stored), month: month ?? null, day: day ?? null };
  return {
    en: `${englishMonthAndDay(rest)}${year.en}`,
    ja: `${year.ja}${japaneseMonthAndDay(rest)}`,
  };
}

// Western dates.

const YEAR_FIRST =
  /^(\d{4})(?: ?年)?$|^(\d{3,4}) ?年(?: ?(\d{1,2}) ?月(?: ?(\d{1,2}) ?日)?)?$|^(\d{4}) ?([./-]) ?(\d{1,2})(?: ?\6 ?(\d{1,2}))?$|^(\d{4})(\d{2})(\d{2})$/;

function readYearFirst(text: string): WrittenDate | null {
  const parts = YEAR_FIRST.exec(text);
  if (parts === null) return null;
  const [, alone, named, namedMonth, namedDay, marked, , markedMonth, markedDay, basic, basicMonth, basicDay] = parts;
  return checked({
    year: Number(alone ?? named ?? marked ?? basic),
    month: numberOf(namedMonth ?? markedMonth ?? basicMonth),
    day: numberOf(namedDay ?? markedDay ?? basicDay),
  });
}

const MONTH_NAME = `(${MONTHS.map((name) => (name === "May" ? "May" : `${name.slice(0, 3)}[a-z]{0,6}`)).join("|")})\\.?`;
const ENGLISH = new RegExp(
  `^(?:(\\d{1,2})(?:st|nd|rd|th)?[ -](?:of )?)?${MONTH_NAME}(?:,? |-)(\\d{4})$|^${MONTH_NAME} (\\d{1,2})(?:st|nd|rd|th)?(?:, ?| )(\\d{4})$|^(\\d{4})[ -]${MONTH_NAME}(?:[ -](\\d{1,2}))?$`,
  "i",
);

function readEnglish(text: string): WrittenDate | null {
  const [, day, month, year, otherMonth, otherDay, otherYear, firstYear, lastMonth, lastDay] = ENGLISH.exec(text) ?? [];
  const named = monthNamed(month ?? otherMonth ?? lastMonth ?? "");
  if (named === null) return null;
  return checked({
    year: Number(year ?? otherYear ?? firstYear),
    month: named,
    day: numberOf(day ?? otherDay ?? lastDay),
  });
}

/** The whole name, its first three letters, or `Sept`. */
function monthNamed(name: string): number | null {
  const lower = name.toLowerCase();
  const index = MONTHS.findIndex((month) => {
    const full = month.toLowerCase();
    return lower === full || lower === full.slice(0, 3) || (lower === "sept" && full === "september");
  });
  return index === -1 ? null : index + 1;
}

const YEAR_LAST = /^(\d{1,2}) ?([./-]) ?(?:(\d{1,2}) ?\2 ?)?(\d{4})$/;

/** 25/03/2024 has one reading; 03/04/2024 has two and is refused. */
function readYearLast(text: string): WrittenDate | null {
  const [, first, , second, end] = YEAR_LAST.exec(text) ?? [];
  if (first === undefined || end === undefined) return null;
  const year = Number(end);
  if (second === undefined) return checked({ year, month: Number(first), day: null });
  const dayFirst = { year, month: Number(second), day: Number(first) };
  const monthFirst = { year, month: Number(first), day: Number(second) };
  const readings = [dayFirst, monthFirst].filter((each) => calendarFault(each) === null);
  const [one, other] = readings;
  if (one === undefined) return checked(dayFirst);
  if (other === undefined || storedDate(one) === storedDate(other)) return understood(one, null);
  return refused({
    en: `This can be ${englishDate(dayFirst)} or ${englishDate(monthFirst)}. Write ${storedDate(dayFirst)} or ${storedDate(monthFirst)}`,
    ja: `${japaneseDate(dayFirst)}とも${japaneseDate(monthFirst)}とも読めます。${storedDate(dayFirst)}または${storedDate(monthFirst)}と入力してください`,
  });
}

/** A reason for what often occurs; else that the text is not a date. */
function explainUnread(text: string): Bilingual {
  if (/^元年/.test(text))
    return { en: "Write the era of year 1, such as 令和元年", ja: "元号を付けてください（例：令和元年）" };
  if (/^\d{1,2}年/.test(text) || /^\d{1,2}([./-])\d{1,2}\1\d{1,2}$/.test(text)) {
    return {
      en: "Write the year with four digits, or with its era",
      ja: "年は4桁の西暦か、元号を付けて入力してください",
    };
  }
  if (/^\d{4}(?:0[1-9]|1[0-2])$/.test(text)) {
    return {
      en: `Separate the year from the month: ${text.slice(0, 4)}-${text.slice(4)}`,
      ja: `年と月を区切ってください（例：${text.slice(0, 4)}-${text.slice(4)}）`,
    };
  }
  if (/^\d{2,3}[-?xX]{1,2}$/.test(text)) {
    return {
      en: "The year must be known: write four digits",
      ja: "年が不明な日付は登録できません。4桁で入力してください",
    };
  }
  return NOT_A_DATE;
}

// What both share.

const numberOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));
const two = (number: number): string => String(number).padStart(2, "0");

function storedDate({ year, month, day }: DateParts): string {
  const parts = [
    String(year).padStart(4, "0"),
    ...(month === null ? [] : [two(month)]),
    ...(day === null ? [] : [two(day)]),
  ];
  return parts.join("-");
}

/** Null for a date that the calendar has. */
function calendarFault({ year, month, day }: DateParts): Bilingual | null {
  if (year < 1 || year > 9999) return { en: "The year must be from 1 to 9999", ja: "年は1から9999までです" };
  if (month === null) return null;
  if (month < 1 || month > 12) return { en: `There is no month ${month}`, ja: `${month}月はありません` };
  if (day === null || isDay(storedDate({ year, month, day }))) return null;
  return {
    en: `${MONTHS[month - 1]} ${year} has no day ${day}`,
    ja: `${year}年${month}月に${day}日はありません`,
  };
}

function checked(date: DateParts): WrittenDate {
  const fault = calendarFault(date);
  return fault === null ? understood(date, null) : refused(fault);
}

function understood(date: DateParts, era: Era | null): WrittenDate {
  const stored = storedDate(date);
  const year = era === null ? null : eraYearText(era, stored);
  return {
    date: stored,
    words: {
      en: `Understood as ${englishDate(date)}${year === null ? "" : ` (${year.en})`}`,
      ja: `${japaneseDate(date)}${year === null ? "" : `（${year.ja}）`}と読み取りました`,
    },
  };
}

const englishMonthAndDay = ({ month, day }: DateParts): string =>
  `${day === null ? "" : `${day} `}${month === null ? "" : `${MONTHS[month - 1]} `}`;
const japaneseMonthAndDay = ({ month, day }: DateParts): string =>
  `${month === null ? "" : `${month}月`}${day === null ? "" : `${day}日`}`;
const englishDate = (date: DateParts): string =>
  `${date.month === null ? "the year " : ""}${englishMonthAndDay(date)}${date.year}`;
const japaneseDate = (date: DateParts): string => `${date.year}年${japaneseMonthAndDay(date)}`;
