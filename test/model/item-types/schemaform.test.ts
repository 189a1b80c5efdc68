// The shipped item types and the form definition printed from them (R4).

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { SHIPPED_ITEM_TYPES } from "../../../src/assets/item-types/index.ts";
import { valueFields } from "../../../src/model/item-types/definition.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";
import { toSchemaform } from "../../../src/model/item-types/schemaform.ts";
import { FULL, SIMPLE } from "./support.ts";

describe("the shipped item types", () => {
  test("R4 the full type has 42 groups, begins with the publication date and ends with the file information", () => {
    expect(FULL.groups.length).toBe(42);
    expect(FULL.groups[0]?.key).toBe("pubdate");
    expect(FULL.groups[41]?.key).toBe("system_file");
  });

  test("R4 a title and a resource type are required by both, and labels are in both languages", () => {
    for (const type of [FULL, SIMPLE]) {
      const required = type.groups.filter((group) => group.required).map((group) => group.jpcoar);
      expect(required).toEqual([null, "dc:title", "dc:type"]);
      for (const group of type.groups) expect(group.label.ja === undefined ? group.key : null).toBe(null);
    }
  });

  test("R4a Heading alone has fields without a metadata path in the full type", () => {
    const shown = FULL.groups.filter((group) => !group.system);
    const homeless = shown.flatMap(valueFields).filter((field) => field.metadataPath === null);
    expect(homeless.map((field) => field.path.split(".")[0])).toEqual(Array(3).fill("item_1617620223087"));
  });

  test("R29 each shipped type has an RO-Crate mapping with a name and files", () => {
    for (const type of [FULL, SIMPLE]) {
      expect(type.roCrate?.root.has("name")).toBe(true);
      expect(type.roCrate?.tabs.length).toBeGreaterThan(1);
      expect(type.roCrate?.file.has("encodingFormat")).toBe(true);
    }
  });
});

describe("toSchemaform()", () => {
  test("R4 prints a repeating group with its add button and its fields below it", () => {
    expect(toSchemaform(SIMPLE)[5]).toEqual({
      key: "language",
      title: "Language",
      title_i18n: { en: "Language", ja: "言語" },
      add: "New",
      style: { add: "btn-success" },
      items: [
        {
          key: "language[].code",
          title: "Language",
          title_i18n: { en: "Language", ja: "言語" },
          title_i18n_temp: { en: "Language", ja: "言語" },
          type: "select",
          titleMap: [
            "jpn",
            "eng",
            "zho",
            "kor",
            "fra",
            "deu",
            "spa",
            "ita",
            "por",
            "rus",
            "ara",
            "lat",
            "mul",
            "und",
            "zxx",
          ].map((value) => ({ name: value, value })),
        },
      ],
    });
  });
});

const SAMPLE = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "..", "shared"),
  "data/item-types/schemaform-doc-sample.json",
);

if (existsSync(SAMPLE)) {
  describe("the form of existing repositories", () => {
    test("R4 the full type prints every one of its 42 groups as it is there", () => {
      const strays = new Set(["item_1662046377046", "item_1617186331709"]);
      const sample: readonly { readonly key: string }[] = JSON.parse(readFileSync(SAMPLE, "utf8"));
      const groups = sample.filter((group) => !strays.has(group.key));
      const printed = toSchemaform(FULL);
      expect(printed.length).toBe(groups.length);
      for (const [index, group] of groups.entries()) expect(printed[index]).toEqual(group as never);
    });
  });
} else {
  console.log(`${SAMPLE} is missing: the form definition is not compared with that of existing repositories`);
}

describe("readItemType()", () => {
  const with_ = (change: (type: Record<string, unknown>) => void): (() => unknown) => {
    const copy = structuredClone(SHIPPED_ITEM_TYPES[1]) as Record<string, unknown>;
    change(copy);
    return () => readItemType(copy);
  };
  const group = (more: object): Record<string, unknown> => ({ key: "g", label: { en: "G" }, kind: "text", ...more });

  test("R4 keeps the id and version the repository stores a type under", () => {
    expect(readItemType(SHIPPED_ITEM_TYPES[1], { id: 40, version: 3 })).toMatchObject({ id: 40, version: 3 });
  });

  test("R4 refuses a place the canonical metadata does not have, naming it", () => {
    expect(
      with_((type) => {
        type.groups = [group({ place: "titels" })];
      }),
    ).toThrow('Cannot read the item type: groups[0].place "titels" names nothing in the canonical metadata');
    expect(
      with_((type) => {
        type.groups = [group({ place: "titles" })];
      }),
    ).toThrow("holds more than one value");
    expect(
      with_((type) => {
        type.groups = [
          { ...group({ repeatable: true, place: "titles", fields: [group({ place: "kind" })] }), kind: undefined },
        ];
      }),
    ).toThrow('groups[0].fields[0].place "kind" is not written by a field');
    expect(
      with_((type) => {
        type.groups = [group({ place: "custom" })];
      }),
    ).toThrow("names nothing");
  });

  test.each([
    ['groups[0].key "__proto__"', { key: "__proto__" }],
    ['groups[0].key "constructor"', { key: "constructor" }],
    ['groups[0].key ""', { key: "" }],
    ['groups[0].kind "blob" must be one of', { kind: "blob" }],
    ['groups[0].choices "nowhere" names no list', { choices: "nowhere" }],
    ['groups[0].aliases "b" is not one of the choices', { choices: ["c"], aliases: { a: "b" } }],
    ['groups[0].colour "red" is unknown', { colour: "red" }],
    ["groups[0].fields 0 must be there", { fields: [], kind: undefined }],
    ["may have 2000 characters at most", { label: { en: "x".repeat(2_001) } }],
    ["is for groups", { repeatable: true }],
  ] as const)("R4 refuses a field of which it must state: %s", (message, more) => {
    expect(
      with_((type) => {
        type.groups = [group(more)];
      }),
    ).toThrow(message);
  });

  test("R4 refuses two groups with one key, and more groups than the limit", () => {
    expect(
      with_((type) => {
        type.groups = [group({}), group({})];
      }),
    ).toThrow('groups "g" appears twice');
    const many = Array.from({ length: 201 }, (_, index) => group({ key: `g${index}` }));
    expect(
      with_((type) => {
        type.groups = many;
      }),
    ).toThrow("must be 1 to 200 groups");
  });

  test("R4 reads the example of docs/item-types.md", () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../docs/item-types.md"), "utf8");
    const [, example = ""] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
    expect(readItemType(JSON.parse(example)).groups.map((group) => group.key)).toEqual(["pubdate", "title", "print"]);
  });

  test("R4 refuses what is not a definition at all", () => {
    for (const json of [null, [], 3, {}, { format: "else" }])
      expect(() => readItemType(json)).toThrow("Cannot read the item type");
  });
});
