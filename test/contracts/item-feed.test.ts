// The feed of changes of the repository on both databases (src/repository/store/changes.ts, R34): written by the
// database itself.

import { describe, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import type { FeedPosition } from "../../src/shared/feed.ts";
import { onEachDatabase } from "../support/databases.ts";
import { aContent } from "../support/world/items.ts";
import { openWorld } from "../support/world.ts";

async function follow(url: string) {
  const world = await openWorld({ items: { url } });
  const { changes } = world.store;
  let position: FeedPosition = await changes.position();
  /** What changed since the last question, each subject once. */
  const since = async (): Promise<readonly string[]> => {
    const page = await changes.changes(position, 1000);
    position = page.position;
    return [...new Set(page.changes.map(({ subject, target }) => `${subject} ${target}`))];
  };
  return { world, changes, since };
}

describe("the feed of items", () => {
  onEachDatabase((database) => {
    test("R34 whatever changes what is seen of an item is in the feed, once committed", async () => {
      const { world, since } = await follow(await database.url());
      const ada = await world.person([3]);
      const bob = await world.person([3]);
      const { item } = await world.items.createAndPublish(ada, { content: aContent() });
      const parent = `parent ${item.parentId}`;
      expect(await since()).toEqual([parent]);
      expect(await since()).toEqual([]);
      await world.items.revise(ada, item.id, { content: aContent({ indexes: [1] }) });
      expect(await since()).toEqual([parent]);
      await world.store.transact((tx) => tx.items.share(item.parentId, [bob.account?.id ?? 0]));
      expect(await since()).toEqual([parent]);
      await world.items.remove(REPOSITORY_OPERATOR, item.id);
      expect(await since()).toEqual([parent]);
      const { item: draft } = await world.items.createDraft(ada, { content: aContent() });
      expect(await since()).toEqual([`parent ${draft.parentId}`]);
      await world.items.discardDraft(ada, draft.id);
      expect(await since()).toEqual([`parent ${draft.parentId}`]);
    });

    test("R34 a change of the tree names the index", async () => {
      const { world, since } = await follow(await database.url());
      await since();
      const [index] = await world.store.indexes.indexesAfter(0, 1);
      if (index === undefined) throw new Error("no index");
      await world.store.transact((tx) => tx.indexes.updateIndex({ ...index, publicState: false }));
      expect(await since()).toEqual([`index ${index.id}`]);
      await world.store.transact((tx) => tx.indexes.updateIndex({ ...index, publicState: false, comment: "other" }));
      expect(await since()).toEqual([]);
      await world.close();
    });

    test("R34 a transaction that failed leaves nothing; head reports whether anything was committed", async () => {
      const { world, changes, since } = await follow(await database.url());
      const ada = await world.person([3]);
      await since();
      const head = await changes.head();
      const at = (await changes.changedAt()) ?? "";
      const { item } = await world.items.createAndPublish(ada, { content: aContent() });
      expect(await changes.head()).not.toBe(head);
      expect(((await changes.changedAt()) ?? "") >= at && at !== "").toBe(true);
      await since();
      const failing = world.store.transact(async (tx) => {
        await tx.items.share(item.parentId, []);
        await tx.items.setLatest(item.parentId, null);
        throw new RangeError("no");
      });
      expect(await failing.catch((error: unknown) => String(error))).toContain("RangeError");
      expect(await since()).toEqual([]);
      await world.close();
    });

    test("R34 rows that were deleted are reported to a reader that has not read them", async () => {
      const { world, changes } = await follow(await database.url());
      const ada = await world.person([3]);
      const early = await changes.position();
      const { item } = await world.items.createAndPublish(ada, { content: aContent() });
      for (let turn = 0; turn < 40; turn += 1) {
        await world.items.revise(ada, item.id, { content: aContent({ indexes: [1 + (turn % 2)] }) });
      }
      const late = await changes.position();
      expect(await changes.forget("9999", 5)).toBe(5);
      expect(await changes.forget("9999", 100_000)).toBeGreaterThan(0);
      expect((await changes.changes(late, 10)).lost).toBeUndefined();
      const page = await changes.changes(early, 10);
      expect([page.lost !== undefined, page.changes.length]).toEqual([true, 0]);
      await world.close();
    });
  });
});
