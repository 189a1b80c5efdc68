// What is made of all items after an upgrade or a restore, on both databases (R9a, R36): in few statements an item, the
// same as the plain way makes it, whether it was interrupted or not, and with what changes meanwhile.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { databaseThread } from "../../src/main/database-thread.ts";
import type { ItemContent } from "../../src/model/items/item.ts";
import { summaryOf } from "../../src/model/items/summary.ts";
import { publicMetadata } from "../../src/model/metadata/public-metadata.ts";
import { itemJobs, SUMMARY_JOB } from "../../src/repository/items/jobs.ts";
import { HarvestFollower } from "../../src/repository/oai/follower.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { sha256Hex } from "../../src/shared/hash/digests.ts";
import type { Json } from "../../src/shared/json/json.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { fileItems, prepareItems, rawDatabase } from "../support/filed-items.ts";
import { quietLog } from "../support/quiet-log.ts";
import { saidBy } from "../support/world/harvest.ts";
import { aContent, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const FIRST = 1_000;
const ITEMS = 600;
const PLACES = [[], [2], [3], [11, 2]] as const;
const LIST = "verb=ListRecords&metadataPrefix=oai_dc";
const BOUNDS = /^(?:begin|start transaction|commit|rollback|savepoint|release|pragma|set )\b/;

/** Every item another title, place and files: none, several of several kinds, one of them erased. */
async function fill(url: string): Promise<void> {
  const { sql, close } = await rawDatabase(url);
  await prepareItems(sql);
  await fileItems(sql, FIRST, ITEMS, (n) => PLACES[n % PLACES.length] ?? []);
  await sql(`update item set metadata = replace('${JSON.stringify(titled("Tides of @"))}', '@', cast(id as text))
    where id >= ${FIRST}`);
  const entry = (position: number, name: string, key: string, access: string, erased: string): string =>
    `select i.file_set_id, ${position}, '${name}', ${key}, 'ab', null, 5, 'text/plain', ${access}, '{"groups":[]}', ${erased}
      from item i where i.id >= ${FIRST} and i.id % 3 <> 0`;
  const entries = [
    entry(0, "a.txt", "'a' || i.id", "'open', null", "null"),
    entry(1, "b.txt", "'b' || i.id", "'date', '2099-01-0' || (1 + i.id % 5)", "null"),
    entry(2, "c.txt", "null", "'closed', null", "'2026-01-02T00:00:00.000Z'"),
    entry(3, "d.txt", "'d' || i.id", "'login', null", "null"),
  ];
  await sql(`insert into file_set_entry (file_set_id, position, name, storage_key, sha256, md5, size_bytes, media_type, access,
    access_date, properties, erased_at) ${entries.join(" union all ")}`);
  await close();
}

const itemsOf = (store: RepositoryStore) => store.items.items(Array.from({ length: ITEMS }, (_, at) => FIRST + at));

describe("what is made of all items", () => {
  onEachDatabase((database) => {
    let url = "";
    const world = setUpWorld(async () => {
      url = await database.url();
      return { harvest: { url, pageSize: 500 } };
    });
    let store: RepositoryStore;
    let raw: Awaited<ReturnType<typeof rawDatabase>>;
    let statements = 0;
    beforeAll(async () => {
      await fill(url);
      const onStatement = (text: string): void => {
        if (!BOUNDS.test(text)) statements += 1;
      };
      store = await openRepositoryStore({ url, onStatement, thread: databaseThread });
      raw = await rawDatabase(url);
    });
    beforeEach(() => {
      statements = 0;
    });
    afterAll(async () => {
      await raw.close();
      await store.close();
    });

    /** The job of another process, which dies after so many transactions. */
    async function summarise(
      dies = Number.POSITIVE_INFINITY,
      between: () => Promise<void> = async () => {},
      payload: Json = null,
    ) {
      const dying = new AbortController();
      let left = dies;
      const counted: RepositoryStore = {
        ...store,
        transact: async (work, size) => {
          if (left === 0) dying.abort();
          dying.signal.throwIfAborted();
          left -= 1;
          const done = await store.transact(work, size);
          await between();
          return done;
        },
      };
      const { items, time } = world;
      const jobs = itemJobs({ store: counted, clock: { now: () => time.now }, timeZone: "UTC", items, log: quietLog });
      // The job reads nothing else of its row.
      await jobs[SUMMARY_JOB]
        ?.run({ payload } as never, { signal: dying.signal, progress: async () => {} })
        .catch(() => {});
    }
    const summaries = async () =>
      new Map(
        (
          await raw.sql<{ item_id: number; revision: number; content: string }>(
            "select item_id, revision, content from item_summary",
          )
        ).map(({ item_id: id, revision, content }) => [Number(id), { revision, content }]),
      );
    /** The plain way: of each item as it is read for its page. */
    const plainSummaries = async () =>
      new Map(
        (await itemsOf(store)).map(({ id, revision, content }) => [
          id,
          { revision, content: JSON.stringify(summaryOf(content as ItemContent)) },
        ]),
      );

    test("Q.301 Q.302 summaries that are missing take a few statements for hundreds of items, and are those of the plain way", async () => {
      await summarise();
      expect(statements).toBeLessThan(ITEMS / 10);
      expect(await summaries()).toEqual(await plainSummaries());
      statements = 0;
      await summarise();
      expect(statements).toBeLessThan(4);
    });

    test("Q.320 summaries are searched for once a day, however often the program is started", async () => {
      const { time } = world;
      const payload = async () => (await store.jobs.listJobs({ kind: SUMMARY_JOB }, null, 1))[0]?.payload ?? null;
      await summarise();
      const [finished, began] = [await payload(), time.now];
      await raw.sql(`delete from item_summary where item_id = ${FIRST}`);
      await summarise(Number.POSITIVE_INFINITY, async () => {}, finished);
      expect((await summaries()).has(FIRST)).toBe(false);
      expect(await payload()).toEqual(finished);
      time.now = addMilliseconds(began, 86_400_001);
      await summarise(Number.POSITIVE_INFINITY, async () => {}, finished);
      time.now = began;
      expect((await summaries()).has(FIRST)).toBe(true);
    });

    test("Q.303 Q.304 summaries go on where a process died, and keep what changes meanwhile", async () => {
      await raw.sql("delete from item_summary");
      await summarise(2);
      const written = (await summaries()).size;
      expect(written).toBeGreaterThan(100);
      expect(written).toBeLessThan(ITEMS);
      await raw.sql(`update item_summary set content = '{"kept":1}' where item_id = ${FIRST}`);
      let changed = 0;
      await summarise(Number.POSITIVE_INFINITY, async () => {
        const id = FIRST + ITEMS - 2 - changed * 4;
        changed += 1;
        await world.items.revise(REPOSITORY_OPERATOR, id, { content: aContent({ metadata: titled(`New ${id}`) }) });
      });
      expect(changed).toBeGreaterThan(1);
      const expected = await plainSummaries();
      expected.set(FIRST, { revision: 1, content: '{"kept":1}' });
      expect(await summaries()).toEqual(expected);
      expect([...expected.values()].filter(({ content }) => content.includes("New "))).toHaveLength(changed);
      await raw.sql(`delete from item_summary where item_id = ${FIRST}`);
      await summarise();
    });

    if (database.name === "PostgreSQL") {
      test("Q.304 an item that somebody changes at the moment is left to them: what is destroyed is not written back", async () => {
        await raw.sql(`delete from item_summary where item_id in (${FIRST}, ${FIRST + 1})`);
        await world.store.transact(async (tx) => {
          await tx.items.lockItem(FIRST);
          await summarise();
          const known = await summaries();
          expect([known.has(FIRST), known.has(FIRST + 1)]).toEqual([false, true]);
        });
        await summarise();
        expect((await summaries()).has(FIRST)).toBe(true);
      });
    }

    const followerHere = () =>
      new HarvestFollower({
        store,
        clock: { now: () => world.time.now },
        dayOf: (at) => at.slice(0, 10),
        random: platformRandom(),
        log: { info: () => {} },
      });

    test("Q.301 Q.303 Q.304 the first list for harvesters takes a few statements for hundreds of items, goes on where a process died, and misses no change", async () => {
      const first = followerHere();
      for (let step = 0; step < 2; step += 1) await first.step();
      const { shown, due } = await store.harvest.counts();
      expect(shown).toBeGreaterThan(100);
      expect(due).toBeGreaterThan(100);
      // The newest are dated first: one that was, and one that was not.
      for (const id of [FIRST + ITEMS - 3, FIRST + 1]) {
        await world.items.revise(REPOSITORY_OPERATOR, id, {
          content: aContent({ metadata: titled(`Newer ${id}`), indexes: [2] }),
        });
      }
      await world.items.remove(REPOSITORY_OPERATOR, FIRST + 4);
      const next = followerHere();
      while (await next.step());
      expect(statements).toBeLessThan(ITEMS / 3);
      expect(await store.harvest.counts()).toMatchObject({ due: 0 });
      world.pass(5_000);
      const { records } = await world.harvest(LIST);
      const live = records.filter(({ isDeleted }) => !isDeleted);
      expect(Object.fromEntries(live.map((record) => [record.identifier, saidBy(record)]))).toEqual(
        Object.fromEntries(await world.truth()),
      );
      expect(live.filter((record) => saidBy(record).startsWith("Newer "))).toHaveLength(2);
    });

    test("Q.304 two processes that date at the same time, while items change, leave nothing undone and nothing old", async () => {
      const [one, other] = [followerHere(), followerHere()];
      await one.rebuild();
      let isChanging = true;
      const dating = [one, other].map(async (each) => {
        let steps = 0;
        while ((await each.step()) || isChanging) {
          steps += 1;
          await new Promise((next) => setTimeout(next, 1));
        }
        return steps;
      });
      for (let round = 0; round < 24; round += 1) {
        const id = FIRST + 20 + ((round * 7) % 12) * 4;
        // Guests do not see what is in index 3.
        const indexes = round % 3 === 0 ? [2] : [3];
        const content = aContent({ metadata: titled(`Round ${round}`), indexes });
        await world.items.revise(REPOSITORY_OPERATOR, id, { content });
      }
      isChanging = false;
      expect(Math.min(...(await Promise.all(dating)))).toBeGreaterThan(0);
      expect(await store.harvest.counts()).toMatchObject({ due: 0 });
      world.pass(5_000);
      const { records } = await world.harvest(LIST);
      const live = records.filter(({ isDeleted }) => !isDeleted);
      const said = Object.fromEntries(live.map((record) => [record.identifier, saidBy(record)]));
      expect(said).toEqual(Object.fromEntries(await world.truth()));
      // Of the last twelve rounds every third.
      expect(Object.values(said).filter((text) => text.startsWith("Round "))).toHaveLength(4);
    }, 60_000);

    test("Q.302 a record of the list has the digest of its content as it is read for its page", async () => {
      const items = new Map((await itemsOf(store)).map((item) => [item.parentId, item]));
      const records = await store.harvest.records([...items.keys()]);
      expect(records.size).toBeGreaterThan(ITEMS / 2);
      for (const { parentId, content, state } of records.values()) {
        if (state === "deleted") continue;
        const { metadata, files } = items.get(parentId)?.content ?? aContent();
        const shown = files.map(({ storageKey: _, md5: _md5, groups: _groups, ...file }) => file);
        expect(content).toBe(sha256Hex(JSON.stringify([publicMetadata(metadata), shown])));
      }
    });
  });
});
