// Months as figures name them: YYYY-MM. Pure.

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => MONTH.test(text);

/** Months since year 0. */
const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;

const monthOf = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, "0")}-${String((number % 12) + 1).padStart(2, "0")}`;

/** The month `count` months after this one; before it where `count` is negative. */
export const monthAfter = (month: string, count: number): string => monthOf(numberOf(month) + count);

/** How many months there are from one to another, both included; 0 or less where the second is earlier. */
export const monthCount = (from: string, to: string): number => numberOf(to) - numberOf(from) + 1;

/** All months from one to another, both included. */
export const monthsBetween = (from: string, to: string): readonly string[] =>
  Array.from({ length: Math.max(0, monthCount(from, to)) }, (_, at) => monthAfter(from, at));
