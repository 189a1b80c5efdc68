// Many rows in few statements: never row by row, with no placeholder more than needed, and compiled once, not for each
// call.
import { CompiledQuery, type QueryResult } from "kysely";
import { yieldToEventLoop } from "../../src/shared/time/event-loop.ts";
import { type Dialect, keepPrepared, type Session, withParameters } from "./dialect.ts";

export type Cell = string | number | null;
export type Column = { readonly name: string; readonly type: "text" | "bigint" };

export const text = (name: string): Column => ({ name, type: "text" });
export const number = (name: string): Column => ({ name, type: "bigint" });

/** Rows in one statement on SQLite. Few sizes, so that few statements are kept. */
const CHUNKS = [1_024, 256, 32, 4, 1] as const;
/** Below SQLite's limit of 32,766 parameters, and little enough to keep. */
const PARAMETERS = 8_192;
/** Rows in one statement on PostgreSQL: while the server works on it the next one is made. */
const SENT_ROWS = 2_500;
/** SQLite never waits: after so long others are answered. */
const TURN_MS = 20;
/** Texts kept for one kind of statement: each choice of columns that differ between the rows makes another one. */
const TEXTS_KEPT = 64;

/**
 * PostgreSQL: each statement returns one row that holds a `list` of its texts, which the driver reads many times
 * faster; null for none.
 */
export const returningOneList = (statement: string, column: string): string =>
  `with made as (${statement} returning "${column}") select json_agg("${column}") as list from made`;

/** On SQLite `rows` is empty where the statement returns none; `lastId` is the row number of the last row written. */
type WriteResult<Row> = { readonly rows: readonly Row[]; readonly lastId: number; readonly count: number };

type Parts = { readonly names: string; readonly from: string; readonly dialect: Dialect };

/**
 * A statement fed with a table of values called `t`. A column that is the same in all rows travels once, as a
 * parameter; the others as `values (?, …), …` in chunks on SQLite, as JSON texts on PostgreSQL. `write` puts the
 * statement around it: `from` is what follows FROM.
 */
export function bulkStatement(columns: readonly Column[], write: (parts: Parts) => string) {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const around = (dialect: Dialect, from: string) => write({ names, from, dialect });
  const texts = new Map<string, CompiledQuery>();
  const kept = (key: string, make: () => string): CompiledQuery => {
    const known = texts.get(key);
    if (known !== undefined) return known;
    if (texts.size >= TEXTS_KEPT) texts.clear();
    const made = CompiledQuery.raw(make());
    texts.set(key, made);
    return made;
  };
  const single = around(
    "postgres",
    `(select ${columns.map(({ name, type }, i) => `$${i + 1}::${type} as "${name}"`).join(", ")}) as t`,
  );
  keepPrepared(single);
  const singleQuery = CompiledQuery.raw(single);

  async function onPostgres<Row>(session: Session, rows: Rows): Promise<WriteResult<Row>> {
    const [first = []] = rows;
    if (rows.length === 1)
      return written([await session.db.executeQuery<Row>(withParameters(singleQuery, [...first]))]);
    const differing = differingColumns(columns, rows);
    const statement = kept(differing.join(), () => around("postgres", jsonSource(columns, differing)));
    const shared = sharedCells(differing, first);
    const sent: Promise<QueryResult<Row>>[] = [];
    for (let from = 0; from < rows.length; from += SENT_ROWS) {
      const part = jsonRows(columns, differing, rows.slice(from, from + SENT_ROWS));
      const result = session.db.executeQuery<Row>(withParameters(statement, [part, ...shared]));
      // It is thrown below; nobody may call it unhandled before.
      result.catch(() => {});
      sent.push(result);
      await yieldToEventLoop();
    }
    // Behind one that failed the server refuses all others of the transaction: what is thrown is the first.
    await Promise.allSettled(sent);
    return written(await Promise.all(sent));
  }

  async function onSqlite<Row>(session: Session, rows: Rows): Promise<WriteResult<Row>> {
    const [first = []] = rows;
    const differing = rows.length === 1 ? columns.map((_, i) => i) : differingColumns(columns, rows);
    const shared = sharedCells(differing, first);
    const back: Row[] = [];
    let [lastId, count, start] = [0, 0, 0];
    let turnedAt = performance.now();
    for (const size of CHUNKS) {
      if (rows.length - start < size || size * differing.length > PARAMETERS) continue;
      const statement = kept(`${size}:${differing.join()}`, () =>
        around("sqlite", valuesSource(columns, differing, size)),
      );
      const cellsOf = (from: number): Cell[] => {
        const cells: Cell[] = [...shared];
        for (const row of rows.slice(from, from + size)) for (const i of differing) cells.push(row[i] ?? null);
        return cells;
      };
      function* setsOf(from: number, sets: number): Generator<Cell[]> {
        for (let set = 0; set < sets; set++) yield cellsOf(from + set * size);
      }
      if (session.runAll !== undefined) {
        const sets = Math.floor((rows.length - start) / size);
        const ran = await session.runAll(statement.sql, setsOf(start, sets));
        start += sets * size;
        // The rows are what the statement returns.
        for (const given of ran.rows as readonly Row[]) back.push(given);
        lastId = ran.lastId ?? 0;
        count += ran.changes ?? 0;
        continue;
      }
      for (; rows.length - start >= size; start += size) {
        const cells = cellsOf(start);
        const result = await session.db.executeQuery<Row>(withParameters(statement, cells));
        for (const given of result.rows) back.push(given);
        lastId = Number(result.insertId ?? 0);
        count += Number(result.numAffectedRows ?? result.rows.length);
        if (performance.now() - turnedAt < TURN_MS) continue;
        await yieldToEventLoop();
        turnedAt = performance.now();
      }
    }
    return { rows: back, lastId, count };
  }

  return async function execute<Row>(session: Session, rows: Rows): Promise<WriteResult<Row>> {
    if (rows.length === 0) return { rows: [], lastId: 0, count: 0 };
    return session.dialect === "postgres" ? onPostgres<Row>(session, rows) : onSqlite<Row>(session, rows);
  };
}

