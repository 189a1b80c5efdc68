// Where a page of hits ended, as an opaque text (R28): every sort value and the number of the last hit, which question
// was asked, and for hits by rank what each word weighed.
import { Refusal } from "../../../shared/refusal.ts";
import type { IndexSchema, SortValue } from "../document/document.ts";
import { type Place, SCORE, type SortBy } from "../index/index-port.ts";

/** Longer than any of our cursors: checked before decoding. */
const CHARACTERS = 2_000;
const NUMBER = /^\d{1,15}$/;
const ORDERED = /^[0-9a-f]*$/;

const invalid = (cursor: string): Refusal =>
  new Refusal(
    "invalid",
    `Cannot continue after "${cursor.slice(0, 100).toWellFormed()}": it is not a cursor of this search`,
  );

/** Where a page ended. `weights`: null where hits are not ranked. */
export type CursorPlace = { readonly place: Place; readonly weights: readonly number[] | null };

export function printCursor(question: string, { place: { sort, id }, weights }: CursorPlace): string {
  return btoa(JSON.stringify([question, ...(weights === null ? [] : [weights]), ...sort, id]))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** `words`: of the ranking; 0: there is none. */
type CursorReading = { readonly sorts: readonly SortBy[]; readonly schema: IndexSchema; readonly words: number };

/** A bare number is an item's, where nothing sorts. Throws `invalid`. */
export function readCursor(cursor: string, question: string, { sorts, schema, words }: CursorReading): CursorPlace {
  if (cursor.length > CHARACTERS) throw invalid(cursor);
  if (NUMBER.test(cursor) && sorts.length === 0) return { place: { sort: [], id: Number(cursor) }, weights: null };
  const [asked, ...rest] = valuesOf(cursor);
  const weights = words === 0 ? null : weightsIn(rest.shift(), words);
  const id = rest.pop();
  if (asked !== question || weights === undefined || rest.length !== sorts.length || !isItem(id)) throw invalid(cursor);
  const known = rest.filter((value, at): value is SortValue => isValueOf(value, sorts[at], schema));
  if (known.length < rest.length) throw invalid(cursor);
  return { place: { sort: known, id }, weights };
}

/** Undefined: it is not a list of that length. */
function weightsIn(value: unknown, words: number): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length !== words) return undefined;
  const weights = value.filter(isNumber);
  return weights.length === words ? weights : undefined;
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
  if (sort?.field === SCORE) return isNumber(value);
  const type = sorts.find(({ name }) => name === sort?.field)?.type;
  return type === "text" ? typeof value === "string" && ORDERED.test(value) : isNumber(value);
}
