// Dates as people write them (src/shared/time/written-date.ts), against the table of examples in test/vectors.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { isDay } from "../../src/shared/time/day.ts";
import { ERAS, hasDate } from "../../src/shared/time/japanese-eras.ts";
import { readWrittenDate } from "../../src/shared/time/written-date.ts";

const EXAMPLES = readFileSync(new URL("../vectors/written-dates.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

const DAYS = fc
  .date({ min: new Date("1873-01-01"), max: new Date("2060-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe("readWrittenDate()", () => {
  for (const [text = "", stored = "", en = "", ja = ""] of EXAMPLES) {
    test(`P.103: "${text}" is ${stored === "-" ? "refused" : stored}: ${en}`, () => {
      expect(readWrittenDate(text)).toEqual({ date: stored === "-" ? null : stored, words: { en, ja } });
    });
  }

  test("P.103: every day since 1873 is read from the notation of its era and of no other era", () => {
    fc.assert(
      fc.property(DAYS, (day) => {
        const [year, month, date] = day.split("-").map(Number);
        for (const era of ERAS) {
          const number = (year ?? 0) - Number(era.first.slice(0, 4)) + 1;
          if (number < 1) continue;
          const read = readWrittenDate(`${era.ja}${number === 1 ? "元" : number}年${month}月${date}日`);
          expect(read.date).toBe(hasDate(era, day) ? day : null);
        }
      }),
      { examples: ERAS.flatMap(({ first }) => [[first < "1873" ? "1873-01-01" : first] as [string]]) },
    );
  });

  test("P.103: the stored form of a date is read as itself", () => {
    fc.assert(
      fc.property(DAYS, fc.constantFrom(4, 7, 10), (day, length) => {
        const stored = day.slice(0, length);
        expect(readWrittenDate(stored).date).toBe(stored);
      }),
    );
  });

  test("P.103: any text is refused or becomes a date of the calendar", () => {
    const piece = fc.constantFrom(
      "2024",
      "令和",
      "元",
      "年",
      "月",
      "日",
      "3",
      "十",
      "/",
      "-",
      " ",
      "May",
      "〇",
      "１",
      "x",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((all) => all.join("")),
        ),
        (text) => {
          const { date } = readWrittenDate(text);
          if (date !== null) expect(isDay(`${date}-01-01`.slice(0, 10))).toBeTrue();
        },
      ),
    );
    expect(readWrittenDate("2".repeat(1_000_000)).date).toBeNull();
  });
});
