// The thread of sqlite-thread.ts: holds one connection and runs orders in sequence. Nothing of the query builder is
// loaded here.
import { type CachedStatements, openCached, type Ran } from "./sqlite-handle.ts";
import type { ThreadAnswer, ThreadFailure, ThreadOrder } from "./sqlite-thread.ts";

type Port = {
  postMessage(answer: ThreadAnswer): void;
  on(event: "message", listener: (order: ThreadOrder) => void): unknown;
};

/** After so long without an order, what large ones left behind goes back to the system. */
const IDLE_MS = 5_000;

/** Answers every order that comes through `port`; `collect` asks the runtime of this thread to release memory. */
export function serveSqlite(port: Port, collect: () => void): void {
  let connection: CachedStatements | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const rest = (): void => {
    connection?.rest();
    collect();
  };
  const opened = (): CachedStatements => {
    if (connection === null) throw new Error("No database is open in this thread");
    return connection;
  };
  /** Statements of which one answer is given when they end. */
  let sets: Sets | null = null;
  function run(order: Exclude<ThreadOrder, { what: "open" | "runSet" }>): Ran | null {
    if (order.what === "run") return opened().run(order.sql, order.parameters);
    if (order.what === "endSets") {
      const ended = sets;
      sets = null;
      if (ended?.failure !== undefined) throw ended.failure.error;
      return ended;
    }
    if (order.what === "letGo") opened().letGo();
    else opened().close();
    return null;
  }
  port.on("message", (order) => {
    clearTimeout(idle);
    idle = setTimeout(rest, IDLE_MS);
    idle.unref();
    if (order.what === "open") {
      openCached(order.path, order.opening).then(
        (cached) => {
          connection = cached;
          port.postMessage({ id: order.id, ran: null });
        },
        (error: unknown) => port.postMessage({ id: order.id, failure: failureOf(error) }),
      );
      return;
    }
    if (order.what === "runSet") {
      sets ??= { rows: [], changes: 0, lastId: null };
      runSet(opened, sets, order.sql, order.cells);
      return;
    }
    let answer: ThreadAnswer;
    try {
      answer = { id: order.id, ran: run(order) };
    } catch (error) {
      answer = { id: order.id, failure: failureOf(error) };
    }
    port.postMessage(answer);
  });
}

type Sets = {
  readonly rows: unknown[];
  changes: number;
  lastId: number | null;
  failure?: { readonly error: unknown };
};

/** Nothing more is done behind a set that failed: the database may have taken the whole transaction back. */
function runSet(opened: () => CachedStatements, sets: Sets, sql: string, cells: string): void {
  if (sets.failure !== undefined) return;
  try {
    const ran = opened().run(sql, JSON.parse(cells));
    for (const row of ran.rows) sets.rows.push(row);
    sets.changes += ran.changes ?? ran.rows.length;
    sets.lastId = ran.lastId;
  } catch (error) {
    sets.failure = { error };
  }
}

function failureOf(error: unknown): ThreadFailure {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), code: undefined };
  return { name: error.name, message: error.message, code: "code" in error ? error.code : undefined };
}
