// `kill -9` of a process whose search index follows one that writes (R34): whatever was committed is in the index of the next one, and nothing else.
import { afterAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { holdLock } from "../../db/engine/process-lock.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { openEmbeddedIndex } from "../../db/search/embedded-index.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { DocumentsReader } from "../../src/repository/search/document/document-reading.ts";
import { differences } from "../../src/repository/search/index/compare-documents.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../src/repository/search/settings/shipped-settings.ts";
import { itemsWorld, TODAY } from "../support/items-world.ts";
import { startPostgres } from "../support/postgres.ts";
import { scriptOf, temporaryFolder } from "../support/processes.ts";
import { searching } from "../support/search-world.ts";
import { NOW } from "../support/seed.ts";

const SUPPORT = join(import.meta.dirname, "..", "support");
const ROUNDS = Math.max(3, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 3));

const scratch = temporaryFolder("kill-following");
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
  scratch.remove();
});

/** Settles when the process has printed this many lines. */
function started(script: string, args: readonly string[], lines: number): Promise<ChildProcess> {
  const [program, ...rest] = scriptOf(join(SUPPORT, script), ...args);
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8");
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (text: string) => {
      output += text;
      if (output.split("\n").length > lines) resolve(child);
    });
    child.once("close", () => reject(new Error(`${script} ended by itself: ${output}`)));
  });
}

const killed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.removeAllListeners("close").once("close", () => resolve());
    child.kill("SIGKILL");
  });

async function survives(url: string, name: string): Promise<void> {
  const world = await itemsWorld({ url });
  const owner = (await world.person([3])).account?.id ?? 0;
  await world.close();
  const folder = join(scratch.path, name);
  for (let round = 0; round < ROUNDS; round += 1) {
    const follower = await started("index-follower.ts", [url, folder], 1);
    const writer = await started("item-writer.ts", [url, String(owner), `${name}${round}`], 20 + round * 11);
    await killed(follower);
    await killed(writer);
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

describe("R34 following and kill -9", () => {
  test("R34 on SQLite nothing that was committed is missing, and nothing is there that was not", async () => {
    await survives(join(scratch.path, "items.db"), "s");
  }, 120_000);

  test.skipIf(postgres === null)(
    "R34 on PostgreSQL nothing that was committed is missing, and nothing is there that was not",
    async () => {
      const database = await postgres?.createDatabase();
      if (database !== undefined) await survives(database.url, "p");
    },
    120_000,
  );
});
