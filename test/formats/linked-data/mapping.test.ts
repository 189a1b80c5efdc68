// Mapping definitions: what an administrator may store, what is refused and why, and what they do in both directions
// (R14).
import { describe, expect, test } from "bun:test";
import { SHIPPED_ITEM_TYPES } from "../../../src/assets/item-types/index.ts";
import { SHIPPED_MAPPINGS } from "../../../src/assets/mappings/index.ts";
import { openSingle } from "../../../src/formats/json-ld/graph.ts";
import { compileMapping } from "../../../src/formats/mapping/compile.ts";
import { mappingNeedsOf } from "../../../src/formats/mapping/item-type.ts";
import { readMapped } from "../../../src/formats/mapping/read.ts";
import { writeMapped } from "../../../src/formats/mapping/write.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import type { Json } from "../../../src/shared/json/json.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { agentOf } from "../../support/cited-items.ts";

const TODAY = "2026-05-01";

function mapped(definition: Json, entity: { readonly [key: string]: Json }) {
  return readMapped(compileMapping(definition), entity, openSingle(entity), TODAY);
}

/** The members that are filled. */
function filledOf(metadata: Metadata): Partial<Metadata> {
  const members = Object.entries(metadata).filter(([key, value]) => {
    const empty = Object.entries(EMPTY_METADATA).find(([name]) => name === key)?.[1];
    return JSON.stringify(value) !== JSON.stringify(empty);
  });
  return Object.fromEntries(members);
}

describe("R14 Mapping definitions", () => {
  test("R14 the plain form: one object of targets and keys, `$` before a constant", () => {
    const definition = {
      "titles[].value": "dc:title.value",
      "titles[].lang": "dc:title.language",
      "type.id": "$other",
      versionLabel: "v",
      "custom:7:item_1.note": "note",
      pubdate: "$(today)",
    };
    const entity = { "dc:title": [{ value: "題", language: "ja" }, { value: "T" }], v: 3, note: { deep: [1] } };
    const { metadata, pubdate } = mapped(definition, entity);
    expect(filledOf(metadata)).toEqual({
      titles: [
        { value: "題", lang: "ja", kind: "main" },
        { value: "T", kind: "main" },
      ],
      type: { id: "other" },
      versionLabel: "3",
      custom: { "7:item_1.note": { deep: [1] } },
    });
    expect(pubdate).toBe(TODAY);
  });

  test("R14 of several rules the first that finds something counts, and filters take and give", () => {
    const rules = [
      { "identifiers[scheme=DOI].value": "identifier[propertyID=doi].value" },
      { "titles[kind=main].value": "missing" },
      { "titles[kind=main].value": "name[]" },
      { "titles[kind=main].value": "title[]" },
      { "titles[kind=other].value": "title[]" },
    ];
    const entity = {
      identifier: [
        { propertyID: "doi", value: "10.5555/x" },
        { propertyID: "local", value: "9" },
      ],
      name: ["A", "B"],
      title: "C",
    };
    expect(filledOf(mapped({ rules }, entity).metadata)).toEqual({
      identifiers: [{ scheme: "DOI", value: "10.5555/x" }],
      titles: [
        { value: "A", kind: "main" },
        { value: "B", kind: "main" },
        { value: "C", kind: "other" },
      ],
    });
  });

  test("R14 lists within lists keep together what belongs together, and are written back the same", () => {
    const definition = {
      "creators[].names[].family": "author[].names[].last",
      "creators[].names[].lang": "author[].names[].language",
      "creators[].ids[].value": "author[].orcid[]",
      "creators[].ids[].scheme": "$ORCID",
      "containers[].volume": "volume",
      "containers[].titles[].value": "journal[]",
      datasetSeries: "isSeries",
    };
    const entity = {
      author: [
        {
          names: [
            { last: "情報", language: "ja" },
            { last: "Joho", language: "en" },
          ],
          orcid: "0000-0002-1825-0097",
        },
        { names: { last: "Solo" } },
      ],
      volume: "12",
      journal: ["J"],
      isSeries: "true",
    };
    const { metadata } = mapped(definition, entity);
    const agent = agentOf({ kind: null });
    expect(filledOf(metadata)).toEqual({
      creators: [
        {
          ...agent,
          names: [
            { family: "情報", lang: "ja" },
            { family: "Joho", lang: "en" },
          ],
          ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097" }],
        },
        { ...agent, names: [{ family: "Solo" }] },
      ],
      containers: [{ titles: [{ value: "J" }], ids: [], volume: "12", place: "flat" }],
      datasetSeries: true,
    });
    expect(writeMapped(compileMapping(definition), metadata, null)).toEqual({
      author: entity.author,
      volume: "12",
      journal: "J",
      isSeries: true,
    });
  });

  test.each<readonly [string, Json, string]>([
    ["no object", [], "it is not an object"],
    ["rules that are not a list", { rules: {} }, "rules is not an array"],
    ["a rule that is not an object", { rules: [1] }, "rules[0] is not an object"],
    ["a source that is not text", { versionLabel: 5 }, '"versionLabel": 5 is not text'],
    ["an unknown target", { "nonsense.x": "a" }, '"nonsense.x": neither the metadata nor the item type has "nonsense"'],
    ["an unknown part", { "titles[].nonsense": "a" }, '"titles[].nonsense": the metadata has no "nonsense" there'],
    ["a part of a text", { "versionLabel.x": "a" }, '"versionLabel.x": there is nothing below versionLabel'],
    ["a filter on what is not a list", { "apc[kind=x]": "a" }, '"apc[kind=x]": apc is not a list'],
    ["a filter nothing can have", { "titles[kind=x].value": "a" }, '"x" cannot be kind'],
    ["a filter on an unknown part", { "titles[q=x].value": "a" }, 'the metadata has no "q" there'],
    [
      "an unknown conversion",
      { creators: "a[] | person" },
      '"creators": unknown conversion "person"; the conversions are plain, text',
    ],
    ["two conversions", { creators: "a | agent | text" }, '"a | agent | text" names more than one conversion'],
    [
      "a conversion that does not fit",
      { creators: "a[] | text" },
      '"creators": the conversion does not fit: creators has no member',
    ],
    [
      "a whole object without conversion",
      { creators: "a[]" },
      '"creators": name the conversion that makes the whole object',
    ],
    ["a constant for an object", { creators: "$x" }, '"creators": a constant cannot be a whole object'],
    ["a constant that cannot be", { "titles[].value": "a", "titles[].kind": "$first" }, '"titles[].kind": "first"'],
    [
      "a whole and its parts",
      { creators: "a[] | agent", "creators[].role": "b" },
      '"creators": it is mapped as a whole and in parts',
    ],
    [
      "parts from different lists",
      { "titles[].value": "a[].x", "titles[].lang": "b[].y" },
      '"titles[].value": its parts come from different lists',
    ],
    ["a path that is none", { versionLabel: "a..b" }, '"versionLabel": "a..b" is not a path'],
    ["a path through the prototype", { versionLabel: "a.__proto__.b" }, '"a.__proto__.b" is not a path'],
    ["a path without end", { versionLabel: `${"a.".repeat(20)}a` }, "has more than 12 steps"],
    ["custom without a key", { "custom:": "a" }, "a custom target is custom:<item type id>:<property path>"],
    [
      "more rules than anybody writes",
      { rules: Array.from({ length: 1_001 }, () => ({})) },
      "it has 1001 rules, the maximum is 1000",
    ],
  ])("R14 refuses %s, naming it", (_what, definition, message) => {
    expect(() => compileMapping(definition)).toThrow(Refusal);
    expect(() => compileMapping(definition)).toThrow(message);
  });

  test("R14 the shipped mappings are called sword-default and ro-crate-default and compile", () => {
    expect(SHIPPED_MAPPINGS.map((each) => [each.name, each.kind])).toEqual([
      ["ro-crate-default", "ro-crate"],
      ["sword-default", "sword"],
    ]);
    for (const { definition } of SHIPPED_MAPPINGS) {
      expect(compileMapping(definition as Json).heads.length).toBeGreaterThan(50); // Our own JSON
    }
  });
});