function written<Row>(results: readonly QueryResult<Row>[]): WriteResult<Row> {
  const rows = results.flatMap((result) => result.rows);
  const count = results.reduce((sum, { numAffectedRows, rows }) => sum + Number(numAffectedRows ?? rows.length), 0);
  return { rows, lastId: 0, count };
}

type Rows = readonly (readonly Cell[])[];

/** Which columns are not the same in all rows; at least one, for there must be as many values as rows. */
function differingColumns(columns: readonly Column[], rows: Rows): readonly number[] {
  const [first = []] = rows;
  const differing = columns.map((_, i) => i).filter((i) => rows.some((row) => row[i] !== first[i]));
  return differing.length === 0 ? [0] : differing;
}

function sharedCells(differing: readonly number[], row: readonly Cell[]): readonly Cell[] {
  return row.filter((_, i) => !differing.includes(i));
}

/** `$1` is the JSON text, what the rows share follows. */
function jsonSource(columns: readonly Column[], differing: readonly number[]): string {
  let parameter = 1;
  const selected = columns.map(({ name, type }, i) => {
    if (differing.includes(i)) return `"${name}"`;
    parameter += 1;
    return `$${parameter}::${type} as "${name}"`;
  });
  const types = columns.filter((_, i) => differing.includes(i)).map(({ name, type }) => `"${name}" ${type}`);
  return `(select ${selected.join(", ")} from json_to_recordset($1::json) as given(${types.join(", ")})) as t`;
}

function jsonRows(columns: readonly Column[], differing: readonly number[], rows: Rows): string {
  const names = differing.map((i) => columns[i]?.name ?? "");
  return JSON.stringify(rows.map((row) => Object.fromEntries(differing.map((i, at) => [names[at], row[i]]))));
}

/** What the rows share comes first. SQLite calls the columns of VALUES column1, column2, … */
function valuesSource(columns: readonly Column[], differing: readonly number[], size: number): string {
  const selected = columns.map(({ name }, i) => {
    const at = differing.indexOf(i);
    return at < 0 ? `? as "${name}"` : `column${at + 1} as "${name}"`;
  });
  const row = `(${differing.map(() => "?").join(", ")})`;
  return `(select ${selected.join(", ")} from (values ${Array.from({ length: size }, () => row).join(", ")})) as t`;
}
