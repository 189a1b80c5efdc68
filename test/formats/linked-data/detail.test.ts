// The RO-Crate form of search and detail, driven by an item type's mapping (R29, specification 3 "RO-Crate object").
import { describe, expect, test } from "bun:test";
import { type DetailSubject, writeCrateRoot, writeDetailCrate } from "../../../src/formats/ro-crate/detail.ts";
import { type CrateMapping, readCrateMapping } from "../../../src/model/item-types/crate-mapping.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { crateFaults, entitiesOf } from "../../support/crate-rules.ts";

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
  ark: "https://n2t.net/ark:99999/fk4abc",
  language: "ja",
};

const TREE = {
  entity_types: ["root", "tab", "section"],
  tree_structure: {
    name: "root",
    map: { title: { value: "title.text", lang: "title.lang" }, people: ["creator.names.name", "summary"] },
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
      { name: "Empty", map: { text: "empty" }, children: [{ name: "Below", map: { text: ["empty"] } }] },
    ],
  },
  file: { map: { encodingFormat: "file.format" } },
};

const FIELDS = ["title.text", "title.lang", "creator.names.name", "creator.role", "summary", "empty", "file.format"];
/** An item type with two fields. */
const NOTES = {
  format: "arkstone-item-type-1",
  name: { en: "Notes" },
  groups: ["summary", "empty"].map((key) => ({ key, label: { en: key }, kind: "text" })),
};
const mappingOf = (json: unknown): CrateMapping => readCrateMapping(json, FIELDS);
const rootWith = (map: object, values: DetailSubject["values"], language = "ja") =>
  writeCrateRoot({ ...SUBJECT, values, language }, mappingOf({ root: map }).root, []);

