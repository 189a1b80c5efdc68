// The core of items: what each change does to item, parent, revisions, communities, ARK and audit, and what is refused
// (R2a to R6a, R19).
import { beforeAll, describe, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR, type Viewer } from "../../src/auth/account.ts";
import { jobRunner } from "../../src/jobs/runner.ts";
import type { ItemContent } from "../../src/model/items/item.ts";
import { DAY_JOB, itemJobs } from "../../src/repository/items/jobs.ts";
import { ItemBusy } from "../../src/repository/items/locking.ts";
import { MINT_JOB } from "../../src/repository/items/types.ts";
import { Refusal, type RefusalKind } from "../../src/shared/refusal.ts";
import { quietLog } from "../support/quiet-log.ts";
import { NOW } from "../support/seed.ts";
import { aContent, aFile, anIndex, memberOf, titled } from "../support/world/items.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

let ada: Viewer;
let bob: Viewer;
let admin: Viewer;
const world = setUpWorld({ items: true });
beforeAll(async () => {
  [ada, bob, admin] = [await world.person([3]), await world.person([3]), await world.person([1])];
});

/** The access of new content, with these members. */
const withAccess = (more: Partial<ItemContent["access"]>) => ({ access: { ...aContent().access, ...more } });
const publish = async (fields: Parameters<typeof aContent>[0] = {}, who = ada) =>
  (await world.items.createAndPublish(who, { content: aContent(fields) })).item;
const arkOf = async (id: number) => {
  const ark = (await world.store.items.item(id))?.ark ?? "";
  return (await world.store.arks.arks([ark])).get(ark);
};
async function refused(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("It was not refused");
}
/** Switches the credential that mints ARKs of items on or off. */
const setActive = ({ store }: Pick<typeof world, "store">, active: boolean) =>
  store.arks.transact(async (tx) => {
    const found = await tx.credentialByClientId("items");
    if (found !== null) await tx.saveCredential({ ...found.credential, active });
  });
const kindOf = async (work: Promise<unknown>): Promise<RefusalKind> => (await refused(work)).kind;

describe("ARKs of items (R5)", () => {
  test("R5 an item gets an ARK when it is first published, which leads to its landing page and has who, what, when", async () => {
    const item = await publish({ metadata: titled("Of Arks") });
    expect(await arkOf(item.id)).toMatchObject({
      state: "published",
      url: `https://repo.example.org/records/${item.id}`,
      title: "Of Arks",
      who: "Doe, Ada",
      when: "2024-05-06",
    });
    const [receipt] = await world.store.arks.transact(async (tx) => [
      ...(await tx.receipts("(repository)", [`item:${item.id}`])).values(),
    ]);
    expect(receipt?.key).toBe(item.ark ?? "");
  });

  test("R5 a draft has no ARK, a revision keeps it, a new version gets its own", async () => {
    const { item } = await world.items.createDraft(ada, { content: aContent() });
    expect(item.ark).toBeNull();
    const first = (await world.items.publishDraft(ada, item.id)).item;
    expect(first.ark).not.toBeNull();
    const revised = (await world.items.revise(ada, item.id, { content: aContent({ metadata: titled("Renamed") }) }))
      .item;
    expect(revised.ark).toBe(first.ark ?? "");
    expect((await arkOf(item.id))?.title).toBe("Renamed");
    const second = (await world.items.newVersion(ada, item.id, { content: aContent() })).item;
    expect(second.ark).not.toBe(first.ark ?? "");
  });

  test("R2d R5 the description of an ARK hides what guests may not read, and follows when that changes", async () => {
    const item = await publish({ metadata: titled("Secret"), ...withAccess({ record: "restricted" }) });
    expect(await arkOf(item.id)).toMatchObject({ state: "published", title: "", who: "", when: "" });
    await world.items.setPublic(ada, item.id, true);
    expect((await arkOf(item.id))?.title).toBe("Secret");
    await world.items.setPublic(ada, item.id, false);
    expect((await arkOf(item.id))?.title).toBe("");
    const hidden = await publish({ metadata: titled("In a private index"), indexes: [3] });
    expect((await arkOf(hidden.id))?.title).toBe("");
  });

  test("R5 deleting tombstones the ARK with the landing page, restoring lifts that", async () => {
    const item = await publish({ metadata: titled("Gone and back") });
    await world.items.remove(ada, item.id);
    expect(await arkOf(item.id)).toMatchObject({
      state: "tombstoned",
      url: `https://repo.example.org/records/${item.id}`,
    });
    await world.items.restore(admin, item.id);
    expect(await arkOf(item.id)).toMatchObject({ state: "published", title: "Gone and back" });
  });

  test("R5 without a usable credential the item is published all the same, and its ARK is minted later", async () => {
    const credential = (active: boolean) => setActive(world, active);
    await credential(false);
    const { item, arkPending } = await world.items.createAndPublish(ada, { content: aContent() });
    expect([item.state, item.ark, arkPending]).toEqual(["published", null, true]);
    const enqueued = await world.store.jobs.listJobs({ kind: MINT_JOB }, null, 10);
    expect(enqueued.map((job) => [job.subject, job.state])).toEqual([[String(item.id), "waiting"]]);
    expect(await world.items.mintFor(item.id)).toBe(false);
    expect(await world.items.mintMissing()).toEqual({ minted: 0, left: 1 });
    await credential(true);
    expect(await world.items.mintMissing()).toEqual({ minted: 1, left: 0 });
    expect((await world.store.items.item(item.id))?.ark).not.toBeNull();
    expect((await world.store.items.item(item.id))?.revision).toBe(1);
    expect(await world.items.mintMissing()).toEqual({ minted: 0, left: 0 });
  });

  test("R5 R8 the job that mints is tried again until the item has its name", async () => {
    const own = await openWorld({ items: true });
    const who = await own.person([3]);
    const runner = jobRunner({
      store: own.store,
      kinds: itemJobs({ ...own, clock: { now: () => own.time.now }, timeZone: "UTC", log: quietLog }),
      clock: { now: () => own.time.now },
      log: quietLog,
      owner: "test",
    });
    await setActive(own, false);
    const { item } = await own.items.createAndPublish(who, { content: aContent() });
    expect(await runner.runDue()).toBeGreaterThan(0);
    const [job] = await own.store.jobs.listJobs({ kind: MINT_JOB }, null, 1);
    expect([job?.state, job?.attempts]).toEqual(["waiting", 1]);
    await setActive(own, true);
    own.time.now = "2026-11-20T10:00:30.000Z";
    await runner.runDue();
    expect((await own.store.items.item(item.id))?.ark).not.toBeNull();
    expect((await own.store.jobs.listJobs({ kind: MINT_JOB }, null, 1))[0]?.state).toBe("done");
  });

  test("R5 switched off items get no ARK, and nothing waits for one", async () => {
    const off = await openWorld({ items: { arks: false } });
    const who = await off.person([3]);
    const { item, arkPending } = await off.items.createAndPublish(who, { content: aContent() });
    expect([item.ark, arkPending]).toEqual([null, false]);
    expect(await off.items.mintMissing()).toEqual({ minted: 0, left: 0 });
  });

  test("R5 an ARK that was purged keeps no item from being deleted and restored", async () => {
    const item = await publish();
    await world.store.arks.transact(async (tx) => {
      const record = (await tx.arks([item.ark ?? ""])).get(item.ark ?? "");
      if (record === undefined) throw new Error("no ARK");
      await tx.updateArks([
        { ...record, state: "purged", url: "", publishedAt: null, withdrawnAt: NOW, withdrawnReason: "x" },
      ]);
    });
    expect((await world.items.remove(ada, item.id)).state).toBe("deleted");
    expect((await world.items.restore(admin, item.id)).state).toBe("published");
  });
});

