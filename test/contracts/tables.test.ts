// The tables of a migrated database and what is listed of them: keys for backups (db/engine/tables.ts), rights of roles
// (db/engine/roles.ts). A migration only adds.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { MIGRATIONS } from "../../db/engine/migrate.ts";
import { TABLE_RIGHTS } from "../../db/engine/roles.ts";
import { PRIMARY_KEYS } from "../../db/engine/tables.ts";

describe("migrations", () => {
  test("a step only adds: an instance of the version before keeps running in parallel", () => {
    const adds =
      /^(?:create (?:(?:unlogged )?table|(?:unique )?index|function|trigger)|insert into|alter table \S+ add column|grant) /i;
    const dialects = ["sqlite", "postgres"] as const;
    const others = MIGRATIONS.flatMap(({ statements, name }) =>
      dialects.flatMap((dialect) => statements(dialect).map((text) => [name, text.trim()] as const)),
    ).filter(
      ([, text]) => !adds.test(text) || (/add column/i.test(text) && /not null/i.test(text) && !/default/i.test(text)),
    );
    expect(others).toEqual([]);
  });

  test("every table has its key and its rights, and nothing else has", () => {
    const database = new Database(":memory:");
    for (const { statements } of MIGRATIONS) for (const text of statements("sqlite")) database.run(text);
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
});
