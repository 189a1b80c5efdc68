// NDJSON: one JSON object per line, as imports read it and exports write it (A15).
import { isObject } from "../fields.ts";
import { JsonTooDeep, parseJson } from "../json/read.ts";
import { isBroken, NOT_UTF8, ROW_MAX, type Row, type RowReader } from "./text-lines.ts";

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
