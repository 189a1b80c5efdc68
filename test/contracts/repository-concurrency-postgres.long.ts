// Many clients of the repository at once, on PostgreSQL.
import { afterAll, test } from "bun:test";
import { startPostgres } from "../support/postgres.ts";
import { repositoryConcurrency } from "./repository-concurrency.ts";

const found = await startPostgres();
afterAll(async () => {
  await found?.stop();
});

if (found === null) test.skip("many clients at once on PostgreSQL: not available", () => {});
else repositoryConcurrency("PostgreSQL", () => found.createDatabase());
