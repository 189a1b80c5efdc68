// Metadata as the rows of a landing page (R3, R19a): no content is lost, nothing private is shown, every field has a
// label.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { REPOSITORY_LANGUAGES, repositoryTexts } from "../../src/repository/pages/languages/index.ts";
import { SHOWN_FIELDS, shownRow, shownRows } from "../../src/repository/pages/metadata-rows.ts";
import { wordOf } from "../../src/repository/pages/templates/layout.ts";
import { ownRows } from "../../src/repository/pages/templates/metadata-rows.ts";
import { agentOf, person } from "../support/cited-items.ts";
import { anyMetadata } from "../support/jpcoar-metadata.ts";

const READING = { tag: "en", above: { title: "", abstract: null }, part: { from: 0, most: 100 } };
const rowsOf = (metadata: Partial<Metadata>) => shownRows({ ...EMPTY_METADATA, ...metadata }, READING);
const row = (metadata: Partial<Metadata>, field: string) =>
  rowsOf(metadata).find((each) => each.field === field)?.values ?? [];

describe("shownRows()", () => {
  test("R19a every field has a label in every language", () => {
    for (const tag of REPOSITORY_LANGUAGES) {
      const { fields } = repositoryTexts(tag).record;
      expect(Object.keys(fields).sort()).toEqual([...SHOWN_FIELDS].sort());
      expect(Object.values(fields).every((label) => label !== "")).toBe(true);
    }
  });

  test("an item without metadata has no rows", () => {
    expect(shownRows(EMPTY_METADATA, READING)).toEqual([]);
  });

  test("R19a an affiliation without a name is not shown, one with names in one line", () => {
    const ror = { scheme: "ROR", value: "057zh3y96", uri: "https://ror.org/057zh3y96" };
    const affiliations = [
      { names: [], ids: [ror] },
      { names: [{ value: "U" }, { value: "大学", lang: "ja" }], ids: [ror] },
      { names: [{ value: "Lab" }], ids: [] },
    ];
    const [creator] = row({ creators: [person("Doe", "Ann", { affiliations })] }, "creators");
    expect(creator?.details).toEqual([{ text: "U / 大学", href: "https://ror.org/057zh3y96" }, { text: "Lab" }]);
  });

  test("what is above is not stated twice, other titles and abstracts are", () => {
    const titles = [
      { value: "One", kind: "main" },
      { value: "Eins", lang: "de", kind: "main" },
      { value: "Sub", kind: "subtitle" },
    ] as const;
    const descriptions = [
      { value: "Short", kind: "Abstract", html: false },
      { value: "Kurz", lang: "de", kind: "Abstract", html: false },
    ];
    const above = { title: "One", abstract: "Short" };
    const rows = shownRows({ ...EMPTY_METADATA, titles, descriptions }, { ...READING, above });
    expect(rows.map(({ field, values }) => [field, values.map(({ text }) => text)])).toEqual([
      ["otherTitles", ["Sub", "Eins"]],
      ["descriptions", ["Kurz"]],
    ]);
  });

  test("R14 mail addresses and what was kept without being understood are never shown", () => {
    const agent = agentOf({ names: [{ full: "Doe, Ada" }], emails: ["ada@example.org"] });
    const metadata = {
      creators: [agent],
      contributors: [agent],
      extra: [{ format: "x", path: "y", value: "kept silently" }],
      custom: { "svc:note": "private note" },
    };
    const text = JSON.stringify(rowsOf(metadata));
    for (const secret of ["ada@example.org", "kept silently", "private note"]) expect(text).not.toContain(secret);
  });

  test("markup of others becomes text", () => {
    const descriptions = [{ value: "<p>One</p><script>x()</script><b>two</b>", kind: "Other", html: true }];
    const [value] = row({ descriptions }, "descriptions");
    expect(value?.text).toContain("One");
    expect(value?.text).not.toContain("<");
    expect(value?.text).not.toContain("x()");
  });

  test("R9a R19a of very many values only those that are asked for are made, whichever page, and all of them are reached", () => {
    const subjects = Array.from({ length: 2_345 }, (_, at) => ({
      text: { value: `${at}`, ...(at % 3 === 0 ? { lang: "en" } : { lang: "ja" }) },
    }));
    const reached: string[] = [];
    for (let from = 0; from < 2_400; from += 100) {
      const reading = { ...READING, part: { from, most: 100 } };
      const found = shownRow({ ...EMPTY_METADATA, subjects }, "subjects", reading);
      expect([found.values.length <= 100, found.count]).toEqual([true, 2_345]);
      reached.push(...found.values.map(({ text }) => text));
    }
    expect(reached.toSorted((a, b) => Number(a) - Number(b))).toEqual(subjects.map(({ text }) => text.value));
    expect(reached[0]).toBe("0");
    expect(reached[1]).toBe("3");
  });

  test("R4a R9a of thousands of values of an item type's own field a page shows the first and the number of the others", () => {
    const field = { group: { en: "Samples", ja: "試料" }, field: { en: "Samples" } };
    const fields = Array.from({ length: 3_000 }, (_, row) => ({ ...field, row, value: `S${row}` }));
    const { markup } = ownRows(fields, repositoryTexts("ja"));
    expect(markup).toContain("<dt>試料</dt>");
    expect(markup.match(/<li>/g)).toHaveLength(100);
    expect(markup).toContain("ほかの 2,900 件");
  });

  test("R9a a value with thousands of details shows the first of them", () => {
    const names = Array.from({ length: 3_000 }, (_, at) => ({ value: `Press ${at}` }));
    const [value] = row({ publishers: [{ names }] }, "publishers");
    expect(value?.details).toHaveLength(51);
    expect(value?.details?.at(-1)).toEqual({ text: "…" });
  });

  test("R19a whatever the metadata, every row is shown to every reader, and no mail address", () => {
    fc.assert(
      fc.property(anyMetadata, fc.constantFrom("en", "ja"), (metadata, tag) => {
        const rows = shownRows(metadata, { ...READING, tag });
        expect(JSON.stringify(rows)).not.toContain("hidden@example.org");
        for (const { values } of rows) expect(values.length).toBeGreaterThan(0);
        // Another reader gets the same, in another order.
        const other = shownRows(metadata, { ...READING, tag: tag === "en" ? "ja" : "en" });
        expect(other.map(({ field, count }) => [field, count])).toEqual(rows.map(({ field, count }) => [field, count]));
      }),
      { numRuns: 100 },
    );
  });

  test("only web addresses lead anywhere", () => {
    const metadata: Partial<Metadata> = {
      subjects: [
        { text: { value: "a" }, uri: "javascript:alert(1)" },
        { text: { value: "b" }, uri: "https://example.org/b" },
      ],
      identifiers: [
        { scheme: "URI", value: "data:text/html,x" },
        { scheme: "DOI", value: "10.5555/x" },
      ],
      relations: [{ type: "references", ident: { scheme: "URI", value: "vbscript:x" }, titles: [] }],
    };
    expect(row(metadata, "subjects").map(({ href }) => href)).toEqual([undefined, "https://example.org/b"]);
    expect(row(metadata, "identifiers").map(({ href }) => href)).toEqual([undefined, "https://doi.org/10.5555/x"]);
    expect(row(metadata, "relations")[0]?.href).toBeUndefined();
  });

  test("groups become a line with details", () => {
    const container = {
      titles: [{ value: "Journal" }],
      ids: [{ scheme: "ISSN", value: "1234-5679" }],
      volume: "12",
      issue: "3",
      pageStart: "1",
      pageEnd: "9",
      place: "flat",
    } as const;
    expect(row({ containers: [container] }, "containers")).toEqual([
      { text: "Journal, 12(3), 1–9", details: [{ text: "ISSN: 1234-5679" }] },
    ]);
    const conference = {
      names: [],
      sponsors: [],
      venues: [],
      places: [{ value: "Kyoto" }],
      date: { startYear: "2024", startMonth: "05" },
    };
    expect(row({ conferences: [conference] }, "conferences")).toEqual([
      { text: "2024-05", details: [{ text: "Kyoto" }] },
    ]);
    const funding = { funder: { names: [], ids: [] }, award: { number: "JP1", titles: [] } };
    expect(row({ funding: [funding] }, "funding")).toEqual([{ text: "JP1", details: [] }]);
    const degree = {
      names: [{ value: "PhD" }],
      granted: "2020-03-01",
      grantors: [{ names: [{ value: "A University" }], ids: [] }],
    };
    expect(row({ degree }, "degree")).toEqual([{ text: "PhD, 2020-03-01", details: [{ text: "A University" }] }]);
    const location = { places: [], ids: [], point: { latitude: "35.0", longitude: "135.7" } };
    expect(row({ locations: [location] }, "locations")).toEqual([{ text: "35.0, 135.7", details: [] }]);
  });

  test("words of vocabularies are found in any spelling formats have for them", () => {
    expect(wordOf({ vocabulary: "relationtypes", id: "isSupplementedBy" }, "en")).toBe("Is supplemented by");
    expect(wordOf({ vocabulary: "datetypes", id: "Issued" }, "ja")).not.toBeNull();
    expect(wordOf({ vocabulary: "descriptiontypes", id: "TableOfContents" }, "ja")).toBe("目次");
    expect(wordOf({ vocabulary: "contributorsroles", id: "DataManager" }, "ja")).toBe("データ管理者");
    expect(wordOf({ vocabulary: "relationtypes", id: "constructor" }, "en")).toBeNull();
  });
});