describe("versions, deletion and restoration (R2a to R2c)", () => {
  test("R2b a new version is a new item under the same parent, and only the latest has one", async () => {
    const one = await publish();
    const two = (await world.items.newVersion(ada, one.id, { content: aContent() })).item;
    expect([two.parentId, two.versionIndex, two.revision, two.isLatest]).toEqual([one.parentId, 2, 1, true]);
    expect((await world.store.items.item(one.id))?.isLatest).toBe(false);
    const seen = await world.items.readable(GUEST, one.id);
    expect([seen.replaces, seen.isReplacedBy]).toEqual([null, two.id]);
    expect((await world.items.readable(GUEST, two.id)).replaces).toBe(one.id);
    const refusal = await refused(world.items.newVersion(ada, one.id, { content: aContent() }));
    expect([refusal.kind, refusal.detail.latest]).toEqual(["invalid", two.id]);
  });

  test("R2c deleting the latest version makes the previous live one latest, restoring turns that back", async () => {
    const one = await publish();
    const two = (await world.items.newVersion(ada, one.id, { content: aContent() })).item;
    await world.items.remove(ada, two.id);
    expect((await world.store.items.parent(one.parentId))?.latest).toBe(one.id);
    await world.items.remove(ada, one.id);
    expect((await world.store.items.parent(one.parentId))?.latest).toBeNull();
    await world.items.restore(admin, two.id);
    expect((await world.store.items.parent(one.parentId))?.latest).toBe(two.id);
    await world.items.restore(admin, one.id);
    expect((await world.store.items.parent(one.parentId))?.latest).toBe(two.id);
  });

  test("R2c a deletion is one act: state, revision, tombstone, audit; its citation is kept", async () => {
    const item = await publish({ metadata: titled("Cited") });
    const deleted = await world.items.remove(ada, item.id, { reason: "spam", note: "by mistake" });
    expect([deleted.state, deleted.revision]).toEqual(["deleted", 2]);
    expect(await world.store.items.tombstone(item.id)).toEqual({
      itemId: item.id,
      reason: "spam",
      note: "by mistake",
      by: ada.account?.id ?? 0,
      at: NOW,
      citation: `Doe, A. (2024). Cited. https://repo.example.org/records/${item.id}`,
      isVisible: true,
    });
    const events = await world.store.events(`item:${item.id}`, 10);
    expect(events.map((event) => event.action)).toEqual(["item.delete", "item.publish"]);
    expect(await kindOf(world.items.remove(ada, item.id))).toBe("gone");
    expect(await kindOf(world.items.revise(ada, item.id, { content: aContent() }))).toBe("gone");
  });

  test("R2c through SWORD a tombstone has no reason and an empty note", async () => {
    const item = await publish();
    await world.items.remove(ada, item.id);
    expect(await world.store.items.tombstone(item.id)).toMatchObject({ reason: null, note: "" });
  });

  test("R2c what guests could not read is not cited on its tombstone", async () => {
    const item = await publish({ metadata: titled("Secret"), ...withAccess({ record: "restricted" }) });
    await world.items.remove(ada, item.id);
    expect((await world.store.items.tombstone(item.id))?.citation).toBe("");
  });

  test("R2a R2c what lived is restored by administrators only, and only what is deleted", async () => {
    const item = await publish();
    expect(await kindOf(world.items.restore(admin, item.id))).toBe("conflict");
    await world.items.remove(ada, item.id);
    expect(await kindOf(world.items.restore(ada, item.id))).toBe("forbidden");
    expect((await world.items.restore(admin, item.id)).revision).toBe(3);
    expect(await world.store.items.tombstone(item.id)).toBeNull();
  });

  test("R2c what is restored is in no index that is gone", async () => {
    await world.store.transact((tx) => tx.indexes.insertIndex(anIndex({ id: 67 })));
    const item = await publish({ indexes: [2, 67] });
    await world.items.remove(ada, item.id);
    await world.store.transact((tx) => tx.indexes.deleteIndexes([67], NOW));
    expect((await world.items.restore(admin, item.id)).content?.indexes).toEqual([2]);
  });

  test("R2a a parent's number is not an item where something is written", async () => {
    const number: number = (await publish()).parentId;
    expect(await kindOf(world.items.revise(admin, number, { content: aContent() }))).toBe("not_found");
    expect(await kindOf(world.items.remove(admin, number))).toBe("not_found");
    expect(await kindOf(world.items.newVersion(admin, number, { content: aContent() }))).toBe("not_found");
  });

  test("R2b a change of a revision that is not the one seen is refused, and nothing is written", async () => {
    const item = await publish();
    await world.items.revise(ada, item.id, { content: aContent(), expected: 1 });
    const refusal = await refused(world.items.revise(ada, item.id, { content: aContent(), expected: 1 }));
    expect([refusal.kind, refusal.detail.revision]).toEqual(["precondition", 2]);
    expect(await kindOf(world.items.remove(ada, item.id, { expected: 1 }))).toBe("precondition");
  });
});

