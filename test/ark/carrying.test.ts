// Moving a whole service by file on both databases, and from each to the other; the suite is
// test/contracts/carrying.ts.
import { afterAll } from "bun:test";
import { describeCarrying, type Place } from "../contracts/carrying.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";

const onSqlite = async (): Promise<Place> => {
  const folder = temporaryFolder("carried");
  return { url: `${folder.path}/ark.db`, drop: async () => folder.remove() };
};

const postgres = await startPostgres();
describeCarrying("on SQLite", onSqlite, onSqlite);

if (postgres !== null) {
  afterAll(() => postgres.stop());
  describeCarrying(
    "on PostgreSQL",
    () => postgres.createDatabase(),
    () => postgres.createDatabase(),
  );
  describeCarrying("from SQLite to PostgreSQL", onSqlite, () => postgres.createDatabase());
}
