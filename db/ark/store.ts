// The store of the ARK service on SQLite or PostgreSQL: src/ark/store.ts put together from one file of queries per
// aggregate.

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import type { ArkReader, ArkWriter, Store } from "../../src/ark/store.ts";
import { withoutUndefined } from "../../src/shared/objects.ts";
import { accountReader } from "../auth/accounts.ts";
import { isLate } from "../engine/commit-gate.ts";
import { answered, answering, boundTo, type OfSession, type Session, type Transact } from "../engine/dialect.ts";
import { migrate, migrationStatus } from "../engine/migrate.ts";
import {
  isPostgresUrl,
  MissingDatabase,
  type OpenDatabase,
  type OpenOptions,
  openDatabase,
  sqlitePath,
} from "../engine/open.ts";
import { rateBudget } from "../engine/rate-windows.ts";
import { isReadOnlyFile, sqliteTransactions } from "../engine/sqlite-transactions.ts";
import { refuseUnfinished } from "../engine/unfinished-restore.ts";
import {
  DISK_FULL,
  isDiskFull,
  postgresFailure,
  postgresProblem,
  sqliteProblem,
  type WritingRole,
  writeOnSqlite,
} from "../engine/write-proof.ts";
import { readHistories, readHistory, recordCarried, recordChanges } from "../feed/changes.ts";
import {
  countPartsBelow,
  insertArks,
  listArks,
  lockArks,
  madeSince,
  partsBelow,
  readArks,
  readCounts,
  updateArks,
} from "./arks.ts";
import * as credentials from "./credentials.ts";
import { claimReceipts, moveReceipts, readReceipts, receiptsAfter } from "./receipts.ts";
import * as policy from "./registry.ts";

/** In addition to the options of `openDatabase`. */
export type StoreOptions = Pick<
  OpenOptions,
  "url" | "poolSize" | "mustExist" | "checked" | "onCommits" | "thread" | "threadCacheKib" | "onStatement"
> & {
  /** Where `read_only=true` reads (A19). */
  readonly replicaUrl?: string;
  /** Called with the steps that brought the database to the newest schema, and whether it was empty before. */
  readonly migrated?: (steps: readonly string[], isNew: boolean) => void;
  /** Whose rights `writeProblem` asks for; the minter's where it is left out. */
  readonly role?: WritingRole;
};

const ATTEMPTS = 10;
/** serialization_failure and deadlock_detected: PostgreSQL promises that nothing was done. */
const RETRIED_STATES: readonly unknown[] = ["40001", "40P01"];

const READING: OfSession<ArkReader> = {
  arks: readArks,
  listArks,
  history: readHistory,
  histories: readHistories,
  receiptsAfter,
  counts: readCounts,
  naans: policy.readNaans,
  registered: policy.readRegistered,
  organisations: policy.readOrganisations,
  shoulders: policy.readShoulders,
  credentials: credentials.readCredentials,
  secretsOf: credentials.readSecretsOf,
  credentialBySecret: credentials.findBySecret,
  credentialByClientId: credentials.findByClientId,
};
const WRITING: OfSession<ArkWriter> = {
  ...READING,
  lockArks,
  lockOrganisations: policy.lockOrganisations,
  partsBelow,
  countPartsBelow,
  insertArks,
  updateArks,
  receipts: readReceipts,
  claimReceipts,
  moveReceipts,
  madeSince,
  growBlade: policy.growBlade,
  record: recordChanges,
  recordCarried,
  saveNaan: policy.saveNaan,
  saveOrganisation: policy.saveOrganisation,
  saveShoulder: policy.saveShoulder,
  saveCredential: credentials.saveCredential,
  insertSecret: credentials.insertSecret,
  revokeSecret: credentials.revokeSecret,
};

const arkReader = (session: Session): ArkReader => boundTo(session, READING);
/** Everything a transaction may do, on a session that is one. */
export const arkWriter = (session: Session): ArkWriter => boundTo(session, WRITING);

function stateOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** READ COMMITTED: the rows that matter are locked by name, uniqueness is the index's. */
function postgresTransactions(database: OpenDatabase): Transact {
  return async (work) => {
    database.gate?.pass();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await database.writer.transaction().execute((db) => work({ dialect: "postgres", db }));
      } catch (error) {
        if (isLate(error)) database.gate?.close();
        if (attempt >= ATTEMPTS || !RETRIED_STATES.includes(stateOf(error))) throw error;
        await sleep(randomInt(1, 10 * 2 ** Math.min(attempt, 5)));
      }
    }
  };
}

