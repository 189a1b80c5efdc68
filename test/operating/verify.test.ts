// `arkstone verify` over databases damaged by hand, on SQLite and PostgreSQL; the suites are test/contracts/damage.ts
// and item-damage.ts. Damages of names are all tried on SQLite, and on PostgreSQL in the slow ring: there each costs a
// copy of a database, and the rules are the same.
import { afterAll, expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { openDatabase } from "../../db/engine/open.ts";
import { describeDamage, ONE_OF_EACH_KIND } from "../contracts/damage.ts";
import { describeItemDamage } from "../contracts/item-damage.ts";
import { everyKindOfName, findingsIn } from "../support/backups.ts";
import { onPostgres, onSqlite } from "../support/damage-benches.ts";
import { startPostgres } from "../support/postgres.ts";
import { inSlowRing } from "../support/slow-ring.ts";

describeDamage("on SQLite", async () => onSqlite());
describeItemDamage("on SQLite", async () => onSqlite());

const postgres = await startPostgres();
if (postgres !== null) {
  afterAll(() => postgres.stop());
  describeDamage("on PostgreSQL", async () => onPostgres(postgres), inSlowRing ? undefined : ONE_OF_EACH_KIND);
  describeItemDamage("on PostgreSQL", async () => onPostgres(postgres));

  test("a feed whose counter is behind its rows, or that came with another cluster's transactions, is found", async () => {
    const { url, drop } = await postgres.createDatabase();
    await everyKindOfName(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("alter sequence ark_change_id_seq restart with 3");
    await client.query("set session_replication_role = replica");
    await client.query("update ark_change set xid = '9000000000000' where id = 1");
    await client.end();
    const found = await findingsIn(url);
    expect(found.map(({ kind }) => kind)).toEqual(["feed", "feed"]);
    expect(found.map(({ problem }) => problem).join()).toContain("another cluster");
    await drop();
  });
}

test("a torn page of SQLite is found, and what can still be read is read", async () => {
  const place = onSqlite();
  const url = await place.open();
  await everyKindOfName(url);
  const database = await openDatabase({ url });
  const roots = `select rootpage as page from sqlite_master
    where rootpage > 1 and tbl_name in ('ark', 'ark_change') order by rootpage`;
  const { rows } = await database.writer.executeQuery<{ page: number }>(CompiledQuery.raw(roots));
  await database.close();
  const file = openSync(url, "r+");
  // Of names and their history. Without the pages that list tables and migrations nothing opens the file at all.
  for (const { page } of rows) writeSync(file, new Uint8Array(2048).fill(0xa5), 0, 2048, (page - 1) * 4096 + 1024);
  closeSync(file);
  const found = await findingsIn(url);
  expect(found.some(({ kind }) => kind === "engine")).toBe(true);
  await place.drop();
});
