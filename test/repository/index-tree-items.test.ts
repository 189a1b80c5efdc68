// What becomes of real items when the tree changes: the index tree over the core of items (R2b, R2c, R2d, R5, R25).

import { beforeAll, expect, test } from "bun:test";
import { platformRandom } from "../../src/adapters/random.ts";
import type { Viewer } from "../../src/auth/account.ts";
import { jobRunner } from "../../src/jobs/runner.ts";
import { communityCollection } from "../../src/repository/administration/communities.ts";
import { indexTree } from "../../src/repository/index-tree/index-tree.ts";
import { treeItems } from "../../src/repository/index-tree/items-of-deleted-indexes.ts";
import { indexTreeJobs } from "../../src/repository/index-tree/tree-jobs.ts";
import { onEachDatabase } from "../support/databases.ts";
import { aContent, TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

onEachDatabase("the index tree and its items", (database) => {
  const world = setUpWorld({ items: true, database });
  let admin: Viewer;
  let runDue: () => Promise<number>;
  let tree: ReturnType<typeof indexTree>;
  beforeAll(async () => {
    admin = await world.person([1]);
    const { store, items, time } = world;
    const clock = { now: () => time.now };
    tree = indexTree({
      store,
      clock,
      today: () => TODAY,
      defaultIndex: null,
      items: treeItems({
        deleteItem: async (tx, { viewer }, id) => {
          await items.core.remove(tx, viewer, id);
        },
      }),
    });
    const quiet = () => {};
    const runner = jobRunner({
      store,
      kinds: indexTreeJobs({ store, describe: items.describeFor }),
      clock,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      owner: "test",
    });
    runDue = () => runner.runDue();
  });

  const anIndex = async (parent = 0): Promise<number> => {
    const { id } = await tree.create(admin, { parent, publicState: true });
    return id;
  };
  const publish = async (indexes: readonly number[]) =>
    (await world.items.createAndPublish(admin, { content: aContent({ indexes }) })).item;
  const arkTitle = async (ark: string | null) =>
    ark === null ? undefined : (await world.store.arks.arks([ark])).get(ark)?.title;

  test("R25 an item that loses its last index stays with id, ARK and files, is private, and is public again when filed", async () => {
    const [index, other, third] = [await anIndex(), await anIndex(), await anIndex()];
    const [alone, elsewhere] = [await publish([index]), await publish([index, other])];
    const several = await publish([third, index, other]);
    const underEmbargo = aContent({ indexes: [index], access: { ...aContent().access, embargoUntil: "9999-01-01" } });
    const { item: embargoed } = await world.items.createAndPublish(admin, { content: underEmbargo });
    await tree.remove(admin, index);
    expect((await world.store.items.revision(several.id, 2))?.content.indexes).toEqual([third, other]);
    expect((await world.store.items.item(embargoed.id))?.content?.access).toMatchObject({
      ...{ record: "restricted", files: "restricted", embargoUntil: null },
    });
    const left = await world.store.items.item(alone.id);
    expect(left).toMatchObject({ state: "published", ark: alone.ark, revision: 2 });
    expect(left?.content).toMatchObject({ indexes: [], access: { ...alone.content?.access, record: "restricted" } });
    expect(left?.content?.files).toEqual(alone.content?.files ?? []);
    const kept = await world.store.items.item(elsewhere.id);
    expect([kept?.revision, kept?.content?.indexes, kept?.content?.access.record]).toEqual([2, [other], "public"]);
    expect((await world.store.items.revision(alone.id, 2))?.content).toEqual(left?.content ?? undefined);
    const unfiled = await world.store.items.listItems({ unfiled: true }, null, 10);
    expect(unfiled.map(({ id }) => id)).toContain(alone.id);
    const filed = await world.items.file(admin, alone.id, other);
    expect(filed.item.content).toMatchObject({ indexes: [other], access: { record: "public" } });
  });

  test("R25 items=delete deletes what would be left as its own DELETE would, and is 400 while one is worked on", async () => {
    const [index, other] = [await anIndex(), await anIndex()];
    const below = await anIndex(index);
    const [alone, elsewhere] = [await publish([below]), await publish([index, other])];
    const word = await world.items.takeLock(alone.id, "import", 60_000);
    await expect(tree.remove(admin, index, "delete")).rejects.toMatchObject({ kind: "invalid" });
    expect((await world.store.items.item(alone.id))?.state).toBe("published");
    expect((await world.store.indexes.index(below))?.deletedAt).toBe(null);
    await world.items.releaseLock(alone.id, word);
    expect(await tree.remove(admin, index, "delete")).toEqual({ indexes: 2, unfiled: 0, deleted: 1, named: [] });
    expect((await world.store.items.item(alone.id))?.state).toBe("deleted");
    expect(await world.store.items.tombstone(alone.id)).toMatchObject({ reason: null, note: "" });
    expect((await world.store.items.item(elsewhere.id))?.content?.indexes).toEqual([other]);
  });

  test("R6a things follow an index that is moved into the subtree of a community or out of it", async () => {
    const index = await anIndex();
    const below = await anIndex(index);
    const [moved, also, elsewhere] = [await publish([below]), await publish([below, 11]), await publish([2])];
    const communitiesOf = async ({ parentId }: { readonly parentId: number }) =>
      (await world.store.items.parent(parentId))?.communities;
    const all = async () => [await communitiesOf(moved), await communitiesOf(also), await communitiesOf(elsewhere)];
    expect(await all()).toEqual([[], [world.community], []]);
    await tree.update(admin, index, { parent: 11 });
    expect(await all()).toEqual([[world.community], [world.community], []]);
    await tree.update(admin, index, { parent: 1 });
    expect(await all()).toEqual([[world.community], [world.community], []]);
    await tree.update(admin, index, { parent: 2 });
    expect(await all()).toEqual([[], [world.community], []]);
  });

  test("R6a things follow the root of a community: they join with a new one, and leave with the old one", async () => {
    const index = await anIndex();
    const below = await anIndex(index);
    const [one, two] = [await publish([below]), await publish([below, 2])];
    const { store, time } = world;
    const clock = { now: () => time.now };
    const communities = communityCollection({ store, clock, random: platformRandom() });
    const held = async () => [
      (await store.items.parent(one.parentId))?.communities.length,
      (await store.items.parent(two.parentId))?.communities.length,
    ];
    const { id } = await communities.create(admin, {
      slug: `c${index}`,
      title: { en: "C", ja: "C" },
      root_index: index,
    });
    expect(await held()).toEqual([1, 1]);
    await communities.update(admin, id, { root_index: 2 });
    expect(await held()).toEqual([0, 1]);
    await communities.update(admin, id, { root_index: null });
    expect(await held()).toEqual([0, 0]);
    await communities.update(admin, id, { root_index: below });
    expect(await held()).toEqual([1, 1]);
  });

  test("R2d R5 the description of an ARK follows who may browse the index its item is in", async () => {
    const index = await anIndex();
    const below = await anIndex(index);
    const item = await publish([below]);
    const title = item.content?.metadata.titles[0]?.value;
    expect(await arkTitle(item.ark)).toBe(title);
    const { id: hidden } = await tree.create(admin, { parent: 0, publicState: false });
    const { browsingRole } = await tree.index(admin, index);
    for (const [closed, open] of [
      [{ publicState: false }, { publicState: true }],
      [{ publicDate: "9999-01-01" }, { publicDate: null }],
      [{ browsingRole: [3] }, { browsingRole }],
      [{ parent: hidden }, { parent: 0 }],
    ] as const) {
      await tree.update(admin, index, closed);
      await runDue();
      expect([closed, await arkTitle(item.ark)]).toEqual([closed, ""]);
      await tree.update(admin, index, open);
      await runDue();
      expect([open, await arkTitle(item.ark)]).toEqual([open, title]);
    }
    world.time.now = new Date(Date.parse(world.time.now) + 1000).toISOString();
    await tree.remove(admin, index);
    await runDue();
    expect(await arkTitle(item.ark)).toBe("");
  });

  test("R25 items that are filed while their index is being deleted are refused or left behind, never in an index that is gone", async () => {
    const index = await anIndex();
    const filed = Array.from({ length: 20 }, () => publish([index]));
    const deletion = new Promise((resolve) => setTimeout(resolve, 5)).then(() => tree.remove(admin, index));
    const outcomes = await Promise.allSettled(filed);
    await deletion;
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") {
        expect(outcome.reason).toMatchObject({ kind: "invalid" });
        continue;
      }
      const item = await world.store.items.item(outcome.value.id);
      expect(item?.content).toMatchObject({ indexes: [], access: { record: "restricted" } });
    }
    expect(await world.store.items.itemIdsIn(index, null, 100)).toEqual([]);
  });
});