/** Opens the database, brings it to the newest schema and returns the store. `:memory:` is a new, empty one. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return (await openSessions(options)).store;
}

/** The same with what other stores on the same database are built from: its transactions and a session that reads. */
export async function openSessions(options: StoreOptions): Promise<Sessions> {
  const { url, replicaUrl, poolSize, checked, onCommits, migrated, onStatement, role = "minter" } = options;
  const { thread, threadCacheKib, mustExist = false } = options;
  const size = poolSize === undefined ? {} : { poolSize };
  const settings = withoutUndefined({ checked, onCommits, thread, threadCacheKib });
  const problem = problemOf(url);
  const withProblem = (error: unknown): unknown =>
    isReadOnlyFile(error) ? new Error(problem(error), { cause: error }) : error;
  const database = await openDatabase({ url, mustExist, ...size, ...settings, onStatement }).catch((error: unknown) => {
    throw withProblem(error);
  });
  try {
    const { applied } = await migrationStatus(database);
    if (mustExist && applied.length === 0) throw new MissingDatabase("Nothing is in the database");
    // What is half restored keeps the schema of its backup until the restore has ended.
    if (applied.length > 0) await refuseUnfinished({ dialect: database.dialect, db: database.writer });
    const steps = await migrate(database);
    if (steps.length > 0) migrated?.(steps, applied.length === 0);
  } catch (error) {
    await database.close();
    throw withProblem(error);
  }
  const replica = replicaUrl === undefined ? null : await openDatabase({ url: replicaUrl, readOnly: true, ...size });
  return storeOn(database, replica, { role, problem });
}

type Sessions = { readonly store: Store; readonly transact: Transact; readonly reader: Session };

type WriteNeeds = { readonly role: WritingRole; readonly problem: (error: unknown) => string };

/** The message of a failed write. */
function problemOf(url: string): WriteNeeds["problem"] {
  if (isPostgresUrl(url)) return postgresFailure;
  const path = sqlitePath(url);
  return (error) => sqliteProblem(path, error);
}

/**
 * How long the error of a refused write is kept: a proof of one page may succeed in the room that the refused write
 * left.
 */
const REFUSAL_KEPT_MS = 2_000;

/** Remembers writes that a full disk refused. */
function diskRefusals() {
  let at = Number.NEGATIVE_INFINITY;
  return {
    isRecent: (): boolean => performance.now() - at < REFUSAL_KEPT_MS,
    async watch<T>(work: Promise<T>): Promise<T> {
      try {
        return await work;
      } catch (error) {
        if (isDiskFull(error)) at = performance.now();
        throw error;
      }
    },
  };
}

function storeOn(database: OpenDatabase, replica: OpenDatabase | null, { role, problem }: WriteNeeds): Sessions {
  const { dialect } = database;
  const reader = answering(arkReader({ dialect, db: database.reader }));
  const perform: Transact =
    dialect === "sqlite" ? sqliteTransactions(database.writer, database) : postgresTransactions(database);
  const full = diskRefusals();
  const transact: Transact = (work, size) => answered(full.watch(perform(work, size)));
  const store: Store = {
    ...reader,
    replica: replica === null ? reader : answering(arkReader({ dialect: replica.dialect, db: replica.reader })),
    transact: (work, size) => transact((session) => work(arkWriter(session)), size),
    noteUnregisteredSubject: (issuer, subject, at) =>
      transact((session) => credentials.noteSubject(session, issuer, subject, at)),
    unregisteredSubjects: () => answered(credentials.readSubjects({ dialect, db: database.reader })),
    rates: dialect === "sqlite" ? null : rateBudget(perform),
    accounts: answering(accountReader({ dialect, db: database.reader })),
    async ping() {
      await database.reader.executeQuery(CompiledQuery.raw("select 1 from service limit 1"));
    },
    async writeProblem() {
      const known = database.gate?.problem() ?? (full.isRecent() ? DISK_FULL : null);
      if (known !== null) return known;
      try {
        if (dialect === "postgres") return await perform((session) => postgresProblem(session, role));
        await perform(writeOnSqlite);
        return null;
      } catch (error) {
        return database.gate?.problem() ?? problem(error);
      }
    },
    pool: () => database.pool(),
    rest: () => database.rest(),
    async close() {
      await replica?.close();
      await database.close();
    },
  };
  return { store, transact, reader: { dialect, db: database.reader, patient: database.patient } };
}
