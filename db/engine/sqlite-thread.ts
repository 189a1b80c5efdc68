// SQLite in a thread separate from the one that answers. Its driver does not wait in the event loop but in the call: a
// commit of thousands of pages, and writing the log back, would delay every request (R9a). Large transactions
// (transaction-budget.ts) go to the thread, one message a statement, in order; reads whose work grows with what there is
// go to another one. Ordinary transactions and reads keep separate connections in the answering thread.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Database } from "./schema.ts";
import type { Opening, Ran } from "./sqlite-handle.ts";
import { loggingStatements, type OnStatement } from "./statement-listener.ts";

export type ThreadOrder =
  | { readonly id: number; readonly what: "open"; readonly path: string; readonly opening: Opening }
  | { readonly id: number; readonly what: "run"; readonly sql: string; readonly parameters: readonly unknown[] }
  /**
   * One of several, which have one `id` and one answer, to the order that ends them. `cells` is JSON: the runtime
   * copies texts much sooner than lists.
   */
  | { readonly id: number; readonly what: "runSet"; readonly sql: string; readonly cells: string }
  | { readonly id: number; readonly what: "endSets" }
  | { readonly id: number; readonly what: "letGo" }
  | { readonly id: number; readonly what: "close" };

/** A failure in plain values: errors lose their class and their members on the way. */
export type ThreadFailure = { readonly name: string; readonly message: string; readonly code: unknown };
export type ThreadAnswer =
  | { readonly id: number; readonly ran: Ran | null }
  | { readonly id: number; readonly failure: ThreadFailure };

