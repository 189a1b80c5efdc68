// Backup and restore from each database to the other; from SQLite to SQLite where there is no PostgreSQL, and in the
// slow ring. The suites are test/contracts/backing-up.ts and backing-up-items.ts.
import { afterAll } from "bun:test";
import { describeBackingUp, type Place } from "../contracts/backing-up.ts";
import { describeBackingUpItems } from "../contracts/backing-up-items.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";
import { inSlowRing } from "../support/slow-ring.ts";

const onSqlite = async (): Promise<Place> => {
  const folder = temporaryFolder("restored");
  return { url: `${folder.path}/ark.db`, drop: async () => folder.remove() };
};

const postgres = await startPostgres();
if (postgres === null || inSlowRing) {
  describeBackingUp("on SQLite", onSqlite, onSqlite);
  describeBackingUpItems("on SQLite", onSqlite, onSqlite);
}

if (postgres !== null) {
  afterAll(() => postgres.stop());
  describeBackingUp("from PostgreSQL to SQLite", () => postgres.createDatabase(), onSqlite);
  describeBackingUp("from SQLite to PostgreSQL", onSqlite, () => postgres.createDatabase());
  describeBackingUpItems("from PostgreSQL to SQLite", () => postgres.createDatabase(), onSqlite);
  describeBackingUpItems("from SQLite to PostgreSQL", onSqlite, () => postgres.createDatabase());
}
