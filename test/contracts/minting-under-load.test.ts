// What concurrent callers may rely on, on either database: one suite, run on SQLite and on PostgreSQL (specification 1,
// "What the service does" 2, 3 and 10; A5, A11, A13, A14, A27).

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openStore } from "../../db/ark/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { type Minting, minting } from "../../src/ark/minting.ts";
import type { Store } from "../../src/ark/store.ts";
import type { Call } from "../../src/auth/caller.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { aCall } from "../support/callers.ts";
import { onEachDatabase } from "../support/databases.ts";
import { anOrganisation, aShoulder, NOW, seed } from "../support/seed.ts";
import { namesOf } from "../support/world/names.ts";

/** A place for a database that several stores, as of several processes, open at once. */
type Minters = { readonly stores: readonly Store[]; readonly services: readonly Minting[]; readonly store: Store };

const clock = { now: () => new Date().toISOString() };

async function openMinters(url: string, count: number): Promise<Minters> {
  const stores: Store[] = [];
  for (let index = 0; index < count; index++) stores.push(await openStore({ url, poolSize: 8 }));
  const limits = { bulkRows: 10_000 };
  const services = stores.map((store) => minting({ store, clock, random: platformRandom(), limits }));
  const [store] = stores;
  if (store === undefined) throw new RangeError("No store");
  return { stores, services, store };
}

/** Codes of the refusals among settled calls; anything but a refusal fails the test. */
function codesOf(settled: readonly PromiseSettledResult<unknown>[]): number[] {
  return settled.flatMap((outcome) => {
    if (outcome.status === "fulfilled") return [];
    if (outcome.reason instanceof ServiceError) return [outcome.reason.code];
    throw outcome.reason;
  });
}