describe("R29 The RO-Crate form of an item", () => {
  test("S3.2.3 S3.2.4 S3.2.5 R29 holds root, descriptor, tabs and sections that have values, and files; mapped keys are lists", () => {
    expect(writeDetailCrate(SUBJECT, mappingOf(TREE))).toEqual({
      "@context": "https://w3id.org/ro/crate/1.1/context",
      "@graph": [
        {
          "@id": "./",
          "@type": "Dataset",
          title: ["琵琶湖の水温"],
          people: ["Carberry", "情報", "Hourly"],
          identifier: ["https://n2t.net/ark:99999/fk4abc"],
          datePublished: "2025-04-01",
          mainEntity: [{ "@id": "https://repo.example/records/7/files/a.csv" }],
          subjectOf: [{ "@id": "https://repo.example/records/7" }],
          hasPart: [{ "@id": "Overview/" }, { "@id": "https://repo.example/records/7/files/a.csv" }],
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

  test("S3.2.3 R29 it is a valid RO-Crate 1.1, also with names of tabs that an address cannot hold as they are", () => {
    const names = ["a b", "100%", "概要", "what?", "#1", '"x"', "[y]", "ro-crate-metadata.json"];
    const children = names.map((name) => ({ name, map: { text: { static_value: "x" } } }));
    for (const tree of [TREE, { tree_structure: { children } }])
      expect(crateFaults(writeDetailCrate(SUBJECT, mappingOf(tree)))).toEqual([]);
    const ids = JSON.stringify(writeDetailCrate(SUBJECT, mappingOf({ tree_structure: { children } })));
    expect(ids).toContain('"@id":"a%20b/"');
    expect(ids).toContain('"@id":"概要/"');
  });

  test.each([
    ["ja", "琵琶湖の水温", "概要"],
    ["ja-jp", "琵琶湖の水温", "概要"],
    ["en", "Temperatures of lake Biwa", "Overview"],
    ["fr", "Temperatures of lake Biwa", "Overview"],
  ])("R29 in the language %s the title is %s and the tab %s: as asked, else English", (language, title, tab) => {
    const graph = JSON.stringify(writeDetailCrate({ ...SUBJECT, language }, mappingOf(TREE)));
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
    const graph = JSON.stringify(writeDetailCrate({ ...SUBJECT, values }, mappingOf(TREE)));
    expect(graph).toContain('"title":["Biwa-See"]');
  });

  test("R29 several values in the language asked for are all there; in each list of names the language is chosen again", () => {
    const values = {
      "title[0].text": "水",
      "title[0].lang": "ja",
      "title[1].text": "Water",
      "title[1].lang": "en",
      "title[2].text": "温度",
      "title[2].lang": "ja",
      "creator[0].names[0].name": "Carberry",
      "creator[0].names[0].lang": "en",
      "creator[0].names[1].name": "カーベリー",
      "creator[0].names[1].lang": "ja",
      "creator[1].names[0].name": "Doe",
      "creator[1].names[0].lang": "en",
    };
    const map = {
      keywords: { value: "title.text", lang: "title.lang" },
      creator: { value: "creator.names.name", lang: "creator.names.lang" },
    };
    const mapping = readCrateMapping({ root: map }, [...FIELDS, "creator.names.lang"]);
    const root = writeCrateRoot({ ...SUBJECT, values }, mapping.root, []);
    expect([root.keywords, root.creator]).toEqual([
      ["水", "温度"],
      ["カーベリー", "Doe"],
    ]);
  });

  test("R29 `where` takes the values next to which, or around which, another field holds one of its texts", () => {
    const values = {
      "title[0].text": "One",
      "title[0].lang": "en",
      "title[1].text": "Two",
      "title[1].lang": "ja",
      "creator[0].role": "Editor",
      "creator[0].names[0].name": "Carberry",
      "creator[1].role": "Other",
      "creator[1].names[0].name": "Doe",
    };
    const map = {
      english: { value: "title.text", where: { "title.lang": ["en", "fr"] } },
      editor: { value: "creator.names.name", where: { "creator.role": "Editor" } },
      nobody: { value: "creator.names.name", where: { "creator.role": "Sponsor" } },
    };
    const root = rootWith(map, values);
    expect([root.english, root.editor, root.nobody]).toEqual([["One"], ["Carberry"], undefined]);
  });

  test("S3.2.5 R29 dates are texts, not lists: the first mapped one that is a date, else that of the item; what is mapped to subjectOf comes first", () => {
    const map = { datePublished: "summary", subjectOf: "title.text" };
    const dates = [
      ["1923", "1923"],
      ["2024-05", "2024-05"],
      ["2024-05-06", "2024-05-06"],
      ["spring", "2025-04-01"],
    ];
    for (const [written = "", shown = ""] of dates)
      expect(rootWith(map, { summary: written }).datePublished).toBe(shown);
    expect(rootWith(map, { "title[0].text": "One" }).subjectOf).toEqual(["One", { "@id": SUBJECT.landingPage }]);
  });

  test("R4 R29 a mapping without a tree has every key on the root", () => {
    const mapping = mappingOf({ root: { name: "title.text" }, file: { encodingFormat: "file.format" } });
    const crate = writeDetailCrate(SUBJECT, mapping);
    expect(crateFaults(crate)).toEqual([]);
    const texts = JSON.stringify(crate);
    expect(texts).toContain('"name":["琵琶湖の水温","Temperatures of lake Biwa"]');
    expect(texts).toContain('"encodingFormat":["text/csv"]');
  });

  test("R4 R29 dates and access that a mapping gives a file or the root are single values, and a file's access is what it is", () => {
    const mapping = mappingOf({
      root: { datePublished: "summary", additionalType: "summary" },
      file: { accessMode: "file.format", dateCreated: "file.format" },
    });
    const values = { "file[0].format": "2020" };
    const files = SUBJECT.files.map((file) => ({ ...file, values, accessMode: "open_no" }));
    const crate = writeDetailCrate({ ...SUBJECT, values: { summary: "2019" }, files }, mapping);
    expect(crateFaults(crate)).toEqual([]);
    const [file] = files;
    expect(entitiesOf(crate).get(file?.url ?? "")).toMatchObject({ accessMode: "open_no", dateCreated: "2020" });
    expect(entitiesOf(crate).get("./")).toMatchObject({ datePublished: "2019", additionalType: ["2019"] });
  });

  test.each<readonly [string, unknown, string]>([
    ["no object", 7, "roCrate 7 must be an object"],
    ["a member that is none", { tree: {} }, "roCrate.tree is unknown"],
    ["two roots", { tree_structure: {}, root: {} }, "roCrate.root is not allowed next to tree_structure"],
    ["a name with a slash", { tree_structure: { children: [{ name: "a/b" }] } }, '"a/b" must be a name without slash'],
    ["a name that leads up", { tree_structure: { children: [{ name: ".." }] } }, '".." must be a name without slash'],
    [
      "no name",
      { tree_structure: { children: [{}] } },
      "roCrate.tree_structure.children[0].name nothing must be a string",
    ],
    [
      "a key of the form",
      { tree_structure: { map: { hasPart: "summary" } } },
      "map.hasPart is given by the form itself",
    ],
    ["a path that is none", { tree_structure: { map: { a: 7 } } }, "roCrate.tree_structure.map.a 7 must be an object"],
    ["a path of nothing", { root: { a: "title.txt" } }, 'roCrate.root.a "title.txt" is not a field of this item type'],
    ["no path", { root: { a: [] } }, "roCrate.root.a must have 1 to 1000 members"],
    [
      "a language that is none",
      { root: { a: { value: "summary", lang: 1 } } },
      "roCrate.root.a.lang 1 must be a string",
    ],
    [
      "two conditions",
      { root: { a: { value: "summary", where: { summary: "a", empty: "b" } } } },
      "must name one field",
    ],
    ["a source that is none", { root: { a: { value: "summary", lung: "x" } } }, "roCrate.root.a.lung is unknown"],
    ["two of one name", { tree_structure: { children: [{ name: "a" }, { name: "a" }] } }, '"a" appears there twice'],
    [
      "more depth than types",
      { entity_types: ["root"], tree_structure: { children: [{ name: "a" }] } },
      "is nested deeper than entity_types has types",
    ],
    [
      "too many entities",
      { tree_structure: { children: Array.from({ length: 1_001 }, (_, at) => ({ name: `n${at}` })) } },
      "is one entity more than 1000",
    ],
  ])("R4 R29 refuses %s, naming the place", (_what, mapping, message) => {
    const read = () => readItemType({ ...NOTES, roCrate: mapping }, { id: 9, version: 1 });
    expect(read).toThrow(Refusal);
    expect(read).toThrow("Cannot read the item type: ");
    expect(read).toThrow(message);
  });

  test("R4 an item type may have no mapping", () => {
    expect(readItemType({ ...NOTES }, { id: 9, version: 1 }).roCrate).toBe(null);
  });
});
