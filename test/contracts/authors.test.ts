// The author database on both databases.
import { afterAll, test } from "bun:test";
import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { authorsContract } from "./authors.ts";

const folder = temporaryFolder("authors");
const found = await startPostgres({ standby: false });
afterAll(async () => {
  await found?.stop();
  folder.remove();
});

authorsContract("authors on SQLite", async () => ({ url: join(folder.path, "authors.db"), drop: async () => {} }));

if (found === null) test.skip("authors on PostgreSQL: not available", () => {});
else authorsContract("authors on PostgreSQL", () => found.createDatabase());
