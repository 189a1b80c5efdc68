// Running jobs (src/jobs/runner.ts; R8): leases and their renewal, failures, kills, schedules, the end of the process.
import { afterEach, describe, expect, test } from "bun:test";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { HopelessJob, type Job } from "../../src/jobs/job.ts";
import {
  type JobContext,
  type JobKind,
  type JobRunner,
  type JobRunnerNeeds,
  jobRunner,
} from "../../src/jobs/runner.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { eventually } from "../support/eventually.ts";

const T0 = "2026-11-20T12:00:00.000Z";
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type World = {
  readonly store: RepositoryStore;
  readonly logged: string[];
  pass(seconds: number): void;
  runner(kind: Partial<JobKind>, more?: Partial<JobRunnerNeeds>): JobRunner;
  enqueue(subject: string): Promise<number>;
  job(id: number): Promise<Job>;
};

async function world(): Promise<World> {
  const store = await openRepositoryStore({ url: ":memory:" });
  ends.push(() => store.close());
  let now = T0;
  let owners = 0;
  const logged: string[] = [];
  const record = (event: string): void => void logged.push(event);
  return {
    store,
    logged,
    pass: (seconds) => {
      now = addMilliseconds(now, seconds * 1000);
    },
    runner(kind, more = {}) {
      const runner = jobRunner({
        store,
        kinds: { work: { run: async () => {}, maxAttempts: 3, ...kind } },
        clock: { now: () => now },
        log: { debug: record, info: record, warn: record, error: record },
        owner: `owner ${++owners}`,
        pollMs: 5,
        graceMs: 50,
        ...more,
      });
      ends.push(() => runner.stop());
      return runner;
    },
    enqueue: (subject) => store.transact((tx) => tx.jobs.enqueue({ kind: "work", subject }, now)),
    async job(id) {
      const found = await store.jobs.job(id);
      if (found === null) throw new Error(`no job ${id}`);
      return found;
    },
  };
}

const until = (isTrue: () => boolean | Promise<boolean>) => eventually("the runner came so far", isTrue);

/** Waits as long as it is let, and leaves when asked so. */
function held() {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const run = (_: Job, { signal }: JobContext): Promise<void> =>
    Promise.race([
      released,
      new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ]);
  return { run, release: () => release() };
}

