// Many records as text in pieces: the export as NDJSON or CSV (RFC 4180), lists as JSON; what is read at once is one
// piece (A15, A17).

import type { ListPart, NameHistory } from "../../src/ark/ark-queries.ts";
import { type ArkRecord, DESCRIPTIVE_FIELDS } from "../../src/ark/record.ts";
import { formatArk } from "../../src/ark/syntax.ts";
import { chooseMediaType } from "../../src/shared/http/negotiation.ts";
import { csvLine, guardedCell } from "../../src/shared/text/csv.ts";
import { LONG_TEXT, yieldIfBusy } from "../../src/shared/time/event-loop.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { type ArkOut, toArkOut, toHistoryEntryOut } from "./schemas.ts";

type ExportFormat = {
  readonly contentType: string;
  readonly fileName: string;
  readonly head: string;
  readonly line: (row: ArkOut) => string;
};

export const EXPORT_COLUMNS = [
  "ark",
  ...DESCRIPTIVE_FIELDS,
  "state",
  "created_at",
  "updated_at",
  "published_at",
  "hold_until",
  "hold_reason",
] as const satisfies (keyof ArkOut)[];

const NDJSON: ExportFormat = {
  contentType: "application/x-ndjson; charset=utf-8",
  fileName: "arks.ndjson",
  head: "",
  line: (row) => `${JSON.stringify(row)}\n`,
};

/**
 * A table; null is an empty field. Guarded, it opens in a spreadsheet without running what somebody stored
 * (SVC_CSV_GUARD).
 */
export const csvExport = (isGuarded: boolean): ExportFormat => ({
  contentType: "text/csv; charset=utf-8; header=present",
  fileName: "arks.csv",
  head: csvLine(EXPORT_COLUMNS),
  line: (row) =>
    csvLine(EXPORT_COLUMNS.map((column) => (isGuarded ? guardedCell(row[column] ?? "") : (row[column] ?? "")))),
});

/** CSV where the caller asks for it or wants it more, otherwise JSON lines. */
export function exportFormat(accept: string | null, isGuarded: boolean): ExportFormat {
  const chosen = chooseMediaType(accept, ["application/x-ndjson", "text/csv"], "named");
  return chosen === "text/csv" ? csvExport(isGuarded) : NDJSON;
}

/**
 * Lines in pieces of some length; a page is read when the client has taken the one before, and no more once the client
 * has left.
 */
export async function* exported(
  pages: AsyncIterable<readonly ArkRecord[]>,
  format: ExportFormat,
  now: Instant,
): AsyncGenerator<string> {
  let text = format.head;
  for await (const page of pages) {
    const busy = yieldIfBusy();
    if (busy !== null) await busy;
    for (const record of page) {
      text += format.line(toArkOut(record, now));
      if (text.length < LONG_TEXT) continue;
      yield text;
      text = "";
    }
  }
  if (text !== "") yield text;
}

/** One page of a list: `{"data": […], "next": …}`. */
export async function* listedText(parts: AsyncIterable<ListPart>, now: Instant): AsyncGenerator<string> {
  let [text, next]: [string, string | null] = ['{"data":[', null];
  let isFirst = true;
  for await (const part of parts) {
    const busy = yieldIfBusy();
    if (busy !== null) await busy;
    yield text + (isFirst || part.records.length === 0 ? "" : ",") + membersOf(part.records, now);
    [text, isFirst, next] = ["", false, part.next];
  }
  yield `${text}],"next":${JSON.stringify(next)}}`;
}

/** The records found: `{"data": […]}`. */
export const queriedText = (parts: AsyncIterable<readonly ArkRecord[]>, now: Instant): AsyncGenerator<string> =>
  dataText('{"data":[', parts, (records) => membersOf(records, now));

/** Every change of a name: `{"ark": …, "data": […]}`. */
export const historyText = ({ key, parts }: NameHistory): AsyncGenerator<string> =>
  dataText(`{"ark":${JSON.stringify(formatArk(key))},"data":[`, parts, (entries) =>
    entries.map((entry) => JSON.stringify(toHistoryEntryOut(entry))).join(),
  );

async function* dataText<Part>(
  begin: string,
  parts: AsyncIterable<Part>,
  members: (part: Part) => string,
): AsyncGenerator<string> {
  let text = begin;
  for await (const part of parts) {
    const busy = yieldIfBusy();
    if (busy !== null) await busy;
    yield text + members(part);
    text = ",";
  }
  yield text === "," ? "]}" : `${text}]}`;
}

const membersOf = (records: readonly ArkRecord[], now: Instant): string =>
  records.map((record) => JSON.stringify(toArkOut(record, now))).join();
