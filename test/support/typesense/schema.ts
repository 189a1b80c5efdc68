// Collections' schemas and documents' values as Typesense 29.0 was seen to judge them.
import { Refused, unseen } from "./unseen.ts";

export type Value = string | number | bigint | boolean | null | readonly Value[] | { readonly [key: string]: Value };
export type Document = { readonly [name: string]: Value };

export type Field = {
  readonly name: string;
  readonly type: string;
  readonly facet: boolean;
  readonly index: boolean;
  readonly infix: boolean;
  readonly locale: string;
  readonly optional: boolean;
  readonly sort: boolean;
  readonly stem: boolean;
  readonly stem_dictionary: string;
  readonly store: boolean;
  readonly symbols_to_index?: readonly string[];
};

export type Schema = {
  readonly name: string;
  readonly created_at: number;
  readonly default_sorting_field: string;
  readonly enable_nested_fields: boolean;
  readonly symbols_to_index: readonly string[];
  readonly token_separators: readonly string[];
  readonly fields: readonly Field[];
};

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isWhole = (value: Value): boolean => typeof value === "bigint" || Number.isInteger(value);
const isInt32 = (value: Value): boolean => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;

/** What a single value of a type must be, and the words of its refusal. */
const SINGLE: { readonly [type: string]: { readonly is: (value: Value) => boolean; readonly words: string } } = {
  string: { is: (value) => typeof value === "string", words: "a string" },
  int32: { is: isInt32, words: "an int32" },
  int64: { is: isWhole, words: "an int64" },
  float: { is: (value) => typeof value === "number", words: "a float" },
  bool: { is: (value) => typeof value === "boolean", words: "a bool" },
};
const SEEN_TYPES: readonly string[] = ["string", "string[]", "int32", "int64", "int64[]", "float", "bool"];
const NUMBERS: readonly string[] = ["int32", "int64", "float", "bool"];

const FLAGS: { readonly [option: string]: (value: unknown) => boolean } = {
  facet: (value) => typeof value === "boolean",
  optional: (value) => typeof value === "boolean",
  sort: (value) => value === true,
  infix: (value) => value === true,
  locale: (value) => value === "ja",
  symbols_to_index: (value) => Array.isArray(value),
};

export function readField(input: unknown): Field {
  if (!isObject(input) || typeof input.name !== "string" || typeof input.type !== "string") unseen("such a field");
  const { name, type, ...options } = input as { name: string; type: string; [option: string]: unknown };
  if (type === "text") {
    throw new Refused(
      400,
      `Field \`${name}\` has an invalid data type \`${type}\`, see docs for supported data types.`,
    );
  }
  if (!SEEN_TYPES.includes(type)) unseen(`the type "${type}" of a field`);
  for (const [option, value] of Object.entries(options)) {
    if (FLAGS[option]?.(value) !== true) unseen(`"${option}: ${JSON.stringify(value)}" of a field`);
  }
  return {
    facet: false,
    infix: false,
    optional: false,
    locale: "",
    ...options,
    name,
    type,
    index: true,
    sort: options.sort === true || NUMBERS.includes(type),
    stem: false,
    stem_dictionary: "",
    store: true,
  };
}

export function readSchema(input: unknown, createdAt: number): Schema {
  if (!isObject(input) || typeof input.name !== "string") unseen("a collection without a name");
  const { name, fields, default_sorting_field: sorting = "", ...others } = input;
  for (const option of Object.keys(others)) unseen(`"${option}" of a collection`);
  if (!Array.isArray(fields)) throw new Refused(400, "Parameter `fields` is required.");
  const read = fields.map(readField);
  if (sorting !== "" && !read.some((field) => field.name === sorting)) {
    throw new Refused(400, `Default sorting field is defined as \`${sorting}\` but is not found in the schema.`);
  }
  return {
    name: String(name),
    created_at: createdAt,
    default_sorting_field: String(sorting),
    enable_nested_fields: false,
    symbols_to_index: [],
    token_separators: [],
    fields: read,
  };
}

/** `dirty_values=coerce_or_reject`, as far as it was seen. */
function coerced(value: Value, type: string): Value {
  if (type === "int32" && typeof value === "string" && /^-?\d{1,9}$/.test(value)) return Number(value);
  if (type === "string" && typeof value === "number") return String(value);
  return value;
}

function judged(value: Value, field: Field, coerce: boolean): Value {
  const isList = field.type.endsWith("[]");
  const { is, words } = SINGLE[field.type.replace("[]", "")] ?? unseen(`the type ${field.type}`);
  if (!isList) {
    const single = coerce ? coerced(value, field.type) : value;
    if (!is(single)) throw new Refused(400, `Field \`${field.name}\` must be ${words}.`);
    return single;
  }
  if (!Array.isArray(value)) throw new Refused(400, `Field \`${field.name}\` must be an array.`);
  if (!value.every(is)) unseen(`a list of other values in the field "${field.name}"`);
  return value;
}

/** The document as it is stored; undeclared members are stored and not checked. */
export function judgedDocument(input: Document, schema: Schema, coerce = false): Document {
  const sorting = schema.default_sorting_field;
  if (sorting !== "" && input[sorting] === undefined) {
    const what = "has been declared as a default sorting field, but is not found in the document.";
    throw new Refused(400, `Field \`${sorting}\` ${what}`);
  }
  if (input.id !== undefined && typeof input.id !== "string") {
    throw new Refused(400, "Document's `id` field should be a string.");
  }
  if (input.id === undefined || input.id === "") unseen("a document without id");
  const document: { [name: string]: Value } = { ...input };
  for (const field of schema.fields) {
    const value = input[field.name];
    if (field.optional && (value === undefined || value === null)) delete document[field.name];
    else if (value === undefined) unseen(`a document without the field "${field.name}"`);
    else document[field.name] = judged(value, field, coerce);
  }
  return document;
}
