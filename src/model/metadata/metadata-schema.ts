// The canonical metadata (R3) at run time: whether a value read from elsewhere is metadata, and the schema at a path.

import { Kind, type TSchema } from "@sinclair/typebox";
import { Errors, type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Check } from "@sinclair/typebox/value";
import { own } from "../../shared/objects.ts";
import { type Annotations, annotationsOf, Metadata, type Text } from "./metadata.ts";

export type MetadataMember = keyof Metadata;

/** Names of all members, in the order of the model. */
export const METADATA_MEMBERS = Object.keys(Metadata.properties) as readonly MetadataMember[]; // the properties are the members

/** What pages call the members, as far as they show them. */
export function memberLabels(language: "en" | "ja"): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries<TSchema>(Metadata.properties).flatMap(([name, schema]) => {
      const { label } = annotationsOf(schema);
      return label === undefined ? [] : [[name, label[language]]];
    }),
  );
}

/**
 * The schema of one member; null when the model has no such member. Optional members answer the schema of their value.
 */
export function memberSchema(name: string): TSchema | null {
  return Object.hasOwn(Metadata.properties, name)
    ? Metadata.properties[name as keyof typeof Metadata.properties] // checked above
    : null;
}

/** Why a value is not this member of the metadata: path and reason of the first fault; null when it is. */
export function memberProblem(name: MetadataMember, value: unknown): string | null {
  const schema = memberSchema(name);
  return schema === null ? `${name} is not a member of the metadata` : schemaProblem(schema, value, name);
}

/** Whether a value of unknown origin is canonical metadata. */
export function isMetadata(value: unknown): value is Metadata {
  return schemaProblem(Metadata, value, "metadata") === null;
}

/**
 * The first path where a value differs from a schema, and what was needed there; null when it fits. Free JSON
 * (`custom`, `extra`) is taken as it is; everything else ends after a few levels, so a deep value costs nothing.
 */
export function schemaProblem(schema: TSchema, value: unknown, path: string): string | null {
  // Finding the fault costs several times as much as the check whether there is one.
  const fault = Check(schema, value) ? undefined : Errors(schema, value).First();
  if (fault === undefined) return null;
  const steps = stepsOf(fault.path);
  if (fault.type !== ValueErrorType.ObjectAdditionalProperties) return `${path}${pathText(steps)} ${reasonOf(fault)}`;
  return `${path}${pathText(steps.slice(0, -1))} has no member ${JSON.stringify(steps.at(-1))}`;
}

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Steps of a pointer as a path: `.titles[0].value`. */
const pathText = (steps: readonly string[]): string =>
  steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join("");

const REASONS: { readonly [type in ValueErrorType]?: string } = {
  [ValueErrorType.String]: "is not text",
  [ValueErrorType.Boolean]: "is neither true nor false",
  [ValueErrorType.Number]: "is not a number",
  [ValueErrorType.Null]: "is not null",
  [ValueErrorType.Array]: "is not a list",
  [ValueErrorType.Object]: "is not an object",
  [ValueErrorType.ObjectRequiredProperty]: "is missing",
};

function reasonOf({ type, schema, message, errors }: ValueError): string {
  if (type === ValueErrorType.Literal) return `is not ${JSON.stringify(schema.const)}`;
  if (type !== ValueErrorType.Union) return REASONS[type] ?? message;
  return errors
    .flatMap((each) => each.First() ?? [])
    .map(reasonOf)
    .join(", and ");
}

// The canonical schema of values: the schema below a path, and the defaults of a new value (R3).

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

// Members of the metadata that are words, codes or a yes and nothing else (R3): formats and pages treat all of them
// alike, from what the schema of each.

/** `word`: one text. `texts`: words in languages. `codes`: a list of ids or codes. `flag`: yes or no. */
export type PlainKind = "word" | "texts" | "codes" | "flag";
export type PlainMember = {
  readonly name: MetadataMember;
  readonly kind: PlainKind;
  readonly annotations: Annotations;
};

function kindOf(schema: TSchema): PlainKind | null {
  if (schema[Kind] === "String") return "word";
  if (schema[Kind] === "Boolean") return "flag";
  const item = itemSchema(schema);
  if (item === null) return null;
  return item[Kind] === "String" ? "codes" : isTextSchema(item) ? "texts" : null;
}

export const PLAIN_MEMBERS: readonly PlainMember[] = METADATA_MEMBERS.flatMap((name) => {
  const schema: TSchema = Metadata.properties[name];
  const kind = kindOf(schema);
  return kind === null ? [] : [{ name, kind, annotations: annotationsOf(schema) }];
});

/** The value of a plain member, as words; a flag is "true" or "false". */
export function plainTexts(metadata: Metadata, { name, kind }: PlainMember): readonly Text[] {
  const value = metadata[name];
  if (value === undefined) return [];
  // Its schema defines the type of the member of each kind.
  if (kind === "texts") return value as readonly Text[];
  return (kind === "codes" ? (value as readonly string[]) : [value]).map((each) => ({ value: String(each) }));
}
