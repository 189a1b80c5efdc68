// Opens the database a URL names: SQLite on Bun, SQLite on Deno, or PostgreSQL. The drivers are known here and in open-postgres.ts alone.
import { randomInt } from "node:crypto";
import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, SqliteDialect } from "kysely";
import { isPostgresUrl } from "../../src/shared/database-url.ts";
import type { CommitGate, CommitNews } from "./commit-gate.ts";
import type { Dialect } from "./dialect.ts";
import type { Database } from "./schema.ts";
import { DamagedFile, refusalOf, warnOfWal } from "./sqlite-damage.ts";
import { type OnStatement, tellingStatements } from "./statement-listener.ts";

export type OpenOptions = {
  /** `sqlite:PATH`, `file:PATH`, a plain path, `:memory:`, or `postgres://…`, which may name several servers. */
  readonly url: string;
  /** Connections to PostgreSQL at most; SQLite has one that writes and one that reads. */
  readonly poolSize?: number;
  /** Refuses every write. An SQLite file must exist already. */
  readonly readOnly?: boolean;
  /**
   * SQLite: looks at the file before it is used. Throws where its pages do not fit together; says what of its write-ahead log cannot be
   * read, which SQLite passes over in silence.
   */
  readonly checked?: (warning: string) => void;
  /** PostgreSQL: told of each new connection, before it is used, what kind of server answers and how far its log is. */
  readonly onConnect?: (server: { readonly standby: boolean; readonly lsn: string }) => void;
  /** PostgreSQL: a connection ended that nobody had closed. */
  readonly onLost?: () => void;
  /** PostgreSQL: commits are not confirmed any more, or are again. */
  readonly onCommits?: CommitNews;
  readonly onStatement?: OnStatement | undefined;
};

