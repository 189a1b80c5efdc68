// Arguments of a tool, as a model sends them, held against what the tool takes (R30): defaults filled in, blank
// optional texts taken as unset, and every fault named with the argument, the value and what would be right. Reads the
// part of JSON Schema that shapes.ts writes.
import type { TObject, TSchema } from "@sinclair/typebox";
import type { FieldError } from "../../model/input/record-refusals.ts";
import { isObject, own, quoted } from "../../shared/fields.ts";
import { nearest } from "../../shared/text/nearest-word.ts";
import { ToolRefusal } from "./outcome.ts";
import { WINDOW } from "./shapes.ts";

/** Faults at most that are reported for one call. */
const FAULTS_TOLD = 20;
/** Characters of a name that is shown again. */
const SHOWN = 80;
const MISSING = "Missing data for required field.";

export type Arguments = Readonly<Record<string, unknown>>;

/** What a call may go on with, or everything that is wrong in it. */
export function readArguments(
  input: TObject,
  given: unknown,
): { readonly args: Arguments } | { readonly errors: readonly FieldError[] } {
  if (given !== undefined && !isObject(given)) {
    return { errors: [{ field: "arguments", messages: ["Must be an object with the arguments by name."] }] };
  }
  const names = Object.keys(input.properties);
  const errors: FieldError[] = [];
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    // Faults that would not be reported are not searched for.
    if (errors.length === FAULTS_TOLD) break;
    const schema = own(input.properties, name);
    if (schema === undefined) errors.push(unknownArgument(name, names));
    // A blank text means none where none is needed, unless the schema allows blank text.
    else if (value !== undefined && (value !== "" || isNeeded(input, name) || mayBeBlank(schema))) {
      args[name] = value;
    }
  }
  for (const [name, schema] of Object.entries<TSchema>(input.properties)) {
    if (args[name] === undefined && schema.default !== undefined) args[name] = schema.default;
    const value = args[name];
    const messages =
      value === undefined ? (isNeeded(input, name) ? [MISSING] : []) : faultsOf(schema, value).slice(0, FAULTS_TOLD);
    if (messages.length > 0) errors.push({ field: name, messages });
    // Numbers of records are texts inside.
    else if (typeof value === "number" && mayBeText(schema)) args[name] = String(value);
  }
  return errors.length > 0 ? { errors: errors.slice(0, FAULTS_TOLD) } : { args };
}

const mayBeText = (schema: TSchema): boolean => branchesOf(schema).some(({ type }) => type === "string");
const mayBeBlank = (schema: TSchema): boolean => branchesOf(schema).some(({ minLength }) => minLength === 0);
const isNeeded = (input: TObject, name: string): boolean => input.required?.includes(name) === true;

function unknownArgument(name: string, names: readonly string[]): FieldError {
  const meant = nearest(name, names);
  const others = names.length === 0 ? "There are none." : `There are ${names.join(", ")}.`;
  return {
    field: name.slice(0, SHOWN),
    messages: [`Unknown argument. ${meant === null ? others : `Did you mean ${meant}?`}`],
  };
}

function faultsOf(given: TSchema, value: unknown): readonly string[] {
  const branches = branchesOf(given);
  const schema = branches.find(({ type }) => isOf(type, value));
  if (schema === undefined) {
    return [`${shown(value)} is not of type ${branches.map(({ type }) => type).join(" or ")}.`];
  }
  const words: unknown = schema.enum;
  if (Array.isArray(words) && !words.includes(value)) return [noneOf(value, words.map(String))];
  if (typeof value === "string") return lengthFaults(schema, value.length, "characters");
  if (typeof value === "number") return boundFaults(schema, value);
  return Array.isArray(value) ? listFaults(schema, value) : [];
}

/** What may be null has a branch for each type. */
const branchesOf = (schema: TSchema): readonly TSchema[] => schema.anyOf ?? [schema];

/** How many there are first: what is too long is not looked through. */
function listFaults(schema: TSchema, values: readonly unknown[]): readonly string[] {
  const { maxItems, items } = schema;
  if (typeof maxItems === "number" && values.length > maxItems) return [`Longer than ${maxItems} entries.`];
  return items === undefined ? [] : values.flatMap((each) => faultsOf(items, each)).slice(0, FAULTS_TOLD);
}

/** The message for a word that is not one of the allowed ones. */
export function noneOf(value: unknown, words: readonly string[]): string {
  const known = words.filter((word) => word !== "");
  const meant = typeof value === "string" ? nearest(value, known) : null;
  return `${shown(value)} is none of ${known.join(", ")}.${meant === null ? "" : ` Did you mean ${meant}?`}`;
}

function lengthFaults({ minLength, maxLength }: TSchema, length: number, of: string): readonly string[] {
  if (typeof minLength === "number" && length < minLength) return [`Shorter than minimum length ${minLength}.`];
  if (typeof maxLength === "number" && length > maxLength) return [`Longer than ${maxLength} ${of}.`];
  return [];
}

function boundFaults({ minimum, maximum }: TSchema, value: number): readonly string[] {
  if (typeof minimum === "number" && value < minimum) return [`${value} is too small: at least ${minimum}.`];
  if (typeof maximum === "number" && value > maximum) return [`${value} is too large: at most ${maximum}.`];
  return [];
}

function isOf(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}

/** Never the inside of an object or list, which may be of any size. */
function shown(value: unknown): string {
  if (typeof value !== "object" || value === null) return quoted(value);
  return Array.isArray(value) ? "A list" : "An object";
}

// Arguments by their kind, and pages of lists (R10; reference 1.1), once they were held against what the tool takes.

export const text = (args: Arguments, name: string): string => (typeof args[name] === "string" ? args[name] : "");
export const number = (args: Arguments, name: string): number => (typeof args[name] === "number" ? args[name] : 0);
export const isSet = (args: Arguments, name: string): boolean => args[name] === true;

/** The page of a list as results show it. @throws ToolRefusal beyond the window (R10). */
export function pageOf(args: Arguments): { readonly page: number; readonly size: number } {
  const [page, size] = [number(args, "page"), number(args, "size")];
  if (page * size <= WINDOW) return { page, size };
  throw new ToolRefusal(
    "invalid",
    "Invalid querystring parameters.",
    `page times size reaches to ${WINDOW}: narrow the query`,
  );
}

export const paged = (total: number, { page, size }: ReturnType<typeof pageOf>) => ({
  total,
  page,
  size,
  ...(page * size < total && (page + 1) * size <= WINDOW ? { next_page: page + 1 } : {}),
});
