// Schemas of the tools as foreign clients need them (R30; reference 4.3): what the inspector of the protocol calls
// portable, and what a strict validator takes. The inspector itself is too heavy to come along; its rules are here in
// our words.
import { describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import { readArguments } from "../../../src/repository/tools/tool-input.ts";
import { toolList } from "../../../src/repository/tools/tool-server.ts";
import { HTTP_TOOLS, STDIO_TOOLS } from "../../../src/repository/tools/tool-table.ts";

type Schema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Words whose value is a schema, several by name, or several in a row. */
const ONE = ["items", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties"];
const NAMED = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const ROW = ["anyOf", "oneOf", "allOf", "prefixItems"];
/** Words that state nothing of what a value is. */
const ABOUT = new Set([
  "description",
  "title",
  "default",
  "examples",
  "$comment",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/**
 * What a client may stumble over: several types in one place, a reference elsewhere, a schema without rules, `true` in
 * place of one.
 */
function problems(schema: unknown, path: string, isFree = false): string[] {
  if (!isSchema(schema)) return isFree ? [] : [`${path}: no schema`];
  const rules = Object.keys(schema).filter((word) => !ABOUT.has(word));
  const own = [
    ...(Array.isArray(schema.type) ? [`${path}: several types`] : []),
    ...(typeof schema.$ref === "string" && !schema.$ref.startsWith("#") ? [`${path}: a reference elsewhere`] : []),
    ...(rules.length === 0 ? [`${path}: has no rules`] : []),
  ];
  const inner: [unknown, string, boolean][] = [
    ...ONE.filter((word) => word in schema).map((word): [unknown, string, boolean] => [
      schema[word],
      `${path}.${word}`,
      word === "additionalProperties",
    ]),
    ...[...NAMED, ...ROW].flatMap((word) =>
      Object.entries(schema[word] ?? {}).map(([name, each]): [unknown, string, boolean] => [
        each,
        `${path}.${word}.${name}`,
        false,
      ]),
    ),
  ];
  return [...own, ...inner.flatMap(([each, at, free]) => problems(each, at, free))];
}

describe.each([
  ["HTTP", HTTP_TOOLS, 33],
  ["stdio", STDIO_TOOLS, 12],
] as const)("R30 schemas of the tools over %s", (_, definitions, count) => {
  // As they are sent: without the marks of the builder.
  const tools = JSON.parse(JSON.stringify(toolList(definitions, []).list(() => true))) as {
    readonly name: string;
    readonly inputSchema: Schema;
    readonly outputSchema: Schema;
  }[];

  test("S3.7.103: are portable by the rules of the inspector, every part of them", () => {
    expect(tools.length).toBe(count);
    const found = tools.flatMap(({ name, inputSchema, outputSchema }) => [
      ...problems(inputSchema, `${name}.input`),
      ...problems(outputSchema, `${name}.output`),
    ]);
    expect(found).toEqual([]);
    for (const { inputSchema, outputSchema } of tools) {
      expect([inputSchema.type, inputSchema.additionalProperties, outputSchema.type]).toEqual([
        "object",
        false,
        "object",
      ]);
    }
  });

  test("S3.7.103: are taken by a strict validator of the dialect of 2020-12, and their defaults fit them", () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      const ajv = new Ajv2020({ strict: true, strictRequired: false });
      ajv.compile(outputSchema);
      const fits = ajv.compile(inputSchema);
      const needed = Object.fromEntries(
        ((inputSchema.required ?? []) as string[]).map((each) => {
          const { type } = (inputSchema.properties as Record<string, Schema>)[each] ?? {};
          return [each, type === "integer" ? 1 : type === "object" ? {} : "accept"];
        }),
      );
      const input = definitions.find((tool) => tool.name === name)?.input;
      if (input === undefined) throw new Error(`There is no ${name}`);
      const read = readArguments(input, needed);
      expect([name, "args" in read && fits(read.args), fits.errors]).toEqual([name, true, null]);
    }
  });
});

test("S3.7.103: the rules find what they are for", () => {
  const wrong = {
    type: "object",
    properties: {
      a: { type: ["string", "null"] },
      b: { description: "anything" },
      c: true,
      d: { $ref: "https://e.example/s" },
      e: { type: "array", items: {} },
      f: { anyOf: [{ type: "string" }, {}] },
    },
    additionalProperties: true,
  };
  expect(problems(wrong, "x")).toEqual([
    "x.properties.a: several types",
    "x.properties.b: has no rules",
    "x.properties.c: no schema",
    "x.properties.d: a reference elsewhere",
    "x.properties.e.items: has no rules",
    "x.properties.f.anyOf.1: has no rules",
  ]);
});
