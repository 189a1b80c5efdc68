// Items of the repository as RO-Crate and under the labels of their forms (specification 3, "RO-Crate object", "Item
// detail response"; R2g, R3, R4, R29): whatever an item contains, in whichever language it is asked for.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ItemTypeDefinition } from "../../../src/model/item-types/definition.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";
import type { ItemContent } from "../../../src/model/items/item.ts";
import {
  type CrateNeeds,
  crateRoots,
  formOf,
  hitCrate,
  itemCrate,
} from "../../../src/repository/search/detail/item-crate.ts";
import { labelledMetadata } from "../../../src/repository/search/detail/labelled-metadata.ts";
import { ARTICLE, FULL, SIMPLE } from "../../model/item-types/support.ts";
import { arbitraryMetadata } from "../../support/arbitrary-metadata.ts";
import { agentOf } from "../../support/cited-items.ts";
import { crateFaults, entitiesOf } from "../../support/crate-rules.ts";
import { giantAt } from "../../support/giant-metadata.ts";
import { aContent, aFile, titled } from "../../support/world/items.ts";

const itemOf = (content: Partial<ItemContent>, privileged = false) => ({
  id: 7,
  ark: "https://n2t.net/ark:99999/fk4abc",
  content: aContent(content),
  privileged,
});
function needsOf(definition: ItemTypeDefinition, language = "en"): CrateNeeds {
  const mapping = definition.roCrate;
  if (mapping === null) throw new Error("The type has a mapping");
  return { definition, mapping, language, baseUrl: "https://repo.example.org" };
}
const rootOf = (crate: unknown) => entitiesOf(crate).get("./") ?? {};

describe("itemCrate()", () => {
  test("R29 S3.2.3 whatever an item contains, its crate is a valid RO-Crate 1.1, by both shipped types, in any language", () => {
    const languages = fc.constantFrom("en", "ja", "ja-kana", "fr", "zh-tw", "__proto__", "x");
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }), { maxLength: 4 });
    fc.assert(
      fc.property(
        arbitraryMetadata,
        fc.constantFrom(FULL, SIMPLE),
        languages,
        names,
        fc.boolean(),
        (metadata, type, language, files, own) => {
          const item = itemOf({ metadata, files: files.map((name) => aFile(name)) }, own);
          const crate = itemCrate(needsOf(type, language), item);
          expect(crateFaults(crate)).toEqual([]);
          expect(Object.keys(labelledMetadata(formOf(item, type), type, language))[0]).toBe("Item Type");
          expect(JSON.parse(JSON.stringify(crate))).toEqual(crate);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("R2g S3.2.6 addresses of people are in neither, unless the caller is privileged", () => {
    const metadata = { ...ARTICLE, custom: { "1:item_1617620223087[0].subitem_1565671169640": "ask bob@example.org" } };
    for (const privileged of [false, true]) {
      const item = itemOf({ metadata }, privileged);
      const json = JSON.stringify([itemCrate(needsOf(FULL), item), labelledMetadata(formOf(item, FULL), FULL, "en")]);
      expect([json.includes("taro@example.org"), json.includes("bob@example.org")]).toEqual([privileged, privileged]);
    }
  });

  test("R3 R29 a name without a whole one is put together; what a form has no choice for is shown as it is", () => {
    const metadata = {
      ...titled("One"),
      creators: [
        agentOf({ names: [{ family: "山田", given: "花子", lang: "ja" }] }),
        agentOf({ names: [{ family: "Doe", given: "Ada" }] }),
      ],
      subjects: [{ text: { value: "Tides" }, scheme: "Our own scheme" }],
    };
    const root = rootOf(itemCrate(needsOf(FULL), itemOf({ metadata })));
    expect([root.creator, root.keywords]).toEqual([["山田 花子", "Doe, Ada"], ["Tides"]]);
  });

  test("R29 descriptions and dates are under keys of their kind", () => {
    const metadata = {
      ...titled("One"),
      descriptions: [
        { value: "What it is", kind: "Abstract" as const, html: false },
        { value: "How it was made", kind: "Methods" as const, html: false },
      ],
      dates: [
        { date: "2020-01-02", type: "Created" },
        { date: "2021-03", type: "Issued" },
      ],
    };
    for (const type of [FULL, SIMPLE]) {
      const root = rootOf(itemCrate(needsOf(type), itemOf({ metadata })));
      expect([root.abstract, root.description, root.dateCreated, root.datePublished]).toEqual([
        ["What it is"],
        ["What it is", "How it was made"],
        ["2020-01-02"],
        "2021-03",
      ]);
    }
  });

  test("R9a a hit of a very long item is cut, and as valid; others are whole", () => {
    const needs = needsOf(FULL);
    const long = itemOf({
      metadata: giantAt("creators", 10_000, false),
      files: Array.from({ length: 1_000 }, (_, at) => aFile(`${at}.txt`)),
    });
    const hit = hitCrate(needs, long);
    expect(crateFaults(hit)).toEqual([]);
    expect(JSON.stringify(hit).length).toBeLessThan(500_000);
    const { creator, mainEntity } = crateRoots(needs, new Set(["creator", "mainEntity"]))(long);
    expect([creator, mainEntity]).toEqual([rootOf(hit).creator, rootOf(hit).mainEntity] as never);
    const short = itemOf({ metadata: ARTICLE, files: [aFile("a.txt")] });
    expect(hitCrate(needs, short)).toEqual(itemCrate(needs, short));
  });

  test("S3.3.3 R29 the root that lists are made of is that of the crate, for every key alone", () => {
    const item = itemOf({ metadata: ARTICLE, files: [aFile("a.txt"), aFile("b.txt")] });
    const whole = rootOf(itemCrate(needsOf(FULL, "ja"), item));
    for (const key of Object.keys(whole).filter((each) => each !== "hasPart")) {
      const root = crateRoots(needsOf(FULL, "ja"), new Set([key]))(item);
      expect({ [key]: root[key] }).toEqual({ [key]: whole[key] } as never);
    }
  });
});

describe("labelledMetadata()", () => {
  test("S3.2.6 fields and groups with one label stay apart, and none is taken for a member of the answer", () => {
    const group = (key: string, en: string) => ({ key, label: { en }, kind: "text" });
    const type = readItemType(
      {
        format: "arkstone-item-type-1",
        name: { en: "T" },
        groups: [group("a", "Same"), group("b", "Same"), group("c", "Item Type"), group("d", "__proto__")],
      },
      { id: 9, version: 1 },
    );
    const custom = Object.fromEntries(["a", "b", "c", "d"].map((key) => [`9:${key}`, `value ${key}`]));
    const item = itemOf({ metadata: { ...titled("One"), custom } });
    expect(Object.entries(labelledMetadata(formOf(item, type), type, "en"))).toEqual([
      ["Item Type", "T"],
      ["Same", ["value a"]],
      ["Same (b)", ["value b"]],
      ["Item Type (c)", ["value c"]],
      ["__proto__", ["value d"]],
    ]);
  });
});
