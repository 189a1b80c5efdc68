// Backup and restore on both databases, and from each to the other; the suite is test/contracts/backing-up.ts.
import { afterAll } from "bun:test";
import { describeBackingUp, type Place } from "../contracts/backing-up.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";

const onSqlite = async (): Promise<Place> => {
  const folder = temporaryFolder("restored");
  return { url: `${folder.path}/ark.db`, drop: async () => folder.remove() };
};

const postgres = await startPostgres();
describeBackingUp("on SQLite", onSqlite, onSqlite);

if (postgres !== null) {
  afterAll(() => postgres.stop());
  describeBackingUp("from PostgreSQL to SQLite", () => postgres.createDatabase(), onSqlite);
  describeBackingUp("from SQLite to PostgreSQL", onSqlite, () => postgres.createDatabase());
}
