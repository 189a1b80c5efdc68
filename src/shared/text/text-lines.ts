// What readers of line-based files share: a row with the line it begins on, and UTF-8 text out of chunks of bytes.

import { JsonTooDeep, parseJson } from "../json/read.ts";
import { isObject } from "../objects.ts";

/** Characters of one row at most: eleven fields of 10,000 fit; a file without line ends cannot fill the memory. */
export const ROW_MAX = 262_144;

/** One row of a file: what it holds, or why it cannot be read. `line` counts from 1, empty lines too. */
export type Row<T> = { readonly line: number } & ({ readonly value: T } | { readonly wrong: string });

/** A reader that is handed text piece by piece and returns the complete rows. */
export interface RowReader<T> {
  push(text: string): Row<T>[];
  /** The rows that only the end of the file completes. */
  end(): Row<T>[];
}

/** What bytes that are not UTF-8 become: a row that holds it is refused, because its text is not what was meant. */
const REPLACEMENT = "\uFFFD";
export const NOT_UTF8 = "is not valid UTF-8";

export function isBroken(text: string): boolean {
  return text.includes(REPLACEMENT);
}

/**
 * Whether the last line may lack its line end. A file that was cut off ends inside a line: where a value may be any
 * text, the shortened value cannot be distinguished from a whole one.
 */
export type LastLine = "ended" | "any";

export const NO_LINE_END = "has no line end, so the file may be cut off; add a line end if it is complete";

/**
 * Rows of a stream of bytes, in lists as they become complete. A byte order mark is dropped. Holds one row in memory.
 */
export async function* readRows<T>(
  chunks: AsyncIterable<Uint8Array>,
  reader: RowReader<T>,
  lastLine: LastLine,
): AsyncGenerator<readonly Row<T>[]> {
  const decoder = new TextDecoder("utf-8");
  let isEnded = true;
  const push = (text: string): Row<T>[] => {
    if (text !== "") isEnded = text.endsWith("\n");
    return reader.push(text);
  };
  for await (const chunk of chunks) {
    const rows = push(decoder.decode(chunk, { stream: true }));
    if (rows.length > 0) yield rows;
  }
  const rest = [...push(decoder.decode()), ...reader.end()];
  const last = rest.at(-1);
  if (lastLine === "ended" && !isEnded && last !== undefined)
    rest.splice(-1, 1, { line: last.line, wrong: NO_LINE_END });
  if (rest.length > 0) yield rest;
}

// NDJSON: one JSON object per line, as imports read it and exports write it (A15).

export type JsonObject = { readonly [name: string]: unknown };

/** Reads one JSON object per line. Empty lines are passed over; LF, CRLF and a last line without end are fine. */
export function ndjsonReader(): RowReader<JsonObject> {
  let rest = "";
  let line = 0;
  /** Inside a line that has become too long: nothing is kept until its end. */
  let skipping = false;

  const take = (text: string, rows: Row<JsonObject>[]): void => {
    line++;
    const row = skipping ? tooLong() : readLine(text);
    skipping = false;
    if (row !== null) rows.push({ line, ...row });
  };

  return {
    push(text) {
      const rows: Row<JsonObject>[] = [];
      const joined = rest === "" ? text : rest + text;
      let start = 0;
      for (let end = joined.indexOf("\n"); end !== -1; end = joined.indexOf("\n", start)) {
        take(joined.slice(start, end), rows);
        start = end + 1;
      }
      rest = joined.slice(start);
      if (rest.length > ROW_MAX) [rest, skipping] = ["", true];
      return rows;
    },
    end() {
      const rows: Row<JsonObject>[] = [];
      if (rest !== "" || skipping) take(rest, rows);
      rest = "";
      return rows;
    },
  };
}

type LineResult = { readonly value: JsonObject } | { readonly wrong: string };

function tooLong(): LineResult {
  return { wrong: `is longer than ${ROW_MAX} characters` };
}

function readLine(text: string): LineResult | null {
  if (text.length > ROW_MAX) return tooLong();
  if (text.trim() === "") return null;
  if (isBroken(text)) return { wrong: NOT_UTF8 };
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return { wrong: error instanceof JsonTooDeep ? "nests too many arrays and objects" : "is not valid JSON" };
  }
  if (!isObject(value)) return { wrong: "is not a JSON object" };
  // JSON.parse makes objects with string keys only.
  return { value: value as JsonObject };
}

// The objects of a JSON array of any length, one after the other, as the text of it comes in: dumps of hundreds of MB
// are one array.

/** Characters of one object: an array that never ends an object does not fill the memory. */
const ITEM_MAX = 4_000_000;

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [...`"\\{}`].map((each) => each.charCodeAt(0));

/** Objects of the outermost array; what is between them is skipped. `line` is the number of the object, from 1. */
export function arrayItemReader(): RowReader<JsonObject> {
  let rest = "";
  /** How far `rest` was read, where the object began, and what was met by then. */
  let at = 0;
  let start = -1;
  let depth = 0;
  let inText = false;
  let count = 0;
  let isLost = false;

  const take = (rows: Row<JsonObject>[]): void => {
    for (; at < rest.length; at += 1) {
      const code = rest.charCodeAt(at);
      if (inText) {
        if (code === BACKSLASH) at += 1;
        else if (code === QUOTE) inText = false;
        continue;
      }
      if (code === QUOTE) inText = depth > 0;
      else if (code === OPEN) {
        if (depth === 0) start = at;
        depth += 1;
      } else if (code === CLOSE && depth > 0) {
        depth -= 1;
        if (depth > 0) continue;
        count += 1;
        rows.push({ line: count, ...itemOf(rest.slice(start, at + 1)) });
        start = -1;
      }
    }
    const kept = start === -1 ? rest.length : start;
    rest = rest.slice(kept);
    at -= kept;
    start = start === -1 ? -1 : 0;
  };

  return {
    push(text) {
      const rows: Row<JsonObject>[] = [];
      if (isLost) return rows;
      rest += text;
      take(rows);
      if (rest.length > ITEM_MAX) {
        [isLost, rest] = [true, ""];
        rows.push({ line: count + 1, wrong: `is longer than ${ITEM_MAX} characters` });
      }
      return rows;
    },
    end: () => (start === -1 || isLost ? [] : [{ line: count + 1, wrong: "is not whole" }]),
  };
}

function itemOf(text: string): { readonly value: JsonObject } | { readonly wrong: string } {
  try {
    const value = parseJson(text);
    return isObject(value) ? { value } : { wrong: "is not an object" };
  } catch {
    return { wrong: "is not JSON" };
  }
}
