// Brings a database to the schema this program knows: numbered steps, forward only, one transaction, safe when two
// processes start at once. A step only adds (tables, indexes, columns with a default), so that instances of the
// previous version keep running; what is no longer used is removed by a later version, when none of the instances that
// used it runs.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, type Kysely } from "kysely";
import type { Instant } from "../../src/shared/time/instant.ts";
import { arkService } from "../migrations/0001-ark-service.ts";
import { rateWindow } from "../migrations/0002-rate-window.ts";
import { repository } from "../migrations/0003-repository.ts";
import { rights } from "../migrations/0004-rights.ts";
import { itemSummary } from "../migrations/0005-item-summary.ts";
import { storageIdentity } from "../migrations/0006-storage-identity.ts";
import { draftPlaces } from "../migrations/0007-draft-places.ts";
import { itemChanges } from "../migrations/0008-item-changes.ts";
import { authors } from "../migrations/0009-authors.ts";
import { searchSettings } from "../migrations/0010-search-settings.ts";
import { fileText } from "../migrations/0011-file-text.ts";
import { harvestedRecords } from "../migrations/0012-harvested-records.ts";
import { searchWriter } from "../migrations/0013-search-writer.ts";
import { draftFiles } from "../migrations/0014-draft-files.ts";
import { requests } from "../migrations/0015-requests.ts";
import { tombstoneVisibility } from "../migrations/0016-tombstone-visibility.ts";
import { vocabularySearch } from "../migrations/0017-vocabulary-search.ts";
import { usage } from "../migrations/0018-usage.ts";
import { authorization } from "../migrations/0019-authorization.ts";
import { boundedCosts } from "../migrations/0020-bounded-costs.ts";
import { signInEnds } from "../migrations/0021-sign-in-ends.ts";
import { searchCollections } from "../migrations/0022-search-collections.ts";
import { itemGrants } from "../migrations/0023-item-grants.ts";
import { auditLists } from "../migrations/0024-audit-lists.ts";
import { historyParts } from "../migrations/0025-history-parts.ts";
import { searchFacets } from "../migrations/0026-search-facets.ts";
import { outgoing } from "../migrations/0027-outgoing.ts";
import { draftRevisions } from "../migrations/0028-draft-revisions.ts";
import { accountLife } from "../migrations/0029-account-life.ts";
import { accessLinks } from "../migrations/0030-access-links.ts";
import { review } from "../migrations/0031-review.ts";
import { linksOfAccount } from "../migrations/0032-links-of-account.ts";
import { removedFiles } from "../migrations/0033-removed-files.ts";
import { accountNames } from "../migrations/0034-account-names.ts";
import { transfers } from "../migrations/0035-transfers.ts";
import { savedSearches } from "../migrations/0036-saved-searches.ts";
import { communityLogos } from "../migrations/0037-community-logos.ts";
import { usageMonths } from "../migrations/0038-usage-months.ts";
import { accessRequests } from "../migrations/0039-access-requests.ts";
import { staticPages } from "../migrations/0040-static-pages.ts";
import { oneHistoryIndex } from "../migrations/0041-one-history-index.ts";
import { requestCounts } from "../migrations/0042-request-counts.ts";
import { largeRepositories } from "../migrations/0043-large-repositories.ts";
import type { Migration } from "../migrations/migration.ts";
import type { Dialect, Session } from "./dialect.ts";
import { type OpenDatabase, openDatabase } from "./open.ts";
import { WITHOUT_STATEMENT_TIMEOUT } from "./open-postgres.ts";
import type { Database } from "./schema.ts";
import { DamagedFile } from "./sqlite-damage.ts";
import { beginImmediate } from "./sqlite-transactions.ts";

