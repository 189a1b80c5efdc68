// Canonical metadata of every shape, generated from its schema: for properties that must hold whatever the content of
// an item (R3).
import { Kind, type TSchema } from "@sinclair/typebox";
import fc from "fast-check";
import { Metadata } from "../../src/model/metadata/metadata.ts";
import { isMetadata } from "../../src/model/metadata/metadata-schema.ts";

/** Words as people and machines write them, also those that look like something else. */
const TEXTS = fc.oneof(
  fc.constantFrom(
    "データ",
    "Taro",
    "情報, 太郎",
    "https://doi.org/10.5555/x",
    "10.5555/abc",
    "2024",
    "true",
    "#local",
    "./",
  ),
  fc.constantFrom(
    "0000-0002-1825-0097",
    "https://orcid.org/0000-0002-1825-0097",
    "ark:99999/x1",
    "main",
    "ja",
    " a ",
    "",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => text.isWellFormed() && !text.includes("\0")),
);
const LANGUAGES = fc.constantFrom("en", "ja", "ja-Kana", "");
const FREE = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value))); // -0 becomes 0

function arbitrary(schema: TSchema, name: string): fc.Arbitrary<unknown> {
  switch (schema[Kind]) {
    case "String":
      return name === "lang" ? LANGUAGES : TEXTS;
    case "Boolean":
      return fc.boolean();
    case "Number":
      return fc.integer({ min: 1, max: 1_000_000 });
    case "Null":
      return fc.constant(null);
    case "Literal":
      return fc.constant(schema.const);
    case "Any":
      return FREE;
    case "Union":
      return fc.oneof(...schema.anyOf.map((each: TSchema) => arbitrary(each, name)));
    case "Array":
      return fc.array(arbitrary(schema.items, name), { maxLength: 3 });
    case "Record":
      return fc.dictionary(fc.constantFrom("30002:item_1.a", "svc:names", "__proto__", "x:y"), FREE);
    default: {
      const required: readonly string[] = schema.required ?? [];
      const members: Record<string, fc.Arbitrary<unknown>> = {};
      for (const [key, each] of Object.entries<TSchema>(schema.properties)) members[key] = arbitrary(each, key);
      return fc.record(members, { requiredKeys: [...required] });
    }
  }
}

export const arbitraryMetadata: fc.Arbitrary<Metadata> = arbitrary(Metadata, "").filter(isMetadata);
