// What an operator receives when a role starts: warnings about mistyped settings, one line about a bad one (decisions
// "Settings"; A24, A31c, A49).
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { arkstone as commandLine } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { firstSetup } from "../support/first-repository.ts";
import { arkstone, freePort, type Role, startRole, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("start");
const env = { SVC_DATA_DIR: folder.path };
afterAll(() => folder.remove());

/** The lines a role logged, of one event. */
function logged(role: Role, event: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = role.errors().split("\n");
  return lines
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []))
    .filter((line) => line.event === event);
}

describe("the start of a role", () => {
  test("a new database is reported with a warning; `listening` names database and storage, and a second start reports neither", async () => {
    const data = join(folder.path, "mistyped");
    const start = () => startRole("repository", { SVC_DATA_DIR: data }, freshPort);
    const freshPort = await freePort();
    const first = await start();
    await first.kill("SIGTERM");
    const database = join(data, "arkstone.db");
    expect(logged(first, "migrated")).toMatchObject([{ level: "info", database }]);
    expect(logged(first, "new_database")).toMatchObject([{ level: "warn", database }]);
    expect(logged(first, "listening")).toMatchObject([{ role: "repository", database, storage: join(data, "files") }]);
    const second = await start();
    expect(await second.kill("SIGHUP")).toBe(0);
    expect([...logged(second, "migrated"), ...logged(second, "new_database")]).toEqual([]);
    expect(logged(second, "listening")).toMatchObject([{ database }]);
  }, 60_000);

  test("L2 what it makes in a folder that is there already is for its owner alone; `arkstone verify` tells of what is not", async () => {
    const data = join(folder.path, "open");
    mkdirSync(data, { mode: 0o755 });
    const of = { SVC_DATA_DIR: data };
    await firstSetup(of);
    const repository = await startRole("repository", of, await freePort());
    const modeOf = (name: string) => (statSync(join(data, name)).mode & 0o777).toString(8);
    expect(["arkstone.db", "arkstone.db-wal", "arkstone.db-shm"].map(modeOf)).toEqual(["600", "600", "600"]);
    expect(["files", "files/objects", "files/incoming"].map(modeOf)).toEqual(["700", "700", "700"]);
    await repository.kill("SIGTERM");
    const verify = async () => (await commandLine(of, ["verify"])).err;
    expect(await verify()).not.toContain("can be read by other users");
    chmodSync(join(data, "arkstone.db"), 0o644);
    expect(await verify()).toContain("Note: arkstone.db can be read by other users of this machine (mode 0644)");
    // Restored by root for a service that is not.
    if (process.getuid?.() !== 0) return;
    chownSync(join(data, "arkstone.db"), 65_534, 65_534);
    expect(await verify()).toContain("Note: arkstone.db belongs to user 65534, its folder to user 0");
  }, 60_000);

  test.each([
    ["minter", { SVC_HOST: "no-such-host.invalid" }, "SVC_HOST"],
    ["minter", { SVC_HOST: "192.0.2.1" }, "SVC_HOST"],
    ["resolver", { SVC_HOST: "no-such-host.invalid" }, "SVC_HOST"],
    ["minter", { SVC_DATABASE_URL: "/proc/nowhere/a.db" }, "SVC_DATABASE_URL"],
    ["repository", { SVC_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nowhere" }, "SVC_DATABASE_URL"],
    ["repository", { SVC_DATA_DIR: "/proc/nowhere" }, "SVC_DATA_DIR"],
    ["repository", { SVC_STORAGE: "/proc/nowhere" }, "SVC_STORAGE"],
  ] as const)(
    "the %s with %j does not start; its one line names %s",
    async (role, wrong, name) => {
      const { code, errors } = await arkstone([role], { ...env, SVC_PORT: "0", ...wrong });
      const shown = errors.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
      expect([code, shown.length]).toEqual([1, 1]);
      expect(shown[0]).toContain(name);
    },
    60_000,
  );

  test("a setting that nobody knows is a warning with the probable name, and the role serves", async () => {
    const mistyped = { ...env, SVC_BULKLIMIT: "5", SVC_COFFEE: "on" };
    const minter = await startRole("minter", mistyped, await freePort());
    const lines = minter
      .errors()
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    const warnings = lines.filter(({ event }) => event === "settings");
    expect(warnings.map(({ level, warning }) => [level, warning])).toEqual([
      ["warn", "Unknown setting SVC_BULKLIMIT: did you mean SVC_BULK_LIMIT?"],
      ["warn", "Unknown setting SVC_COFFEE"],
    ]);
    await minter.kill("SIGTERM");
  }, 60_000);

  test("R5 /readyz and `arkstone health` name the credential that is not there; the repository goes on, and `arkstone verify` tells too", async () => {
    const repository = await startRole("repository", { ...env, SVC_ITEM_ARK_CREDENTIAL: "nobody" }, await freePort());
    const why = 'SVC_ITEM_ARK_CREDENTIAL="nobody" names no active credential that may mint';
    const wanted = JSON.stringify({ ok: true, degraded: [`${why}: items get their ARKs when there is one`] });
    let shown = "";
    // The first search index of a fresh repository is reported too while it is made.
    await eventually(
      "the search index is there",
      async () => {
        const ready = await fetch(`${repository.base}/readyz`);
        shown = await ready.text();
        return ready.status === 200 && shown === wanted;
      },
      { details: () => shown },
    );
    const health = await commandLine(env, ["health", "--ready", repository.base]);
    expect([health.code, health.out]).toEqual([0, expect.stringContaining(`ok, but degraded: ${why}`)]);
    await repository.kill("SIGTERM");
    expect((await commandLine({ ...env, SVC_ITEM_ARK_CREDENTIAL: "nobody" }, ["verify"])).err).toContain(why);
    expect((await commandLine({ ...env, SVC_MINT_ITEM_ARKS: "0" }, ["verify"])).err).not.toContain("SVC_ITEM_ARK");
  }, 60_000);

  test("R5 a repository whose items can get no ARKs reports it at its start, and serves; one that mints none reports nothing", async () => {
    const warningsOf = async (more: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const repository = await startRole("repository", { ...env, SVC_LOG_LEVEL: "warn", ...more }, await freePort());
      await repository.kill("SIGTERM");
      const lines = repository.errors().split("\n");
      return lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line).warning] : []));
    };
    expect(await warningsOf({})).toEqual([
      'SVC_ITEM_ARK_CREDENTIAL="first-key" names no active credential that may mint: items get their ARKs when there is one',
    ]);
    expect(await warningsOf({ SVC_MINT_ITEM_ARKS: "0" })).toEqual([]);
  }, 60_000);

  test.each([
    ["minter", { SVC_BULK_LIMIT: "many" }, 'SVC_BULK_LIMIT="many" is not allowed: a whole number from 1 to 1000000'],
    ["minter", { SVC_RESOLVER: "1" }, "SVC_RESOLVER=1 is not allowed for the minter"],
    ["minter", { SVC_AUTH: "oauth2" }, "SVC_TOKEN_SECRET"],
    ["resolver", { SVC_TOMBSTONE_STATUS: "404" }, 'SVC_TOMBSTONE_STATUS="404" is not allowed: 200 or 410'],
    [
      "resolver",
      { SVC_BASE_URL: "https://id.example.org", SVC_GLOBAL_RESOLVER: "https://id.example.org" },
      'SVC_GLOBAL_RESOLVER="https://id.example.org" is not allowed: it is this service itself',
    ],
    ["resolver", { SVC_NAAN_REGISTRY: "/nowhere.json" }, 'SVC_NAAN_REGISTRY="/nowhere.json" is not allowed'],
  ] as const)(
    "A24 A31c A49 the %s with %j does not start, and reports why in one line",
    async (role, wrong, shown) => {
      const { code, errors } = await arkstone([role], { ...env, SVC_PORT: "0", ...wrong });
      expect(code).toBe(1);
      expect(errors.trimEnd().split("\n")).toHaveLength(1);
      expect(errors).toContain(shown);
    },
    60_000,
  );
});
