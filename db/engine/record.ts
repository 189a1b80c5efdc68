// One table for each kind of row: which member of the domain's type is in which column, and how it is written there.
// The select list, reading and writing follow from it.
import type { ColumnType, Selectable } from "kysely";
import { type ColumnKind, type Declaration, sentName, type ValuesOf } from "../../src/shared/declared.ts";
import { rowsOf, type Session, type Statement } from "./dialect.ts";
import type { ColumnName } from "./repository-schema.ts";

type Cell = string | number | null;

/** A column that holds a value otherwise than it is meant. */
type Column<Name, Value> = {
  readonly column: Name;
  readonly read: (cell: never) => Value;
  readonly write: (value: Value) => Cell;
};

/**
 * Columns whose cells are the values themselves. Where a check of the table allows only some words, Value may name
 * them.
 */
type Plain<Table, Value> = {
  [Name in keyof Table & string]: Value extends CellValue<Table[Name]> ? Name : never;
}[keyof Table & string];
type CellValue<Cell> = Cell extends ColumnType<infer Selected, infer _Inserted, infer _Updated> ? Selected : Cell;

type Members<Table, T> = {
  readonly [Member in keyof T & string]-?: Plain<Table, T[Member]> | Column<keyof Table & string, T[Member]>;
};

type RowsOf<Table, T> = {
  readonly names: readonly (keyof Table & string)[];
  /** The names for a select list. */
  readonly list: string;
  readonly read: (row: object) => T;
  /** Adds the members of a row to those of `value`; written out, because there are many rows. */
  readonly onto: <Value extends object>(value: Value, row: object) => Value & T;
  readonly write: (value: T) => Selectable<Table>;
  /** As much of a row as has these members. */
  readonly only: <Name extends keyof T & string>(members: readonly Name[]) => RowsOf<Table, Pick<T, Name>>;
};

type Loose = Readonly<Record<string, unknown>>;
type ColumnLayout<Table> = Column<keyof Table & string, unknown> & { readonly member: string };

export function rowsAs<Table, T extends object>(members: Members<Table, T>): RowsOf<Table, T> {
  type Given = Readonly<Record<string, (keyof Table & string) | Column<keyof Table & string, unknown>>>;
  return rowsFrom(
    Object.entries({ ...members } as Given).map(([member, each]) => ({
      member,
      ...(typeof each === "string" ? plain(each) : each),
    })),
  );
}

function rowsFrom<Table, T extends object>(laid: readonly ColumnLayout<Table>[]): RowsOf<Table, T> {
  const names = laid.map(({ column }) => column);
  // Trees are read by the hundred thousand rows: a copy has every member already, and none is added one by one.
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(laid.map(({ member }) => [member, null]));
  // Every column of the list is a member of the row, and every member of T is in the table above.
  const onto = <Value extends object>(value: Value, row: object): Value & T => {
    const [cells, members] = [row as Loose, value as Record<string, unknown>];
    for (const { member, column, read } of laid) {
      members[member] = read === same ? cells[column] : read(cells[column] as never);
    }
    return value as Value & T;
  };
  return {
    names,
    list: names.join(", "),
    only: (members) => rowsFrom(laid.filter(({ member }) => members.some((each) => each === member))),
    read: (row) => onto({ ...blank }, row),
    onto,
    write(value) {
      const [given, row] = [value as Loose, {} as Record<string, Cell>];
      for (const { member, column, write } of laid) row[column] = write(given[member]);
      return row as Selectable<Table>;
    },
  };
}

const same = (value: unknown): Cell => value as Cell;
const plain = <const Name extends string>(column: Name) => ({ column, read: same, write: same });

/** A truth, as 0 and 1. */
export const flag = <const Name extends string>(column: Name): Column<Name, boolean> => ({
  column,
  read: (cell: number) => cell === 1,
  write: (value) => (value ? 1 : 0),
});

/** A value that is kept as JSON. Only what was written here is read. */
export const json = <const Name extends string, Value>(column: Name): Column<Name, Value> => ({
  column,
  read: (cell: string | null) => (cell === null ? null : JSON.parse(cell)) as Value,
  write: (value) => (value === null ? null : JSON.stringify(value)),
});

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

type DeclaredColumn = { readonly column: string; readonly read: (cell: never) => unknown; write(value: never): Cell };

const KEPT: Readonly<Record<ColumnKind, (column: string) => DeclaredColumn>> = {
  flag,
  text: plain,
  number: (column) => ({ column, read: (cell) => (cell === null ? null : Number(cell)), write: same }),
  numbers: (column) => ({ column, read: idsOf, write: (ids: readonly number[]) => ids.join() }),
  json,
};

/** The members of a declared record (src/shared/declared.ts): each is in the column with the name that is sent. */
export function membersOf<const D extends Declaration>(declaration: D) {
  const members = Object.entries(declaration).map(([name, each]) => [name, KEPT[each.kept](sentName(name, each))]);
  // A column holds what the member's own field once read.
  return Object.fromEntries(members) as {
    readonly [Name in keyof D & string]: Column<ColumnName<D, Name>, ValuesOf<D>[Name]>;
  };
}

/** Rows that a statement gave as one text (`Words.jsonRows`), with these columns. */
export function rowsIn<Row>(names: readonly string[], text: string): readonly Row[] {
  const rows = JSON.parse(text) as readonly (readonly unknown[])[];
  // The statement that was run names these columns.
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])) as Row);
}

/**
 * The one row of a statement, converted by `read`; null without one. `Row` is the type of the select list. No row has a
 * name with NUL, which PostgreSQL does not even compare with.
 */
export async function oneRow<Row, T>(
  session: Session,
  question: Statement,
  parameters: readonly unknown[],
  read: (row: Row) => T,
): Promise<T | null> {
  if (parameters.some((each) => typeof each === "string" && each.includes("\0"))) return null;
  const [row] = await rowsOf<Row>(session, question, parameters);
  return row === undefined ? null : read(row);
}

/** Every row that a statement gives. */
export async function allRows<Row, T>(
  session: Session,
  question: Statement,
  parameters: readonly unknown[],
  read: (row: Row) => T,
): Promise<readonly T[]> {
  return (await rowsOf<Row>(session, question, parameters)).map((row) => read(row));
}
