// compose.yaml without Docker: what it names is there, and the two scripts it hands to PostgreSQL make a primary whose
// commits wait for a standby, on the PostgreSQL of this machine.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import pg from "pg";
import { describeSettings } from "../../src/config.ts";
import { eventually } from "../support/eventually.ts";
import { findPrograms, type Programs, type User, unprivilegedUser } from "../support/postgres.ts";
import { freePort, temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const text = readFileSync(join(ROOT, "compose.yaml"), "utf8");
const withoutServer = process.env.ARKSTONE_TEST_PG === "none";
const programs = withoutServer ? null : await findPrograms();
const user = unprivilegedUser();
if (programs === null) console.error("No PostgreSQL to test with: the scripts of compose.yaml are not run");

describe("compose.yaml", () => {
  test("every file it mounts is there, scripts can be run, and every setting exists", () => {
    const mounted = [...text.matchAll(/\.\/(deploy\/[\w.-]+):/g)].map((match) => match[1] ?? "");
    expect(mounted.length).toBe(3);
    for (const file of mounted) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
    const known = new Set(describeSettings({}).map(({ name }) => name));
    const used = [...text.matchAll(/^\s+(SVC_\w+):/gm)].map((match) => match[1] ?? "");
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  test("minter, resolvers and repository run the one binary, read-only, without rights, and get longer than a request in flight", () => {
    const shared = /x-arkstone:[\s\S]*?\n\n/.exec(text)?.[0] ?? "";
    for (const line of ["read_only: true", "cap_drop: [ALL]", "stop_grace_period: 20s", "no-new-privileges:true"]) {
      expect(shared).toContain(line);
    }
    // The names of the front's configuration are those of the services.
    const front = readFileSync(join(ROOT, "deploy", "nginx.conf"), "utf8");
    const servers = [...front.matchAll(/server ([\w-]+):(\d+)/g)].map(([, name, port]) => [name, port]);
    expect(servers).toEqual([
      ["minter", "8000"],
      ["resolver-1", "8001"],
      ["resolver-2", "8001"],
      ["repository", "8002"],
    ]);
    for (const [name] of servers) expect(text).toContain(`\n  ${name}:`);
    // What the front sets is what the service believes.
    expect(text.match(/SVC_RAW_URI_HEADER: X-Original-URI/g)?.length).toBe(1);
    expect(front).toContain("proxy_set_header X-Original-URI $request_uri;");
    expect(text.match(/SVC_TRUSTED_PROXIES: "1"/g)?.length).toBe(3);
  });

  test("R7 R8a repository, worker and operator see the same files, on their own volume; the worker runs the jobs", () => {
    for (const name of ["repository", "worker", "owner"]) expect([name, serviceOf(name) !== ""]).toEqual([name, true]);
    expect(text.match(/volumes: \["files:\/data\/files"\]/g)?.length).toBe(2);
    expect(serviceOf("owner")).toContain('volumes: ["files:/data/files"]');
    expect(serviceOf("repository")).toContain('volumes: ["files:/data/files"]');
    expect(serviceOf("repository")).toContain('SVC_JOBS: "off"');
    // Environment and volumes are those of the repository.
    expect(serviceOf("worker")).toContain("<<: *repository");
    expect(serviceOf("worker")).toContain("command: [worker]");
    expect(/^volumes:\n(?: {2}\w+:\n)+/m.exec(text)?.[0]).toContain("  files:\n");
    // Every password that a service logs in with is one that the roles are made with.
    const used = [...text.matchAll(/postgres:\/\/arkstone_\w+:\$\{(\w+)\}/g)].map((match) => match[1] ?? "");
    expect(new Set(used)).toEqual(
      new Set(["OWNER_PASSWORD", "MINTER_PASSWORD", "RESOLVER_PASSWORD", "REPOSITORY_PASSWORD"]),
    );
    for (const name of used) expect(text).toContain(`ARKSTONE_${name}: \${${name}:?`);
  });
});

/** The lines of one service; "" where there is none. */
function serviceOf(name: string): string {
  return new RegExp(`^  ${name}:.*\\n(?:    .*\\n|\\n)+`, "m").exec(text)?.[0] ?? "";
}

describe.skipIf(programs === null || user === null)("primary and standby of compose.yaml", () => {
  const folder = temporaryFolder("compose");
  const running: ChildProcess[] = [];
  const ports = { primary: 0, standby: 0 };
  let started: Started;
  beforeAll(async () => {
    ports.primary = await freePort();
    ports.standby = await freePort();
    if (programs !== null && user !== null) started = prepare(folder.path, programs, user, ports, running);
    await started.primary();
    await started.standby();
  }, 60_000);
  afterAll(async () => {
    for (const child of running.toReversed()) await end(child);
    folder.remove();
  });

  const url = (port: number): string => `postgres://arkstone:secret@127.0.0.1:${port}/arkstone`;
  /** A commit waits until the standby has it on disk; these ones also until it can be read there. */
  const write = (statement: string) => query(url(ports.primary), `set synchronous_commit = remote_apply; ${statement}`);

  test("the standby follows by name and slot, as a user that may do nothing else, and counts for every commit", async () => {
    const who =
      "select application_name, usename, sync_state, (select active from pg_replication_slots where slot_name = 'standby') from pg_stat_replication";
    // A standby that has just come is counted once it has caught up.
    const rows = await eventually("the standby counts for commits", async () => {
      const found = await query(url(ports.primary), who);
      return found[0]?.[2] === "sync" ? found : null;
    });
    expect(rows).toEqual([["standby", "replicator", "sync", true]]);
    await write("create table kept as select 1 as one");
    expect(await query(url(ports.standby), "select one from kept")).toEqual([[1]]);
    await expect(query(url(ports.standby), "insert into kept values (2)")).rejects.toThrow("read-only");
  }, 60_000);

  test("without the standby a commit is not acknowledged; when it is back the commit goes through", async () => {
    const standby = running.pop();
    if (standby === undefined) throw new Error("no standby");
    await end(standby);
    const commit = write("insert into kept values (2)").then(() => "acknowledged");
    const soon = new Promise((resolve) => setTimeout(() => resolve("waiting"), 700));
    expect(await Promise.race([commit, soon])).toBe("waiting");
    await started.standby();
    expect(await commit).toBe("acknowledged");
    expect(await query(url(ports.standby), "select count(*)::int from kept")).toEqual([[2]]);
  }, 60_000);
});

type Started = { readonly primary: () => Promise<void>; readonly standby: () => Promise<void> };

/** The two servers as the official image and compose.yaml would start them; settings for speed alone are added. */
function prepare(
  folder: string,
  { initdb, postgres }: Programs,
  { uid, gid, as }: User,
  ports: { readonly primary: number; readonly standby: number },
  running: ChildProcess[],
): Started {
  chownSync(folder, uid, gid);
  const data = { primary: join(folder, "primary"), standby: join(folder, "volume", "standby") };
  const scripts = { primary: join(folder, "primary.sh"), standby: join(folder, "standby.sh") };
  for (const name of ["primary", "standby"] as const) {
    copyFileSync(join(ROOT, "deploy", `postgres-${name}.sh`), scripts[name]);
    chmodSync(scripts[name], 0o755);
  }
  const password = join(folder, "password");
  writeFileSync(password, "secret\n");
  chownSync(password, uid, gid);
  const common = {
    PATH: `${dirname(postgres)}:${process.env.PATH ?? "/usr/bin:/bin"}`,
    LC_ALL: "C",
    REPLICATION_PASSWORD: "it's secret",
    POSTGRES_USER: "arkstone",
    POSTGRES_DB: "arkstone",
  };
  const must = async (command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> => {
    const outcome = await run([...as, ...command], { cwd: folder, env });
    if (outcome.code !== 0) throw new Error(`${command.join(" ")}:\n${outcome.output}`);
  };
  const options = (port: number) => [
    ...["-c", `port=${port}`, "-c", `unix_socket_directories=${folder}`, "-c", "listen_addresses=127.0.0.1"],
    ...["-c", "fsync=off", "-c", "shared_buffers=16MB"],
  ];
  const start = async (
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    port: number,
  ): Promise<void> => {
    const [program = "", ...args] = [...as, ...command];
    const child = spawn(program, args, { cwd: folder, env, stdio: "ignore" });
    running.push(child);
    await eventually(`${command.join(" ")} starts`, () => {
      if (child.exitCode !== null) throw new Error(`${command.join(" ")} did not start`);
      return query(`postgres://arkstone:secret@127.0.0.1:${port}/postgres`, "select 1").catch(() => null);
    });
  };
  return {
    async primary() {
      const env = { ...common, PGDATA: data.primary, PGHOST: folder, PGPORT: String(ports.primary) };
      const auth = ["--auth-local=trust", "--auth-host=scram-sha-256", `--pwfile=${password}`];
      await must([initdb, "-D", data.primary, "-U", "arkstone", ...auth, "-E", "UTF8", "--locale=C", "--no-sync"], env);
      const server = [postgres, "-D", data.primary, ...options(ports.primary), "-c", "wal_level=replica"];
      await start(server, env, ports.primary);
      await must([join(dirname(postgres), "createdb"), "-U", "arkstone", "arkstone"], env);
      await must([scripts.primary], env);
      const first = running.pop();
      if (first !== undefined) await end(first);
      await start(server, env, ports.primary);
    },
    async standby() {
      const env = { ...common, PGDATA: data.standby, PRIMARY_HOST: "127.0.0.1", PRIMARY_PORT: String(ports.primary) };
      await must(["mkdir", "-p", dirname(data.standby)], env);
      await start([scripts.standby, ...options(ports.standby), "-c", "hot_standby=on"], env, ports.standby);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  process.kill(child.pid, "SIGINT");
  await ended;
}

async function query(url: string, statement: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}