describe("reading (R2a, R2c, R2d)", () => {
  test("R2a a parent's number is the latest version the viewer may read", async () => {
    const one = await publish();
    const restricted = aContent(withAccess({ record: "restricted" }));
    const two = (await world.items.newVersion(ada, one.id, { content: restricted })).item;
    const guest = await world.items.readable(GUEST, one.parentId);
    expect([guest.item.id, guest.byParent]).toEqual([one.id, true]);
    expect((await world.items.readable(ada, one.parentId)).item.id).toBe(two.id);
    await world.items.remove(ada, one.id);
    expect(await kindOf(world.items.readable(GUEST, one.parentId))).toBe("forbidden");
    await world.items.remove(ada, two.id);
    expect(await kindOf(world.items.readable(GUEST, one.parentId))).toBe("gone");
  });

  test("R2a R2d the versions listed are those the viewer may read, and so are the newer and the older one", async () => {
    const restricted = withAccess({ record: "restricted" });
    const one = await publish();
    const two = (await world.items.newVersion(ada, one.id, { content: aContent() })).item;
    const three = (await world.items.newVersion(ada, two.id, { content: aContent(restricted) })).item;
    const visible = async (viewer: Viewer, id: number) => {
      const { versions, replaces, isReplacedBy } = await world.items.readable(viewer, id);
      return { versions: versions.map((each) => [each.id, each.isLatest]), replaces, isReplacedBy };
    };
    const guests = [
      [one.id, false],
      [two.id, true],
    ];
    for (const viewer of [GUEST, bob]) {
      expect(await visible(viewer, one.id)).toEqual({ versions: guests, replaces: null, isReplacedBy: two.id });
      expect(await visible(viewer, two.id)).toEqual({ versions: guests, replaces: one.id, isReplacedBy: null });
    }
    for (const viewer of [ada, admin]) {
      expect(await visible(viewer, two.id)).toEqual({
        versions: [
          [one.id, false],
          [two.id, false],
          [three.id, true],
        ],
        replaces: one.id,
        isReplacedBy: three.id,
      });
    }
  });

  test("R2c R2d a deleted item is gone with its tombstone, a draft and an unknown number are not found, a private record is forbidden", async () => {
    const item = await publish();
    await world.items.remove(ada, item.id, { reason: "copyright" });
    const gone = await refused(world.items.readable(GUEST, item.id));
    expect(gone.kind).toBe("gone");
    expect(gone.detail.tombstone).toMatchObject({ reason: "copyright", by: null });
    const draft = await world.items.createDraft(ada, { content: aContent({ files: [aFile("a")] }) });
    expect(await kindOf(world.items.readable(GUEST, draft.item.id))).toBe("not_found");
    expect(await kindOf(world.items.readable(bob, draft.item.id))).toBe("not_found");
    const own = await world.items.readable(ada, draft.item.id);
    expect([own.draft?.counter, own.files[0]?.readable]).toEqual([1, true]);
    expect(await kindOf(world.items.readable(GUEST, 99_999_999))).toBe("not_found");
    const secret = await publish(withAccess({ record: "restricted" }));
    expect(await kindOf(world.items.readable(GUEST, secret.id))).toBe("forbidden");
    expect((await world.items.readable(ada, secret.id)).privileged).toBe(true);
  });

  test("R2d each file shows whether the viewer may have it", async () => {
    const files = [
      aFile("open"),
      aFile("closed", { access: "closed" }),
      aFile("later", { access: "date", accessDate: "2026-11-21" }),
    ];
    const item = await publish({ files });
    const readable = async (who: Viewer) =>
      (await world.items.readable(who, item.id)).files.map((each) => each.readable);
    expect(await readable(GUEST)).toEqual([true, false, false]);
    expect(await readable(ada)).toEqual([true, true, true]);
    world.time.now = "2026-11-21T00:00:00.000Z";
    expect(await readable(GUEST)).toEqual([true, false, true]);
    world.time.now = NOW;
  });

  test("R2d lists and counts hold what the viewer may read and nothing else", async () => {
    const own = await openWorld({ items: true });
    const [owner, other] = [await own.person([3]), await own.person([3])];
    const curator = await own.person([3], { memberships: [memberOf(own, "curator")] });
    const boss = await own.person([2]);
    const make = async (fields: Parameters<typeof aContent>[0]) =>
      (await own.items.createAndPublish(owner, { content: aContent(fields) })).item.id;
    const base = aContent().access;
    const open = await make({});
    const restricted = await make({ access: { ...base, record: "restricted" } });
    const tomorrow = await make({ access: { ...base, openDate: "2026-11-21" } });
    const embargo = await make({ access: { ...base, record: "restricted", embargoUntil: "2026-11-21" } });
    const hidden = await make({ indexes: [3] });
    const both = await make({ indexes: [3, 2] });
    const inC1 = await make({ indexes: [11], access: { ...base, record: "restricted" } });
    const gone = await make({});
    await own.items.remove(owner, gone);
    const draft = (await own.items.createDraft(owner, { content: aContent() })).item.id;
    const ids = async (who: Viewer, filter = {}) =>
      (await own.items.list(who, filter, null, 100)).map(({ id }) => id).reverse();
    expect(await ids(GUEST)).toEqual([open, both]);
    expect(await ids(other)).toEqual([open, both]);
    expect(await ids(curator)).toEqual([open, both, inC1]);
    expect(await ids(owner, { state: "published" })).toEqual([open, restricted, tomorrow, embargo, hidden, both, inC1]);
    expect(await ids(boss)).toEqual([open, restricted, tomorrow, embargo, hidden, both, inC1, gone, draft]);
    expect(await ids(GUEST, { index: 3 })).toEqual([both]);
    expect(await own.items.count(GUEST, {})).toBe(2);
    expect(await own.items.count(curator, {})).toBe(3);
    own.time.now = "2026-11-21T00:00:00.000Z";
    expect(await ids(GUEST)).toEqual([open, tomorrow, embargo, both]);
    await own.store.transact(async (tx) => {
      await tx.indexes.insertIndex(anIndex({ id: 4 }));
      const three = await tx.indexes.index(3);
      if (three !== null) await tx.indexes.updateIndex({ ...three, publicState: true });
      await tx.indexes.raiseTreeRevision();
    });
    expect(await ids(GUEST)).toEqual([open, tomorrow, embargo, hidden, both]);
  });

  test("R2d a list agrees with what can be read one by one", async () => {
    const everything = await world.items.list(admin, { state: "published" }, null, 1000);
    for (const who of [GUEST, bob, ada]) {
      const listed = new Set((await world.items.list(who, { state: "published" }, null, 1000)).map(({ id }) => id));
      for (const { id } of everything) {
        const readable = await world.items.readable(who, id).then(
          () => true,
          () => false,
        );
        expect([id, listed.has(id)]).toEqual([id, readable]);
      }
    }
  });
});

