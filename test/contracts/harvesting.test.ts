// What harvesters rely on, on both databases (R36): a harvester that comes back with the date of the last answer has
// everything, and never what is hidden.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { REPOSITORY_OPERATOR, type Viewer } from "../../src/auth/account.ts";
import type { Access } from "../../src/model/items/item.ts";
import { onEachDatabase } from "../support/databases.ts";
import { rawDatabase } from "../support/filed-items.ts";
import { addresses, type HarvestWorld, saidBy } from "../support/world/harvest.ts";
import { aContent, anIndex, TODAY, titled } from "../support/world/items.ts";
import { openWorld } from "../support/world.ts";

const FIRST = "verb=ListRecords&metadataPrefix=oai_dc";
const INDEXES = [1, 11, 2, 3] as const;

type Move = { readonly what: (typeof MOVES)[number]; readonly which: number; readonly other: number };
const MOVES = [
  ...(["publish", "revise", "revise back", "new version", "remove", "restore", "restrict", "file"] as const),
  ...(["hide index", "harvest", "move index", "embargo", "pass", "pass a day", "follow", "restart"] as const),
  ...(["harvest now", "harvest now", "harvest now"] as const),
];
const move: fc.Arbitrary<Move> = fc.record({
  what: fc.constantFrom(...MOVES),
  which: fc.nat(6),
  other: fc.nat(6),
});

/** Things there are from the start, in indexes that guests browse. */
const START: readonly Move[] = [0, 1, 2, 0, 1, 2, 6].map((other) => ({ what: "publish", which: 0, other }));

/**
 * A harvester as the guidelines want it: it keeps what it received, and comes back with the date of the last answer it
 * got.
 */
function harvester(world: HarvestWorld, dateFrom: "first" | "last") {
  const copy = new Map<string, string>();
  let from: string | null = null;
  return {
    copy,
    async harvest(between: () => Promise<void>): Promise<void> {
      const { pages } = await world.harvest(from === null ? FIRST : `${FIRST}&from=${from}`, between);
      for (const { records } of pages) {
        for (const record of records) {
          if (record.isDeleted) copy.delete(record.identifier);
          else copy.set(record.identifier, saidBy(record));
        }
      }
      // A list that was cut off, for its token was too old, is started again.
      if (pages.some(({ errors }) => errors.includes("badResumptionToken"))) return;
      const answered = pages.filter(({ errors }) => errors.length === 0 || errors[0] === "noRecordsMatch");
      from = (dateFrom === "first" ? pages[0] : answered.at(-1))?.responseDate ?? from;
    },
  };
}

