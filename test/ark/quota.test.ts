// The daily quota of an organisation (A27; A28 code 1601).
import { describe, expect, test } from "bun:test";
import { quotaRefusal, quotaWindowStart } from "../../src/ark/assign-names.ts";
import { aCall, naanCall } from "../support/callers.ts";
import { refusalOf, refused } from "../support/refusals.ts";
import { anOrganisation } from "../support/seed.ts";
import { namesOf } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

async function limited(quotaPerDay: number) {
  const world = await openWorld({ names: true });
  await world.store.transact((tx) => tx.saveOrganisation(anOrganisation({ id: world.orgA, quotaPerDay })));
  return world;
}

describe("quota", () => {
  test("A27 names made by mint and register count, replays do not; the refusal gives the count", async () => {
    const { minting, a } = await limited(3);
    const { record } = await minting.mint(a, { request_id: "r" });
    await minting.mint(a, { request_id: "r" });
    await minting.register(a, { ark: record.key, qualifier: "/1" });
    await minting.mint(a, { reserve: true });
    const error = await refusalOf(() => minting.mint(a, {}));
    expect([error.code, error.status, error.detail]).toEqual([1601, 429, { quota: 3, used: 3, requested: 1 }]);
    expect(Number(error.headers["Retry-After"])).toBeGreaterThan(0);
    expect((await refused(() => minting.register(a, { ark: record.key, qualifier: "/2" }))).code).toBe(1601);
    expect((await minting.mint(a, { request_id: "r" })).replayed).toBe(true);
  });

  test("A27 A14 a bulk call fits whole or not at all, and rows that are replays need no room", async () => {
    const { store, minting, a } = await limited(5);
    const rows = ["1", "2", "3", "4"].map((request_id) => ({ request_id }));
    await minting.mintBulk(a, rows);
    const { code, detail } = await refused(() => minting.mintBulk(a, [...rows, {}, {}]));
    expect([code, detail]).toEqual([1601, { quota: 5, used: 4, requested: 2 }]);
    expect(await namesOf(store)).toHaveLength(4);
    expect((await minting.mintBulk(a, [...rows, { request_id: "5" }, { request_id: "5" }])).created).toBe(1);
    expect((await refused(() => minting.mintBulk(a, [{}]))).detail).toEqual({ quota: 5, used: 5, requested: 1 });
  });

  test("A27 the window rolls: what was made 24 hours ago no longer counts", async () => {
    const { minting, a, time } = await limited(1);
    await minting.mint(a, {});
    time.now = "2026-11-21T10:00:00.000Z";
    expect((await refused(() => minting.mint(a, {}))).code).toBe(1601);
    time.now = "2026-11-21T10:00:00.001Z";
    await minting.mint(a, {});
  });

  test("A27 it is one organisation's: its credentials share it, another one and the NAAN's administrator are free", async () => {
    const { minting, a, b, orgA } = await limited(1);
    await minting.mint(a, {});
    expect((await refused(() => minting.mint(aCall({ clientId: "second", organisationId: orgA }), {}))).code).toBe(
      1601,
    );
    await minting.mint(b, {});
    await minting.mint(naanCall(), { shoulder: "b1" });
  });

  test("A27 of mints that come at once exactly those that fit are made, no matter which share a commit", async () => {
    const { store, minting, a, b } = await limited(7);
    const calls = Array.from({ length: 30 }, (_, index) =>
      minting.mint(index % 3 === 0 ? b : a, { request_id: `r${index}` }),
    );
    const settled = await Promise.allSettled(calls);
    const made = settled.filter((outcome) => outcome.status === "fulfilled");
    expect(made).toHaveLength(10 + 7);
    expect(await namesOf(store)).toHaveLength(17);
    expect(minting.counters().groups).toBeLessThan(5);
  });

  test("A22 reach and status are checked before the quota, the quota before what is there already", async () => {
    const { minting, a } = await limited(1);
    const { record } = await minting.importOne(a, { ark: "99999/b1np1wh8v" });
    await minting.register(a, { ark: record.key, qualifier: "/1" });
    expect((await refused(() => minting.mint(a, { shoulder: "c2" }))).code).toBe(1302);
    expect((await refused(() => minting.mint(a, { shoulder: "r7" }))).code).toBe(1304);
    expect((await refused(() => minting.register(a, { ark: record.key, qualifier: "/1" }))).code).toBe(1601);
  });

  test("A27 exactly the quota fits", () => {
    expect(quotaRefusal(10, 8, 2)).toBeNull();
    expect(quotaRefusal(10, 8, 3)?.detail).toEqual({ quota: 10, used: 8, requested: 3 });
    expect(quotaWindowStart("2026-03-01T00:00:00.000Z")).toBe("2026-02-28T00:00:00.000Z");
  });
});
