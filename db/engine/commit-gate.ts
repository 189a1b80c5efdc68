// What happens while PostgreSQL confirms no commit, most often because the standby that commits wait for is away
// (docs/postgresql.md): the first late commit closes the gate, all other callers receive "try again later" at once, and
// one commit alone waits until it is over. Without it each refused transaction would leave a session waiting on the
// server until its connections are used up.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Hosts, ServerPools } from "./postgres-servers.ts";

/** How long a commit may take; each statement before it has its own limits. */
export const COMMIT_TIMEOUT_MS = 5_000;
const BETWEEN_TRIES_MS = 1_000;
/**
 * SQLSTATE of a server that cannot take work now, so that callers receive "try again later" (`isAway` in dialect.ts).
 */
const NOT_NOW = "57P03";

export const NO_COMMITS = "The database confirms no commit: the standby that commits wait for is away";

/** Events for the log: once when commits are no longer confirmed, once when they are confirmed again. */
export type CommitNews = (news: "unconfirmed" | "confirmed") => void;

export type CommitGate = {
  /**
   * Nothing has been done when this throws.
   * @throws Error that asks callers to try again later, while the gate is closed
   */
  pass(): void;
  /** Called for every commit that was late. */
  close(): void;
  problem(): string | null;
  stop(): Promise<void>;
};

type CommitGateNeeds = {
  /** One URL for each server. */
  readonly urls: readonly string[];
  readonly pool: Readonly<pg.PoolConfig>;
  readonly news: CommitNews;
};

/** It writes to the log of the server alone: nothing of it is kept. */
const WAITING_COMMIT = "select pg_logical_emit_message(true, 'arkstone', '')";

export function commitGate({ urls, pool, news }: CommitGateNeeds): CommitGate {
  let isClosed = false;
  let isStopped = false;
  let hosts: Hosts | null = null;
  let waiting: pg.PoolClient | null = null;
  let watching = Promise.resolve();

  async function commitOnce(): Promise<void> {
    hosts ??= new ServerPools({ urls, wants: "writer", pool: { ...pool, max: 1 } });
    const client = await hosts.connect();
    waiting = client;
    // Ended by `stop` or by the server: the query reports it.
    client.on("error", () => {});
    let broken = true;
    try {
      if (isStopped) return;
      await client.query(WAITING_COMMIT);
      broken = false;
    } finally {
      waiting = null;
      client.release(broken);
    }
  }

  async function watch(): Promise<void> {
    while (!isStopped && isClosed) {
      const isConfirmed = await commitOnce().then(
        () => true,
        () => false,
      );
      if (isStopped) break;
      if (isConfirmed) {
        isClosed = false;
        news("confirmed");
      } else await sleep(BETWEEN_TRIES_MS, undefined, { ref: false });
    }
    await hosts?.end();
    hosts = null;
  }

  return {
    pass() {
      if (isClosed) throw Object.assign(new Error(NO_COMMITS), { code: NOT_NOW });
    },
    close() {
      if (isClosed || isStopped) return;
      isClosed = true;
      news("unconfirmed");
      watching = watching.then(watch);
    },
    problem: () => (isClosed ? NO_COMMITS : null),
    async stop() {
      isStopped = true;
      // A client with a query under way is cut off at once.
      await waiting?.end().catch(() => {});
      await watching;
    },
  };
}

const LATE = Symbol("late commit");

/** Marks the error of a commit that was given no answer in time. */
export function late(error: Error): Error {
  return Object.assign(error, { [LATE]: true });
}

export function isLate(error: unknown): boolean {
  return error instanceof Error && LATE in error;
}
