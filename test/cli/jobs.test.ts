// `arkstone jobs` and `arkstone verify --files` (R8, R19b), over an SQLite file and a folder.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { readConfig } from "../../src/config.ts";
import type { ItemFile } from "../../src/model/items/item.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { pieces } from "../contracts/storage-contract.ts";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";
import { aFile, draftWithFiles } from "../support/world/items.ts";

const folder = temporaryFolder("cli-jobs");
const env = { SVC_DATA_DIR: folder.path };
const run = (...args: string[]) => arkstone(env, args);
const AT = "2026-11-20T12:00:00.000Z";
const LATER = "2026-11-20T12:01:00.000Z";

let store: RepositoryStore;
let failed: number[] = [];
let waiting = 0;
let files: readonly ItemFile[] = [];

beforeAll(async () => {
  expect((await run("migrate")).code).toBe(0);
  store = await openRepositoryStore({ url: readConfig(env).databaseUrl });
  failed = await store.transact(async (tx) => {
    const ids = [
      await tx.jobs.enqueue({ kind: "file_md5", subject: "a" }, AT),
      await tx.jobs.enqueue({ kind: "index", subject: "b" }, AT),
    ];
    await tx.jobs.claimJobs({ kinds: ["file_md5", "index"], owner: "one", at: AT, leaseUntil: LATER, limit: 9 });
    for (const id of ids) await tx.jobs.endJob(id, "one", { state: "failed", at: AT, error: "no answer\u001b[2J" });
    return ids;
  });
  waiting = await store.transact((tx) =>
    tx.jobs.enqueue({ kind: "index", subject: "c", runAt: "2999-01-01T00:00:00.000Z" }, AT),
  );
  files = await storedFiles();
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

async function storedFiles(): Promise<readonly ItemFile[]> {
  const { storage } = await openLocalStorage({ folder: join(folder.path, "files") });
  const stored = [
    await storage.put(pieces(1000, 10)),
    await storage.put(pieces(2000, 10)),
    await storage.put(pieces(3000, 10)),
  ];
  const made = stored.map(({ key, ...facts }, n) =>
    aFile(`file-${n}.bin`, { storageKey: key, ...facts, mediaType: "x/y" }),
  );
  await draftWithFiles(store, made, AT);
  return made;
}

test("R8 arkstone jobs list shows what failed and why, without letting the text act on the terminal", async () => {
  const result = await run("jobs", "list", "--state", "failed");
  expect(result.code).toBe(0);
  expect(result.out).toContain("no answer");
  expect(result.out).not.toContain("\u001b");
  const rows: { id: number; kind: string; state: string }[] = JSON.parse((await run("jobs", "list", "--json")).out);
  expect(rows.map(({ id }) => id)).toEqual([waiting, ...failed.toReversed()]);
  expect(JSON.parse((await run("jobs", "list", "--kind", "file_md5", "--limit", "1", "--json")).out).length).toBe(1);
});

test.each([
  [["jobs", "list", "--state", "lost"], '--state "lost" is not allowed'],
  [["jobs", "list", "--limit", "0"], '--limit "0" is not allowed'],
  [["jobs", "retry"], "Name the ID of a job, or --failed"],
  [["jobs", "retry", "1", "--failed"], "Name the ID of a job, or --failed"],
  [["jobs", "retry", "x"], 'ID "x" is not allowed'],
])("R8 %p is refused with exit code 2", async (args, message) => {
  const result = await run(...args);
  expect([result.code, result.out]).toEqual([2, ""]);
  expect(result.err).toContain(message);
});

test("R8 arkstone jobs retry sends off one job, or all that failed", async () => {
  expect((await run("jobs", "retry", String(waiting))).out).toBe("1 job sent off again.\n");
  expect((await store.jobs.job(waiting))?.runAt.startsWith("2999")).toBe(false);
  expect((await run("jobs", "retry", "--failed", "--kind", "nothing")).out).toBe("0 jobs sent off again.\n");
  expect((await run("jobs", "retry", "--failed")).out).toBe("2 jobs sent off again.\n");
  for (const id of failed) expect(await store.jobs.job(id)).toMatchObject({ state: "waiting", attempts: 0 });
  const none = await run("jobs", "retry", "987654");
  expect([none.code, none.err]).toEqual([1, expect.stringContaining("There is no job 987654")]);
});

test("R8 a job that runs is not sent off a second time", async () => {
  const at = new Date().toISOString();
  const leaseUntil = new Date(Date.now() + 60_000).toISOString();
  await store.transact((tx) => tx.jobs.claimJobs({ kinds: ["file_md5"], owner: "one", at, leaseUntil, limit: 1 }));
  const result = await run("jobs", "retry", String(failed[0]));
  expect([result.code, result.err]).toEqual([1, expect.stringContaining(`Job ${failed[0]} is running`)]);
});

test("R19b arkstone verify --files finds files that are damaged or gone, and does not name the good ones", async () => {
  const well = await run("verify", "--files");
  expect([well.code, well.out]).toEqual([0, ""]);
  expect(well.err).toContain("3 files of 5.9 KiB");
  const pathOf = (key = ""): string => join(folder.path, "files", "objects", key.slice(0, 2), key);
  writeFileSync(pathOf(files[0]?.storageKey), new Uint8Array(1000));
  rmSync(pathOf(files[2]?.storageKey));
  const result = await run("verify", "--files", "--json");
  expect(result.code).toBe(1);
  const lines: Record<string, unknown>[] = result.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const found = lines.filter(({ kind }) => kind === "file").map(({ key, problem }) => `${key} ${problem}`);
  expect(found.length).toBe(2);
  expect(found.join("\n")).toContain(`${files[0]?.storageKey} file-0.bin: sha256`);
  expect(found.join("\n")).toContain(`${files[2]?.storageKey} file-2.bin: missing`);
  expect(lines.at(-1)).toMatchObject({ findings: 2, kinds: { file: 2 } });
  expect((await run("verify")).code).toBe(0);
});
