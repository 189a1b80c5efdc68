// Backup and restore of a repository with items (R2a, R2b, R8): what is restored is the same, and goes on where it was,
// on either engine.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { seedAuthorChoices } from "../../src/repository/authors/shipped-choices.ts";
import { allRows, findingsIn } from "../support/backups.ts";
import { arkstone } from "../support/command-line.ts";
import { rawDatabase } from "../support/filed-items.ts";
import { temporaryFolder } from "../support/processes.ts";
import { NOW } from "../support/seed.ts";
import { aContent, aFile, anIndex, itemsOn, itemsWorld } from "../support/world/items.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import type { Place } from "./backing-up.ts";

const anAuthor = (number: number) => ({
  content: {
    emailInfo: [],
    authorIdInfo: [{ idType: "LOCAL", authorId: String(number), authorIdShowFlg: true }],
    authorNameInfo: [{ language: "ja", familyName: "山田", nameShowFlg: true }],
    affiliationInfo: [],
  },
  communities: [COMMUNITY],
  at: NOW,
});

/** Clients beyond one statement of a restore, the first made with the last, and a session that began with one. */
async function signIn(url: string, account: number): Promise<void> {
  const { sql, close } = await rawDatabase(url);
  const client = (n: number): string => `client-${String(n).padStart(4, "0")}`;
  const rows = Array.from(
    { length: CLIENTS },
    (_, n) => `('${client(n)}', ${account}, 'personal', 'Token', '[]', 1, '${NOW}', ${n === 0 ? "'late'" : "null"})`,
  );
  const last = `('late', ${account}, 'personal', 'Token', '[]', 1, '${NOW}', null)`;
  await sql(`insert into account_client (client_id, account_id, kind, name, scopes, active, created_at, made_with)
    values ${[last, ...rows].join(", ")}`);
  await sql(`insert into login_session (hash, account_id, csrf, created_at, expires_at, client_id)
    values ('${"a".repeat(64)}', ${account}, 'b', '${NOW}', '2099-01-01T00:00:00.000Z', '${client(7)}')`);
  await close();
}
const CLIENTS = 600;

