// Where filled rows go: SQLite by prepared statements in large transactions, PostgreSQL by COPY. Triggers rest
// meanwhile: what they would write is among the rows. Rows come in batches of one text for each table, which threads make.
import { Database, type Statement } from "bun:sqlite";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { type Cell, COUNTER_TABLES, type Counter, columnsOf, tablesOf } from "./templates.ts";

/** By table: all cells in their order with SEPARATOR between two, or lines of COPY. */
export type Batch = ReadonlyMap<string, string>;
export type Form = "cells" | "copy";
/** Signs that no text of a work has. Columns of integers take them as texts. */
const SEPARATOR = "\u001f";
const NULL = "\u001e";

export interface Sink {
  readonly form: Form;
  /** In one transaction. */
  take(batch: Batch): Promise<void>;
  /** In the place of the row with its key. */
  replace(table: string, cells: readonly Cell[]): void;
  /** With the numbers that counters go on from. */
  close(last: Readonly<Record<Counter, number>>): Promise<void>;
}

/** Puts rows together into batches. */
export class Batching {
  readonly #form: Form;
  #cells = new Map<string, (string | number)[]>();
  #lines = new Map<string, string[]>();

  constructor(form: Form) {
    this.#form = form;
  }

  readonly write = (table: string, cells: readonly Cell[]): void => {
    if (this.#form === "copy") {
      const lines = this.#lines.get(table);
      if (lines === undefined) this.#lines.set(table, [lineOf(cells)]);
      else lines.push(lineOf(cells));
      return;
    }
    const known = this.#cells.get(table) ?? [];
    if (known.length === 0) this.#cells.set(table, known);
    for (const cell of cells) known.push(cell ?? NULL);
  };

