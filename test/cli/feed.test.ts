// `arkstone feed new-epoch` over an SQLite file and, where there is one, PostgreSQL (A44; docs/freshness.md).
import { afterAll, describe, expect, test } from "bun:test";
import { openStore } from "../../db/ark/store.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import { arkstone } from "../support/command-line.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { seed } from "../support/seed.ts";

const folder = temporaryFolder("epoch");
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
  folder.remove();
});

async function holds(url: string): Promise<void> {
  const store = await openStore({ url, poolSize: 1 });
  await seed(store);
  await store.close();
  const replica = await openReplica({ url });
  const before = await replica.position();
  const result = await arkstone({ SVC_DATABASE_URL: url, SVC_DATA_DIR: folder.path }, ["feed", "new-epoch", "--json"]);
  expect([result.code, result.err]).toEqual([0, ""]);
  const { epoch, transaction_numbers_reset } = JSON.parse(result.out);
  expect([epoch.length, transaction_numbers_reset]).toEqual([32, 0]);
  const page = await replica.changes(before);
  expect(page.position.epoch.startsWith(epoch)).toBe(true);
  expect([page.changes, typeof page.lost]).toEqual([[], "string"]);
  await replica.close();
}

describe("feed new-epoch", () => {
  test("A44 a reader of the SQLite file learns that the history is another one", () => holds(`${folder.path}/a.db`));

  test.skipIf(postgres === null)("A44 a reader of PostgreSQL alike", async () => {
    if (postgres !== null) await holds((await postgres.createDatabase()).url);
  });
});
