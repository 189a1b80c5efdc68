// Earlier states of drafts, on both databases (src/repository/store/draft-revisions.ts; R42): kept when the draft is
// saved again, ended by time, number, and the end of the draft.
import { describe, expect, test } from "bun:test";
import { itemJobs } from "../../src/repository/items/jobs.ts";
import { most } from "../../src/shared/limits.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { quietLog } from "../support/quiet-log.ts";
import { NOW } from "../support/seed.ts";
import { aContent, aFile, itemsOn, titled } from "../support/world/items.ts";
import { openWorld } from "../support/world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe("earlier states of drafts", () => {
  onEachDatabase((database) => {
    const setUp = async () => {
      const world = await openWorld({ items: { url: await database.url() } });
      const time = { now: NOW };
      const items = itemsOn(world.store, time);
      const ada = await world.person([3]);
      const later = (ms: number) => {
        time.now = addMilliseconds(time.now, ms);
      };
      const stored = async (id: number) =>
        (await world.store.draftRevisions.draftRevisions(id, 1_000)).map(({ counter }) => counter);
      return { world, items, ada, later, time, stored };
    };

    test("R42: a state is kept as it was, without its files, when other words are saved", async () => {
      const { world, items, ada, later, stored } = await setUp();
      const content = aContent({ files: [aFile("a.txt")], filesEnabled: true });
      const { item } = await items.createDraft(ada, { content });
      expect(await stored(item.id)).toEqual([]);
      later(MINUTE);
      await items.saveDraft(ada, item.id, { content: aContent({ metadata: titled("Second"), files: content.files }) });
      later(MINUTE);
      // Neither the same again nor another set of files is another state.
      await items.saveDraft(ada, item.id, {
        content: aContent({ metadata: titled("Second"), files: [aFile("b.txt")] }),
      });
      expect(await stored(item.id)).toEqual([1]);
      const { files: _, itemType: __, itemTypeVersion: ___, ...state } = content;
      expect(await world.store.draftRevisions.draftRevision(item.id, 1)).toEqual({
        ...{ counter: 1, savedAt: NOW, by: ada.account?.id ?? 0, characters: expect.any(Number) },
        content: state,
      });
      expect((await world.store.items.draft(item.id))?.beganAt).toBe(NOW);
      expect(await world.store.draftRevisions.draftRevision(item.id, 2)).toBeNull();
      await world.store.transact((tx) => tx.items.erase(item.id, null, null, NOW));
      expect(await stored(item.id)).toEqual([]);
    });

    test("P.108: however often a draft is saved, its states have a limit; those before pauses stay", async () => {
      const { items, ada, later, stored } = await setUp();
      const { item } = await items.createDraft(ada, { content: aContent() });
      for (let pause = 0; pause < 5; pause += 1) {
        for (let save = 0; save < 60; save += 1) {
          later(2_000);
          await items.saveDraft(ada, item.id, { content: aContent({ metadata: titled(`Words ${pause} ${save}`) }) });
        }
        later(2 * 60 * MINUTE);
      }
      const counters = await stored(item.id);
      expect(counters.length).toBeLessThanOrEqual(most("draftRevisions"));
      for (const pause of [61, 121, 181, 241]) expect(counters).toContain(pause);
      await items.discardDraft(ada, item.id);
      expect(await stored(item.id)).toEqual([]);
    });

    test("P.108: the daily job ends states of 30 days; the draft stays", async () => {
      const { world, items, ada, later, time, stored } = await setUp();
      const { item } = await items.createDraft(ada, { content: aContent() });
      const { item: other } = await items.createDraft(ada, { content: aContent() });
      later(DAY);
      for (const { id } of [item, other])
        await items.saveDraft(ada, id, { content: aContent({ metadata: titled("Second") }) });
      later(20 * DAY);
      await items.saveDraft(ada, item.id, { content: aContent({ metadata: titled("Third") }) });
      const run = async () => {
        const needs = { store: world.store, clock: { now: () => time.now }, timeZone: "UTC", log: quietLog };
        const kinds = itemJobs({ ...needs, items: items.core });
        const job = { kind: "item_day", subject: "", payload: null, attempts: 1 };
        await kinds.item_day?.run(job as never, { signal: new AbortController().signal } as never);
      };
      await run();
      expect([await stored(item.id), await stored(other.id)]).toEqual([[1, 2], [1]]);
      later(9 * DAY + 1);
      await run();
      expect([await stored(item.id), await stored(other.id)]).toEqual([[2], []]);
      expect((await world.store.items.draft(other.id))?.counter).toBe(2);
    });
  });
});
