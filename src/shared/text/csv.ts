// CSV (RFC 4180) as imports read it and exports write it: quotes, commas and line breaks inside quotes, CRLF or LF. CR
// LF inside quotes is a newline in the cell: programs that write lines with CR LF write those inside a cell so too.

import { isBroken, NOT_UTF8, ROW_MAX, type Row, type RowReader } from "./text-lines.ts";

export const DELIMITERS = [",", ";", "\t"] as const;
type Delimiter = (typeof DELIMITERS)[number];

const QUOTE = 34;
const CR = 13;
const LF = 10;

/** What was found at the beginning of a text: a row and where it ends, or that more text is needed. */
type RowResult =
  | { readonly fields: string[]; readonly end: number }
  | { readonly wrong: string; readonly end: number }
  | null;

/**
 * Reads records of fields; the first record is a record like any other. Empty lines are passed over. A quote inside an
 * unquoted field is an ordinary character. After a quoted field that never closes, reading goes on with the next line,
 * so that one stray quote costs one row and not the rest of the file.
 */
export function csvReader(delimiter: Delimiter = ","): RowReader<readonly string[]> {
  let rest = "";
  let line = 1;
  /** Inside a line that has become too long: nothing is kept until its end. */
  let skipping = false;

  const skipLine = (): boolean => {
    const end = rest.indexOf("\n");
    rest = end === -1 ? "" : rest.slice(end + 1);
    if (end === -1) return false;
    skipping = false;
    line++;
    return true;
  };

  const drain = (isEnd: boolean): Row<readonly string[]>[] => {
    const rows: Row<readonly string[]>[] = [];
    if (skipping && !skipLine()) return rows;
    let start = 0;
    while (start < rest.length) {
      const found = scanRecord(rest, start, delimiter, isEnd);
      if (found === null) break;
      const text = rest.slice(start, found.end);
      if ("wrong" in found) rows.push({ line, wrong: found.wrong });
      else if (isBroken(text)) rows.push({ line, wrong: NOT_UTF8 });
      else if (found.fields.length > 1 || found.fields[0] !== "") rows.push({ line, value: found.fields });
      line += countLines(text);
      start = found.end;
    }
    rest = rest.slice(start);
    if (rest.length > ROW_MAX) {
      // One line without end: scanRecord has already given up on quoted fields of that length.
      rows.push({ line, wrong: `is longer than ${ROW_MAX} characters` });
      skipping = true;
      skipLine();
    }
    return rows;
  };

  return {
    push(text) {
      rest = rest === "" ? text : rest + text;
      return drain(false);
    },
    end() {
      return drain(true);
    },
  };
}

/** The record that begins at `start`; null when the text ends before it does and more may come. */
function scanRecord(text: string, start: number, delimiter: string, isEnd: boolean): RowResult {
  const lineEnd = text.indexOf("\n", start);
  const plainEnd = lineEnd === -1 ? (isEnd ? text.length : -1) : lineEnd;
  // Only this line is looked through: searching on would read the whole chunk again for every row.
  if (plainEnd !== -1 && !text.slice(start, plainEnd).includes('"')) {
    return plainRecord(text, start, plainEnd, lineEnd, delimiter);
  }
  return quotedRecord(text, start, delimiter, isEnd);
}

/** The common case: no quote in the line. */
function plainRecord(text: string, start: number, plainEnd: number, lineEnd: number, delimiter: string): RowResult {
  const end = lineEnd === -1 ? text.length : lineEnd + 1;
  if (plainEnd - start > ROW_MAX) return { wrong: `is longer than ${ROW_MAX} characters`, end };
  const stop = plainEnd > start && text.charCodeAt(plainEnd - 1) === CR ? plainEnd - 1 : plainEnd;
  return { fields: text.slice(start, stop).split(delimiter), end };
}

function quotedRecord(text: string, start: number, delimiter: string, isEnd: boolean): RowResult {
  const fields: string[] = [];
  let at = start;
  let lineEnd = -1;
  for (;;) {
    // Searched once per line, not once per field.
    if (lineEnd < at) lineEnd = endOr(text.indexOf("\n", at), text.length);
    const field =
      text.charCodeAt(at) === QUOTE ? quotedField(text, at, start) : plainField(text, at, lineEnd, delimiter);
    if (field === null) return isEnd ? refused("opens a quote that is never closed", text, start, isEnd) : null;
    if ("wrong" in field) return refused(field.wrong, text, start, isEnd);
    fields.push(field.value);
    const next = text.charCodeAt(field.end);
    if (field.end >= text.length) return isEnd ? { fields, end: text.length } : null;
    if (next === LF) return { fields, end: field.end + 1 };
    if (next === CR) {
      if (field.end + 1 >= text.length) return isEnd ? { fields, end: text.length } : null;
      if (text.charCodeAt(field.end + 1) === LF) return { fields, end: field.end + 2 };
    }
    if (text[field.end] !== delimiter) return refused("has text after a closing quote", text, start, isEnd);
    at = field.end + 1;
  }
}

type Field = { readonly value: string; readonly end: number } | { readonly wrong: string } | null;

function endOr(found: number, otherwise: number): number {
  return found === -1 ? otherwise : found;
}

function plainField(text: string, start: number, limit: number, delimiter: string): Field {
  const code = delimiter.charCodeAt(0);
  let comma = start;
  while (comma < limit && text.charCodeAt(comma) !== code) comma++;
  if (comma < limit) return { value: text.slice(start, comma), end: comma };
  const end = limit > start && text.charCodeAt(limit - 1) === CR ? limit - 1 : limit;
  return { value: text.slice(start, end), end };
}

function quotedField(text: string, start: number, recordStart: number): Field {
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    const seen = quote === -1 ? text.length : quote;
    if (seen - recordStart > ROW_MAX) return { wrong: `opens a quote that is not closed within ${ROW_MAX} characters` };
    if (quote === -1) return null;
    value += text.slice(from, quote).replaceAll("\r\n", "\n");
    if (text.charCodeAt(quote + 1) !== QUOTE) return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

/** A bad record costs the line it begins on; null while the end of that line has not been seen. */
function refused(wrong: string, text: string, start: number, isEnd: boolean): RowResult {
  const end = text.indexOf("\n", start);
  if (end === -1) return isEnd ? { wrong, end: text.length } : null;
  return { wrong, end: end + 1 };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** One record with its line end; fields are quoted only where they must be. */
export function csvLine(fields: readonly string[]): string {
  const line = fields.map((field) => (/[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return `${line.join(",")}\r\n`;
}

// Cells that a spreadsheet would take for a formula, in tables that people open (R14; decisions, "Settings":
// CSV_GUARD).

/** What makes a spreadsheet take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A formula, or a guarded one: each guarding adds one apostrophe, so that every cell reads back as it was. */
const MAY_NEED_GUARD = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

export function looksLikeFormula(cell: string): boolean {
  return FORMULA.test(cell);
}

/** The cell with an apostrophe before what would be a formula. */
export function guardedCell(cell: string): string {
  return MAY_NEED_GUARD.test(cell) ? `'${cell}` : cell;
}

/** What `guardedCell` was given. */
export function unguardedCell(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
