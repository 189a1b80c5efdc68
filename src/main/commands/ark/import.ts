// `arkstone import`: names minted elsewhere, or exported by another Arkstone's operator, from a file of any length
// (A15, A51).

import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CACHE_KIB } from "../../../../db/engine/sqlite-handle.ts";
import { EXPORT_COLUMNS } from "../../../../plugins/ark/export.ts";
import {
  type CarriedName,
  continueHistory,
  isCarried,
  NO_HISTORY_ABOVE,
  readCarried,
} from "../../../ark/carried-name.ts";
import { headerProblem, type ImportRow, rowOfFields, rowOfObject } from "../../../ark/import-row.ts";
import type { ImportIn } from "../../../ark/inputs.ts";
import type { HistoryEntry } from "../../../ark/store.ts";
import { OPERATOR } from "../../../auth/caller.ts";
import { readConfig } from "../../../config.ts";
import {
  BATCH_BYTES,
  type FileRow,
  type ImportProgress,
  type ImportResult,
  importFile,
  ORDERED_ROWS,
  type RowIssue,
} from "../../../operating/import-file.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { isPostgresUrl } from "../../../shared/settings/database-url.ts";
import { csvLine, csvReader, DELIMITERS, guardedCell, unguardedCell } from "../../../shared/text/csv.ts";
import { type JsonObject, type LastLine, ndjsonReader, type Row, readRows } from "../../../shared/text/text-lines.ts";
import { databaseThread } from "../../database-thread.ts";
import { collectGarbage } from "../../process/garbage.ts";
import { jsonLine, plural, printable, progressOn } from "../../process/terminal.ts";
import { command } from "../command.ts";
import { type Context, withServices } from "../context.ts";
import { openInput } from "../input-file.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { FOREIGN_HELP, foreignSource, takingBack } from "./foreign-import.ts";

