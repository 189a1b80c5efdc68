// SWORD's JSON Schemas outside the project, as validators (R11). Where they are missing the caller reports it and
// skips.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import Ajv from "ajv";
import addFormats from "ajv-formats";

type Schema = { [key: string]: unknown };

const FOLDER = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "shared"),
  "data",
  "sword-schemas",
);
export const hasSwordSchemas = existsSync(FOLDER);
if (!hasSwordSchemas) console.error(`The schemas of SWORD (${FOLDER}) are not there; their tests are skipped`);

/** SWORD's schemas give every property an $id that no validator can resolve; only the outermost is one. */
function withoutInnerIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutInnerIds);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== "$id" || typeof value !== "string");
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutInnerIds(value)]));
}

/** R11: `metadata` and `fileSet` stay empty, although SWORD wants their addresses. */
export function relaxStatus(schema: Schema): void {
  const properties = schema.properties as { readonly [key: string]: { required?: unknown } }; // as the schema file has it
  delete properties.metadata?.required;
  delete properties.fileSet?.required;
}

/** What is wrong with a document by the schema of this name, one line each. */
export function swordValidator(
  name: "service-document" | "status" | "error",
  relax: (schema: Schema) => void = () => {},
): (document: unknown) => string[] {
  const schema = withoutInnerIds(JSON.parse(readFileSync(join(FOLDER, `${name}.schema.json`), "utf8"))) as Schema; // a schema is an object
  relax(schema);
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return (document) =>
    validate(document) ? [] : (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message}`);
}