export type OpenDatabase = {
  readonly dialect: Dialect;
  readonly writer: Kysely<Database>;
  /** On SQLite a connection of its own, so that long reads do not hold up writes; otherwise the same as `writer`. */
  readonly reader: Kysely<Database>;
  /** PostgreSQL alone: closed while it confirms no commit. */
  readonly gate?: CommitGate;
  /** SQLite alone: lets go of a file that could only be read, where it can be written now. @throws Error where it cannot, or is another one. */
  readonly reopen?: () => void;
  pool(): { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
};

const MEMORY = ":memory:";
const BUSY_TIMEOUT_MS = 5_000;
/** The driver waits with the whole process; a transaction waits longer, but in our own loop (sqlite-transactions.ts). */
const WRITER_BUSY_TIMEOUT_MS = 50;
const OPEN_ATTEMPTS = 40;
const STATEMENTS_KEPT = 200;
/** Names, receipts and what credentials are recognised by are nobody else's to read. SQLite gives its log the mode of the file. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export { isPostgresUrl };

/** The path an SQLite URL names: `sqlite:data/a.db`, `sqlite:///srv/a.db`, `file:a.db`, `a.db` or `:memory:`. */
export function sqlitePath(url: string): string {
  const path = url.replace(/^(?:sqlite|file):(?:\/\/(?=\/))?/i, "");
  if (path === "") throw new TypeError(`No path in the database URL "${url}"`);
  return path;
}

/** Opens the database; nothing is migrated. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  if (isPostgresUrl(options.url)) {
    // The driver is loaded where it is used: every thread would hold it beside its own.
    const { openPostgres } = await import("./open-postgres.ts");
    return openPostgres(options);
  }
  const path = sqlitePath(options.url);
  const readOnly = options.readOnly ?? false;
  if (path !== MEMORY && !readOnly) makeFile(path);
  if (readOnly && !existsSync(path)) throw new Error(`No database at "${path}"`);
  const { checked, onStatement } = options;
  const warning = checked === undefined || path === MEMORY ? null : await warnOfWal(path);
  if (warning !== null) checked?.(warning);
  const writer = await openSqlite(path, readOnly, { checked: checked !== undefined && path !== MEMORY, onStatement });
  const reader = path === MEMORY || readOnly ? writer : await openSqlite(path, true, { onStatement });
  return {
    dialect: "sqlite",
    writer: writer.db,
    reader: reader.db,
    ...(path === MEMORY ? {} : { reopen: reopening(path, [...new Set([writer, reader])]) }),
    pool: () => ({ open: reader === writer ? 1 : 2, idle: 0, waiting: 0 }),
    close: async () => {
      if (reader !== writer) await reader.close();
      await writer.close();
    },
  };
}

/** The folder and the file, where they are missing, for their owner alone. What is there already keeps its mode. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  try {
    closeSync(openSync(path, "wx", FILE_MODE));
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  giveMode(path);
}

/** SQLite gives its log the mode that the file has when the log is made: of a file that could only be read then, nobody could write it later. */
function giveMode(path: string): void {
  for (const beside of [`${path}-wal`, `${path}-shm`]) {
    try {
      const mode = statSync(path).mode & 0o777;
      if ((statSync(beside).mode & 0o777) !== mode) chmodSync(beside, mode);
    } catch {
      // It is not there, or belongs to somebody else: the database itself tells what comes of it.
    }
  }
}

/** What both runtimes' SQLite drivers are reduced to. */
export type SqliteHandle = {
  exec(text: string): void;
  /** The rows of a statement that is not kept. */
  all(text: string): readonly unknown[];
  /** Lets go of a statement: an open one would keep a closed connection, and its hold on the files, alive. */
  finalize(prepared: unknown): void;
  /** As Kysely's dialects use it. The two drivers name a statement's columns differently, so it stays unknown here. */
  prepare(text: string): unknown;
  close(): void;
  kysely(cached: { prepare(text: string): unknown; close(): void }, onStatement?: OnStatement): Kysely<Database>;
};

type Connection = {
  readonly db: Kysely<Database>;
  /** Lets go of the file; it is opened again by the next statement. */
  letGo(): void;
  close(): Promise<void>;
};

type SqliteOptions = { readonly checked?: boolean; readonly onStatement: OnStatement | undefined };

async function openSqlite(
  path: string,
  readOnly: boolean,
  { checked = false, onStatement }: SqliteOptions,
): Promise<Connection> {
  const open = await sqliteOpener();
  const handle = open(path);
  if (checked) requireWhole(path, handle);
  await retryWhileBusy(() => prepareConnection(handle, path, readOnly));
  const openAgain = (): SqliteHandle => {
    const fresh = open(path);
    try {
      prepareConnection(fresh, path, readOnly);
      return fresh;
    } catch (error) {
      fresh.close();
      throw error;
    }
  };
  const cached = withCachedStatements(handle, openAgain);
  const db = handle.kysely(cached, onStatement);
  return {
    db,
    letGo: cached.letGo,
    close: async () => {
      await db.destroy();
      // Kysely closes only what it has used.
      cached.close();
    },
  };
}

/**
 * For a file that could only be read when it was opened. SQLite keeps what it knows of a file for all connections of the process, so all of
 * them let go of it.
 */
function reopening(path: string, connections: readonly Connection[]): () => void {
  const opened = fileOf(path);
  return () => {
    // What lies there now may be another history: only a start looks at it whole.
    if (fileOf(path) !== opened) throw new Error(`The database file was replaced: start the service again`);
    accessSync(path, constants.W_OK);
    giveMode(path);
    for (const connection of connections) connection.letGo();
  };
}

/** Which file lies at a path, whatever its name. */
function fileOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

function prepareConnection(handle: SqliteHandle, path: string, readOnly: boolean): void {
  handle.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  if (path !== MEMORY && !readOnly) handle.exec("pragma journal_mode = wal");
  handle.exec("pragma synchronous = full");
  handle.exec("pragma foreign_keys = on");
  // Without it a delete hidden in an "insert or replace" would pass the triggers that keep every row.
  handle.exec("pragma recursive_triggers = on");
  handle.exec("pragma temp_store = memory");
  handle.exec(`pragma cache_size = ${readOnly ? -32_000 : -64_000}`);
  // 32 MB: pages that many transactions touch are written back once.
  handle.exec("pragma wal_autocheckpoint = 8000");
  handle.exec("pragma journal_size_limit = 67108864");
  handle.exec(readOnly ? "pragma query_only = on" : `pragma busy_timeout = ${WRITER_BUSY_TIMEOUT_MS}`);
}

function requireWhole(path: string, handle: SqliteHandle): void {
  handle.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const refusal = refusalOf(path, handle.all);
  if (refusal === null) return;
  handle.close();
  throw new DamagedFile(refusal);
}

/** Compiling a statement costs more than running it; both drivers would do it every time. The oldest go first. */
function withCachedStatements(first: SqliteHandle, openAgain: () => SqliteHandle) {
  const kept = new Map<string, unknown>();
  let handle: SqliteHandle | null = first;
  let closed = false;
  const letGo = (): void => {
    for (const statement of kept.values()) handle?.finalize(statement);
    kept.clear();
    handle?.close();
    handle = null;
  };
  return {
    letGo,
    prepare(text: string): unknown {
      const known = kept.get(text);
      if (known !== undefined) return known;
      if (closed) throw new RangeError("Cannot use a closed database");
      handle ??= openAgain();
      const made = handle.prepare(text);
      if (kept.size >= STATEMENTS_KEPT) {
        for (const [oldest, statement] of kept) {
          kept.delete(oldest);
          handle.finalize(statement);
          break;
        }
      }
      kept.set(text, made);
      return made;
    },
    close(): void {
      if (closed) return;
      closed = true;
      letGo();
    },
  };
}

/** Several processes that open one new file at once may each find it locked for a moment. */
async function retryWhileBusy(attempt: () => void): Promise<void> {
  for (let left = OPEN_ATTEMPTS; ; left -= 1) {
    try {
      attempt();
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
      await sleep(randomInt(10, 100));
    }
  }
}

/** The driver is loaded once; a file is then opened without waiting. */
function sqliteOpener(): Promise<(path: string) => SqliteHandle> {
  return "Bun" in globalThis ? openerOnBun() : openerOnNode();
}

export async function sqliteHandle(path: string): Promise<SqliteHandle> {
  return (await sqliteOpener())(path);
}

async function openerOnBun(): Promise<(path: string) => SqliteHandle> {
  const { Database: BunDatabase, Statement } = await import("bun:sqlite");
  const { BunSqliteDialect } = await import("kysely-bun-sqlite");
  return (path) => {
    const database = new BunDatabase(path);
    return {
      finalize: (prepared) => {
        if (prepared instanceof Statement) prepared.finalize();
      },
      exec: (text) => {
        database.run(text);
      },
      all: (text) => {
        const statement = database.prepare(text);
        try {
          return statement.all();
        } finally {
          statement.finalize();
        }
      },
      prepare: (text) => database.prepare(text),
      close: () => database.close(),
      // The dialect asks for a whole bun:sqlite Database but uses `prepare` and `close` alone.
      kysely: (cached, onStatement) =>
        new Kysely({
          dialect: new BunSqliteDialect({ database: cached as unknown as typeof database }),
          ...tellingStatements(onStatement),
        }),
    };
  };
}

/** The bridge from `node:sqlite`, as Deno has it, to Kysely's own dialect. */
async function openerOnNode(): Promise<(path: string) => SqliteHandle> {
  const { DatabaseSync } = await import("node:sqlite");
  return (path) => {
    const database = new DatabaseSync(path);
    const prepare = (text: string) => {
      const made = database.prepare(text);
      const reader = made.columns().length > 0;
      // Kysely hands over what it was given; node:sqlite itself refuses a value SQLite does not know.
      type Values = Parameters<typeof made.all>;
      return {
        reader,
        all: (values: readonly unknown[]) => made.all(...(values as Values)),
        run: (values: readonly unknown[]) => made.run(...(values as Values)),
        iterate: (values: readonly unknown[]) => made.iterate(...(values as Values)),
      };
    };
    return {
      // Closing the connection is enough here.
      finalize: () => {},
      exec: (text) => database.exec(text),
      all: (text) => database.prepare(text).all(),
      prepare,
      close: () => database.close(),
      // What `prepare` gives back is the bridge above, which is what Kysely's dialect asks for.
      kysely: (cached, onStatement) =>
        new Kysely({
          dialect: new SqliteDialect({
            database: { prepare: (text) => cached.prepare(text) as ReturnType<typeof prepare>, close: cached.close },
          }),
          ...tellingStatements(onStatement),
        }),
    };
  };
}
