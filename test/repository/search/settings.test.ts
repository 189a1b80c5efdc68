// What searching begins with, and how words of choices are read (R27; specification 3, rules 4 and 8).
import { describe, expect, test } from "bun:test";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { factField } from "../../../src/repository/search/settings/search-schema.ts";
import { choicesMeaning, choicesNamed, PLACE_LISTS } from "../../../src/repository/search/settings/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import {
  parseSource,
  SOURCE_VALUES_MAX,
  type Source,
  valuesFrom,
} from "../../../src/repository/search/settings/source.ts";
import { agentOf } from "../../support/cited-items.ts";
import { aFile } from "../../support/world/items.ts";

const { facets, choices } = SHIPPED_SEARCH_SETTINGS;
const valuesOf = (found: readonly { readonly value: string }[]) => found.map(({ value }) => value);

describe("shipped search settings", () => {
  test("S3.1.8: eight facets are shipped, and every source of what is shipped leads to values", () => {
    expect(facets.map(({ name }) => name.en)).toEqual([
      ...["Resource Type", "Year", "Language", "Access", "Community", "Index", "Creator", "Subject"],
    ]);
    const places = PLACE_LISTS.flatMap((list) => choices[list].flatMap(({ means }) => means ?? []));
    const sources = [...facets.flatMap((facet) => facet.sources), ...places];
    expect(sources.filter((source) => parseSource(source) === null && factField([source]) === null)).toEqual([]);
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

describe("sources of values", () => {
  const METADATA: Metadata = {
    ...EMPTY_METADATA,
    titles: [
      { value: "Main", kind: "main" },
      { value: " Other ", kind: "other" },
    ],
    languages: ["eng", "jpn", "eng"],
    contributors: [
      {
        ...agentOf({ role: "Distributor" }),
        names: [{ family: "山田", given: "花子" }, { full: "Yamada, Hanako" }],
      },
      { ...agentOf({ kind: null }), names: [{ full: "Nobody" }] },
    ],
    relations: [
      { type: "isPartOf", ident: { scheme: "ISBN", value: "978-4" }, titles: [] },
      { type: "isPartOf", ident: { scheme: "DOI", value: "10.1/x" }, titles: [] },
    ],
  };
  const form = () => ({
    "item_1[0].subitem_2": "first",
    "item_1[1].subitem_2": "second",
    "item_1[0].subitem_20": "not it",
  });
  const from = (...texts: readonly string[]) => {
    const sources = texts.map((text) => parseSource(text)).filter((source): source is Source => source !== null);
    expect(sources).toHaveLength(texts.length);
    const files = [aFile("a.pdf", { license: "cc-by-4.0" }), aFile("b.pdf")];
    return valuesFrom(sources, { metadata: METADATA, files, itemType: 30, form });
  };

  test.each([
    [["titles.value"], ["Main", "Other"]],
    [["titles[kind=other|subtitle].value"], ["Other"]],
    [["titles[0].value"], ["Main"]],
    [["languages"], ["eng", "jpn"]],
    [["contributors[role=Distributor].names.shown"], ["山田 花子", "Yamada, Hanako"]],
    [["contributors.names.full"], ["Yamada, Hanako", "Nobody"]],
    [["relations.ident[scheme=ISBN].value"], ["978-4"]],
    [["files.license"], ["cc-by-4.0"]],
    [["degree.number"], []],
    [["30:item_1.subitem_2"], ["first", "second"]],
    [["31:item_1.subitem_2"], []],
    [
      ["languages", "titles[kind=main].value", "languages"],
      ["eng", "jpn", "Main"],
    ],
  ])("R27 R4a %j gives %j", (sources, values) => {
    expect(from(...sources)).toEqual(values);
  });

  test.each([
    ...["", ".", "shown", "titles", "titles.words", "titles.value.more", "titles[kind=main", "titles[lang2=ja].value"],
    ...[
      "custom",
      "custom.x",
      "__proto__.x",
      "constructor",
      "=constant",
      "contributors[each=names].names.full",
      "names.shown",
    ],
    ...["0:item_1", "x:item_1", "1:", "1:item_1[0]", "1:item 1", `titles.${"value".repeat(200)}`],
  ])("R27 %j is not a source", (text) => {
    expect(parseSource(text)).toBeNull();
  });

  test("R27 of very many values as many are taken as the limit allows", () => {
    const languages = Array.from({ length: 3 * SOURCE_VALUES_MAX }, (_, at) => `l${at}`);
    const source = parseSource("languages");
    const item = { metadata: { ...EMPTY_METADATA, languages }, files: [], itemType: 1, form };
    expect(valuesFrom(source === null ? [] : [source], item)).toHaveLength(SOURCE_VALUES_MAX);
  });
});