export function describeBackingUpItems(title: string, open: () => Promise<Place>, other: () => Promise<Place>): void {
  describe(`backup and restore of items ${title}`, () => {
    const folder = temporaryFolder("backup-items");
    const file = join(folder.path, "items.gz");
    const places: Place[] = [];
    const place = async (opener: () => Promise<Place>): Promise<string> => {
      const opened = await opener();
      places.push(opened);
      return opened.url;
    };
    const on = (url: string, ...args: string[]) =>
      arkstone({ SVC_DATABASE_URL: url, SVC_DATA_DIR: join(folder.path, "data") }, args);
    let url = "";
    let restored = "";
    let kept = { author: 0, item: 0, deleted: 0, draft: 0, account: 0 };
    beforeAll(async () => {
      url = await place(open);
      const world = await itemsWorld({ url });
      await world.store.transact((tx) => tx.storage.lockIdentity("a".repeat(32)));
      await world.store.transact((tx) =>
        tx.searchWriting.saveSearchCollection({
          ...{ name: "arkstone_1", state: "whole", schema: "a", least: 3 },
          ...{ most: 3, labels: 0, written: 1, seal: null },
        }),
      );
      const who = await world.person([3]);
      const content = () =>
        aContent({ files: [aFile("a.txt", { label: "Ünïcode 漢字" }), aFile("b.pdf")], indexes: [11, 2] });
      const { item } = await world.items.createAndPublish(who, { content: content() });
      await world.items.revise(who, item.id, { content: content() });
      await world.items.newVersion(who, item.id, { content: content() });
      const { item: deleted } = await world.items.createAndPublish(who, { content: content() });
      await world.items.remove(who, deleted.id, { reason: "spam", note: "no" });
      const draft = await world.items.createDraft(who, { content: content(), pending: true });
      const given = await world.items.createDraft(who, { content: content() });
      await world.items.discardDraft(who, given.item.id);
      await world.items.takeLock(item.id, "edit", 60_000);
      await world.store.transact((tx) => tx.indexes.raiseTreeRevision());
      const author = await world.store.transact(async (tx) => {
        await seedAuthorChoices(tx, NOW);
        const number = await tx.authors.nextAuthorNumber();
        const id = await tx.authors.insertAuthor("00000000-0000-4000-8000-0000000000a1", anAuthor(number));
        await tx.authors.claimAuthorNumbers(id, [number]);
        return id;
      });
      const ids = { item: item.id, deleted: deleted.id, draft: draft.item.id };
      kept = { author, ...ids, account: who.account?.id ?? 0 };
      await signIn(url, kept.account);
      await world.close();
      expect((await on(url, "backup", file)).err).toBe("");
      restored = await place(other);
      const output = await on(url, "restore", file, "--database", restored, "--json");
      expect([output.code, output.err.includes("arkstone:")]).toEqual([0, false]);
    });
    afterAll(async () => {
      for (const each of places) await each.drop();
      folder.remove();
    });

    test("R2b every row of every table of the repository is restored, and verify finds nothing", async () => {
      const [before, after] = [await allRows(url), await allRows(restored)];
      expect(before.get("item")?.length).toBe(4);
      expect(before.get("login_session")?.length).toBe(1);
      for (const [table, rows] of before) {
        if (["shoulder", "service", "storage_identity", "item_change", "search_collection"].includes(table)) continue;
        expect([table, after.get(table)?.slice(0, rows.length) ?? []]).toEqual([table, [...rows]]);
      }
      expect(await findingsIn(restored)).toEqual([]);
    });

    test("R34 what a shared search index held when the backup was made is not what it holds now", async () => {
      expect((await allRows(url)).get("search_collection")?.length).toBe(1);
      expect((await allRows(restored)).get("search_collection") ?? []).toEqual([]);
    });

    test("R7c the storage of the one before is not the restored one's: another id, and no turn taken", async () => {
      const store = await openRepositoryStore({ url: restored });
      const another = "b".repeat(32);
      expect(await store.transact((tx) => tx.storage.lockIdentity(another))).toEqual({ id: another, turns: [] });
      await store.close();
    });

    test("R2a numbers go on far behind the highest, for some may have been assigned since, and everything can still be written", async () => {
      const store = await openRepositoryStore({ url: restored });
      const items = itemsOn(store, { now: NOW });
      try {
        const account = await store.accounts.account(kept.account);
        if (account === null) throw new Error("The account was not restored");
        const who = {
          ...{ account, roles: account.roles, groups: [], memberships: [], scopes: null, clientId: "", address: "" },
        };
        const { item } = await items.createAndPublish(who, { content: aContent({ indexes: [2] }) });
        // The last number assigned before was that of a draft that is not a more; others may have been assigned since
        // the backup.
        expect(item.parentId).toBe(kept.draft + 3 + 1_000_000);
        expect((await items.publishDraft(who, kept.draft)).item.revision).toBe(1);
        expect((await items.restore(REPOSITORY_OPERATOR, kept.deleted)).state).toBe("published");
        await store.transact(async (tx) => {
          const number = await tx.authors.nextAuthorNumber();
          const author = await tx.authors.insertAuthor("00000000-0000-4000-8000-0000000000a2", anAuthor(number));
          expect([author, number]).toEqual([kept.author + 1_000_001, 2]);
          expect(await tx.authors.claimAuthorNumbers(author, [1, number])).toBe(1);
          expect(await tx.indexes.insertIndex(anIndex({ id: 2 }))).toBe(false);
          await tx.accounts.saveAccount({ ...account, id: 0, mail: "new@example.org" });
          await tx.jobs.enqueue({ kind: "test", subject: "after" }, NOW);
          await tx.settings.saveItemType({ id: 0, name: { en: "N", ja: "N" }, deleted: false, definition: {} }, NOW);
        });
        expect(await findingsIn(restored)).toEqual([]);
      } finally {
        await store.close();
      }
    });
  });
}