describe("embargoes (R2d)", () => {
  test("R2d the job makes both facts public on the day, as one more revision, and the ARK is described", async () => {
    const until = { embargoUntil: "2026-12-01", embargoReason: "thesis" };
    const hidden = withAccess({ record: "restricted", files: "restricted", ...until });
    const item = await publish({ metadata: titled("Thesis"), ...hidden });
    world.time.now = "2026-11-30T23:59:59.999Z";
    expect(await world.items.liftEmbargoes()).toBe(0);
    expect(await kindOf(world.items.readable(GUEST, item.id))).toBe("forbidden");
    world.time.now = "2026-12-01T00:00:00.000Z";
    expect((await world.items.readable(GUEST, item.id)).accessStatus).toBe("metadata-only");
    expect(await world.items.liftEmbargoes()).toBe(1);
    expect(await world.items.liftEmbargoes()).toBe(0);
    const lifted = await world.store.items.item(item.id);
    expect(lifted?.content?.access).toMatchObject({ record: "public", files: "public", embargoUntil: null });
    expect(lifted?.revision).toBe(2);
    expect((await arkOf(item.id))?.title).toBe("Thesis");
    world.time.now = NOW;
  });

  test("R2d every embargo that has ended is lifted, however many end on one day", async () => {
    const many = await openWorld({ items: { arks: false } });
    const who = await many.person([3]);
    const access = { ...aContent().access, record: "restricted" as const, embargoUntil: "2026-12-24" };
    for (let n = 0; n < 201; n++) await many.items.createAndPublish(who, { content: aContent({ access }) });
    many.time.now = "2026-12-24T00:00:00.000Z";
    expect(await many.items.liftEmbargoes()).toBe(201);
  });

  test("R5 R2d an ARK is described when the open date has come", async () => {
    const item = await publish({ metadata: titled("Later"), ...withAccess({ openDate: "2026-12-24" }) });
    expect((await arkOf(item.id))?.title).toBe("");
    world.time.now = "2026-12-24T00:00:00.000Z";
    expect(await world.items.describeOpened("2026-12-23")).toBe(1);
    expect((await arkOf(item.id))?.title).toBe("Later");
    world.time.now = NOW;
  });
});