describe("making names at once", () => {
  onEachDatabase((database) => {
    let minters: Minters | null = null;
    let organisation = 0;

    beforeAll(async () => {
      minters = await openMinters(await database.url(), 3);
      organisation = (await seed(minters.store)).orgA;
      await minters.store.transact((tx) =>
        tx.saveShoulder(aShoulder({ shoulder: "qt", organisationId: organisation, importOnly: true, checked: false })),
      );
    });

    afterAll(async () => {
      for (const store of minters?.stores ?? []) await store.close();
    });

    /** A test over the three minters, each with separate connections. */
    const holds = (name: string, body: (minters: Minters, call: Call) => Promise<void>) => {
      test(name, async () => {
        if (minters !== null) await body(minters, aCall({ organisationId: organisation, clientId: name.slice(0, 60) }));
      });
    };
    const one = <T>(all: readonly T[], index: number): T => {
      const found = all[index % all.length];
      if (found === undefined) throw new RangeError("An empty list");
      return found;
    };

    holds("L3 A13 200 equal request_ids at once give one ARK and no error", async ({ services, store }, call) => {
      const before = (await namesOf(store)).length;
      const calls = Array.from({ length: 200 }, (_, index) =>
        one(services, index).mint(call, { request_id: "the same", title: String(index) }),
      );
      const answers = await Promise.all(calls);
      expect(new Set(answers.map(({ record }) => record.key)).size).toBe(1);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect((await namesOf(store)).length).toBe(before + 1);
    });

    holds("L2 A5 eight writers of 500 mints make 4,000 different names", async ({ services, store }, call) => {
      const before = (await namesOf(store)).length;
      const writer = async (index: number): Promise<string[]> => {
        const keys: string[] = [];
        for (let round = 0; round < 20; round++) {
          const batch = Array.from({ length: 25 }, () => one(services, index).mint(call, {}));
          keys.push(...(await Promise.all(batch)).map(({ record }) => record.key));
        }
        return keys;
      };
      const keys = (await Promise.all(Array.from({ length: 8 }, (_, index) => writer(index)))).flat();
      expect(new Set(keys).size).toBe(4000);
      expect((await namesOf(store)).length).toBe(before + 4000);
    });

    holds(
      "A5 minters that share a shoulder with little room agree on names and grow its blade",
      async ({ services, store }, call) => {
        await store.transact((tx) =>
          tx.saveShoulder(aShoulder({ shoulder: "t1", organisationId: organisation, bladeLength: 1 })),
        );
        const rows = Array.from({ length: 60 }, (_, row) => ({ shoulder: "t1", request_id: `t${row}` }));
        const answers = await Promise.all(
          services.map((service, index) =>
            service.mintBulk({ ...call, caller: { ...call.caller, clientId: `t${index}` } }, rows),
          ),
        );
        const keys = answers.flatMap(({ records }) => records.map((record) => record.key));
        expect(new Set(keys).size).toBe(180);
        const again = await Promise.all(
          services.map((service, index) =>
            service.mintBulk({ ...call, caller: { ...call.caller, clientId: `t${index}` } }, rows),
          ),
        );
        expect(again.flatMap(({ records }) => records.map((record) => record.key))).toEqual(keys);
      },
    );

    holds(
      "L10 A13 overlapping bulk mints with receipts: each whole, every key one ARK",
      async ({ services, store }, call) => {
        const before = (await namesOf(store)).length;
        const batch = (from: number) => Array.from({ length: 200 }, (_, row) => ({ request_id: `o${from + row}` }));
        // In opposite orders, which would wait for each other in a circle if receipts were claimed as sent.
        const calls = [0, 50, 100, 150, 0, 50].map((from, index) =>
          one(services, index).mintBulk(call, index % 2 === 0 ? batch(from) : batch(from).toReversed()),
        );
        const answers = await Promise.all(calls);
        expect(answers.map(({ records }) => records.length)).toEqual([200, 200, 200, 200, 200, 200]);
        expect(new Set(answers.flatMap(({ records }) => records.map((record) => record.key))).size).toBe(350);
        expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(350);
        expect((await namesOf(store)).length).toBe(before + 350);
      },
    );

    holds(
      "L10 A14 overlapping bulk imports: one is written whole, the others not at all",
      async ({ services, store }, call) => {
        const rows = (from: number) => Array.from({ length: 100 }, (_, row) => ({ ark: `99999/qtbulk${from + row}` }));
        const settled = await Promise.allSettled([
          one(services, 0).importBulk(call, rows(0)),
          one(services, 1).importBulk(call, rows(50).toReversed()),
          one(services, 2).importBulk(call, rows(99)),
        ]);
        const names = (await namesOf(store)).filter((record) => record.key.startsWith("99999/qtbulk")).length;
        const whole = settled.filter(({ status }) => status === "fulfilled").length;
        expect(names).toBe(whole * 100);
        expect(codesOf(settled).every((code) => code === 1005)).toBe(true);
        expect(whole).toBeGreaterThan(0);
      },
    );

    holds("A27 the quota is never exceeded, however many clients mint at once", async ({ services, store }) => {
      const id = await store.transact(async (tx) => {
        const made = await tx.saveOrganisation(
          anOrganisation({ name: `limited ${NOW}`, defaultShoulder: "q5", quotaPerDay: 40 }),
        );
        await tx.saveShoulder(aShoulder({ shoulder: "q5", organisationId: made }));
        return made;
      });
      const call = (index: number) => aCall({ organisationId: id, clientId: `limited ${index % 4}` });
      const settled = await Promise.allSettled([
        ...Array.from({ length: 60 }, (_, index) =>
          one(services, index).mint(call(index), { request_id: `q${index}` }),
        ),
        ...Array.from({ length: 6 }, (_, index) => one(services, index).mintBulk(call(index), [{}, {}, {}, {}])),
      ]);
      expect(codesOf(settled).every((code) => code === 1601)).toBe(true);
      const made = (await namesOf(store)).filter((record) => record.shoulder === "q5").length;
      expect(made).toBeGreaterThan(36);
      expect(made).toBeLessThanOrEqual(40);
    });

    holds("A13 L10 one caller's refusal never fails another's mint in the same commit", async ({ services }, call) => {
      const service = one(services, 0);
      const asked = ["b1", "c2", "b1", "r7", "d9", "b1", "zz9"];
      const settled = await Promise.allSettled(asked.map((shoulder) => service.mint(call, { shoulder })));
      expect(settled.map((outcome) => (outcome.status === "fulfilled" ? 0 : outcome.reason.code))).toEqual([
        0, 1302, 0, 1304, 1306, 0, 1302,
      ]);
      // The same receipt: the first one is refused on its own, the second is granted, the third replays it.
      const [first, second, third] = await Promise.allSettled(
        ["zz9", "b1", "zz9"].map((shoulder) => service.mint(call, { shoulder, request_id: "shared" })),
      );
      expect([first?.status, second?.status, third?.status]).toEqual(["rejected", "fulfilled", "fulfilled"]);
    });

    holds(
      "A11 L2 a base that is deleted while a part is registered or imported: one of the two is refused",
      async ({ services, store }, call) => {
        for (let round = 0; round < 10; round++) {
          const { record: base } = await one(services, 0).importOne(call, {
            ark: `99999/qtbase${round}`,
            reserve: true,
          });
          const remove = store.transact(async (tx) => {
            const locked = (await tx.lockArks([base.key])).get(base.key);
            if (locked === undefined || (await tx.partsBelow([base.key], 1)).length > 0) throw new ServiceError(1502);
            await tx.updateArks([{ ...locked, state: "deleted", withdrawnAt: NOW, withdrawnReason: "" }]);
          });
          const part =
            round % 2 === 0
              ? one(services, 1).register(call, { ark: base.key, qualifier: "/1" })
              : one(services, 1).importOne(call, { ark: `${base.key}/1` });
          const settled = await Promise.allSettled([remove, part]);
          const codes = codesOf(settled);
          expect(codes).toHaveLength(1);
          expect([1502, 1401, 1014]).toContain(codes[0] ?? 0);
        }
      },
    );
  });
});
