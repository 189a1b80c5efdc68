// Opens the database a URL names: SQLite on Bun, SQLite on Deno, or PostgreSQL. The drivers are known here, in
// sqlite-handle.ts and in open-postgres.ts alone.
import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, type Dialect as KyselyDialect, type SqliteDatabase, SqliteDialect } from "kysely";
import { isPostgresUrl } from "../../src/shared/settings/database-url.ts";
import type { CommitGate, CommitNews } from "./commit-gate.ts";
import type { Dialect } from "./dialect.ts";
import type { Database } from "./schema.ts";
import { DamagedFile, refusalOf, warnOfWal } from "./sqlite-damage.ts";
import {
  CACHE_KIB,
  type CachedStatements,
  isOnBun,
  MEMORY,
  type Opening,
  openCached,
  PAGES_WRITTEN_BACK,
  sqliteHandle,
} from "./sqlite-handle.ts";
import { openInThread, readInThread, type StartThread } from "./sqlite-thread.ts";
import type { WriterThread } from "./sqlite-transactions.ts";
import { loggingStatements, type OnStatement } from "./statement-listener.ts";
import { countedDialect, type TransactionBudget, transactionBudget } from "./transaction-budget.ts";

export type OpenOptions = {
  /** `sqlite:PATH`, `file:PATH`, a plain path, `:memory:`, or `postgres://…`, which may name several servers. */
  readonly url: string;
  /** Connections to PostgreSQL at most; SQLite has one that writes and one that reads. */
  readonly poolSize?: number;
  /** Refuses every write. An SQLite file must exist already. */
  readonly readOnly?: boolean;
  /** An SQLite file must exist already. @throws MissingDatabase */
  readonly mustExist?: boolean;
  /**
   * SQLite: checks the file before it is used. Throws where its pages are damaged; reports the part of its write-ahead
   * log that cannot be read, which SQLite ignores silently.
   */
  readonly checked?: (warning: string) => void;
  /**
   * SQLite: large transactions are written in a thread that this starts, so that none holds the answering thread up.
   * Without it, here.
   */
  readonly thread?: StartThread;
  /** The page cache of that thread, where it differs from the default of a service. */
  readonly threadCacheKib?: number;
  /** SQLite: the size of a file from which on long reads have a thread, where it differs from the default. */
  readonly largeBytes?: number;
  /**
   * PostgreSQL: plans a prepared statement once a connection, for readers that ask the same by an index several times a
   * second. Left to itself, it plans some of them for every call, at several times their cost.
   */
  readonly planOnce?: boolean;
  /** PostgreSQL: statements take as long as they need, for commands that read everything. */
  readonly unhurried?: boolean;
  /**
   * PostgreSQL: called for each new connection, before it is used, with the kind of server and the position of its log.
   */
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
  /** On SQLite a separate connection, so that long reads do not delay writes; otherwise the same as `writer`. */
  readonly reader: Kysely<Database>;
  /**
   * For reads whose work grows with what there is: on SQLite, of a large file, in a separate thread where there may be
   * any; otherwise the same as `reader`.
   */
  readonly patient: () => Kysely<Database>;
  /** PostgreSQL alone: closed while it confirms no commit. */
  readonly gate?: CommitGate;
  /**
   * SQLite alone: lets go of a file that could only be read, where it can be written now.
   * @throws Error where it cannot, or is another one.
   */
  readonly reopen?: () => Promise<void>;
  /** Only SQLite with a writer thread: where large transactions run, and what makes them large. */
  readonly writerThread?: WriterThread;
  /** SQLite: pages that its connections keep go back to the system; more come with the next statements. */
  rest(): void;
  pool(): { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
};

/** Some 70,000 items: reads of all of them stay below 50 ms in a smaller file, and a thread takes 30 MB. */
const LARGE_BYTES = 1024 ** 3;
/** How long the check of a file waits for another process that opens it. */
const CHECK_BUSY_TIMEOUT_MS = 5_000;
/**
 * Names, receipts and what credentials are recognised by are nobody else's to read. SQLite gives its log the mode of
 * the file.
 */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export { isPostgresUrl };

/** The path an SQLite URL names: `sqlite:data/a.db`, `sqlite:///srv/a.db`, `file:a.db`, `a.db` or `:memory:`. */
export function sqlitePath(url: string): string {
  const path = url.replace(/^(?:sqlite|file):(?:\/\/(?=\/))?/i, "");
  if (path === "") throw new TypeError(`No path in the database URL "${url}"`);
  return path;
}

/** No database where one is expected: the file is missing or empty. */
export class MissingDatabase extends Error {
  override readonly name = "MissingDatabase";
}

/** Opens the database; nothing is migrated. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  if (isPostgresUrl(options.url)) {
    // The driver is loaded only where it is used: otherwise every thread would hold a copy.
    const { openPostgres } = await import("./open-postgres.ts");
    return openPostgres(options);
  }
  const path = sqlitePath(options.url);
  const readOnly = options.readOnly ?? false;
  const mustExist = readOnly || options.mustExist === true;
  if (path !== MEMORY && mustExist && !hasContent(path)) throw new MissingDatabase(`No database at "${path}"`);
  if (path !== MEMORY && !readOnly) makeFile(path);
  const { checked, onStatement, thread, threadCacheKib, largeBytes = LARGE_BYTES } = options;
  const warning = checked === undefined || path === MEMORY ? null : await warnOfWal(path);
  if (warning !== null) checked?.(warning);
  if (checked !== undefined && path !== MEMORY) await requireWhole(path);
  const isThreaded = thread !== undefined && path !== MEMORY && !readOnly;
  const writtenBackAfter = PAGES_WRITTEN_BACK[isThreaded ? "withThread" : "alone"];
  const caches = isThreaded ? { writer: CACHE_KIB.withThread, reader: CACHE_KIB.withThread } : CACHE_KIB;
  const reading: Opening = { readOnly: true, cacheKib: caches.reader, writtenBackAfter };
  const writing: Opening = { readOnly: false, cacheKib: caches.writer, writtenBackAfter };
  const budget = isThreaded ? transactionBudget() : null;
  const writer = await openSqlite(path, readOnly ? reading : writing, onStatement, budget);
  const reader = path === MEMORY || readOnly ? writer : await openSqlite(path, reading, onStatement);
  const inThread = isThreaded
    ? {
        writing: await openInThread(
          thread,
          path,
          { ...writing, cacheKib: threadCacheKib ?? CACHE_KIB.withThread, writtenBackAfter: PAGES_WRITTEN_BACK.alone },
          onStatement,
        ),
        reading: readInThread(thread, path, reading, onStatement),
      }
    : null;
  const connections = [
    ...new Set([writer, reader]),
    ...(inThread === null ? [] : [inThread.writing, inThread.reading]),
  ];
  return {
    dialect: "sqlite",
    writer: writer.db,
    reader: reader.db,
    patient: () => (inThread !== null && sizeOf(path) >= largeBytes ? inThread.reading.db : reader.db),
    ...(inThread === null || budget === null
      ? {}
      : { writerThread: { db: inThread.writing.db, runAll: inThread.writing.runAll, budget } }),
    ...(path === MEMORY ? {} : { reopen: reopening(path, connections) }),
    rest: () => {
      for (const each of [writer, reader]) each.rest();
    },
    pool: () => ({ open: connections.length, idle: 0, waiting: 0 }),
    close: async () => {
      for (const connection of connections.reverse()) await connection.close();
    },
  };
}

/** SQLite writes the first page when it makes a database: an empty file is none. */
const hasContent = (path: string): boolean => sizeOf(path) > 0;
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

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

/**
 * SQLite gives its log the mode that the file has when the log is made: of a file that could only be read then, nobody
 * could write it later.
 */
function giveMode(path: string): void {
  for (const logFile of [`${path}-wal`, `${path}-shm`]) {
    try {
      const mode = statSync(path).mode & 0o777;
      if ((statSync(logFile).mode & 0o777) !== mode) chmodSync(logFile, mode);
    } catch {
      // It is not there, or belongs to somebody else: the database itself tells what comes of it.
    }
  }
}

type Connection = {
  readonly db: Kysely<Database>;
  /** Lets go of the file; it is opened again by the next statement. */
  letGo(): void | Promise<void>;
  close(): Promise<void>;
};
type ConnectionHere = Connection & Pick<CachedStatements, "rest">;

async function openSqlite(
  path: string,
  opening: Opening,
  onStatement?: OnStatement,
  budget: TransactionBudget | null = null,
): Promise<ConnectionHere> {
  const cached = await openCached(path, opening);
  const dialect = await dialectOn(cached);
  const db = new Kysely<Database>({
    dialect: budget === null ? dialect : countedDialect(dialect, budget),
    ...loggingStatements(onStatement),
  });
  return {
    db,
    letGo: cached.letGo,
    rest: cached.rest,
    close: async () => {
      await db.destroy();
      // Kysely closes only what it has used.
      cached.close();
    },
  };
}

/** The dialect of the runtime's own driver. */
async function dialectOn(cached: CachedStatements): Promise<KyselyDialect> {
  if (!isOnBun()) {
    // What is prepared there is what Kysely's dialect asks for (sqlite-handle.ts).
    const prepare = cached.prepare as SqliteDatabase["prepare"];
    return new SqliteDialect({ database: { prepare, close: cached.close } });
  }
  const { BunSqliteDialect } = await import("kysely-bun-sqlite");
  type Config = ConstructorParameters<typeof BunSqliteDialect>[0];
  // The dialect asks for a whole bun:sqlite Database but uses `prepare` and `close` alone.
  return new BunSqliteDialect({ database: cached as unknown as Config["database"] });
}

/**
 * For a file that could only be read when it was opened. SQLite keeps what it knows of a file for all connections of
 * the process, so all of them let go of it.
 */
function reopening(path: string, connections: readonly Connection[]): () => Promise<void> {
  const opened = fileOf(path);
  return async () => {
    // The new file may hold another history: only a start checks it completely.
    if (fileOf(path) !== opened) throw new Error(`The database file was replaced: start the service again`);
    accessSync(path, constants.W_OK);
    giveMode(path);
    for (const connection of connections) await connection.letGo();
  };
}

/** The identity of the file at a path, independent of its name. */
function fileOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

async function requireWhole(path: string): Promise<void> {
  const handle = await sqliteHandle(path);
  try {
    handle.exec(`pragma busy_timeout = ${CHECK_BUSY_TIMEOUT_MS}`);
    const refusal = refusalOf(path, handle.all);
    if (refusal !== null) throw new DamagedFile(refusal);
  } finally {
    handle.close();
  }
}
