// The fields of a search index, its keys and its days (R27, R28).

import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { RECORD_FACETS } from "../../../src/repository/search/detail/record-schema.ts";
import { facetKey, keyOf } from "../../../src/repository/search/document/keys.ts";
import { dayNumbers, dayRange } from "../../../src/repository/search/query/days.ts";
import { searchSchema } from "../../../src/repository/search/settings/search-schema.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";

describe("R28 searchSchema()", () => {
  const schema = searchSchema(SHIPPED_SEARCH_SETTINGS);

  test("R28 no two fields have one name, and names are letters and digits", () => {
    const { texts, keys, numbers, sorts } = schema;
    const names = [...texts, ...keys, ...numbers, ...sorts.map(({ name }) => name)];
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-z0-9]*$/.test(name) || name === "id")).toEqual([]);
    // Those of the settings, and those of lists of records.
    expect(schema.facets).toHaveLength(3 + Object.keys(RECORD_FACETS).length);
  });

  test("R28 it is another one where documents come to be others, and the same where only labels change", () => {
    const { facets, choices } = SHIPPED_SEARCH_SETTINGS;
    const named = facets.map((facet) => ({ ...facet, name: { en: "x", ja: "x" }, shown: 3 }));
    expect(searchSchema({ ...SHIPPED_SEARCH_SETTINGS, facets: named })).toEqual(schema);
    const others = [
      { ...SHIPPED_SEARCH_SETTINGS, facets: facets.map((facet) => ({ ...facet, sources: ["titles.value"] })) },
      { ...SHIPPED_SEARCH_SETTINGS, choices: { ...choices, lang: choices.lang.slice(1) } },
      { ...SHIPPED_SEARCH_SETTINGS, fields: { integer_range1: ["containers.volume"] } },
    ].map(searchSchema);
    expect(new Set([schema, ...others].map(({ version }) => version)).size).toBe(4);
    expect(others[2]?.numbers).toContain("integerrange1");
  });
});

describe("R28 keyOf()", () => {
  test("R28 SHA-256 is that of the platform", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
      }),
    );
    for (const length of [55, 56, 63, 64, 119, 120]) {
      expect(sha256Hex("a".repeat(length))).toBe(createHash("sha256").update("a".repeat(length)).digest("hex"));
    }
  });

  test("R28 tells apart what engines take for equal, and lists from what is joined", () => {
    const values = [
      "C",
      "C++",
      "c",
      "Ｃ",
      "C ",
      "https://doi.org/10.5072/rec5",
      "https://doi.org/10.5072/rec.5",
      "é",
      "e\u0301",
    ];
    expect(new Set(values.map((value) => keyOf(value))).size).toBe(values.length);
    expect(new Set([keyOf("a", "b"), keyOf("ab"), keyOf('a","b'), keyOf("a", "", "b")]).size).toBe(4);
    expect(keyOf("\ud800")).toMatch(/^[a-z0-9]{1,64}$/);
  });

  test("R28 a facet's value that is very long is its beginning", () => {
    expect(facetKey("a".repeat(501))).toBe(facetKey("a".repeat(500)));
    expect(facetKey("a".repeat(500))).not.toBe(facetKey("a".repeat(499)));
  });
});

describe("R27 days", () => {
  test.each<[string, [number, number] | null]>([
    ["2024", [20240101, 20241231]],
    ["202402", [20240201, 20240229]],
    ["2023-02", [20230201, 20230228]],
    ["20240229", [20240229, 20240229]],
    ["2024-12-31", [20241231, 20241231]],
    ["2024-12-31T23:59:59Z", [20241231, 20241231]],
    [" 0050 ", [500101, 501231]],
    ["2023-02-29", null],
    ["2024-13", null],
    ["", null],
    ["spring 2024", null],
    ["20240", null],
    ["２０２４", null],
  ])("R27 %s", (text, range) => {
    expect(dayRange(text)).toEqual(range === null ? null : { from: range[0], to: range[1] });
  });

  test("R27 a period is found by both of its ends", () => {
    expect(dayNumbers("2020-03/2021-05-06")).toEqual([20200301, 20200331, 20210506]);
    expect(dayNumbers("unknown/2021-05-06")).toEqual([20210506]);
  });
});
