// `arkstone import`: names minted elsewhere, from a file of any length (A15; issue "Real input").
import { appendFileSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { headerProblem, type ImportRow, rowOfFields, rowOfObject } from "../../domain/ark/import-row.ts";
import type { ImportIn } from "../../domain/ark/inputs.ts";
import { OPERATOR } from "../../domain/auth/caller.ts";
import { csvLine, csvReader, DELIMITERS } from "../../formats/csv.ts";
import { type Row, readRows } from "../../formats/lines.ts";
import { ndjsonReader } from "../../formats/ndjson.ts";
import { type ImportProgress, type ImportResult, importFile, type RowIssue } from "../../services/import-file.ts";
import { plural, printable, progressOn } from "../terminal.ts";
import { command } from "./command.ts";
import { type Context, withServices } from "./context.ts";
import { FOREIGN_HELP, foreignSource, takingBack } from "./foreign-import.ts";
import { openInput } from "./input-file.ts";
import { Refusal, UsageError } from "./refusals.ts";

const BATCH_ROWS = 10_000;
const BATCH_ROWS_MAX = 100_000;
/** Issues shown on the terminal; a report file holds them all. */
const SHOWN_ISSUES = 50;
/** What an operator does about a reason that most often concerns a whole file. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ["SVC-1013", "register the shoulder first: arkstone shoulder add NAAN/SHOULDER --organisation NAME"],
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
    help: "csv or ndjson (of EZID: csv or anvl); otherwise the end of the file's name says it",
  },
  delimiter: { type: "string", value: "CHARACTER", help: 'Between CSV fields: "," (default), ";" or tab' },
  batch: { type: "string", value: "N", help: `Rows of one transaction (default ${BATCH_ROWS})` },
  "skip-bad": { type: "boolean", help: "Leave bad rows out instead of stopping before their batch" },
  report: { type: "string", value: "FILE", help: "Write every row that was not imported to this CSV file" },
} as const;

export const importCommand = command({
  name: "import",
  summary: "Import names that were minted elsewhere from a CSV or NDJSON file",
  words: ["FILE"],
  options: OPTIONS,
  details: `
CSV begins with a line of column names; NDJSON has one object a line; - reads standard input. Columns: ark, url, title, type,
identifier, format, relation, source, commitment, metadata, who, when, request_id, reserve. Their shoulders must be registered. It can be
cut off at any moment and run again: rows that are there already with the same content are counted and left alone, rows whose name
is there with other content are reported and left alone. What "arkstone export" writes can be imported.
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
    const foreign = given.from === undefined ? null : foreignSource(context, file, given.from, given.format);
    const rows = foreign?.rows ?? rowsOf(context, file, formatOf(file, given.format), given.delimiter);
    const issues = issueSink(context, given.report);
    return await withServices(context, async (services) => {
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
      });
      await takeBack.finish();
      progress.end();
      issues.end();
      if (takeBack.count() > 0)
        context.err(`Taken back from the public, as they were there: ${plural(takeBack.count(), "name")}\n`);
      return finish(context, result, startedAt, given["skip-bad"]);
    });
  },
});

function batchOf(text: string | undefined): number {
  const rows = Number(text ?? BATCH_ROWS);
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

type Rows = AsyncGenerator<readonly Row<ImportIn>[]>;

function rowsOf(context: Context, file: string, format: "csv" | "ndjson", delimiter: string | undefined): Rows {
  const named = delimiter === "tab" || delimiter === "\\t" ? "\t" : (delimiter ?? (/\.tsv$/i.test(file) ? "\t" : ","));
  const known = DELIMITERS.find((each) => each === named);
  if (known === undefined) throw new UsageError(`--delimiter must be "," or ";" or tab, not "${delimiter}"`, "");
  const bytes = openInput(context, file);
  return format === "csv" ? csvRows(bytes, file, known) : ndjsonRows(bytes);
}

async function* ndjsonRows(bytes: AsyncIterable<Uint8Array>): Rows {
  for await (const list of readRows(bytes, ndjsonReader())) {
    yield list.map((row) => ("wrong" in row ? row : placed(row.line, rowOfObject(row.value))));
  }
}

async function* csvRows(bytes: AsyncIterable<Uint8Array>, file: string, delimiter: (typeof DELIMITERS)[number]): Rows {
  let columns: readonly string[] | null = null;
  for await (const list of readRows(bytes, csvReader(delimiter))) {
    const rows: Row<ImportIn>[] = [];
    for (const row of list) {
      if (columns === null) columns = headerOf(row, file);
      else rows.push("wrong" in row ? row : placed(row.line, rowOfFields(columns, row.value)));
    }
    if (rows.length > 0) yield rows;
  }
  if (columns === null) throw new Refusal(`${file} is empty`, "The first line must name the columns, one of them ark");
}

function headerOf(row: Row<readonly string[]>, file: string): readonly string[] {
  const columns = "wrong" in row ? [] : row.value.map((name) => name.trim());
  const problem = "wrong" in row ? `The header ${row.wrong}` : headerProblem(columns);
  if (problem !== null) {
    const other = DELIMITERS.find((each) => columns.length === 1 && columns[0]?.includes(each));
    const hint = other === undefined ? "" : `; is it --delimiter ${other === "\t" ? "tab" : `"${other}"`}?`;
    throw new Refusal(`${file}, line ${row.line}: ${problem}`, `Nothing was imported${hint}`);
  }
  return columns;
}

function placed(line: number, row: ImportRow): Row<ImportIn> {
  return "wrong" in row ? { line, wrong: row.wrong } : { line, value: row.value };
}

/** Where rows that were not imported are told: all in the report file, the first ones on the terminal. */
function issueSink(context: Context, report: string | undefined) {
  let told = 0;
  const byCode = new Map<string, number>();
  if (report !== undefined) {
    try {
      writeFileSync(report, csvLine(["line", "kind", "code", "ark", "reason"]));
    } catch (error) {
      throw new Refusal(
        `Cannot write ${report}: ${error instanceof Error ? error.message : error}`,
        "Nothing was imported",
      );
    }
  }
  return {
    take(issues: readonly RowIssue[]): void {
      if (report !== undefined) {
        const lines = issues.map(({ line, kind, code, ark, reason }) =>
          csvLine([String(line), kind, code, ark, reason]),
        );
        appendFileSync(report, lines.join(""));
      }
      for (const issue of issues) {
        told++;
        byCode.set(issue.code, (byCode.get(issue.code) ?? 0) + 1);
        if (told <= SHOWN_ISSUES) context.err(`${issueLine(issue)}\n`);
      }
    },
    end(): void {
      const more = told - SHOWN_ISSUES;
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

function countsOf({ created, alreadyThere, differing, bad }: ImportProgress): string {
  const parts = [
    `${created.toLocaleString("en-US")} imported`,
    `${alreadyThere.toLocaleString("en-US")} already there`,
  ];
  if (differing > 0) parts.push(`${differing.toLocaleString("en-US")} there with other content`);
  if (bad > 0) parts.push(`${bad.toLocaleString("en-US")} bad`);
  return parts.join(", ");
}

function finish(context: Context, result: ImportResult, startedAt: number, skipBad: boolean): number {
  const { rows, created, alreadyThere, differing, bad, line, end } = result;
  const seconds = Math.round(performance.now() - startedAt) / 1000;
  if (context.json) {
    const counts = { rows, created, already_there: alreadyThere, differing, bad, line };
    context.out(
      `${JSON.stringify({ end, ...counts, seconds, rows_per_second: Math.round(rows / Math.max(seconds, 0.001)) })}\n`,
    );
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