  take(): Batch {
    const batch = new Map<string, string>();
    for (const [table, lines] of this.#lines) batch.set(table, lines.join("\n"));
    for (const [table, cells] of this.#cells) batch.set(table, cells.join(SEPARATOR));
    this.#lines = new Map();
    this.#cells = new Map();
    return batch;
  }
}

/** Parameters of one statement. */
const PARAMETERS = 1_000;

export class SqliteSink implements Sink {
  readonly form = "cells";
  readonly #database: Database;
  /** What is made again behind the rows: sorted, which is many times faster. */
  readonly #later: readonly { readonly type: string; readonly name: string; readonly sql: string }[];
  readonly #statements = new Map<string, Statement>();
  readonly #columns = new Map<string, number>();

  constructor(file: string) {
    this.#database = new Database(file);
    // Whoever fills a database that is cut off fills it again.
    for (const each of [
      "journal_mode = off",
      "synchronous = off",
      "foreign_keys = off",
      "locking_mode = exclusive",
      "cache_size = -1500000",
      "threads = 2",
    ])
      this.#database.run(`pragma ${each}`);
    this.#later = this.#database
      .query<{ type: string; name: string; sql: string }, []>(
        "select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null order by type",
      )
      .all();
    for (const { type, name } of this.#later) this.#database.run(`drop ${type} "${name}"`);
    for (const table of tablesOf(this.#database)) this.#columns.set(table, columnsOf(this.#database, table).length);
  }

  #statementOf(table: string, verb: "insert" | "replace", rows: number): Statement {
    const key = `${verb} ${table} ${rows}`;
    const known = this.#statements.get(key);
    if (known !== undefined) return known;
    const marks = `(${Array.from({ length: this.#columns.get(table) ?? 0 }, () => "?").join(", ")})`;
    const values = Array.from({ length: rows }, () => marks).join(", ");
    const made = this.#database.prepare(`${verb} into "${table}" values ${values}`);
    this.#statements.set(key, made);
    return made;
  }

  replace(table: string, cells: readonly Cell[]): void {
    this.#statementOf(table, "replace", 1).run(...cells);
  }

  async take(batch: Batch): Promise<void> {
    this.#database.run("begin");
    for (const [table, text] of batch) {
      const cells = text.split(SEPARATOR);
      const columns = this.#columns.get(table) ?? 1;
      const size = columns * Math.max(1, Math.floor(PARAMETERS / columns));
      for (let from = 0; from < cells.length; from += size) {
        const part = cells.slice(from, from + size).map((cell) => (cell === NULL ? null : cell));
        this.#statementOf(table, "insert", part.length / columns).run(...part);
      }
    }
    this.#database.run("commit");
  }

  async close(last: Readonly<Record<Counter, number>>): Promise<void> {
    for (const counter of COUNTER_TABLES)
      this.#database.run("update sqlite_sequence set seq = ? where name = ?", [last[counter], counter]);
    for (const { sql } of this.#later) this.#database.run(sql);
    for (const statement of this.#statements.values()) statement.finalize();
    this.#database.run("pragma locking_mode = normal");
    this.#database.run("pragma journal_mode = wal");
    this.#database.close();
  }
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };
const copied = (cell: Cell): string =>
  cell === null
    ? "\\N"
    : typeof cell === "number"
      ? String(cell)
      : cell.replace(/[\\\n\t\r]/g, (sign) => ESCAPES[sign] ?? "");
const lineOf = (cells: readonly Cell[]): string => cells.map(copied).join("\t");

export class PostgresSink implements Sink {
  readonly form = "copy";
  readonly #child: ChildProcess;
  readonly #columns: ReadonlyMap<string, readonly string[]>;
  #errors = "";
  /** Indexes that are made again behind the rows, and how: sorted, which is many times faster. */
  readonly #later: string[] = [];
  readonly #url: string;

  /** `source`: the database whose columns the cells are in the order of. */
  constructor(url: string, source: Database) {
    this.#url = url;
    this.#columns = new Map(tablesOf(source).map((table) => [table, columnsOf(source, table)]));
    this.#child = spawn("psql", ["-q", "-v", "ON_ERROR_STOP=1", url], { stdio: ["pipe", "ignore", "pipe"] });
    this.#child.stderr?.on("data", (data: Buffer) => {
      this.#errors += data.toString();
    });
    this.#child.stdin?.on("error", () => {});
    // Triggers and foreign keys rest.
    this.#child.stdin?.write("set session_replication_role = replica;\nset synchronous_commit = off;\n");
  }

  /** Takes every row of another database in the place of what is there. */
  async takeOver(source: Database): Promise<void> {
    const tables = [...this.#columns.keys()].filter((table) => !table.startsWith("sqlite_"));
    const all = tables.map((table) => `"${table}"`).join(", ");
    this.#child.stdin?.write(`truncate ${all} cascade;\n`);
    for (const { name, definition } of await this.#indexes()) {
      this.#child.stdin?.write(`drop index ${name};\n`);
      this.#later.push(`${definition};\n`);
    }
    const batching = new Batching(this.form);
    for (const table of tables)
      for (const row of source.query(`select * from "${table}"`).values()) batching.write(table, row as Cell[]);
    await this.take(batching.take());
  }

  /** Those that hold no constraint. */
  async #indexes(): Promise<readonly { readonly name: string; readonly definition: string }[]> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    const { rows } = await client.query(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
        from pg_index join pg_class on pg_class.oid = indexrelid
        where relnamespace = current_schema()::regnamespace
          and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    );
    await client.end();
    return rows;
  }

  replace(table: string, cells: readonly Cell[]): void {
    const key = (this.#columns.get(table) ?? []).indexOf("id");
    if (key < 0) throw new RangeError(`${table} has no id to replace a row by`);
    this.#child.stdin?.write(`delete from "${table}" where id = ${cells[key]};\n${this.#copy(table, lineOf(cells))}`);
  }

  #copy(table: string, lines: string): string {
    const columns = (this.#columns.get(table) ?? []).map((name) => `"${name}"`).join(", ");
    return `copy "${table}" (${columns}) from stdin;\n${lines}\n\\.\n`;
  }

  async take(batch: Batch): Promise<void> {
    if (this.#errors !== "") throw new Error(this.#errors);
    let isTaken = true;
    for (const [table, lines] of batch) isTaken = this.#child.stdin?.write(this.#copy(table, lines)) !== false;
    if (!isTaken && this.#child.stdin !== null) await once(this.#child.stdin, "drain");
  }

  async close(last: Readonly<Record<Counter, number>>): Promise<void> {
    const ended = once(this.#child, "close");
    this.#child.stdin?.write(`set maintenance_work_mem = '512MB';\n${this.#later.join("")}`);
    for (const [counter, column] of COUNTER_TABLES.map((each) => [each, each === "author_number" ? null : "id"])) {
      if (column === null) continue;
      const number = Math.max(1, last[counter as Counter]);
      this.#child.stdin?.write(`select setval(pg_get_serial_sequence('${counter}', '${column}'), ${number});\n`);
    }
    this.#child.stdin?.end("analyze;\n");
    const [code] = await ended;
    if (code !== 0) throw new Error(`psql ended with ${code}: ${this.#errors}`);
  }
}
