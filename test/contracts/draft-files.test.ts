// Pending files of drafts, on both databases (src/repository/store/draft-files.ts; R37): kept by key, gone with the
// draft, and their bytes are not swept. What an item states about its files is kept with it.

import { describe, expect, test } from "bun:test";
import { keepRemoved } from "../../src/repository/record-files/kept-removals.ts";
import type { DraftFile } from "../../src/repository/store/draft-files.ts";
import { onEachDatabase } from "../support/databases.ts";
import { NOW } from "../support/seed.ts";
import { aContent, aFile } from "../support/world/items.ts";
import { openWorld } from "../support/world.ts";

let ids = 0;
const onItsWay = (itemId: number, key: string, more: Partial<DraftFile> = {}): DraftFile => {
  ids += 1;
  return {
    ...{ itemId, key, id: `upload${ids}`, transfer: { type: "L" }, error: null, metadata: null, sizeBytes: null },
    ...{ received: null, accountId: 1, createdAt: NOW, updatedAt: NOW },
    ...more,
  };
};

describe("pending files", () => {
  onEachDatabase((database) => {
    test("R37: pending files are kept as they were registered, by key, and changed by their owner", async () => {
      const world = await openWorld({ items: { url: await database.url() } });
      const { store } = world;
      const ada = await world.person([3]);
      const { item } = await world.items.createDraft(ada, { content: aContent() });
      const accountId = ada.account?.id ?? 0;
      const parts = { type: "M", parts: 3, partBytes: 5_242_880, uploadId: "u/1" } as const;
      const received = { storageKey: "ab".repeat(20), sha256: "", md5: null };
      const files = [
        onItsWay(item.id, "論文/表 1.csv", { accountId, metadata: { title: "表" } }),
        onItsWay(item.id, "large.bin", { accountId, transfer: parts, sizeBytes: 12_000_000_000, received }),
        onItsWay(item.id, "far.bin", { accountId, transfer: { type: "F", url: "https://example.org/far.bin" } }),
      ];
      await store.transact((tx) => tx.draftFiles.insertDraftFiles(files));
      const byKey = ["far.bin", "large.bin", "論文/表 1.csv"];
      expect((await store.draftFiles.draftFiles(item.id)).map(({ key }) => key)).toEqual(byKey);
      for (const file of files) {
        expect(await store.draftFiles.draftFile(item.id, file.key)).toEqual(file);
        expect(await store.draftFiles.draftFileById(file.id)).toEqual(file);
      }
      const id = files[2]?.id ?? "";
      const given = { ...onItsWay(item.id, "far.bin"), id, accountId, error: "Not found" };
      const failed: DraftFile = { ...given, transfer: { type: "F", url: null } };
      expect(await store.transact((tx) => tx.draftFiles.saveDraftFile(failed))).toBe(true);
      expect(await store.draftFiles.draftFile(item.id, "far.bin")).toEqual(failed);
      const later = "2999-01-01T00:00:00.000Z";
      expect((await store.draftFiles.staleDraftFiles(later, 10)).map(({ key }) => key)).toEqual(["large.bin"]);
      expect(await store.draftFiles.staleDraftFiles(NOW, 10)).toEqual([]);
      expect(await store.transact((tx) => tx.draftFiles.removeDraftFile(id))).toBe(true);
      expect(await store.transact((tx) => tx.draftFiles.removeDraftFile(id))).toBe(false);
      expect(await store.transact((tx) => tx.draftFiles.saveDraftFile(failed))).toBe(false);
    });

    test("R7a: what is pending is not swept, and goes with its draft", async () => {
      const world = await openWorld({ items: { url: await database.url() } });
      const { store } = world;
      const ada = await world.person([3]);
      const [given, published] = [await world.items.createDraft(ada, { content: aContent() }), "cd".repeat(20)];
      const received = { storageKey: published, sha256: "", md5: null };
      const accountId = ada.account?.id ?? 0;
      await store.transact((tx) =>
        tx.draftFiles.insertDraftFiles([onItsWay(given.item.id, "a", { received, accountId })]),
      );
      const keys = [published, "ef".repeat(20)];
      expect([...(await store.items.namedKeys(keys))]).toEqual([published]);
      // Saved again, the draft is the same one.
      await world.items.saveDraft(ada, given.item.id, { content: aContent() });
      expect([...(await store.items.namedKeys(keys))]).toEqual([published]);
      await world.items.discardDraft(ada, given.item.id);
      expect([...(await store.items.namedKeys(keys))]).toEqual([]);
    });

    test("P.173: removed files are kept as they were, newest first, until they are forgotten or their draft ends", async () => {
      const world = await openWorld({ items: { url: await database.url() } });
      const { store } = world;
      const ada = await world.person([3]);
      const { item } = await world.items.createDraft(ada, { content: aContent() });
      const other = await world.items.createDraft(ada, { content: aContent() });
      const day = (number: number): string => `2026-05-0${number}T00:00:00.000Z`;
      const removed = (id: string, at: string, itemId = item.id) => {
        const storageKey = id.slice(0, 1).repeat(40);
        const file = aFile(`論文/${id}.txt`, { storageKey, access: "login", groups: [7], metadata: { a: 1 } });
        return { id, itemId, file, removedAt: at };
      };
      const all = [
        removed("a", day(1)),
        removed("b", day(3)),
        removed("c", day(2)),
        removed("d", day(4), other.item.id),
      ];
      await store.transact((tx) => tx.draftFiles.insertRemovedFiles(all));
      // The same removal again changes nothing.
      await store.transact((tx) => tx.draftFiles.insertRemovedFiles(all.slice(0, 1)));
      const listed = async (since = day(1), limit = 10) =>
        (await store.draftFiles.removedFiles(item.id, since, limit)).map(({ id }) => id);
      expect([await listed(), await listed(day(2)), await listed(day(1), 1)]).toEqual([
        ["b", "c", "a"],
        ["b", "c"],
        ["b"],
      ]);
      expect(await store.draftFiles.removedFile(item.id, "a")).toEqual(all[0] ?? null);
      expect(await store.draftFiles.removedFile(item.id, "d")).toBeNull();
      expect(await store.draftFiles.removedFile(item.id, "a\0")).toBeNull();
      const named = async () => [...(await store.items.namedKeys(["a", "b", "c", "d"].map((each) => each.repeat(40))))];
      expect((await named()).length).toBe(4);
      // Of another draft nothing ends.
      await store.transact((tx) => tx.draftFiles.keepNewestRemoved(item.id, 2));
      const names = ["b", "c", "d"].map((each) => each.repeat(40));
      expect([await listed(), (await named()).toSorted()]).toEqual([["b", "c"], names]);
      await store.transact((tx) => tx.draftFiles.insertRemovedFiles(all.slice(0, 1)));
      await store.transact((tx) => tx.draftFiles.forgetRemovedFile("b"));
      await store.transact((tx) => tx.draftFiles.forgetRemovedFiles(day(2)));
      expect([await listed(), (await named()).toSorted()]).toEqual([["c"], ["c".repeat(40), "d".repeat(40)]]);
      await world.items.discardDraft(ada, item.id);
      expect(await named()).toEqual(["d".repeat(40)]);
    });

    test("P.173 of a draft the last 1,000 removed files are kept, however often files are replaced", async () => {
      const world = await openWorld({ items: { url: await database.url() } });
      const ada = await world.person([3]);
      const { item } = await world.items.createDraft(ada, { content: aContent() });
      const at = (second: number) => `2026-05-01T00:00:0${second}.000Z`;
      const remove = (from: number, to: number, second: number) =>
        world.store.transact(async (tx) => {
          const draft = await tx.items.draft(item.id);
          if (draft === null) throw new Error("The item has a draft");
          const files = Array.from({ length: to - from }, (_, n) => aFile(`${from + n}.txt`));
          await keepRemoved(tx, { ...draft, content: { ...draft.content, files } }, [], at(second));
        });
      await remove(0, 600, 1);
      await remove(600, 1_201, 2);
      const kept = await world.store.draftFiles.removedFiles(item.id, at(0), 5_000);
      expect([kept.length, kept.filter(({ removedAt }) => removedAt === at(2)).length]).toEqual([1_000, 601]);
    });

    test("R37: what is to become of the files of a record is kept in draft, revision and item", async () => {
      const world = await openWorld({ items: { url: await database.url() } });
      const ada = await world.person([3]);
      const files = [aFile("b.txt", { metadata: { title: "B" } }), aFile("a.txt", { composite: "multipart:ab-2-5" })];
      const options = { filesEnabled: true, defaultPreview: "a.txt", fileOrder: ["b.txt", "a.txt"] };
      const content = aContent({ files, ...options });
      const { item } = await world.items.createDraft(ada, { content });
      expect((await world.store.items.draft(item.id))?.content).toEqual(content);
      await world.items.publishDraft(ada, item.id);
      expect((await world.store.items.item(item.id))?.content).toEqual(content);
      expect((await world.store.items.revision(item.id, 1))?.content).toEqual(content);
      const none = await world.items.createAndPublish(ada, { content: aContent({ filesEnabled: false }) });
      expect((await world.store.items.item(none.item.id))?.content?.filesEnabled).toBe(false);
    });

    test("R7b: hashes that a job reckons are added where none are known, and make no other set of files", async () => {
      const world = await openWorld({ items: { url: await database.url() } });
      const ada = await world.person([3]);
      const [storageKey, known] = ["ab".repeat(20), "cd".repeat(32)];
      const large = aFile("large.bin", { storageKey, sha256: "", composite: "multipart:ab-2-5" });
      const content = aContent({ files: [large, aFile("a.txt", { storageKey: known, sha256: known })] });
      const { item } = await world.items.createAndPublish(ada, { content });
      const hashes = { md5: "0".repeat(32), sha256: "1".repeat(64) };
      for (const key of [storageKey, known]) await world.store.transact((tx) => tx.items.setHashes(key, hashes));
      const after = (await world.store.items.item(item.id))?.content?.files;
      expect(after).toEqual([
        { ...large, ...hashes },
        { ...aFile("a.txt", { storageKey: known, sha256: known }), md5: hashes.md5 },
      ]);
    });
  });
});
