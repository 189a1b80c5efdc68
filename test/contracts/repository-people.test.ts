// What every store of the repository must hold about accounts, communities, settings and activities (R6a, R6b, R16,
// R17, R33).

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setTimeout } from "node:timers/promises";
import { openDatabase } from "../../db/engine/open.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { type Account, GUEST, type Viewer } from "../../src/auth/account.ts";
import { CLIENT_SETTING } from "../../src/model/items/deposit-settings.ts";
import { writeAs } from "../../src/repository/people/current-viewer.ts";
import type { Activity, DepositReceipt } from "../../src/repository/store/activities.ts";
import { PLAIN_COMMUNITY } from "../../src/repository/store/communities.ts";
import type { StaticPage } from "../../src/repository/store/static-pages.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { startOf } from "../../src/shared/declared.ts";
import { anAccount } from "../support/accounts.ts";
import { onEachDatabase } from "../support/databases.ts";

const NOW = "2026-06-01T12:00:00.000Z";
const LATER = "2026-06-01T13:00:00.000Z";

const TIMES = { createdAt: NOW, updatedAt: NOW };
const account = (members: Partial<Account>): Account => anAccount({ ...TIMES, ...members });

describe("people of the repository", () => {
  onEachDatabase((database) => {
    let url: string;
    let store: RepositoryStore;
    beforeAll(async () => {
      url = await database.url();
      store = await openRepositoryStore({ url });
    });
    afterAll(async () => {
      await store.close();
    });

    const made = async (fields: Partial<Account>): Promise<number> =>
      (await store.transact((tx) => tx.accounts.saveAccount(account(fields)))) ?? -1;

    test("R6a an e-mail belongs to one account, whatever its case", async () => {
      const id = await made({ mail: "Ada@Example.org", eppn: "ada@idp.example.org" });
      expect(await store.accounts.accountByMail("ADA@example.ORG")).toMatchObject({ id, mail: "ada@example.org" });
      expect(await store.accounts.accountByEppn("ada@idp.example.org")).toMatchObject({ id });
      expect(await store.transact((tx) => tx.accounts.saveAccount(account({ mail: "ada@example.org" })))).toBeNull();
      expect(
        await store.transact((tx) => tx.accounts.saveAccount(account({ eppn: "ada@idp.example.org" }))),
      ).toBeNull();
    });

    test("R6a of 20 accounts made at once with one e-mail there is one", async () => {
      const saves = Array.from({ length: 20 }, () =>
        store.transact((tx) => tx.accounts.saveAccount(account({ mail: "twenty@example.org" }))),
      );
      expect((await Promise.all(saves)).filter((id) => id !== null).length).toBe(1);
    });

    test("R2g the writer and the client that signed in stay as they were read until the transaction ends", async () => {
      const id = await made({ mail: "writer@example.org" });
      const client = {
        ...{ clientId: "writing", accountId: id, kind: "oauth" as const, name: "writing", scopes: ["item:update"] },
        ...{ active: true, createdAt: NOW, expiresAt: null, madeWith: null },
      };
      await store.transact((tx) => tx.accounts.saveClient(client));
      const viewer: Viewer = {
        ...{ ...GUEST, account: account({ id }), clientId: client.clientId },
        proof: { kind: "token", carried: client.scopes, endsAt: LATER },
      };
      const changes = [
        () => store.transact((tx) => tx.accounts.saveAccount(account({ id, active: false }))),
        () => store.transact((tx) => tx.accounts.saveClient({ ...client, active: false })),
      ];
      for (const change of changes) {
        const order: string[] = [];
        const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const writing = writeAs({ store, clock: { now: () => NOW } }, viewer, async () => {
          begun.resolve();
          await gate.promise;
          order.push("written");
        });
        await begun.promise;
        const changing = change().then(() => void order.push("changed"));
        await Promise.race([changing, setTimeout(200)]);
        gate.resolve();
        await Promise.all([writing, changing]);
        expect(order).toEqual(["written", "changed"]);
        await store.transact((tx) => tx.accounts.saveAccount(account({ id, mail: "writer@example.org" })));
      }
    });

    test("R6a an identity holds roles, groups and communities with their subtree", async () => {
      const id = await made({ mail: "member@example.org", roles: [4] });
      const group = await store.transact((tx) => tx.accounts.insertGroup("readers", NOW));
      expect(await store.transact((tx) => tx.accounts.insertGroup("readers", NOW))).toBeNull();
      const community = {
        ...{ ...PLAIN_COMMUNITY, ...TIMES, id: "0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0001", slug: "maps", rootIndex: 1 },
        title: { en: "Maps", ja: "地図" },
        type: "topic",
        visibility: "public" as const,
        reviewPolicy: "closed" as const,
      };
      await store.transact(async (tx) => {
        await tx.accounts.setGroupMembers(group ?? -1, [id, id]);
        await tx.communities.saveCommunity(community);
        await tx.communities.setMember(community.id, id, "reader");
        await tx.communities.setMember(community.id, id, "manager");
      });
      expect(await store.accounts.identity(id)).toMatchObject({
        account: { id, roles: [4] },
        groups: [group],
        memberships: [{ communityId: community.id, role: "manager", rootIndex: 1 }],
      });
      expect(await store.communities.community("maps")).toEqual(community);
      const other = { ...community, id: "0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0002" };
      expect(await store.transact((tx) => tx.communities.saveCommunity(other))).toBe(false);
      await store.transact((tx) => tx.communities.deleteCommunity(community.id, NOW));
      expect((await store.accounts.identity(id))?.memberships).toEqual([]);
    });

    test("Q.166 pictures of communities are stored by their bytes, replaced, and deleted with their community", async () => {
      const ids = ["0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0004", "0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0005"];
      const [one = "", other = ""] = ids;
      const logo = { mediaType: "image/gif", sha256: "0".repeat(64), sizeBytes: 3, createdAt: NOW, updatedAt: NOW };
      const later = { ...logo, mediaType: "image/png", createdAt: "2030-01-01T00:00:00.000Z" };
      const bytes = Uint8Array.of(0, 255, 128);
      await store.transact(async (tx) => {
        for (const id of ids) {
          const title = { en: id, ja: id };
          await tx.communities.saveCommunity({ ...PLAIN_COMMUNITY, ...TIMES, id, slug: `logo-${id}`, title, type: "" });
          await tx.communities.saveLogo(id, logo, bytes);
        }
        await tx.communities.saveLogo(other, later, Uint8Array.of(1));
      });
      const replaced = { ...logo, mediaType: "image/png" };
      expect(await store.communities.logos([...ids, "none"])).toEqual(
        new Map([
          [one, logo],
          [other, replaced],
        ]),
      );
      expect(await store.communities.logoBytes(one)).toEqual(bytes);
      expect(await store.communities.logoBytes(other)).toEqual(Uint8Array.of(1));
      expect(await store.transact((tx) => tx.communities.deleteLogo(other))).toBe(true);
      expect(await store.transact((tx) => tx.communities.deleteLogo(other))).toBe(false);
      await store.transact((tx) => tx.communities.deleteCommunity(one, NOW));
      expect([await store.communities.logoBytes(one), (await store.communities.logos(ids)).size]).toEqual([null, 0]);
    });

    test("Q.12 revisions of static pages are kept, the newest is read, each number is taken once", async () => {
      const writer = await made({ mail: "pages@example.org" });
      const first: StaticPage = {
        ...{ slug: "about", revision: 1, at: NOW, accountId: writer, message: "Start", footer: 2, isDeleted: false },
        ...{ titleEn: "About", contentEn: "# Aims", titleJa: "概要", contentJa: "目的" },
      };
      const second = { ...first, revision: 2, at: LATER, accountId: null, message: "", footer: null, isDeleted: true };
      const help = { ...first, slug: "help", titleJa: "", contentJa: "" };
      await store.transact(async (tx) => {
        for (const page of [first, help, second]) expect(await tx.staticPages.insertPage(page)).toBe(true);
      });
      const lineOf = ({ contentEn: _en, contentJa: _ja, ...line }: StaticPage) => line;
      expect(await store.staticPages.pages()).toEqual([second, help].map(lineOf));
      expect(await store.staticPages.pageRevisions("about")).toEqual([second, first].map(lineOf));
      const found = await Promise.all([undefined, 1, 3].map((each) => store.staticPages.page("about", each)));
      expect([...found, await store.staticPages.page("none")]).toEqual([second, first, null, null]);
      const taken = store.transact(async (tx) => {
        expect(await tx.staticPages.insertPage({ ...second, message: "Other" })).toBe(false);
        throw new RangeError("rolled back");
      });
      await expect(taken).rejects.toThrow("rolled back");
      await store.transact((tx) => tx.staticPages.forgetPageRevisions("about", 2));
      expect(await store.staticPages.pageRevisions("about")).toEqual([lineOf(second)]);
      expect(await store.staticPages.page("help")).toEqual(help);
    });

    test("R37 what a community states is stored by the names that versions before gave it", async () => {
      const id = "0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0003";
      const details = { curation_policy: "<p>All tides</p>", description: "Tides" };
      const title = { en: "Tides", ja: "潮" };
      const community = { ...PLAIN_COMMUNITY, ...TIMES, id, slug: "tides", title, type: "topic", details };
      await store.transact((tx) => tx.communities.saveCommunity(community));
      const raw = await openDatabase({ url });
      const rows = await raw.writer.selectFrom("community").select("details").where("id", "=", id).execute();
      await raw.close();
      expect(rows.map((row) => JSON.parse(row.details))).toEqual([
        { description: "Tides", curationPolicy: "<p>All tides</p>" },
      ]);
      expect((await store.communities.community("tides"))?.details).toEqual(details);
    });

    test("R33 a login link is used once, also by two who come at once, and not after its time", async () => {
      const accountId = await made({ mail: "link@example.org" });
      const use = (at: string) => store.transact((tx) => tx.accounts.useLoginLink("h1", at));
      await store.transact((tx) => tx.accounts.insertLoginLink({ hash: "h1", accountId, expiresAt: LATER }, NOW));
      expect(await use(LATER)).toBeNull();
      const both = await Promise.all([use(NOW), use(NOW)]);
      expect(both.filter((each) => each === accountId).length).toBe(1);
      expect(await use(NOW)).toBeNull();
    });

    test("R33 sessions end by logout and with their time", async () => {
      const accountId = await made({ mail: "session@example.org" });
      const session = (hash: string, expiresAt: string) => ({
        ...{ hash, accountId, csrfHash: "c", createdAt: NOW, expiresAt },
        ...{ way: "link" as const, clientId: null, lastUsedAt: null, agent: null },
      });
      await store.transact(async (tx) => {
        for (const each of [session("s1", LATER), session("s2", NOW), session("s3", LATER)]) {
          await tx.accounts.insertSession(each);
        }
        await tx.accounts.forgetEnded(NOW);
        await tx.accounts.deleteSession("s3");
      });
      expect(await store.accounts.session("s1")).toMatchObject({ accountId });
      expect(await store.accounts.session("s2")).toBeNull();
      expect(await store.accounts.session("s3")).toBeNull();
    });

    test("R16 activity ids count up by day and kind without gap or double under concurrency", async () => {
      const ids = await Promise.all(
        Array.from({ length: 20 }, () => store.transact((tx) => tx.activities.nextActivityId("A", "2026-06-01"))),
      );
      const wanted = Array.from({ length: 20 }, (_, at) => `A-20260601-${String(at + 1).padStart(5, "0")}`);
      expect([...ids].sort()).toEqual(wanted);
      expect(await store.transact((tx) => tx.activities.nextActivityId("D", "2026-06-01"))).toBe("D-20260601-00001");
    });

    test("R16 message 27: an item has one open activity at most, and steps keep their order", async () => {
      const accountId = await made({ mail: "activity@example.org" });
      const { workflow, item } = await store.transact(async (tx) => {
        const type = await tx.settings.saveItemType(
          { id: 0, name: { en: "Full", ja: "フル" }, deleted: false, definition: {} },
          NOW,
        );
        const actions = ["start", "item_registration", "approval", "end"] as const;
        const approvers = { roles: [1], accounts: [], communities: [] } as const;
        const deposit = { id: 0, name: { en: "Deposit", ja: "登録" }, itemType: type.id, index: null, deleted: false };
        const removal = { actions: ["start", "approval", "end"] } as const;
        const flow = await tx.settings.saveWorkflow({ ...deposit, actions, approvers, delete: removal }, NOW);
        const owner = { owner: accountId, depositedBy: accountId, depositedOnBehalfOf: null, at: NOW };
        return { workflow: flow, ...(await tx.items.insertItem(owner)) };
      });
      const actions = ["start", "item_registration", "approval", "end"] as const;
      const sent = {
        packageName: "a.zip",
        packageSha256: "00",
        onBehalfOf: null,
        holder: null,
        clientId: "c",
        note: "",
      };
      const activity = (id: string): Activity => ({
        id,
        workflow,
        kind: "registration",
        itemId: item.id,
        state: "M",
        step: 2,
        actions,
        title: "A map",
        account: accountId,
        ...sent,
        ...TIMES,
      });
      const inserts = ["A-1", "A-2", "A-3"].map((id) =>
        store.transact((tx) => tx.activities.insertActivity(activity(id))),
      );
      const done = await Promise.all(inserts);
      expect(done.filter(Boolean).length).toBe(1);
      const open = await store.activities.openActivity(item.id);
      expect(open).toMatchObject({ step: 2, state: "M" });
      if (open === null) return;
      await store.transact(async (tx) => {
        const step = { activityId: open.id, comment: "", at: NOW } as const;
        await tx.activities.addStep({ ...step, action: "start", state: "F", account: accountId });
        await tx.activities.addStep({ ...step, action: "approval", state: "M", account: null });
      });
      expect((await store.activities.steps(open.id)).map(({ number, action }) => [number, action])).toEqual([
        [1, "start"],
        [2, "approval"],
      ]);
      expect(await store.activities.countActivities({ action: "approval", states: ["M"] })).toBe(1);
      expect(await store.activities.listActivities({ action: "end" }, 0, 10)).toEqual([]);
      // P.217: what waits, by how long it waits; a later place, and what another account holds, are left out.
      const later = await store.transact(async (tx) => {
        const owner = { owner: accountId, depositedBy: accountId, depositedOnBehalfOf: null, at: NOW };
        const { item: second } = await tx.items.insertItem(owner);
        const waiting = { ...activity("B-1"), itemId: second.id, createdAt: NOW, updatedAt: LATER, holder: accountId };
        await tx.activities.insertActivity(waiting);
        return waiting;
      });
      const reach = { account: accountId + 1, everything: false, workflows: [workflow], communities: [] };
      const tasks = async (part: object) =>
        (await store.activities.activityTasks(reach, { after: null, limit: 10, ...part })).map(({ id }) => id);
      expect(await tasks({})).toEqual([open.id, later.id]);
      expect(await tasks({ isFree: true })).toEqual([open.id]);
      expect(await tasks({ after: { since: open.updatedAt, id: open.id } })).toEqual([later.id]);
      expect(await tasks({ limit: 1 })).toEqual([open.id]);
      const queue = { seenBy: { reach, condition: "todo" as const } };
      expect((await store.activities.listActivities(queue, 0, 10)).map(({ id }) => id)).toEqual([open.id, later.id]);
      await store.transact((tx) => tx.activities.updateActivity({ ...later, state: "C" }));
      await store.transact((tx) => tx.activities.updateActivity({ ...open, state: "C", updatedAt: LATER }));
      expect(await store.activities.openActivity(item.id)).toBeNull();
      expect(await store.transact((tx) => tx.activities.insertActivity(activity("A-9")))).toBe(true);
    });

    test("R13 an Idempotency-Key is claimed once, its answer kept, and an abandoned claim taken over after its time", async () => {
      const accountId = await made({ mail: "key@example.org" });
      const deposit = { accountId, key: "k1", target: "POST /sword/service-document", packageSha256: "aa" };
      const receipt = (owner: string, createdAt: string, expiresAt: string): DepositReceipt => ({
        ...deposit,
        status: null,
        answer: null,
        owner,
        createdAt,
        expiresAt,
      });
      const claim = (each: DepositReceipt) => store.transact((tx) => tx.activities.claimDepositReceipt(each));
      const claims = await Promise.all(["o1", "o2", "o3"].map((owner) => claim(receipt(owner, NOW, LATER))));
      expect(claims.filter((each) => each === null).length).toBe(1);
      const first = claims.find((each) => each !== null)?.owner ?? "";
      expect(await claim(receipt("o4", LATER, "2026-06-01T14:00:00.000Z"))).toBeNull();
      // The earlier holder can no longer finish or release it.
      const late = { ...receipt(first, NOW, LATER), status: 201, answer: "late" };
      await store.transact((tx) => tx.activities.finishDepositReceipt(late));
      expect(await store.activities.depositReceipt(accountId, "k1")).toMatchObject({ owner: "o4", status: null });
      const done = { ...receipt("o4", LATER, "2026-06-08T12:00:00.000Z"), status: 201, answer: "{}" };
      await store.transact((tx) => tx.activities.finishDepositReceipt(done));
      expect(await claim(receipt("o5", "2026-06-02T12:00:00.000Z", "2026-06-03T12:00:00.000Z"))).toMatchObject({
        status: 201,
      });
      await store.transact((tx) => tx.activities.releaseDepositReceipt(accountId, "k1", "o4"));
      expect(await store.activities.depositReceipt(accountId, "k1")).not.toBeNull();
      await store.transact((tx) => tx.activities.forgetDepositReceipts("2026-06-09T00:00:00.000Z"));
      expect(await store.activities.depositReceipt(accountId, "k1")).toBeNull();
    });

    test("R17 settings of formats and clients are replaced whole, and R4a versions of an item type are kept", async () => {
      const accountId = await made({ mail: "settings@example.org" });
      const saved = await store.transact((tx) =>
        tx.settings.saveItemType({ id: 0, name: { en: "A", ja: "あ" }, deleted: false, definition: { v: 1 } }, NOW),
      );
      const changed = { id: saved.id, name: { en: "A", ja: "あ" }, deleted: false, definition: { v: 2 } };
      const again = await store.transact((tx) => tx.settings.saveItemType(changed, NOW));
      expect(again).toEqual({ id: saved.id, version: 2 });
      expect((await store.settings.itemType(saved.id, 1))?.definition).toEqual({ v: 1 });
      expect((await store.settings.itemType(saved.id))?.definition).toEqual({ v: 2 });
      // Shipped item types bring their ids along: what the database assigns afterwards is another one.
      const [given, next] = [saved.id + 1, { name: { en: "B", ja: "い" }, deleted: false, definition: {} }];
      expect(await store.transact((tx) => tx.settings.saveItemType({ ...next, id: given }, NOW))).toEqual({
        id: given,
        version: 1,
      });
      expect((await store.transact((tx) => tx.settings.saveItemType({ ...next, id: 0 }, NOW))).id).toBe(given + 1);
      const life = { active: true, createdAt: NOW, expiresAt: null, madeWith: null };
      const personal = { clientId: "personal-1", accountId, kind: "personal", name: "n" } as const;
      const client = { ...personal, scopes: ["deposit:write"], ...life };
      await store.transact(async (tx) => {
        await tx.accounts.saveClient(client);
        const crate = { name: "m", kind: "ro-crate", itemType: saved.id } as const;
        const mapping = { id: 0, ...crate, definition: {}, deleted: false };
        const id = await tx.settings.saveMapping(mapping, NOW);
        const checks = {
          duplicateCheck: true,
          metaDataApi: ["DataCite", "CrossRef"],
          verifyDigest: "required",
        } as const;
        const registering = { registrationType: 2, mapping: id, workflow: null, defaultIndex: 1 } as const;
        const start = { ...startOf(CLIENT_SETTING), clientId: "personal-1", active: true };
        const setting = { ...start, ...registering, ...checks, keepIncomplete: false };
        await tx.settings.saveClientSetting({ ...setting, registrationType: 1 }, NOW);
        await tx.settings.saveClientSetting(setting, NOW);
        const xml = { format: "XML", active: false, registrationType: 2 } as const;
        await tx.settings.saveFormatSetting({ ...xml, workflow: null, duplicateCheck: false });
      });
      const expected = { registrationType: 2, metaDataApi: ["DataCite", "CrossRef"], verifyDigest: "required" };
      expect(await store.settings.clientSetting("personal-1")).toMatchObject(expected);
      expect(await store.settings.formatSetting("XML")).toMatchObject({ active: false, registrationType: 2 });
      expect(await store.settings.formatSetting("JSON")).toBeNull();
    });

    test("R27 R34 settings of searching are kept by name, deleted, and reported in the feed of changes, as another item type does", async () => {
      const from = await store.changes.position();
      const value = [{ value: "訳", means: null, label: { en: "a", ja: "b" } }];
      await store.transact((tx) => tx.settings.saveSearchSetting("license", value, NOW));
      await store.transact((tx) => tx.settings.saveSearchSetting("text1", ["languages"], NOW));
      await store.transact((tx) => tx.settings.saveSearchSetting("text1", ["titles.value"], NOW));
      expect(await store.settings.searchSettings()).toEqual({ license: value, text1: ["titles.value"] });
      await store.transact((tx) => tx.settings.saveSearchSetting("license", null, NOW));
      expect(await store.settings.searchSettings()).toEqual({ text1: ["titles.value"] });
      const type = { id: 0, name: { en: "n", ja: "n" }, deleted: false, definition: {} };
      await store.transact((tx) => tx.settings.saveItemType(type, NOW));
      const { changes } = await store.changes.changes(from, 100);
      expect(changes.filter(({ subject }) => subject === "settings").map(({ target }) => target)).toEqual([
        ...["license", "text1", "text1", "license", "item-types"],
      ]);
    });
  });
});
