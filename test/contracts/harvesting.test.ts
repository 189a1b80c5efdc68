// What harvesters rely on, on SQLite and PostgreSQL (harvesting-contract.ts; R36).
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { rawDatabase } from "../support/filed-items.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { aContent } from "../support/world/items.ts";
import { openWorld } from "../support/world.ts";
import { harvestingContract } from "./harvesting-contract.ts";

const found = await startPostgres();
const folder = temporaryFolder("harvesting");
afterAll(async () => {
  await found?.stop();
  folder.remove();
});

harvestingContract("harvesting over SQLite", () => Promise.resolve(":memory:"), 30);
if (found === null) test.skip("R36 harvesting over PostgreSQL (no PostgreSQL here)", () => {});
else harvestingContract("harvesting over PostgreSQL", async () => (await found.createDatabase()).url, 5);

test("R36 in a database that was restored every record is dated again, since harvesters may have seen what it does not know", async () => {
  const url = `sqlite:${join(folder.path, "restored.db")}`;
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
