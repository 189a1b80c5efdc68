// Tables made larger by copies of what a test wrote (R9b): each copy has its own numbers, names and keys throughout, so
// that it has nothing to do with the rows it was made from. What a request costs must not depend on how many copies
// there are.
import type { Kysely } from "kysely";
import { CompiledQuery } from "kysely";
import type { Dialect } from "../../db/engine/dialect.ts";
import type { Database } from "../../db/engine/schema.ts";

export type TablePlan = {
  readonly table: string;
  readonly columns: readonly string[];
  /** Columns that differ in each copy. */
  readonly shifted: ReadonlyMap<string, "number" | "text">;
};

/** Tables of one row, of settings, and of the steps of the schema. */
const LEFT_ALONE =
  /^(?:sqlite_.*|schema_.*|migration.*|service|repository_state|oai_state|storage_identity|search_writer|search_setting|item_type.*|mapping|workflow|sword_format|naan|shoulder|organisation|credential.*|rate_window|unregistered_subject|sword_client|author_choice|activity_number)$/;
/** Words of a fixed list, days, moments, and numbers that count. */
const SHARED_COLUMN =
  /^(?:type|kind|channel|state|status|subject|origin|transfer|record_access|role|day|datestamp|.*_at|.*_on|.*_date|.*_until|position|version_index|revision|linked|asks_to_join|postponed|reader|counter|turn|last|xid)$/;
/** References without a foreign key. */
const REFERENCE = /(?:_id|_item|_parent|_by|_of|_account|^target)$/;
const STEP = 1_000_000;
/** Rows of a table that are copied. */
const COPIED = 4;

/** Which columns of which tables differ in each copy, by the schema on SQLite. */
export function tablePlans(all: (text: string) => readonly Record<string, unknown>[]): readonly TablePlan[] {
  const names = all("select name from sqlite_schema where type = 'table' order by name").map(({ name }) =>
    String(name),
  );
  return names
    .filter((table) => !LEFT_ALONE.test(table))
    .map((table) => {
      const columns = all(`select name, type, pk from pragma_table_info('${table}')`);
      const keys = new Set([
        ...columns.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name)),
        ...all(`select "from" as name from pragma_foreign_key_list('${table}')`).map(({ name }) => String(name)),
        ...all(
          `select distinct i.name from pragma_index_list('${table}') l join pragma_index_info(l.name) i where i.name is not null`,
        ).map(({ name }) => String(name)),
      ]);
      const shifted = new Map<string, "number" | "text">();
      for (const { name, type } of columns) {
        const column = String(name);
        if (SHARED_COLUMN.test(column) && !(table === "item_change" && column === "target")) continue;
        if (!keys.has(column) && !REFERENCE.test(column)) continue;
        if (table === "activity_step" && column === "number") continue;
        shifted.set(column, String(type).toLowerCase() === "integer" ? "number" : "text");
      }
      for (const settings of ["item_type_id", "organisation_id", "naan", "shoulder"]) shifted.delete(settings);
      return { table, columns: columns.map(({ name }) => String(name)), shifted };
    });
}

/** Adds the copies `from` to `to` of some rows of each table. */
export async function growTables(
  db: Kysely<Database>,
  dialect: Dialect,
  plans: readonly TablePlan[],
  from: number,
  to: number,
): Promise<void> {
  const run = (text: string) => db.executeQuery(CompiledQuery.raw(text));
  await run(dialect === "sqlite" ? "pragma foreign_keys = off" : "set session_replication_role = replica");
  for (const { table, columns, shifted } of plans) {
    const cells = columns.map((name) => {
      const kind = shifted.get(name);
      if (kind === undefined) return `t."${name}"`;
      return kind === "number" ? `t."${name}" + cast(${STEP} as bigint) * k.i` : `t."${name}" || '~' || k.i`;
    });
    const original = [...shifted]
      .slice(0, 1)
      .map(([name, kind]) => (kind === "number" ? `"${name}" < ${STEP}` : `"${name}" not like '%~%'`));
    const rows = `select * from "${table}" ${original.length === 0 ? "" : `where ${original.join()}`} limit ${COPIED}`;
    const names = columns.map((name) => `"${name}"`).join(", ");
    await run(`insert into "${table}" (${names})
      with recursive k (i) as (select ${from} union all select i + 1 from k where i < ${to})
      select ${cells.join(", ")} from k cross join (${rows}) as t where true on conflict do nothing`);
  }
  await run(dialect === "sqlite" ? "pragma foreign_keys = on" : "set session_replication_role = origin");
}
