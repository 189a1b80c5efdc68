// Where databases are copied and damaged by hand: files of SQLite, databases of a throw-away PostgreSQL.
import { copyFileSync } from "node:fs";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { openDatabase } from "../../db/engine/open.ts";
import type { DamageBench } from "../contracts/damage.ts";
import type { TestDatabase, TestPostgres } from "./postgres.ts";
import { temporaryFolder } from "./processes.ts";

export function onSqlite(): DamageBench {
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

export function onPostgres(postgres: TestPostgres): DamageBench {
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
