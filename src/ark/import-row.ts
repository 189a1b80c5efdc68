// One row of an import file as input of an import (A15, A46): which columns there may be and what they hold.
import { nearest } from "../shared/text/nearest-word.ts";
import { ARK_MAX, type ImportIn, REQUEST_ID_MAX, TEXT_MAX, targetProblem, textProblems, URL_MAX } from "./inputs.ts";
import { type ArkRecord, DESCRIPTIVE_FIELDS } from "./record.ts";

/** What a row may hold. */
const IMPORT_COLUMNS = ["ark", ...DESCRIPTIVE_FIELDS, "request_id", "reserve"] as const;
/**
 * What the export of a client and a table write besides; an import passes it over, but for the state. An operator's
 * export is read by carried-name.ts.
 */
const EXPORT_ONLY = ["state", "created_at", "updated_at", "published_at", "hold_until", "hold_reason"];

const LIMITS: ReadonlyMap<string, number> = new Map([
  ["ark", ARK_MAX],
  ["url", URL_MAX],
  ["request_id", REQUEST_ID_MAX],
  ...DESCRIPTIVE_FIELDS.filter((field) => field !== "url").map((field) => [field, TEXT_MAX] as const),
]);
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["", false],
  ["false", false],
  ["0", false],
  ["no", false],
  ["true", true],
  ["1", true],
  ["yes", true],
]);

export type ImportRow = { readonly value: ImportIn } | { readonly wrong: string };

/**
 * What is wrong with the names of the columns, or null. A column nobody knows is refused: a mistyped `reserve` must not
 * publish names for ever.
 */
export function headerProblem(columns: readonly string[]): string | null {
  for (const column of columns) {
    if (isColumn(column)) continue;
    const near = nearest(column, IMPORT_COLUMNS);
    const hint = near === null ? `known: ${IMPORT_COLUMNS.join(", ")}` : `did you mean ${near}?`;
    return `Unknown column ${JSON.stringify(column)}; ${hint}`;
  }
  const seen = new Set<string>();
  const twice = columns.find((column) => seen.size === seen.add(column).size);
  if (twice !== undefined) return `Column ${twice} appears twice`;
  return columns.includes("ark") ? null : "The column ark is missing";
}

function isColumn(name: string): boolean {
  return LIMITS.has(name) || name === "reserve" || EXPORT_ONLY.includes(name);
}

/** Text without controls and halves of surrogate pairs, whatever else it may be. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
const PLAIN_TEXT = /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/;

/** The common case, read in one pass: short plain texts in text columns. Null: the row needs the full check. */
function plainRow(names: readonly string[], values: readonly unknown[]): ImportIn | null {
  const row: Record<string, string> & { ark?: string } = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? "";
    const value = values[index];
    const limit = LIMITS.get(name);
    if (limit === undefined || typeof value !== "string" || value.length > limit) return null;
    if (value === "") continue;
    if (!PLAIN_TEXT.test(value) || (name === "url" && targetProblem(value) !== null)) return null;
    row[name] = value;
  }
  const { ark } = row;
  return ark === undefined ? null : { ...row, ark };
}

/** A record of a CSV file, by the columns of its header. */
export function rowOfFields(columns: readonly string[], fields: readonly string[]): ImportRow {
  if (fields.length !== columns.length) {
    const count = `${fields.length} field${fields.length === 1 ? "" : "s"}`;
    return { wrong: `has ${count}, the header has ${columns.length}` };
  }
  const plain = plainRow(columns, fields);
  if (plain !== null) return { value: plain };
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) {
    const [column, field] = [columns[index] ?? "", fields[index] ?? ""];
    if (column !== "reserve") row[column] = field;
    else {
      const flag = FLAGS.get(field.trim().toLowerCase());
      if (flag === undefined) return { wrong: `reserve must be true or false, not ${JSON.stringify(field)}` };
      row.reserve = flag;
    }
  }
  return rowOfObject(row);
}

/** An object of an NDJSON file. */
export function rowOfObject(object: { readonly [name: string]: unknown }): ImportRow {
  const names = Object.keys(object);
  const plain = plainRow(
    names,
    names.map((name) => object[name]),
  );
  if (plain !== null) return { value: plain };
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    if (!LIMITS.has(name)) {
      if (name === "reserve") {
        if (typeof value !== "boolean") return { wrong: `reserve must be true or false, not ${JSON.stringify(value)}` };
        row.reserve = value;
      } else if (!EXPORT_ONLY.includes(name)) return { wrong: `unknown field ${JSON.stringify(name)}` };
      continue;
    }
    if (value === null) continue;
    if (typeof value !== "string") return { wrong: `${name} must be text` };
    if (value !== "") row[name] = value;
  }
  if (typeof row.ark !== "string") return { wrong: "has no ark" };
  const problem = fieldProblem(row);
  if (problem !== null) return { wrong: problem };
  const state = stateProblem(object.state, row);
  // Every member was put in above, by name and type.
  return state === null ? { value: row as ImportIn } : { wrong: state };
}

/**
 * What is wrong with texts that were not sent through a schema: too long, control characters, a target nobody may be
 * sent to (A20).
 */
export function fieldProblem(row: { readonly [name: string]: unknown }): string | null {
  for (const [name, limit] of LIMITS) {
    const value = row[name];
    if (typeof value === "string" && value.length > limit) return `${name} is longer than ${limit} characters`;
  }
  const [problem] = textProblems(row, []);
  return problem === undefined ? null : `${problem.loc.join(".")} ${problem.msg.replace("Value error, ", "")}`;
}

/** A row of an export keeps its state or is refused: importing must not publish what was not public. */
function stateProblem(state: unknown, row: Record<string, unknown>): string | null {
  if (state === undefined || state === null || state === "" || state === "published") return null;
  if (state !== "reserved")
    return `is ${JSON.stringify(state)}: only reserved and published names can be imported; what "arkstone export" writes as NDJSON brings every state`;
  row.reserve ??= true;
  return row.reserve === true ? null : "is reserved, but reserve is false";
}

/** Names of the descriptive fields in which a row differs from what is stored. `filled` has its target filled in. */
export function differingFields(
  stored: ArkRecord,
  filled: Pick<ArkRecord, (typeof DESCRIPTIVE_FIELDS)[number]>,
): string[] {
  return DESCRIPTIVE_FIELDS.filter((field) => stored[field] !== filled[field]);
}