describe("a runner of jobs", () => {
  test("R8 runs what was enqueued, once each", async () => {
    const { runner, enqueue, job } = await world();
    const done: string[] = [];
    const its = runner({ run: async ({ subject }) => void done.push(subject) });
    const ids = [await enqueue("a"), await enqueue("b"), await enqueue("c")];
    expect([await its.runDue(), await its.runDue()]).toEqual([3, 0]);
    expect(done.sort()).toEqual(["a", "b", "c"]);
    expect(await Promise.all(ids.map(async (id) => (await job(id)).state))).toEqual(["done", "done", "done"]);
  });

  test("R8 tries again with growing waits, and gives up after as many attempts as the kind has", async () => {
    const { runner, enqueue, job, pass, logged } = await world();
    const its = runner({ run: () => Promise.reject(new Error("no answer")) });
    const id = await enqueue("a");
    expect(await its.runDue()).toBe(1);
    expect(await job(id)).toMatchObject({ state: "waiting", attempts: 1, lastError: "no answer" });
    pass(4.9);
    expect(await its.runDue()).toBe(0);
    pass(1.2);
    expect(await its.runDue()).toBe(1);
    pass(12);
    expect(await its.runDue()).toBe(1);
    expect(await job(id)).toMatchObject({ state: "failed", attempts: 3, lastError: "no answer" });
    expect(logged.filter((event) => event.startsWith("job."))).toEqual([
      "job.retried_later",
      "job.retried_later",
      "job.failed",
    ]);
  });

  test("R8 R35 kinds of one queue run one at a time, and what has no queue never waits for them", async () => {
    const { store, runner, enqueue, job } = await world();
    const long = held();
    const begun: string[] = [];
    const slow: JobKind = {
      run: async (each, context) => {
        begun.push(`${each.kind} ${each.subject}`);
        await long.run(each, context);
      },
      maxAttempts: null,
      queue: "slow",
    };
    const quick: JobKind = { run: async () => {}, maxAttempts: null };
    const its = runner({}, { kinds: { work: quick, read: slow, look: slow }, parallel: 1 });
    const jobs = [
      ["read", "a"],
      ["read", "b"],
      ["look", ""],
    ] as const;
    const slowly = await store.transact(async (tx) => {
      const ids: number[] = [];
      for (const [kind, subject] of jobs) ids.push(await tx.jobs.enqueue({ kind, subject }, T0));
      return ids;
    });
    await its.start();
    await until(() => begun.length === 1);
    for (const subject of ["c", "d", "e"]) {
      const id = await enqueue(subject);
      await until(async () => (await job(id)).state === "done");
    }
    expect(begun).toEqual(["read a"]);
    long.release();
    for (const id of slowly) await until(async () => (await job(id)).state === "done");
    expect(begun).toEqual(["read a", "read b", "look "]);
  });

  test("R8 does not try again what is hopeless", async () => {
    const { runner, enqueue, job } = await world();
    const id = await enqueue("a");
    await runner({ run: () => Promise.reject(new HopelessJob("no such item")), maxAttempts: null }).runDue();
    expect(await job(id)).toMatchObject({ state: "failed", lastError: "no such item" });
  });

  test("R8 survives a kill: another process takes the job when the lease has ended, and a job that kills each time ends as failed", async () => {
    const { store, runner, enqueue, job, pass } = await world();
    const id = await enqueue("a");
    const killed = () =>
      store.transact((tx) =>
        // What a process leaves behind that is killed after its claim.
        tx.jobs.claimJobs({
          kinds: ["work"],
          owner: "killed",
          at: nowOf(),
          leaseUntil: addMilliseconds(nowOf(), 60_000),
          limit: 1,
        }),
      );
    let seconds = 0;
    const nowOf = (): string => addMilliseconds(T0, seconds * 1000);
    const later = (more: number): void => {
      seconds += more;
      pass(more);
    };
    let runs = 0;
    const counting = async (): Promise<void> => {
      runs += 1;
    };
    const its = runner({ run: counting });
    expect((await killed()).length).toBe(1);
    later(59);
    expect([await its.runDue(), runs]).toEqual([0, 0]);
    later(1);
    expect([await its.runDue(), runs]).toEqual([1, 1]);
    expect((await job(id)).state).toBe("done");
    const deadly = await enqueue("b");
    for (let n = 0; n < 3; n++) {
      expect((await killed()).length).toBe(1);
      later(60);
    }
    expect([await its.runDue(), runs]).toEqual([1, 1]);
    expect(await job(deadly)).toMatchObject({ state: "failed", lastError: "The process ended while it ran, 3 times" });
  });

  test("R8 renews the lease while a job runs, so nobody else takes it", async () => {
    const { runner, enqueue, job, pass } = await world();
    const { run, release } = held();
    const its = runner({ run }, { heartbeatMs: 3 });
    const other = runner({ run: () => Promise.reject(new Error("taken away")) });
    const id = await enqueue("a");
    await its.start();
    await until(async () => (await job(id)).state === "running");
    for (let n = 0; n < 4; n++) {
      pass(40);
      const before = (await job(id)).leaseUntil ?? "";
      await until(async () => ((await job(id)).leaseUntil ?? "") > before);
      expect(await other.runDue()).toBe(0);
    }
    release();
    await until(async () => (await job(id)).state === "done");
    expect((await job(id)).attempts).toBe(1);
  });

  test("R8 a job whose lease was lost is asked to stop, and its end counts no more", async () => {
    const { store, runner, enqueue, job, pass, logged } = await world();
    let reason = "";
    const run = (_: Job, { signal }: JobContext) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reason = String(signal.reason);
          reject(new Error("left"));
        });
      });
    const its = runner({ run }, { heartbeatMs: 3 });
    const id = await enqueue("a");
    await its.start();
    await until(async () => (await job(id)).state === "running");
    const at = addMilliseconds(T0, 10_000_000);
    await store.transact((tx) =>
      tx.jobs.claimJobs({ kinds: ["work"], owner: "other", at, leaseUntil: addMilliseconds(at, 1), limit: 1 }),
    );
    pass(1);
    await until(() => logged.includes("job.lost"));
    expect(reason).toContain("The lease was lost");
    expect(logged.filter((event) => event === "job.lease_lost")).toHaveLength(1);
    expect(await job(id)).toMatchObject({ state: "running", leaseOwner: "other" });
  });

  test("R8 a lost lease is logged once, while a job that does not listen still runs", async () => {
    const { store, runner, enqueue, job, pass, logged } = await world();
    let release = (): void => {};
    const its = runner({ run: () => new Promise((resolve) => (release = resolve)) }, { heartbeatMs: 3 });
    const id = await enqueue("a");
    await its.start();
    await until(async () => (await job(id)).state === "running");
    const at = addMilliseconds(T0, 10_000_000);
    await store.transact((tx) =>
      tx.jobs.claimJobs({ kinds: ["work"], owner: "other", at, leaseUntil: addMilliseconds(at, 1), limit: 1 }),
    );
    pass(1);
    await until(() => logged.includes("job.lease_lost"));
    expect(logged).not.toContain("job.lost");
    await new Promise((resolve) => setTimeout(resolve, 20));
    release();
    await until(() => logged.includes("job.lost"));
    expect(logged.filter((event) => event === "job.lease_lost")).toHaveLength(1);
  });

  test("R8 of a subject that is enqueued while its job runs, the second run begins after the first", async () => {
    const { runner, enqueue, job } = await world();
    let [now, most, runs] = [0, 0, 0];
    const run = async (): Promise<void> => {
      now += 1;
      runs += 1;
      most = Math.max(most, now);
      if (runs === 1) await enqueue("a");
      await new Promise((resolve) => setTimeout(resolve, 20));
      now -= 1;
    };
    const [one, two] = [runner({ run }), runner({ run })];
    const id = await enqueue("a");
    await Promise.all([one.start(), two.start()]);
    await until(async () => (await job(id)).state === "done");
    expect([runs, most]).toEqual([2, 1]);
  });

  test("R8 runs no more at once than it may", async () => {
    const { runner, enqueue } = await world();
    let [now, most, runs] = [0, 0, 0];
    const run = async (): Promise<void> => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 3));
      now -= 1;
      runs += 1;
    };
    for (let n = 0; n < 12; n++) await enqueue(String(n));
    await runner({ run }, { parallel: 3 }).start();
    await until(() => runs === 12);
    expect(most).toBe(3);
  });

  test("R7a R8 what is on a schedule runs at the start and then again, also after it failed", async () => {
    const { store, runner, pass } = await world();
    let runs = 0;
    const run = async (): Promise<void> => {
      runs += 1;
      if (runs === 2) throw new HopelessJob("bad day");
    };
    const its = runner({ run, everyMs: 86_400_000 });
    await its.start();
    await until(() => runs === 1);
    const only = async () =>
      (await store.jobs.listJobs({}, null, 10)).map(({ state, lastError }) => `${state} ${lastError}`);
    await until(async () => (await only())[0] === "waiting ");
    pass(86_399);
    its.wake();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(runs).toBe(1);
    pass(2);
    await until(() => runs === 2);
    await until(async () => (await only())[0] === "waiting bad day");
    pass(86_401);
    await until(() => runs === 3);
    await until(async () => (await only())[0] === "waiting ");
    expect((await only()).length).toBe(1);
  });

  test("R8 a process that ends gives its jobs back, not counting the attempt", async () => {
    const { runner, enqueue, job } = await world();
    const { run } = held();
    const its = runner({ run });
    const id = await enqueue("a");
    await its.start();
    await until(async () => (await job(id)).state === "running");
    await its.stop();
    expect(await job(id)).toMatchObject({ state: "waiting", attempts: 0, leaseOwner: null, lastError: "" });
    expect(await runner({}).runDue()).toBe(1);
    expect((await job(id)).state).toBe("done");
  });

  test("R8 a process that ends waits for jobs that are nearly done, and begins no other", async () => {
    const { runner, enqueue, job } = await world();
    const { run, release } = held();
    const its = runner({ run }, { parallel: 1, graceMs: 2000 });
    const [id, next] = [await enqueue("a"), await enqueue("b")];
    await its.start();
    await until(async () => (await job(id)).state === "running");
    const stopped = its.stop();
    release();
    await stopped;
    expect([(await job(id)).state, (await job(next)).state]).toEqual(["done", "waiting"]);
  });

  test("R8 goes on when the database was away for a while", async () => {
    const { store, runner, enqueue, job, logged } = await world();
    let isAway = true;
    const flaky = {
      transact: <T>(work: Parameters<typeof store.transact<T>>[0]): Promise<T> =>
        isAway ? Promise.reject(new Error("away")) : store.transact(work),
    };
    const its = runner({}, { store: flaky });
    const id = await enqueue("a");
    isAway = false;
    await its.start();
    isAway = true;
    const second = await enqueue("b");
    await until(() => logged.includes("jobs.away"));
    isAway = false;
    await until(async () => (await job(second)).state === "done");
    // Its end may have fallen into the time away: the lease ends, and it is run again.
    expect(["done", "running"]).toContain((await job(id)).state);
  });
});
