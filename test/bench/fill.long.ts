// The bench fills tables as publishing writes them: the same works, published through the interface and filled, leave
// the same rows in every table.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { momentOf, personOf, textsOf } from "../../bench/fill/content.ts";
import { fillDatabase } from "../../bench/fill/fill-threads.ts";
import { Filler, makeRecordings, makeStart, type Plan, type Recordings } from "../../bench/fill/filling.ts";
import { type Base, publishPerson, publishWork } from "../../bench/fill/publishing.ts";
import { openFilling } from "../../bench/fill/repository.ts";
import { columnsOf, lastNumbers, tablesOf } from "../../bench/fill/templates.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { mayStartPostgres, query, startPostgres } from "../support/postgres.ts";

const WORKS = 200;
const TEMPLATES = 50;
const folder = mkdtempSync(join(tmpdir(), "arkstone-fill-"));
const plan: Plan = {
  folder: join(folder, "filled"),
  works: WORKS,
  persons: 60,
  templates: TEMPLATES,
  // Nothing is old enough to be deleted again.
  days: 3,
  size: { owners: 4, communities: 4, indexes: 16 },
};
const published = join(folder, "published");
let recordings: Recordings;
const hasPostgres = await mayStartPostgres();

beforeAll(async () => {
  const base = await makeStart(plan);
  cpSync(join(plan.folder, "start"), published, { recursive: true });
  recordings = await makeRecordings(plan, base);
  await publishAll(base);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function publishAll(base: Base): Promise<void> {
  const filling = await openFilling(published);
  filling.set(momentOf(0, 1, plan.days));
  for (let n = 0; n < plan.persons; n += 1) await publishPerson(filling.ask, base, personOf(n));
  const filler = new Filler(plan, recordings);
  for (let n = 0; n < WORKS; n += 1) {
    const { shape } = filler.at(n);
    filling.set(momentOf(n, WORKS, plan.days));
    await publishWork(filling.ask, base, shape, textsOf(n, shape, plan.persons));
    await filling.runJobs();
  }
  await filling.close();
}

type Rows = Readonly<Record<string, readonly string[]>>;
type Row = Readonly<Record<string, unknown>>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** A minted name; the shoulder is that of a new repository. */
const ARK = /99999\/x1[0-9a-z]+/g;

/**
 * The rows of all tables, sorted. Random names are called by the item that has them, random UUIDs by their table or
 * their place in it, and what triggers write happens at one time.
 */
function comparable(tables: ReadonlyMap<string, readonly Row[]>): Rows {
  const arks = new Map((tables.get("item") ?? []).map(({ ark, id }) => [ark, `ARK of ${id}`]));
  const uuids = new Map<string, string>();
  for (const [table, key] of [
    ["author", "id"],
    ["request", "id"],
  ] as const)
    for (const row of tables.get(table) ?? []) uuids.set(String(row.uuid), `UUID of ${table} ${row[key]}`);
  for (const row of tables.get("request_event") ?? [])
    uuids.set(String(row.uuid), `UUID of event ${row.request_id} ${row.position}`);
  const plain = (text: string): string =>
    text.replace(UUID, (uuid) => uuids.get(uuid) ?? uuid).replace(ARK, (ark) => arks.get(ark) ?? ark);
  return Object.fromEntries(
    [...tables].map(([table, rows]) => {
      const same = table === "item_change" ? { at: "" } : {};
      return [table, rows.map((row) => plain(JSON.stringify({ ...row, ...same }))).sort()];
    }),
  );
}

function sqliteRows(file: string): Rows {
  const database = new Database(file, { readonly: true });
  const tables = tablesOf(database).filter((table) => table !== "sqlite_sequence");
  const rows = tables.map((table) => [table, database.query<Row, []>(`select * from "${table}"`).all()] as const);
  const last = lastNumbers(database);
  database.close();
  return { ...comparable(new Map(rows)), counters: [JSON.stringify(last)] };
}

describe("the bench fills a database as publishing does", () => {
  test("Q.307 on SQLite, in all tables row by row", async () => {
    await fillDatabase({ plan, recordings }, null);
    const [filled, expected] = [join(plan.folder, "arkstone.db"), join(published, "arkstone.db")].map(sqliteRows);
    expect(Object.keys(filled ?? {})).toEqual(Object.keys(expected ?? {}));
    for (const [table, rows] of Object.entries(expected ?? {})) {
      expect({ table, rows: filled?.[table] }).toEqual({ table, rows });
    }
    // Something of each kind is among them.
    expect(expected?.item?.length).toBeGreaterThan(WORKS);
    for (const table of ["item_author", "item_community", "item_place", "item_draft", "request_event", "file_text"]) {
      expect({ table, rows: expected?.[table]?.length }).not.toEqual({ table, rows: 0 });
    }
    const schema = (file: string) => {
      const database = new Database(file, { readonly: true });
      const found = database.query("select type, name, sql from sqlite_master order by type, name").all();
      database.close();
      return found;
    };
    expect(schema(join(plan.folder, "arkstone.db"))).toEqual(schema(join(published, "arkstone.db")));
  });

  test.if(hasPostgres)("Q.307 on PostgreSQL, in all tables row by row", async () => {
    const server = await startPostgres();
    const database = await server?.createDatabase();
    try {
      const url = database?.url ?? "";
      const indexes = (): Promise<readonly unknown[]> =>
        query(url, "select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname");
      await (await openRepositoryStore({ url })).close();
      const before = await indexes();
      await fillDatabase({ plan, recordings }, url);
      expect(before.length).toBeGreaterThan(100);
      expect(await indexes()).toEqual(before);
      const isNumber = new Set([pg.types.builtins.INT2, pg.types.builtins.INT4, pg.types.builtins.INT8]);
      const types = { getTypeParser: (type: number) => (text: string) => (isNumber.has(type) ? Number(text) : text) };
      const client = new pg.Client({ connectionString: url, types });
      client.on("error", () => {});
      await client.connect();
      const source = new Database(join(published, "arkstone.db"), { readonly: true });
      const tables = tablesOf(source).filter((each) => !each.startsWith("sqlite_"));
      const found = new Map<string, readonly Row[]>();
      for (const table of tables) {
        const columns = columnsOf(source, table).map((name) => `"${name}"`);
        found.set(table, (await client.query(`select ${columns.join(", ")} from "${table}"`)).rows);
      }
      const [filled, expected] = [comparable(found), sqliteRows(join(published, "arkstone.db"))];
      for (const table of tables) expect({ table, rows: filled[table] }).toEqual({ table, rows: expected[table] });
      const next = await client.query("insert into resource (kind) values ('item') returning id");
      expect(Number(next.rows[0].id)).toBe(lastNumbers(source).resource + 1);
      source.close();
      await client.end();
    } finally {
      await database?.drop();
      await server?.stop();
    }
  });
});
