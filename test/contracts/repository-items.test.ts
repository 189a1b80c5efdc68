// Items on both databases.
import { afterAll, test } from "bun:test";
import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { repositoryItemsContract } from "./repository-items.ts";

const folder = temporaryFolder("repository-items");
const found = await startPostgres();
afterAll(async () => {
  await found?.stop();
  folder.remove();
});

repositoryItemsContract("items on SQLite", async () => ({ url: join(folder.path, "items.db"), drop: async () => {} }));

if (found === null) test.skip("items on PostgreSQL: none to be had", () => {});
else repositoryItemsContract("items on PostgreSQL", () => found.createDatabase());
