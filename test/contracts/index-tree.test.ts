// What the index tree promises on every database (src/repository/store/indexes.ts; R24, R25).

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import type { IndexNode } from "../../src/model/indexes/index-node.ts";
import { indexTree, seedTree } from "../../src/repository/index-tree/index-tree.ts";
import { treeItems } from "../../src/repository/index-tree/items-of-deleted-indexes.ts";
import { makeIndex } from "../../src/repository/index-tree/new-index.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { onEachDatabase } from "../support/databases.ts";
import { fileItems, prepareItems, rawDatabase } from "../support/filed-items.ts";

const AT = "2026-06-15T12:00:00.000Z";
const LATER = "2026-06-15T12:00:01.000Z";
const OPERATOR = REPOSITORY_OPERATOR;

function aNode(id: number, parent: number, position: number, fields: Partial<IndexNode> = {}): IndexNode {
  return { ...makeIndex({ parent }, null, { id, position, owner: null, at: AT }), ...fields };
}

/** Registers the whole suite for one kind of database. */
describe("the index tree", () => {
  onEachDatabase((database) => {
    let store: RepositoryStore;
    let raw: Awaited<ReturnType<typeof rawDatabase>>;
    const insert = (...nodes: readonly IndexNode[]) =>
      store.transact(async (tx) => {
        for (const node of nodes) await tx.indexes.insertIndex(node);
      });
    const service = () =>
      indexTree({
        store,
        clock: { now: () => AT },
        today: () => "2026-06-15",
        defaultIndex: null,
        items: treeItems({ deleteItem: (tx, { at }, id) => tx.items.setState(id, "deleted", at) }),
      });
    const idsOf = (nodes: readonly { readonly id: number }[]) => nodes.map(({ id }) => id);

    beforeAll(async () => {
      const url = await database.url();
      store = await openRepositoryStore({ url });
      raw = await rawDatabase(url);
      await prepareItems(raw.sql);
    });
    afterAll(async () => {
      await store.close();
      await raw.close();
    });

    test("R24 a fresh repository gets one public index with id 1, however often it is started", async () => {
      await Promise.all(Array.from({ length: 5 }, () => store.transact((tx) => seedTree(tx, AT))));
      const all = await store.indexes.indexesAfter(0, 10);
      expect(all.map((each) => [each.id, each.indexNameEnglish, each.indexName, each.publicState])).toEqual([
        [1, "Sample Index", "サンプル", true],
      ]);
      expect(await store.indexes.treeRevision()).toBe(2);
    });

    test("every field comes back as it was written, and an id is assigned once", async () => {
      const node = aNode(100, 0, 5, {
        indexName: "日本語 <b>&\"'\\ 🎌",
        indexNameEnglish: "English",
        indexLinkName: "リンク",
        indexLinkNameEnglish: "Link",
        indexLinkEnabled: true,
        comment: "Two\nlines",
        moreCheck: true,
        displayNo: 1000,
        harvestPublicState: false,
        displayFormat: "2",
        publicState: true,
        publicDate: "2026-12-31",
        rssStatus: true,
        coverpageState: true,
        recursiveCoverpageCheck: true,
        recursivePublicState: true,
        browsingRole: [3, -98, -99],
        contributeRole: [],
        browsingGroup: [7, 8],
        contributeGroup: [9],
        recursiveBrowsingRole: true,
        recursiveContributeRole: true,
        recursiveBrowsingGroup: true,
        recursiveContributeGroup: true,
        onlineIssn: "1234-5678",
        owner: 900000,
      });
      expect(await store.transact((tx) => tx.indexes.insertIndex(node))).toBe(true);
      expect(await store.transact((tx) => tx.indexes.insertIndex({ ...node, comment: "another" }))).toBe(false);
      expect(await store.indexes.index(100)).toEqual(node);
      const changed = aNode(100, 1, 0, { updatedAt: LATER });
      await store.transact((tx) => tx.indexes.updateIndex(changed));
      expect(await store.indexes.index(100)).toEqual(changed);
      expect(await store.indexes.index(404)).toBe(null);
    });

    test("lineage, children, subtree, height and outlines see live indexes only", async () => {
      const nodes = [
        [200, 0, 1],
        [201, 200, 2],
        [202, 200, 1],
        [204, 200, 1],
        [203, 202, 0],
        [205, 203, 0],
      ] as const;
      await insert(...nodes.map(([id, parent, position]) => aNode(id, parent, position)));
      expect(idsOf(await store.indexes.lineage(205))).toEqual([205, 203, 202, 200]);
      expect(idsOf(await store.indexes.children(200))).toEqual([202, 204, 201]);
      await store.transact((tx) => tx.indexes.deleteIndexes([203, 205, 9999], LATER));
      expect((await store.indexes.index(203))?.deletedAt).toBe(LATER);
      expect(await store.indexes.lineage(205)).toEqual([]);
      expect(await store.indexes.lineage(0)).toEqual([]);
      expect(idsOf(await store.indexes.indexes([205, 204, 201, 0])).sort()).toEqual([201, 204]);
      const seen = await store.transact(async (tx) => ({
        subtree: await tx.indexes.subtree(200),
        height: await tx.indexes.height(200),
        gone: await tx.indexes.subtree(203),
      }));
      expect(seen).toEqual({ subtree: expect.any(Array), height: 1, gone: [] });
      expect([...seen.subtree].sort()).toEqual([200, 201, 202, 204]);
      expect(idsOf(await store.indexes.outlineFrom(200)).sort()).toEqual([200, 201, 202, 204]);
      expect(idsOf(await store.indexes.outlineAfter(200, 2))).toEqual([201, 202]);
      expect(idsOf(await store.indexes.indexesAfter(202, 10))).toEqual([204]);
    });

    test("R25 a move numbers the new siblings from 0 with one place for the index, and closes the gap it leaves", async () => {
      await insert(aNode(300, 0, 0), aNode(310, 0, 1));
      await insert(...Array.from({ length: 5 }, (_, i) => aNode(301 + i, 300, i * 10)));
      await insert(aNode(311, 310, 0), aNode(312, 310, 1), aNode(313, 310, 2));
      const tree = service();
      const moved = await tree.update(OPERATOR, 312, { parent: 300, position: 2 });
      expect([moved.parent, moved.position]).toEqual([300, 2]);
      const positions = async (parent: number) =>
        (await store.indexes.children(parent)).map((each) => [each.id, each.position]);
      expect((await positions(300)).map(([id]) => id)).toEqual([301, 302, 312, 303, 304, 305]);
      expect((await positions(300)).map(([, position]) => position)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await positions(310)).toEqual([
        [311, 0],
        [313, 1],
      ]);
      await tree.update(OPERATOR, 301, { position: 99 });
      expect(idsOf(await store.indexes.children(300))).toEqual([302, 312, 303, 304, 305, 301]);
      await tree.update(OPERATOR, 313, { parent: 300 });
      expect(idsOf(await store.indexes.children(300)).at(-1)).toBe(313);
      await tree.remove(OPERATOR, 303);
      expect((await positions(300)).map(([, position]) => position)).toEqual([0, 1, 2, 3, 4, 5]);
    });

    test("R24 twenty indexes made in one millisecond get twenty ids, and twenty places among their siblings", async () => {
      const parent = 320;
      await insert(aNode(parent, 0, 9));
      const tree = service();
      const made = await Promise.all(Array.from({ length: 20 }, () => tree.create(OPERATOR, { parent })));
      expect([...new Set(idsOf(made))].sort()).toEqual(Array.from({ length: 20 }, (_, i) => Date.parse(AT) + i));
      expect((await store.indexes.children(parent)).map((each) => each.position)).toEqual(
        Array.from({ length: 20 }, (_, i) => i),
      );
    });

    test("R25 indexes that are moved below each other at the same time never form a circle", async () => {
      await insert(aNode(330, 0, 10), aNode(331, 0, 11));
      const tree = service();
      const moves = await Promise.allSettled([
        tree.update(OPERATOR, 330, { parent: 331 }),
        tree.update(OPERATOR, 331, { parent: 330 }),
      ]);
      expect(moves.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const lengths = await Promise.all([330, 331].map(async (id) => (await store.indexes.lineage(id)).length));
      expect(lengths.sort()).toEqual([1, 2]);
    });

    test("R24 every committed change raises the revision of the tree, a refused one does not", async () => {
      const tree = service();
      const before = await store.indexes.treeRevision();
      const { id } = await tree.create(OPERATOR, { parent: 0 });
      await tree.update(OPERATOR, id, { comment: "changed" });
      await tree.remove(OPERATOR, id);
      expect(await store.indexes.treeRevision()).toBe(before + 3);
      await expect(tree.update(OPERATOR, id, { comment: "again" })).rejects.toThrow("Index is deleted");
      await expect(tree.create(OPERATOR, { parent: id })).rejects.toThrow("Index not found");
      expect(await store.indexes.treeRevision()).toBe(before + 3);
      expect((await store.events(`index:${id}`, 10)).map(({ action }) => action)).toEqual([
        "index.delete",
        "index.update",
        "index.create",
      ]);
    });

    test("R25 items of deleted indexes lose these places with one revision each, and are private when they have no other", async () => {
      await insert(aNode(400, 0, 20), aNode(401, 400, 0), aNode(402, 400, 1), aNode(403, 0, 21));
      await fileItems(raw.sql, 5000, 4, (n) => [[401], [403, 401, 402], [403], [402, 400]][n] ?? []);
      const counts = await service().remove(OPERATOR, 400);
      expect(counts).toEqual({ indexes: 3, unfiled: 2, deleted: 0, named: [] });
      const rows = await raw.sql<{ id: number; record_access: string; revision: number; state: string }>(
        "select id, record_access, revision, state from item where id between 5000 and 5003 order by id",
      );
      expect(rows.map((row) => [row.id, row.record_access, row.revision, row.state])).toEqual([
        [5000, "restricted", 2, "published"],
        [5001, "public", 2, "published"],
        [5002, "public", 1, "published"],
        [5003, "restricted", 2, "published"],
      ]);
      const places = await raw.sql<{ item_id: number; index_id: number }>(
        "select item_id, index_id from item_place where item_id between 5000 and 5003 order by item_id",
      );
      expect(places.map((row) => [row.item_id, row.index_id])).toEqual([
        [5001, 403],
        [5002, 403],
      ]);
      const [revision] = await raw.sql<{ content: string; action: string; at: string }>(
        "select content, action, at from item_revision where item_id = 5001 and revision = 2",
      );
      expect([revision?.action, revision?.at]).toEqual(["index.delete", AT]);
      expect(JSON.parse(revision?.content ?? "")).toEqual({
        metadata: { titles: [{ value: "Item 1", kind: "main" }] },
        access: { record: "public", openDate: "2026-01-02", files: "public", embargoUntil: null, embargoReason: "" },
        places: [403],
        settings: {},
      });
      const [empty] = await raw.sql<{ content: string }>(
        "select content from item_revision where item_id = 5000 and revision = 2",
      );
      const content = JSON.parse(empty?.content ?? "");
      expect([content.places, content.access.record]).toEqual([[], "restricted"]);
    });

    test("R6a a thing leaves a community when its last place below the community's root goes", async () => {
      await insert(aNode(500, 0, 30), aNode(501, 500, 0), aNode(502, 500, 1));
      await raw.sql(`insert into community (id, slug, title_en, title_ja, type, visibility, review_policy, root_index, created_at, updated_at)
        values ('c-1', 'one', 'One', 'One', '', 'public', 'closed', 500, '${AT}', '${AT}')`);
      await fileItems(raw.sql, 6000, 2, (n) => [[501], [501, 502]][n] ?? []);
      await raw.sql("insert into item_community (parent_id, community_id) values (10006000, 'c-1'), (10006001, 'c-1')");
      await service().remove(OPERATOR, 501);
      const rest = await raw.sql<{ parent_id: number }>(
        "select parent_id from item_community where community_id = 'c-1'",
      );
      expect(rest.map(({ parent_id }) => parent_id)).toEqual([10006001]);
      await service().remove(OPERATOR, 500);
      expect(await raw.sql("select parent_id from item_community where community_id = 'c-1'")).toEqual([]);
    });

    test("R25 items=delete finds the items of the subtree alone, and is refused while one of them is worked on", async () => {
      await insert(aNode(600, 0, 40), aNode(601, 600, 0), aNode(602, 0, 41));
      await fileItems(raw.sql, 7000, 3, (n) => [[601], [600, 602], [600, 601]][n] ?? []);
      const found = await store.transact((tx) => tx.indexes.itemsOnlyIn([600, 601], 10));
      expect(found).toEqual([7002, 7000]);
      await raw.sql(`insert into item_lock (item_id, purpose, owner, taken_at, expires_at)
        values (7000, 'import', 'x', '${AT}', '2026-06-15T13:00:00.000Z')`);
      await expect(service().remove(OPERATOR, 600, "delete")).rejects.toThrow("item 7000 is being edited or imported");
      expect((await store.indexes.index(600))?.deletedAt).toBe(null);
      const busy = (ids: readonly number[], at: string) => store.transact((tx) => tx.indexes.busyItem(ids, at));
      expect(await busy([7001, 7002], AT)).toBe(null);
      expect(await busy([7000], "2026-06-15T14:00:00.000Z")).toBe(null);
      await raw.sql(`insert into item_draft (item_id, counter, item_type_id, item_type_version, content, file_set_id, editor_account_id, saved_at)
        values (7002, 1, 900000, 1, '{}', 7002, 900000, '${AT}')`);
      expect(await busy([7001, 7002], AT)).toBe(7002);
    });
  });
});
