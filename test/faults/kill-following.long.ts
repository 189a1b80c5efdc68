// `kill -9` of a process whose search index follows one that writes (R34): whatever was committed is in the index of
// the next one, and nothing else.
import { expect, test } from "bun:test";
import process from "node:process";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { DocumentsReader } from "../../src/repository/search/document/document-reading.ts";
import { differences } from "../../src/repository/search/index/compare-documents.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../src/repository/search/settings/shipped-settings.ts";
import { NOW } from "../support/seed.ts";
import { TODAY } from "../support/world/items.ts";
import { searching } from "../support/world/search.ts";
import { openWorld } from "../support/world.ts";
import { type KilledPlace, killedPlaces, startScript } from "./kill-harness.ts";

const ROUNDS = Math.max(3, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 3));

async function survives({ url, folder }: KilledPlace): Promise<void> {
  const world = await openWorld({ items: { url } });
  const owner = (await world.person([3])).account?.id ?? 0;
  await world.close();
  for (let round = 0; round < ROUNDS; round += 1) {
    const follower = startScript("index-follower.ts", url, folder);
    await follower.printed(1);
    const writer = startScript("item-writer.ts", url, String(owner), `r${round}`);
    await writer.printed(20 + round * 11);
    await follower.kill();
    await writer.kill();
    const store = await openRepositoryStore({ url });
    const next = await searching({ store, time: { now: NOW } }, openEmbeddedIndex({ folder, hold: holdLock }));
    const published = await store.items.listItemIds({ state: "published", latestOnly: true }, null, 10_000);
    expect(await next.ids(REPOSITORY_OPERATOR)).toEqual(published);
    expect(published.length).toBeGreaterThan(0);
    const reading = new DocumentsReader(store, SHIPPED_SEARCH_SETTINGS, () => TODAY);
    const { index } = next.follower.answering();
    for await (const { found } of differences({ items: store.items, reading, index })) expect(found).toEqual([]);
    await next.close();
    await store.close();
  }
}

test.each(await killedPlaces("kill-following"))(
  "R34 on %s nothing that was committed is missing, and nothing is there that was not",
  async (_, open) => survives(await open()),
  120_000,
);
