// Jobs and the audit, as system administrators list them over HTTP (R8, R9b, R17).
import { beforeAll, describe, expect, test } from "bun:test";
import { onEachDatabase } from "../support/databases.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Entry = Readonly<Record<string, unknown>>;

onEachDatabase("jobs and audit", (database) => {
  const world = setUpWorld({ repository: true, database });

  const admin = (method: string, path: string, who: Who = "system") => world.ask(who, method, `/api/v1/admin/${path}`);
  const entries = async (path: string): Promise<readonly Entry[]> => {
    const { status, json } = await admin("GET", path);
    expect([path, status]).toEqual([path, 200]);
    return json.items as readonly Entry[];
  };
  /** All pages of a list, and how many there were. */
  async function pages(path: string) {
    const all: Entry[] = [];
    for (let [cursor, count] = ["", 1]; ; count += 1) {
      const { json } = await admin("GET", `${path}${cursor}`);
      all.push(...(json.items as readonly Entry[]));
      if (json.next === null) return { all, count };
      cursor = `&cursor=${encodeURIComponent(String(json.next))}`;
    }
  }

  test("R17 R6b jobs and the audit are for system administrators, by a token that allows everything", async () => {
    const narrow = await world.token("system", ["item:read"], null);
    for (const [method, path] of [
      ["GET", "jobs"],
      ["GET", "jobs/1"],
      ["POST", "jobs/1/retry"],
      ["GET", "audit"],
    ] as const) {
      for (const who of ["admin", "registered", narrow] as const) {
        expect([path, (await admin(method, path, who)).status]).toEqual([path, 403]);
      }
      expect((await admin(method, path, null)).status).toBe(401);
    }
  });

  describe("jobs", () => {
    const ids: number[] = [];
    beforeAll(async () => {
      const at = world.clock.now();
      await world.store.transact(async (tx) => {
        for (const [kind, subject] of [
          ["a_kind", "one"],
          ["a_kind", "two"],
          ["b_kind", "one"],
          ["a_kind", "three"],
        ] as const) {
          ids.push(await tx.jobs.enqueue({ kind, subject, payload: { secret: "zqpayload" } }, at));
        }
        const claim = { kinds: ["a_kind"], owner: "me", at, leaseUntil: at, limit: 2 };
        for (const { id } of await tx.jobs.claimJobs(claim)) {
          await tx.jobs.endJob(id, "me", { state: "failed", at, error: "no answer" });
        }
      });
    });

    test("R8 they are listed newest first, by kind, state and subject, page by page", async () => {
      const [one, two, three, four] = ids;
      const kinds = async (query: string) => (await entries(`jobs?${query}`)).map(({ id }) => id);
      expect(await kinds("kind=a_kind")).toEqual([four, two, one]);
      expect(await kinds("kind=a_kind&state=failed")).toEqual([two, one]);
      expect(await kinds("state=failed")).toEqual([two, one]);
      expect(await kinds("subject=one")).toEqual([three, one]);
      expect(await kinds("subject=one&kind=b_kind&state=waiting")).toEqual([three]);
      expect(await kinds("kind=nothing")).toEqual([]);
      const { all, count } = await pages("jobs?kind=a_kind&limit=2");
      expect([all.map(({ id }) => id), count]).toEqual([[four, two, one], 2]);
      const [first] = await entries("jobs?kind=a_kind&state=failed");
      expect(first).toEqual({
        ...{ id: two, kind: "a_kind", subject: "two", state: "failed", attempts: 1, progress: "", error: "no answer" },
        ...{ created_at: world.clock.now(), run_at: world.clock.now(), done_at: world.clock.now() },
      });
      expect((await admin("GET", "jobs")).text).not.toContain("zqpayload");
    });

    test("R8 one is read, and a failed one sent off again, which the audit records", async () => {
      const [one = 0, , three = 0] = ids;
      expect((await admin("GET", `jobs/${one}`)).json).toMatchObject({ id: one, state: "failed" });
      const sent = await admin("POST", `jobs/${one}/retry`);
      expect([sent.status, sent.json.state, sent.json.attempts]).toEqual([200, "waiting", 0]);
      expect(await entries(`audit?subject=job:${one}`)).toMatchObject([
        { action: "job-retry", account: world.people.system.account.id, detail: { kind: "a_kind" } },
      ]);
      await world.store.transact(async (tx) => {
        const at = world.clock.now();
        await tx.jobs.claimJobs({ kinds: ["b_kind"], owner: "me", at, leaseUntil: at, limit: 1 });
        await tx.jobs.endJob(three, "me", { state: "done", at });
      });
      const done = await admin("POST", `jobs/${three}/retry`);
      expect([done.status, done.json.message]).toEqual([
        ...[409, `Job ${three} is done: only failed and waiting jobs are sent off again`],
      ]);
      expect(await entries(`audit?subject=job:${three}`)).toEqual([]);
      for (const id of ["999999", "x", "0"]) {
        expect((await admin("GET", `jobs/${id}`)).status).toBe(404);
        expect((await admin("POST", `jobs/${id}/retry`)).status).toBe(404);
      }
    });

    test("R9 a filter that means nothing is 400", async () => {
      for (const [query, message] of [
        ["state=lost", 'state must be one of waiting, running, done, failed, not "lost"'],
        ["limit=0", 'limit must be a whole number from 1 to 500, not "0"'],
        ["limit=501", "from 1 to 500"],
        ["kinds=a", 'Unknown parameter "kinds": did you mean kind?'],
        ["kind=a&kind=b", "kind must be sent once"],
        ["kind=", "kind must be text of 1 to 500 characters"],
        ["cursor=x", 'cursor must be "next" of the page before, not "x"'],
      ]) {
        const { status, json } = await admin("GET", `jobs?${query}`);
        expect(json).toEqual({ code: 400, status: 400, message: expect.stringContaining(message ?? "") });
        expect(status).toBe(400);
      }
    });
  });

  describe("the audit", () => {
    const times = ["2030-01-01T10:00:00.000Z", "2030-01-02T10:00:00.000Z", "2030-01-03T10:00:00.000Z"] as const;
    beforeAll(async () => {
      const [one, other] = [await world.viewer("registered"), await world.viewer("other")];
      const entry = (action: string, subject: string) => ({
        action,
        subject,
        detail: { word: `${action} ${subject}` },
      });
      await world.store.transact(async (tx) => {
        await tx.audit({ ...one, address: "192.0.2.9" }, times[0], [entry("zq-a", "zq:1"), entry("zq-b", "zq:2")]);
        // Written late: the time counts, not the number.
        await tx.audit(other, times[2], [entry("zq-a", "zq:2")]);
        await tx.audit(other, times[1], [entry("zq-a", "zq:1"), entry("zq-a", "zq:3")]);
      });
    });
    const answerOf = async (query: string) =>
      (await entries(`audit?${query}`)).map(({ detail }) => (detail as { readonly word: string }).word);

    test("R17 who did what to what, when and from where, newest first", async () => {
      const { account, clientId } = world.people.registered;
      expect(await entries("audit?subject=zq:1&until=2030-01-02")).toEqual([
        {
          ...{ id: expect.any(Number), at: times[0], account: account.id, client: clientId, address: "192.0.2.9" },
          ...{ action: "zq-a", subject: "zq:1", detail: { word: "zq-a zq:1" } },
        },
      ]);
      const expected = ["zq-a zq:2", "zq-a zq:3", "zq-a zq:1", "zq-b zq:2", "zq-a zq:1"];
      expect(await answerOf("since=2030-01-01")).toEqual(expected);
    });

    test("R17 by account, client, action, subject and time, one or several of them", async () => {
      const [one, other] = [world.people.registered, world.people.other];
      expect(await answerOf("action=zq-a")).toEqual(["zq-a zq:2", "zq-a zq:3", "zq-a zq:1", "zq-a zq:1"]);
      expect(await answerOf("action=zq-c")).toEqual([]);
      expect(await answerOf("subject=zq:2")).toEqual(["zq-a zq:2", "zq-b zq:2"]);
      const since = "since=2030-01-01T00:00:00Z";
      expect(await answerOf(`account=${one.account.id}&${since}`)).toEqual(["zq-b zq:2", "zq-a zq:1"]);
      expect(await answerOf(`account=${other.account.id}&subject=zq:2`)).toEqual(["zq-a zq:2"]);
      expect(await answerOf(`account=${one.account.id}&action=zq-a&subject=zq:1`)).toEqual(["zq-a zq:1"]);
      expect(await answerOf(`client=${other.clientId}&${since}`)).toEqual(["zq-a zq:2", "zq-a zq:3", "zq-a zq:1"]);
      expect(await answerOf("since=2030-01-02&until=2030-01-03T10:00:00Z")).toEqual(["zq-a zq:3", "zq-a zq:1"]);
    });

    test("R9b it is read page by page, each entry once, however it is filtered", async () => {
      const { account } = world.people.other;
      for (const query of [
        "action=zq-a&limit=1",
        `account=${account.id}&action=zq-a&limit=2`,
        "since=2030-01-01&limit=2",
      ]) {
        const whole = (await entries(`audit?${query.replace(/limit=\d/, "limit=500")}`)).map(({ id }) => id);
        const { all, count } = await pages(`audit?${query}`);
        expect([query, all.map(({ id }) => id)]).toEqual([query, whole]);
        expect(count).toBeGreaterThan(1);
      }
    });

    test("R9b several filters read a bounded part of the audit for each page, and go on behind it", async () => {
      const viewer = await world.viewer("stranger");
      const many = Array.from({ length: 2_100 }, (_, at) => ({ action: "zq-many", subject: `zq:m${at}`, detail: {} }));
      await world.store.transact(async (tx) => {
        await tx.audit(viewer, "2031-01-01T00:00:00.000Z", [{ action: "zq-rare", subject: "zq:rare", detail: {} }]);
        for (let at = 0; at < many.length; at += 300) {
          await tx.audit(viewer, "2031-01-02T00:00:00.000Z", many.slice(at, at + 300));
        }
      });
      const query = `audit?account=${viewer.account?.id}&action=zq-rare`;
      const first = await admin("GET", query);
      expect([first.json.items, first.json.next]).toEqual([[], expect.any(String)]);
      const { all, count } = await pages(query);
      expect([all.map(({ subject }) => subject), count]).toEqual([["zq:rare"], 2]);
    });

    test("R9 a filter that means nothing is 400", async () => {
      for (const [query, message] of [
        ["account=x", 'account must be a whole number of 1 or more, not "x"'],
        ["since=yesterday", 'since must be a day or a moment like 2026-01-31T12:00:00Z, not "yesterday"'],
        ["until=2026-02-30", "until must be a day or a moment"],
        ["user=1", 'Unknown parameter "user"'],
        ["cursor=2030-01-01T10:00:00.000Z", "cursor must be"],
        ["limit=1e2", "limit must be a whole number from 1 to 500"],
        ["subject=%00", "subject must be text"],
      ]) {
        const { status, json } = await admin("GET", `audit?${query}`);
        expect([query, status]).toEqual([query, 400]);
        expect(json.message).toContain(message ?? "");
      }
    });
  });
});
