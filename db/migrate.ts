// Brings a database to the schema this program knows: numbered steps, forward only, one transaction, safe when two processes start at once.
import { CompiledQuery, type Kysely } from "kysely";
import type { Dialect, Session } from "./dialect.ts";
import { arkService } from "./migrations/0001-ark-service.ts";
import { rateWindow } from "./migrations/0002-rate-window.ts";
import type { Migration } from "./migrations/migration.ts";
import type { OpenDatabase } from "./open.ts";
import type { Database } from "./schema.ts";
import { beginImmediate } from "./sqlite-transactions.ts";

/** In order, without gaps. A published migration is never edited. */
const MIGRATIONS: readonly Migration[] = [arkService, rateWindow];

export type MigrationStatus = {
  readonly applied: readonly { readonly version: number; readonly name: string; readonly appliedAt: string }[];
  readonly pending: readonly { readonly version: number; readonly name: string }[];
};

/** Any number will do, as long as every Arkstone process takes the same. */
const ADVISORY_LOCK = 4_812_207_331;

const NOW: Readonly<Record<Dialect, string>> = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

async function tableExists({ dialect, db }: Session): Promise<boolean> {
  const text =
    dialect === "sqlite"
      ? "select 1 as found from sqlite_master where type = 'table' and name = 'schema_migration'"
      : "select 1 as found from pg_tables where tablename = 'schema_migration' and schemaname = any(current_schemas(false))";
  return (await db.executeQuery(CompiledQuery.raw(text))).rows.length > 0;
}

async function statusOf(session: Session): Promise<MigrationStatus> {
  if (!(await tableExists(session))) return { applied: [], pending: MIGRATIONS };
  const rows = await session.db
    .selectFrom("schema_migration")
    .select(["version", "name", "applied_at as appliedAt"])
    .orderBy("version")
    .execute();
  const newest = rows.at(-1)?.version ?? 0;
  if (newest > MIGRATIONS.length) {
    throw new Error(
      `The database has schema ${newest}, this program knows schemas up to ${MIGRATIONS.length}: start a newer program`,
    );
  }
  return { applied: rows, pending: MIGRATIONS.filter(({ version }) => version > newest) };
}

/** Which migrations the database has and which it lacks. Throws when its schema is newer than this program. */
export function migrationStatus(database: OpenDatabase): Promise<MigrationStatus> {
  return statusOf({ dialect: database.dialect, db: database.writer });
}

async function applyPending(dialect: Dialect, db: Kysely<Database>, upTo: number): Promise<readonly string[]> {
  const execute = (text: string) => db.executeQuery(CompiledQuery.raw(text));
  const status = await statusOf({ dialect, db });
  const lacking = new Set(status.pending.flatMap(({ version }) => (version <= upTo ? [version] : [])));
  const pending = MIGRATIONS.filter(({ version }) => lacking.has(version));
  const end = dialect === "sqlite" ? "strict" : "";
  await execute(
    `create table if not exists schema_migration
      (version integer not null primary key, name text not null, applied_at text not null) ${end}`,
  );
  for (const migration of pending) {
    for (const text of migration.statements(dialect)) await execute(text);
    await execute(
      `insert into schema_migration (version, name, applied_at)
        values (${migration.version}, '${migration.name}', ${NOW[dialect]})`,
    );
  }
  return pending.map(({ name }) => name);
}

/** The newest schema this program knows. */
export const NEWEST_SCHEMA = MIGRATIONS.length;

export type MigrateOptions = {
  /** The schema to stop at, for rows that were written under it. */
  readonly upTo?: number;
  /** Done in the transaction of the steps, when there are any: nobody sees the new tables without it. */
  readonly along?: (session: Session) => Promise<void>;
};

/** Applies what is missing, all or nothing, and gives back the names of the steps taken. Needs no write access when nothing is missing. */
export async function migrate(database: OpenDatabase, options: MigrateOptions = {}): Promise<readonly string[]> {
  const { dialect, writer } = database;
  const { upTo = NEWEST_SCHEMA, along = async () => {} } = options;
  const { pending } = await migrationStatus(database);
  if (pending.every(({ version }) => version > upTo)) return [];
  if (dialect === "postgres") {
    return writer.transaction().execute(async (db) => {
      await db.executeQuery(CompiledQuery.raw("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK]));
      const names = await applyPending(dialect, db, upTo);
      await along({ dialect, db });
      return names;
    });
  }
  return writer.connection().execute(async (db) => {
    await beginImmediate(db);
    try {
      const names = await applyPending(dialect, db, upTo);
      await along({ dialect, db });
      await db.executeQuery(CompiledQuery.raw("commit"));
      return names;
    } catch (error) {
      await db.executeQuery(CompiledQuery.raw("rollback"));
      throw error;
    }
  });
}
