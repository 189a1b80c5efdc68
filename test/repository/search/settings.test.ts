// What searching begins with, and how words of choices are read (R27; specification 3, rules 4 and 8).
import { describe, expect, test } from "bun:test";
import { choicesMeaning, choicesNamed, PLACE_LISTS } from "../../../src/repository/search/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/shipped-settings.ts";
import { parseSource } from "../../../src/repository/search/source.ts";

const { facets, choices } = SHIPPED_SEARCH_SETTINGS;
const valuesOf = (found: readonly { readonly value: string }[]) => found.map(({ value }) => value);

describe("shipped search settings", () => {
  test("S3.1.8: seven facets are shipped, and every source of what is shipped leads to values", () => {
    expect(facets.map(({ name }) => name.en)).toEqual([
      ...["Data Language", "Access", "Location", "Temporal", "Topic", "Distributor", "Data Type"],
    ]);
    const places = PLACE_LISTS.flatMap((list) => choices[list].flatMap(({ means }) => means ?? []));
    const sources = [...facets.flatMap((facet) => facet.sources), ...places];
    expect(sources.filter((source) => parseSource(source) === null)).toEqual([]);
  });

  test("S3.1.4: a choice is named by its value in any case or by its place in the list; what is none names nothing", () => {
    expect(valuesOf(choicesNamed(choices.type, "0"))).toEqual(["conference paper"]);
    expect(valuesOf(choicesNamed(choices.type, "46"))).toEqual(["other"]);
    expect(valuesOf(choicesNamed(choices.type, " Journal Article"))).toEqual(["journal article"]);
    for (const none of ["47", "-1", "1.0", "", "journal", "0x1", "00000"])
      expect(choicesNamed(choices.type, none)).toEqual([]);
  });

  test("S3.1.4: a value of an item belongs to the choices that mean it, else to the one that means the rest", () => {
    expect(valuesOf(choicesMeaning(choices.version, "VoR"))).toEqual(["published"]);
    expect(valuesOf(choicesMeaning(choices.version, "NA"))).toEqual([]);
    expect(valuesOf(choicesMeaning(choices.lang, "tha"))).toEqual(["other"]);
    expect(valuesOf(choicesMeaning(choices.lang, "jpn"))).toEqual(["jpn"]);
  });
});
