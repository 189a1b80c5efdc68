// Viewers find what they may read, and nothing else (R2d, R34; how issue 11 is judged): a generated repository, and
// after every one of hundreds of changes the set that each kind of caller finds is the set that the rules of visibility
// admit.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { typesenseIndex } from "../../../src/adapters/typesense-index.ts";
import {
  effectiveRoles,
  GUEST,
  type Membership,
  REPOSITORY_OPERATOR,
  type RoleId,
  type Viewer,
} from "../../../src/auth/account.ts";
import { fileReading, isPrivileged, mayReadRecord, type RecordFacts } from "../../../src/model/access/visibility.ts";
import type { Access, Item } from "../../../src/model/items/item.ts";
import { factsOf } from "../../../src/repository/items/access-facts.ts";
import { FIELDS } from "../../../src/repository/search/document/document.ts";
import type { OpenIndex } from "../../../src/repository/search/index/index-port.ts";
import type { ItemQuery } from "../../../src/repository/search/query/finder.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { startPostgres } from "../../support/postgres.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { type Random, randomFrom } from "../../support/random-from.ts";
import { inSlowRing } from "../../support/slow-ring.ts";
import { collectionsInMemory } from "../../support/typesense/known-collections.ts";
import { standIn } from "../../support/typesense/substitute.ts";
import { aContent, aFile, anIndex, titled } from "../../support/world/items.ts";
import { searching, words } from "../../support/world/search.ts";
import { COMMUNITY } from "../../support/world/seeded.ts";
import { openWorld } from "../../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
const ROLES: readonly RoleId[] = [1, 2, 3, 4, -98, -99];
const DAY_MS = 86_400_000;
const WORD = "needle";

