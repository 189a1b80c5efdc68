// The canonical schema of values: the schema below a path, and the defaults of a new value (R3).
import { Kind, type TSchema } from "@sinclair/typebox";
import { own } from "../../shared/fields.ts";

/** The schema of the value itself, where null is the other possibility. */
export function valueSchema(schema: TSchema): TSchema {
  if (schema[Kind] !== "Union") return schema;
  const parts: readonly TSchema[] = schema.anyOf;
  return parts.find((part) => part[Kind] === "Object") ?? schema;
}

export function itemSchema(schema: TSchema): TSchema | null {
  return schema[Kind] === "Array" ? schema.items : null;
}

/** The schema of a member of an object; null for other schemas and for unknown members. */
export function childSchema(schema: TSchema, name: string): TSchema | null {
  const value = valueSchema(schema);
  if (value[Kind] === "Record") return Object.values<TSchema>(value.patternProperties)[0] ?? null;
  if (value[Kind] !== "Object" || !Object.hasOwn(value.properties, name)) return null;
  return own(value.properties, name) ?? null;
}

export function isObjectSchema(schema: TSchema): boolean {
  const kind = valueSchema(schema)[Kind];
  return kind === "Object" || kind === "Record";
}

/** Whether a schema is that of words with a language. */
export function isTextSchema(schema: TSchema): boolean {
  return schema[Kind] === "Object" && Object.keys(schema.properties).join() === "value,lang";
}

export function isFreeSchema(schema: TSchema): boolean {
  return schema[Kind] === "Any";
}

/** The default of a required member; undefined: it has none. */
export function fallback(schema: TSchema): unknown {
  if ("default" in schema) return schema.default;
  if (schema[Kind] === "Array") return [];
  if (schema[Kind] === "Boolean") return false;
  if (schema[Kind] === "Object") return completed(schema, {}) ?? undefined;
  return undefined;
}

/** An object with its defaults; null when a required member has neither a value nor a default. */
export function completed(
  schema: TSchema,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const value = valueSchema(schema);
  if (value[Kind] !== "Object") return given;
  const { required } = value;
  let missing: Readonly<Record<string, unknown>> | null = null;
  for (const name of required ?? []) {
    if (Object.hasOwn(given, name) && given[name] !== undefined && given[name] !== null) continue;
    const chosen = fallback(value.properties[name]);
    if (chosen === undefined) return null;
    missing = { ...(missing ?? {}), [name]: chosen };
  }
  return missing === null ? given : { ...given, ...missing };
}
