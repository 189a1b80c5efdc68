// Starts a new epoch of the change feed: the step after a restore (docs/freshness.md). Every resolver then loads
// everything again.
import { CompiledQuery, type Kysely } from "kysely";
import type { OpenDatabase } from "../engine/open.ts";
import type { Database } from "../engine/schema.ts";
import { beginImmediate } from "../engine/sqlite-transactions.ts";
import type { FeedTable } from "./page.ts";

const RANDOM = { sqlite: "lower(hex(randomblob(16)))", postgres: "replace(gen_random_uuid()::text, '-', '')" } as const;

/** A transaction number older than every other: numbers that came with a dump mean nothing in a new cluster. */
const forgetWriters = (table: FeedTable): string => `update ${table} set xid = '0' where xid >= pg_current_xact_id()`;

async function change(db: Kysely<Database>, dialect: "sqlite" | "postgres") {
  const execute = (text: string) => db.executeQuery<{ value: string }>(CompiledQuery.raw(text));
  const forgotten = dialect === "postgres" ? await execute(forgetWriters("ark_change")) : null;
  if (dialect === "postgres") await execute(forgetWriters("item_change"));
  const { rows } = await execute(
    `update service set value = ${RANDOM[dialect]} where key = 'feed_epoch' returning value`,
  );
  const epoch = rows[0]?.value;
  if (epoch === undefined) throw new Error("The database has no feed: it was not set up by this program");
  // Another history may lack items whose files are in the storage: an operator has to confirm whose they are (R7c).
  await execute("delete from storage_identity");
  return { epoch, writersForgotten: Number(forgotten?.numAffectedRows ?? 0) };
}

/**
 * In one transaction: a new epoch, and on PostgreSQL no change row keeps a transaction number that the cluster has not
 * assigned yet.
 */
export async function startNewEpoch(
  database: OpenDatabase,
): Promise<{ readonly epoch: string; readonly writersForgotten: number }> {
  const { dialect, writer } = database;
  if (dialect === "postgres") return writer.transaction().execute((db) => change(db, dialect));
  return writer.connection().execute(async (db) => {
    await beginImmediate(db);
    try {
      const made = await change(db, dialect);
      await db.executeQuery(CompiledQuery.raw("commit"));
      return made;
    } catch (error) {
      await db.executeQuery(CompiledQuery.raw("rollback"));
      throw error;
    }
  });
}
