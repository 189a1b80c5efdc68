// Resolvers without their HTTP servers, in one process: each has a separate replica, connections and table, and
// runs the refresh loop of a resolver, so the database receives what as many resolvers would send. bench/followers.ts
// starts it with an order as its argument, sends "report" for what happened since the last report, and ends it by
// closing its input.
import { openReplica } from "../db/resolver/replica.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { TableFollower } from "../src/resolver/table/table-refresh.ts";
import { errorMessage } from "../src/shared/error-message.ts";
import { quantile } from "./lib.ts";

export type FollowerOrder = { readonly url: string; readonly count: number; readonly refreshMs: number };
export type FollowerReport = {
  /** Reads of the feed, statements of any kind, rows of the feed and rows of names. */
  readonly looks: number;
  readonly statements: number;
  readonly changes: number;
  readonly names: number;
  /** From before the transaction of a change until a table holds it; NaN without changes. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Targets that came into tables. */
  readonly arrived: number;
  readonly cpuMs: number;
  readonly failures: number;
};

/** A target of the bench ends with the time at which its transaction began. */
export const targetAt = (number: number): string => `https://fresh.example.org/${number}/${Date.now()}`;
const sentAt = (target: string): number => Number(target.slice(target.lastIndexOf("/") + 1));

let counts = { looks: 0, statements: 0, changes: 0, names: 0, failures: 0 };
let delaysMs: number[] = [];
let cpu = process.cpuUsage();

async function follow({ url, refreshMs }: FollowerOrder): Promise<{ stop(): Promise<void> }> {
  const onStatement = (): void => {
    counts.statements += 1;
  };
  const replica = await openReplica({ url, onStatement });
  const { changes, tableRowsOf } = replica;
  replica.changes = async (after) => {
    const page = await changes(after);
    counts.looks += 1;
    counts.changes += page.changes.length;
    return page;
  };
  replica.tableRowsOf = async (keys) => {
    const rows = await tableRowsOf(keys);
    counts.names += rows.size;
    return rows;
  };
  const fail = (event: string, { error }: Readonly<Record<string, unknown>> = {}): void => {
    counts.failures += 1;
    process.stderr.write(`${event}: ${errorMessage(error)}\n`);
  };
  const tables = new TableFollower({
    replica,
    clock: systemClock,
    intervalMs: refreshMs,
    log: { info: () => {}, warn: fail, error: fail },
    tell: (order) => {
      if (order.kind !== "changes") return;
      const now = Date.now();
      for (const { row } of order.changes) if (row !== null) delaysMs.push(now - sentAt(row.url));
    },
  });
  await tables.start();
  return {
    stop: async () => {
      await tables.stop();
      await replica.close();
    },
  };
}

function report(): FollowerReport {
  const used = process.cpuUsage(cpu);
  const made: FollowerReport = {
    ...counts,
    p50Ms: quantile(delaysMs, 0.5),
    p99Ms: quantile(delaysMs, 0.99),
    maxMs: delaysMs.reduce((most, each) => Math.max(most, each), 0),
    arrived: delaysMs.length,
    cpuMs: (used.user + used.system) / 1000,
  };
  counts = { looks: 0, statements: 0, changes: 0, names: 0, failures: 0 };
  delaysMs = [];
  cpu = process.cpuUsage();
  return made;
}

async function main(): Promise<void> {
  const order: FollowerOrder = JSON.parse(process.argv[2] ?? "{}");
  const followers = [];
  for (let number = 0; number < order.count; number++) {
    followers.push(await follow(order));
    // Resolvers of different machines do not ask at the same moment.
    await Bun.sleep(order.refreshMs / order.count);
  }
  process.stdout.write("ready\n");
  for await (const _ of console) process.stdout.write(`${JSON.stringify(report())}\n`);
  for (const follower of followers) await follower.stop();
}

if (import.meta.main) await main();
