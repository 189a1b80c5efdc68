// Jobs in their table (src/jobs/store.ts; R8), on SQLite and on PostgreSQL.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { CompiledQuery } from "kysely";
import { openDatabase } from "../../db/engine/open.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import type { Job, JobRequest } from "../../src/jobs/job.ts";
import type { JobEnd, JobWriter } from "../../src/jobs/store.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";

const T0 = "2026-11-20T12:00:00.000Z";
const at = (seconds: number): string => addMilliseconds(T0, seconds * 1000);
const LEASE_SECONDS = 60;

describe("jobs", () => {
  onEachDatabase((database) => {
    let stores: readonly RepositoryStore[] = [];
    let url = "";
    beforeAll(async () => {
      url = await database.url();
      stores = [await openRepositoryStore({ url }), await openRepositoryStore({ url })];
    });
    afterAll(async () => {
      for (const store of stores) await store.close();
    });
    beforeEach(async () => {
      const database = await openDatabase({ url });
      await database.writer.executeQuery(CompiledQuery.raw("delete from job"));
      await database.close();
    });

    const on = <T>(work: (jobs: JobWriter) => Promise<T>, which = 0): Promise<T> => {
      const store = stores[which];
      if (store === undefined) throw new Error("no store");
      return store.transact((tx) => work(tx.jobs));
    };
    const enqueue = (wanted: Partial<JobRequest> = {}, seconds = 0): Promise<number> =>
      on((jobs) => jobs.enqueue({ kind: "index", subject: "7", ...wanted }, at(seconds)));
    const claim = (owner: string, seconds: number, limit = 10, kinds = ["index", "embargo"], which = 0) =>
      on(
        (jobs) => jobs.claimJobs({ kinds, owner, at: at(seconds), leaseUntil: at(seconds + LEASE_SECONDS), limit }),
        which,
      );
    const end = (id: number, owner: string, outcome: JobEnd) => on((jobs) => jobs.endJob(id, owner, outcome));
    const job = async (id: number): Promise<Job> => {
      const found = await stores[0]?.jobs.job(id);
      if (found === undefined || found === null) throw new Error(`no job ${id}`);
      return found;
    };

    test("R8 a job waits with its payload, and is claimed by one owner", async () => {
      const id = await enqueue({ payload: { pages: [1, "二"] } });
      const waiting = { state: "waiting", attempts: 0, runAt: T0, createdAt: T0, leaseOwner: null, lastError: "" };
      const expected = { id, kind: "index", subject: "7", payload: { pages: [1, "二"] }, ...waiting };
      expect(await job(id)).toMatchObject(expected);
      const [claimed] = await claim("one", 1);
      const running = { state: "running", attempts: 1, leaseOwner: "one", leaseUntil: at(1 + LEASE_SECONDS) };
      expect(claimed).toMatchObject({ id, payload: { pages: [1, "二"] }, ...running });
      expect(await claim("two", 2)).toEqual([]);
    });

    test("R8 of one subject one job waits: a second request joins it, with the newer payload and the earlier moment", async () => {
      const id = await enqueue({ payload: 1, runAt: at(500) });
      expect(await enqueue({ payload: 2, runAt: at(100) })).toBe(id);
      expect(await enqueue({ payload: 3, runAt: at(900) })).toBe(id);
      expect(await job(id)).toMatchObject({ payload: 3, runAt: at(100), state: "waiting" });
      const others = [await enqueue({ subject: "8" }), await enqueue({ kind: "embargo" })];
      expect(new Set([id, ...others]).size).toBe(3);
      expect(await claim("one", 99, 10, ["index"])).toMatchObject([{ subject: "8" }]);
    });

    test("R8 never two at once for one subject: what is wanted for while it runs is run again afterwards", async () => {
      const id = await enqueue({ payload: "first" });
      await claim("one", 1);
      expect(await enqueue({ payload: "second" }, 5)).toBe(id);
      expect(await claim("two", 6)).toEqual([]);
      expect(await end(id, "one", { state: "done", at: at(7) })).toBe(true);
      const again = { state: "waiting", payload: "second", runAt: at(5) };
      expect(await job(id)).toMatchObject({ ...again, attempts: 0, doneAt: null });
      expect(await claim("two", 8)).toMatchObject([{ id, payload: "second", attempts: 1 }]);
      expect(await end(id, "two", { state: "done", at: at(9) })).toBe(true);
      expect(await job(id)).toMatchObject({ state: "done", doneAt: at(9), leaseOwner: null });
      expect(await enqueue({}, 10)).not.toBe(id);
    });

    test("R8 a claim that is not renewed goes to another owner, and the first one's end counts no more", async () => {
      const id = await enqueue();
      await claim("killed", 0);
      expect(await claim("other", LEASE_SECONDS - 1)).toEqual([]);
      expect(await claim("other", LEASE_SECONDS)).toMatchObject([{ id, attempts: 2, leaseOwner: "other" }]);
      expect(await end(id, "killed", { state: "done", at: at(100) })).toBe(false);
      expect(await on((jobs) => jobs.extendLease(id, "killed", at(500)))).toBe(false);
      expect(await job(id)).toMatchObject({ state: "running", leaseOwner: "other" });
      expect(await on((jobs) => jobs.extendLease(id, "other", at(500)))).toBe(true);
      expect(await claim("third", 400)).toEqual([]);
      expect(await end(id, "other", { state: "done", at: at(401) })).toBe(true);
      expect(await on((jobs) => jobs.extendLease(id, "other", at(900)))).toBe(false);
    });

    test("R8 a job that failed waits, or ends as failed until somebody sends it off again", async () => {
      const id = await enqueue();
      await claim("one", 0);
      await end(id, "one", { state: "waiting", runAt: at(30), error: "no answer", attempts: 1 });
      expect(await job(id)).toMatchObject({ state: "waiting", lastError: "no answer", attempts: 1, runAt: at(30) });
      expect(await claim("one", 29)).toEqual([]);
      expect(await claim("one", 30)).toMatchObject([{ id, attempts: 2 }]);
      await end(id, "one", { state: "failed", at: at(31), error: "gone" });
      expect(await job(id)).toMatchObject({ state: "failed", lastError: "gone", attempts: 2, doneAt: at(31) });
      expect(await claim("one", 10_000)).toEqual([]);
      expect(await on((jobs) => jobs.retryJob(id, at(40)))).toBe(true);
      const again = { state: "waiting", attempts: 0, runAt: at(40) };
      expect(await job(id)).toMatchObject({ ...again, lastError: "gone", doneAt: null });
      await claim("one", 40);
      expect(await on((jobs) => jobs.retryJob(id, at(41)))).toBe(false);
      await end(id, "one", { state: "done", at: at(42) });
      expect(await on((jobs) => jobs.retryJob(id, at(43)))).toBe(false);
      expect((await job(id)).lastError).toBe("");
    });

    test("R8 a failed job is not run again where there is a newer one of its subject", async () => {
      const old = await enqueue();
      await claim("one", 0);
      await end(old, "one", { state: "failed", at: at(1), error: "gone" });
      const newer = await enqueue({}, 2);
      expect(await on((jobs) => jobs.retryJob(old, at(3)))).toBe(false);
      expect(await on((jobs) => jobs.retryJob(newer, at(3)))).toBe(true);
      expect(await on((jobs) => jobs.retryJob(987_654_321, at(3)))).toBe(false);
    });

    test("R8 due jobs come in the order of their moments, unknown kinds stay, no more than asked for", async () => {
      for (const [subject, seconds] of [
        ["a", 30],
        ["b", 10],
        ["c", 20],
      ] as const)
        await enqueue({ subject, runAt: at(seconds) });
      const unknown = await enqueue({ kind: "of a newer version", subject: "d" });
      expect((await claim("one", 100, 2)).map(({ subject }) => subject).sort()).toEqual(["b", "c"]);
      expect((await claim("one", 100, 2)).map(({ subject }) => subject)).toEqual(["a"]);
      expect((await job(unknown)).state).toBe("waiting");
      expect(await claim("one", 100, 2, [])).toEqual([]);
    });

    test("R8 two processes that claim at once never get the same job", async () => {
      for (let n = 0; n < 60; n++) await enqueue({ subject: String(n) });
      const takers = Array.from({ length: 16 }, (_, n) => claim(`owner ${n}`, 1, 5, ["index"], n % 2));
      const taken = (await Promise.all(takers)).flat().map(({ id }) => id);
      expect(taken.length).toBe(60);
      expect(new Set(taken).size).toBe(60);
    });

    test("R8 requests for one subject that come at once become one job", async () => {
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          on((jobs) => jobs.enqueue({ kind: "index", subject: "same", payload: n }, T0), n % 2),
        ),
      );
      expect(new Set(ids).size).toBe(1);
      expect((await stores[0]?.jobs.countJobs()) ?? []).toEqual([{ kind: "index", state: "waiting", count: 1 }]);
    });

    test("R8 a request is part of its transaction: none when that fails", async () => {
      const failing = on(async (jobs) => {
        await jobs.enqueue({ kind: "index", subject: "undone" }, T0);
        throw new Error("turned back");
      });
      await expect(failing).rejects.toThrow("turned back");
      expect(await stores[0]?.jobs.listJobs({}, null, 10)).toEqual([]);
    });

    test("R8 are listed newest first by kind, state and subject, counted, and forgotten once done long ago", async () => {
      const ids: number[] = [];
      for (let n = 0; n < 5; n++) ids.push(await enqueue({ subject: String(n), kind: n === 4 ? "embargo" : "index" }));
      const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids;
      await claim("one", 0, 3, ["index"]);
      await end(first, "one", { state: "done", at: at(0) });
      await end(second, "one", { state: "done", at: at(100) });
      await end(third, "one", { state: "failed", at: at(0), error: "x" });
      const list = async (...args: Parameters<JobWriter["listJobs"]>) =>
        ((await stores[0]?.jobs.listJobs(...args)) ?? []).map(({ id }) => id);
      expect(await list({}, null, 10)).toEqual([fifth, fourth, third, second, first]);
      expect(await list({}, third, 10)).toEqual([second, first]);
      expect(await list({}, null, 1)).toEqual([fifth]);
      expect(await list({ kind: "index", state: "waiting" }, null, 10)).toEqual([fourth]);
      expect(await list({ subject: "1" }, null, 10)).toEqual([second]);
      expect(await stores[0]?.jobs.countJobs()).toEqual([
        { kind: "embargo", state: "waiting", count: 1 },
        { kind: "index", state: "done", count: 2 },
        { kind: "index", state: "failed", count: 1 },
        { kind: "index", state: "waiting", count: 1 },
      ]);
      // For metrics: what is done is not counted, and of the rest the earliest moment is returned.
      expect(await stores[0]?.counts.undoneJobs()).toEqual([
        { kind: "embargo", state: "waiting", count: 1, since: (await job(fifth)).runAt },
        { kind: "index", state: "failed", count: 1, since: (await job(third)).runAt },
        { kind: "index", state: "waiting", count: 1, since: (await job(fourth)).runAt },
      ]);
      expect(await stores[0]?.counts.waitingActivities()).toEqual([]);
      expect(await stores[0]?.counts.itemsByState()).toEqual([]);
      expect(await on((jobs) => jobs.forgetDone(at(100)))).toBe(1);
      expect(await list({}, null, 10)).toEqual([fifth, fourth, third, second]);
      expect(await stores[0]?.jobs.job(first)).toBe(null);
    });
  });
});
