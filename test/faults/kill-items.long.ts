// `kill -9` of a process that changes items: what it reported as committed is there, and nothing is half there (R2a, R2b, R5).
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { findingsIn } from "../support/backups.ts";
import { itemsWorld } from "../support/items-world.ts";
import { startPostgres } from "../support/postgres.ts";
import { scriptOf, temporaryFolder } from "../support/processes.ts";

const WRITER = join(import.meta.dirname, "..", "support", "item-writer.ts");
const ROUNDS = Math.max(3, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 3));
/** Lines to wait for before the kill, more in each round so that it comes at another moment. */
const LINES = 25;

/** Returns what the process printed before it was killed. */
function writeUntilKilled(url: string, owner: number, name: string, lines: number): Promise<string> {
  const [program, ...args] = scriptOf(WRITER, url, String(owner), name);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  let isKilled = false;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    output += text;
    if (output.split("\n").length > lines && !isKilled) isKilled = child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.once("close", () =>
      isKilled ? resolve(output) : reject(new Error(`The writer ended by itself: ${output}`)),
    );
    child.once("error", reject);
  });
}

async function survives(url: string): Promise<void> {
  const world = await itemsWorld({ url });
  const owner = (await world.person([3])).account?.id ?? 0;
  await world.close();
  for (let round = 0; round < ROUNDS; round += 1) {
    const output = await writeUntilKilled(url, owner, `r${round}`, LINES + round * 7);
    // The last line may be cut short.
    const committed = output
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split(" ").map(Number));
    const store = await openRepositoryStore({ url });
    for (const [id = 0, revision = 0] of committed) {
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

const folder = temporaryFolder("kill-items");
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
  folder.remove();
});

describe("items and kill -9", () => {
  test("R2b R5 on SQLite what was acknowledged is there, and nothing is half there", async () => {
    await survives(join(folder.path, "items.db"));
  }, 120_000);

  test.skipIf(postgres === null)(
    "R2b R5 on PostgreSQL what was acknowledged is there, and nothing is half there",
    async () => {
      const database = await postgres?.createDatabase();
      if (database !== undefined) await survives(database.url);
    },
    120_000,
  );
});
