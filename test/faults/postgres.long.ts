// PostgreSQL killed, restarted, cut off and failed over under a load of mints, with a resolver on the standby: what was
// acknowledged stays, nothing is doubled, no redirect is wrong.
import { describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import { hasPostgres, severalHosts, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { freePort, provision, type Role, startRole, temporaryFolder } from "../support/processes.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { wireTo } from "../support/tcp-proxy.ts";
import {
  CUT_MS,
  type Load,
  moreOf,
  ROUNDS,
  reckon,
  report,
  startLoad,
  unclean,
  watch,
  wrongRedirects,
} from "./load.ts";
import { sql } from "./sql.ts";

const SETTINGS = { SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off", SVC_GLOBAL_RESOLVER: "" };

type House = {
  readonly postgres: TestPostgres;
  readonly primary: NonNullable<TestPostgres["primary"]>;
  readonly standby: NonNullable<TestPostgres["standby"]>;
  readonly minter: Role;
  readonly resolver: Role;
  readonly key: string;
  close(): Promise<void>;
};

/** A cluster with a standby, a minter and a resolver. `route` is what is between the minter and its database. */
async function openServices(
  route: (urls: { readonly url: string; readonly standbyUrl: string }) => string,
): Promise<House | null> {
  const postgres = await startPostgres({ standby: true, own: true, durable: true });
  if (postgres === null || postgres.primary === null || postgres.standby === null) return null;
  const { primary, standby, url } = postgres;
  const standbyUrl = postgres.standbyUrl ?? url;
  const folder = temporaryFolder("faults");
  const roles: Role[] = [];
  const close = async () => {
    for (const role of roles) await role.kill("SIGKILL");
    folder.remove();
    await postgres.stop();
  };
  try {
    const env = { ...SETTINGS, SVC_DATABASE_URL: route({ url, standbyUrl }) };
    const key = await provision(folder.path, { ...SETTINGS, SVC_DATABASE_URL: url });
    await postgres.caughtUp();
    const minter = await startRole("minter", env, await freePort());
    roles.push(minter);
    const replica = { ...env, SVC_REPLICA_URL: severalHosts(standbyUrl, url) };
    const resolver = await startRole("resolver", replica, await freePort());
    roles.push(resolver);
    return { postgres, primary, standby, minter, resolver, key, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Load and watch while `faults` happen, then the reckoning. */
async function under({ minter, resolver, key }: House, faults: (load: Load) => Promise<void>) {
  const place = { base: minter.base, key };
  const load = startLoad(() => place);
  const watching = watch(() => resolver.base, load);
  await moreOf(load, 50);
  await faults(load);
  await moreOf(load, 50);
  await load.stop();
  const { answers, wrong, unanswered } = await watching.stop();
  return { load, watched: answers, wrong, unanswered, reckoning: await reckon(place, load) };
}

const has = await hasPostgres();
if (!has) console.error("No PostgreSQL to test with: its faults are left out");

describe.skipIf(!has)("PostgreSQL", () => {
  test(
    "L2 L3 L10 A13 A14 kill -9 of the primary, its restart, kill -9 of the standby, in turn, under load: nothing lost, nothing doubled",
    async () => {
      const at = await openServices(({ url }) => url);
      if (at === null) return;
      const { primary, standby } = at;
      try {
        const { load, watched, wrong, unanswered, reckoning } = await under(at, async (load) => {
          for (let round = 0; round < ROUNDS; round++) {
            await primary.kill();
            await sleep(100);
            await primary.start();
            await moreOf(load, 30);
            await primary.restart();
            await moreOf(load, 30);
            await standby.kill();
            await moreOf(load, 30);
            await standby.start();
            await moreOf(load, 30);
          }
        });
        const last = await wrongRedirects(at.resolver.base, load);
        report("kill -9 of the primary, restart, kill -9 of the standby", {
          rounds: ROUNDS,
          ...reckoning,
          redirects: watched,
          wrong: wrong.length + last,
          unanswered,
        });
        expect([reckoning.lost, reckoning.doubled, wrong, last, unclean(load)]).toEqual([0, 0, [], 0, []]);
      } finally {
        await at.close();
      }
    },
    60_000 + ROUNDS * 30_000,
  );

  test(
    "L2 L3 A13 1901 the database cut off under load, refused and silent: requests fail cleanly, then all goes on",
    async () => {
      const at = await openServices(({ url }) => url);
      if (at === null) return;
      const cable = await wireTo(at.postgres.url);
      const minter = await startRole("minter", { ...SETTINGS, SVC_DATABASE_URL: cable.url }, await freePort());
      try {
        const { load, watched, wrong, unanswered, reckoning } = await under({ ...at, minter }, async (load) => {
          for (const how of ["reset", "silent"] as const) {
            cable.cut(how);
            await sleep(CUT_MS);
            cable.mend();
            await moreOf(load, 30);
          }
        });
        const last = await wrongRedirects(at.resolver.base, load);
        report(`the database cut for ${CUT_MS / 1000} s, refused and silent`, {
          ...reckoning,
          redirects: watched,
          wrong: wrong.length + last,
          unanswered,
        });
        expect([reckoning.lost, reckoning.doubled, wrong, last, unclean(load)]).toEqual([0, 0, [], 0, []]);
      } finally {
        await minter.kill("SIGKILL");
        await at.close();
        await cable.close();
      }
    },
    120_000 + 4 * CUT_MS,
  );
});

describe.skipIf(!has)("failover", () => {
  const twoHosts = ({ url, standbyUrl }: { readonly url: string; readonly standbyUrl: string }) =>
    severalHosts(url, standbyUrl);

  async function failOver(synchronous: boolean) {
    const at = await openServices(twoHosts);
    if (at === null) return null;
    try {
      if (synchronous) {
        await sql(at.postgres.url, "alter system set synchronous_standby_names = 'standby'");
        await sql(at.postgres.url, "select pg_reload_conf()");
        await eventually("the standby counts for commits", async () => {
          const rows = await sql(at.postgres.url, "select sync_state from pg_stat_replication");
          return JSON.stringify(rows).includes('"sync"');
        });
      }
      let seconds = 0;
      const outcome = await under(at, async (load) => {
        await at.primary.kill();
        const began = performance.now();
        await at.standby.promote();
        // The new primary has no standby yet: nobody is to wait for one.
        await sql(at.postgres.standbyUrl ?? "", "alter system set synchronous_standby_names = ''");
        await sql(at.postgres.standbyUrl ?? "", "select pg_reload_conf()");
        await moreOf(load, 1);
        seconds = (performance.now() - began) / 1000;
      });
      return { ...outcome, seconds, last: await wrongRedirects(at.resolver.base, outcome.load) };
    } finally {
      await at.close();
    }
  }

  test(
    "L2 L3 A13 with synchronous_standby_names nothing that was acknowledged is lost when the primary dies and the standby takes over",
    async () => {
      let [acknowledged, lost, doubled, wrong, slowest] = [0, 0, 0, 0, 0];
      for (let round = 0; round < ROUNDS; round++) {
        const outcome = await failOver(true);
        if (outcome === null) return;
        acknowledged += outcome.reckoning.acknowledged;
        lost += outcome.reckoning.lost;
        doubled += outcome.reckoning.doubled;
        wrong += outcome.wrong.length + outcome.last;
        slowest = Math.max(slowest, outcome.seconds);
        expect(unclean(outcome.load)).toEqual([]);
      }
      report("failover, synchronous", {
        rounds: ROUNDS,
        acknowledged,
        lost,
        doubled,
        wrong,
        "slowest-s": slowest.toFixed(1),
      });
      expect([lost, doubled, wrong]).toEqual([0, 0, 0]);
    },
    60_000 + ROUNDS * 60_000,
  );

  // The same as the one before, with less promised.
  test.skipIf(!inSlowRing)(
    "without it the loss is counted, and still nothing is doubled",
    async () => {
      let [acknowledged, lost, doubled, wrong] = [0, 0, 0, 0];
      for (let round = 0; round < ROUNDS; round++) {
        const outcome = await failOver(false);
        if (outcome === null) return;
        acknowledged += outcome.reckoning.acknowledged;
        lost += outcome.reckoning.lost;
        doubled += outcome.reckoning.doubled;
        wrong += outcome.wrong.length;
        expect(unclean(outcome.load)).toEqual([]);
      }
      report("failover, asynchronous", { rounds: ROUNDS, acknowledged, lost, doubled, wrong });
      expect(doubled).toBe(0);
    },
    60_000 + ROUNDS * 60_000,
  );
});
