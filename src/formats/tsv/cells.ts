// Records and cells of an item table, TSV or CSV: quotes, line breaks inside quotes, LF or CRLF. Stricter than csv.ts,
// which goes on after a bad row: a deposit is taken whole or refused, so the first mistake is named with its line and
// column.
import { DocumentError } from "../../shared/document-error.ts";
import { most } from "../../shared/limits.ts";
import { looksLikeFormula } from "../../shared/text/csv.ts";

/** Limits of one table. Columns are many because each value of each author has one. */
export const TABLE_LIMITS = {
  bytes: most("documentBytes"),
  columns: most("tableColumns"),
  rows: most("tableRows"),
  cells: most("tableCells"),
  cellCharacters: most("cellCharacters"),
} as const;

export type TableDelimiter = "\t" | ",";
/** A record and the line it begins on, from 1. */
export type TableRow = { readonly line: number; readonly cells: readonly string[] };

const FIRST_CELL = /^\uFEFF?("?)#ItemType\1[ ]*([\t,\r\n]|$)/;

/** The separator of the cells of an item table; null for another text: its first cell must be `#ItemType` (R13a). */
export function delimiterOf(text: string): TableDelimiter | null {
  const end = FIRST_CELL.exec(text)?.[2];
  if (end === undefined) return null;
  return end === "," ? "," : "\t";
}

/**
 * All records but empty lines.
 *
 * @throws DocumentError naming line and column: NUL, a quote that is never closed, a limit.
 */
export function readRows(text: string, delimiter: TableDelimiter): readonly TableRow[] {
  const rows: TableRow[] = [];
  let at = 0;
  let line = 1;
  let count = 0;
  while (at < text.length) {
    const record = readRecord(text, at, line, delimiter);
    at = record.end;
    count += record.cells.length;
    if (record.cells.length > 1 || record.cells[0] !== "") rows.push({ line, cells: record.cells });
    line += record.lines;
    if (rows.length > TABLE_LIMITS.rows)
      throw new DocumentError(`Line ${line}: the table has more than ${TABLE_LIMITS.rows} rows`);
    if (count > TABLE_LIMITS.cells)
      throw new DocumentError(`Line ${line}: the table has more than ${TABLE_LIMITS.cells} cells`);
  }
  return rows;
}

type Record = { readonly cells: readonly string[]; readonly end: number; readonly lines: number };
type Cell = { readonly value: string; readonly end: number };

function readRecord(text: string, start: number, line: number, delimiter: TableDelimiter): Record {
  const cells: string[] = [];
  let at = start;
  for (;;) {
    const where = `Line ${line}, column ${cells.length + 1}`;
    const cell = text[at] === '"' ? quotedCell(text, at, where) : plainCell(text, at, delimiter);
    checkCell(cell.value, where);
    cells.push(cell.value);
    if (cells.length > TABLE_LIMITS.columns)
      throw new DocumentError(`${where}: the row has more than ${TABLE_LIMITS.columns} columns`);
    const next = text[cell.end];
    if (next === delimiter) {
      at = cell.end + 1;
      continue;
    }
    const lines = 1 + cells.reduce((sum, value) => sum + countBreaks(value), 0);
    if (next === undefined) return { cells, end: text.length, lines };
    if (next === "\n") return { cells, end: cell.end + 1, lines };
    if (next === "\r") return { cells, end: cell.end + (text[cell.end + 1] === "\n" ? 2 : 1), lines };
    throw new DocumentError(`${where}: ${JSON.stringify(cell.value.slice(0, 50))} has text after its closing quote`);
  }
}

function plainCell(text: string, start: number, delimiter: TableDelimiter): Cell {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: text.slice(start, end), end };
}

function quotedCell(text: string, start: number, where: string): Cell {
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) {
      throw new DocumentError(
        `${where}: ${JSON.stringify(text.slice(start + 1, start + 51))} opens a quote that is never closed`,
      );
    }
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function checkCell(value: string, where: string): void {
  if (value.length > TABLE_LIMITS.cellCharacters) {
    throw new DocumentError(`${where}: the cell is longer than ${TABLE_LIMITS.cellCharacters} characters`);
  }
  if (value.includes("\0"))
    throw new DocumentError(`${where}: ${JSON.stringify(value.slice(0, 50))} holds a NUL character`);
}

function countBreaks(value: string): number {
  let count = 0;
  for (let at = value.indexOf("\n"); at !== -1; at = value.indexOf("\n", at + 1)) count++;
  return count;
}

/**
 * One record with its line end; cells are quoted only where they must be. `isGuarded`: cells that begin like a formula
 * get an apostrophe.
 */
export function tableLine(
  cells: readonly string[],
  delimiter: TableDelimiter,
  isGuarded: boolean,
  end: "\r\n" | "\n" = "\r\n",
): string {
  const quoted = cells.map((cell) => {
    const value = isGuarded && looksLikeFormula(cell) ? `'${cell}` : cell;
    return value.includes(delimiter) || /["\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  });
  return `${quoted.join(delimiter)}${end}`;
}
