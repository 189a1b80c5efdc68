// The servers one URL names: a pool for each, which of them is talked to, and when to look again. A writer is the server that is not in
// recovery; a reader takes the first that answers.

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { errorMessage } from "../../src/shared/error-message.ts";
import { isAway } from "./unavailable.ts";

/** What kind of server answers, and how far its log is. */
export type ServerState = { readonly standby: boolean; readonly lsn: string };

type HostsNeeds = {
  /** One URL for each server. */
  readonly urls: readonly string[];
  readonly wants: "writer" | "any";
  readonly pool: Readonly<pg.PoolConfig>;
  readonly onConnect?: ((server: ServerState) => void) | undefined;
  readonly onLost?: (() => void) | undefined;
};

export type Hosts = {
  /** A connection to the server that serves now. Throws when none does, at most about a second after the last look at them. */
  connect(): Promise<pg.PoolClient>;
  /** Look again before the next connection: something said that the server of now is not the right one any more. */
  doubt(): void;
  counts(): { readonly open: number; readonly idle: number; readonly waiting: number };
  end(): Promise<void>;
};

const SERVER = `select pg_is_in_recovery() as standby,
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as lsn`;
/** How long one of several servers may take to answer; a single one has the time of the pool. */
const LOOK_TIMEOUT_MS = 3_000;
/** Between two looks at servers that do not answer: doubled each time, with some chance, so that many processes do not come at once. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
/** SQLSTATE of a write on a standby, so that callers are told to come back (away.ts). */
const READ_ONLY = "25006";

function noWriter(): Error {
  return Object.assign(new Error("No server of the database URL is the writer: all that answer are standbys"), {
    code: READ_ONLY,
  });
}

/** What every server said: one that refuses the password must not be hidden by the next one, which is merely down. */
function failureOf(refusals: readonly { readonly url: string; readonly error: unknown }[]): unknown {
  const [only] = refusals;
  if (only === undefined) return noWriter();
  if (refusals.length === 1) return only.error;
  const said = refusals.map(
    ({ url, error }) => `${URL.canParse(url) ? new URL(url).host : "a server"}: ${errorMessage(error)}`,
  );
  return new AggregateError(
    refusals.map(({ error }) => error),
    said.join("; "),
  );
}

/** One pool for each server; only that of the server in use holds connections. */
export function openHosts({ urls, wants, pool: settings, onConnect, onLost }: HostsNeeds): Hosts {
  const isChoice = urls.length > 1;
  const pools = urls.map((url) => newPool(url));
  let current = 0;
  // Of several servers the right one is looked for before the first connection.
  let doubted = isChoice;
  let looking: Promise<void> | null = null;
  let failures = 0;
  let notBefore = 0;

  function newPool(url: string): pg.Pool {
    const made = new pg.Pool({ ...settings, connectionString: url, verify });
    // A server that goes away ends idle and busy connections alike: the next query says so, the process goes on.
    made.on("error", () => {});
    made.on("connect", (client) => {
      client.on("error", () => {
        doubted = true;
        onLost?.();
      });
    });
    return made;
  }

  /** Each new connection is asked what it leads to: a primary may have come back as a standby at its old address. */
  function verify(client: pg.PoolClient, done: (error?: Error) => void): void {
    if (isChoice || onConnect !== undefined) void check(client).then(done);
    else done();
  }

  async function check(client: pg.PoolClient): Promise<Error | undefined> {
    try {
      const [server] = (await client.query<ServerState>(SERVER)).rows;
      if (server === undefined) return new Error("The server did not say what it is");
      if (isChoice && wants === "writer" && server.standby) return noWriter();
      onConnect?.(server);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async function look(): Promise<void> {
    const wait = notBefore - performance.now();
    if (wait > 0) await sleep(wait);
    const refusals: { readonly url: string; readonly error: unknown }[] = [];
    for (let step = 0; step < urls.length; step += 1) {
      // The one of now first: most often it has only closed a connection.
      const index = (current + step) % urls.length;
      const url = urls[index] ?? "";
      try {
        const { standby } = await stateOf(url);
        if (isChoice && wants === "writer" && standby) continue;
        current = index;
        doubted = false;
        failures = 0;
        return;
      } catch (error) {
        refusals.push({ url, error });
      }
    }
    failures += 1;
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10));
    notBefore = performance.now() + randomInt(longest / 2, longest);
    throw failureOf(refusals);
  }

  async function stateOf(url: string): Promise<ServerState> {
    const timeouts = isChoice ? { connectionTimeoutMillis: LOOK_TIMEOUT_MS, query_timeout: LOOK_TIMEOUT_MS } : {};
    const client = new pg.Client({ ...settings, ...timeouts, connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      const [server] = (await client.query<ServerState>(SERVER)).rows;
      if (server === undefined) throw new Error("The server did not say what it is");
      return server;
    } finally {
      // Not waited for: a server that hangs would hold up the look at the next one.
      void client.end().catch(() => {});
    }
  }

  /** All who come while nobody answers wait for one and the same look. */
  async function settle(): Promise<void> {
    if (!doubted) return;
    looking ??= look().finally(() => {
      looking = null;
    });
    await looking;
  }

  const taken = (): Promise<pg.PoolClient> => {
    const pool = pools[current];
    if (pool === undefined) throw new RangeError("A database URL names at least one server");
    return pool.connect();
  };

  return {
    async connect() {
      await settle();
      try {
        return await taken();
      } catch (error) {
        // Every connection in use is no reason to look elsewhere.
        if (!isAway(error) || (error instanceof Error && error.message.startsWith("timeout exceeded"))) throw error;
        doubted = true;
      }
      await settle();
      return await taken();
    },
    doubt: () => {
      doubted = true;
    },
    counts: () => ({
      open: pools.reduce((sum, each) => sum + each.totalCount, 0),
      idle: pools.reduce((sum, each) => sum + each.idleCount, 0),
      waiting: pools.reduce((sum, each) => sum + each.waitingCount, 0),
    }),
    end: async () => {
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}