const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function generated(seed: number, open: OpenIndex, url?: string) {
  const random = randomFrom(seed);
  const world = await openWorld({ items: { arks: false, ...(url === undefined ? {} : { url }) } });
  closing.push(world.close);
  const { store, items, time } = world;
  const day = (offset: number): string => new Date(Date.parse(time.now) + offset * DAY_MS).toISOString().slice(0, 10);

  // People of every role, in groups and communities; who they are is changed by changing these lists.
  const people: Viewer[] = [];
  for (const roles of [[3], [4], [], [3, 4], [3], []] satisfies RoleId[][]) people.push(await world.person(roles));
  const account = (at: number): number => people[at]?.account?.id ?? 0;
  const indexes = [1, 11, 2, 3];
  const sha256s = ["aa", "bb", "cc"].map((each) => each.repeat(32));
  const access = (): Access => ({
    record: random.isOne(4) ? "restricted" : "public",
    openDate: day(random.below(5) - 3),
    files: random.isOne(4) ? "restricted" : "public",
    embargoUntil: random.isOne(3) ? day(random.below(5) - 2) : null,
    embargoReason: "",
  });
  const content = () =>
    aContent({
      access: access(),
      metadata: titled("Thing", { languages: [random.pick(["jpn", "eng", "fra"])] }),
      indexes: random.some(indexes, 0.3),
      files: random.some(sha256s, 0.4).map((sha256, at) =>
        aFile(`f${at}`, {
          sha256,
          storageKey: `${sha256}${at}`,
          access: random.pick(["open", "date", "login", "closed"]),
          accessDate: day(random.below(4) - 1),
          groups: random.isOne(2) ? [] : [1 + random.below(3)],
        }),
      ),
    });
  const published: number[] = [];
  const drafts: { readonly id: number; readonly owner: Viewer }[] = [];
  const publish = async (): Promise<void> => {
    const { item } = await items.createAndPublish(WHO, { content: content(), owner: account(random.below(6)) });
    published.push(item.id);
    if (random.isOne(3)) await items.share(item.id, [account(random.below(6))]);
  };
  const parentOf = async (id: number): Promise<number> => (await store.items.item(id))?.parentId ?? 0;
  const changeIndex = (id: number, change: (random: Random) => object): Promise<void> =>
    store.transact(async (tx) => {
      const index = await tx.indexes.index(id);
      if (index !== null) await tx.indexes.updateIndex({ ...index, ...change(random) });
      await tx.indexes.raiseTreeRevision();
    });
  const state = async (id: number) => (await store.items.item(id))?.state;

  const CHANGES: Readonly<Record<string, () => Promise<void>>> = {
    publish,
    async draft() {
      const owner = people[random.below(6)];
      if (owner === undefined || !owner.roles.includes(3)) return;
      const { item } = await items.createDraft(owner, { content: content() });
      drafts.push({ id: item.id, owner });
    },
    async publishDraft() {
      const draft = drafts.pop();
      if (draft === undefined) return;
      await items.publishDraft(draft.owner, draft.id);
      published.push(draft.id);
    },
    async revise() {
      const id = random.pick(published);
      if ((await state(id)) === "published") await items.revise(WHO, id, { content: content() });
    },
    async newVersion() {
      const id = random.pick(published);
      const item = await store.items.item(id);
      if (item?.state !== "published" || !item.isLatest) return;
      published.push((await items.newVersion(WHO, id, { content: content() })).item.id);
    },
    async removeOrRestore() {
      const id = random.pick(published);
      if ((await state(id)) === "published") await items.remove(WHO, id);
      else await items.restore(WHO, id);
    },
    async community() {
      const parent = await parentOf(random.pick(published));
      await store.transact((tx) => tx.items.setCommunities(parent, random.isOne(2) ? [COMMUNITY] : []));
    },
    share: async () => items.share(random.pick(published), random.some([0, 1, 2, 3, 4, 5], 0.3).map(account)),
    hideIndex: () => changeIndex(random.pick(indexes), () => ({ publicState: !random.isOne(3) })),
    dateIndex: () =>
      changeIndex(random.pick(indexes), () => ({ publicDate: random.isOne(2) ? null : day(random.below(4) - 1) })),
    browseIndex: () =>
      changeIndex(random.pick(indexes), () => ({
        browsingRole: random.isOne(2) ? ROLES : random.some(ROLES, 0.4),
        browsingGroup: random.some([1, 2, 3], 0.3),
      })),
    // 1 stays where it is: no index lies below itself.
    moveIndex: () => changeIndex(random.pick([11, 2, 3]), () => ({ parent: random.pick([0, 1]) })),
    async newIndex() {
      if (indexes.length > 8) return;
      const id = 20 + indexes.length;
      await store.transact(async (tx) => {
        await tx.indexes.insertIndex(anIndex({ id, parent: random.pick([0, 1, 2, 3]) }));
        await tx.indexes.raiseTreeRevision();
      });
      indexes.push(id);
    },
    async nextDay() {
      time.now = new Date(Date.parse(time.now) + DAY_MS).toISOString();
    },
    async roles() {
      const at = random.below(6);
      const one = people[at];
      if (one?.account == null) return;
      const changed = { ...one.account, roles: random.some<RoleId>([3, 4], 0.5) };
      const memberships: readonly Membership[] = random.isOne(2)
        ? []
        : [
            {
              communityId: COMMUNITY,
              role: random.pick(["owner", "manager", "curator", "reader"]),
              rootIndex: random.pick([1, null]),
            },
          ];
      people[at] = {
        ...one,
        account: changed,
        roles: effectiveRoles(changed),
        groups: random.some([1, 2, 3], 0.4),
        memberships,
      };
    },
  };

  const search = await searching(world, open);
  closing.push(search.close);
  for (let at = 0; at < 25; at += 1) await publish();
  for (const sha256 of sha256s) {
    await store.transact((tx) =>
      tx.fullText.saveText({ sha256, state: "done", reason: "", reader: 1, at: time.now, text: WORD }),
    );
  }

  const viewers = (): readonly Viewer[] => [GUEST, WHO, ...people];

  /** Everything there is with what decides about it, asked of the database alone; the last first. */
  async function known() {
    const numbers = [...published, ...drafts.map(({ id }) => id)].sort((a, b) => b - a);
    const whole: { readonly item: Item; readonly facts: RecordFacts }[] = [];
    for (const id of numbers) {
      const found = await store.items.withParent(id);
      if (found === null) continue;
      const { item, parent } = found;
      whole.push({ item, facts: await factsOf(store, item, item.content, parent) });
    }
    return whole;
  }

  /** What the rules admit, item by item. */
  function admitted(viewer: Viewer, all: Awaited<ReturnType<typeof known>>) {
    const today = time.now.slice(0, 10);
    const sets = { latest: [] as number[], all: [] as number[], drafts: [] as number[], files: [] as number[] };
    const languages = new Map<string, number>();
    // A newer version that the viewer may not read is not there: the latest is the newest of those that the viewer may
    // (R2h).
    const parents = new Set<number>();
    for (const { item, facts } of all) {
      const { id, content } = item;
      if (item.state === "draft" && isPrivileged(viewer, facts)) sets.drafts.push(id);
      if (!mayReadRecord(viewer, facts, today) || content === null) continue;
      sets.all.push(id);
      if (parents.has(item.parentId)) continue;
      parents.add(item.parentId);
      sets.latest.push(id);
      for (const language of content.metadata.languages) languages.set(language, (languages.get(language) ?? 0) + 1);
      if (content.files.some(fileReading(viewer, facts, today))) sets.files.push(id);
    }
    return { sets, languages };
  }

  async function check(what: string): Promise<void> {
    const all = await known();
    for (const [at, viewer] of viewers().entries()) {
      const { sets, languages } = admitted(viewer, all);
      const found = await search.find(viewer, { facets: [{ field: "facet3", size: 10 }] });
      const ids = async (more: Partial<ItemQuery>) => await search.ids(viewer, more);
      const where = `viewer ${at} after ${what}`;
      expect({ where, found: found.items.map(({ item }) => item.id), total: found.total }).toEqual({
        where,
        found: sets.latest,
        total: sets.latest.length,
      });
      const counts = (found.facets[0] ?? []).map(({ label, count }) => [label, count] as const);
      expect({ where, counts: new Map(counts) }).toEqual({ where, counts: languages });
      expect({ where, all: await ids({ standing: "all" }) }).toEqual({ where, all: sets.all });
      expect({ where, drafts: await ids({ standing: "drafts" }) }).toEqual({ where, drafts: sets.drafts });
      expect({ where, files: await ids({ where: words(WORD, FIELDS.files) }) }).toEqual({ where, files: sets.files });
    }
  }

  return { random, CHANGES, check };
}

