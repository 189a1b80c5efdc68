// One connection to an SQLite file on Bun or on Deno, without the query builder: what the answering thread and the
// thread that writes (sqlite-thread.ts) have in common. The two drivers are known here alone, and to the dialects of
// open.ts.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export const MEMORY = ":memory:";
const BUSY_TIMEOUT_MS = 5_000;
/** The driver waits with the whole thread; a transaction waits longer, but in our own loop (sqlite-transactions.ts). */
const WRITER_BUSY_TIMEOUT_MS = 50;
const OPEN_ATTEMPTS = 40;
const STATEMENTS_KEPT = 200;
/** SQLite keeps the values a statement ran with until its next run. Characters and bytes of them that may stay. */
const VALUES_KEPT = 64 * 1024;

/** What a statement gave: rows, or how many it changed and the last row number it gave. */
export type Ran = {
  readonly rows: readonly unknown[];
  readonly changes: number | null;
  readonly lastId: number | null;
};

/** What both runtimes' SQLite drivers are reduced to. */
type SqliteHandle = {
  exec(text: string): void;
  /** The rows of a statement that is not kept. */
  all(text: string): readonly unknown[];
  /** Lets go of a statement: an open one would keep a closed connection, and its hold on the files, alive. */
  finalize(prepared: unknown): void;
  /** As Kysely's dialects use it. The two drivers name a statement's columns differently, so it stays unknown here. */
  prepare(text: string): unknown;
  /** Runs what this handle prepared. */
  run(prepared: unknown, parameters: readonly unknown[]): Ran;
  close(): void;
};

/**
 * Pages a connection keeps in memory, in KiB. A process that has other things to hold leaves more of it to the system's
 * own cache.
 */
export const CACHE_KIB = { writer: 64_000, reader: 32_000, withThread: 8_000 } as const;

/** How a file is opened. */
export type Opening = {
  readonly readOnly: boolean;
  readonly cacheKib: number;
  /** Pages of the log after which a commit writes them back. */
  readonly writtenBackAfter: number;
};

/**
 * 32 MB: pages that many transactions touch are written back once. With a writer thread, only where that thread has not
 * done it.
 */
export const PAGES_WRITTEN_BACK = { alone: 8_000, withThread: 32_000 } as const;

/**
 * Settings of a connection.
 * @throws Error where the file is locked by another process that opens it; tried again by {@link retryWhileBusy}.
 */
function prepareConnection(
  handle: Pick<SqliteHandle, "exec">,
  path: string,
  { readOnly, cacheKib, writtenBackAfter }: Opening,
): void {
  handle.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  if (path !== MEMORY && !readOnly) handle.exec("pragma journal_mode = wal");
  handle.exec("pragma synchronous = full");
  handle.exec("pragma foreign_keys = on");
  // Without it a delete hidden in an "insert or replace" would pass the triggers that keep every row.
  handle.exec("pragma recursive_triggers = on");
  handle.exec("pragma temp_store = memory");
  handle.exec(`pragma cache_size = ${-cacheKib}`);
  handle.exec(`pragma wal_autocheckpoint = ${writtenBackAfter}`);
  handle.exec("pragma journal_size_limit = 67108864");
  handle.exec(readOnly ? "pragma query_only = on" : `pragma busy_timeout = ${WRITER_BUSY_TIMEOUT_MS}`);
}

/** A connection whose statements are kept. */
export type CachedStatements = {
  prepare(text: string): unknown;
  run(text: string, parameters: readonly unknown[]): Ran;
  /** Lets go of the file; it is opened again by the next statement. */
  letGo(): void;
  /** Returns pages and statements that are kept in memory to the system. */
  rest(): void;
  close(): void;
};

