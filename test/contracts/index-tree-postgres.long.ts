// The index tree on PostgreSQL.
import { afterAll, test } from "bun:test";
import { startPostgres } from "../support/postgres.ts";
import { indexTreeContract } from "./index-tree-contract.ts";

const found = await startPostgres();
afterAll(async () => {
  await found?.stop();
});

if (found === null) test.skip("index tree on PostgreSQL: not available", () => {});
else indexTreeContract("index tree on PostgreSQL", () => found.createDatabase());