describe("R4 R14 Mapping definitions in the words of an item type", () => {
  const itemType = readItemType(SHIPPED_ITEM_TYPES[0]);
  const needs = mappingNeedsOf(itemType);
  const required = { PubDate: "$(today)", "Resource Type.Resource Type": "$dataset" };

  test("R4a R14 labels in either language and property paths name the fields", () => {
    const group = itemType.groups.find((each) => each.label.en === "Heading");
    const [heading] = group?.fields.filter((field) => field.label.en === "Banner Headline") ?? [];
    const mapping = compileMapping(
      {
        ...required,
        "Title.Title": "dc:title.value",
        "タイトル.言語": "dc:title.language",
        "item_1617186702042[0].subitem_1551255818386": "lang[]",
        [heading?.path ?? ""]: "headline",
      },
      needs,
    );
    const entity = { "dc:title": { value: "題", language: "ja" }, lang: ["jpn", "eng"], headline: "Big" };
    const { metadata, pubdate } = readMapped(mapping, entity, openSingle(entity), TODAY);
    expect(filledOf(metadata)).toEqual({
      titles: [{ value: "題", lang: "ja", kind: "main" }],
      languages: ["jpn", "eng"],
      type: { id: "dataset", label: "dataset" },
      custom: { [`${itemType.id}:${heading?.path}`]: "Big" },
    });
    expect(pubdate).toBe(TODAY);
  });

  test("R14 every required field must be mapped", () => {
    expect(() => compileMapping(required, needs)).toThrow('"Title" is required.');
    for (const { definition } of SHIPPED_MAPPINGS) {
      expect(compileMapping(definition as Json, needs).heads.length).toBeGreaterThan(50); // Our own JSON
    }
  });

  test("R14 a label the item type does not have is refused", () => {
    expect(() => compileMapping({ ...required, "Title.Colour": "a" }, needs)).toThrow(
      '"Title.Colour": neither the metadata nor the item type has "Title"',
    );
  });

  test("R4 every field of the shipped item types that holds a value can be named by its path", () => {
    for (const each of SHIPPED_ITEM_TYPES) {
      const type = readItemType(each);
      const { resolve } = mappingNeedsOf(type);
      for (const group of type.groups.filter((candidate) => !candidate.system)) {
        const leaves = group.fields.length === 0 ? [group] : group.fields.filter((field) => field.kind === "text");
        for (const leaf of leaves.filter(
          (field) => field.metadataPath?.kind !== "constant" && field.kind !== "markup",
        )) {
          const target = resolve?.(leaf.path) ?? null;
          expect([leaf.path, target === null]).toEqual([leaf.path, false]);
          expect(() => compileMapping({ [target ?? ""]: "key" })).not.toThrow();
        }
      }
    }
  });
});
