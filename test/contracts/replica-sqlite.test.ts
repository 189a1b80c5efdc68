// The replica over the SQLite file another process writes.
import { afterAll, describe, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/ark/store.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import { temporaryFolder } from "../support/processes.ts";
import { seed } from "../support/seed.ts";
import { replicaContract } from "./replica-contract.ts";

const folder = temporaryFolder("replica");
afterAll(() => folder.remove());

replicaContract("replica over an SQLite file", async () => {
  const url = join(folder.path, "contract.db");
  return { url, replicaUrl: `file:${url}`, caughtUp: async () => {}, drop: async () => {} };
});

describe("replica over SQLite", () => {
  test("A44 it may start before there is a database: its questions fail until then", async () => {
    const url = join(folder.path, "later.db");
    const replica = await openReplica({ url });
    await expect(replica.ping()).rejects.toThrow("No database");
    await expect(replica.position()).rejects.toThrow("No database");
    const store = await openStore({ url });
    await seed(store);
    await replica.ping();
    expect((await replica.naans()).length).toBe(2);
    await replica.close();
    await store.close();
  });

  test("another file put in the place of the database is another epoch", async () => {
    const [url, restored] = [join(folder.path, "live.db"), join(folder.path, "restored.db")];
    await (await openStore({ url })).close();
    const replica = await openReplica({ url });
    const before = await replica.position();
    await (await openStore({ url: restored })).close();
    for (const suffix of ["-wal", "-shm"]) rmSync(url + suffix, { force: true });
    renameSync(restored, url);
    expect((await replica.changes(before)).position.epoch).not.toBe(before.epoch);
    await replica.close();
  });
});