/** A file from here on is long. */
const LONG_BYTES = 4 * 1024 * 1024;
const BATCH_ROWS_MAX = 100_000;
/** Longer than another process that waits for the lock of an SQLite file sleeps between two attempts. */
const PAUSE_MS = 30;
/** Issues shown on the terminal; a report file holds them all. */
const SHOWN_ISSUES = 50;
/** What an operator does about a reason that most often concerns a whole file. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [
    "SVC-1013",
    "register the shoulder first: arkstone shoulder add NAAN/SHOULDER --organisation NAME, or apply the file of arkstone export service",
  ],
  ["SVC-1012", "names made without check characters need: arkstone shoulder set NAAN/SHOULDER --checked no"],
  ["SVC-1308", "register the NAAN first, if it is yours: arkstone naan add --help"],
]);

const OPTIONS = {
  from: {
    type: "string",
    value: "SERVICE",
    help: "The file was exported by arklet, ezid or noid (see docs/moving.md)",
  },
  format: {
    type: "string",
    value: "FORMAT",
    help: "csv or ndjson (of EZID: csv or anvl); otherwise the file extension decides",
  },
  delimiter: { type: "string", value: "CHARACTER", help: 'Between CSV fields: "," (default), ";" or tab' },
  batch: {
    type: "string",
    value: "N",
    help: `Rows of one transaction at most (default ${BATCH_ROWS_MAX}): it ends sooner where they take ${BATCH_BYTES / 1024 ** 2} MiB of memory, or after ${ORDERED_ROWS} in the order of names`,
  },
  "unended-last-line": {
    type: "boolean",
    help: "Take the last line of CSV although it has no line end; without this it is a bad row, because a file that was cut off ends so",
  },
  "skip-bad": { type: "boolean", help: "Leave bad rows out instead of stopping before their batch" },
  report: { type: "string", value: "FILE", help: "Write every row that was not imported to this CSV file" },
} as const;

export const importCommand = command({
  name: "import",
  summary: "Import names that were minted elsewhere, or a whole service that was exported, from a CSV or NDJSON file",
  words: ["FILE"],
  options: OPTIONS,
  details: `
CSV begins with a line of column names; NDJSON has one object a line; - reads standard input. Columns: ark, url, title, type,
identifier, format, relation, source, commitment, metadata, who, when, request_id, reserve. Their shoulders must be registered. It can be
cut off at any moment and run again: rows that are there already with the same content are counted and left alone, rows whose name
is there with other content are reported and left alone.
The NDJSON of "arkstone export" brings each name as it was: state, times, hold, tombstone, reason of withdrawal, origin, history; and the
receipts of clients. Nothing is published again. Register first what the names live under: "arkstone export service" writes the file for "arkstone apply".
${FOREIGN_HELP}`,
  examples: [
    "arkstone import names.csv",
    "arkstone import names.ndjson --skip-bad --report bad.csv",
    "gunzip -c names.csv.gz | arkstone import - --format csv",
    "arkstone import arks.csv --from arklet",
    "arkstone import ezid.csv --from ezid --skip-bad --report bad.csv",
  ],
  async run(context, given, [file = ""]) {
    const batchRows = batchOf(given.batch);
    const lastLine = given["unended-last-line"] ? "any" : "ended";
    const foreign =
      given.from === undefined
        ? null
        : foreignSource(context, file, { from: given.from, format: given.format, lastLine });
    const rows = foreign?.rows ?? rowsOf(context, file, formatOf(file, given.format), given.delimiter, lastLine);
    const issues = issueSink(context, given.report);
    // A resolver on the same machine has priority.
    const long = isLong(file);
    if (long) context.giveWay();
    const store = long ? { thread: databaseThread, threadCacheKib: CACHE_KIB.writer } : {};
    return await withServices(
      context,
      async (services) => {
        const progress = progressOn(context);
        const startedAt = performance.now();
        const takeBack = takingBack(services, foreign);
        const result = await importFile(services, OPERATOR, takeBack.between(rows), {
          batchRows,
          skipBad: given["skip-bad"],
          onIssues: issues.take,
          onProgress: (now) => {
            takeBack.stored(now.line);
            progress.step(progressLine(now, startedAt));
          },
          isInterrupted: context.interrupted,
          ...(isPostgresUrl(services.config.databaseUrl) ? {} : { pause: () => sleep(PAUSE_MS) }),
          // Memory holds what two batches need, not what those before left.
          onCommitting: collectGarbage,
        });
        await takeBack.finish();
        progress.end();
        issues.end();
        if (takeBack.count() > 0)
          context.err(`Withdrawn from the public, as at the source: ${plural(takeBack.count(), "name")}\n`);
        return finish(context, result, startedAt, given["skip-bad"]);
      },
      store,
    );
  },
});

/** True where a thread that writes while the next rows are read is worth its start. */
function isLong(file: string): boolean {
  return file === "-" || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONG_BYTES;
}

function batchOf(text: string | undefined): number {
  const rows = Number(text ?? BATCH_ROWS_MAX);
  if (Number.isInteger(rows) && rows >= 1 && rows <= BATCH_ROWS_MAX) return rows;
  throw new UsageError(`--batch must be a number from 1 to ${BATCH_ROWS_MAX}, not "${text}"`, "");
}

function formatOf(file: string, given: string | undefined): "csv" | "ndjson" {
  const named = given ?? extname(file).slice(1).toLowerCase();
  if (named === "csv" || named === "tsv") return "csv";
  if (named === "ndjson" || named === "jsonl") return "ndjson";
  const message =
    given === undefined ? `Cannot tell the format of ${file}` : `--format must be csv or ndjson, not "${given}"`;
  throw new UsageError(message, "Name it: --format csv or --format ndjson");
}

type Rows = AsyncGenerator<readonly Row<FileRow>[]>;

function rowsOf(
  context: Context,
  file: string,
  format: "csv" | "ndjson",
  delimiter: string | undefined,
  lastLine: LastLine,
): Rows {
  const named = delimiter === "tab" || delimiter === "\\t" ? "\t" : (delimiter ?? (/\.tsv$/i.test(file) ? "\t" : ","));
  const known = DELIMITERS.find((each) => each === named);
  if (known === undefined) throw new UsageError(`--delimiter must be "," or ";" or tab, not "${delimiter}"`, "");
  const bytes = openInput(context, file);
  return format === "csv"
    ? csvRows(bytes, file, { delimiter: known, isGuarded: readConfig(context.env).csvGuard, lastLine })
    : ndjsonRows(bytes);
}

