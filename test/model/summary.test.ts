// What lists show of an item (R9a): small whatever the item holds, and of its files exactly as much as decides how open
// it is.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { accessStatus, opensOn } from "../../src/model/access/openness.ts";
import { type FileFacts, fileFacts, summaryMetadata, summaryOf } from "../../src/model/items/summary.ts";
import { publicationDate } from "../../src/model/metadata/metadata.ts";
import { aFile, titled } from "../support/world/items.ts";

const TODAY = "2026-06-15";
const ACCESS = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;

describe("fileFacts()", () => {
  const day = fc.constantFrom("2020-01-01", TODAY, "2027-01-01", "2028-01-01");
  const file = fc.oneof(
    fc
      .constantFrom("open" as const, "login" as const, "closed" as const)
      .map((access): FileFacts => ({ access, accessDate: null })),
    fc.option(day).map((accessDate): FileFacts => ({ access: "date", accessDate })),
  );
  test("R9a R2d the facts of the files decide as the files themselves do, however many there are", () => {
    fc.assert(
      fc.property(fc.array(file, { maxLength: 40 }), (files) => {
        const facts = fileFacts(files);
        expect(facts.length).toBeLessThanOrEqual(8);
        expect(accessStatus({ access: ACCESS, files: facts }, TODAY)).toBe(
          accessStatus({ access: ACCESS, files }, TODAY),
        );
        expect(opensOn({ access: ACCESS, files: facts }, TODAY)).toBe(opensOn({ access: ACCESS, files }, TODAY));
      }),
    );
  });

  test("R9a eight thousand days are 32, the first and the last among them", () => {
    const days = Array.from({ length: 8_000 }, (_, at) => `${1000 + at}-01-01`);
    const facts = fileFacts(days.map((accessDate) => ({ access: "date", accessDate })));
    expect(facts.length).toBe(32);
    expect([facts[0]?.accessDate, facts.at(-1)?.accessDate]).toEqual(["1000-01-01", "8999-01-01"]);
  });
});

describe("summaryOf()", () => {
  test("R9a stays below 100 KiB whatever the item holds, and keeps what a list names", () => {
    const long = "長い".repeat(500_000);
    const agent = {
      kind: "personal" as const,
      names: Array.from({ length: 50 }, () => ({ family: long, given: long, lang: long })),
      alternatives: [{ value: long }],
      ids: [{ scheme: long, value: long }],
      emails: [long],
      affiliations: [],
    };
    const metadata = titled(long, {
      titles: Array.from({ length: 50 }, (_, at) => ({
        value: `${at} ${long}`,
        kind: at === 40 ? ("main" as const) : ("other" as const),
      })),
      creators: Array.from({ length: 100 }, () => agent),
      descriptions: Array.from({ length: 50 }, () => ({ value: long, kind: "Abstract", html: false })),
      languages: [long],
      subjects: [{ text: { value: long } }],
      type: { id: long, label: long, uri: long },
    });
    const summary = summaryOf({ metadata, files: [aFile("a")] });
    expect(JSON.stringify(summary).length).toBeLessThan(100 * 1024);
    expect(JSON.stringify(summary)).not.toContain("@");
    expect(summary.metadata.titles.map(({ value }) => value.slice(0, 3))).toEqual(["40 "]);
    expect(publicationDate(summaryMetadata(summary))).toBe("2024-05-06");
  });

  test("R9a of a small item it has all of the item, without addresses of people", () => {
    const metadata = titled("A thing", { dates: [{ date: "2020", type: "Issued" }] });
    const summary = summaryOf({ metadata, files: [] });
    expect(summaryMetadata(summary)).toEqual(metadata);
  });

  test("a text is never cut in the middle of a character", () => {
    const metadata = titled(`${"x".repeat(998)}𠮷野家`);
    const title = summaryOf({ metadata, files: [] }).metadata.titles[0]?.value ?? "";
    expect(title.isWellFormed()).toBe(true);
    expect(title).toBe(`${"x".repeat(998)}…`);
  });
});
