// Part of the store's contract: what many callers at once may rely on.

import { describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "../../src/shared/errors.ts";
import { arkRecord, NEVER_PUBLIC } from "../support/memory-replica.ts";
import { historyOf } from "../support/name-history.ts";
import { anOrganisation, NOW, TESTER } from "../support/seed.ts";
import { type Bench, changeOf, receiptOf } from "./store-bench.ts";

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

export function concurrencyContract(bench: () => Bench): void {
  describe("many at once", () => {
    test("L10 A14 a transaction that fails leaves nothing, and its neighbours stay", async () => {
      const { store } = bench();
      const work = (index: number) =>
        store.transact(async (tx) => {
          const key = `99999/b1nb${index}`;
          await tx.claimReceipts([receiptOf(`nb-${index}`, key)]);
          await tx.insertArks([arkRecord(key)]);
          await tx.record(TESTER, NOW, [changeOf(key)]);
          if (index % 3 === 0) throw new ServiceError(1401, { index });
        });
      const outcomes = await Promise.allSettled(times(30, work));
      const keys = times(30, (index) => `99999/b1nb${index}`);
      const found = await store.arks(keys);
      const requests = times(30, (index) => `nb-${index}`);
      const receipts = await store.transact((tx) => tx.receipts("ops", requests));
      for (const [index, outcome] of outcomes.entries()) {
        const kept = index % 3 !== 0;
        expect([outcome.status, found.has(keys[index] ?? ""), receipts.has(`nb-${index}`)]).toEqual([
          kept ? "fulfilled" : "rejected",
          kept,
          kept,
        ]);
        expect((await historyOf(store, keys[index] ?? "")).length).toBe(kept ? 1 : 0);
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(ServiceError);
      }
    });

    test("a statement the database refuses fails its own transaction alone", async () => {
      const { store } = bench();
      const good = () => store.transact((tx) => tx.insertArks([arkRecord("99999/b1good")]));
      const bad = () => store.transact((tx) => tx.insertArks([arkRecord("99999/b1bad", { publishedAt: null })]));
      const outcomes = await Promise.allSettled([bad(), good(), bad()]);
      expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
      expect((await store.arks(["99999/b1good", "99999/b1bad"])).size).toBe(1);
    });

    test("L3 A13 of 60 concurrent claims of one request_id exactly one goes in, and all see the same key", async () => {
      const { store } = bench();
      const claim = (index: number) =>
        store.transact(async (tx) => {
          const claimed = await tx.claimReceipts([receiptOf("same", `99999/b1same${index}`)]);
          const receipt = (await tx.receipts("ops", ["same"])).get("same");
          return { won: claimed.has("same"), key: receipt?.key };
        });
      const outcomes = await Promise.all(times(60, claim));
      expect(outcomes.filter(({ won }) => won).length).toBe(1);
      expect(new Set(outcomes.map(({ key }) => key)).size).toBe(1);
    });

    test("L2 A11 of concurrent inserts of the same keys each key goes in once", async () => {
      const { store } = bench();
      const keys = times(40, (index) => `99999/b1race${index}`);
      const insert = (round: number) =>
        store.transact((tx) => {
          const rows = keys.map((key) => arkRecord(key, { title: String(round) }));
          return tx.insertArks(round % 2 === 0 ? rows : rows.toReversed());
        });
      const sets = await Promise.all(times(12, insert));
      const won = sets.flatMap((set) => [...set]).sort();
      expect(won).toEqual(keys.toSorted());
    });

    test("L10 overlapping bulk changes in opposite orders all end, and none is applied in part", async () => {
      const { store } = bench();
      const keys = times(30, (index) => `99999/b1over${index}`);
      await store.transact((tx) => tx.insertArks(keys.map((key) => arkRecord(key, { title: "0" }))));
      const raise = (round: number) =>
        store.transact(async (tx) => {
          const rows = await tx.lockArks(round % 2 === 0 ? keys : keys.toReversed());
          const raised = [...rows.values()].map((row) => ({ ...row, title: String(Number(row.title) + 1) }));
          await tx.updateArks(round % 2 === 0 ? raised : raised.toReversed());
        });
      await Promise.all(times(12, raise));
      const found = await store.arks(keys);
      expect(new Set([...found.values()].map(({ title }) => title))).toEqual(new Set(["12"]));
    });

    test("transactions that lock in a circle are tried again until all are done", async () => {
      const { store } = bench();
      const [first, second] = ["99999/b1ring1", "99999/b1ring2"];
      await store.transact((tx) =>
        tx.insertArks([arkRecord(first, { title: "0" }), arkRecord(second, { title: "0" })]),
      );
      const cross = (keys: readonly string[]) =>
        store.transact(async (tx) => {
          for (const key of keys) {
            const row = (await tx.lockArks([key])).get(key);
            if (row !== undefined) await tx.updateArks([{ ...row, title: String(Number(row.title) + 1) }]);
            await sleep(5);
          }
        });
      await Promise.all([cross([first, second]), cross([second, first])]);
      const found = await store.arks([first, second]);
      expect([...found.values()].map(({ title }) => title)).toEqual(["2", "2"]);
    });

    test("A27 names counted under the organisation's lock never exceed a quota", async () => {
      const { store } = bench();
      const organisationId = await store.transact((tx) => tx.saveOrganisation(anOrganisation({ name: "limited" })));
      const mint = (index: number) =>
        store.transact(async (tx) => {
          await tx.lockOrganisations([organisationId]);
          if ((await tx.madeSince(organisationId, NOW)) >= 10) return false;
          await tx.insertArks([arkRecord(`99999/b1lim${index}`, { organisationId, createdAt: NOW })]);
          return true;
        });
      const made = await Promise.all(times(25, mint));
      expect(made.filter(Boolean).length).toBe(10);
    });

    test("A9 of a publish and a delete at once one wins and the other sees it", async () => {
      const { store } = bench();
      const key = "99999/b1duel";
      await store.transact((tx) => tx.insertArks([arkRecord(key, { ...NEVER_PUBLIC, state: "reserved" })]));
      const change = (make: "published" | "deleted") =>
        store.transact(async (tx) => {
          const row = (await tx.lockArks([key])).get(key);
          if (row?.state !== "reserved") return false;
          const dates =
            make === "published"
              ? { publishedAt: NOW, firstPublishedAt: NOW }
              : { url: "", withdrawnAt: NOW, withdrawnReason: "Mistake" };
          await tx.updateArks([{ ...row, ...dates, state: make }]);
          return true;
        });
      const outcomes = await Promise.all([change("published"), change("deleted")]);
      expect(outcomes.filter(Boolean).length).toBe(1);
    });

    test("a reader outside sees nothing of a transaction before its commit", async () => {
      const { store, sql } = bench();
      const key = "99999/b1unseen";
      await store.transact(async (tx) => {
        await tx.insertArks([arkRecord(key)]);
        expect((await store.arks([key])).size).toBe(0);
        expect(await sql(`select ark from ark where ark = '${key}'`)).toEqual([]);
        expect((await tx.arks([key])).size).toBe(1);
      });
      expect((await store.arks([key])).size).toBe(1);
    });
  });
}