/** Objects of either kind. A carried name waits for the line behind it, which may go on with its history. */
async function* ndjsonRows(bytes: AsyncIterable<Uint8Array>): Rows {
  let waiting: CarriedWaiting | null = null;
  for await (const list of readRows(bytes, ndjsonReader(), "any")) {
    const rows: Row<FileRow>[] = [];
    for (const row of list) waiting = takeObject(row, waiting, rows);
    if (rows.length > 0) yield rows;
  }
  if (waiting !== null) yield [whole(waiting)];
}

/** A carried name and its history as far as it was read. */
type CarriedWaiting = { readonly line: number; readonly name: CarriedName; readonly history: HistoryEntry[] };

function whole({ line, name, history }: CarriedWaiting): Row<FileRow> {
  return { line, value: { ...name, history } };
}

/** Puts complete names into `rows`; returns the name that may continue in the next row. */
function takeObject(row: Row<JsonObject>, waiting: CarriedWaiting | null, rows: Row<FileRow>[]): CarriedWaiting | null {
  const { line } = row;
  const read = "wrong" in row ? row : isCarried(row.value) ? carriedRow(row.value) : rowOfObject(row.value);
  if ("more" in read) {
    const problem = waiting === null ? NO_HISTORY_ABOVE : continueHistory(waiting.name.ark, waiting.history, read.more);
    if (problem !== null) rows.push({ line, wrong: problem });
    return waiting;
  }
  if (waiting !== null) rows.push(whole(waiting));
  if ("wrong" in read) rows.push({ line, wrong: read.wrong });
  else if ("record" in read.value) return { line, name: read.value, history: [...read.value.history] };
  else rows.push({ line, value: read.value });
  return null;
}

function carriedRow(object: { readonly [name: string]: unknown }) {
  try {
    return readCarried(object);
  } catch (error) {
    if (error instanceof ServiceError) return { wrong: `${error.message}: ${String(object.ark).slice(0, 300)}` };
    throw error;
  }
}

type CsvManner = {
  readonly delimiter: (typeof DELIMITERS)[number];
  readonly isGuarded: boolean;
  readonly lastLine: LastLine;
};

/** A table with the columns of our export is read as SVC_CSV_GUARD writes it. */
async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  { delimiter, isGuarded, lastLine }: CsvManner,
): Rows {
  let columns: readonly string[] | null = null;
  let isOwn = false;
  for await (const list of readRows(bytes, csvReader(delimiter), lastLine)) {
    const rows: Row<ImportIn>[] = [];
    for (const row of list) {
      if (columns === null) {
        columns = headerOf(row, file);
        isOwn = columns.join() === EXPORT_COLUMNS.join();
      } else if ("wrong" in row) rows.push(row);
      else {
        const cells = isOwn && isGuarded ? row.value.map(unguardedCell) : row.value;
        rows.push(numbered(row.line, rowOfFields(columns, cells)));
      }
    }
    if (rows.length > 0) yield rows;
  }
  if (columns === null)
    throw new CommandRefusal(`${file} is empty`, "The first line must name the columns, one of them ark");
}

function headerOf(row: Row<readonly string[]>, file: string): readonly string[] {
  const columns = "wrong" in row ? [] : row.value.map((name) => name.trim());
  const problem = "wrong" in row ? `The header ${row.wrong}` : headerProblem(columns);
  if (problem !== null) {
    const other = DELIMITERS.find((each) => columns.length === 1 && columns[0]?.includes(each));
    const hint = other === undefined ? "" : `; is it --delimiter ${other === "\t" ? "tab" : `"${other}"`}?`;
    throw new CommandRefusal(`${file}, line ${row.line}: ${problem}`, `Nothing was imported${hint}`);
  }
  return columns;
}

