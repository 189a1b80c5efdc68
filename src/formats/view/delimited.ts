// Tables as text (RFC 4180 and what programs write instead): comma, semicolon, tab or bar, quotes with line ends inside.
// Read for viewers: nothing is refused, one pass, with a limit of rows and columns that are kept.
import type { InParts } from "../../shared/time/event-loop.ts";
import { type RawRows, SHEET } from "./sheet.ts";
import { cutText } from "./shown-text.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const FIRST_LINES = 4_096;

/** The separator that the first line has most of; a comma where it has none. */
export function delimiterIn(text: string): Delimiter {
  const line = /[^\r\n]+/.exec(text.slice(0, FIRST_LINES))?.[0].replace(/"[^"]*"/g, "") ?? "";
  const counts = DELIMITERS.map((each) => ({ each, count: line.split(each).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]?.each ?? ",";
}

/** Rows read between two pauses. */
const ROWS_PER_PART = 500;
const CELLS_PER_PART = 20_000;

type Reading = {
  readonly text: string;
  readonly delimiter: Delimiter;
  at: number;
  /** No quote follows: one that opens a cell is part of it. */
  isUnquoted: boolean;
};

/** `isCut`: the text breaks off, and its last row with it. */
export function* readDelimited(text: string, delimiter: Delimiter, isCut: boolean): InParts<RawRows> {
  const reading: Reading = { text, delimiter, at: 0, isUnquoted: false };
  const rows: string[][] = [];
  // One more than is shown: the first may be the names.
  const most = SHEET.rows + 1;
  let [count, columns] = [0, 0];
  while (reading.at < text.length) {
    const row: string[] = [];
    let width = 0;
    for (let isOver = false; !isOver; width += 1) {
      const cell = nextCell(reading);
      isOver = cell.isLast;
      if (rows.length < most && width < SHEET.columns) row.push(shortened(cell.value));
      if (width % CELLS_PER_PART === CELLS_PER_PART - 1) yield;
    }
    const isEmpty = width === 1 && row[0] === "";
    if (isEmpty) continue;
    count += 1;
    if (rows.length < most) {
      rows.push(row);
      columns = Math.max(columns, width);
    }
    if (count % ROWS_PER_PART === 0) yield;
  }
  return { rows, count, isCut, columns };
}

function shortened(value: string): string {
  const { text, left } = cutText(value, SHEET.cellCharacters);
  return left === 0 ? value : `${text}…`;
}

/** The cell at the place of the reading, which moves behind it. */
function nextCell(reading: Reading): { readonly value: string; readonly isLast: boolean } {
  const { text } = reading;
  const quoted = text[reading.at] === '"' && !reading.isUnquoted ? quotedCell(reading) : null;
  const start = quoted?.end ?? reading.at;
  const end = endOfCell(reading, start);
  const value = (quoted?.value ?? "") + text.slice(start, end);
  const isLast = text[end] !== reading.delimiter;
  reading.at = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
  return { value, isLast };
}

function endOfCell({ text, delimiter }: Reading, from: number): number {
  const code = delimiter.charCodeAt(0);
  let end = from;
  for (; end < text.length; end += 1) {
    const each = text.charCodeAt(end);
    if (each === code || each === 0x0a || each === 0x0d) break;
  }
  return end;
}

function quotedCell(reading: Reading): { readonly value: string; readonly end: number } | null {
  const { text } = reading;
  for (let close = text.indexOf('"', reading.at + 1); close !== -1; close = text.indexOf('"', close + 2)) {
    if (text[close + 1] === '"') continue;
    const value = text.slice(reading.at + 1, close);
    return { value: value.includes('"') ? value.replaceAll('""', '"') : value, end: close + 1 };
  }
  reading.isUnquoted = true;
  return null;
}
