// What every command is handed: the environment, the terminal, and the services over the database, opened when they are
// first asked for.
import { resolve } from "node:path";
import { openStore, type StoreOptions } from "../../../db/ark/store.ts";
import { MissingDatabase, sqlitePath } from "../../../db/engine/open.ts";
import { systemClock } from "../../adapters/clock.ts";
import { platformRandom } from "../../adapters/random.ts";
import { type ArkQueries, arkQueries } from "../../ark/ark-queries.ts";
import { type Credentials, credentials, type SecretMaker, secretMaker } from "../../ark/credentials.ts";
import { type Lifecycle, lifecycle } from "../../ark/lifecycle.ts";
import { type Minting, minting } from "../../ark/minting.ts";
import type { Store } from "../../ark/store.ts";
import { type Config, type Env, readConfig } from "../../config.ts";
import type { SetupStep } from "../../repository/store/store.ts";
import { isPostgresUrl } from "../../shared/settings/database-url.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { StorageProblem } from "../../storage/limits.ts";
import { StartError } from "../process/role-parts.ts";
import { printable, type Terminal } from "../process/terminal.ts";
import { CommandRefusal } from "./refusals.ts";

export type Context = Terminal & {
  readonly env: Env;
  /** True when --json was given. */
  readonly json: boolean;
  /** True for a command that works on what is there: it must not make a database. */
  readonly needsDatabase?: boolean;
  readonly input: AsyncIterable<Uint8Array>;
  /** What every start of the repository makes sure of. */
  readonly setUp: readonly SetupStep[];
  /** Waits until everything written to stdout has been taken, so that a slow reader is not buried. */
  readonly drained: () => Promise<void>;
  /** True once Ctrl-C or SIGTERM has come; asked between two steps of long work. A second signal ends the process. */
  readonly interrupted: () => Promise<boolean>;
  /** Lets every other process of the machine go first, until this one ends. */
  readonly giveWay: () => void;
};

export type Services = {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: SecretMaker;
  readonly minting: Minting;
  readonly lifecycle: Lifecycle;
  readonly arkQueries: ArkQueries;
  readonly credentials: Credentials;
};

/**
 * The settings; warns of variables that do not exist, because a mistyped SVC_DATABASE_URL would mean another database.
 */
export function settingsOf(context: Context): Config {
  const config = readConfig(context.env);
  for (const warning of config.warnings) context.err(`Warning: ${printable(warning)}\n`);
  return config;
}

/** Opens the database of the settings, runs `work` on the services over it and closes it again. */
/** How the store is opened where a command has more to write than most. */
type OpenHow = Pick<StoreOptions, "thread" | "threadCacheKib">;

export async function withServices<T>(
  context: Context,
  work: (services: Services) => Promise<T>,
  how: OpenHow = {},
): Promise<T> {
  const config = settingsOf(context);
  const store = await openOrRefuse(config, how, context.needsDatabase === true);
  try {
    const clock = systemClock;
    const random = platformRandom();
    const limits = { bulkRows: config.bulkLimit, holdMaxDays: config.holdMaxDays };
    const needs = { store, clock, random, limits };
    return await work({
      config,
      ...needs,
      secrets: secretMaker(needs),
      minting: minting(needs),
      lifecycle: lifecycle(needs),
      arkQueries: arkQueries(needs),
      credentials: credentials(needs),
    });
  } finally {
    await store.close();
  }
}

async function openOrRefuse(config: Config, how: OpenHow, mustExist: boolean): Promise<Store> {
  const replica = config.replicaUrl === null ? {} : { replicaUrl: config.replicaUrl };
  try {
    return await openStore({ url: config.databaseUrl, poolSize: config.dbPool, mustExist, ...replica, ...how });
  } catch (error) {
    throw databaseRefusal(config, error);
  }
}

const STORAGE_HINT =
  'Are SVC_STORAGE and SVC_S3_... right, and does the store run? "arkstone settings" shows what counts';

/** An error of the storage of files, as the refusal of a command. */
export function storageRefusal(error: StorageProblem | StartError): CommandRefusal {
  return new CommandRefusal(error.message, STORAGE_HINT, [], "storage");
}

/** The refusal for work that needs the database and perhaps the storage, which reports its errors itself. */
export function databaseRefusal(config: Config, error: unknown): CommandRefusal {
  if (error instanceof StorageProblem || error instanceof StartError) return storageRefusal(error);
  if (error instanceof MissingDatabase) return missingDatabase(config);
  const words =
    error instanceof Error ? error.message || ("code" in error ? String(error.code) : error.name) : String(error);
  const url = withoutPassword(config.databaseUrl);
  const hint = 'Is SVC_DATABASE_URL right, and does the database run? "arkstone settings" shows what counts';
  return new CommandRefusal(`Cannot open the database ${url}: ${words}`, hint, [], "database");
}

const withoutPassword = (url: string): string => url.replace(/^([^:/]+:\/\/[^:/@]*):[^@]*@/, "$1:********@");

function missingDatabase({ databaseUrl }: Config): CommandRefusal {
  const isFile = !isPostgresUrl(databaseUrl);
  const where = isFile ? resolve(sqlitePath(databaseUrl)) : withoutPassword(databaseUrl);
  const setting = isFile ? "SVC_DATA_DIR or SVC_DATABASE_URL" : "SVC_DATABASE_URL";
  return new CommandRefusal(
    `There is no database of Arkstone at ${where}`,
    `Set ${setting} to where it is, or make one: "arkstone up" or "arkstone apply FILE"`,
    [],
    "no_database",
  );
}
