// The storage that the settings name (src/main/storage.ts; R7, R32): a folder, or an S3 store, and whose leftovers are
// removed.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openStorage } from "../../src/main/storage.ts";
import { collect, pieces } from "../contracts/storage-contract.ts";
import { FAKE_ACCOUNT, startFakeS3 } from "../support/fake-s3.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("storage-settings");
const fake = await startFakeS3();
afterAll(async () => {
  folder.remove();
  await fake.stop();
});

const S3 = {
  SVC_S3_ENDPOINT: fake.endpoint,
  SVC_S3_REGION: FAKE_ACCOUNT.region,
  SVC_S3_ACCESS_KEY_ID: FAKE_ACCOUNT.accessKeyId,
  SVC_S3_SECRET_ACCESS_KEY: FAKE_ACCOUNT.secretAccessKey,
};
let count = 0;
const configOf = (env: Record<string, string>) =>
  readConfig({ SVC_DATA_DIR: join(folder.path, String(++count)), ...env });

test("R7 files are under the data folder where nothing else is set, or in the folder that is named", async () => {
  const config = configOf({});
  const { storage } = await openStorage(config, "serve");
  const { key } = await storage.put(pieces(10, 1));
  expect(existsSync(join(config.dataDir, "files", "objects", key.slice(0, 2), key))).toBe(true);
  const elsewhere = join(folder.path, "elsewhere");
  const named = await openStorage(configOf({ SVC_STORAGE: elsewhere }), "serve");
  await named.storage.put(pieces(10, 1));
  expect(existsSync(join(elsewhere, "objects", key.slice(0, 2), key))).toBe(true);
});

test.each([
  ["s3://bucket/a/b", "a/b/"],
  ["s3://bucket/a/", "a/"],
  ["s3://bucket", ""],
])("R7 %s is a store of the S3 kind, its objects begin with %j", async (where, prefix) => {
  fake.objects.clear();
  const config = configOf({ ...S3, SVC_STORAGE: where });
  const { storage, incoming } = await openStorage(config, "serve");
  const { key } = await storage.put(pieces(10, 1));
  expect([...fake.objects.keys()]).toEqual([prefix + key]);
  expect((await collect((await storage.read(key))?.stream ?? [])).length).toBe(10);
  const upload = await incoming.create();
  expect(upload.path.startsWith(join(config.dataDir, "incoming"))).toBe(true);
  await upload.discard();
});

test("R7 objects of a folder that were copied into a bucket are read there under their old keys", async () => {
  fake.objects.clear();
  const local = await openStorage(configOf({}), "serve");
  const { key, sizeBytes } = await local.storage.put(pieces(10, 1));
  const bucket = await openStorage(configOf({ ...S3, SVC_STORAGE: "s3://bucket/moved" }), "serve");
  const { key: made } = await bucket.storage.put(pieces(10, 1));
  const object = fake.objects.get(`moved/${made}`);
  if (object === undefined) throw new Error("nothing was put");
  // As a tool of the store copies them: the file's name behind the prefix.
  fake.objects.set(`moved/${key}`, object);
  expect((await bucket.storage.stat(key))?.sizeBytes).toBe(sizeBytes);
  expect((await collect((await bucket.storage.read(key))?.stream ?? [])).length).toBe(10);
});

test("R7c the place of a storage decides what proves it to be ours: next to the database file, elsewhere, or in a whole bucket", async () => {
  const elsewhere = join(folder.path, "somewhere");
  const settings = [
    {},
    { SVC_STORAGE: elsewhere },
    { SVC_DATABASE_URL: join(folder.path, "other.db") },
    { ...S3, SVC_STORAGE: "s3://bucket/a" },
    { ...S3, SVC_STORAGE: "s3://bucket" },
  ];
  const places: string[] = [];
  for (const each of settings) places.push((await openStorage(configOf(each), "command")).location);
  expect(places).toEqual(["beside_database", "elsewhere", "elsewhere", "elsewhere", "whole_bucket"]);
});

test("R7 an endpoint with a path, or a folder that cannot be made, stops the start with the reason", async () => {
  const env = { ...S3, SVC_STORAGE: "s3://bucket", SVC_S3_ENDPOINT: "https://store.example/with/path" };
  await expect(openStorage(configOf(env), "serve")).rejects.toThrow("https://store.example/with/path");
  const file = join(folder.path, "a-file");
  writeFileSync(file, "");
  await expect(openStorage(configOf({ SVC_STORAGE: join(file, "below") }), "serve")).rejects.toThrow(
    `Cannot open the storage ${file}`,
  );
});

test.each(["serve", "command"] as const)(
  "R13 what is half uploaded: to %s, what nobody has a lock for stays for hours, what a dead process had goes when another serves",
  async (purpose) => {
    const config = configOf({});
    const folderOf = join(config.dataDir, "files", "incoming");
    const dead = "d".repeat(32);
    mkdirSync(join(folderOf, dead), { recursive: true });
    writeFileSync(join(folderOf, `${dead}.lock`), "");
    writeFileSync(join(folderOf, "young.part"), "half");
    const { own } = await openStorage(config, purpose);
    await own?.close();
    expect(readdirSync(folderOf).sort()).toEqual(
      purpose === "serve" ? ["young.part"] : [dead, `${dead}.lock`, "young.part"],
    );
  },
);
