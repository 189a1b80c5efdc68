// Processes killed and doubled under a load of mints: `kill -9` of the resolver, two minters on one database that are
// sent the same requests.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../support/postgres.ts";
import { freePort, provision, type Role, startRole, temporaryFolder } from "../support/processes.ts";
import { moreOf, ROUNDS, reckon, report, startLoad, unclean, watch, wrongRedirects } from "./load.ts";

const SETTINGS = { SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off", SVC_GLOBAL_RESOLVER: "" };

describe("kill -9 of the resolver", () => {
  test(
    "L2 A44 under load no redirect is wrong, and it answers again for everything as soon as it is ready",
    async () => {
      const folder = temporaryFolder("kill-resolver");
      const env = { ...SETTINGS, SVC_DATA_DIR: folder.path };
      const key = await provision(folder.path, env);
      const minter = await startRole("minter", env, await freePort());
      const port = await freePort();
      let resolver: Role = await startRole("resolver", env, port);
      try {
        const place = { base: minter.base, key };
        const load = startLoad(() => place, 3);
        const watching = watch(() => resolver.base, load);
        await moreOf(load, 50);
        let missing = 0;
        for (let round = 0; round < ROUNDS; round++) {
          await sleep(200);
          const known = [...load.acknowledged.entries()].slice(-1);
          await resolver.kill("SIGKILL");
          resolver = await startRole("resolver", env, port);
          // Ready means that the table holds what was acknowledged before.
          for (const [url, ark] of known) {
            const response = await fetch(`${resolver.base}/${ark}`, { redirect: "manual" });
            await response.body?.cancel();
            if (response.headers.get("location") !== url) missing++;
          }
        }
        await load.stop();
        const { answers, wrong, unanswered } = await watching.stop();
        const last = await wrongRedirects(resolver.base, load);
        const reckoning = await reckon(place, load);
        // A log that is being written is not taken for a damaged one.
        expect(existsSync(join(folder.path, "arkstone.db-wal.damaged"))).toBe(false);
        report("kill -9 of the resolver", {
          rounds: ROUNDS,
          ...reckoning,
          redirects: answers,
          wrong: wrong.length + last,
          missing,
          unanswered,
        });
        expect([reckoning.lost, reckoning.doubled, wrong, last, missing, unclean(load)]).toEqual([0, 0, [], 0, 0, []]);
      } finally {
        await minter.kill("SIGKILL");
        await resolver.kill("SIGKILL");
        folder.remove();
      }
    },
    60_000 + ROUNDS * 15_000,
  );
});

/** Every request goes to both minters at once: both must give the one name its request_id has. */
async function twoMinters(env: Readonly<Record<string, string>>, what: string): Promise<void> {
  const folder = temporaryFolder("two-minters");
  const both = { ...SETTINGS, SVC_DATA_DIR: folder.path, ...env };
  const key = await provision(folder.path, both);
  const minters: Role[] = [];
  try {
    for (let count = 0; count < 2; count++) minters.push(await startRole("minter", both, await freePort()));
    const names = new Map<string, Set<string>>();
    let refused = 0;
    const mint = async (base: string, requests: readonly string[]): Promise<void> => {
      const data = requests.map((id) => ({ request_id: id, url: `https://example.org/${id}`, shoulder: "b1" }));
      const isBulk = data.length > 1;
      const response = await fetch(`${base}/api/mint${isBulk ? "/bulk" : ""}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(isBulk ? { data } : data[0]),
      });
      const body = JSON.parse(await response.text());
      if (response.status === 503) {
        refused++;
        return mint(base, requests);
      }
      expect(response.status).toBeLessThan(300);
      const made: readonly { readonly ark: string }[] = isBulk ? body.minted : [body];
      for (const [index, id] of requests.entries()) {
        const known = names.get(id) ?? new Set<string>();
        names.set(id, known.add(made[index]?.ark ?? ""));
      }
    };
    for (let round = 0; round < 15 * ROUNDS; round++) {
      const requests = Array.from({ length: 10 }, (_, index) => `r${round}-${index}`);
      const [one = "", other = ""] = requests;
      await Promise.all(
        minters.flatMap(({ base }, side) => [
          mint(base, side === 0 ? requests : requests.toReversed()),
          mint(base, [one]),
          mint(base, [other]),
        ]),
      );
    }
    const doubled = [...names.values()].filter((arks) => arks.size !== 1).length;
    const arks = new Set([...names.values()].flatMap((each) => [...each]));
    const shared = names.size - arks.size;
    report(`two minters on one database, ${what}`, {
      requests: names.size,
      names: arks.size,
      doubled,
      shared,
      refused,
    });
    expect([doubled, shared]).toEqual([0, 0]);
  } finally {
    for (const minter of minters) await minter.kill("SIGKILL");
    folder.remove();
  }
}

describe("two minters on one database", () => {
  test(
    "L2 L3 A13 an SQLite file: each request_id has one name, each name one request_id",
    async () => {
      await twoMinters({}, "SQLite");
    },
    60_000 + ROUNDS * 10_000,
  );

  test(
    "L2 L3 A13 PostgreSQL: each request_id has one name, each name one request_id",
    async () => {
      const postgres = await startPostgres();
      if (postgres === null) return;
      const database = await postgres.createDatabase();
      try {
        await twoMinters({ SVC_DATABASE_URL: database.url }, "PostgreSQL");
      } finally {
        await database.drop();
        await postgres.stop();
      }
    },
    60_000 + ROUNDS * 10_000,
  );
});