test("R2d R5 R8 each day a job ends what ends on it and describes what opens on it, also after days without a process", async () => {
  const own = await openWorld({ items: true });
  const clock = { now: () => own.time.now };
  const who = await own.person([3]);
  const make = async (access: object) =>
    (await own.items.createAndPublish(who, { content: aContent(withAccess({ ...access })) })).item;
  const embargoed = await make({ record: "restricted", embargoUntil: "2026-11-22" });
  const later = await make({ openDate: "2026-11-23" });
  const kinds = itemJobs({ ...own, clock, timeZone: "UTC", log: quietLog });
  const runner = jobRunner({ store: own.store, kinds, clock, log: quietLog, owner: "test" });
  await own.store.transact((tx) => tx.jobs.enqueue({ kind: DAY_JOB, subject: "" }, own.time.now));
  await runner.runDue();
  const title = async (key: string | null) => (await own.store.arks.arks([key ?? ""])).get(key ?? "")?.title;
  expect([await title(embargoed.ark), await title(later.ark)]).toEqual(["", ""]);
  own.time.now = "2026-11-25T08:00:00.000Z";
  await runner.runDue();
  expect((await own.store.items.item(embargoed.id))?.content?.access.record).toBe("public");
  expect([await title(embargoed.ark), await title(later.ark)]).not.toContain("");
});

describe("who may (R2e), at the core's own interfaces", () => {
  test("R2e nothing is filed where contribute does not admit", async () => {
    await world.store.transact((tx) => tx.indexes.insertIndex(anIndex({ id: 50, contributeRole: [2] })));
    const item = await publish({ indexes: [2] });
    expect(await kindOf(world.items.file(ada, item.id, 50))).toBe("forbidden");
    expect((await world.items.file(admin, item.id, 50)).item.content?.indexes).toEqual([2, 50]);
    // Where it lies already it may be put again by who may change the item.
    expect((await world.items.file(ada, item.id, 50)).item.content?.indexes).toEqual([2, 50]);
  });
  test("R2e R15 others change nothing; whom it is shared with changes it and does not delete it", async () => {
    const item = await publish();
    expect(await kindOf(world.items.setPublic(bob, item.id, false))).toBe("forbidden");
    expect(await kindOf(world.items.setPublic(GUEST, item.id, false))).toBe("unauthenticated");
    await world.items.share(item.id, [bob.account?.id ?? 0]);
    expect((await world.items.setPublic(bob, item.id, false)).item.revision).toBe(2);
    expect(await kindOf(world.items.remove(bob, item.id))).toBe("forbidden");
  });
  test("R2e an item has an owner who is there; the command line names one", async () => {
    const owner = bob.account?.id ?? 0;
    const { item } = await world.items.createAndPublish(REPOSITORY_OPERATOR, { content: aContent(), owner });
    expect((await world.store.items.parent(item.parentId))?.owner).toBe(owner);
    expect(await kindOf(world.items.createAndPublish(REPOSITORY_OPERATOR, { content: aContent() }))).toBe("invalid");
    const nobody = await refused(world.items.createAndPublish(admin, { content: aContent(), owner: 999_999 }));
    expect([nobody.kind, nobody.message]).toEqual(["invalid", "Account 999999 does not exist"]);
  });
  test("R2e drafts of others are not found, published items of others are forbidden", async () => {
    const draft = await world.items.createDraft(ada, { content: aContent() });
    const item = await publish();
    for (const change of [
      (id: number) => world.items.setPublic(bob, id, false),
      (id: number) => world.items.file(bob, id, 1),
      (id: number) => world.items.unfile(bob, id, 1),
      (id: number) => world.items.remove(bob, id),
    ]) {
      expect(await kindOf(change(draft.item.id))).toBe("not_found");
      expect(await kindOf(change(item.id))).toBe("forbidden");
    }
  });
});