async function player(world: HarvestWorld) {
  const { store, items } = world;
  const ada = await world.person([3]);
  const published: number[] = [];
  const removed = new Set<number>();
  let titles = 0;
  const live = (which: number): number | undefined => {
    const there = published.filter((id) => !removed.has(id));
    return there[which % Math.max(1, there.length)];
  };
  const title = (): string => {
    titles += 1;
    return `T${titles}`;
  };
  const content = (name: string, index: number, access: Partial<Access> = {}) => {
    const plain = aContent({ metadata: titled(name), indexes: index === 0 ? [] : [index] });
    return { ...plain, access: { ...plain.access, ...access } };
  };
  const index = (which: number): number => INDEXES[which % INDEXES.length] ?? 1;

  async function changeIndex(id: number, change: (node: Awaited<ReturnType<typeof nodeOf>>) => object): Promise<void> {
    const node = await nodeOf(id);
    await store.transact(async (tx) => {
      await tx.indexes.updateIndex({ ...node, ...change(node) });
      await tx.indexes.raiseTreeRevision();
    });
  }
  async function nodeOf(id: number) {
    const node = await store.indexes.index(id);
    if (node === null) throw new Error(`There is no index ${id}`);
    return node;
  }
  async function revise(
    id: number | undefined,
    change: (before: ReturnType<typeof content>) => ReturnType<typeof content>,
  ) {
    const item = id === undefined ? null : await store.items.item(id);
    if (item === null || item.content === null) return;
    await items.revise(REPOSITORY_OPERATOR, item.id, { content: change(item.content as ReturnType<typeof content>) });
  }

  return async function play({ what, which, other }: Move, viewer: Viewer = ada): Promise<void> {
    const id = live(which);
    switch (what) {
      case "publish":
        published.push(
          (await items.createAndPublish(viewer, { content: content(title(), other === 6 ? 0 : index(other)) })).item.id,
        );
        return;
      case "revise":
        return await revise(id, (before) => ({ ...before, metadata: titled(title()) }));
      case "revise back":
        await revise(id, (before) => ({ ...before, metadata: titled("T0") }));
        return await revise(id, (before) => ({ ...before, metadata: titled("T1") }));
      case "new version": {
        if (id === undefined) return;
        const made = await items
          .newVersion(REPOSITORY_OPERATOR, id, { content: content(title(), index(other)) })
          .catch(() => null);
        if (made !== null) published.push(made.item.id);
        return;
      }
      case "remove":
        if (id === undefined) return;
        await items.remove(REPOSITORY_OPERATOR, id);
        removed.add(id);
        return;
      case "restore": {
        const [gone] = [...removed].slice(other % Math.max(1, removed.size));
        if (gone === undefined) return;
        await items.restore(REPOSITORY_OPERATOR, gone);
        removed.delete(gone);
        return;
      }
      case "restrict":
        return await revise(id, (before) => {
          const record = before.access.record === "public" ? "restricted" : "public";
          return { ...before, access: { ...before.access, record, embargoUntil: null } };
        });
      case "file":
        return await revise(id, (before) => ({
          ...before,
          indexes: other === 6 ? [] : [...new Set([index(other), index(which)])],
        }));
      case "hide index":
        return await changeIndex(index(other), ({ publicState }) => ({ publicState: !publicState }));
      case "harvest":
        return await changeIndex(index(other), ({ harvestPublicState }) => ({
          harvestPublicState: !harvestPublicState,
        }));
      case "move index":
        return await changeIndex(11, ({ parent }) => ({ parent: parent === 1 ? 3 : 1 }));
      case "embargo":
        return await revise(id, (before) => ({
          ...before,
          access: { ...before.access, openDate: nextDay(world.time.now, other), record: "public", embargoUntil: null },
        }));
      case "pass":
        return world.pass(700 * (1 + other));
      case "pass a day":
        return world.pass(86_400_000);
      case "follow":
        return void (await world.follower.step());
      case "harvest now":
        return;
      case "restart":
        return world.restart({ isBlind: other > 1 });
    }
  };
}

const nextDay = (now: string, days: number): string =>
  new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);