/** What a worker of either runtime is to us. */
export type Thread = {
  postMessage(order: ThreadOrder): void;
  on(event: "message", listener: (answer: ThreadAnswer) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
};

/** Starts a thread that runs each {@link ThreadOrder} (sqlite-thread-worker.ts). */
export type StartThread = () => Thread;

type PendingRun = { readonly settle: (ran: Ran | null) => void; readonly reject: (error: Error) => void };

/**
 * Runs one statement with each of these sets of parameters in turn; with the first that fails it stops. A set goes over
 * as soon as it is made, so that the thread is at work while the next one is.
 */
export type RunAll = (sql: string, sets: Iterable<readonly (string | number | null)[]>) => Promise<Ran>;

type SqliteThread = {
  readonly run: RunInThread;
  readonly db: Kysely<Database>;
  readonly runAll: RunAll;
  /** Lets go of the file; it is opened again by the next statement. */
  letGo(): Promise<void>;
  close(): Promise<void>;
};

const ENDED = "The thread that writes large transactions has ended: start the service again";

const isEnd = (error: unknown): boolean => error instanceof Error && error.message === ENDED;

const NOTHING: Ran = { rows: [], changes: null, lastId: null };

/** Opens a file in a separate thread. @throws Error of the driver */
export async function openInThread(
  start: StartThread,
  path: string,
  opening: Opening,
  onStatement?: OnStatement,
): Promise<SqliteThread> {
  const thread = start();
  const waiting = new Map<number, PendingRun>();
  let nextId = 1;
  let ended: Error | null = null;
  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  thread.on("message", (answer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("failure" in answer) asked?.reject(failureOf(answer.failure));
    else asked?.settle(answer.ran);
  });
  // Its current transaction is rolled back or unanswered. Another thread could not know, and would run its statements
  // outside a transaction.
  thread.on("error", (error) => end(new Error(ENDED, { cause: error })));
  thread.on("exit", () => end(new Error(ENDED)));
  type Order<What extends ThreadOrder["what"]> = Omit<Extract<ThreadOrder, { what: What }>, "id" | "what">;
  function answerTo(id: number): Promise<Ran | null> {
    return new Promise((settle, reject) => waiting.set(id, { settle, reject }));
  }
  function ask<What extends ThreadOrder["what"]>(what: What, order: Order<What>): Promise<Ran | null> {
    if (ended !== null) return Promise.reject(ended);
    const id = nextId++;
    const answer = answerTo(id);
    thread.postMessage({ id, what, ...order } as ThreadOrder);
    return answer;
  }
  try {
    await ask("open", { path, opening });
  } catch (error) {
    await thread.terminate();
    throw error;
  }
  const run: RunInThread = async (sql, parameters) => (await ask("run", { sql, parameters })) ?? NOTHING;
  const db = databaseOver(run, onStatement);
  return {
    run,
    db,
    async runAll(sql, sets) {
      if (ended !== null) throw ended;
      const id = nextId++;
      const answer = answerTo(id);
      // Where a set cannot be made that is thrown, and the answer is nobody's.
      answer.catch(() => {});
      try {
        for (const cells of sets) {
          onStatement?.(sql, cells);
          thread.postMessage({ id, what: "runSet", sql, cells: JSON.stringify(cells) });
        }
      } finally {
        thread.postMessage({ id, what: "endSets" });
      }
      return (await answer) ?? NOTHING;
    },
    letGo: async () => void (await ask("letGo", {})),
    close: async () => {
      await db.destroy();
      await ask("close", {}).catch(() => {});
      end(new RangeError("Cannot use a closed database"));
      await thread.terminate();
    },
  };
}

/**
 * Reads a file in a separate thread, which the first statement starts. Where the thread has ended another one takes its
 * place, and the statement is run again: it holds nothing between two of them.
 */
export function readInThread(
  start: StartThread,
  path: string,
  opening: Opening,
  onStatement?: OnStatement,
): Pick<SqliteThread, "db" | "letGo" | "close"> {
  let thread: Promise<SqliteThread> | null = null;
  let isClosed = false;
  async function opened(): Promise<SqliteThread> {
    if (isClosed) throw new RangeError("Cannot use a closed database");
    thread ??= openInThread(start, path, opening);
    const mine = thread;
    try {
      return await mine;
    } catch (error) {
      if (thread === mine) thread = null;
      throw error;
    }
  }
  const db = databaseOver(async (sql, parameters) => {
    const asked = await opened();
    try {
      return await asked.run(sql, parameters);
    } catch (error) {
      if (!isEnd(error)) throw error;
      thread = null;
      return await (await opened()).run(sql, parameters);
    }
  }, onStatement);
  return {
    db,
    async letGo() {
      try {
        await (await thread)?.letGo();
      } catch (error) {
        if (!isEnd(error)) throw error;
        thread = null;
      }
    },
    async close() {
      isClosed = true;
      await db.destroy();
      await (await thread?.catch(() => null))?.close();
    },
  };
}

function databaseOver(run: RunInThread, onStatement?: OnStatement): Kysely<Database> {
  return new Kysely<Database>({
    ...loggingStatements(onStatement),
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new ThreadDriver(run),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

function failureOf({ name, message, code }: ThreadFailure): Error {
  return Object.assign(new Error(message), { name }, code === undefined ? {} : { code });
}

type RunInThread = (sql: string, parameters: readonly unknown[]) => Promise<Ran>;

/** One connection, lent to one user at a time. */
class ThreadDriver implements Driver {
  readonly #connection: DatabaseConnection;
  #free: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(run: RunInThread) {
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const { rows, changes, lastId } = await run(sql, parameters);
        return {
          // The caller states the type of the statement's select list, as with every driver.
          rows: rows as Row[],
          ...(changes === null ? {} : { numAffectedRows: BigInt(changes) }),
          ...(lastId === null ? {} : { insertId: BigInt(lastId) }),
        };
      },
      // biome-ignore lint/correctness/useYield: it is refused, not read
      async *streamQuery(): AsyncIterableIterator<never> {
        throw new Error("Rows are not streamed out of the thread that writes: read them with the reader");
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#free;
    let release = (): void => {};
    this.#free = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async #run(sql: string): Promise<void> {
    await this.#connection.executeQuery({ sql, parameters: [] } as unknown as CompiledQuery);
  }

  beginTransaction = (): Promise<void> => this.#run("begin");
  commitTransaction = (): Promise<void> => this.#run("commit");
  rollbackTransaction = (): Promise<void> => this.#run("rollback");

  async destroy(): Promise<void> {}
}
