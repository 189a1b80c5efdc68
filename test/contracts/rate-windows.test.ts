// The budget of request rates in PostgreSQL, and two minters that share it (issue 4, item 6).
import { afterAll, describe, expect, test } from "bun:test";
import { openStore } from "../../db/ark/store.ts";
import { jsonLog } from "../../src/adapters/log.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { credentials } from "../../src/ark/credentials.ts";
import { readConfig } from "../../src/config.ts";
import { composeMinter } from "../../src/main/minter/minter.ts";
import type { RateSlice } from "../../src/shared/http/rate-limit.ts";
import { startPostgres } from "../support/postgres.ts";
import { seed, TESTER } from "../support/seed.ts";
import { ask } from "../support/world/names.ts";

const postgres = await startPostgres({});
afterAll(async () => {
  await postgres?.stop();
});

async function storeOnPostgres() {
  if (postgres === null) throw new Error("there is no PostgreSQL");
  const { url } = await postgres.createDatabase();
  return { url, store: await openStore({ url }) };
}

/** Waits for the next minute where this one is nearly over: windows are whole minutes of the database's clock. */
async function earlyInAMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 8000) await new Promise((resolve) => setTimeout(resolve, left + 200));
}

test("SQLite has one minter, which counts in memory", async () => {
  const store = await openStore({ url: ":memory:" });
  expect(store.rates).toBe(null);
  await store.close();
});

describe.skipIf(postgres === null)("rate windows on PostgreSQL", () => {
  test("slices add up to the limit, however many ask at once", async () => {
    const { store } = await storeOnPostgres();
    const { rates } = store;
    if (rates === null) throw new Error("no budget");
    await earlyInAMinute();
    const slices: RateSlice[] = await Promise.all(Array.from({ length: 30 }, () => rates.lease("a", 7, 100)));
    const minute = slices[0]?.minute;
    expect(slices.every((slice) => slice.minute === minute)).toBe(true);
    expect(slices.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
    expect(Math.max(...slices.map(({ taken }) => taken))).toBe(100);
    for (const { msLeft } of slices) expect(msLeft > 0 && msLeft <= 60_000).toBe(true);
    expect((await rates.lease("b", 7, 100)).granted).toBe(7);
    await rates.sweep();
    expect((await rates.lease("b", 7, 100)).taken).toBe(14);
    await store.close();
  });

  test("two minters of one database let through what one may", async () => {
    const { url, store } = await storeOnPostgres();
    const seeded = await seed(store);
    const clock = { now: () => new Date().toISOString() };
    const owner = await store.transact(async (tx) => {
      const scope = { naan: "99999", organisationId: seeded.orgA, shoulder: null };
      const rights = { tier: "organisation", scopes: ["ark:read"], active: true, expiresAt: null } as const;
      const row = { id: 0, clientId: "shared", ...scope, ...rights };
      return { ...row, id: await tx.saveCredential(row) };
    });
    const { text: key } = await credentials({ store, clock, random: platformRandom() }).addSecret(TESTER, {
      owner,
      kind: "api_key",
      expiresAt: null,
    });
    const other = await openStore({ url });
    const config = readConfig({ SVC_RATE_PER_MINUTE: "20", SVC_DATABASE_URL: url });
    const log = jsonLog("error", () => {});
    const one = composeMinter({ config, store, log });
    const two = composeMinter({ config, store: other, log });
    await earlyInAMinute();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => ask(n % 2 === 0 ? one : two, "GET", "/api/stats", { key })),
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    expect([passed, answers.filter(({ status }) => status === 429).length]).toEqual([20, 40]);
    await other.close();
    await store.close();
  });
});