describe("harvesting", () => {
  onEachDatabase((database) => {
    const runs = database.name === "SQLite" ? 30 : 5;
    for (const dateFrom of ["first", "last"] as const) {
      test(`R36 S3.O.10 whatever changes while it harvests, a harvester that comes back with the date of the ${dateFrom} answer ends with what guests see`, async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(move, { minLength: 20, maxLength: 60 }), async (moves) => {
            const world = await openWorld({ harvest: { pageSize: 2 }, database });
            await world.follower.catchUp(5_000);
            const play = await player(world);
            const one = harvester(world, dateFrom);
            const waiting = [...START, ...moves];
            // Changes come, and are dated, while a list is being sent.
            const between = async (): Promise<void> => {
              const next = waiting.shift();
              if (next === undefined) return;
              await play(next);
              world.pass(900);
              if (next.which > 2) await world.follower.step();
            };
            for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
              await play(next);
              if (next.what === "harvest now") await one.harvest(between);
            }
            // The clock goes on, the follower comes to its end, the harvester comes once more.
            world.pass(1_000);
            await world.follower.catchUp(5_000);
            world.pass(1_000);
            await one.harvest(async () => {});
            expect(Object.fromEntries(one.copy)).toEqual(Object.fromEntries(await world.truth()));
            await world.close();
          }),
          { numRuns: runs, seed: 20_261 + runs, endOnFailure: true },
        );
      }, 300_000);
    }

    test("R36 S3.O.10 no answer shows what is hidden, whether anybody has followed or not", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 30 }), async (moves) => {
          const world = await openWorld({ harvest: { pageSize: 50 }, database });
          await world.follower.catchUp(5_000);
          const play = await player(world);
          for (const each of moves) {
            await play(each);
            const answer = await world.ask(FIRST);
            const truth = await world.truth();
            for (const { identifier, isDeleted } of answer.records)
              if (!isDeleted) expect(truth.has(identifier)).toBe(true);
          }
          await world.close();
        }),
        { numRuns: Math.ceil(runs / 2), seed: 4_711 },
      );
    }, 300_000);

    test("R36 S3.O.10 what was hidden and shown again between two reads of the follower comes back to harvesters that received its deletion", async () => {
      const world = await openWorld({ harvest: true, database });
      const play = await player(world);
      const one = harvester(world, "last");
      await play({ what: "publish", which: 0, other: 2 });
      await world.follower.catchUp(5_000);
      world.pass(1_000);
      await one.harvest(async () => {});
      expect(one.copy.size).toBe(1);
      const before = await world.store.changes.position();
      await play({ what: "hide index", which: 0, other: 2 });
      // The list is sent before the feed was read.
      world.restart({ isBlind: true });
      world.pass(1_000);
      const answer = await world.ask(FIRST);
      expect(answer.records.map(({ isDeleted }) => isDeleted)).toEqual([true]);
      await play({ what: "hide index", which: 0, other: 2 });
      expect((await world.store.changes.changes(before, 10)).changes).toHaveLength(2);
      world.pass(1_000);
      await world.follower.catchUp(5_000);
      world.pass(1_000);
      one.copy.clear();
      await one.harvest(async () => {});
      expect(one.copy.size).toBe(1);
    });

    test("R36 a revision in which guests see nothing new keeps its date; a new index, file or word does not", async () => {
      const world = await openWorld({ harvest: true, database });
      const ada = await world.person([3]);
      const content = aContent({ indexes: [2] });
      const { item } = await world.items.createAndPublish(ada, { content });
      await world.follower.catchUp(5_000);
      const dateOf = async (): Promise<string | undefined> => {
        world.pass(5_000);
        await world.follower.catchUp(5_000);
        world.pass(5_000);
        return (await world.ask("verb=ListIdentifiers&metadataPrefix=oai_dc")).records[0]?.datestamp;
      };
      let last = await dateOf();
      const changed = async (change: object): Promise<boolean> => {
        const now = await world.store.items.item(item.id);
        await world.items.revise(ada, item.id, { content: { ...content, ...now?.content, ...change } });
        const date = await dateOf();
        const differs = date !== last;
        last = date;
        return differs;
      };
      expect(await changed({ settings: { feedbackMail: ["someone@example.org"] } })).toBe(false);
      expect(await changed({ metadata: titled("Another word") })).toBe(true);
      expect(await changed({ indexes: [2, 1] })).toBe(true);
      expect(await changed({})).toBe(false);
      // Privacy: what is destroyed is reported again without a revision.
      await world.items.erase(REPOSITORY_OPERATOR, item.id, { revision: null, file: null });
      expect(await dateOf()).not.toBe(last);
    });

    test("R36 several processes may follow at once: every record is written once, and none is left out", async () => {
      const world = await openWorld({ harvest: true, database });
      const ada = await world.person([3]);
      await world.follower.catchUp(5_000);
      for (let n = 0; n < 25; n += 1) await world.items.createAndPublish(ada, { content: aContent({ indexes: [2] }) });
      const followers = [world.anotherFollower(), world.anotherFollower(), world.anotherFollower()];
      await Promise.all(followers.map((each) => each.catchUp(10_000)));
      expect(await world.store.harvest.counts()).toEqual({ shown: 25, deleted: 0, due: 0 });
      world.pass(2_000);
      const { records } = await world.harvest(FIRST);
      expect(new Set(records.map(({ identifier }) => identifier)).size).toBe(25);
    });

    test("S3.O.8 R36 until the first list is made, records are refused with the seconds to wait, and sent after it", async () => {
      const world = await openWorld({ harvest: true, database });
      const ada = await world.person([3]);
      const { item } = await world.items.createAndPublish(ada, { content: aContent({ indexes: [2] }) });
      world.restart({ isBlind: true });
      const ofRecord = `verb=GetRecord&metadataPrefix=oai_dc&identifier=${addresses.oaiIdentifier(item.id)}`;
      const lists = [FIRST, "verb=ListIdentifiers&metadataPrefix=oai_dc", ofRecord];
      for (const query of lists) {
        await expect(world.ask(query)).rejects.toMatchObject({ kind: "unavailable", headers: { "retry-after": "20" } });
      }
      for (const query of ["verb=Identify", "verb=ListSets", "verb=ListMetadataFormats"]) {
        expect([query, (await world.ask(query)).errors]).toEqual([query, []]);
      }
      await world.follower.catchUp(5_000);
      world.pass(2_000);
      for (const query of lists) {
        expect((await world.ask(query)).records.map(({ identifier }) => identifier)).toEqual([
          addresses.oaiIdentifier(item.id),
        ]);
      }
    });

    test("R36 what was marked when a process died is dated by the next one", async () => {
      const world = await openWorld({ harvest: true, database });
      const ada = await world.person([3]);
      await world.follower.catchUp(5_000);
      const { item } = await world.items.createAndPublish(ada, { content: aContent({ indexes: [2] }) });
      // As a process leaves it that took a change in and died before it looked.
      const state = await world.follower.state();
      if (state.position === null) throw new Error("The follower has no position");
      const page = await world.store.changes.changes(state.position, 100);
      await world.store.transact(async (tx) => {
        await tx.harvest.mark([item.parentId], { content: true, again: false });
        await tx.harvest.moveTo(page.position);
      });
      expect((await world.store.harvest.counts()).due).toBe(1);
      await world.anotherFollower().catchUp(5_000);
      expect(await world.store.harvest.counts()).toEqual({ shown: 1, deleted: 0, due: 0 });
    });

    test("R36 a rebuild dates nothing that guests see as before, and what differs", async () => {
      const world = await openWorld({ harvest: true, database });
      const ada = await world.person([3]);
      const { item } = await world.items.createAndPublish(ada, { content: aContent({ indexes: [2] }) });
      await world.items.createAndPublish(ada, { content: aContent({ indexes: [2] }) });
      await world.follower.catchUp(5_000);
      world.pass(5_000);
      const before = (await world.harvest(FIRST)).records;
      await world.follower.rebuild();
      await world.follower.catchUp(5_000);
      world.pass(5_000);
      expect((await world.harvest(FIRST)).records).toEqual(before);
      // A record that differs from what guests see, however it came to that.
      const record = (await world.store.harvest.records([item.parentId])).get(item.parentId);
      if (record === undefined) throw new Error("There is no record");
      await world.store.transact((tx) => tx.harvest.save([{ ...record, content: "other" }]));
      await world.follower.rebuild();
      await world.follower.catchUp(5_000);
      world.pass(5_000);
      const dates = (await world.harvest(FIRST)).records.map(({ datestamp }) => datestamp);
      expect(dates.filter((date) => !before.some(({ datestamp }) => datestamp === date))).toHaveLength(1);
    });

    test("R36 S3.O.6 very long records make short answers, and the list is whole all the same", async () => {
      const world = await openWorld({ harvest: { pageSize: 50 }, database });
      const ada = await world.person([3]);
      const long = "word ".repeat(30_000);
      for (let n = 0; n < 40; n += 1) {
        const descriptions = [{ value: `${n} ${long}`, kind: "Abstract", html: false }];
        await world.items.createAndPublish(ada, {
          content: aContent({ indexes: [2], metadata: titled(`L${n}`, { descriptions }) }),
        });
      }
      await world.follower.catchUp(20_000);
      world.pass(2_000);
      const { pages, records } = await world.harvest(FIRST);
      expect(pages.length).toBeGreaterThan(1);
      expect(new Set(records.map(({ identifier }) => identifier)).size).toBe(40);
      expect(pages.map(({ size }) => size)).toEqual(pages.map(() => 40));
    });

    test("R36 an index opens by its date at midnight of the repository's time zone", async () => {
      const world = await openWorld({ harvest: { timeZone: "Asia/Tokyo" }, database });
      const ada = await world.person([3]);
      // It is 10:00 in UTC, 19:00 in Tokyo.
      const tomorrow = nextDay(`${TODAY}T10:00:00.000Z`, 1);
      await world.store.transact((tx) => tx.indexes.insertIndex(anIndex({ id: 77, publicDate: tomorrow })));
      await world.items.createAndPublish(ada, { content: aContent({ indexes: [77] }) });
      await world.follower.catchUp(5_000);
      world.time.now = `${TODAY}T14:59:58.000Z`;
      expect((await world.ask(FIRST)).errors).toEqual(["noRecordsMatch"]);
      world.time.now = `${TODAY}T15:00:01.000Z`;
      const [record] = (await world.ask(FIRST)).records;
      expect(record?.datestamp).toBe(`${TODAY}T15:00:01Z`);
    });

    test("R36 in a database that was restored every record is dated again, since harvesters may have seen what it does not know", async () => {
      const url = await database.url();
      const world = await openWorld({ harvest: { url } });
      const ada = await world.person([3]);
      await world.items.createAndPublish(ada, { content: aContent({ indexes: [2] }) });
      await world.follower.catchUp(5_000);
      const before = (await world.ask("verb=ListIdentifiers&metadataPrefix=oai_dc")).records[0]?.datestamp ?? "";
      world.pass(60_000);
      const { sql, close } = await rawDatabase(url);
      await sql("update service set value = 'another' where key = 'feed_epoch'");
      await close();
      await world.anotherFollower().catchUp(5_000);
      world.pass(2_000);
      const after = (await world.ask("verb=ListIdentifiers&metadataPrefix=oai_dc")).records[0]?.datestamp ?? "";
      expect(after > before).toBe(true);
    });
  });
});
