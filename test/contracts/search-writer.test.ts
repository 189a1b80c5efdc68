// One process at a time writes the search index that all share, on both databases (R34).

import { describe, expect, test } from "bun:test";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { writerLease } from "../../src/repository/search/index/writer-lease.ts";
import type { SearchCollection } from "../../src/repository/store/search-writer.ts";
import { onEachDatabase } from "../support/databases.ts";

async function processes(url: string, count: number) {
  const stores = await Promise.all(Array.from({ length: count }, () => openRepositoryStore({ url })));
  const time = { ms: Date.parse("2026-01-01T00:00:00.000Z") };
  const elapsedMs = () => time.ms;
  const clock = { now: () => new Date(time.ms).toISOString() };
  const leases = stores.map((store, at) => writerLease({ store, clock, owner: `process-${at}`, elapsedMs }));
  const held = (): Promise<boolean[]> => Promise.all(leases.map((lease) => lease.held()));
  return { time, leases, held, close: () => Promise.all(stores.map((store) => store.close())) };
}

describe("the writer of the search index", () => {
  onEachDatabase((database) => {
    test("R34 of several processes one writes, for as long as it is there", async () => {
      const { time, held, close } = await processes(await database.url(), 3);
      const first = await held();
      expect(first.filter(Boolean).length).toBe(1);
      // Many times as long as a lease lasts.
      for (let seconds = 0; seconds < 60; seconds += 2) {
        time.ms += 2000;
        expect(await held()).toEqual(first);
      }
      await close();
    });

    test("R34 one that is gone is followed by another, at once where it announces it, else a little later", async () => {
      const { time, leases, close } = await processes(await database.url(), 2);
      const [one, two] = leases;
      if (one === undefined || two === undefined) throw new Error("two processes are needed");
      expect([await one.held(), await two.held()]).toEqual([true, false]);
      await one.release();
      time.ms += 1000;
      expect(await two.held()).toBe(true);
      // Killed: nobody releases it.
      time.ms += 14_000;
      expect(await one.held()).toBe(false);
      time.ms += 2000;
      expect([await one.held(), await two.held()]).toEqual([true, false]);
      await two.release();
      time.ms += 6000;
      expect(await one.held()).toBe(true);
      await close();
    });

    test("R34 what is known of collections is the same for all processes, each by its name", async () => {
      const url = await database.url();
      const [one, two] = [await openRepositoryStore({ url }), await openRepositoryStore({ url })];
      const save = (collection: SearchCollection) =>
        one.transact((tx) => tx.searchWriting.saveSearchCollection(collection));
      const built: SearchCollection = {
        ...{ name: "items_2", state: "building", schema: "b".repeat(64) },
        ...{ least: 0, most: null, labels: 0, written: 0, seal: null },
      };
      const whole: SearchCollection = {
        ...{ name: "items_1", state: "whole", schema: "a".repeat(64) },
        ...{ least: 5, most: 7, labels: 3, written: 12, seal: 4 },
      };
      await save(built);
      await save(whole);
      expect(await two.searching.searchCollections()).toEqual([whole, built]);
      await save({ ...whole, most: null, least: 6, seal: null });
      await one.transact((tx) => tx.searchWriting.removeSearchCollection("items_2"));
      await one.transact((tx) => tx.searchWriting.removeSearchCollection("items_3"));
      expect(await two.searching.searchCollections()).toEqual([{ ...whole, most: null, least: 6, seal: null }]);
      await one.close();
      await two.close();
    });
  });
});
