// What programs were allowed, on SQLite and on PostgreSQL (R30).
import { afterAll, test } from "bun:test";
import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { grantContract } from "./grants.ts";

const folder = temporaryFolder("grants");
const found = await startPostgres();
afterAll(async () => {
  folder.remove();
  await found?.stop();
});

grantContract("SQLite", async () => ({ url: `sqlite:${join(folder.path, "grants.db")}`, drop: async () => {} }));
if (found === null) test.skip("grants on PostgreSQL: not available", () => {});
else grantContract("PostgreSQL", () => found.createDatabase());
