// The index follows the repository (R34): other settings, another history, damage, an index that is away, several
// processes; the old one answers while a new one is made.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { jsonLog } from "../../../src/adapters/log.ts";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import { IndexUnavailable, type OpenIndex } from "../../../src/repository/search/index/index-port.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import { eventually } from "../../support/eventually.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { followerOf, searching, words } from "../../support/world/search.ts";
import { openWorld } from "../../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function worldWith(items: number) {
  const world = await openWorld({ items: { arks: false } });
  closing.push(world.close);
  const owner = (await world.person([3])).account?.id ?? 0;
  const publish = async (title: string, more: Parameters<typeof titled>[1] = {}): Promise<number> => {
    const content = aContent({ metadata: titled(title, more) });
    return (await world.items.createAndPublish(WHO, { content, owner })).item.id;
  };
  const ids: number[] = [];
  for (let at = 0; at < items; at += 1) ids.unshift(await publish(`Thing ${at}`, { temporals: [{ value: `${at}` }] }));
  return { ...world, publish, published: ids };
}

async function opened(world: Awaited<ReturnType<typeof worldWith>>, ...more: [OpenIndex?, object?]) {
  const search = await searching(world, ...more);
  closing.push(search.close);
  return search;
}

function embedded(): OpenIndex {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-following-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return openEmbeddedIndex({ folder, hold: holdLock });
}

describe("R34 an index that is rebuilt", () => {
  test("R34 another setting of searching rebuilds it, and what is searched by it counts from then on", async () => {
    const world = await worldWith(5);
    const search = await opened(world, embedded());
    const [first] = SHIPPED_SEARCH_SETTINGS.facets;
    if (first === undefined) throw new RangeError("There is no facet");
    const facets = [{ field: "facet1", size: 10 }];
    expect((await search.find(GUEST, { facets })).facets[0]).toEqual([]);
    const before = search.follower.answering().schema.version;
    const titles = [{ ...first, sources: ["titles.value"] }];
    await world.store.transact((tx) => tx.settings.saveSearchSetting("facets", titles as never, world.time.now));
    await eventually("another index answers", async () => {
      await search.ids(GUEST);
      return search.follower.answering().schema.version !== before;
    });
    const counted = (await search.find(GUEST, { facets })).facets[0] ?? [];
    expect(counted.map(({ label }) => label).sort()).toEqual(["Thing 0", "Thing 1", "Thing 2", "Thing 3", "Thing 4"]);
    expect((await search.finder.settings()).facets).toHaveLength(1);
    await world.publish("Thing 5");
    expect((await search.find(GUEST, { facets })).total).toBe(6);
  });

  test("R34 searches while the index is being opened do not open another one, which would be built again", async () => {
    const world = await worldWith(3);
    const open = embedded();
    const first = await searching(world, open);
    await eventually("the index is built", async () => first.follower.metrics().state === "following");
    await first.close();
    const gate = Promise.withResolvers<void>();
    let openings = 0;
    const slow: OpenIndex = async (schema) => {
      openings += 1;
      await gate.promise;
      return await open(schema);
    };
    const follower = followerOf(world, slow);
    closing.push(() => follower.stop());
    const started = follower.start();
    follower.doubt();
    follower.doubt();
    gate.resolve();
    await started;
    await eventually("it follows", async () => follower.metrics().state === "following");
    expect([openings, follower.metrics().built, (await follower.answering().index.status()).documents]).toEqual([
      1, 0, 3,
    ]);
  });

  test("R34 the old index answers and follows until the new one is whole", async () => {
    const world = await worldWith(3);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let builds = 0;
    const search = await opened(world, async (schema) => {
      const index = await openNaiveIndex(schema);
      return {
        ...index,
        async build() {
          const building = await index.build();
          builds += 1;
          if (builds > 1) await held;
          return building;
        },
      };
    });
    expect(await search.ids(GUEST)).toEqual(world.published);
    const rebuilt = search.follower.rebuild();
    await eventually("it is built", () => builds === 2);
    const later = await world.publish("While it is built");
    expect(await search.ids(GUEST, { where: words("while built") })).toEqual([later]);
    expect(search.follower.metrics().state).toBe("building");
    release();
    await rebuilt;
    expect(await search.ids(GUEST)).toEqual([later, ...world.published]);
    expect(search.follower.metrics()).toMatchObject({ state: "following", built: 4, queue: 0 });
  });

  test("R34 an index of the schema before answers and follows until the one of the new schema is whole", async () => {
    const world = await worldWith(3);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const built: number[] = [];
    const search = await opened(world, async (schema) => {
      const index = await openNaiveIndex(schema);
      return {
        ...index,
        async build() {
          const building = await index.build();
          built.push(schema.version);
          if (built.length > 1) await held;
          return building;
        },
      };
    });
    const before = search.follower.answering().schema.version;
    const titles = [{ ...SHIPPED_SEARCH_SETTINGS.facets[0], sources: ["titles.value"] }];
    await world.store.transact((tx) => tx.settings.saveSearchSetting("facets", titles as never, world.time.now));
    await eventually("the new one is being built", async () => {
      await search.ids(GUEST);
      return built.length === 2;
    });
    const later = await world.publish("While the schema changes");
    expect(await search.ids(GUEST, { where: words("schema changes") })).toEqual([later]);
    expect(search.follower.answering().schema.version).toBe(before);
    release();
    await eventually("the new one answers", () => search.follower.answering().schema.version === built[1]);
    expect(built[1]).not.toBe(before);
    expect(await search.ids(GUEST)).toEqual([later, ...world.published]);
  });

  test("R34 an operator's word rebuilds it, once", async () => {
    const world = await worldWith(2);
    let builds = 0;
    const search = await opened(world, async (schema) => {
      const index = await openNaiveIndex(schema);
      return {
        ...index,
        build() {
          builds += 1;
          return index.build();
        },
      };
    });
    await search.ids(GUEST);
    expect(builds).toBe(1);
    await world.store.changes.requestRebuild(world.time.now);
    await eventually("it was rebuilt", async () => {
      await search.ids(GUEST);
      return builds === 2 && search.follower.metrics().state === "following";
    });
    await world.publish("Later");
    expect((await search.find(GUEST)).total).toBe(3);
    expect(builds).toBe(2);
  });

  test("R34 a build that fails is tried again, and searching is refused until then", async () => {
    const world = await worldWith(2);
    let isBroken = true;
    const search = await opened(
      world,
      async (schema) => {
        const index = await openNaiveIndex(schema);
        return {
          ...index,
          async build() {
            if (isBroken) throw new TypeError("No space left");
            return await index.build();
          },
        };
      },
      { pollMs: 10, waitMs: 10 },
    );
    await expect(search.find(GUEST)).rejects.toMatchObject({ kind: "unavailable" });
    isBroken = false;
    await eventually("it is there", async () => (await search.find(GUEST).catch(() => null))?.total === 2);
  });
});

