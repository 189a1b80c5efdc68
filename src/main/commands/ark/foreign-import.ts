// `arkstone import --from`: the exports of arklet, EZID and Noid as rows of an import (docs/moving.md). Names that were
// unavailable there are imported like the others and then unpublished with their reason, so that the history tells
// both.
import { extname } from "node:path";
import { type AnvlDialect, type AnvlRecord, anvlReader } from "../../../ark/anvl.ts";
import {
  arkletHeaderProblem,
  arkletName,
  type Elements,
  EZID_ANVL,
  ezidHeaderProblem,
  ezidName,
  ezidRecord,
  type ForeignRow,
  NOID_LIST,
  noidRecord,
} from "../../../ark/foreign-exports.ts";
import type { ImportIn } from "../../../ark/inputs.ts";
import { formatArk, parseArk } from "../../../ark/syntax.ts";
import { OPERATOR } from "../../../auth/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { csvReader } from "../../../shared/text/csv.ts";
import { type LastLine, type Row, readRows } from "../../../shared/text/text-lines.ts";
import type { Context, Services } from "../context.ts";
import { openInput } from "../input-file.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";

export const FOREIGN_HELP = `
--from reads what other services export. Nothing carries over: users, keys, shoulders (register them first), dates and histories.
  arklet  the table ark_ark as CSV with its header. Every name becomes published; columns of forks without a field here go to metadata.
  ezid    a batch download of ARKs, CSV with the columns _id, _status and _target (others as wanted) or ANVL. reserved stays reserved,
          unavailable is imported and then unpublished with its reason. Targets that are EZID's own page are left out; elements without a
          field go to metadata as JSON, but for the XML of DataCite and Crossref; DOIs are bad rows.
  noid    what noid mint or noid fetch prints, or one name a line, with its target behind it. A name without target becomes reserved.`;

type Rows = AsyncGenerator<readonly Row<ImportIn>[]>;

type Unavailable = { readonly line: number; readonly ark: string; readonly reason: string };

type ForeignSource = { readonly rows: Rows; readonly unavailable: Unavailable[] };

type Reader = (
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  lastLine: LastLine,
) => AsyncGenerator<readonly Row<ForeignRow>[]>;

const READERS: ReadonlyMap<string, ReadonlyMap<string, Reader>> = new Map([
  ["arklet", new Map([["csv", csvOf(arkletHeaderProblem, arkletName)]])],
  [
    "ezid",
    new Map([
      ["csv", csvOf(ezidHeaderProblem, ezidName)],
      ["anvl", anvlOf(EZID_ANVL, ezidRecord)],
    ]),
  ],
  ["noid", new Map([["list", anvlOf(NOID_LIST, noidRecord)]])],
]);

export function foreignSource(
  context: Context,
  file: string,
  {
    from,
    format,
    lastLine,
  }: { readonly from: string; readonly format: string | undefined; readonly lastLine: LastLine },
): ForeignSource {
  const readers = READERS.get(from);
  if (readers === undefined)
    throw new UsageError(`--from must be ${[...READERS.keys()].join(", ")}, not "${from}"`, "");
  const kind = readers.size === 1 ? [...readers.keys()][0] : (format ?? kindOf(file));
  const reader = readers.get(kind ?? "");
  if (reader === undefined)
    throw new UsageError(
      `Cannot tell the format of ${file}`,
      `Name it: --format ${[...readers.keys()].join(" or --format ")}`,
    );
  const unavailable: Unavailable[] = [];
  return { unavailable, rows: importRows(reader(openInput(context, file), file, lastLine), unavailable) };
}

function kindOf(file: string): string {
  const end = extname(file).slice(1).toLowerCase();
  return end === "txt" ? "anvl" : end;
}

/** Remembers which names are to be withdrawn. */
async function* importRows(lists: AsyncGenerator<readonly Row<ForeignRow>[]>, unavailable: Unavailable[]): Rows {
  for await (const list of lists) {
    yield list.map((row): Row<ImportIn> => {
      if ("wrong" in row) return row;
      if ("wrong" in row.value) return { line: row.line, wrong: row.value.wrong };
      const { value, unavailable: reason } = row.value;
      if (reason !== null) unavailable.push({ line: row.line, ark: value.ark, reason });
      return { line: row.line, value };
    });
  }
}

