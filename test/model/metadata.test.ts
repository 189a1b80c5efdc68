// The annotations of the canonical metadata (R3): what they name is there.
import { describe, expect, test } from "bun:test";
import { Kind, type TSchema } from "@sinclair/typebox";
import { SHIPPED_TYPES } from "../../src/assets/vocabularies/index.ts";
import { ELEMENTS } from "../../src/formats/jpcoar/schema.ts";
import { ITEM_SHAPE } from "../../src/model/item-types/form-shape.ts";
import { annotationsOf, Metadata } from "../../src/model/metadata/metadata.ts";

/** Every schema within a schema, the schema itself first. */
function* within(schema: TSchema): Generator<TSchema> {
  yield schema;
  const inner: readonly TSchema[] =
    schema[Kind] === "Object"
      ? Object.values(schema.properties)
      : schema[Kind] === "Array"
        ? [schema.items]
        : (schema.anyOf ?? []);
  for (const each of inner) yield* within(each);
}

const members = Object.entries<TSchema>(Metadata.properties);

describe("the annotations of the metadata", () => {
  test("R3 every JPCOAR element that a member names is one, and every element of a record belongs to a member", () => {
    const named = members.flatMap(([, schema]) => annotationsOf(schema).jpcoar ?? []);
    const children = (ELEMENTS["jpcoar:jpcoar"]?.children ?? []).map(([name]) => name);
    // The first belongs to JPCOAR 1.0, the second is written from the files.
    expect(named.filter((name) => !children.includes(name))).toEqual(["rioxxterms:apc"]);
    expect(children.filter((name) => !named.includes(name))).toEqual(["jpcoar:file"]);
  });

  test("R3 R6a every vocabulary that is named is one of those the product brings along", () => {
    // Awards are loaded from public dumps, none come along.
    const types = new Set([...SHIPPED_TYPES, "awards"]);
    const named = [...within(Metadata)].flatMap((schema) => annotationsOf(schema).vocabulary ?? []);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((type) => !types.has(type))).toEqual([]);
  });

  test("R4 every member without which an element has no meaning is a member that forms see", () => {
    for (const schema of within(Metadata)) {
      const { needs = [] } = annotationsOf(schema);
      for (const name of needs.flat()) expect(Object.keys(schema.properties)).toContain(name);
    }
  });

  test("R4 forms see the members of the model that are theirs, and and the files and the day", () => {
    const unseen = members.filter(([name]) => !Object.hasOwn(ITEM_SHAPE.members, name)).map(([name]) => name);
    expect(unseen).toEqual(["datasetSeries", "catalog", "references", "custom", "extra"]);
    expect(ITEM_SHAPE.members.subjects).toEqual({
      list: {
        members: {
          id: "value",
          text: { members: { value: "value", lang: "value" }, fill: {}, needs: [["value"]] },
          scheme: "value",
          uri: "value",
        },
        fill: {},
        needs: [["text", "uri", "id"]],
      },
    });
    expect(ITEM_SHAPE.members.publishers).toMatchObject({ list: { fill: { names: [], publisherType: "dc" } } });
    expect(ITEM_SHAPE.members.descriptions).toMatchObject({ list: { fill: { kind: "Other", html: false } } });
    expect(ITEM_SHAPE.members.titles).toMatchObject({ list: { members: { kind: "marker" }, fill: { kind: "main" } } });
  });
});
