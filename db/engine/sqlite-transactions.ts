// Transactions on SQLite: one writer, and transactions that wait together share one commit, so that one disk flush makes all of them durable.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, type Kysely } from "kysely";
import { turn } from "../../src/shared/event-loop-turn.ts";
import type { Session } from "./dialect.ts";
import type { Database } from "./schema.ts";

/** How long to wait for another process that writes. */
const WAIT_MS = 15_000;
const GROUP_LIMIT = 64;
const GROUP_MS = 40;

const BEGIN = CompiledQuery.raw("begin immediate");
const COMMIT = CompiledQuery.raw("commit");
const ROLLBACK = CompiledQuery.raw("rollback");
const SAVEPOINT = CompiledQuery.raw("savepoint work");
const RELEASE = CompiledQuery.raw("release work");
const GIVE_FREE = CompiledQuery.raw("pragma wal_checkpoint(truncate)");
const UNDO = CompiledQuery.raw("rollback to work");

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

/** Takes the write lock. Another process may hold it: then this waits without stopping the event loop, up to a limit. */
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
type Job = {
  readonly work: (tx: Session) => Promise<unknown>;
  /** True once it was begun a second time. */
  again: boolean;
  settle(outcome: Outcome): void;
};

/**
 * Runs transactions one after the other. Those that wait at the same moment share one transaction, each but the first as a savepoint: each is all or
 * nothing by itself, and none is reported, neither done nor failed, before the commit they share is on the disk. `reopen` is tried where
 * the file could only be read: it may have become writable since it was opened.
 */
export function sqliteTransactions(db: Kysely<Database>, reopen?: () => Promise<void>) {
  const waiting: Job[] = [];
  let draining = false;

  /** True for work that failed because the file could only be read, where it can be written now: it is done again, once. */
  async function mayRunAgain({ job, outcome }: { readonly job: Job; readonly outcome: Outcome }): Promise<boolean> {
    if (reopen === undefined || job.again || !("error" in outcome) || !isReadOnlyFile(outcome.error)) return false;
    try {
      await reopen();
      job.again = true;
      return true;
    } catch {
      return false;
    }
  }

  async function runGroup(connection: Kysely<Database>): Promise<void> {
    const session: Session = { dialect: "sqlite", db: connection };
    const done: { readonly job: Job; readonly outcome: Outcome }[] = [];
    const failAll = (error: unknown) => {
      for (const { job } of done) job.settle({ error });
    };
    try {
      await beginImmediate(connection);
    } catch (error) {
      for (const job of waiting.splice(0)) job.settle({ error });
      return;
    }
    try {
      const started = performance.now();
      while (done.length < GROUP_LIMIT && performance.now() - started < GROUP_MS) {
        const job = waiting.shift();
        if (job === undefined) break;
        const isFirst = done.length === 0;
        const outcome = await (isFirst ? runFirst : runOne)(job, session).catch((error: unknown) => {
          job.settle({ error });
          throw error;
        });
        done.push({ job, outcome });
        if (isFirst && "error" in outcome) break;
      }
      const [first] = done;
      if (first !== undefined && "error" in first.outcome) await takeBack(connection, first.outcome.error);
      else await connection.executeQuery(COMMIT);
    } catch (error) {
      await takeBack(connection, error);
      failAll(error);
      return;
    }
    for (const each of done) {
      if (await mayRunAgain(each)) waiting.push(each.job);
      else each.job.settle(each.outcome);
    }
  }

  async function drain(): Promise<void> {
    draining = true;
    try {
      while (waiting.length > 0) {
        // Requests that have arrived already get the chance to join.
        await turn();
        await db.connection().execute(runGroup);
      }
    } catch (error) {
      for (const job of waiting.splice(0)) job.settle({ error });
    } finally {
      draining = false;
    }
  }

  return function transact<T>(work: (tx: Session) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({
        work,
        again: false,
        // The value is what this very `work` gave back.
        settle: (outcome) => ("error" in outcome ? reject(outcome.error) : resolve(outcome.value as T)),
      });
      if (!draining) void drain();
    });
  };
}

/** Takes a whole transaction back. A full disk or the like: SQLite may have done it already. */
async function takeBack(connection: Kysely<Database>, error: unknown): Promise<void> {
  await connection.executeQuery(ROLLBACK).catch(() => {});
  // What the log holds already is written back and its room is given free: it may be the log itself that fills the disk.
  if (isFull(error)) await connection.executeQuery(GIVE_FREE).catch(() => {});
}

/** Nothing stands before the first of a group that would have to stay: where it fails, the whole transaction is taken back. */
async function runFirst(job: Job, session: Session): Promise<Outcome> {
  try {
    return { value: await job.work(session) };
  } catch (error) {
    return { error };
  }
}

async function runOne(job: Job, session: Session): Promise<Outcome> {
  await session.db.executeQuery(SAVEPOINT);
  let outcome: Outcome;
  try {
    outcome = { value: await job.work(session) };
  } catch (error) {
    outcome = { error };
    await session.db.executeQuery(UNDO);
  }
  await session.db.executeQuery(RELEASE);
  return outcome;
}
