// The canonical metadata (R3) asked at run time: whether a value read from elsewhere is metadata, and what lies at a path.
import { Kind, type TSchema } from "@sinclair/typebox";
import { Metadata } from "./metadata.ts";

export type MetadataMember = keyof Metadata;

/** Names of all members, in the order of the model. */
export const METADATA_MEMBERS = Object.keys(Metadata.properties) as readonly MetadataMember[]; // the properties are the members

/** The schema of one member; null when the model has no such member. Optional members answer the schema of their value. */
export function memberSchema(name: string): TSchema | null {
  return Object.hasOwn(Metadata.properties, name)
    ? Metadata.properties[name as keyof typeof Metadata.properties] // checked above
    : null;
}

/** Why a value is not this member of the metadata: place and reason of the first fault; null when it is. */
export function memberProblem(name: MetadataMember, value: unknown): string | null {
  const schema = memberSchema(name);
  return schema === null ? `${name} is no member of the metadata` : schemaProblem(schema, value, name);
}

/** Whether a value of unknown origin is canonical metadata. */
export function isMetadata(value: unknown): value is Metadata {
  return schemaProblem(Metadata, value, "metadata") === null;
}

/**
 * The first place where a value differs from a schema, and what was needed there; null when it fits. Knows the kinds used above and throws
 * for others. Free JSON (`custom`, `extra`) is taken as it is; everything else ends after a few levels, so a deep value costs nothing.
 */
export function schemaProblem(schema: TSchema, value: unknown, place: string): string | null {
  const fault = faultOf(schema, value);
  return fault === null ? null : `${place}${fault.place} ${fault.reason}`;
}

/** `place` is put together on the way back only, for most values have no fault. */
type Fault = { readonly place: string; readonly reason: string };

const fault = (isFault: boolean, reason: string): Fault | null => (isFault ? { place: "", reason } : null);

function faultOf(schema: TSchema, value: unknown): Fault | null {
  switch (schema[Kind]) {
    case "Any":
      return fault(value === undefined, "is missing");
    case "String":
      return fault(typeof value !== "string", "is no text");
    case "Boolean":
      return fault(typeof value !== "boolean", "is neither true nor false");
    case "Number":
      return fault(typeof value !== "number" || !Number.isFinite(value), "is no number");
    case "Null":
      return fault(value !== null, "is not null");
    case "Literal":
      return value === schema.const ? null : { place: "", reason: `is not ${JSON.stringify(schema.const)}` };
    case "Union":
      return unionFault(schema.anyOf, value);
    case "Array":
      return listFault(schema.items, value);
    case "Record":
    case "Object":
      return objectFault(schema, value);
    default:
      throw new TypeError(`No value can be held against a schema of kind ${schema[Kind]}`);
  }
}

function unionFault(schemas: readonly TSchema[], value: unknown): Fault | null {
  const reasons: string[] = [];
  for (const schema of schemas) {
    const found = faultOf(schema, value);
    if (found === null) return null;
    reasons.push(found.place === "" ? found.reason : `${found.place.slice(1)} ${found.reason}`);
  }
  return { place: "", reason: reasons.join(", and ") };
}

function listFault(items: TSchema, value: unknown): Fault | null {
  if (!Array.isArray(value)) return { place: "", reason: "is no list" };
  for (let index = 0; index < value.length; index++) {
    const found = faultOf(items, value[index]);
    if (found !== null) return { ...found, place: `[${index}]${found.place}` };
  }
  return null;
}

/** Properties and required names of the object schemas met so far. */
type Members = {
  readonly properties: ReadonlyMap<string, TSchema>;
  readonly required: readonly string[];
};
const knownMembers = new WeakMap<TSchema, Members>();

function membersOf(schema: TSchema): Members {
  const known = knownMembers.get(schema) ?? {
    properties: new Map(Object.entries<TSchema>(schema.properties)),
    required: schema.required ?? [],
  };
  knownMembers.set(schema, known);
  return known;
}

function objectFault(schema: TSchema, value: unknown): Fault | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { place: "", reason: "is no object" };
  if (schema[Kind] === "Record") return null;
  const { properties, required } = membersOf(schema);
  let found = 0;
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const member = properties.get(key);
    if (member === undefined) return { place: "", reason: `has no member ${JSON.stringify(key)}` };
    const inner = faultOf(member, each);
    if (inner !== null) return { ...inner, place: `.${key}${inner.place}` };
    if (required.includes(key)) found++;
  }
  if (found === required.length) return null;
  const missing = required.find((key) => !Object.hasOwn(value, key) || Reflect.get(value, key) === undefined);
  return { place: `.${missing}`, reason: "is missing" };
}
