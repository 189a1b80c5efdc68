// How the resolver's table is loaded and follows its database (A31d, A44).
import { describe, expect, test } from "bun:test";
import { LOOKS_PER_SECOND } from "../../src/resolver/replica-recheck.ts";
import { TableFollower } from "../../src/resolver/table/table-refresh.ts";
import { eventually } from "../support/eventually.ts";
import {
  arkRecord,
  type MemoryReplica,
  memoryReplica,
  NEVER_PUBLIC,
  naanOf,
  shoulderOf,
} from "../support/memory-replica.ts";
import { quietLog } from "../support/quiet-log.ts";
import { openWorld } from "../support/world.ts";

const clock = { now: () => "2026-03-01T00:00:00.000Z" };
const refreshOf = (replica: MemoryReplica, intervalMs = 600_000) =>
  new TableFollower({ replica, clock, intervalMs, log: quietLog, pageSize: 3 });
const url = (name: string) => ({ url: `https://t.example/${name}` });

describe("loading", () => {
  test("all pages are read, and what changes while they are read is not lost", async () => {
    const replica = memoryReplica();
    for (let index = 10; index < 30; index++) replica.put(arkRecord(`99999/b1n${index}`, url(String(index))));
    const { tableRows } = replica;
    replica.tableRows = async (after, limit) => {
      const rows = await tableRows(after, limit);
      // A name behind the page that was just read, and a change of one in it.
      if (after === "") replica.put(arkRecord("99999/b1a", url("late")), arkRecord("99999/b1n10", url("changed")));
      return rows;
    };
    const tables = refreshOf(replica);
    await tables.refreshNow();
    const table = tables.current();
    expect(table?.size).toBe(21);
    expect(table?.plainTarget("99999/b1n29")).toBe("https://t.example/29");
    expect(table?.plainTarget("99999/b1a")).toBe("https://t.example/late");
    expect(table?.plainTarget("99999/b1n10")).toBe("https://t.example/changed");
    expect(tables.status()).toMatchObject({ loaded: true, names: 21, replicaUp: true, rebuilds: 1 });
  });

  test("A44 with the database away at the start, the table comes when it does", async () => {
    const replica = memoryReplica();
    replica.put(arkRecord("99999/b1a", url("a")));
    replica.away = true;
    const tables = refreshOf(replica, 10);
    const started = tables.start();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(tables.current()).toBe(null);
    expect(tables.status()).toMatchObject({ loaded: false, replicaUp: false, lastRefreshAt: null });
    replica.away = false;
    await started;
    expect(tables.current()?.plainTarget("99999/b1a")).toBe("https://t.example/a");
    await tables.stop();
  });
});

describe("following", () => {
  test("A31d changes of names, shoulders and NAANs arrive with the next look, over and over", async () => {
    const replica = memoryReplica();
    const tables = refreshOf(replica);
    await tables.refreshNow();
    const target = () => tables.current()?.plainTarget("99999/b1a") ?? null;
    expect(target()).toBe(null);
    replica.put(arkRecord("99999/b1a", url("one")));
    await tables.refreshNow();
    expect(target()).toBe("https://t.example/one");
    replica.put(arkRecord("99999/b1a", { ...url("two"), state: "reserved", ...NEVER_PUBLIC }));
    await tables.refreshNow();
    expect(target()).toBe(null);
    replica.put(arkRecord("99999/b1a", url("three")));
    replica.put(arkRecord("99999/b1a", url("four")));
    await tables.refreshNow();
    await tables.refreshNow();
    expect(target()).toBe("https://t.example/four");
    replica.setPolicies([naanOf("99999"), naanOf("88888")], [shoulderOf("88888", "k2")]);
    await tables.refreshNow();
    expect(tables.current()?.naan("88888")?.naan).toBe("88888");
    expect(tables.current()?.shoulderOf("99999", "b1a")).toBe(null);
    expect(tables.status().rebuilds).toBe(1);
  });

  test("Q.286 changes are read again in small pieces, between which requests are answered", async () => {
    const replica = memoryReplica();
    const tables = refreshOf(replica);
    await tables.refreshNow();
    const pieces: number[] = [];
    const { tableRowsOf } = replica;
    replica.tableRowsOf = (keys) => {
      pieces.push(keys.length);
      setImmediate(() => pieces.push(0));
      return tableRowsOf(keys);
    };
    replica.put(...Array.from({ length: 120 }, (_, index) => arkRecord(`99999/b1n${index}`, url(String(index)))));
    await tables.refreshNow();
    expect(pieces.filter((piece) => piece > 0).every((piece) => piece <= 20)).toBe(true);
    expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(120);
    // A turn of the loop after each one.
    expect(pieces.every((piece, at) => piece === 0 || pieces[at + 1] === 0)).toBe(true);
    expect(tables.current()?.plainTarget("99999/b1n119")).toBe("https://t.example/119");
  });

  test("another epoch of the database means a new table", async () => {
    const replica = memoryReplica();
    replica.put(arkRecord("99999/b1a", url("a")), arkRecord("99999/b1b", url("b")));
    const tables = refreshOf(replica);
    await tables.refreshNow();
    const before = tables.current();
    replica.putQuietly(arkRecord("99999/b1b", url("restored")));
    replica.restore("epoch-2");
    await tables.refreshNow();
    expect(tables.current()).not.toBe(before);
    expect(tables.current()?.plainTarget("99999/b1b")).toBe("https://t.example/restored");
    expect(tables.status().rebuilds).toBe(2);
  });

  test("A44 a refresh that fails halfway leaves the table as it was and is made up for", async () => {
    const replica = memoryReplica();
    replica.put(arkRecord("99999/b1a", url("a")));
    const tables = refreshOf(replica);
    await tables.refreshNow();
    replica.put(arkRecord("99999/b1b", url("b")));
    const { tableRowsOf } = replica;
    replica.tableRowsOf = () => Promise.reject(new Error("connection reset"));
    await tables.refreshNow();
    expect(tables.status()).toMatchObject({ replicaUp: false, loaded: true });
    expect(tables.current()?.plainTarget("99999/b1a")).toBe("https://t.example/a");
    replica.tableRowsOf = tableRowsOf;
    await tables.refreshNow();
    expect(tables.current()?.plainTarget("99999/b1b")).toBe("https://t.example/b");
    expect(tables.status()).toMatchObject({ replicaUp: true, rebuilds: 1 });
  });

  test("A31d it looks by itself every interval, and stops when asked", async () => {
    const replica = memoryReplica();
    const tables = refreshOf(replica, 10);
    await tables.start();
    replica.put(arkRecord("99999/b1a", url("a")));
    await eventually("it has looked", () => tables.current()?.plainTarget("99999/b1a") === "https://t.example/a");
    await tables.stop();
    replica.put(arkRecord("99999/b1b", url("b")));
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(tables.current()?.plainTarget("99999/b1b")).toBe(null);
  });
});