describe("what is in the way (R2f, R19)", () => {
  test("R2f somebody's unsaved work keeps others from changing the item, and is not overwritten", async () => {
    const item = await publish();
    await world.items.share(item.id, [bob.account?.id ?? 0]);
    await world.items.saveDraft(bob, item.id, { content: aContent() });
    const works = [
      () => world.items.revise(ada, item.id, { content: aContent() }),
      () => world.items.remove(ada, item.id),
      () => world.items.newVersion(ada, item.id, { content: aContent() }),
      () => world.items.saveDraft(ada, item.id, { content: aContent() }),
    ];
    for (const work of works) {
      const busy = await refused(work());
      expect(busy).toBeInstanceOf(ItemBusy);
      expect([busy.kind, busy.detail]).toEqual(["conflict", { item: item.id, reason: "in activity" }]);
    }
    expect((await world.store.items.draft(item.id))?.counter).toBe(1);
    await world.items.discardDraft(bob, item.id);
    expect((await world.items.revise(ada, item.id, { content: aContent() })).item.revision).toBe(2);
  });

  test("R19 a lock keeps others out, its owner goes on, and it ends by itself", async () => {
    const item = await publish();
    const word = await world.items.takeLock(item.id, "import", 60_000);
    expect((await refused(world.items.revise(ada, item.id, { content: aContent() }))).detail.reason).toBe("importing");
    expect((await refused(world.items.takeLock(item.id, "edit", 60_000))).detail.reason).toBe("importing");
    expect((await world.items.revise(ada, item.id, { content: aContent(), lockOwner: word })).item.revision).toBe(2);
    expect(await world.items.takeLock(item.id, "edit", 120_000, word)).toBe(word);
    expect((await refused(world.items.remove(ada, item.id))).detail.reason).toBe("edited");
    world.time.now = "2026-11-20T10:02:00.000Z";
    expect((await world.items.revise(ada, item.id, { content: aContent() })).item.revision).toBe(3);
    world.time.now = NOW;
    await world.items.releaseLock(item.id, word);
    expect((await world.items.remove(ada, item.id)).state).toBe("deleted");
    expect(await kindOf(world.items.takeLock(99_999_999, "edit", 1))).toBe("not_found");
  });

  test("R2b one version at a time is prepared, and publishing it makes it the latest", async () => {
    const item = await publish();
    const { item: next, draft } = await world.items.newVersionDraft(ada, item.id, {});
    expect([next.versionIndex, next.state, draft.counter]).toEqual([2, "draft", 1]);
    expect((await refused(world.items.newVersionDraft(ada, item.id, {}))).detail).toEqual({
      item: item.id,
      draft: next.id,
    });
    expect((await world.store.items.parent(item.parentId))?.latest).toBe(item.id);
    const published = await world.items.publishDraft(ada, next.id);
    expect([published.item.isLatest, published.item.revision]).toEqual([true, 1]);
  });
});

describe("items of activities (R16)", () => {
  const how = {
    activityId: "A-20261120-00001",
    depositor: 0,
    onBehalfOf: null,
    packageName: "p.zip",
    packageSha256: "ab".repeat(32),
  };
  const begin = async (fields: Parameters<typeof aContent>[0] = {}) => {
    const content = aContent(fields);
    const made = await world.store.transact((tx) =>
      world.items.core.createDraft(tx, ada, { content, activityId: how.activityId, pending: true }),
    );
    return made.item;
  };

  test("R16 R2f the draft of an activity is published by it alone, into the index that was named where it names none", async () => {
    const item = await begin();
    expect((await refused(world.items.publishDraft(ada, item.id))).detail.reason).toBe("in activity");
    expect((await refused(world.items.saveDraft(ada, item.id, { content: aContent() }))).detail.reason).toBe(
      "in activity",
    );
    const published = await world.store.transact((tx) =>
      world.items.activityItems.publishDraft(tx, admin, item.id, { ...how, index: 2 }),
    );
    expect([published.state, published.content?.indexes]).toEqual(["published", [2]]);
    expect(published.ark).not.toBeNull();
    const revision = await world.store.items.revision(item.id, 1);
    expect([revision?.packageName, revision?.by]).toEqual(["p.zip", admin.account?.id]);
    const other = await begin({ indexes: [1] });
    const kept = await world.store.transact((tx) =>
      world.items.activityItems.publishDraft(tx, admin, other.id, { ...how, index: 2 }),
    );
    expect(kept.content?.indexes).toEqual([1]);
  });

  test("R16 cancelling a new item leaves nothing to be found, cancelling a change leaves the item as it was", async () => {
    const item = await begin();
    await world.store.transact((tx) => world.items.activityItems.discardDraft(tx, ada, item.id, how.activityId));
    expect(await kindOf(world.items.readable(ada, item.id))).toBe("not_found");
    const published = await publish();
    await world.store.transact((tx) =>
      world.items.core.saveDraft(tx, ada, published.id, { content: aContent(), activityId: how.activityId }),
    );
    await world.store.transact((tx) => world.items.activityItems.discardDraft(tx, ada, published.id, how.activityId));
    expect(await world.store.items.item(published.id)).toEqual(published);
    expect(await world.store.items.draft(published.id)).toBeNull();
  });

  test("R2b a version that was given up while an activity still speaks of it leaves no gap among the versions", async () => {
    const one = await publish();
    const workflow = await world.store.transact((tx) =>
      tx.settings.saveWorkflow(
        {
          ...{ id: 0, name: { en: "W", ja: "W" }, itemType: 1, index: null, actions: ["start", "approval", "end"] },
          ...{ approvers: { roles: [], accounts: [], communities: [] }, delete: null, deleted: false },
        },
        NOW,
      ),
    );
    const given = await world.store.transact(async (tx) => {
      const { item } = await world.items.core.newVersionDraft(tx, ada, one.id, { activityId: "A-20261120-00002" });
      await tx.activities.insertActivity({
        ...{ id: "A-20261120-00002", workflow, kind: "registration", itemId: item.id, state: "C", step: 1 },
        ...{ actions: ["start", "approval", "end"], title: "", account: ada.account?.id ?? 0 },
        ...{ onBehalfOf: null, holder: null },
        ...{ clientId: "", packageName: null, packageSha256: null, note: "", createdAt: NOW, updatedAt: NOW },
      });
      await world.items.activityItems.discardDraft(tx, ada, item.id, "A-20261120-00002");
      return item;
    });
    expect(given.versionIndex).toBe(2);
    expect((await world.items.newVersion(ada, one.id, { content: aContent() })).item.versionIndex).toBe(2);
    expect(await kindOf(world.items.readable(ada, given.id))).toBe("not_found");
  });
});