function numbered(line: number, row: ImportRow): Row<ImportIn> {
  return "wrong" in row ? { line, wrong: row.wrong } : { line, value: row.value };
}

/** Reports rows that were not imported: all in the report file, the first ones on the terminal. */
function issueSink(context: Context, report: string | undefined) {
  let count = 0;
  const byCode = new Map<string, number>();
  if (report !== undefined) {
    try {
      writeFileSync(report, csvLine(["line", "kind", "code", "ark", "reason"]));
    } catch (error) {
      throw new CommandRefusal(`Cannot write ${report}: ${errorMessage(error)}`, "Nothing was imported");
    }
  }
  return {
    take(issues: readonly RowIssue[]): void {
      if (report !== undefined) {
        const lines = issues.map(({ line, kind, code, ark, reason }) =>
          csvLine([String(line), kind, code, ark, reason].map(guardedCell)),
        );
        appendFileSync(report, lines.join(""));
      }
      for (const issue of issues) {
        count++;
        byCode.set(issue.code, (byCode.get(issue.code) ?? 0) + 1);
        if (count <= SHOWN_ISSUES) context.err(`${issueLine(issue)}\n`);
      }
    },
    end(): void {
      const more = count - SHOWN_ISSUES;
      const where = report === undefined ? "--report FILE keeps them all" : `all are in ${report}`;
      if (more > 0) context.err(`… and ${plural(more, "more row")} (${where})\n`);
      for (const [code, remedy] of REMEDIES) {
        const count = byCode.get(code);
        if (count !== undefined) context.err(`${code}, ${plural(count, "row")}: ${remedy}\n`);
      }
    },
  };
}

function issueLine({ line, code, ark, reason }: RowIssue): string {
  const named = ark === "" ? "" : `${printable(ark)}: `;
  return `Line ${line}: ${named}${printable(reason)}${code === "" ? "" : ` (${code})`}`;
}

function rateOf(rows: number, startedAt: number): string {
  const seconds = (performance.now() - startedAt) / 1000;
  return `${Math.round(rows / Math.max(seconds, 0.001)).toLocaleString("en-US")} rows/s`;
}

function progressLine(now: ImportProgress, startedAt: number): string {
  return `Line ${now.line.toLocaleString("en-US")}: ${countsOf(now)}, ${rateOf(now.rows, startedAt)}`;
}

function countsOf({ created, alreadyThere, differing, bad, receipts }: ImportProgress): string {
  const parts = [
    `${created.toLocaleString("en-US")} imported`,
    `${alreadyThere.toLocaleString("en-US")} already there`,
  ];
  if (differing > 0) parts.push(`${differing.toLocaleString("en-US")} there with other content`);
  if (bad > 0) parts.push(`${bad.toLocaleString("en-US")} bad`);
  if (receipts > 0) parts.push(plural(receipts, "receipt"));
  return parts.join(", ");
}

function finish(context: Context, result: ImportResult, startedAt: number, skipBad: boolean): number {
  const { rows, created, alreadyThere, differing, bad, receipts, line, end } = result;
  const seconds = Math.round(performance.now() - startedAt) / 1000;
  if (context.json) {
    const counts = { rows, created, already_there: alreadyThere, differing, bad, receipts, line };
    context.out(jsonLine({ end, ...counts, seconds, rows_per_second: Math.round(rows / Math.max(seconds, 0.001)) }));
  } else {
    context.out(`${plural(rows, "row")} in ${seconds} s (${rateOf(rows, startedAt)}): ${countsOf(result)}.\n`);
  }
  if (end === "interrupted") {
    context.err(`Stopped behind line ${line}: run the same command again to go on\n`);
    return 130;
  }
  if (end === "bad-rows") {
    const stored = line === 0 ? "Nothing was imported" : `Everything up to line ${line} is stored, nothing behind it`;
    context.err(`${stored}: mend the lines above and run it again, or leave them out with --skip-bad\n`);
    return 1;
  }
  return !skipBad && differing > 0 ? 1 : 0;
}
