// The servers one URL names: a pool for each, which of them is talked to, and when to look again. A writer is the
// server that is not in recovery; a reader takes the first that answers.

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { errorMessage } from "../../src/shared/error-message.ts";
import { isAway } from "./dialect.ts";

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

export interface Hosts {
  /** A connection to the current writer. Throws when there is none, at most about a second after the last check. */
  connect(): Promise<pg.PoolClient>;
  /**
   * Checks the servers again before the next connection: a reply showed that the current server may be the wrong one.
   */
  doubt(): void;
  counts(): { readonly open: number; readonly idle: number; readonly waiting: number };
  end(): Promise<void>;
}

const SERVER = `select pg_is_in_recovery() as standby,
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as lsn`;
/** How long one of several servers may take to answer; a single one has the time of the pool. */
const LOOK_TIMEOUT_MS = 3_000;
/**
 * Wait between checks of servers that do not answer: doubled each time, with jitter, so that processes do not check
 * together.
 */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
/** SQLSTATE of a write on a standby, so that callers receive "try again later" (`isAway` in dialect.ts). */
const READ_ONLY = "25006";

function noWriter(): Error {
  return Object.assign(new Error("No server of the database URL is the writer: all that answer are standbys"), {
    code: READ_ONLY,
  });
}

/**
 * The errors of all servers: one that refuses the password must not be hidden by the next one, which is merely down.
 */
function failureOf(refusals: readonly { readonly url: string; readonly error: unknown }[]): unknown {
  const [only] = refusals;
  if (only === undefined) return noWriter();
  if (refusals.length === 1) return only.error;
  const messages = refusals.map(
    ({ url, error }) => `${URL.canParse(url) ? new URL(url).host : "a server"}: ${errorMessage(error)}`,
  );
  return new AggregateError(
    refusals.map(({ error }) => error),
    messages.join("; "),
  );
}

/** One pool for each server; only that of the server in use holds connections. */
export class ServerPools implements Hosts {
  readonly #urls: HostsNeeds["urls"];
  readonly #wants: HostsNeeds["wants"];
  readonly #settings: HostsNeeds["pool"];
  readonly #onConnect: HostsNeeds["onConnect"];
  readonly #onLost: HostsNeeds["onLost"];
  readonly #isChoice: boolean;
  /** One for each server. */
  readonly #pools: readonly pg.Pool[];
  #current = 0;
  /** Whether the right server is searched for before the next connection: of several servers also before the first. */
  #doubted: boolean;
  #looking: Promise<void> | null = null;
  #failures = 0;
  #notBefore = 0;

  constructor({ urls, wants, pool: settings, onConnect, onLost }: HostsNeeds) {
    this.#urls = urls;
    this.#wants = wants;
    this.#settings = settings;
    this.#onConnect = onConnect;
    this.#onLost = onLost;
    this.#isChoice = this.#urls.length > 1;
    this.#pools = this.#urls.map((url) => this.#newPool(url));
    this.#doubted = this.#isChoice;
  }

  async connect(): Promise<pg.PoolClient> {
    await this.#settle();
    try {
      return await this.#taken();
    } catch (error) {
      // Having every connection in use is not a reason to try another server.
      if (!isAway(error) || (error instanceof Error && error.message.startsWith("timeout exceeded"))) throw error;
      this.#doubted = true;
    }
    await this.#settle();
    return await this.#taken();
  }

  doubt(): void {
    this.#doubted = true;
  }

  counts(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    return {
      open: this.#pools.reduce((sum, each) => sum + each.totalCount, 0),
      idle: this.#pools.reduce((sum, each) => sum + each.idleCount, 0),
      waiting: this.#pools.reduce((sum, each) => sum + each.waitingCount, 0),
    };
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((each) => each.end()));
  }

  #newPool(url: string): pg.Pool {
    const made = new pg.Pool({
      ...this.#settings,
      connectionString: url,
      verify: (client, done) => this.#verify(client, done),
    });
    // A server that stops ends idle and busy connections alike: the next query reports it, the process continues.
    made.on("error", () => {});
    made.on("connect", (client) => {
      client.on("error", () => {
        this.#doubted = true;
        this.#onLost?.();
      });
    });
    return made;
  }

  /** Each new connection is asked what it leads to: a primary may have come back as a standby at its old address. */
  #verify(client: pg.PoolClient, done: (error?: Error) => void): void {
    if (this.#isChoice || this.#onConnect !== undefined) void this.#check(client).then(done);
    else done();
  }

  async #check(client: pg.PoolClient): Promise<Error | undefined> {
    try {
      const [server] = (await client.query<ServerState>(SERVER)).rows;
      if (server === undefined) return new Error("The server did not report its role");
      if (this.#isChoice && this.#wants === "writer" && server.standby) return noWriter();
      this.#onConnect?.(server);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #look(): Promise<void> {
    const wait = this.#notBefore - performance.now();
    if (wait > 0) await sleep(wait);
    const refusals: { readonly url: string; readonly error: unknown }[] = [];
    for (let step = 0; step < this.#urls.length; step += 1) {
      // The one of now first: most often it has only closed a connection.
      const index = (this.#current + step) % this.#urls.length;
      const url = this.#urls[index] ?? "";
      try {
        const { standby } = await this.#stateOf(url);
        if (this.#isChoice && this.#wants === "writer" && standby) continue;
        this.#current = index;
        this.#doubted = false;
        this.#failures = 0;
        return;
      } catch (error) {
        refusals.push({ url, error });
      }
    }
    this.#failures += 1;
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#failures, 10));
    this.#notBefore = performance.now() + randomInt(longest / 2, longest);
    throw failureOf(refusals);
  }

  async #stateOf(url: string): Promise<ServerState> {
    const timeouts = this.#isChoice ? { connectionTimeoutMillis: LOOK_TIMEOUT_MS, query_timeout: LOOK_TIMEOUT_MS } : {};
    const client = new pg.Client({ ...this.#settings, ...timeouts, connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      const [server] = (await client.query<ServerState>(SERVER)).rows;
      if (server === undefined) throw new Error("The server did not report its role");
      return server;
    } finally {
      // Not awaited: a server that hangs would delay the check of the next one.
      void client.end().catch(() => {});
    }
  }

  /** All who come while nobody answers wait for one and the same look. */
  async #settle(): Promise<void> {
    if (!this.#doubted) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    await this.#looking;
  }

  #taken(): Promise<pg.PoolClient> {
    const pool = this.#pools[this.#current];
    if (pool === undefined) throw new RangeError("A database URL names at least one server");
    return pool.connect();
  }
}
