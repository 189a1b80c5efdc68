// What every store of items promises (src/repository/store/items.ts), and the core of items over it, on every database
// it runs on.

import { beforeAll, describe, expect, test } from "bun:test";
import { GUEST, type Viewer } from "../../src/auth/account.ts";
import { mayPreview, mayReadRecord } from "../../src/model/access/visibility.ts";
import type { Grant } from "../../src/model/items/item.ts";
import { onEachDatabase } from "../support/databases.ts";
import { NOW } from "../support/seed.ts";
import { aContent, aFile, anIndex, memberOf, TODAY, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const plain = { action: "test", at: NOW, by: null, onBehalfOf: null, packageName: null, packageSha256: null };

describe("items", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ items: true, database });
    let ada: Viewer;
    beforeAll(async () => {
      ada = await world.person([3]);
    });
    const owner = () => ada.account?.id ?? 0;
    const publish = (fields: Parameters<typeof aContent>[0] = {}) =>
      world.items.createAndPublish(ada, { content: aContent(fields) });

    test("R2a one sequence numbers parents and items, and a number means one thing for ever", async () => {
      const [one, two] = [await publish(), await publish()];
      const numbers = [one.item.parentId, one.item.id, two.item.parentId, two.item.id];
      expect(new Set(numbers).size).toBe(4);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      expect(await world.store.items.kindOf(one.item.parentId)).toBe("parent");
      expect(await world.store.items.kindOf(one.item.id)).toBe("item");
      expect(await world.store.items.kindOf(99_999_999)).toBeNull();
      const number: number = one.item.parentId;
      expect(await world.store.items.item(number)).toBeNull();
    });

    test("R2a the number of a draft that was discarded is not assigned again", async () => {
      const { item } = await world.items.createDraft(ada, { content: aContent() });
      await world.items.discardDraft(ada, item.id);
      expect(await world.store.items.item(item.id)).toBeNull();
      expect(await world.store.items.kindOf(item.id)).toBe("item");
      const next = await publish();
      expect(next.item.parentId).toBeGreaterThan(item.id);
    });

    test("R2b a revision is a whole snapshot, and every committed change is one more", async () => {
      const content = aContent({ files: [aFile("a.txt"), aFile("b.txt")], indexes: [2, 1] });
      const { item } = await world.items.createAndPublish(ada, { content });
      expect([item.state, item.revision, item.versionIndex, item.isLatest]).toEqual(["published", 1, 1, true]);
      expect(item.content).toEqual(content);
      const next = { ...content, files: [aFile("c.txt")], indexes: [1] };
      const { item: revised } = await world.items.revise(ada, item.id, { content: next });
      expect(revised.revision).toBe(2);
      expect(revised.content).toEqual(next);
      expect((await world.store.items.revision(item.id, 1))?.content).toEqual(content);
      expect((await world.store.items.revision(item.id, 2))?.content).toEqual(next);
      expect((await world.store.items.revisions(item.id)).map((each) => [each.revision, each.action])).toEqual([
        [1, "publish"],
        [2, "revise"],
      ]);
    });

    test("R2b a draft has a separate counter, and saving it changes neither the item nor its eTag", async () => {
      const { item } = await publish();
      for (const counter of [1, 2, 3]) {
        const saved = await world.items.saveDraft(ada, item.id, { content: aContent() });
        expect(saved.draft.counter).toBe(counter);
      }
      expect(await world.store.items.item(item.id)).toEqual(item);
      const published = await world.items.publishDraft(ada, item.id);
      expect(published.item.revision).toBe(2);
      expect(await world.store.items.draft(item.id)).toBeNull();
    });

    test("R2b a set of files is shared by the revisions that name it, and bytes stay named while any revision does", async () => {
      const files = [aFile("kept.txt", { storageKey: "kept-1" })];
      const { item } = await publish({ files });
      await world.items.setPublic(ada, item.id, false);
      await world.items.revise(ada, item.id, { content: aContent({ files: [] }) });
      const named = await world.store.items.namedKeys(["kept-1", "nobody's"]);
      expect([...named]).toEqual(["kept-1"]);
      expect((await world.store.items.revision(item.id, 2))?.content.files).toEqual(files);
    });

    test("R7a a file that only a replaced draft named is named no more", async () => {
      const files = [aFile("draft.txt", { storageKey: "draft-1" })];
      const { item } = await world.items.createDraft(ada, { content: aContent({ files }) });
      expect((await world.store.items.namedKeys(["draft-1"])).size).toBe(1);
      await world.items.saveDraft(ada, item.id, { content: aContent() });
      expect((await world.store.items.namedKeys(["draft-1"])).size).toBe(0);
    });

    test("R7a every named file is listed once by its key, page by page", async () => {
      const shared = aFile("x.txt", { storageKey: "page-a" });
      await publish({ files: [shared, aFile("y.txt", { storageKey: "page-b" })] });
      await publish({ files: [{ ...shared, name: "z.txt" }, aFile("w.txt", { storageKey: "page-c" })] });
      const keys: string[] = [];
      for (let after = "page-"; ; ) {
        const page = await world.store.items.filesAfter(after, 2);
        keys.push(...page.map((file) => file.storageKey).filter((key) => key.startsWith("page-")));
        const last = page.at(-1);
        if (last === undefined || page.length < 2) break;
        after = last.storageKey;
      }
      expect(keys).toEqual(["page-a", "page-b", "page-c"]);
    });

    test("R2b 20 simultaneous revisions of one item are 20 revisions, none lost and none twice", async () => {
      const { item } = await publish();
      const done = await Promise.all(
        Array.from({ length: 20 }, () => world.items.revise(ada, item.id, { content: aContent() })),
      );
      const numbers = done.map((each) => each.item.revision).sort((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
      expect((await world.store.items.revisions(item.id)).length).toBe(21);
    });

    test("R2b of 20 simultaneous new versions of one item one wins, the others are refused because it is not the latest", async () => {
      const { item } = await publish();
      const done = await Promise.allSettled(
        Array.from({ length: 20 }, () => world.items.newVersion(ada, item.id, { content: aContent() })),
      );
      expect(done.filter((each) => each.status === "fulfilled").length).toBe(1);
      for (const each of done) {
        if (each.status === "rejected") expect(each.reason).toMatchObject({ kind: "invalid" });
      }
      const versions = await world.store.items.versions(item.parentId);
      expect(versions.map((each) => [each.versionIndex, each.isLatest])).toEqual([
        [1, false],
        [2, true],
      ]);
    });

    test("R9a how long versions are is known before they are read: their metadata, their files, a draft alone", async () => {
      const { items } = world.store;
      const short = (await publish()).item;
      const files = Array.from({ length: 30 }, (_, at) => aFile(`${at}.txt`));
      const content = aContent({ metadata: titled("x".repeat(50_000)), files });
      const long = (await world.items.createAndPublish(ada, { content })).item;
      const draft = (await world.items.createDraft(ada, { content })).item;
      const sizes = await items.sizes([draft.id, long.id, 999_999_999, short.id]);
      expect(sizes.map(({ item, parent }) => [item, parent])).toEqual(
        [draft, long, short].map(({ id, parentId }) => [id, parentId]),
      );
      const [ofDraft, ofLong, ofShort] = sizes.map(({ bytes }) => bytes);
      expect(ofShort).toBeLessThan(10_000);
      for (const bytes of [ofDraft, ofLong]) {
        expect(bytes).toBeGreaterThan(65_000);
        expect(bytes).toBeLessThan(100_000);
      }
      const parents = [short.parentId, long.parentId, draft.parentId];
      const versions = await items.versionSizes(parents);
      expect(versions.map(({ item }) => item)).toEqual([short.id, long.id, draft.id]);
      const read = await items.itemVersions(versions.map(({ item }) => item));
      expect(read.map(({ item, parent }) => [item.id, parent.id])).toEqual(
        [short, long, draft].map(({ id, parentId }) => [id, parentId]),
      );
      const expected = [short.content?.files.length, 30, 30];
      expect(read.map(({ item, draft: messages }) => (item.content ?? messages)?.files.length)).toEqual(expected);
    });

    test("R37 drafts are read together, with their files and when they were saved", async () => {
      const { items } = world.store;
      const content = aContent({ metadata: titled("Together"), files: [aFile("one.txt")] });
      const [one, two] = [
        await world.items.createDraft(ada, { content }),
        await world.items.createDraft(ada, { content }),
      ];
      const { item: other } = await publish();
      const ids = [one, two].map(({ item }) => item.id);
      const read = [...(await items.drafts([...ids, other.id, 999_999_999]))].sort((a, b) => a.itemId - b.itemId);
      expect(read).toEqual(await Promise.all(ids.map(async (id) => (await items.draft(id)) ?? Promise.reject(id))));
      expect(await items.drafts([])).toEqual([]);
      const messages = await items.itemVersions([...ids, other.id]);
      expect(messages.map(({ savedAt }) => savedAt)).toEqual([...read.map(({ savedAt }) => savedAt), null]);
    });

    test("R2a 20 items made at once have 40 numbers between them", async () => {
      const made = await Promise.all(Array.from({ length: 20 }, () => publish()));
      expect(new Set(made.flatMap(({ item }) => [item.id, item.parentId])).size).toBe(40);
    });

    test("R2b 20 simultaneous savings of one draft count to 20", async () => {
      const { item } = await world.items.createDraft(ada, { content: aContent() });
      await Promise.all(Array.from({ length: 19 }, () => world.items.saveDraft(ada, item.id, { content: aContent() })));
      expect((await world.store.items.draft(item.id))?.counter).toBe(20);
    });

    test("R5 what fails at its end leaves nothing: no item, no revision, no file, no key, no ARK", async () => {
      const content = aContent({ files: [aFile("lost.txt", { storageKey: "lost-1" })], indexes: [1] });
      const arksBefore = (await world.store.arks.listArks({ reach: { kind: "system" } }, "", 10_000)).length;
      let made = 0;
      const failing = world.store.transact(async (tx) => {
        const { item } = await world.items.core.createAndPublish(tx, ada, { content });
        made = item.id;
        throw new Error("the end");
      });
      await expect(failing).rejects.toThrow("the end");
      expect(await world.store.items.item(made)).toBeNull();
      expect((await world.store.items.namedKeys(["lost-1"])).size).toBe(0);
      expect(await world.items.duplicates(world.store, content.metadata, null)).toEqual([]);
      expect((await world.store.arks.listArks({ reach: { kind: "system" } }, "", 10_000)).length).toBe(arksBefore);
      expect(await world.store.items.itemIdsIn(1, made + 1, 1)).not.toContain(made);
    });

    test("R18 of 20 items with the same identifier made at once every one is found by it", async () => {
      const identifiers = [{ scheme: "DOI", value: "10.5555/twenty" }];
      const made = await Promise.all(
        Array.from({ length: 20 }, () => {
          const content = aContent();
          return publish({ metadata: { ...content.metadata, identifiers } });
        }),
      );
      const { metadata } = aContent();
      const found = await world.items.duplicates(world.store, { ...metadata, identifiers }, null);
      expect(found).toEqual(made.map(({ item }) => item.id).sort((a, b) => a - b));
    });

    test("R18 duplicates are published or pending latest versions, not deleted, and never the item itself", async () => {
      const identifiers = [{ scheme: "URI", value: "https://doi.org/10.5555/OTHERS" }];
      const content = aContent({ metadata: { ...aContent().metadata, identifiers } });
      const first = await publish(content);
      const second = await world.items.newVersion(ada, first.item.id, { content });
      const deleted = await publish(content);
      await world.items.remove(ada, deleted.item.id);
      const pending = await world.items.createDraft(ada, { content, pending: true });
      const unseen = await world.items.createDraft(ada, { content });
      const secret = await publish({ ...content, access: { ...content.access, record: "restricted" } });
      const found = (except: number | null) => world.items.duplicates(world.store, content.metadata, except);
      expect(await found(null)).toEqual([second.item.id, pending.item.id, secret.item.id]);
      expect(await found(second.item.id)).toEqual([pending.item.id, secret.item.id]);
      expect(await found(first.item.id)).toEqual([pending.item.id, secret.item.id]);
      expect(await found(unseen.item.id)).toEqual([second.item.id, pending.item.id, secret.item.id]);
    });

    test("R19 a lock holds against others until it is released or its time is over", async () => {
      const { item } = await publish();
      const until = { takenAt: NOW, expiresAt: "2026-11-20T10:05:00.000Z" };
      const lock = { itemId: item.id, purpose: "import" as const, owner: "one", ...until };
      const take = (changes: Partial<typeof lock>) =>
        world.store.transact((tx) => tx.items.takeLock({ ...lock, ...changes }));
      const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => take({ owner: `n${i}` })));
      expect(taken.filter(Boolean).length).toBe(1);
      const winner = `n${taken.indexOf(true)}`;
      expect(await take({ owner: winner, purpose: "import" })).toBe(true);
      await world.store.transact((tx) => tx.items.releaseLock(item.id, "a stranger"));
      expect(await world.store.items.lock(item.id, NOW)).toMatchObject({ owner: winner, purpose: "import" });
      expect(await world.store.items.lock(item.id, "2026-11-20T10:05:00.000Z")).toBeNull();
      expect(
        await take({ owner: "later", takenAt: "2026-11-20T10:05:00.000Z", expiresAt: "2026-11-20T10:06:00.000Z" }),
      ).toBe(true);
      await world.store.transact((tx) => tx.items.releaseLock(item.id, "later"));
      expect(await world.store.items.lock(item.id, NOW)).toBeNull();
    });

    test("lists go from the highest id down, page by page, by index, owner, state, place and name", async () => {
      const bob = await world.person([3]);
      const mine = [];
      for (const places of [[2], [2, 1], []]) {
        mine.push((await world.items.createAndPublish(bob, { content: aContent({ indexes: places }) })).item.id);
      }
      const draft = (await world.items.createDraft(bob, { content: aContent() })).item.id;
      const [one = 0, two = 0, three = 0] = mine;
      type Filter = Parameters<typeof world.store.items.listItems>[0];
      const ids = async (filter: Filter, before: number | null = null, limit = 10) => {
        const all = { owner: bob.account?.id ?? 0, ...filter };
        return (await world.store.items.listItems(all, before, limit)).map(({ id }) => id);
      };
      expect(await ids({})).toEqual([draft, three, two, one]);
      expect(await ids({}, three, 1)).toEqual([two]);
      expect(await ids({ index: 2 })).toEqual([two, one]);
      expect(await ids({ index: 2 }, two)).toEqual([one]);
      expect(await ids({ state: "draft" })).toEqual([draft]);
      expect(await ids({ unfiled: true })).toEqual([three]);
      expect(await ids({ withoutArk: true })).toEqual([]);
      await world.items.newVersion(bob, one, { content: aContent({ indexes: [1] }) });
      expect(await ids({ latestOnly: true, index: 2 })).toEqual([two]);
      expect(await world.store.items.countItems({ owner: bob.account?.id ?? 0, state: "published" })).toBe(4);
      expect(await world.store.items.itemIdsIn(2, two + 1, 2)).toEqual([two, one]);
    });

    test("items come back in the order asked for, unknown numbers left out", async () => {
      const [one, two] = [await publish({ files: [aFile("1")] }), await publish({ indexes: [2] })];
      const got = await world.store.items.items([two.item.id, 99_999_999, one.item.id]);
      expect(got).toEqual([two.item, one.item]);
    });

    test("R13c items are found by their ARKs, in any state; ARKs of nobody are left out", async () => {
      const [one, two] = [await publish(), await publish()];
      await world.items.remove(ada, two.item.id);
      const [first, second] = [one.item.ark ?? "", two.item.ark ?? ""];
      const found = await world.store.items.itemsByArk([second, "99999/nobody", first]);
      expect(new Map(found)).toEqual(
        new Map([
          [first, one.item.id],
          [second, two.item.id],
        ]),
      );
      expect((await world.store.items.itemsByArk([])).size).toBe(0);
    });

    test("the database refuses a second item with one ARK, two versions of one number and a published item without content", async () => {
      const [one, two] = [await publish(), await publish()];
      await expect(world.store.transact((tx) => tx.items.setArk(two.item.id, one.item.ark ?? ""))).rejects.toThrow();
      await expect(world.store.transact((tx) => tx.items.setState(99_999_999, "deleted", NOW))).rejects.toThrow(
        "never published",
      );
      const draft = await world.items.createDraft(ada, { content: aContent() });
      await expect(world.store.transact((tx) => tx.items.setState(draft.item.id, "published", NOW))).rejects.toThrow(
        "never published",
      );
    });

    test("a revision keeps the texts it is given, whatever they hold", async () => {
      const odd = '\u0000 half \ud800 \u2028 " \\ 日本語 ﷽ 𝒳';
      const content = aContent({ metadata: { ...aContent().metadata, titles: [{ value: odd, kind: "main" }] } });
      const written = await world.store.transact(async (tx) => {
        const { item } = await tx.items.insertItem({
          owner: owner(),
          depositedBy: null,
          depositedOnBehalfOf: null,
          at: NOW,
        });
        return await tx.items.writeRevision(item, content, plain, { keys: [], isNew: true });
      });
      expect((await world.store.items.item(written.id))?.content).toEqual(written.content);
      expect(written.content?.metadata.titles).toEqual([{ value: odd, kind: "main" }]);
    });

    test("R2d R2e a list has exactly the items that the rule of reading admits, for every kind of viewer", async () => {
      const rolled = [
        anIndex({ id: 41, browsingRole: [3] }),
        anIndex({ id: 42, browsingRole: [], browsingGroup: [7] }),
        anIndex({ id: 43, publicDate: "2026-11-21" }),
        anIndex({ id: 44, parent: 41, browsingGroup: [7] }),
      ];
      await world.store.transact(async (tx) => {
        for (const node of rolled) await tx.indexes.insertIndex(node);
        await tx.indexes.raiseTreeRevision();
      });
      const [bob, curator] = [await world.person([3], { groups: [7] }), await world.person([3])];
      const curating = { ...curator, memberships: [memberOf(world, "curator")] };
      const others = [await world.person([]), await world.person([2]), await world.person([4])];
      const viewers = [GUEST, ada, bob, curating, ...others];
      const id = (viewer: Viewer) => viewer.account?.id ?? 0;
      const base = aContent().access;
      const restricted = { ...base, record: "restricted" as const };
      const later = [
        { ...base, openDate: "2026-11-21" },
        { ...restricted, embargoUntil: "2026-11-21" },
      ];
      const accesses = [base, restricted, { ...restricted, embargoUntil: TODAY }, ...later];
      const made: number[] = [];
      for (const access of accesses) {
        for (const indexes of [[], [2], [3], [11], [41], [42], [43], [44], [3, 42]]) {
          made.push((await publish({ access, indexes })).item.id);
        }
      }
      const shares: readonly ((parentId: number) => Grant[])[] = [
        () => [{ subject: "user", id: id(bob), permission: "view" }],
        () => [{ subject: "role", id: 7, permission: "preview" }],
        () => [{ subject: "user", id: id(curator), permission: "edit" }],
      ];
      for (const [at, grants] of shares.entries()) {
        for (const state of ["published", "draft"]) {
          const content = aContent({ access: restricted, indexes: [3] });
          const { item } = await (state === "draft"
            ? world.items.createDraft(ada, { content })
            : world.items.createAndPublish(ada, { content }));
          await world.store.transact((tx) => tx.items.setGrants(item.parentId, grants(at)));
          made.push(item.id);
        }
      }
      for (const [at, viewer] of viewers.entries()) {
        const admitted: number[] = [];
        for (const each of made) {
          const found = await world.store.items.withParent(each);
          if (found === null) throw new Error(String(each));
          const { item, parent } = found;
          const { access, indexes } = item.content ?? { access: restricted, indexes: [] };
          const lineages = await world.store.indexes.lineages(indexes);
          const facts = {
            ...parent,
            state: item.state,
            access,
            lineages: indexes.map((index) => lineages.get(index) ?? []),
          };
          const isAdmitted = item.state === "draft" ? mayPreview(viewer, facts) : mayReadRecord(viewer, facts, TODAY);
          if (isAdmitted) admitted.push(each);
        }
        const listed = (await world.items.list(viewer, {}, null, 1_000)).map((each) => each.id);
        expect([at, listed.filter((each) => made.includes(each)).sort((a, b) => a - b)]).toEqual([at, admitted]);
        expect(admitted.length).toBeGreaterThan(0);
      }
    });
  });
});
