// The feed of changes is shortened (R34): a follower that is not far behind goes on, one that comes after a week
// rebuilds its index.
import { expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import { FEED_JOB, feedJobs } from "../../../src/repository/search/index/feed-jobs.ts";
import type { OpenIndex, SearchIndex } from "../../../src/repository/search/index/index-port.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { searching, words } from "../../support/world/search.ts";
import { openWorld } from "../../support/world.ts";

test("R34 rows of more than a week are discarded; an index that missed them is rebuilt, and is right", async () => {
  const world = await openWorld({ items: { arks: false } });
  const owner = (await world.person([3])).account?.id ?? 0;
  const publish = async (title: string) => {
    const { item } = await world.items.createAndPublish(REPOSITORY_OPERATOR, {
      content: aContent({ metadata: titled(title) }),
      owner,
    });
    return item.id;
  };
  // The same index for every opener, as the file of a process is.
  let index: SearchIndex | null = null;
  const open: OpenIndex = async (schema) => {
    index ??= { ...(await openNaiveIndex(schema)), close: async () => {} };
    return index;
  };
  const first = await publish("before");
  const early = await searching(world, open);
  expect(await early.ids(GUEST)).toEqual([first]);
  await early.close();
  // More rows than those that stay as the marks of positions.
  for (let at = 0; at < 40; at += 1) await world.items.remove(REPOSITORY_OPERATOR, await publish(`gone ${at}`));
  const second = await publish("behind");
  const clock = { now: () => new Date(Date.now() + 8 * 86_400_000).toISOString() };
  const { signal } = new AbortController();
  const before = await world.store.changes.head();
  const job = feedJobs({ store: world.store, clock, log: quietLog })[FEED_JOB];
  // Of the job itself nothing is read.
  await job?.run({} as never, { signal, progress: async () => {} } as never);
  expect(await world.store.changes.head()).toBe(before);
  const warnings: string[] = [];
  const log = { ...quietLog, warn: (event: string) => void warnings.push(event) };
  const late = await searching(world, open, { log });
  expect(await late.ids(GUEST)).toEqual([second, first]);
  expect(await late.ids(GUEST, { where: words("gone") })).toEqual([]);
  expect(warnings).toEqual(["search_index_lost"]);
  await late.close();
});
