// Opens PostgreSQL: one server or several behind one URL (hosts.ts), limits on time for every connection, and what a
// COMMIT without an answer means: nobody may take it for done, nor for undone.
import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { postgresUrls } from "../../src/shared/settings/database-url.ts";
import { COMMIT_TIMEOUT_MS, type CommitNews, commitGate, late } from "./commit-gate.ts";
import { preparedName } from "./dialect.ts";
import { type Hosts, ServerPools, type ServerState } from "./postgres-servers.ts";
import type { Database } from "./schema.ts";
import { loggingStatements, type OnStatement } from "./statement-listener.ts";

type PostgresOptions = {
  readonly url: string;
  readonly poolSize?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly planOnce?: boolean | undefined;
  readonly unhurried?: boolean | undefined;
  readonly onConnect?: ((server: ServerState) => void) | undefined;
  readonly onLost?: (() => void) | undefined;
  readonly onCommits?: CommitNews | undefined;
  readonly onStatement?: OnStatement | undefined;
};

const DEFAULT_POOL_SIZE = 10;
/** Also how long a transaction waits for a free connection. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The server ends a statement after this time; we give up a little later, should the server be gone. */
const STATEMENT_TIMEOUT_MS = { write: 60_000, read: 20_000 };
const GONE_AFTER_MS = 5_000;
/** How long a statement waits for rows or tables that another transaction holds. */
const LOCK_TIMEOUT_MS = 10_000;
/** A transaction that asks nothing for this long is ended, so that its locks do not outlive a process that hangs. */
const IDLE_IN_TRANSACTION_MS = 60_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const NO_LIMIT_MS = 2 ** 31 - 1;
/** The driver's message after its time limit. */
const READ_TIMEOUT = /query read timeout/i;

/**
 * SQLSTATEs after which a connection is of no use: connection, shutdown, a standby where the writer was, idle for too
 * long.
 */
const BROKEN_STATES = /^(?:08|57P|25006|25P03)/;

/** A transaction that begins with this has all the time it needs, on the server and here: for migrations. */
export const WITHOUT_STATEMENT_TIMEOUT = "set local statement_timeout = 0";

/** 64-bit integers here are ids and counts, far below 2^53: as numbers, like on SQLite. */
function parserOf(oid: number, format?: "text" | "binary") {
  if (oid === pg.types.builtins.INT8 && format !== "binary") return (text: string) => Number(text);
  return pg.types.getTypeParser(oid, format);
}

export function openPostgres(options: PostgresOptions) {
  const { url, poolSize = DEFAULT_POOL_SIZE, readOnly = false, onConnect, onLost, onCommits = () => {} } = options;
  const urls = postgresUrls(url);
  if (urls === null) throw new TypeError("The database URL cannot be read");
  const settings = [
    // Compiling a statement takes half a second; none runs so long.
    "jit=off",
    ...(readOnly ? ["default_transaction_read_only=on"] : []),
    ...(options.planOnce === true ? ["plan_cache_mode=force_generic_plan"] : []),
  ];
  const timeoutMs = readOnly ? STATEMENT_TIMEOUT_MS.read : STATEMENT_TIMEOUT_MS.write;
  const timeouts =
    options.unhurried === true
      ? { query_timeout: NO_LIMIT_MS }
      : { statement_timeout: timeoutMs, query_timeout: timeoutMs + GONE_AFTER_MS };
  const always = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: "arkstone",
  };
  const pool = {
    ...always,
    max: poolSize,
    ...timeouts,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: { getTypeParser: parserOf },
    options: settings.map((setting) => `-c ${setting}`).join(" "),
  };
  const hosts = new ServerPools({ urls, wants: readOnly ? "any" : "writer", onConnect, onLost, pool });
  const gate = commitGate({ urls, pool: always, news: onCommits });
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: { connect: async () => connectionOf(await hosts.connect(), hosts), end: () => hosts.end() },
    }),
    ...loggingStatements(options.onStatement),
  });
  return {
    dialect: "postgres" as const,
    writer: db,
    reader: db,
    patient: () => db,
    gate,
    // What it keeps is its servers' memory.
    rest: () => {},
    pool: () => hosts.counts(),
    close: async () => {
      await gate.stop();
      await db.destroy();
    },
  };
}

/** SQLSTATE 08007: it is not known whether the transaction was committed. Only the caller may try again. */
function unknownOutcome(cause: unknown): Error {
  const error = new Error("The database did not confirm the commit: it may have happened", { cause });
  const isLate = cause instanceof Error && READ_TIMEOUT.test(cause.message);
  return Object.assign(isLate ? late(error) : error, { code: "08007" });
}

/**
 * One loan of a connection. Statements of fixed text are parsed and planned once for each connection. A connection that
 * failed is not used again, neither here nor by the next who would borrow it.
 */
function connectionOf(client: pg.PoolClient, hosts: Hosts): PostgresPoolClient {
  let broken: unknown;
  let isPatient = false;
  let warning: unknown;
  // Sent when a commit stops waiting for its standby (somebody cancelled it): done here, not there.
  const onNotice = (notice: { readonly severity?: string | undefined }): void => {
    if (notice.severity === "WARNING") warning = notice;
  };
  client.on("notice", onNotice);

  async function query(text: string, values: readonly unknown[]) {
    if (broken !== undefined) throw broken;
    const name = preparedName(text);
    const isCommit = text === "commit";
    if (text === WITHOUT_STATEMENT_TIMEOUT) isPatient = true;
    warning = undefined;
    try {
      const result = await client.query({
        text,
        values: [...values],
        ...(name === undefined ? {} : { name }),
        ...(isPatient ? { query_timeout: NO_LIMIT_MS } : isCommit ? { query_timeout: COMMIT_TIMEOUT_MS } : {}),
      });
      if (isCommit && warning !== undefined)
        throw new Error("The commit did not wait for the standby", { cause: warning });
      return result;
    } catch (cause) {
      const isAnswer = cause instanceof pg.DatabaseError;
      const error = isCommit && !isAnswer ? unknownOutcome(cause) : cause;
      if (!isAnswer || BROKEN_STATES.test(cause.code ?? "")) {
        broken = error;
        hosts.doubt();
      }
      throw error;
    }
  }

  return {
    // Kysely's other way to call `query` takes a cursor, for streams, which nothing here asks for.
    query: query as unknown as PostgresPoolClient["query"],
    release: () => {
      client.off("notice", onNotice);
      client.release(broken !== undefined);
    },
  };
}