/** In order, without gaps. A published migration is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  arkService,
  rateWindow,
  repository,
  rights,
  itemSummary,
  storageIdentity,
  draftPlaces,
  itemChanges,
  authors,
  searchSettings,
  fileText,
  harvestedRecords,
  searchWriter,
  draftFiles,
  requests,
  tombstoneVisibility,
  vocabularySearch,
  usage,
  authorization,
  boundedCosts,
  signInEnds,
  searchCollections,
  itemGrants,
  auditLists,
  historyParts,
  searchFacets,
  outgoing,
  draftRevisions,
  accountLife,
  accessLinks,
  review,
  linksOfAccount,
  removedFiles,
  accountNames,
  transfers,
  savedSearches,
  communityLogos,
  usageMonths,
  accessRequests,
  staticPages,
  oneHistoryIndex,
  requestCounts,
  largeRepositories,
];

type MigrationStatus = {
  readonly applied: readonly { readonly version: number; readonly name: string; readonly appliedAt: Instant }[];
  readonly pending: readonly { readonly version: number; readonly name: string }[];
};

/** How long a step waits for a table that others use: they wait behind it, so not long, but more than once. */
const STEP_LOCK_TIMEOUT_MS = 3_000;
const STEP_ATTEMPTS = 20;
const LOCK_NOT_AVAILABLE = "55P03";
const INSUFFICIENT_PRIVILEGE = "42501";

/** Any number will do, as long as every Arkstone process takes the same. */
const ADVISORY_LOCK = 4_812_207_331;

const NOW: Readonly<Record<Dialect, string>> = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** The database belongs to a later version of this program. */
class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}

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
    throw new NewerSchema(
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

type MigrateOptions = {
  /** The schema to stop at, for rows that were written under it. */
  readonly upTo?: number;
  /** Done in the transaction of the steps, when there are any: nobody sees the new tables without it. */
  readonly along?: (session: Session) => Promise<void>;
};

/** Applies the missing steps, all or none, and returns their names. Needs no write access when nothing is missing. */
export async function migrate(database: OpenDatabase, options: MigrateOptions = {}): Promise<readonly string[]> {
  const { dialect, writer } = database;
  const { upTo = NEWEST_SCHEMA, along = async () => {} } = options;
  const { pending } = await migrationStatus(database);
  const lacking = pending.filter(({ version }) => version <= upTo);
  if (lacking.length === 0) return [];
  const take = async (db: Kysely<Database>): Promise<readonly string[]> => {
    const names = await applyPending(dialect, db, upTo);
    await along({ dialect, db });
    return names;
  };
  if (dialect === "postgres") return migratePostgres(writer, lacking, take);
  return writer.connection().execute(async (db) => {
    await beginImmediate(db);
    try {
      const names = await take(db);
      await db.executeQuery(CompiledQuery.raw("commit"));
      return names;
    } catch (error) {
      await db.executeQuery(CompiledQuery.raw("rollback"));
      throw error;
    }
  });
}

/** Each attempt waits its turn behind other processes that migrate, then takes all steps or none. */
async function migratePostgres(
  writer: Kysely<Database>,
  lacking: MigrationStatus["pending"],
  take: (db: Kysely<Database>) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writer.transaction().execute(async (db) => {
        const execute = (text: string) => db.executeQuery(CompiledQuery.raw(text));
        await execute(WITHOUT_STATEMENT_TIMEOUT);
        await execute("set local lock_timeout = 0");
        await execute(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`);
        await execute(`set local lock_timeout = ${STEP_LOCK_TIMEOUT_MS}`);
        return take(db);
      });
    } catch (error) {
      const state = error instanceof Error && "code" in error ? error.code : undefined;
      if (state === INSUFFICIENT_PRIVILEGE) {
        const steps = lacking.map(({ version, name }) => `${version} ${name}`).join(", ");
        const hint = 'run "arkstone migrate" as the owner of its tables';
        throw new Error(`The database lacks ${steps}, and this role may not change it: ${hint}`, { cause: error });
      }
      if (state !== LOCK_NOT_AVAILABLE || attempt >= STEP_ATTEMPTS) throw error;
      await sleep(randomInt(200, 1_000));
    }
  }
}

/**
 * Why a role that only reads must not start on a database: its schema is newer, its file damaged. Null where it may, or
 * where nothing answers.
 */
export async function readerRefusal(url: string, warn: (warning: string) => void): Promise<string | null> {
  let database: OpenDatabase | null = null;
  try {
    database = await openDatabase({ url, readOnly: true, poolSize: 1, checked: warn });
    await migrationStatus(database);
    return null;
  } catch (error) {
    return error instanceof NewerSchema || error instanceof DamagedFile ? error.message : null;
  } finally {
    await database?.close();
  }
}
