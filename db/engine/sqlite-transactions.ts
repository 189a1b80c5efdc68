// Transactions on SQLite: one writer, and transactions that wait together share one commit, so that one disk flush
// makes all of them durable.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, type Kysely } from "kysely";
import { yieldToEventLoop } from "../../src/shared/time/event-loop.ts";
import type { Session } from "./dialect.ts";
import type { Database } from "./schema.ts";
import type { RunAll } from "./sqlite-thread.ts";
import type { TransactionBudget } from "./transaction-budget.ts";

/**
 * How long a transaction waits for others: those of another process, and those of this one. As on PostgreSQL
 * (`lock_timeout`).
 */
const WAIT_MS = 10_000;
const GROUP_LIMIT = 64;
const GROUP_MS = 40;

const BEGIN = CompiledQuery.raw("begin immediate");
const COMMIT = CompiledQuery.raw("commit");
const ROLLBACK = CompiledQuery.raw("rollback");
const SAVEPOINT = CompiledQuery.raw("savepoint work");
const RELEASE = CompiledQuery.raw("release work");
const GIVE_FREE = CompiledQuery.raw("pragma wal_checkpoint(truncate)");
const UNDO = CompiledQuery.raw("rollback to work");
const WRITE_BACK = CompiledQuery.raw("pragma wal_checkpoint(passive)");
/** The number of commits after which the writer thread writes the log back: some MB of it. */
const COMMITS_WRITTEN_BACK = 256;

function isBusy(error: unknown): boolean {
  return error instanceof Error && /database (?:table )?is locked|SQLITE_BUSY/i.test(error.message);
}

function isFull(error: unknown): boolean {
  return error instanceof Error && /database or disk is full|SQLITE_FULL/i.test(error.message);
}

/** True for SQLite's word that the file may only be read. */
export function isReadOnlyFile(error: unknown): boolean {
  return error instanceof Error && /readonly database|SQLITE_READONLY/i.test(error.message);
}

/**
 * Takes the write lock. Another process may hold it: then this waits without stopping the event loop, up to a limit.
 */
export async function beginImmediate(db: Kysely<Database>): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      await db.executeQuery(BEGIN);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(randomInt(1, 20));
    }
  }
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };
/** What a transaction came to that wrote more than it may here: nothing, yet. */
const OUTGROWN = "outgrown";
type Job = {
  readonly work: (tx: Session) => Promise<unknown>;
  /** True once it was begun a second time. */
  again: boolean;
  /** Refuses it where it has waited for too long. */
  patience?: ReturnType<typeof setTimeout>;
  settle(outcome: Outcome): void;
};

/**
 * Refused while it waited: nothing of it was begun. In the driver's words, so that it is taken for a database that does
 * not answer (`isAway` in dialect.ts).
 */
const waitedTooLong = (waitMs: number): Error =>
  new Error(`database is locked: another write has taken longer than ${waitMs / 1000} s`);

/** A connection in the writer thread, and what a transaction may write here before it is moved there. */
export type WriterThread = {
  readonly db: Kysely<Database>;
  readonly runAll: RunAll;
  readonly budget: TransactionBudget;
};

type SqliteTransactionNeeds = {
  /** Tried where the file could only be read: it may have become writable since it was opened. */
  readonly reopen?: (() => Promise<void>) | undefined;
  readonly writerThread?: WriterThread | undefined;
  /** In tests. */
  readonly waitMs?: number;
};

/**
 * Runs transactions one after the other. Those that wait at the same moment share one transaction, each but the first
 * as a savepoint: each is all or nothing by itself, and none is reported, neither done nor failed, before the commit
 * they share is on the disk. One that turns out to be large is rolled back and done again in the other thread, where
 * there is one.
 */
export function sqliteTransactions(db: Kysely<Database>, needs: SqliteTransactionNeeds = {}): Transact {
  const queue = new TransactionQueue(db, needs);
  return (work, size) => queue.transact(work, size);
}

export type Transact = <T>(work: (tx: Session) => Promise<T>, size?: "large") => Promise<T>;

class TransactionQueue {
  readonly #db: Kysely<Database>;
  readonly #reopen: SqliteTransactionNeeds["reopen"];
  readonly #writerThread: WriterThread | undefined;
  readonly #waitMs: number;
  readonly #waiting: Job[] = [];
  readonly #outgrown: Job[] = [];
  #draining = false;
  #commits = 0;

  constructor(db: Kysely<Database>, { reopen, writerThread, waitMs = WAIT_MS }: SqliteTransactionNeeds) {
    this.#db = db;
    this.#reopen = reopen;
    this.#writerThread = writerThread;
    this.#waitMs = waitMs;
  }

