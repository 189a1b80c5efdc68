// What is stored about an account is exported, table by table (R33): a column that names an account is in the export, or
// excused with a reason.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { NOT_PERSONAL, PERSONAL_SECTIONS } from "../../db/auth/personal-data.ts";
import { MIGRATIONS } from "../../db/engine/migrate.ts";
import { PRIMARY_KEYS } from "../../db/engine/tables.ts";

/** Columns of tables that name an account: by a foreign key, or by their name. */
function accountColumns(): readonly string[] {
  const database = new Database(":memory:");
  for (const { statements } of MIGRATIONS) for (const text of statements("sqlite")) database.run(text);
  const rows = <Row>(text: string): readonly Row[] => database.query(text).all() as Row[];
  const tables = rows<{ name: string }>("select name from sqlite_schema where type = 'table'").map(({ name }) => name);
  const found = tables.flatMap((table) => {
    const keys = rows<{ table: string; from: string }>(`pragma foreign_key_list(${table})`)
      .filter((key) => key.table === "account")
      .map(({ from }) => from);
    const named = rows<{ name: string }>(`pragma table_info(${table})`)
      .map(({ name }) => name)
      .filter((name) =>
        /account|owner|editor|depositor|deposited_(?!at)|behalf|invited_by|holder|creator_id|user_id|subject_id/.test(
          name,
        ),
      );
    return [...new Set([...keys, ...named])].map((column) => `${table}.${column}`);
  });
  database.close();
  return [...found, "account.id"];
}

test("P.192 every column that names an account is exported, or excused with a reason", () => {
  const exported = PERSONAL_SECTIONS.filter(({ via }) => via === undefined).map(
    ({ table, owner }) => `${table}.${owner}`,
  );
  const excused = Object.keys(NOT_PERSONAL);
  const columns = accountColumns();
  expect(columns.filter((column) => !exported.includes(column) && !excused.includes(column))).toEqual([]);
  // Nothing is named that is not there, or twice.
  expect([...exported, ...excused].filter((column) => !columns.includes(column))).toEqual([]);
  expect(new Set([...exported, ...excused]).size).toBe(exported.length + excused.length);
  expect(Object.values(NOT_PERSONAL).filter((reason) => reason.length < 20)).toEqual([]);
  expect(columns.length).toBeGreaterThan(30);
});

test("P.192 rows are read in an order that never shows one twice: its columns make a row of the account unique", () => {
  for (const { name, table, owner, where, key } of PERSONAL_SECTIONS) {
    const ordered = [...key.map(([column]) => column), owner, ...(where?.includes("subject") ? ["subject"] : [])];
    expect([name, PRIMARY_KEYS[table].filter((column) => !ordered.includes(column))]).toEqual([name, []]);
  }
});