function csvOf(
  headerProblem: (columns: readonly string[]) => string | null,
  nameOf: (row: Elements) => ForeignRow,
): Reader {
  return async function* read(bytes, file, lastLine) {
    let columns: readonly string[] | null = null;
    for await (const list of readRows(bytes, csvReader(), lastLine)) {
      const rows: Row<ForeignRow>[] = [];
      for (const row of list) {
        if (columns === null) {
          columns = "wrong" in row ? [] : row.value.map((name) => name.trim());
          const problem = "wrong" in row ? `The header ${row.wrong}` : headerProblem(columns);
          if (problem !== null)
            throw new CommandRefusal(`${file}, line ${row.line}: ${problem}`, "Nothing was imported");
        } else if ("wrong" in row) rows.push(row);
        else rows.push(fieldsOf(row.line, columns, row.value, nameOf));
      }
      if (rows.length > 0) yield rows;
    }
    if (columns === null) throw new CommandRefusal(`${file} is empty`, "The first line must name the columns");
  };
}

function fieldsOf(
  line: number,
  columns: readonly string[],
  values: readonly string[],
  nameOf: (row: Elements) => ForeignRow,
): Row<ForeignRow> {
  if (values.length !== columns.length) {
    return { line, wrong: `has ${values.length} fields, the header has ${columns.length}` };
  }
  return { line, value: nameOf(Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""]))) };
}

function anvlOf(dialect: AnvlDialect, nameOf: (record: AnvlRecord) => ForeignRow): Reader {
  return async function* read(bytes, _file, lastLine) {
    for await (const list of readRows(bytes, anvlReader(dialect), lastLine)) {
      yield list.map((row) => ("wrong" in row ? row : { line: row.line, value: nameOf(row.value) }));
    }
  };
}

/** Names of one call. */
const CALL_ROWS = 1_000;

/** Unpublishes what was unavailable once its rows are stored: after each batch, and the rest at the end. */
export function takingBack(services: Pick<Services, "config" | "store" | "lifecycle">, source: ForeignSource | null) {
  let storedLine = 0;
  let count = 0;
  const settle = async (): Promise<void> => {
    if (source === null) return;
    const ready = source.unavailable.findIndex(({ line }) => line > storedLine);
    const stored = source.unavailable.splice(0, ready === -1 ? source.unavailable.length : ready);
    const rows = Math.min(CALL_ROWS, services.config.bulkLimit);
    for (let start = 0; start < stored.length; start += rows) {
      count += await takeBack(services, stored.slice(start, start + rows));
    }
  };
  return {
    stored(line: number): void {
      storedLine = line;
    },
    async *between<R>(rows: AsyncGenerator<readonly Row<R>[]>): AsyncGenerator<readonly Row<R>[]> {
      for await (const list of rows) {
        await settle();
        yield list;
      }
    },
    finish: settle,
    count: () => count,
  };
}

/**
 * Only names that nobody has touched since their import: running an import again undoes nothing that was done
 * afterwards.
 */
async function takeBack(
  { store, lifecycle }: Pick<Services, "store" | "lifecycle">,
  names: readonly Unavailable[],
): Promise<number> {
  const reasons = new Map<string, string>();
  for (const { ark, reason } of names) {
    const key = keyOf(ark);
    if (key !== null) reasons.set(key, reason);
  }
  const records = await store.arks([...reasons.keys()]);
  const fresh = [...records.values()].filter(
    (record) => record.state === "published" && record.origin === "imported" && record.updatedAt === record.createdAt,
  );
  const byReason = Map.groupBy(fresh, (record) => reasons.get(record.key) ?? "");
  for (const [reason, list] of byReason) {
    const data = list.map((record) => formatArk(record.key));
    await lifecycle.unpublishBulk(OPERATOR, { data, reason, confirm: String(data.length) });
  }
  return fresh.length;
}

function keyOf(ark: string): string | null {
  try {
    return parseArk(ark).key;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
