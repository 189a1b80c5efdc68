// Where a page of hits ended, as an opaque text (R28): every sort value and the number of the last hit, and which
// question was asked.
import { Refusal } from "../../../shared/refusal.ts";
import type { IndexSchema, SortValue } from "../document/document.ts";
import type { Place, SortBy } from "../index/index-port.ts";

/** Longer than any of our cursors: checked before decoding. */
const CHARACTERS = 2_000;
const NUMBER = /^\d{1,15}$/;
const ORDERED = /^[0-9a-f]*$/;

const invalid = (cursor: string): Refusal =>
  new Refusal(
    "invalid",
    `Cannot continue after "${cursor.slice(0, 100).toWellFormed()}": it is not a cursor of this search`,
  );

export function printCursor(question: string, { sort, id }: Place): string {
  return btoa(JSON.stringify([question, ...sort, id]))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** A bare number is an item's, where nothing sorts. Throws `invalid`. */
export function readCursor(cursor: string, question: string, sorts: readonly SortBy[], schema: IndexSchema): Place {
  if (cursor.length > CHARACTERS) throw invalid(cursor);
  if (NUMBER.test(cursor) && sorts.length === 0) return { sort: [], id: Number(cursor) };
  const values = valuesOf(cursor);
  const [asked, ...sort] = values;
  const id = sort.pop();
  if (asked !== question || sort.length !== sorts.length || !isItem(id)) throw invalid(cursor);
  const known = sort.filter((value, at): value is SortValue => isValueOf(value, sorts[at], schema));
  if (known.length < sort.length) throw invalid(cursor);
  return { sort: known, id };
}

function valuesOf(cursor: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")));
    return Array.isArray(values) ? values : [];
  } catch {
    throw invalid(cursor);
  }
}

/** Numbers of items are whole: our cursors have no others. */
const isItem = (value: unknown): value is number => Number.isSafeInteger(value);
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

function isValueOf(value: unknown, sort: SortBy | undefined, { sorts }: IndexSchema): boolean {
  if (sort?.field === "id") return isItem(value);
  const type = sorts.find(({ name }) => name === sort?.field)?.type;
  return type === "text" ? typeof value === "string" && ORDERED.test(value) : isNumber(value);
}
