// The tables of a migrated database and what is listed of them: keys for backups (db/engine/tables.ts), rights of roles
// (db/engine/roles.ts). A migration takes nothing away that a version before needs.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { MIGRATIONS } from "../../db/engine/migrate.ts";
import { TABLE_RIGHTS } from "../../db/engine/roles.ts";
import { PRIMARY_KEYS } from "../../db/engine/tables.ts";

/** A database with the newest schema. */
function migrated(): Database {
  const database = new Database(":memory:");
  for (const { statements } of MIGRATIONS) for (const text of statements("sqlite")) database.run(text);
  return database;
}

describe("migrations", () => {
  test("a step only adds, but for an index that another one covers: an instance of the version before keeps running in parallel", () => {
    const adds =
      /^(?:create (?:(?:unlogged )?table|(?:unique )?index|function|trigger)|insert into|alter table \S+ add column|grant) /i;
    // What asked these indexes is answered by others that begin with the same columns.
    const covered = ["drop index ark_change_by_target", "drop index request_tasks"];
    const dialects = ["sqlite", "postgres"] as const;
    const others = MIGRATIONS.flatMap(({ statements, name }) =>
      dialects.flatMap((dialect) => statements(dialect).map((text) => [name, text.trim()] as const)),
    ).filter(
      ([, text]) =>
        (!adds.test(text) && !covered.includes(text)) ||
        (/add column/i.test(text) && /not null/i.test(text) && !/default/i.test(text)),
    );
    expect(others).toEqual([]);
  });

  test("every table has its key and its rights, and nothing else has", () => {
    const database = migrated();
    const rows = database
      .query("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .all();
    const made = rows.map((row) => (row as { readonly name: string }).name).sort();
    database.close();
    expect(Object.keys(PRIMARY_KEYS).sort()).toEqual(made);
    // The runner of migrations makes the first, PostgreSQL alone has the second (limits shared by processes).
    const others = ["schema_migration", "rate_window"];
    expect(
      Object.keys(TABLE_RIGHTS)
        .filter((name) => !others.includes(name))
        .sort(),
    ).toEqual(made);
  });

  test("R2b in a backup a table comes after those it refers to", () => {
    const database = migrated();
    const order = Object.keys(PRIMARY_KEYS);
    const ahead = order.flatMap((table, at) =>
      database
        .query<{ readonly table: string }, [string]>('select "table" from pragma_foreign_key_list(?)')
        .all(table)
        .filter((reference) => order.indexOf(reference.table) > at)
        .map((reference) => `${table} refers to ${reference.table}`),
    );
    database.close();
    expect(ahead).toEqual([]);
  });
});
