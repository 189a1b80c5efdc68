// The snapshot of a resolver as a real process leaves it behind, and every way in which it may be unfit for the next
// start.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openReplica } from "../../db/resolver/replica.ts";
import { snapshotPath, tableThreads } from "../../src/main/table-threads.ts";
import { trieTable } from "../../src/resolver/table/trie.ts";
import { arkstone, freePort, provision, type Role, startRole, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("resolver-snapshot");
const data = join(folder.path, "data");
const database = join(data, "arkstone.db");
const env = { SVC_DATA_DIR: data, SVC_WORKERS: "1", SVC_GLOBAL_RESOLVER: "" };
const snapshot = snapshotPath(data, database);
const running: Role[] = [];

async function importNames(...names: readonly string[]): Promise<void> {
  const file = join(folder.path, "names.tsv");
  const rows = names.map((name) => `ark:99999/${name}\thttps://t.example/${name}`);
  writeFileSync(file, ["ark\turl", ...rows, ""].join("\n"));
  const { code, errors } = await arkstone(["import", file], env);
  if (code !== 0) throw new Error(errors);
}

/** Starts a resolver, asks it once it is ready, stops it, and returns what it logged. */
async function runOnce(
  names: readonly string[] = [],
): Promise<{ events: string[]; found: (string | null)[]; log: string }> {
  const role = await startRole("resolver", env, await freePort());
  running.push(role);
  const found: (string | null)[] = [];
  for (const name of names) {
    const answer = await fetch(`${role.base}/ark:99999/${name}`, { redirect: "manual" });
    await answer.body?.cancel();
    found.push(answer.headers.get("location"));
  }
  expect(await role.kill("SIGTERM")).toBe(0);
  const log = role.errors();
  const events = [...log.matchAll(/"event":"(table_\w+|snapshot_\w+)"/g)].map((each) => each[1] ?? "");
  return { events, found, log };
}

beforeAll(async () => {
  await provision(folder.path, env);
  // A shoulder without check characters, so that names can be distinguished at a glance.
  const shoulder = { naan: "99999", shoulder: "n5", organisation: "org-a", status: "active", checked: false };
  writeFileSync(join(folder.path, "shoulder.json"), JSON.stringify({ shoulders: [shoulder] }));
  expect((await arkstone(["apply", join(folder.path, "shoulder.json")], env)).code).toBe(0);
  await importNames("n5a", "n5b", "n5b/c.d", "n5B", "n5~", "n5=");
  expect((await runOnce()).events).toEqual(["table_built", "snapshot_written"]);
}, 60_000);

afterAll(async () => {
  for (const role of running) if (role.running()) await role.kill("SIGKILL");
  folder.remove();
});

describe("the snapshot of a resolver", () => {
  test("starts the next one, and what changed while it was down is there once it is ready", async () => {
    expect(readdirSync(data).filter((name) => name.includes("snapshot"))).toHaveLength(1);
    await importNames("n5late");
    const { events, found } = await runOnce(["n5a", "n5B", "n5late"]);
    expect(found).toEqual(["https://t.example/n5a", "https://t.example/n5B", "https://t.example/n5late"]);
    // What was new is in the snapshot that the stop leaves behind.
    expect(events).toEqual(["table_from_snapshot", "table_base_rebuilt", "snapshot_written"]);
    expect((await runOnce(["n5late"])).events).toEqual(["table_from_snapshot"]);
  }, 60_000);

  const damage: readonly (readonly [string, (content: Buffer) => Uint8Array | number])[] = [
    ["corrupt", (content) => content.with(content.length - 3, 1 ^ content.readUInt8(content.length - 3))],
    ["truncated", (content) => content.length - 5],
    ["foreign", () => Buffer.from("something else, longer than the first line of a snapshot\n".repeat(200))],
    ["version", (content) => content.with(15, 57)],
    ["truncated", () => 100],
    ["foreign", () => 0],
  ];
  test.each(damage)(
    "that is %s is rebuilt, with one warning, and a good one takes its place",
    async (why, harm) => {
      const harmed = harm(readFileSync(snapshot));
      if (typeof harmed === "number") truncateSync(snapshot, harmed);
      else writeFileSync(snapshot, harmed);
      const { events, found, log } = await runOnce(["n5a", "n5late"]);
      expect(events).toEqual(["snapshot_not_used", "table_built", "snapshot_written"]);
      expect(log).toContain(`"why":"${why}"`);
      expect(found).toEqual(["https://t.example/n5a", "https://t.example/n5late"]);
    },
    60_000,
  );

  test("of another database is not read at all: each has its own file", () => {
    const other = snapshotPath(data, join(data, "other.db"));
    expect(other).not.toBe(snapshot);
    expect(snapshotPath(data, `sqlite:${database}`)).toBe(snapshot);
    expect(snapshotPath(data, "postgres://a:secret@db.example/ark")).toBe(
      snapshotPath(data, "postgres://b@db.example/ark"),
    );
    expect(snapshotPath(data, "postgres://db.example/ark")).not.toBe(snapshotPath(data, "postgres://db.example/other"));
  });
});

describe("the thread that works on the table", () => {
  test("A31 reads the names in byte order, takes changes in, keeps and reads a snapshot, and reports what went wrong", async () => {
    const path = join(folder.path, "elsewhere", "a.snapshot");
    const { builder, snapshots } = tableThreads({ url: database, path });
    expect(await snapshots.load()).toEqual({ fault: "absent" });
    const built = await builder.fromReplica();
    const table = trieTable(built.segments);
    expect(table.size).toBe(7);
    expect(table.plainTarget("99999/n5b/c.d")).toBe("https://t.example/n5b/c.d");
    table.remove("99999/n5~");
    const segments = await builder.fromMemory(table.rebuild());
    expect(trieTable(segments).size).toBe(6);
    await snapshots.save({ segments, position: built.position });
    const loaded = await snapshots.load();
    if (!("segments" in loaded)) throw new Error(`not loaded: ${loaded.fault}`);
    expect(loaded.position).toEqual(built.position);
    expect(trieTable(loaded.segments).plainTarget("99999/n5B")).toBe("https://t.example/n5B");
    const away = tableThreads({ url: join(folder.path, "none.db"), path });
    await expect(away.builder.fromReplica()).rejects.toThrow("No database at");
    const nowhere = tableThreads({ url: database, path: join(database, "a.snapshot") });
    await expect(nowhere.snapshots.save(built)).rejects.toThrow();
    const replica = await openReplica({ url: database });
    expect((await replica.changes(loaded.position)).changes).toEqual([]);
    await replica.close();
    const begun = builder.fromReplica();
    builder.close();
    await expect(begun).rejects.toThrow("given up");
    await expect(builder.fromReplica()).rejects.toThrow("stopping");
  }, 60_000);
});