describe("communities (R6a) and indexes (R25)", () => {
  test("R6a filing below a community's root joins it, taking away the last such index of any version leaves it", async () => {
    const communities = async (parent: number) => (await world.store.items.parent(parent))?.communities;
    const one = await publish({ indexes: [11] });
    expect(await communities(one.parentId)).toEqual([world.community]);
    const two = (await world.items.newVersion(ada, one.id, { content: aContent({ indexes: [1, 2] }) })).item;
    await world.items.unfile(ada, one.id, 11);
    expect(await communities(one.parentId)).toEqual([world.community]);
    await world.items.unfile(ada, two.id, 1);
    expect(await communities(one.parentId)).toEqual([]);
    await world.items.file(ada, two.id, 11);
    expect(await communities(one.parentId)).toEqual([world.community]);
  });

  test("R6a a membership that hangs on no index stays when indexes change", async () => {
    const item = await publish({ indexes: [2] });
    await world.store.transact((tx) => tx.items.setCommunities(item.parentId, [world.community]));
    await world.items.unfile(ada, item.id, 2);
    expect((await world.store.items.parent(item.parentId))?.communities).toEqual([world.community]);
  });

  test("R25 what became private with its last index is public again once it is filed", async () => {
    await world.store.transact((tx) => tx.indexes.insertIndex(anIndex({ id: 60 })));
    const item = await publish({ indexes: [60] });
    const secret = await publish({ indexes: [60], ...withAccess({ record: "restricted" }) });
    const embargoed = await publish({ indexes: [60], ...withAccess({ embargoUntil: "2027-01-01" }) });
    await world.store.transact(async (tx) => {
      await tx.indexes.unfile([60], { action: "index.delete", at: NOW, by: null });
      await tx.indexes.deleteIndexes([60], NOW);
    });
    expect((await world.store.items.item(item.id))?.content?.access.record).toBe("restricted");
    // An embargo that goes on would open on its day what nobody has filed.
    expect((await world.store.items.item(embargoed.id))?.content?.access).toMatchObject({
      files: "restricted",
      embargoUntil: null,
    });
    expect((await world.items.file(ada, item.id, 2)).item.content?.access.record).toBe("public");
    expect((await world.items.file(ada, secret.id, 2)).item.content?.access.record).toBe("restricted");
    expect((await world.items.file(ada, embargoed.id, 2)).item.content?.access).toMatchObject({
      record: "public",
      embargoUntil: "2027-01-01",
    });
    expect(await kindOf(world.items.file(admin, item.id, 60))).toBe("invalid");
  });

  test("R16a taking the last index away never makes an item public: what only some could browse is private, and is again what it was once it is filed", async () => {
    const closedOnes = { closed: 61, hidden: 62, later: 63, staff: 64, below: 65 } as const;
    await world.store.transact(async (tx) => {
      for (const node of [
        anIndex({ id: closedOnes.closed, publicState: false }),
        anIndex({ id: closedOnes.hidden, publicState: true, browsingRole: [1, 2] }),
        anIndex({ id: closedOnes.later, publicDate: "2999-01-01" }),
        anIndex({ id: closedOnes.staff, browsingRole: [-98] }),
        anIndex({ id: closedOnes.below, parent: closedOnes.closed }),
      ]) {
        await tx.indexes.insertIndex(node);
      }
    });
    for (const index of Object.values(closedOnes)) {
      const item = await publish({ indexes: [index], ...withAccess({ embargoUntil: "2027-01-01" }) });
      expect(await kindOf(world.items.readable(GUEST, item.id))).toBe("forbidden");
      const { item: left } = await world.items.unfile(ada, item.id, index);
      expect([index, left.content?.access]).toEqual([
        index,
        expect.objectContaining({ record: "restricted", files: "restricted", embargoUntil: null }),
      ]);
      expect(await kindOf(world.items.readable(GUEST, item.id))).toBe("forbidden");
      const { item: filed } = await world.items.file(ada, item.id, 1);
      expect(filed.content?.access).toEqual(item.content?.access);
    }
    const open = await publish({ indexes: [1] });
    expect((await world.items.unfile(ada, open.id, 1)).item.content?.access).toEqual(open.content?.access);
    const two = await publish({ indexes: [closedOnes.closed, 1] });
    const { item: hidden } = await world.items.unfile(ada, two.id, 1);
    expect([hidden.content?.access.record, await kindOf(world.items.readable(GUEST, two.id))]).toEqual([
      "public",
      "forbidden",
    ]);
  });

  test("R16a R25 a change without access leaves the access of a filed item as it was; one with access decides", async () => {
    await world.store.transact((tx) => tx.indexes.insertIndex(anIndex({ id: 66 })));
    const [changed, stated, restored] = [
      await publish({ indexes: [66] }),
      await publish({ indexes: [66] }),
      await publish({ indexes: [66] }),
    ];
    await world.items.remove(ada, restored.id);
    await world.store.transact(async (tx) => {
      await tx.indexes.unfile([66], { action: "index.delete", at: NOW, by: null });
      await tx.indexes.deleteIndexes([66], NOW);
    });
    const contentOf = async (id: number): Promise<ItemContent> => {
      const content = (await world.store.items.item(id))?.content;
      if (content === null || content === undefined) throw new Error(`Item ${id} has no content`);
      return content;
    };
    for (const word of ["One", "Two"]) {
      await world.items.revise(ada, changed.id, {
        content: { ...(await contentOf(changed.id)), metadata: titled(word) },
      });
    }
    expect((await world.items.file(ada, changed.id, 1)).item.content?.access.record).toBe("public");
    await world.items.setPublic(ada, stated.id, true);
    await world.items.setPublic(ada, stated.id, false);
    expect((await world.items.file(ada, stated.id, 1)).item.content?.access.record).toBe("restricted");
    await world.items.restore(admin, restored.id);
    expect((await contentOf(restored.id)).access.record).toBe("restricted");
    expect((await world.items.file(ada, restored.id, 1)).item.content?.access.record).toBe("public");
  });

  test("filing where it lies already, and taking away from where it does not lie, changes nothing", async () => {
    const item = await publish({ indexes: [2] });
    expect((await world.items.file(ada, item.id, 2)).item.revision).toBe(1);
    expect((await world.items.unfile(ada, item.id, 1)).item.revision).toBe(1);
  });
});