async function changed(seed: number, changes: number, open: OpenIndex, url?: string): Promise<void> {
  const { random, CHANGES, check } = await generated(seed, open, url);
  await check("nothing");
  for (let at = 0; at < changes; at += 1) {
    const name = random.pick(Object.keys(CHANGES));
    await CHANGES[name]?.();
    await check(`change ${at}: ${name}`);
  }
}

const EMBEDDED = inSlowRing ? 500 : 150;

describe("R2d R34 R35 what each kind of caller finds, in lists, counts of facets, versions, drafts and words of files", () => {
  test("R2d R34 is what the rules admit, after each of 100 changes, where the index is as plain as can be", async () => {
    await changed(20_261_120, 100, openNaiveIndex);
  }, 300_000);

  test("R2d R34 is what the rules admit, after each of 60 changes, in Typesense", async () => {
    const server = await standIn({ adminKey: "key" });
    closing.push(() => server.stop());
    await changed(
      20_261_122,
      60,
      typesenseIndex({
        urls: [server.url],
        apiKey: "key",
        name: "items",
        collections: collectionsInMemory(),
        log: quietLog,
      }),
    );
    expect(server.unseen).toEqual([]);
  }, 300_000);

  test(`R2d R34 is what the rules admit, after each of ${EMBEDDED} changes, in the embedded index`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-search-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    await changed(20_261_121, EMBEDDED, openEmbeddedIndex({ folder, hold: holdLock }));
  }, 300_000);

  test.skipIf(postgres === null)(
    "R2d R34 is what the rules admit, after each of 60 changes, on PostgreSQL",
    async () => {
      const database = await postgres?.createDatabase();
      if (database !== undefined) await changed(20_261_122, 60, openNaiveIndex, database.url);
    },
    300_000,
  );
});
