// The list of `arkstone restore --newer-names`: CSV or NDJSON of an export, or one ARK a line. It is read twice: before
// anything is written, to refuse what cannot be read, and when its names are entered.
import { extname } from "node:path";
import type { NewerList } from "../../../operating/newer-names.ts";
import { type ListedName, newerName } from "../../../operating/newer-names-list.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { csvReader } from "../../../shared/text/csv.ts";
import { ndjsonReader, type Row, readRows } from "../../../shared/text/text-lines.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import { plural, printable } from "../../process/terminal.ts";
import type { Context } from "../context.ts";
import { openInput } from "../input-file.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";

const SHOWN = 20;

export async function newerList(
  context: Context,
  file: string,
  backupAt: Instant,
): Promise<() => AsyncIterable<NewerList>> {
  if (file === "-") throw new UsageError("--newer-names must be a file: it is read twice", "");
  const wrong: string[] = [];
  let count = 0;
  for await (const list of listedNames(context, file)) {
    for (const row of list) {
      const problem = "wrong" in row ? row.wrong : problemOf(row.value, backupAt);
      if (problem === null) continue;
      count++;
      if (wrong.length < SHOWN) wrong.push(`Line ${row.line}: ${printable(problem)}`);
    }
  }
  if (count > 0)
    throw new CommandRefusal(`${file} cannot be used: ${plural(count, "bad line")}`, "Nothing was written", wrong);
  return () => read(context, file, backupAt);
}

async function* read(context: Context, file: string, backupAt: Instant): AsyncGenerator<NewerList> {
  for await (const list of listedNames(context, file)) {
    yield list.map((row) => {
      if ("wrong" in row) throw new CommandRefusal(`${file} was changed while it was read`);
      return { line: row.line, name: newerName(row.value, backupAt) };
    });
  }
}

function problemOf(listed: ListedName, backupAt: Instant): string | null {
  try {
    newerName(listed, backupAt);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return `${listed.ark.slice(0, 300)}: ${error.message}`;
    throw error;
  }
}

type NamePages = AsyncGenerator<readonly Row<ListedName>[]>;

async function* listedNames(context: Context, file: string): NamePages {
  const kind = extname(file).toLowerCase();
  const bytes = openInput(context, file);
  if (kind === ".ndjson" || kind === ".jsonl") {
    for await (const list of readRows(bytes, ndjsonReader(), "any")) {
      // A line that goes on with a history, and a receipt, name nothing new.
      const rows = list.filter(
        (row) => "wrong" in row || (row.value.history_from === undefined && row.value.receipt === undefined),
      );
      yield rows.map((row) => ("wrong" in row ? row : named(row.line, row.value)));
    }
    return;
  }
  // One ARK a line is a CSV of one column; a first line that names a column ark is a header.
  let columns: readonly string[] | null = null;
  for await (const list of readRows(bytes, csvReader(), "ended")) {
    const rows: Row<ListedName>[] = [];
    for (const row of list) {
      if (columns === null) {
        const header = "wrong" in row ? [] : row.value.map((name) => name.trim());
        columns = header.includes("ark") ? header : ["ark"];
        if (header.includes("ark")) continue;
      }
      rows.push("wrong" in row ? row : named(row.line, fieldsOf(columns, row.value)));
    }
    yield rows;
  }
}

function fieldsOf(columns: readonly string[], values: readonly string[]): { readonly [field: string]: unknown } {
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""]));
}

function named(line: number, fields: { readonly [field: string]: unknown }): Row<ListedName> {
  const { ark } = fields;
  return typeof ark === "string" && ark !== "" ? { line, value: { ...fields, ark } } : { line, wrong: "names no ark" };
}
