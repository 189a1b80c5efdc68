// `arkstone verify` over databases damaged by hand, on SQLite and PostgreSQL; the suite is test/contracts/damage.ts.
import { afterAll, expect, test } from "bun:test";
import { closeSync, copyFileSync, openSync, readFileSync, writeSync } from "node:fs";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { openDatabase } from "../../db/open.ts";
import { type DamagePlace, describeDamage } from "../contracts/damage.ts";
import { everyKindOfName, findingsIn } from "../support/backups.ts";
import { startPostgres, type TestDatabase, type TestPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";

function onSqlite(): DamagePlace {
  const folder = temporaryFolder("damage");
  let files = 0;
  const next = () => `${folder.path}/${++files}.db`;
  return {
    dialect: "sqlite",
    open: async () => next(),
    async copy(url) {
      const path = next();
      copyFileSync(url, path);
      return path;
    },
    async damage(url, statements) {
      const database = await openDatabase({ url });
      const raw = (text: string) =>
        database.writer.executeQuery<{ name: string; sql: string }>(CompiledQuery.raw(text));
      await raw("pragma foreign_keys = off");
      await raw("pragma ignore_check_constraints = on");
      const { rows } = await raw("select name, sql from sqlite_master where type = 'trigger'");
      for (const { name } of rows) await raw(`drop trigger ${name}`);
      for (const text of statements) await raw(text);
      for (const { sql } of rows) await raw(sql);
      await database.close();
    },
    drop: async () => folder.remove(),
  };
}

function onPostgres(postgres: TestPostgres): DamagePlace {
  const databases: TestDatabase[] = [];
  const copies: string[] = [];
  const ask = async (url: string, texts: readonly string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const text of texts) await client.query(text);
    await client.end();
  };
  return {
    dialect: "postgres",
    async open() {
      const database = await postgres.createDatabase();
      databases.push(database);
      return database.url;
    },
    async copy(url) {
      const its = new URL(url);
      const from = its.pathname.slice(1);
      const name = `${from}_copy_${copies.length}`;
      await ask(postgres.url, [`create database ${name} template ${from}`]);
      copies.push(name);
      its.pathname = `/${name}`;
      return its.href;
    },
    async damage(url, statements) {
      const checks = `do $$ declare c record; begin
        for c in select conname, conrelid::regclass as its from pg_constraint where contype in ('c', 'f') and conrelid <> 0 loop
          execute format('alter table %s drop constraint %I', c.its, c.conname);
        end loop; end $$`;
      await ask(url, [checks, "set session_replication_role = replica", ...statements]);
    },
    async drop() {
      for (const name of copies) await ask(postgres.url, [`drop database if exists ${name} with (force)`]);
      for (const database of databases) await database.drop();
    },
  };
}

describeDamage("on SQLite", async () => onSqlite());

const postgres = await startPostgres();
if (postgres !== null) {
  afterAll(() => postgres.stop());
  describeDamage("on PostgreSQL", async () => onPostgres(postgres));

  test("a feed whose counter stands behind its rows, or that came with another cluster's transactions, is found", async () => {
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
  const pages = readFileSync(url).length / 4096;
  const file = openSync(url, "r+");
  for (let page = 2; page < pages; page += 3)
    writeSync(file, new Uint8Array(2048).fill(0xa5), 0, 2048, page * 4096 + 1024);
  closeSync(file);
  const found = await findingsIn(url);
  expect(found.some(({ kind }) => kind === "engine")).toBe(true);
  await place.drop();
});
