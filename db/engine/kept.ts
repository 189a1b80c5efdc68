// How the members of a declared record (src/shared/declared.ts) lie in the columns of its table.
import { type Declaration, type Kept, sentName, type ValuesOf } from "../../src/shared/declared.ts";

/** What a cell holds: booleans are 0 and 1, lists are text. */
type CellOf<T> = T extends boolean | number ? number : T extends null ? null : string;
type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;

/** A declared record as a row of its table. */
export type ColumnsOf<D extends Declaration> = {
  [Name in keyof D & string as D[Name] extends { readonly sent: infer Sent extends string }
    ? Sent
    : Snake<Name>]: CellOf<ValuesOf<D>[Name]>;
};

type Loose = Readonly<Record<string, unknown>>;
type Column<D extends Declaration> = {
  readonly name: keyof D & string;
  readonly column: keyof ColumnsOf<D>;
  readonly kept: Kept;
  readonly valueIn: (row: Loose) => unknown;
};

/** The columns of a declared record, in its order. */
export function keptColumns<const D extends Declaration>(declaration: D): readonly Column<D>[] {
  return Object.entries(declaration).map(([name, each]) => {
    const column = sentName(name, each);
    // A column is called as its member is sent, which is what ColumnsOf says.
    return { name, column: column as keyof ColumnsOf<D>, kept: each.kept, valueIn: READERS[each.kept](column) };
  });
}

/** Lists of ids are few and shared by many rows: each text becomes one list. */
const LISTS_KEPT = 1_000;
const lists = new Map<string, readonly number[]>([["", []]]);

export function idsOf(text: string): readonly number[] {
  const known = lists.get(text);
  if (known !== undefined) return known;
  const ids = Object.freeze(text.split(",").map(Number));
  if (lists.size < LISTS_KEPT) lists.set(text, ids);
  return ids;
}

/** One function a column: trees are read by the hundred thousand rows. */
const READERS: Readonly<Record<Kept, (column: string) => (row: Loose) => unknown>> = {
  flag: (column) => (row) => row[column] === 1,
  text: (column) => (row) => row[column],
  number: (column) => (row) => (row[column] === null ? null : Number(row[column])),
  numbers: (column) => (row) => idsOf(String(row[column])),
  json: (column) => (row) => (row[column] === null ? null : JSON.parse(String(row[column]))),
};

function toCell(kept: Kept, value: unknown): unknown {
  if (value === null || kept === "text" || kept === "number") return value;
  if (kept === "flag") return value === true ? 1 : 0;
  return kept === "numbers" && Array.isArray(value) ? value.join() : JSON.stringify(value);
}

/** `onto` with the members that lie in these columns of a row. */
export function withValues<D extends Declaration, T extends object>(
  columns: readonly Column<D>[],
  row: object,
  onto: T,
): T & Partial<ValuesOf<D>> {
  // Every column of the select list is a member of the row, and holds what the record's own field once read.
  const [cells, values] = [row as Loose, onto as Record<string, unknown>];
  for (const { name, valueIn } of columns) values[name] = valueIn(cells);
  return onto;
}

/** The cells of a record in the order of the columns. */
export function cellsFrom<D extends Declaration>(columns: readonly Column<D>[], values: ValuesOf<D>): unknown[] {
  return columns.map(({ name, kept }) => toCell(kept, values[name]));
}

/** The columns of a select list. */
export const namesOf = <D extends Declaration>(columns: readonly Column<D>[]): string =>
  columns.map(({ column }) => column).join(", ");

/** A record as a row of its table. */
export function rowFrom<D extends Declaration>(columns: readonly Column<D>[], values: ValuesOf<D>): ColumnsOf<D> {
  const cells = cellsFrom(columns, values);
  // Every column has the cell of its own member.
  return Object.fromEntries(columns.map(({ column }, each) => [column, cells[each]])) as ColumnsOf<D>;
}