  transact<T>(work: (tx: Session) => Promise<T>, size?: "large"): Promise<T> {
    // What is known to be large is not begun here.
    const jobs = size === "large" && this.#writerThread !== undefined ? this.#outgrown : this.#waiting;
    return new Promise<T>((resolve, reject) => {
      this.#enqueue(jobs, {
        work,
        again: false,
        // The value is what this very `work` returned.
        settle: (outcome) => ("error" in outcome ? reject(outcome.error) : resolve(outcome.value as T)),
      });
      if (!this.#draining) void this.#drain();
    });
  }

  /** Puts a job into a queue, which it leaves when it is begun or when it has waited for too long. */
  #enqueue(queue: Job[], job: Job): void {
    queue.push(job);
    job.patience = setTimeout(() => {
      const place = queue.indexOf(job);
      if (place < 0) return;
      queue.splice(place, 1);
      job.settle({ error: waitedTooLong(this.#waitMs) });
    }, this.#waitMs);
  }

  #dequeue(queue: Job[]): Job | undefined {
    const job = queue.shift();
    clearTimeout(job?.patience);
    return job;
  }

  #dequeueAll(): readonly Job[] {
    const jobs = [...this.#waiting.splice(0), ...this.#outgrown.splice(0)];
    for (const { patience } of jobs) clearTimeout(patience);
    return jobs;
  }

  /**
   * True for work that failed because the file could only be read, where it can be written now: it is done again, once.
   */
  async #mayRunAgain({ job, outcome }: { readonly job: Job; readonly outcome: Outcome }): Promise<boolean> {
    if (this.#reopen === undefined || job.again || !("error" in outcome) || !isReadOnlyFile(outcome.error))
      return false;
    try {
      await this.#reopen();
      job.again = true;
      return true;
    } catch {
      return false;
    }
  }

  async #runGroup(
    connection: Kysely<Database>,
    jobs: Job[],
    budget: TransactionBudget | null,
    runAll?: RunAll,
  ): Promise<void> {
    const session: Session = { dialect: "sqlite", db: connection, ...(runAll === undefined ? {} : { runAll }) };
    const done: { readonly job: Job; readonly outcome: Outcome }[] = [];
    const failAll = (error: unknown) => {
      for (const { job } of done) job.settle({ error });
    };
    try {
      await beginImmediate(connection);
    } catch (error) {
      for (let job = this.#dequeue(jobs); job !== undefined; job = this.#dequeue(jobs)) job.settle({ error });
      return;
    }
    try {
      const started = performance.now();
      while (done.length < GROUP_LIMIT && performance.now() - started < GROUP_MS) {
        const job = this.#dequeue(jobs);
        if (job === undefined) break;
        const isFirst = done.length === 0;
        const outcome = await (isFirst ? attempt : runOne)(job, session, budget).catch((error: unknown) => {
          job.settle({ error });
          throw error;
        });
        if (outcome === OUTGROWN) this.#enqueue(this.#outgrown, job);
        else done.push({ job, outcome });
        if (isFirst && (outcome === OUTGROWN || "error" in outcome)) break;
      }
      const [first] = done;
      if (first === undefined) await takeBack(connection, null);
      else if ("error" in first.outcome) await takeBack(connection, first.outcome.error);
      else await connection.executeQuery(COMMIT);
    } catch (error) {
      await takeBack(connection, error);
      failAll(error);
      return;
    }
    for (const each of done) {
      if (await this.#mayRunAgain(each)) this.#enqueue(this.#waiting, each.job);
      else each.job.settle(each.outcome);
    }
  }

  async #drain(): Promise<void> {
    const writerThread = this.#writerThread;
    this.#draining = true;
    let wasLarge = false;
    try {
      while (this.#waiting.length + this.#outgrown.length > 0) {
        // Requests that have arrived already get the chance to join.
        await yieldToEventLoop();
        // Large ones and others take turns: neither keeps the other waiting for more than one.
        const large: Job | undefined = wasLarge && this.#waiting.length > 0 ? undefined : this.#dequeue(this.#outgrown);
        wasLarge = large !== undefined;
        if (large !== undefined)
          await writerThread?.db.connection().execute((db) => this.#runGroup(db, [large], null, writerThread.runAll));
        else
          await this.#db
            .connection()
            .execute((here) => this.#runGroup(here, this.#waiting, writerThread?.budget ?? null));
        this.#commits += 1;
        if (writerThread !== undefined && this.#commits % COMMITS_WRITTEN_BACK === 0) void writeBack(writerThread.db);
      }
    } catch (error) {
      for (const job of this.#dequeueAll()) job.settle({ error });
    } finally {
      this.#draining = false;
    }
  }
}

/** Takes a whole transaction back. A full disk or the like: SQLite may have done it already. */
async function takeBack(connection: Kysely<Database>, error: unknown): Promise<void> {
  await connection.executeQuery(ROLLBACK).catch(() => {});
  // What the log holds already is written back and its room is given free: it may be the log itself that fills the
  // disk.
  if (isFull(error)) await connection.executeQuery(GIVE_FREE).catch(() => {});
}

/**
 * Takes pages that were committed from the log into the file. A reader or another process may be in its way: then the
 * next one does it.
 */
async function writeBack(db: Kysely<Database>): Promise<void> {
  await db.executeQuery(WRITE_BACK).catch(() => {});
}

/**
 * Runs the first job of a group: nothing before it has to be kept, so that a failure rolls back the whole transaction.
 */
async function attempt(
  job: Job,
  session: Session,
  budget: TransactionBudget | null,
): Promise<Outcome | typeof OUTGROWN> {
  let outcome: Outcome;
  budget?.begin();
  try {
    outcome = { value: await job.work(session) };
  } catch (error) {
    outcome = { error };
  }
  // Whatever the work made of it.
  return budget?.end() === true ? OUTGROWN : outcome;
}

async function runOne(
  job: Job,
  session: Session,
  budget: TransactionBudget | null,
): Promise<Outcome | typeof OUTGROWN> {
  await session.db.executeQuery(SAVEPOINT);
  const outcome = await attempt(job, session, budget);
  if (outcome === OUTGROWN || "error" in outcome) await session.db.executeQuery(UNDO);
  await session.db.executeQuery(RELEASE);
  return outcome;
}
