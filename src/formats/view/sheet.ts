// A table as a viewer shows it (Q.86): its first rows and columns, and what each column holds.

type ColumnType = "integer" | "number" | "date" | "boolean" | "text" | "mixed" | "empty";
export type ColumnFacts = {
  readonly name: string;
  readonly type: ColumnType;
  /** Cells that are not empty. */
  readonly filled: number;
  /** The smallest and the largest number or date, as they are written. */
  readonly range: readonly [string, string] | null;
};
/** The first rows of a table, as they were read. */
export type RawRows = {
  readonly rows: readonly (readonly string[])[];
  /** Rows that were seen, at least those above. */
  readonly count: number;
  /** There are more rows than were seen. */
  readonly isCut: boolean;
  /** Columns of the widest row, also those that are not kept. */
  readonly columns: number;
};
export type SheetView = {
  readonly columns: readonly ColumnFacts[];
  /** Without the row of names. */
  readonly rows: readonly (readonly string[])[];
  /** Rows below the names. */
  readonly count: number;
  readonly isCut: boolean;
  /** Columns that are not shown. */
  readonly columnsLeft: number;
  /** The number of the first row, as the file counts. */
  readonly first: number;
};

export const SHEET = { rows: 1_000, columns: 100, cellCharacters: 300 } as const;

type Kind = Exclude<ColumnType, "mixed" | "empty">;

const INTEGER = /^[-+]?(?:0|[1-9]\d{0,14})$/;
const NUMBER = /^[-+]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:[eE][-+]?\d{1,3})?$/;
const DATE =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[ T](\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|[-+]\d{2}:?\d{2})?)?$/;
const BOOLEAN = /^(?:true|false|yes|no)$/i;
/** What is longer is neither a number nor a date. */
const SHORT = 45;

function kindOf(cell: string): Kind {
  if (cell.length > SHORT) return "text";
  if (INTEGER.test(cell)) return "integer";
  // A number that begins with zeros is a code.
  if (NUMBER.test(cell) && !/^[-+]?0\d/.test(cell)) return "number";
  if (DATE.test(cell)) return "date";
  return BOOLEAN.test(cell) ? "boolean" : "text";
}

/** What orders numbers by size and dates by time. */
function orderOf(cell: string, kind: Kind): number | string {
  if (kind !== "date") return Number(cell);
  const [, year = "", , month = "", day = "", time = ""] = DATE.exec(cell) ?? [];
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")} ${time.padStart(5, "0")}`;
}

/** The table with the names of its columns: those of its first row where that has only texts. */
export function sheetView({ rows, count, isCut, columns }: RawRows): SheetView {
  const [first = []] = rows;
  const hasNames = rows.length > 1 && first.length > 0 && first.every((cell) => cell !== "" && kindOf(cell) === "text");
  const below = hasNames ? rows.slice(1) : rows;
  const width = Math.min(columns, SHEET.columns);
  return {
    columns: Array.from({ length: width }, (_, at) => columnFacts(hasNames ? (first[at] ?? "") : "", below, at)),
    rows: below.slice(0, SHEET.rows),
    count: count - (hasNames ? 1 : 0),
    isCut,
    columnsLeft: columns - width,
    first: hasNames ? 2 : 1,
  };
}

function columnFacts(name: string, rows: readonly (readonly string[])[], at: number): ColumnFacts {
  const cells = rows.map((row) => row[at]?.trim() ?? "").filter((cell) => cell !== "");
  const kinds = new Set(cells.map(kindOf));
  const type = typeOf(kinds);
  const isOrdered = type === "integer" || type === "number" || type === "date";
  return {
    name: name === "" ? letters(at) : name,
    type,
    filled: cells.length,
    range: isOrdered ? rangeOf(cells, type) : null,
  };
}

function typeOf(kinds: ReadonlySet<Kind>): ColumnType {
  const [only] = kinds;
  if (only === undefined) return "empty";
  if (kinds.size === 1) return only;
  return kinds.size === 2 && kinds.has("integer") && kinds.has("number") ? "number" : "mixed";
}

function rangeOf(cells: readonly string[], kind: Kind): readonly [string, string] | null {
  let [least, most] = [cells[0] ?? "", cells[0] ?? ""];
  let [low, high] = [orderOf(least, kind), orderOf(most, kind)];
  for (const cell of cells) {
    const order = orderOf(cell, kind);
    if (order < low) [least, low] = [cell, order];
    if (order > high) [most, high] = [cell, order];
  }
  return cells.length === 0 ? null : [least, most];
}

/** The name that spreadsheets give to a column: A, B … Z, AA. */
export function letters(at: number): string {
  const rest = at < 26 ? "" : letters(Math.floor(at / 26) - 1);
  return rest + String.fromCharCode(0x41 + (at % 26));
}