describe("R34 a build in parallel with an index that answers", () => {
  /** An index whose builds fail as often as set; `clock` decides when they are tried again. */
  async function failing(failures: number) {
    const world = await worldWith(2);
    const lines: string[] = [];
    const time = { ms: 0 };
    const counts = { builds: 0, abandoned: 0 };
    const search = await opened(
      world,
      async (schema) => {
        const index = await openNaiveIndex(schema);
        return {
          ...index,
          async build() {
            const building = await index.build();
            counts.builds += 1;
            if (counts.builds === 1 || counts.builds > failures + 1) return building;
            return {
              ...building,
              async finish() {
                throw new IndexUnavailable("No space left");
              },
              async abandon() {
                counts.abandoned += 1;
                await building.abandon();
              },
            };
          },
        };
      },
      { pollMs: 5, elapsedMs: () => time.ms, log: jsonLog("debug", (line) => void lines.push(line)) },
    );
    await search.ids(GUEST);
    const reports = (event: string) => lines.filter((line) => line.includes(`"${event}"`)).length;
    return { world, search, time, counts, reports };
  }

  test("R34 a requested build that fails is tried again after a while that grows, and the old index answers", async () => {
    const { world, search, time, counts, reports } = await failing(2);
    await world.store.changes.requestRebuild(world.time.now);
    await eventually("the first try failed", () => counts.abandoned === 1);
    await world.publish("Between two tries");
    expect((await search.find(GUEST)).total).toBe(3);
    await sleep(50);
    expect(counts.builds).toBe(2);
    expect(search.follower.metrics().trouble).toBe("No space left");
    time.ms += 1_000;
    await eventually("the second try failed", () => counts.abandoned === 2);
    time.ms += 1_000;
    await sleep(50);
    expect(counts.builds).toBe(3);
    time.ms += 1_000;
    await eventually("it is built", () => reports("search_index_built") === 2);
    await eventually("nothing is wrong", () => search.follower.metrics().trouble === null);
    expect([counts.builds, counts.abandoned, reports("search_index_not_built")]).toEqual([4, 2, 1]);
    expect((await search.find(GUEST)).total).toBe(3);
    await sleep(50);
    expect(counts.builds).toBe(4);
  });

  test("R34 a caller of rebuild receives the error of a build that failed, and none of the next one", async () => {
    const { search, time, counts } = await failing(1);
    await expect(search.follower.rebuild()).rejects.toThrow("No space left");
    await search.follower.rebuild();
    expect([counts.builds, counts.abandoned]).toEqual([3, 1]);
    time.ms += 60_000;
    await sleep(50);
    expect(counts.builds).toBe(3);
  });

  test("R34 a process that ends before a requested build is finished builds when it starts again", async () => {
    const world = await worldWith(2);
    const folder = mkdtempSync(join(tmpdir(), "arkstone-following-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const openIndex = openEmbeddedIndex({ folder, hold: holdLock });
    const builds: boolean[] = [];
    const counting =
      (isBroken: boolean): OpenIndex =>
      async (schema) => {
        const index = await openIndex(schema);
        const whole = index.build.bind(index);
        const build = async () => {
          builds.push(isBroken);
          if (isBroken) throw new TypeError("No space left");
          return await whole();
        };
        return Object.assign(index, { build });
      };
    const first = await searching(world, openIndex);
    expect((await first.find(GUEST)).total).toBe(2);
    await first.close();
    const second = await searching(world, counting(true), { pollMs: 5 });
    await world.store.changes.requestRebuild(world.time.now);
    await eventually("a try failed", () => builds.length === 1);
    await world.publish("Later");
    expect((await second.find(GUEST)).total).toBe(3);
    await second.close();
    const third = await opened(world, counting(false), { pollMs: 5 });
    await eventually("it was built", () => builds.includes(false));
    expect((await third.find(GUEST)).total).toBe(3);
  });
});

describe("R34 an index that is away for a while", () => {
  test("R34 what was committed meanwhile is found when it is back, without another build", async () => {
    const world = await worldWith(1);
    let isAway = false;
    let builds = 0;
    const lines: string[] = [];
    const search = await opened(
      world,
      async (schema) => {
        const index = await openNaiveIndex(schema);
        const there = (): void => {
          if (isAway) throw new IndexUnavailable("Nobody answers");
        };
        return {
          ...index,
          async query(query) {
            there();
            return await index.query(query);
          },
          async position() {
            there();
            return await index.position();
          },
          async apply(batch) {
            there();
            await index.apply(batch);
          },
          build() {
            builds += 1;
            return index.build();
          },
        };
      },
      { pollMs: 10, log: jsonLog("debug", (line) => void lines.push(line)) },
    );
    expect((await search.find(GUEST)).total).toBe(1);
    isAway = true;
    await eventually("it is noticed", () => search.follower.metrics().trouble === "Nobody answers");
    await world.publish("Meanwhile");
    await expect(search.find(GUEST)).rejects.toMatchObject({ kind: "unavailable" });
    await sleep(50);
    isAway = false;
    expect((await search.find(GUEST)).total).toBe(2);
    expect(builds).toBe(1);
    await eventually("it is reported to work again", () => lines.some((line) => line.includes("search_index_follows")));
    // Once for the state, whatever was asked and polled meanwhile; the next state is reported again.
    const warned = (): number => lines.filter((line) => line.includes("search_index_behind")).length;
    expect(warned()).toBe(1);
    isAway = true;
    await eventually("it is noticed again", () => warned() === 2);
    await sleep(50);
    expect(warned()).toBe(2);
  });
});

describe("R34 several processes", () => {
  test("R34 each has its own index, and what one commits is found by the other within a second", async () => {
    const world = await worldWith(1);
    const folder = mkdtempSync(join(tmpdir(), "arkstone-following-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const open = openEmbeddedIndex({ folder, hold: holdLock });
    const [one, other] = [await opened(world, open), await opened(world, open)];
    const id = await world.publish("Common");
    expect(await one.ids(GUEST, { where: words("common") })).toEqual([id]);
    expect(await other.ids(GUEST, { where: words("common") })).toEqual([id]);
    // Without a question it follows by itself.
    await world.publish("Later");
    await eventually("it followed", async () => (await other.follower.answering().index.status()).documents === 3);
  });
});
