// Where filled rows go: SQLite by prepared statements in large transactions, PostgreSQL by COPY. Triggers rest
// meanwhile: what they would write is among the rows.
import { Database, type Statement } from "bun:sqlite";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Cell, COUNTER_TABLES, type Counter, columnsOf, tablesOf } from "./templates.ts";

export interface Sink {
  write(table: string, cells: readonly Cell[]): void;
  /** In the place of the row with its key. */
  replace(table: string, cells: readonly Cell[]): void;
  /** Between two works: writes what is due. */
  rest(): Promise<void>;
  /** With the numbers that counters go on from. */
  close(last: Readonly<Record<Counter, number>>): Promise<void>;
}

/** Works in one transaction, which writes table by table. */
const WORKS = 2_000;
/** Parameters of one statement. */
const PARAMETERS = 1_000;

export class SqliteSink implements Sink {
  readonly #database: Database;
  /** What is made again behind the rows: sorted, which is many times faster. */
  readonly #later: readonly { readonly type: string; readonly name: string; readonly sql: string }[];
  readonly #statements = new Map<string, Statement>();
  readonly #columns = new Map<string, number>();
  #cells = new Map<string, Cell[]>();
  #works = 0;

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

  write(table: string, cells: readonly Cell[]): void {
    const known = this.#cells.get(table);
    if (known === undefined) this.#cells.set(table, [...cells]);
    else for (const cell of cells) known.push(cell);
  }

  replace(table: string, cells: readonly Cell[]): void {
    this.#flush();
    this.#statementOf(table, "replace", 1).run(...cells);
  }

  #flush(): void {
    this.#database.run("begin");
    for (const [table, cells] of this.#cells) {
      const columns = this.#columns.get(table) ?? 1;
      const size = columns * Math.max(1, Math.floor(PARAMETERS / columns));
      for (let from = 0; from < cells.length; from += size) {
        const part = cells.slice(from, from + size);
        this.#statementOf(table, "insert", part.length / columns).run(...part);
      }
    }
    this.#database.run("commit");
    this.#cells = new Map();
  }

  async rest(): Promise<void> {
    this.#works += 1;
    if (this.#works % WORKS !== 0) return;
    this.#flush();
    await Bun.sleep(0);
  }

  async close(last: Readonly<Record<Counter, number>>): Promise<void> {
    this.#flush();
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

export class PostgresSink implements Sink {
  readonly #child: ChildProcess;
  readonly #columns: ReadonlyMap<string, readonly string[]>;
  #lines = new Map<string, string[]>();
  #replaced: string[] = [];
  #works = 0;
  #errors = "";

  /** `source`: the database whose columns the cells are in the order of. */
  constructor(url: string, source: Database) {
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
    for (const table of tables)
      for (const row of source.query(`select * from "${table}"`).values()) this.write(table, row as Cell[]);
    await this.#flush();
  }

  write(table: string, cells: readonly Cell[]): void {
    const lines = this.#lines.get(table) ?? [];
    if (lines.length === 0) this.#lines.set(table, lines);
    lines.push(cells.map(copied).join("\t"));
  }

  replace(table: string, cells: readonly Cell[]): void {
    const key = (this.#columns.get(table) ?? []).indexOf("id");
    if (key < 0) throw new RangeError(`${table} has no id to replace a row by`);
    this.#replaced.push(`delete from "${table}" where id = ${cells[key]};`);
    this.write(table, cells);
  }

  async #flush(): Promise<void> {
    this.#child.stdin?.write(this.#replaced.join("\n"));
    this.#replaced = [];
    if (this.#errors !== "") throw new Error(this.#errors);
    for (const [table, lines] of this.#lines) {
      const columns = (this.#columns.get(table) ?? []).map((name) => `"${name}"`).join(", ");
      const isTaken = this.#child.stdin?.write(`copy "${table}" (${columns}) from stdin;\n${lines.join("\n")}\n\\.\n`);
      if (isTaken === false && this.#child.stdin !== null) await once(this.#child.stdin, "drain");
    }
    this.#lines = new Map();
  }

  async rest(): Promise<void> {
    this.#works += 1;
    if (this.#works % 500 === 0) await this.#flush();
  }

  async close(last: Readonly<Record<Counter, number>>): Promise<void> {
    await this.#flush();
    const ended = once(this.#child, "close");
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
