// `kill -9` of a process that changes items: what it reported as committed is there, and nothing is half there (R2a,
// R2b, R5).
import { expect, test } from "bun:test";
import process from "node:process";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { findingsIn } from "../support/backups.ts";
import { openWorld } from "../support/world.ts";
import { killedPlaces, linesUntilKilled } from "./kill-harness.ts";

const ROUNDS = Math.max(3, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 3));
/** Lines to wait for before the kill, more in each round so that it comes at another moment. */
const LINES = 25;

async function survives(url: string): Promise<void> {
  const world = await openWorld({ items: { url } });
  const owner = (await world.person([3])).account?.id ?? 0;
  await world.close();
  for (let round = 0; round < ROUNDS; round += 1) {
    const lines = await linesUntilKilled("item-writer.ts", [url, String(owner), `r${round}`], LINES + round * 7);
    const store = await openRepositoryStore({ url });
    for (const [id = 0, revision = 0] of lines.map((line) => line.split(" ").map(Number))) {
      const item = await store.items.item(id);
      expect(item?.revision ?? 0).toBeGreaterThanOrEqual(revision);
      const kept = await store.items.revision(id, revision);
      expect(kept?.content.files.length).toBe(1);
    }
    // An ARK of every item, an item of every ARK: both are one commit.
    const items = await store.items.listItems({}, null, 10_000);
    const arks = await store.arks.listArks({ reach: { kind: "system" } }, "", 10_000);
    expect(items.map(({ ark }) => ark).sort()).toEqual(arks.map(({ key }) => key).sort());
    await store.close();
    expect(await findingsIn(url)).toEqual([]);
  }
}

test.each(await killedPlaces("kill-items"))(
  "R2b R5 on %s what was acknowledged is there, and nothing is half there",
  async (_, open) => survives((await open()).url),
  120_000,
);
