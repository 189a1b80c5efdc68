// What both roles share when they are put together.

import { resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore, type StoreOptions } from "../../../db/ark/store.ts";
import { NO_COMMITS } from "../../../db/engine/commit-gate.ts";
import { readerRefusal } from "../../../db/engine/migrate.ts";
import { isPostgresUrl, sqlitePath } from "../../../db/engine/open.ts";
import { NO_ANSWER } from "../../../db/engine/write-proof.ts";
import type { Handler } from "../../../plugins/http/frame.ts";
import { maskSecrets } from "../../adapters/log.ts";
import type { Store } from "../../ark/store.ts";
import type { Config } from "../../config.ts";
import type { Check } from "../../operating/readiness.ts";
import type { Log } from "../../shared/log.ts";
import { inTime } from "../../shared/time/event-loop.ts";
import { CHILD_MARK } from "../child-process.ts";
import type { Lane } from "../lane/fast-lane.ts";
import type { CertificateKeys } from "./certificate.ts";
import type { ListenerState } from "./process-gauges.ts";

/** A role, ready to be put behind a listener. */
export type Service = {
  readonly handler: Handler;
  /** What answers plain redirects before the handler, where the role has such a thing. */
  readonly lane?: Lane | undefined;
  /** Why it cannot do its work, as /readyz states it. */
  readonly notReady: () => Promise<readonly string[]>;
  /** Starts what must run next to the listener, before the first request. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** Written by the listener, shown in the figures. */
  readonly listenerState: ListenerState;
  /** More threads that answer on the same port, where the role has any. */
  readonly threads?: ServiceThreads | undefined;
};

type ServiceThreads = {
  /** Settles when all listen. @throws ListenError when one cannot. */
  readonly listen: (port: number, certificate: CertificateKeys | null) => Promise<void>;
  readonly useCertificate: (next: CertificateKeys) => void;
  readonly stop: (graceMs: number) => Promise<void>;
};

const PING_MS = 2000;

/** What keeps a role from starting and the operator can mend, in one line. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** The writing database, brought to the newest schema. @throws StartError when it cannot be opened. */
export async function openWriter(config: Config, log: Log): Promise<Store> {
  const replica = config.replicaUrl === null ? {} : { replicaUrl: config.replicaUrl };
  const { databaseUrl: url, dbPool: poolSize } = config;
  return await orStartError(config, () => openStore({ url, poolSize, ...databaseNews(config, log), ...replica }));
}

/** Receivers of news about a database while it is opened and used. */
export type DatabaseNews = Pick<StoreOptions, "checked" | "migrated" | "onCommits" | "thread">;

export function databaseNews(config: Config, log: Log): DatabaseNews {
  const database = databaseLocation(config.databaseUrl);
  return {
    checked: (warning) => log.error("database_damaged", { warning }),
    migrated: (steps, isNew) => {
      log.info("migrated", { database, steps });
      // `arkstone up` is for trying it: there a new database is what was asked for.
      if (isNew && process.env[CHILD_MARK] === undefined) log.warn("new_database", { database, warning: NEW_DATABASE });
    },
    onCommits: (news) => {
      if (news === "unconfirmed") log.warn("commits_unconfirmed", { reason: NO_COMMITS });
      else log.info("commits_confirmed");
    },
  };
}

const NEW_DATABASE =
  "This database is new and empty: where the service had one before, SVC_DATA_DIR or SVC_DATABASE_URL names another place";

/** Where a URL leads, for people: an absolute path, or the URL without its password. */
export function databaseLocation(url: string): string {
  return isPostgresUrl(url) || url === ":memory:" ? maskSecrets(url) : resolve(sqlitePath(url));
}

/** @throws StartError naming the setting, where the database cannot be opened. */
export async function orStartError<T>(config: Config, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new StartError(
      `Cannot open the database ${databaseLocation(config.databaseUrl)}: ${wordsOf(error)}${settingOf(config)}`,
      {
        cause: error,
      },
    );
  }
}

/** What went wrong in one line; drivers of databases sometimes give a code and no words. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words = error.message.split("\n")[0]?.trim() ?? "";
  if (words !== "") return words;
  return "code" in error ? String(error.code) : error.name;
}

/** Which setting names the database. */
function settingOf({ givenDatabaseUrl }: Config): string {
  return givenDatabaseUrl === null ? "; check SVC_DATA_DIR" : "; check SVC_DATABASE_URL";
}

/** Whether the database can be written, proved by writing. */
export function writingCheck(store: Pick<Store, "writeProblem">): Check {
  return { ask: () => store.writeProblem(), silent: NO_ANSWER };
}

/**
 * A resolver does not start on a database that a later version has changed, nor on a damaged file. Throws {@link
 * StartError}; one that is silent is waited for later.
 */
export async function requireReadable(config: Config, warn: (warning: string) => void): Promise<void> {
  const asked = readerRefusal(config.replicaUrl ?? config.databaseUrl, warn);
  const refusal = await Promise.race([asked, sleep(PING_MS, null, { ref: false })]);
  if (refusal !== null) throw new StartError(refusal);
}

/** True when the question is answered, and in time. */
export async function within(ask: () => Promise<unknown>, ms: number = PING_MS): Promise<boolean> {
  const isAnswered = ask().then(
    () => true,
    () => false,
  );
  return await inTime(isAnswered, ms, () => false);
}

/** How tokens of mode oauth2 are signed (A24). */
export function tokensOf(config: Config) {
  return {
    secret: config.tokenSecret === null ? null : new TextEncoder().encode(config.tokenSecret),
    issuer: config.tokenIssuer,
    ttlSeconds: config.tokenTtlSeconds,
  };
}
