// Arguments of a tool, as a model sends them (R30): a field made from what the tool takes. Defaults are filled in, blank
// optional texts count as unset, and every fault is named with the argument, the value and what would be right.
import type { TObject, TSchema } from "@sinclair/typebox";
import { type FieldError, recordErrors } from "../../model/input/record-refusals.ts";
import { FaultList, FieldFault, faultSentence, quoted } from "../../shared/field-faults.ts";
import type { Field } from "../../shared/fields.ts";
import { isObject, own } from "../../shared/objects.ts";
import { nearest } from "../../shared/text/nearest-word.ts";
import { ToolRefusal } from "./outcome.ts";
import { WINDOW } from "./shapes.ts";

/** Arguments at most that are reported for one call, and faults of one of them. */
const SHOWN_FAULTS = 20;
/** Characters of a name that is shown again. */
const SHOWN = 80;
const MISSING = "Missing data for required field.";

export type Arguments = Readonly<Record<string, unknown>>;

/** What a tool takes, as one field. */
function toolInput(input: TObject): Field<Arguments> {
  const isNeeded = (name: string): boolean => input.required?.includes(name) === true;
  return {
    schema: input,
    read(given) {
      if (given !== undefined && !isObject(given)) {
        throw faultSentence("arguments", "Must be an object with the arguments by name.");
      }
      const faults = new FaultList(SHOWN_FAULTS * SHOWN_FAULTS);
      const names = Object.keys(input.properties);
      const sent = new Map<string, unknown>();
      let unknown = 0;
      for (const [name, value] of Object.entries(given ?? {})) {
        // Faults that would not be reported are not searched for.
        if (unknown === SHOWN_FAULTS) break;
        const schema = own(input.properties, name);
        if (schema === undefined) {
          unknown += 1;
          faults.add(unknownArgument(name, names));
        }
        // A blank text means none where none is needed, unless the schema allows blank text.
        else if (value !== undefined && (value !== "" || isNeeded(name) || mayBeBlank(schema))) sent.set(name, value);
      }
      const args: Record<string, unknown> = {};
      for (const [name, schema] of Object.entries<TSchema>(input.properties)) {
        const value = sent.get(name) ?? (sent.has(name) ? null : schema.default);
        if (value !== undefined) args[name] = faults.collect(() => readArgument(schema, value, name));
        else if (isNeeded(name)) faults.add(faultSentence(name, MISSING));
      }
      faults.end();
      return args;
    },
  };
}

/** What a call may go on with, or everything that is wrong in it. */
export function readArguments(
  input: TObject,
  given: unknown,
): { readonly args: Arguments } | { readonly errors: readonly FieldError[] } {
  try {
    return { args: toolInput(input).read(given, "") };
  } catch (error) {
    if (error instanceof FieldFault) return { errors: recordErrors(error).slice(0, SHOWN_FAULTS) };
    throw error;
  }
}

/** One argument, by its schema: text, whole number, true or false, list or object; or one of these. */
function readArgument(schema: TSchema, value: unknown, path: string): unknown {
  const branches = branchesOf(schema);
  const messages = faultsOf(branches, value).slice(0, SHOWN_FAULTS);
  if (messages.length > 0) throw faultSentence(path, ...messages);
  // Numbers of records are texts inside.
  return typeof value === "number" && branches.some(({ type }) => type === "string") ? String(value) : value;
}

const mayBeBlank = (schema: TSchema): boolean => branchesOf(schema).some(({ minLength }) => minLength === 0);

function unknownArgument(name: string, names: readonly string[]): FieldFault {
  const meant = nearest(name, names);
  const others = names.length === 0 ? "There are none." : `There are ${names.join(", ")}.`;
  return faultSentence(name.slice(0, SHOWN), `Unknown argument. ${meant === null ? others : `Did you mean ${meant}?`}`);
}

function faultsOf(branches: readonly TSchema[], value: unknown): readonly string[] {
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
function listFaults({ maxItems, items }: TSchema, values: readonly unknown[]): readonly string[] {
  if (typeof maxItems === "number" && values.length > maxItems) return [`Longer than ${maxItems} entries.`];
  return items === undefined ? [] : values.flatMap((each) => faultsOf(branchesOf(items), each)).slice(0, SHOWN_FAULTS);
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

// Pages of lists (R10; reference 1.1).

export type PageArguments = { readonly page: number; readonly size: number };
export type ListArguments = PageArguments & { readonly query: string };

/** The page of a list as results show it. @throws ToolRefusal beyond the window (R10). */
export function pageOf({ page, size }: PageArguments): PageArguments {
  if (page * size <= WINDOW) return { page, size };
  throw new ToolRefusal(
    "invalid",
    "Invalid querystring parameters.",
    `page times size reaches to ${WINDOW}: narrow the query`,
  );
}

export const paged = (total: number, { page, size }: PageArguments) => ({
  total,
  page,
  size,
  ...(page * size < total && (page + 1) * size <= WINDOW ? { next_page: page + 1 } : {}),
});
