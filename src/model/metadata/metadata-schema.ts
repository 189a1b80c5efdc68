// The canonical metadata (R3) at run time: whether a value read from elsewhere is metadata, and the schema at a path.
import type { TSchema } from "@sinclair/typebox";
import { Errors, type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Check } from "@sinclair/typebox/value";
import { annotationsOf, Metadata } from "./metadata.ts";

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