describe("one last look", () => {
  // 99999/b1new3 ends in its check character.
  const KEY = "99999/b1new3";

  test("A31d a name resolves right after its mint, although the table does not know it yet", async () => {
    const world = await openWorld({ resolver: true });
    world.replica.putQuietly(arkRecord(KEY, url("new")));
    expect((await world.get(`/ark:${KEY}`)).headers.get("location")).toBe("https://t.example/new");
    expect((await world.get(`/ark:${KEY}/page/3`)).headers.get("location")).toBe("https://t.example/new/page/3");
    expect((await world.get(`/ark:${KEY}?json`)).status).toBe(200);
    expect(world.tables.current()?.exact(KEY)).toBe(null);
  });

  test("A31d A31a a name below a withdrawn ancestor resolves right after its mint, and the ancestor right after it is public again", async () => {
    const world = await openWorld({ resolver: true });
    world.replica.put(arkRecord(KEY, { ...url("was"), state: "unpublished", publishedAt: null }));
    await world.tables.refreshNow();
    const get = async (path: string) => {
      const { status, headers } = await world.get(`/ark:${KEY}${path}`);
      return [status, headers.get("location")];
    };
    world.replica.reads = 0;
    expect([await get(""), await get("/part/2")]).toEqual([
      [404, null],
      [404, null],
    ]);
    expect(world.replica.reads).toBe(2);
    world.replica.putQuietly(arkRecord(`${KEY}/part`, url("part")));
    expect(await get("/part/2")).toEqual([302, "https://t.example/part/2"]);
    expect(await get("/other")).toEqual([404, null]);
    world.replica.putQuietly(arkRecord(KEY, url("again")));
    expect([await get(""), await get("/other")]).toEqual([
      [302, "https://t.example/again"],
      [302, "https://t.example/again/other"],
    ]);
    expect(world.tables.current()?.exact(`${KEY}/part`)).toBe(null);
  });

  test("A31d a mistyped name costs the database nothing, an unknown one a single read, none while it is away", async () => {
    const world = await openWorld({ resolver: true });
    world.replica.reads = 0;
    expect((await world.get("/ark:99999/b1new9")).body).toContain("SVC-1403");
    expect(world.replica.reads).toBe(0);
    expect((await world.get(`/ark:${KEY}`)).body).toContain("SVC-1402");
    expect(world.replica.reads).toBe(1);
    world.replica.away = true;
    await world.tables.refreshNow();
    expect((await world.get(`/ark:${KEY}`)).status).toBe(404);
    expect(world.replica.reads).toBe(1);
  });

  test("A31d at most 200 looks are taken in a second", async () => {
    expect(LOOKS_PER_SECOND).toBe(200);
    const world = await openWorld({ resolver: true });
    world.replica.reads = 0;
    const began = Math.floor(Date.now() / 1000);
    for (let times = 0; times < 3 * LOOKS_PER_SECOND; times++) await world.tables.lookAgain([KEY]);
    const seconds = Math.floor(Date.now() / 1000) - began + 1;
    expect(world.replica.reads).toBeGreaterThan(LOOKS_PER_SECOND - 1);
    expect(world.replica.reads).toBeLessThan(seconds * LOOKS_PER_SECOND + 1);
  });
});
