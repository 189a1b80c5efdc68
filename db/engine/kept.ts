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

type Column<D extends Declaration> = {
  readonly name: keyof D & string;
  readonly column: keyof ColumnsOf<D>;
  readonly kept: Kept;
};

/** The columns of a declared record, in its order. */
export function keptColumns<const D extends Declaration>(declaration: D): readonly Column<D>[] {
  return Object.entries(declaration).map(([name, each]) => {
    // A column is called as its member is sent, which is what ColumnsOf says.
    return { name, column: sentName(name, each) as keyof ColumnsOf<D>, kept: each.kept };
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

function fromCell(kept: Kept, cell: unknown): unknown {
  if (cell === null || kept === "text") return cell;
  if (kept === "flag") return cell === 1;
  if (kept === "number") return Number(cell);
  return kept === "numbers" ? idsOf(String(cell)) : JSON.parse(String(cell));
}

function toCell(kept: Kept, value: unknown): unknown {
  if (value === null || kept === "text" || kept === "number") return value;
  if (kept === "flag") return value === true ? 1 : 0;
  return kept === "numbers" && Array.isArray(value) ? value.join() : JSON.stringify(value);
}

type Loose = Readonly<Record<string, unknown>>;

/** The members that lie in these columns of a row. */
export function valuesOf<D extends Declaration>(columns: readonly Column<D>[], row: object): Partial<ValuesOf<D>> {
  // Every column of the select list is a member of the row, and holds what the record's own field once read.
  const cells = row as Loose;
  const values: Record<string, unknown> = {};
  for (const { name, column, kept } of columns) values[name] = fromCell(kept, cells[column]);
  return values as Partial<ValuesOf<D>>;
}

/** The cells of a record in the order of the columns. */
export function cellsFrom<D extends Declaration>(columns: readonly Column<D>[], values: ValuesOf<D>): unknown[] {
  return columns.map(({ name, kept }) => toCell(kept, values[name]));
}
