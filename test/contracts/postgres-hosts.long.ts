// PostgreSQL behind one URL with several servers: which is the writer, what happens when it moves, and what a COMMIT
// without an answer means.
import { afterAll, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { openStore } from "../../db/ark/store.ts";
import { isAway } from "../../db/engine/dialect.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { readConfig } from "../../src/config.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { postgresUrls } from "../../src/shared/settings/database-url.ts";
import { eventually } from "../support/eventually.ts";
import { arkRecord } from "../support/memory-replica.ts";
import { severalHosts, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { seed } from "../support/seed.ts";
import { wireTo } from "../support/tcp-proxy.ts";

const NOBODY = "postgres://postgres@127.0.0.1:1/postgres";
const raw = (text: string) => CompiledQuery.raw(text);

describe("URLs", () => {
  test.each([
    ["postgres://u@h1:5432,h2:5433/db", ["postgres://u@h1:5432/db", "postgres://u@h2:5433/db"]],
    [
      "postgresql://u:p,@w@h1,[::1]:5433/db?sslmode=require",
      ["postgresql://u:p,@w@h1/db?sslmode=require", "postgresql://u:p,@w@[::1]:5433/db?sslmode=require"],
    ],
    ["postgres://h1/db", ["postgres://h1/db"]],
    ["postgres:///db?host=/var/run/postgresql", ["postgres:///db?host=/var/run/postgresql"]],
    ["postgres://h1,,h2/db", null],
    ["postgres://h1,/db", null],
    ["postgres://h1:port,h2/db", null],
    ["sqlite:a,b.db", null],
  ] as const)("%s names its servers", (url, urls) => {
    expect(postgresUrls(url)).toEqual(urls === null ? null : [...urls]);
  });
});

describe("what counts as a database that is away", () => {
  test.each(["08006", "08007", "57P01", "57014", "55P03", "25006", "25P03", "53100"])("%s does", (code) => {
    expect(isAway(Object.assign(new Error("as the server writes it, in its language"), { code }))).toBe(true);
  });
  test.each(["23505", "40001", "42501", "22P02"])("%s does not", (code) => {
    expect(isAway(Object.assign(new Error("as the server writes it"), { code }))).toBe(false);
  });
});

/** Every process of the server reloads its settings at a different time. */
const RELOAD_MS = 500;

const found = await startPostgres({ standby: true, own: true });
afterAll(async () => {
  await found?.stop();
});
function postgres(): TestPostgres & { readonly standbyUrl: string } {
  if (found?.standbyUrl == null) throw new Error("there is no PostgreSQL");
  return { ...found, standbyUrl: found.standbyUrl };
}

async function refusalOf(asked: Promise<unknown>): Promise<ServiceError | null> {
  return asked.then(
    () => null,
    (error: unknown) => (error instanceof ServiceError ? error : null),
  );
}

describe.skipIf(found === null)("several servers", () => {
  test("the writer is the one that is not in recovery, wherever it is in the list; a reader takes the first that answers", async () => {
    const { url, standbyUrl } = postgres();
    for (const hosts of [
      severalHosts(standbyUrl, url),
      severalHosts(NOBODY, standbyUrl, url),
      severalHosts(url, NOBODY),
    ]) {
      const database = await openDatabase({ url: hosts });
      const { rows } = await database.writer.executeQuery(raw("select pg_is_in_recovery() as standby"));
      expect(rows).toEqual([{ standby: false }]);
      await database.close();
    }
    const reader = await openDatabase({ url: severalHosts(NOBODY, standbyUrl, url), readOnly: true });
    const { rows } = await reader.writer.executeQuery(raw("select pg_is_in_recovery() as standby"));
    expect(rows).toEqual([{ standby: true }]);
    await reader.close();
  });

  test("1901 where only standbys answer, or nobody does, callers are asked to come back", async () => {
    const { url, standbyUrl } = postgres();
    await (await openStore({ url })).close();
    for (const hosts of [severalHosts(standbyUrl, NOBODY), severalHosts(NOBODY, NOBODY)]) {
      const database = await openDatabase({ url: hosts });
      const failure = await database.writer.executeQuery(raw("select 1")).catch((error: unknown) => error);
      expect(isAway(failure)).toBe(true);
      await database.close();
    }
  });

  test("a server that refuses the user is reported together with one that is down, and callers are still asked to come back", async () => {
    const { url } = postgres();
    for (const hosts of [severalHosts(url, NOBODY), severalHosts(NOBODY, url)]) {
      const named = new URL(hosts.replace(/,[^/]*/, ""));
      const database = await openDatabase({ url: hosts.replace(`//${named.username}`, "//stranger") });
      const failure = await database.writer.executeQuery(raw("select 1")).then(
        () => null,
        (error: unknown) => error,
      );
      await database.close();
      expect(isAway(failure)).toBe(true);
      expect(String(failure)).toContain('"stranger" does not exist');
      expect(String(failure)).toContain("ECONNREFUSED");
    }
  });

  test("a URL may name the folder of a socket, with the user among its parameters", async () => {
    const server = new URL(postgres().url);
    const database = await openDatabase({ url: server.href });
    const { rows } = await database.writer.executeQuery<{ folder: string }>(
      raw("select current_setting('unix_socket_directories') as folder"),
    );
    await database.close();
    const folder = encodeURIComponent(rows[0]?.folder ?? "");
    const url = `postgres:///postgres?host=${folder}&port=${server.port}&user=${server.username}`;
    expect(readConfig({ SVC_DATABASE_URL: url }).databaseUrl).toBe(url);
    const store = await openStore({ url });
    expect(await store.writeProblem()).toBeNull();
    await store.close();
  });

  test("each connection has its limits on time, but for commands that read everything, and compiles no statement", async () => {
    const settings = async (how: { readOnly?: boolean; unhurried?: boolean }) => {
      const database = await openDatabase({ url: postgres().url, ...how });
      const { rows } = await database.writer.executeQuery(
        raw(`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle, current_setting('jit') as jit`),
      );
      await database.close();
      return rows;
    };
    const always = { lock: "10s", idle: "1min", jit: "off" };
    expect(await settings({})).toEqual([{ statement: "1min", ...always }]);
    expect(await settings({ readOnly: true })).toEqual([{ statement: "20s", ...always }]);
    expect(await settings({ readOnly: true, unhurried: true })).toEqual([{ statement: "0", ...always }]);
  });

  test("Q.289 a follower's statements are planned once a connection, and write nothing", async () => {
    const { url } = postgres();
    const settings = async (how: { readOnly?: boolean; planOnce?: boolean }) => {
      const database = await openDatabase({ url, ...how });
      const { rows } = await database.writer.executeQuery(
        raw(
          "select current_setting('default_transaction_read_only') as fixed, current_setting('plan_cache_mode') as plans",
        ),
      );
      await database.close();
      return rows;
    };
    expect(await settings({})).toEqual([{ fixed: "off", plans: "auto" }]);
    expect(await settings({ readOnly: true, planOnce: true })).toEqual([{ fixed: "on", plans: "force_generic_plan" }]);
  });

  test("while nobody answers many callers share one look, looks come no faster than they should, and it goes on when the server is back", async () => {
    const wire = await wireTo(postgres().url);
    const database = await openDatabase({ url: wire.url, poolSize: 4 });
    const ask = () => database.writer.executeQuery(raw("select 1"));
    await ask();
    wire.cut("reset");
    for (let round = 0; round < 4; round += 1) {
      const settled = await Promise.allSettled(Array.from({ length: 50 }, ask));
      expect(settled.every(({ status }) => status === "rejected")).toBe(true);
    }
    // Of 200 callers: the first ones in parallel, then one attempt for all of them.
    expect(wire.refused()).toBeLessThan(100);
    wire.mend();
    await ask();
    expect(database.pool().open).toBeLessThanOrEqual(4);
    await database.close();
    await wire.close();
  });
});

describe.skipIf(found === null)("a COMMIT without an answer", () => {
  test("A13 1901 a connection that ends while COMMIT is under way fails with 1901 and is not tried again", async () => {
    const { url } = postgres();
    const wire = await wireTo(url);
    const store = await openStore({ url: wire.url });
    await seed(store);
    let runs = 0;
    const refusal = await refusalOf(
      store.transact(async (tx) => {
        runs += 1;
        await tx.insertArks([arkRecord("99999/b1unknown")]);
        // Between the last statement and COMMIT: what is sent from here on gets no answer.
        wire.cut("silent");
        setTimeout(() => wire.cut("reset"), 100);
      }),
    );
    expect([refusal?.code, refusal?.headers["retry-after"], runs]).toEqual([1901, "5", 1]);
    expect(refusal?.cause).toMatchObject({ code: "08007" });
    wire.mend();
    expect((await store.arks(["99999/b1unknown"])).size).toBe(0);
    await store.close();
    await wire.close();
  });

  test("A13 with a synchronous standby that is gone nothing is confirmed: neither a commit that somebody cancels nor a receipt of one", async () => {
    const { url, standby } = postgres();
    if (standby === null) return;
    const store = await openStore({ url });
    const database = await openDatabase({ url });
    const execute = (text: string) => database.writer.executeQuery<{ count: number }>(raw(text));
    const receipt = {
      clientId: "c",
      requestId: "sync",
      kind: "mint",
      key: "99999/b1sync",
      createdAt: "2026-01-01",
    } as const;
    await standby.kill();
    await execute("alter system set synchronous_standby_names = 'standby'");
    await execute("select pg_reload_conf()");
    await sleep(RELOAD_MS);
    const cancelWaiting = async (): Promise<void> => {
      await eventually("somebody waits for the standby", async () => {
        const { rows } = await execute(
          "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
        );
        return rows.length > 0;
      });
    };
    const writing = refusalOf(
      store.transact(async (tx) => {
        await tx.insertArks([arkRecord("99999/b1sync")]);
        await tx.claimReceipts([receipt]);
      }),
    );
    await cancelWaiting();
    expect((await writing)?.code).toBe(1901);
    // It was committed here all the same; an answer from the receipt would confirm what the standby does not have.
    const replay = store.transact((tx) => tx.receipts("c", ["sync"]));
    const first = await Promise.race([replay.then(() => "confirmed"), sleep(300).then(() => "waiting")]);
    expect(first).toBe("waiting");
    await standby.start();
    expect((await replay).get("sync")?.key).toBe("99999/b1sync");
    await execute("alter system reset synchronous_standby_names");
    await execute("select pg_reload_conf()");
    await database.close();
    await store.close();
  });

  test("A15 1901 with a synchronous standby that is gone a commit is given up after 5 s, those after it at once; one alone waits, and all goes on when it is back", async () => {
    const { url, standby } = postgres();
    if (standby === null) return;
    const news: string[] = [];
    const store = await openStore({ url, onCommits: (answer) => news.push(answer) });
    const database = await openDatabase({ url });
    const execute = (text: string) => database.writer.executeQuery<{ count: number }>(raw(text));
    await standby.kill();
    await execute("alter system set synchronous_standby_names = 'standby'");
    await execute("select pg_reload_conf()");
    await sleep(RELOAD_MS);
    const timed = async (key: string) => {
      const began = performance.now();
      const refusal = await refusalOf(store.transact((tx) => tx.insertArks([arkRecord(key)])));
      return { code: refusal?.code, cause: refusal?.cause, ms: performance.now() - began };
    };
    const first = await timed("99999/b1late");
    expect([first.code, first.cause]).toMatchObject([1901, { code: "08007" }]);
    expect(first.ms).toBeGreaterThan(4_500);
    for (let round = 0; round < 20; round += 1) {
      const next = await timed(`99999/b1next${round}`);
      // Not 08007 again, which is given after another wait of five seconds.
      expect([next.code, next.cause]).toMatchObject([1901, { code: "57P03" }]);
    }
    expect(await store.writeProblem()).toBe(
      "The database confirms no commit: the standby that commits wait for is away",
    );
    // The commit that was given up, and the one that waits for the standby: no other session is left behind.
    const { rows } = await execute("select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep'");
    expect(rows[0]?.count).toBeLessThanOrEqual(2);
    await standby.start();
    await eventually("commits are confirmed again", async () => (await store.writeProblem()) === null);
    expect((await timed("99999/b1back")).code).toBeUndefined();
    expect(news).toEqual(["unconfirmed", "confirmed"]);
    await execute("alter system reset synchronous_standby_names");
    await execute("select pg_reload_conf()");
    await database.close();
    await store.close();
  });

  test("A15 a store that is closed while nothing is confirmed ends at once", async () => {
    const { url, standby } = postgres();
    if (standby === null) return;
    const store = await openStore({ url });
    const database = await openDatabase({ url });
    const execute = (text: string) => database.writer.executeQuery(raw(text));
    await standby.kill();
    await execute("alter system set synchronous_standby_names = 'standby'");
    await execute("select pg_reload_conf()");
    await sleep(RELOAD_MS);
    expect((await refusalOf(store.transact((tx) => tx.insertArks([arkRecord("99999/b1closed")]))))?.code).toBe(1901);
    // The commit that waits for the standby has no limit in time.
    await store.close();
    await standby.start();
    await execute("alter system reset synchronous_standby_names");
    await execute("select pg_reload_conf()");
    await database.close();
  });
});

describe.skipIf(found === null)("a URL that leads to a standby", () => {
  test("A15 a store on it reports that it is read-only, and is well when the server is the writer", async () => {
    const { url, standbyUrl } = postgres();
    const writer = await openStore({ url });
    await found?.caughtUp();
    const reader = await openStore({ url: standbyUrl });
    expect(await writer.writeProblem()).toBeNull();
    expect(await reader.writeProblem()).toBe("The database can only be read: its server is a standby");
    await reader.close();
    await writer.close();
  });
});
