// What harvesters rely on, on SQLite and PostgreSQL (harvesting-contract.ts; R36).
import { afterAll, test } from "bun:test";
import { startPostgres } from "../support/postgres.ts";
import { harvestingContract } from "./harvesting-contract.ts";

const found = await startPostgres();
afterAll(() => found?.stop());

harvestingContract("harvesting over SQLite", () => Promise.resolve(":memory:"), 30);
if (found === null) test.skip("R36 harvesting over PostgreSQL (no PostgreSQL here)", () => {});
else harvestingContract("harvesting over PostgreSQL", async () => (await found.createDatabase()).url, 5);
