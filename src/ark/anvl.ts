// ANVL, the text form of an ERC (A37; draft-kunze-ark-42 section 5): `label: value` lines in segments.

import { isBroken, NOT_UTF8, ROW_MAX, type Row, type RowReader } from "../shared/text/text-lines.ts";

/** An element: label and value. An empty value is written as the code for "unavailable". */
type AnvlElement = readonly [label: string, value: string];
type AnvlSegment = { readonly name: string; readonly elements: readonly AnvlElement[] };

/** Kernel code for a value that is not there (draft; ERC). */
const UNAVAILABLE = "(:unav)";

/** Line ends of any kind become percent-encoded, and so does `%`: no value can begin a new line. */
function anvlValue(value: string): string {
  return value.replace(/[%\r\n\v\f\u0085\u2028\u2029]/g, encodeURIComponent);
}

function anvlLabel(label: string): string {
  return label.replace(/[%:\r\n\v\f\u0085\u2028\u2029]/g, encodeURIComponent);
}

/** One record: its segments follow each other without a blank line, which would end it. */
export function printAnvl(segments: readonly AnvlSegment[]): string {
  const lines: string[] = [];
  for (const segment of segments) {
    lines.push(`${anvlLabel(segment.name)}:`);
    for (const [label, value] of segment.elements) {
      lines.push(`${anvlLabel(label)}: ${value === "" ? UNAVAILABLE : anvlValue(value)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

// Reading ANVL, the text of name and value that EZID and Noid write: `label: value` lines, records apart by empty lines
// (A37; draft-kunze-ark-42 section 5; reference "ANVL").

/** One record; the values of a repeated label are joined by `; `. */
export type AnvlRecord = ReadonlyMap<string, string>;

export type AnvlDialect = {
  /** True for a line that begins a record. */
  readonly starts: (line: string) => boolean;
  /** Whether labels and values are percent-encoded. */
  readonly encoded: boolean;
  /** Puts a line of another form into lines of label and value. */
  readonly rewrite?: (line: string) => readonly string[];
};

/**
 * Reads records. A record ends at an empty line and before a line that begins another one. Lines that begin with `#`
 * are comments, lines that begin with white space go on with the value before.
 */
export function anvlReader({ starts, encoded, rewrite }: AnvlDialect): RowReader<AnvlRecord> {
  let rest = "";
  let line = 0;
  let record: { readonly line: number; readonly lines: string[]; length: number } | null = null;

  const finish = (rows: Row<AnvlRecord>[]): void => {
    if (record === null) return;
    const { line: first, lines, length } = record;
    record = null;
    if (length > ROW_MAX) rows.push({ line: first, wrong: `is longer than ${ROW_MAX} characters` });
    else rows.push({ line: first, ...readRecord(lines, encoded ? anvlText : (text) => text) });
  };
  const take = (text: string, rows: Row<AnvlRecord>[]): void => {
    line++;
    const isEmpty = text.trim() === "";
    if (isEmpty || starts(text)) finish(rows);
    if (isEmpty || text.startsWith("#")) return;
    record ??= { line, lines: [], length: 0 };
    record.length += text.length;
    // What is too long is refused at its end: nothing more of it is kept.
    if (record.length <= ROW_MAX) record.lines.push(...(rewrite?.(text) ?? [text]));
  };
  return {
    push(text) {
      const rows: Row<AnvlRecord>[] = [];
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const each of lines) take(each.endsWith("\r") ? each.slice(0, -1) : each, rows);
      if (rest.length > ROW_MAX) {
        take(rest, rows);
        rest = "";
        line--;
      }
      return rows;
    },
    end() {
      const rows: Row<AnvlRecord>[] = [];
      if (rest !== "") take(rest, rows);
      rest = "";
      finish(rows);
      return rows;
    },
  };
}

type RecordResult = { readonly value: AnvlRecord } | { readonly wrong: string };

function readRecord(lines: readonly string[], decode: (text: string) => string): RecordResult {
  const record = new Map<string, string>();
  let label: string | null = null;
  for (const line of lines) {
    if (isBroken(line)) return { wrong: NOT_UTF8 };
    if (/^\s/.test(line)) {
      if (label === null) return { wrong: "begins with a line that goes on with nothing" };
      const [before, more] = [record.get(label) ?? "", decode(line.trim()).trimEnd()];
      // Only what is new is trimmed: a record may go on for thousands of lines.
      record.set(label, before === "" ? more.trimStart() : more === "" ? before : `${before} ${more}`);
      continue;
    }
    const found = /^(::)(.*)$|^(:?[^:]+):(.*)$/s.exec(line);
    const name = found?.[1] ?? found?.[3];
    if (found === null || name === undefined)
      return { wrong: `has a line without a label: ${JSON.stringify(line.slice(0, 100))}` };
    label = decode(name.trim());
    const value = decode((found[2] ?? found[4] ?? "").trim());
    const before = record.get(label);
    record.set(label, before === undefined || before === "" ? value : value === "" ? before : `${before}; ${value}`);
  }
  return { value: record };
}

/**
 * Undoes percent-encoding: bytes that are UTF-8 as such, others as the characters of their numbers. A lone `%` stays.
 */
export function anvlText(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    }
  });
}
