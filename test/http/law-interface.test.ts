// The interface description against the tables of the law: endpoints with their answers, bodies with their fields and defaults
// (law, "Resources and their fields", "Management endpoints", "Versioning").
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const FILE = join(import.meta.dirname, "..", "..", "src", "assets", "openapi.json");
const document: Document = JSON.parse(readFileSync(FILE, "utf8"));

const COMMON = "url title type identifier format relation source commitment metadata who when".split(" ");
const JSON_MEDIA = "application/json";
const FORM_MEDIA = "application/x-www-form-urlencoded";

function resolved(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.replace("#/components/schemas/", "");
  return (name === undefined ? schema : document.components.schemas[name]) ?? {};
}
const nameOf = (schema: Schema | undefined) => schema?.$ref?.split("/").at(-1);

describe("the interface description", () => {
  /** Method, path, body, status of success, its body: the table of management endpoints. */
  const ENDPOINTS = [
    ["post", "/api/mint", "MintIn", ["201", "307", "422"], "ArkOut"],
    ["post", "/api/mint/bulk", "BulkMintIn", ["201", "422"], "BulkMintOut"],
    ["post", "/api/register", "RegisterIn", ["201", "422"], "ArkOut"],
    ["put", "/api/update", "UpdateIn", ["200", "422"], "ArkOut"],
    ["put", "/api/update/bulk", "BulkUpdateIn", ["200", "404", "422"], "BulkUpdateOut"],
    ["put", "/api/tombstone", "TombstoneIn", ["200", "422"], "ArkOut"],
    ["post", "/api/query", "BulkQueryIn", ["200", "422"], "BulkQueryOut"],
    ["post", "/api/publish", "PublishIn", ["200", "404", "422"], "ArkOut"],
    ["post", "/api/unpublish", "WithdrawIn", ["200", "400", "404", "422"], "ArkOut"],
    ["post", "/api/delete", "WithdrawIn", ["200", "400", "404", "409", "422"], "WithdrawalOut"],
    ["post", "/api/delete/bulk", "BulkDeleteIn", ["200", "404", "409", "422"], "BulkDeleteOut"],
    ["post", "/api/purge", "WithdrawIn", ["200", "400", "404", "422"], "WithdrawalOut"],
  ] as const;

  test("L39 L40 L70 holds every management endpoint of the law, its JSON body, its answers, and read_only", () => {
    for (const [method, path, input, statuses, output] of ENDPOINTS) {
      const operation = document.paths[path]?.[method];
      const content = operation?.requestBody?.content ?? {};
      expect([path, Object.keys(content), nameOf(content[JSON_MEDIA]?.schema)]).toEqual([path, [JSON_MEDIA], input]);
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining([...statuses]));
      const success = operation?.responses[statuses[0]]?.content?.[JSON_MEDIA]?.schema;
      expect([path, nameOf(success)]).toEqual([path, output]);
      const invalid = operation?.responses["422"]?.content?.[JSON_MEDIA]?.schema;
      expect([path, nameOf(invalid)]).toEqual([path, "ValidationOut"]);
      const readOnly = operation?.parameters?.find(({ name }) => name === "read_only");
      expect([readOnly?.in, readOnly?.schema.type, readOnly?.schema.default]).toEqual(["query", "boolean", false]);
    }
  });

  test("L13 L15 L17 L18 L19 names the fields of the inputs, which are required, and what the others are when left out", () => {
    for (const [name, fields, required] of [
      ["MintIn", [...COMMON, "shoulder", "request_id", "reserve"], []],
      ["RegisterIn", [...COMMON, "ark", "qualifier"], ["ark", "qualifier"]],
      ["UpdateIn", [...COMMON, "ark"], ["ark"]],
      ["TombstoneIn", ["ark", "url", "commitment"], ["ark"]],
    ] as const) {
      const schema = resolved(document.components.schemas[name]);
      const properties = schema.properties ?? {};
      expect([name, Object.keys(properties)]).toEqual([name, expect.arrayContaining([...fields])]);
      expect([name, schema.required ?? []]).toEqual([name, [...required]]);
      for (const field of fields) {
        const property = properties[field];
        expect([name, field, property?.type]).toEqual([name, field, field === "reserve" ? "boolean" : "string"]);
        const isText = field !== "reserve" && !required.some((each) => each === field) && name !== "UpdateIn";
        expect([name, field, property?.default]).toEqual([name, field, isText ? "" : undefined]);
      }
    }
    expect(document.components.schemas.MintIn?.properties?.request_id?.maxLength).toBe(200);
  });

  test("L14 L16 L18 L20 L22 names the fields of records, bulk bodies and the validation error", () => {
    const record = resolved(document.components.schemas.ArkOut);
    for (const field of COMMON) {
      expect([field, record.properties?.[field]?.type, record.properties?.[field]?.default]).toEqual([
        field,
        "string",
        "",
      ]);
    }
    for (const field of ["created_at", "updated_at"]) {
      expect(record.properties?.[field]?.anyOf?.map(({ type }) => type)).toEqual(["string", "null"]);
    }
    expect(record.required).toContain("ark");
    const arrays = [
      ["BulkMintIn", "data", "MintIn"],
      ["BulkUpdateIn", "data", "UpdateIn"],
      ["BulkMintOut", "minted", "ArkOut"],
      ["BulkQueryOut", "data", "ArkOut"],
    ] as const;
    for (const [name, field, items] of arrays) {
      const property = document.components.schemas[name]?.properties?.[field];
      expect([name, property?.type, nameOf(property?.items)]).toEqual([name, "array", items]);
      expect([name, document.components.schemas[name]?.required]).toEqual([name, expect.arrayContaining([field])]);
    }
    expect(document.components.schemas.BulkQueryIn?.properties?.data?.items?.type).toBe("string");
    for (const [name, field] of [
      ["BulkMintOut", "created"],
      ["BulkMintOut", "replayed"],
      ["BulkUpdateOut", "updated"],
    ] as const) {
      expect([name, document.components.schemas[name]?.properties?.[field]?.type]).toEqual([name, "integer"]);
    }
    const problem = document.components.schemas.ValidationOut?.properties?.detail?.items;
    expect([problem?.required, Object.keys(problem?.properties ?? {})]).toEqual([
      ["loc", "msg", "type"],
      ["loc", "msg", "type", "input", "ctx"],
    ]);
  });

  test("L21 L49 tells of the token endpoint: a form with four fields, 200 with JSON", () => {
    const operation = document.paths["/oauth/token"]?.post;
    const form = resolved(operation?.requestBody?.content[FORM_MEDIA]?.schema);
    expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual([FORM_MEDIA]);
    expect(Object.keys(form.properties ?? {})).toEqual(
      expect.arrayContaining(["grant_type", "client_id", "client_secret", "scope"]),
    );
    expect(Object.keys(operation?.responses["200"]?.content ?? {})).toEqual([JSON_MEDIA]);
  });
});