describe("erasing (R2b)", () => {
  test("R2b one old revision, one file everywhere, the whole item: id, ARK, numbers and the fact stay", async () => {
    const files = [aFile("x.txt", { storageKey: "erase-x" }), aFile("y.txt", { storageKey: "erase-y" })];
    const item = await publish({ metadata: titled("Private matters"), files });
    await world.items.revise(ada, item.id, { content: aContent({ metadata: titled("Clean"), files }) });
    expect(await kindOf(world.items.erase(ada, item.id, { revision: 1, file: null }))).toBe("forbidden");
    for (const file of [null, "x.txt"])
      expect(await kindOf(world.items.erase(admin, item.id, { revision: 2, file }))).toBe("invalid");
    expect(await world.items.erase(admin, item.id, { revision: 1, file: null })).toBe(1);
    const old = await world.store.items.revision(item.id, 1);
    expect([old?.erasedAt, old?.content.metadata.titles, old?.content.files]).toEqual([NOW, [], []]);
    expect((await world.store.items.item(item.id))?.content?.files.length).toBe(2);

    expect(await world.items.erase(admin, item.id, { revision: null, file: "x.txt" })).toBe(1);
    const current = await world.store.items.item(item.id);
    expect([current?.revision, current?.content?.files.map(({ name }) => name)]).toEqual([3, ["y.txt"]]);
    expect((await world.store.items.revision(item.id, 2))?.content.files.map(({ name }) => name)).toEqual(["y.txt"]);
    expect([...(await world.store.items.namedKeys(["erase-x", "erase-y"]))]).toEqual(["erase-y"]);

    const later = "2026-11-30T00:00:00.000Z";
    world.time.now = later;
    // What was erased before keeps its moment.
    expect(await world.items.erase(admin, item.id, { revision: null, file: null })).toBe(3);
    const moments = await Promise.all([1, 2, 3, 4].map((each) => world.store.items.revision(item.id, each)));
    expect(moments.map((each) => each?.erasedAt)).toEqual([NOW, later, later, later]);
    world.time.now = NOW;
    expect((await world.store.items.namedKeys(["erase-y"])).size).toBe(0);
    const rest = await world.store.items.item(item.id);
    expect([rest?.state, rest?.ark, rest?.content?.metadata.titles]).toEqual(["deleted", item.ark, []]);
    expect((await world.store.items.tombstone(item.id))?.citation).toBe("");
    expect(await arkOf(item.id)).toMatchObject({ state: "tombstoned", title: "" });
    expect(await kindOf(world.items.restore(admin, item.id))).toBe("conflict");
  });

  test("R2b a file erased in one revision stays in the others", async () => {
    const files = [aFile("z.txt", { storageKey: "erase-z" })];
    const item = await publish({ files });
    await world.items.revise(ada, item.id, { content: aContent({ files }) });
    expect(await world.items.erase(admin, item.id, { revision: 1, file: "z.txt" })).toBe(1);
    expect((await world.store.items.revision(item.id, 1))?.content.files).toEqual([]);
    expect((await world.store.items.revision(item.id, 2))?.content.files).toEqual(files);
  });
});

describe("what no item may be", () => {
  test.each<[string, Parameters<typeof aContent>[0], string]>([
    ["two files with one name", { files: [aFile("a"), aFile("a")] }, 'Two files are called "a"'],
    ["a file without a name", { files: [aFile("")] }, 'Cannot keep a file called ""'],
    ["a control character in a name", { files: [aFile("a\u0000b")] }, "control characters"],
    [
      "a file that opens on no day",
      { files: [aFile("a", { access: "date", accessDate: "2026-02-30" })] },
      '"2026-02-30"',
    ],
    ["one index twice", { indexes: [1, 1] }, "Index 1 is named twice"],
    ["an unknown index", { indexes: [777] }, "index 777: there is no such index"],
    ["no open date", withAccess({ openDate: "soon" }), '"soon"'],
    ["an embargo without a day", withAccess({ embargoUntil: "2026-1-1" }), '"2026-1-1"'],
    ["101 indexes", { indexes: Array.from({ length: 101 }, (_, i) => i + 1) }, "at most 100 indexes, not 101"],
    [
      "10,001 files",
      { files: Array.from({ length: 10_001 }, (_, i) => aFile(`f${i}`)) },
      "at most 10000 files, not 10001",
    ],
  ])("an item with %s is refused, and nothing is written", async (_, fields, words) => {
    const before = await world.store.items.countItems({});
    const refusal = await refused(publish(fields, admin));
    expect(await world.store.items.countItems({})).toBe(before);
    expect([refusal.kind, refusal.message.includes(words)]).toEqual(["invalid", true]);
  });
});
