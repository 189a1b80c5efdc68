// Items on both databases.
import { afterAll, test } from "bun:test";
import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { itemReceiptsContract } from "./item-receipts.ts";
import { repositoryItemsContract } from "./repository-items.ts";

const folder = temporaryFolder("repository-items");
const found = await startPostgres();
afterAll(async () => {
  await found?.stop();
  folder.remove();
});

let files = 0;
const file = async () => {
  files += 1;
  return { url: join(folder.path, `items-${files}.db`), drop: async () => {} };
};

repositoryItemsContract("items on SQLite", file);
itemReceiptsContract("receipts of items on SQLite", file);

if (found === null) test.skip("items on PostgreSQL: not available", () => {});
else {
  repositoryItemsContract("items on PostgreSQL", () => found.createDatabase());
  itemReceiptsContract("receipts of items on PostgreSQL", () => found.createDatabase());
}
