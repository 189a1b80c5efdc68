// The types of the client that are written from an interface description (R32).
import { expect, test } from "bun:test";
import client from "../../client/package.json" with { type: "json" };
import program from "../../package.json" with { type: "json" };
import { clientTypes, typeOf } from "../../src/main/openapi/client-types.ts";
import type { JsonObject } from "../../src/shared/json/read.ts";

const text = { type: "string" };

test.each([
  [{ $ref: "#/components/schemas/RecordError" }, "RecordError"],
  [{ const: "a" }, '"a"'],
  [{ enum: ["a", 2, null] }, '"a" | 2 | null'],
  [{ anyOf: [text, { type: "null" }, text] }, "string | null"],
  [{ type: ["integer", "null"] }, "number | null"],
  [{ allOf: [{ $ref: "#/a/A" }, { type: "object", properties: { b: text } }] }, "(A) & ({\nreadonly b?: string;\n})"],
  [{ allOf: [{ $ref: "#/a/A" }], description: "x" }, "A"],
  [{ type: "array", items: { enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
  [{ type: "string", format: "binary" }, "RequestBytes"],
  [{ type: "object", properties: { "a-b": text }, required: ["a-b"] }, '{\nreadonly "a-b": string;\n}'],
  [
    { type: "object", properties: { a: text }, additionalProperties: true },
    "{\nreadonly a?: string;\nreadonly [member: string]: unknown;\n}",
  ],
  [{ type: "object", patternProperties: { "^x": { type: "number" } } }, "{\nreadonly [member: string]: number;\n}"],
  [{ type: "object", properties: {}, additionalProperties: false }, "{ readonly [member: string]: never }"],
  [{}, "unknown"],
])("R32 the schema %j is the type %s", (schema, expected) => {
  expect(typeOf(schema)).toBe(expected);
});

const json = (schema: JsonObject) => ({ content: { "application/json": { schema } } });

test("R32 two operations with one id are refused, and a shape with the name of a response", () => {
  const get = { operationId: "readThing", responses: {} };
  const paths = { "/things/{id}": { get }, "/thing": { get } };
  expect(() => clientTypes({ paths })).toThrow("Two operations are named readThing");
  const components = { schemas: { Response: text } };
  expect(() => clientTypes({ paths: {}, components })).toThrow("A shape cannot be named Response");
});

test("R32 the client has the version of the program", () => {
  expect(client.version).toBe(program.version);
});

test("R32 an operation is a member with its input and answer, and a row of the table", () => {
  const document = {
    paths: {
      "/things/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        put: {
          operationId: "saveThing",
          summary: "Save it",
          parameters: [{ name: "If-Match", in: "header", schema: text }],
          requestBody: {
            required: true,
            content: {
              "application/ld+json": {},
              "application/json": { schema: { $ref: "#/components/schemas/Thing" } },
            },
          },
          responses: { 200: json({ $ref: "#/components/schemas/Thing" }), 204: {}, 404: json(text) },
        },
        get: {
          operationId: "listThing",
          parameters: [{ $ref: "#/components/parameters/page" }],
          responses: { 200: { content: { "text/csv": { schema: text } } } },
        },
        delete: { operationId: "deleteThing", responses: { 204: { description: "Gone */ now" } } },
      },
    },
    components: {
      schemas: { Thing: { type: "object", properties: { name: text } } },
      parameters: { page: { name: "page", in: "query", schema: { type: "integer" } } },
    },
  };
  const lines = clientTypes(document).split("\n");
  const from = (start: string, end: string): string[] =>
    lines.slice(lines.indexOf(start) + 1, lines.indexOf(end, lines.indexOf(start)));
  expect(lines).toContain("export type Thing = {");
  expect(from("readonly saveThing: {", "};")).toEqual(["readonly path: {", "readonly id: string | number;"]);
  expect(lines).toContain("/** Save it. */");
  expect(lines).toContain("readonly body: Thing | RequestBytes;");
  expect(lines).toContain("readonly answer: Thing | undefined;");
  expect(lines).toContain('readonly "If-Match"?: string;');
  expect(from("export const OPERATIONS: OperationTable<Operations> = {", "};")).toEqual([
    'saveThing: { method: "PUT", path: "/things/{id}", body: ["application/json","application/ld+json"], answer: "json" },',
    'listThing: { method: "GET", path: "/things/{id}", answer: "response", pages: "page" },',
    'deleteThing: { method: "DELETE", path: "/things/{id}", answer: "nothing" },',
  ]);
});
