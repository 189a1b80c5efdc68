// The bytes of files next to a backup (R19b): it names their place, `--files` copies them, a restore puts them back,
// and they are found whole.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openRepository } from "../../src/main/repository/serving.ts";
import { arkstone } from "../support/command-line.ts";
import { FAKE_ACCOUNT, startFakeS3 } from "../support/fake-s3.ts";
import { depositOf, type FirstRepository, firstRepository, smallCrate } from "../support/first-repository.ts";
import { temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";

const folder = temporaryFolder("backup-files");
const at = (...names: readonly string[]): string => join(folder.path, ...names);
const env = { SVC_DATA_DIR: at("data") };
const CONTENTS = ["The quick brown fox\n", "jumps over\n"];

let world: FirstRepository;
beforeAll(async () => {
  world = await firstRepository(env);
  const payload = CONTENTS.map((bytes, index) => ({ path: `${index}.txt`, bytes }));
  const answer = await world.ask("/sword/service-document", {
    method: "POST",
    ...depositOf(world.token, smallCrate(payload)),
  });
  expect(answer.status).toBe(201);
}, 60_000);
afterAll(async () => {
  await world.close();
  folder.remove();
});

const objectsIn = (place: string): string[] =>
  readdirSync(join(place, "objects"), { recursive: true })
    .map(String)
    .filter((name) => /[0-9a-f]{64}$/.test(name))
    .sort();

describe("backup and files", () => {
  test("R19b a backup without --files names the place of the bytes, as text and as JSON", async () => {
    const { code, out } = await arkstone(env, ["backup", at("words.gz")]);
    expect([code, out]).toEqual([0, expect.stringContaining(`they are in the folder ${at("data", "files")} (--files`)]);
    const json = await arkstone(env, ["backup", at("json.gz"), "--json"]);
    expect(JSON.parse(json.out).files).toEqual({ kind: "folder", where: at("data", "files"), copied_to: null });
  });

  test("R19b with --files they are copied, the second time only what is new", async () => {
    const first = await arkstone(env, ["backup", at("first.gz"), "--files", at("files"), "--json"]);
    expect([first.code, first.err]).toEqual([0, ""]);
    const bytes = CONTENTS.join("").length;
    const all = { folder: at("files"), files: 2, bytes, missing: 0 };
    expect(JSON.parse(first.out).files.copied_to).toEqual({ ...all, copied: 2 });
    expect(objectsIn(at("files"))).toEqual(objectsIn(at("data", "files")));
    const second = await arkstone(env, ["backup", at("second.gz"), "--files", at("files")]);
    expect([second.code, second.out]).toEqual([
      0,
      expect.stringContaining(`${at("files")}: 2 files of ${bytes} B, 0 of them copied now.\n`),
    ]);
  });

  test("R19b a restore puts them back, and verify --files finds them whole", async () => {
    const restored = { SVC_DATA_DIR: at("restored") };
    mkdirSync(restored.SVC_DATA_DIR);
    const result = await arkstone(restored, ["restore", at("first.gz"), "--files", at("files")]);
    expect([result.code, result.err]).toEqual([0, ""]);
    expect(result.out).toContain(`${at("files")}: 2 files of`);
    const verified = await arkstone(restored, ["verify", "--files", "--json"]);
    expect([verified.code, JSON.parse(verified.out.trim().split("\n").at(-1) ?? "").files]).toEqual([
      0,
      { files: 2, bytes: CONTENTS.join("").length, damaged: 0 },
    ]);
  });

  test("R7c the storage of a restored database: ours when all its files are named next to the database; a copy that is shared is somebody else's", async () => {
    const restored = { SVC_DATA_DIR: at("restored") };
    const show = async (settings: Record<string, string>) =>
      JSON.parse((await arkstone(settings, ["storage", "show", "--json"])).out);
    expect(await show(restored)).toMatchObject({ belongs: "unmarked", swept: true });
    const served = await openRepository(readConfig(restored), quietLog);
    await served.start();
    await served.close();
    expect(await show(restored)).toMatchObject({ belongs: "ours", swept: true });
    const drill = { SVC_DATA_DIR: at("drill"), SVC_STORAGE: at("restored", "files") };
    mkdirSync(drill.SVC_DATA_DIR);
    expect((await arkstone(drill, ["restore", at("first.gz")])).code).toBe(0);
    expect(await show(drill)).toMatchObject({ belongs: "foreign", swept: false });
    const refused = await arkstone(drill, ["storage", "adopt"]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("belongs to another database")]);
    expect((await arkstone(drill, ["storage", "adopt", "--yes"])).code).toBe(0);
    expect([(await show(drill)).belongs, (await show(restored)).belongs]).toEqual(["ours", "foreign"]);
    expect((await arkstone(restored, ["storage", "adopt", "--yes"])).code).toBe(0);
  });

  test("R7c R19b `verify --files` over a store that does not know us reports it, and blames neither the database nor a file", async () => {
    const fake = await startFakeS3();
    const s3 = {
      ...{ ...env, SVC_STORAGE: "s3://bucket/p", SVC_S3_ENDPOINT: fake.endpoint, SVC_S3_REGION: FAKE_ACCOUNT.region },
      ...{ SVC_S3_ACCESS_KEY_ID: FAKE_ACCOUNT.accessKeyId, SVC_S3_SECRET_ACCESS_KEY: "wrong" },
    };
    const result = await arkstone(s3, ["verify", "--files"]);
    await fake.stop();
    expect([result.code, result.out]).toEqual([1, ""]);
    expect(result.err).toContain("see SVC_S3_ACCESS_KEY_ID and SVC_S3_SECRET_ACCESS_KEY");
    expect(result.err).not.toContain("database");
  });

  test("R19b a restore without --files names their old place; verify --files names what is missing", async () => {
    const restored = { SVC_DATA_DIR: at("bare") };
    mkdirSync(restored.SVC_DATA_DIR);
    const result = await arkstone(restored, ["restore", at("first.gz")]);
    expect([result.code, result.out]).toEqual([0, expect.stringContaining(`were in ${at("data", "files")}`)]);
    const verified = await arkstone(restored, ["verify", "--files"]);
    expect(verified.code).toBe(1);
    expect(verified.out).toContain("there are no such bytes");
  });

  test("R19b bytes that are missing or damaged are named, the rest is copied, a whole copy is never replaced by them, and the exit code is 1", async () => {
    const [lost = "", damaged = ""] = objectsIn(at("data", "files"));
    rmSync(at("data", "files", "objects", lost));
    const size = CONTENTS.map((text) => text.length).find((length) => length > 0) ?? 0;
    writeFileSync(at("data", "files", "objects", damaged), "x".repeat(size + 1));
    const result = await arkstone(env, ["backup", at("third.gz"), "--files", at("other")]);
    expect(result.code).toBe(1);
    expect(result.err).toContain(`Not copied: ${lost.slice(3)}: there are no such bytes`);
    expect(result.err).toContain(`Not copied: ${damaged.slice(3)}: `);
    expect(result.out).toContain("2 files could not be copied.");
    expect(objectsIn(at("other"))).toEqual([]);
    expect(existsSync(at("third.gz"))).toBe(true);
    const again = await arkstone(env, ["backup", at("fourth.gz"), "--files", at("files")]);
    expect([again.code, objectsIn(at("files")).length]).toEqual([0, 2]);
  });

  test("a folder that is the storage itself, one that holds no files, and a bucket are refused before anything is written", async () => {
    const s3 = {
      ...env,
      SVC_STORAGE: "s3://bucket",
      SVC_S3_ENDPOINT: "https://s3.example.org",
      SVC_S3_ACCESS_KEY_ID: "a",
      SVC_S3_SECRET_ACCESS_KEY: "b",
    };
    for (const [settings, args, words] of [
      [env, ["backup", at("no.gz"), "--files", at("data", "files")], "is where the files themselves lie"],
      [s3, ["backup", at("no.gz"), "--files", at("files")], "Cannot copy files out of the bucket s3://bucket"],
      [s3, ["restore", at("first.gz"), "--files", at("files")], "Cannot put files into the bucket s3://bucket"],
      [{ SVC_DATA_DIR: at("none") }, ["restore", at("first.gz"), "--files", at("typo")], "holds no files of a backup"],
      [{ SVC_DATA_DIR: at("none") }, ["restore", at("first.gz"), "--files", folder.path], "holds no files of a backup"],
    ] as const) {
      const result = await arkstone(settings, args);
      expect([result.code, result.err]).toEqual([1, expect.stringContaining(words)]);
    }
    expect([existsSync(at("no.gz")), existsSync(at("typo"))]).toEqual([false, false]);
  });
});
