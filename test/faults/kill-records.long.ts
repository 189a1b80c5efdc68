// `kill -9` in the acts of records that take several steps: publishing with an ARK, a new version, deletion,
// restoration (R2a to R2c, R5, R37). Each is whole or did not happen.
import { expect, test } from "bun:test";
import process from "node:process";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { shippedVocabulary } from "../../src/assets/vocabularies/index.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { findingsIn } from "../support/backups.ts";
import { NOW } from "../support/seed.ts";
import { openWorld } from "../support/world.ts";
import { killedPlaces, linesUntilKilled } from "./kill-harness.ts";

const ROUNDS = Math.max(3, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 3));
/** Lines to wait for before the kill, more in each round so that it comes at another moment. */
const LINES = 15;

/** Nothing is half there: every item is in one state, with everything that belongs to it. */
async function whole(store: RepositoryStore): Promise<void> {
  const items = await store.items.listItems({}, null, 10_000);
  for (const item of items) {
    const [draft, tombstone, parent] = await Promise.all([
      store.items.draft(item.id),
      store.items.tombstone(item.id),
      store.items.parent(item.parentId),
    ]);
    const isPublic = item.state !== "draft";
    const found = { ark: item.ark !== null, revision: item.revision > 0, tombstone: tombstone !== null };
    expect([item.id, found]).toEqual([
      item.id,
      { ark: isPublic, revision: isPublic, tombstone: item.state === "deleted" },
    ]);
    // A save and the state that it replaced are one commit (R42).
    const earlier = await store.draftRevisions.draftRevisions(item.id, 1_000);
    expect(earlier.map(({ counter }) => counter)).toEqual(earlier.map((_, at) => at + 1));
    expect([item.id, earlier.length]).toEqual([item.id, Math.max(0, (draft?.counter ?? 0) - 1)]);
    if (item.state === "draft") expect([item.id, draft !== null]).toEqual([item.id, true]);
    if (isPublic) {
      const revisions = await store.items.revisions(item.id);
      expect(revisions.map(({ revision }) => revision)).toEqual(revisions.map((_, at) => at + 1));
      expect(revisions.length).toBe(item.revision);
    }
    const versions = await store.items.versionLines(item.parentId);
    expect(parent?.latest ?? null).toBe(versions.findLast(({ state }) => state === "published")?.id ?? null);
  }
  const arks = await store.arks.listArks({ reach: { kind: "system" } }, "", 10_000);
  const named = items.flatMap(({ ark, state }) => (ark === null ? [] : [[ark, state]]));
  const states = { published: "published", tombstoned: "deleted" } as const;
  expect(named.sort()).toEqual(arks.map(({ key, state }) => [key, states[state as keyof typeof states]]).sort());
}

async function survives(url: string): Promise<void> {
  const world = await openWorld({ items: { url } });
  await world.store.transact((tx) =>
    tx.communities.saveVocabulary([...shippedVocabulary("resourcetypes"), ...shippedVocabulary("removalreasons")], NOW),
  );
  const owner = (await world.person([2])).account?.id ?? 0;
  await world.close();
  for (let round = 0; round < ROUNDS; round += 1) {
    const lines = await linesUntilKilled("record-writer.ts", [url, String(owner)], LINES + round * 5);
    const store = await openRepositoryStore({ url });
    for (const [id = 0, revision = 0] of lines.map((line) => line.split(" ").map(Number))) {
      if (revision > 0) expect((await store.items.item(id))?.revision ?? 0).toBeGreaterThanOrEqual(revision);
    }
    await whole(store);
    await store.close();
    expect(await findingsIn(url)).toEqual([]);
  }
}

test.each(await killedPlaces("kill-records"))(
  "S3.6.35 R2b R2c R5 on %s what was acknowledged is there, and nothing is half there",
  async (_, open) => survives((await open()).url),
  240_000,
);
