// The RO-Crate form of search and detail, driven by an item type's mapping (R29, specification 3 "RO-Crate object").
import { describe, expect, test } from "bun:test";
import { SHIPPED_ITEM_TYPES } from "../../../src/assets/item-types/index.ts";
import { readItemType } from "../../../src/repository/model/item-types/read-definition.ts";
import type { Json } from "../../../src/shared/json/json.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { type DetailSubject, writeDetailCrate } from "../../../src/formats/ro-crate/detail.ts";
import { flatDetailMapping, readDetailMapping } from "../../../src/formats/ro-crate/detail-mapping.ts";

const SUBJECT: DetailSubject = {
  values: {
    "title[0].text": "琵琶湖の水温",
    "title[0].lang": "ja",
    "title[1].text": "Temperatures of lake Biwa",
    "title[1].lang": "en",
    "creator[0].names[0].name": "Carberry",
    "creator[1].names[0].name": "情報",
    summary: "Hourly",
    empty: "",
  },
  files: [
    {
      url: "https://repo.example/records/7/files/a.csv",
      accessMode: "open_access",
      dateCreated: "2025-04-01",
      values: { "file[0].format": "text/csv" },
    },
  ],
  datePublished: "2025-04-01",
  landingPage: "https://repo.example/records/7",
  language: "ja",
};

const TREE = {
  entity_types: ["root", "tab", "section"],
  tree_structure: {
    name: "root",
    map: { title: { value: "title.text", lang: "title.lang" }, people: ["creator.names.name", "missing"] },
    children: [
      {
        name: "Overview",
        name_i18n: { ja: "概要", en: "Overview" },
        map: { kind: { static_value: "Study" } },
        children: [
          { name: "Summary", map: { text: "summary" } },
          { name: "Nothing", map: { text: "empty" } },
        ],
      },
      { name: "Empty", map: { text: "empty" }, children: [{ name: "Below", map: { text: "missing" } }] },
    ],
  },
  file: { map: { encodingFormat: "file.format" } },
};

describe("R29 The RO-Crate form of an item", () => {
  test("R29 holds root, descriptor, tabs and sections that have values, and files; mapped keys are lists", () => {
    expect(writeDetailCrate(SUBJECT, readDetailMapping(TREE))).toEqual({
      "@context": "https://w3id.org/ro/crate/1.1/context",
      "@graph": [
        {
          "@id": "./",
          "@type": "Dataset",
          title: ["琵琶湖の水温"],
          people: ["Carberry", "情報"],
          datePublished: "2025-04-01",
          mainEntity: [{ "@id": "https://repo.example/records/7/files/a.csv" }],
          subjectOf: [{ "@id": "https://repo.example/records/7" }],
          hasPart: [{ "@id": "Overview/" }],
        },
        {
          "@id": "ro-crate-metadata.json",
          "@type": "CreativeWork",
          conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" },
          about: { "@id": "./" },
        },
        {
          "@id": "Overview/",
          "@type": "Dataset",
          additionalType: "tab",
          name: "概要",
          kind: ["Study"],
          hasPart: [{ "@id": "Overview/Summary/" }],
        },
        {
          "@id": "Overview/Summary/",
          "@type": "Dataset",
          additionalType: "section",
          name: "Summary",
          text: ["Hourly"],
        },
        {
          "@id": "https://repo.example/records/7/files/a.csv",
          "@type": "File",
          encodingFormat: ["text/csv"],
          accessMode: "open_access",
          dateCreated: "2025-04-01",
        },
        { "@id": "https://repo.example/records/7", "@type": "WebPage" },
      ],
    });
  });

  test.each([
    ["ja", "琵琶湖の水温", "概要"],
    ["en", "Temperatures of lake Biwa", "Overview"],
    ["fr", "Temperatures of lake Biwa", "Overview"],
  ])("R29 in the language %s the title is %s and the tab %s: as asked, else English", (language, title, tab) => {
    const graph = JSON.stringify(writeDetailCrate({ ...SUBJECT, language }, readDetailMapping(TREE)));
    expect(graph).toContain(`"title":["${title}"]`);
    expect(graph).toContain(`"name":"${tab}"`);
  });

  test("R29 without the asked language and English, the first value", () => {
    const values = {
      "title[0].text": "Biwa-See",
      "title[0].lang": "de",
      "title[1].text": "Lac Biwa",
      "title[1].lang": "fr",
    };
    const graph = JSON.stringify(writeDetailCrate({ ...SUBJECT, values }, readDetailMapping(TREE)));
    expect(graph).toContain('"title":["Biwa-See"]');
  });

  test("R29 the mappings of the shipped item types work as they are", () => {
    for (const each of SHIPPED_ITEM_TYPES) {
      const { roCrate } = readItemType(each);
      const [key, source] = Object.entries(roCrate.root)[0] ?? ["", { value: "" }];
      const values = { [source.value.replace(".", "[0].")]: "A value" };
      const graph = JSON.stringify(writeDetailCrate({ ...SUBJECT, values }, flatDetailMapping(roCrate)));
      expect(graph).toContain(`${JSON.stringify(key)}:["A value"]`);
    }
  });

  test.each<readonly [string, Json, string]>([
    ["no object", 7, "it is no object"],
    ["no tree", {}, "tree_structure: it is no object"],
    [
      "a name with a slash",
      { tree_structure: { name: "a/b" } },
      'tree_structure.name: "a/b" is no text without a slash',
    ],
    [
      "a key of the form",
      { tree_structure: { map: { hasPart: "x" } } },
      "tree_structure.map: hasPart is given by the form itself",
    ],
    ["a path that is none", { tree_structure: { map: { a: 7 } } }, "tree_structure.map.a: 7 is no text"],
    [
      "a language that is none",
      { tree_structure: { map: { a: { value: "x", lang: 1 } } } },
      "tree_structure.map.a: 1 is no path",
    ],
    ["two of one name", { tree_structure: { children: [{ name: "a" }, { name: "a" }] } }, '"a" stands there twice'],
    [
      "more depth than types",
      { entity_types: ["root"], tree_structure: { children: [{ name: "a" }] } },
      "entity_types names no type",
    ],
  ])("R29 refuses %s, naming the place", (_what, mapping, message) => {
    expect(() => readDetailMapping(mapping)).toThrow(Refusal);
    expect(() => readDetailMapping(mapping)).toThrow(message);
  });
});