/** Compiling a statement costs more than running it; both drivers would do it every time. The oldest go first. */
function withCachedStatements(first: SqliteHandle, openAgain: () => SqliteHandle): CachedStatements {
  const kept = new Map<string, unknown>();
  let handle: SqliteHandle | null = first;
  let closed = false;
  const finalizeAll = (): void => {
    for (const statement of kept.values()) handle?.finalize(statement);
    kept.clear();
  };
  const letGo = (): void => {
    finalizeAll();
    handle?.close();
    handle = null;
  };
  const opened = (): SqliteHandle => {
    if (closed) throw new RangeError("Cannot use a closed database");
    handle ??= openAgain();
    return handle;
  };
  const prepare = (text: string): unknown => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = opened().prepare(text);
    if (kept.size >= STATEMENTS_KEPT) {
      for (const [oldest, statement] of kept) {
        kept.delete(oldest);
        opened().finalize(statement);
        break;
      }
    }
    kept.set(text, made);
    return made;
  };
  return {
    letGo,
    rest(): void {
      // A file that was closed, or cannot be opened again, keeps nothing.
      if (handle === null) return;
      // No statement is read across turns of the event loop: none is in use here.
      finalizeAll();
      handle.exec("pragma shrink_memory");
    },
    prepare,
    run: (text, parameters) => {
      const prepared = prepare(text);
      try {
        return opened().run(prepared, parameters);
      } finally {
        if (sizeOf(parameters) > VALUES_KEPT) {
          kept.delete(text);
          opened().finalize(prepared);
        }
      }
    },
    close(): void {
      if (closed) return;
      closed = true;
      letGo();
    },
  };
}

function sizeOf(values: readonly unknown[]): number {
  let size = 0;
  for (const value of values) {
    if (typeof value === "string") size += value.length;
    else if (value instanceof Uint8Array) size += value.byteLength;
  }
  return size;
}

/** Opens a file with the settings of a connection, its statements kept. */
export async function openCached(path: string, opening: Opening): Promise<CachedStatements> {
  const open = await sqliteOpener();
  const handle = open(path);
  try {
    await retryWhileBusy(() => prepareConnection(handle, path, opening));
  } catch (error) {
    handle.close();
    throw error;
  }
  return withCachedStatements(handle, () => {
    const fresh = open(path);
    try {
      prepareConnection(fresh, path, opening);
      return fresh;
    } catch (error) {
      fresh.close();
      throw error;
    }
  });
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

export const isOnBun = (): boolean => "Bun" in globalThis;

/** The driver is loaded once; a file is then opened without waiting. */
function sqliteOpener(): Promise<(path: string) => SqliteHandle> {
  return isOnBun() ? openerOnBun() : openerOnNode();
}

export async function sqliteHandle(path: string): Promise<SqliteHandle> {
  return (await sqliteOpener())(path);
}

const numberOf = (value: number | bigint): number => Number(value);

async function openerOnBun(): Promise<(path: string) => SqliteHandle> {
  const { Database: BunDatabase, Statement } = await import("bun:sqlite");
  type Values = Parameters<InstanceType<typeof Statement>["all"]>;
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
      run: (prepared, parameters) => {
        if (!(prepared instanceof Statement)) throw new TypeError("Not a statement of this driver");
        // The types of the driver do not know a list of values, which it takes.
        const values = [parameters] as unknown as Values;
        if (prepared.columnNames.length > 0) return { rows: prepared.all(...values), changes: null, lastId: null };
        const { changes, lastInsertRowid } = prepared.run(...values);
        return { rows: [], changes, lastId: numberOf(lastInsertRowid) };
      },
      close: () => database.close(),
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
      run: (prepared, parameters) => {
        const made = prepared as ReturnType<typeof prepare>;
        if (made.reader) return { rows: made.all(parameters), changes: null, lastId: null };
        const { changes, lastInsertRowid } = made.run(parameters);
        return { rows: [], changes: numberOf(changes), lastId: numberOf(lastInsertRowid) };
      },
      close: () => database.close(),
    };
  };
}
