// Receipts, one by one and held against a plain model: whatever is sent in whatever order, a request_id has one ARK for
// ever (specification 1, "What the service does" 3; A13).

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MintIn } from "../../src/ark/inputs.ts";
import type { Minting } from "../../src/ark/minting.ts";
import type { Call } from "../../src/auth/caller.ts";
import { aCall } from "../support/callers.ts";
import { historyOf } from "../support/name-history.ts";
import { refusalOf, refused } from "../support/refusals.ts";
import { anOrganisation, aShoulder } from "../support/seed.ts";
import { become, namesOf } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

/** Few keys, so that they meet often; the empty one is none. */
const requestId = fc.constantFrom("", "a", "b", "c", "d", "\u00e9", "A");
const row = fc.record({ request_id: requestId, title: fc.string({ maxLength: 3 }), reserve: fc.boolean() });
/** One call: who sends it, and one row or a batch. */
const step = fc.record({
  client: fc.constantFrom("one", "two"),
  rows: fc.array(row, { maxLength: 6 }),
  bulk: fc.boolean(),
});
type Step = { readonly client: string; readonly rows: readonly MintIn[]; readonly bulk: boolean };

async function send(minting: Minting, call: Call, { rows, bulk }: Step): Promise<readonly string[]> {
  if (bulk) {
    const { records, created, replayed } = await minting.mintBulk(call, rows);
    expect(created + replayed).toBe(rows.length);
    return records.map(({ key }) => key);
  }
  const made = await Promise.all(rows.map((each) => minting.mint(call, each)));
  return made.map(({ record }) => record.key);
}

describe("the receipt of a mint", () => {
  test("L3 A13 the same request_id gives the first record again and ignores the rest", async () => {
    const { store, minting, a } = await openWorld({ names: true });
    const first = await minting.mint(a, { request_id: "r1", title: "first" });
    const again = await minting.mint(a, { request_id: "r1", title: "second", shoulder: "no such shoulder" });
    expect(again).toEqual({ record: first.record, replayed: true });
    expect(await namesOf(store)).toHaveLength(1);
    expect(await historyOf(store, first.record.key)).toHaveLength(1);
  });

  test("A13 the replay comes before the status of the shoulder and the quota", async () => {
    const { store, minting, a, orgA } = await openWorld({ names: true });
    const first = await minting.mint(a, { request_id: "r1" });
    await store.transact(async (tx) => {
      await tx.saveShoulder(aShoulder({ organisationId: orgA, status: "retired" }));
      await tx.saveOrganisation(anOrganisation({ id: orgA, quotaPerDay: 0 }));
    });
    expect(await minting.mint(a, { request_id: "r1" })).toEqual({ record: first.record, replayed: true });
    expect((await refused(() => minting.mint(a, { request_id: "r2" }))).code).toBe(1304);
  });

  test("A13 receipts belong to one credential; an empty request_id is none", async () => {
    const { minting, a, orgA } = await openWorld({ names: true });
    const other = aCall({ clientId: "other", organisationId: orgA });
    const mine = await minting.mint(a, { request_id: "r1" });
    const theirs = await minting.mint(other, { request_id: "r1" });
    expect(theirs.record.key).not.toBe(mine.record.key);
    const [one, two] = [await minting.mint(a, { request_id: "" }), await minting.mint(a, { request_id: "" })];
    expect(one.record.key).not.toBe(two.record.key);
  });

  test("A13 two credentials that mint at once with one request_id share a commit and no name", async () => {
    const { store, minting, a, orgA } = await openWorld({ names: true });
    const calls = [a, aCall({ clientId: "other", organisationId: orgA }), a];
    const made = await Promise.all(calls.map((call) => minting.mint(call, { request_id: "r1" })));
    expect(made.map(({ replayed }) => replayed)).toEqual([false, false, true]);
    const [mine, theirs, again] = made.map(({ record }) => record.key);
    expect(theirs).not.toBe(mine);
    expect(again).toBe(mine);
    expect(await namesOf(store)).toHaveLength(2);
  });

  test("A13 the receipt of a withdrawn name answers 1506 with the ARK and mints nothing", async () => {
    const { store, minting, a } = await openWorld({ names: true });
    const { record } = await minting.mint(a, { request_id: "r1", reserve: true });
    await become(store, record, "deleted");
    expect(await refused(() => minting.mint(a, { request_id: "r1" }))).toEqual({
      code: 1506,
      detail: { request_id: "r1", ark: `ark:${record.key}` },
    });
    const bulk = await refusalOf(() => minting.mintBulk(a, [{}, { request_id: "r1" }]));
    expect([bulk.code, bulk.detail.row]).toEqual([1506, 1]);
    expect(await namesOf(store)).toHaveLength(0);
  });

  test("A13 a request_id of another kind of call is 1507", async () => {
    const { minting, a } = await openWorld({ names: true });
    const { record } = await minting.mint(a, { request_id: "r1" });
    const part = { ark: record.key, qualifier: "/1", request_id: "r1" };
    expect(await refused(() => minting.register(a, part))).toMatchObject({ code: 1507, detail: { kind: "mint" } });
    expect((await refused(() => minting.importOne(a, { ark: "99999/x", request_id: "r1" }))).code).toBe(1507);
    await minting.register(a, { ...part, request_id: "r2" });
    expect((await refused(() => minting.mint(a, { request_id: "r2" }))).code).toBe(1507);
  });
});

describe("receipts against a model", () => {
  test("L3 A13 single and bulk mints in any order: each key one ARK, each row without a key its own", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { store, minting, orgA } = await openWorld({ names: true });
        const keyOf = new Map<string, string>();
        const all = new Set<string>();
        for (const each of steps) {
          const call = aCall({ clientId: each.client, organisationId: orgA });
          const answers = await send(minting, call, each);
          each.rows.forEach(({ request_id: id }, index) => {
            const key = answers[index] ?? "";
            const receipt = `${each.client}/${id}`;
            const known = id === "" ? undefined : keyOf.get(receipt);
            if (known === undefined) expect(all.has(key)).toBe(false);
            else expect(key).toBe(known);
            if (id !== "") keyOf.set(receipt, key);
            all.add(key);
          });
        }
        expect((await namesOf(store)).map((record) => record.key).sort()).toEqual([...all].sort());
        const { minted, replayed } = minting.counters();
        expect([minted, minted + replayed]).toEqual([all.size, steps.reduce((sum, each) => sum + each.rows.length, 0)]);
        await store.close();
      }),
      { numRuns: 40 },
    );
  });

  test("L3 A13 a batch cut off anywhere and sent again unchanged makes every row once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 30 }), async (cut, size) => {
        const { store, minting, a } = await openWorld({ names: true });
        const rows = Array.from({ length: 30 }, (_, index) => ({ request_id: `row ${index}` }));
        for (let from = 0; from < cut; from += size)
          await minting.mintBulk(a, rows.slice(from, Math.min(from + size, cut)));
        const { records, created, replayed } = await minting.mintBulk(a, rows);
        expect([created, replayed]).toEqual([30 - cut, cut]);
        expect(new Set(records.map((record) => record.key)).size).toBe(30);
        expect(await namesOf(store)).toHaveLength(30);
        await store.close();
      }),
      { numRuns: 20 },
    );
  });
});
