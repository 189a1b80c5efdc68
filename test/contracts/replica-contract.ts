// What every replica promises the resolver (src/resolver/replica.ts), above all: the feed never skips a change.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { openStore } from "../../db/ark/store.ts";
import { isPostgresUrl, openDatabase } from "../../db/engine/open.ts";
import { startNewEpoch } from "../../db/feed/epoch.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import { systemClock } from "../../src/adapters/clock.ts";
import type { Store } from "../../src/ark/store.ts";
import type { FeedPosition, Replica } from "../../src/resolver/replica.ts";
import { TableFollower } from "../../src/resolver/table/table-refresh.ts";
import { eventually } from "../support/eventually.ts";
import { arkRecord, NEVER_PUBLIC } from "../support/memory-replica.ts";
import { quietLog } from "../support/quiet-log.ts";
import { NOW, seed, TESTER } from "../support/seed.ts";
import { changeOf } from "./store-bench.ts";

export type ReplicaBench = {
  /** Where the store writes and where the replica reads. */
  readonly url: string;
  readonly replicaUrl: string;
  /** Waits until the replica has everything that is committed. */
  caughtUp(): Promise<void>;
  drop(): Promise<void>;
};

const PAGE = 7;

/** Everything after a place, page after page, and the place after it. */
async function readOn(replica: Replica, from: FeedPosition) {
  const targets: string[] = [];
  let position = from;
  for (;;) {
    const page = await replica.changes(position);
    expect(page.changes.length).toBeLessThanOrEqual(PAGE);
    expect(page.position.epoch).toBe(from.epoch);
    targets.push(...page.changes.map(({ target }) => target));
    position = page.position;
    if (page.more !== true) return { targets, position };
  }
}

export function replicaContract(name: string, place: () => Promise<ReplicaBench>): void {
  describe(name, () => {
    let at: ReplicaBench;
    let store: Store;
    let replica: Replica;
    const statements: string[] = [];
    beforeAll(async () => {
      at = await place();
      store = await openStore({ url: at.url, poolSize: 12 });
      await seed(store);
      await at.caughtUp();
      const onStatement = (text: string) => void statements.push(text);
      replica = await openReplica({ url: at.replicaUrl, pageLimit: PAGE, onStatement });
    });
    afterAll(async () => {
      await replica.close();
      await store.close();
      await at.drop();
    });
    const bench = () => ({ at, store, replica, statements });
    feedContract(bench);
    rowsContract(bench);
    costContract(bench);
  });
}

type Bench = () => {
  readonly at: ReplicaBench;
  readonly store: Store;
  readonly replica: Replica;
  /** Every statement that the replica has sent. */
  readonly statements: readonly string[];
};

function feedContract(bench: Bench): void {
  const record = (...targets: string[]) => {
    const changes = targets.map((target) => changeOf(target));
    return bench().store.transact((tx) => tx.record(TESTER, NOW, changes));
  };

  test("the feed gives what was committed after a place, then nothing more", async () => {
    const { replica, at } = bench();
    const start = await replica.position();
    expect((await readOn(replica, start)).targets).toEqual([]);
    await record("99999/b1feed1");
    await bench().store.transact((tx) =>
      tx.record(TESTER, NOW, [changeOf("99999", { subject: "naan" }), changeOf("99999/b1feed2")]),
    );
    await at.caughtUp();
    const page = await replica.changes(start);
    expect(page.changes.map(({ subject, target }) => [subject, target])).toEqual([
      ["ark", "99999/b1feed1"],
      ["naan", "99999"],
      ["ark", "99999/b1feed2"],
    ]);
    const again = await readOn(replica, page.position);
    expect(again.targets).toEqual([]);
    expect((await readOn(replica, again.position)).targets).toEqual([]);
  });

  test("many waiting changes come in bounded pages, each of them once", async () => {
    const { replica, at } = bench();
    const start = await replica.position();
    const targets = Array.from({ length: 25 }, (_, i) => `99999/b1page${i}`);
    await record(...targets.slice(0, 18));
    for (const target of targets.slice(18)) await record(target);
    await at.caughtUp();
    const { targets: seen, position } = await readOn(replica, start);
    expect(seen).toEqual(targets);
    expect((await readOn(replica, position)).targets).toEqual([]);
  });

  test("a transaction that commits late is never skipped, also between two pages", async () => {
    const { replica, at, store } = bench();
    const start = await replica.position();
    let finish = () => {};
    let begun = () => {};
    const goOn = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const late = store.transact(async (tx) => {
      await tx.record(TESTER, NOW, [changeOf("99999/b1late")]);
      begun();
      await goOn;
    });
    await hasBegun;
    const prompt = Array.from({ length: PAGE * 2 }, (_, i) => `99999/b1prompt${i}`);
    // On SQLite these wait for the late one, as they should.
    const others = Promise.all(prompt.map((target) => record(target)));
    await sleep(60);
    await at.caughtUp();
    const first = await replica.changes(start);
    finish();
    await Promise.all([late, others]);
    await at.caughtUp();
    const rest = await readOn(replica, first.position);
    // What was committed after the pages is in the next answer.
    const next = await readOn(replica, rest.position);
    const seen = new Set([...first.changes.map(({ target }) => target), ...rest.targets, ...next.targets]);
    expect(seen).toEqual(new Set([...prompt, "99999/b1late"]));
  });

  test("writers that commit in any order are seen completely by a reader that follows them", async () => {
    const { replica, at, store } = bench();
    let position = await replica.position();
    const seen = new Set<string>();
    const [writers, rounds] = [8, 12];
    const write = async (writer: number) => {
      for (let round = 0; round < rounds; round += 1) {
        await store.transact(async (tx) => {
          await tx.record(TESTER, NOW, [changeOf(`99999/b1w${writer}r${round}`)]);
          await sleep((writer * 7 + round * 5) % 13);
          await tx.record(TESTER, NOW, [changeOf(`99999/b1w${writer}r${round}x`)]);
        });
      }
    };
    let writing = true;
    const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer))).then(() => {
      writing = false;
    });
    const follow = async () => {
      const page = await replica.changes(position);
      for (const { target } of page.changes) seen.add(target);
      position = page.position;
      return page.more === true;
    };
    while (writing) {
      await follow();
      await sleep(2);
    }
    await all;
    await at.caughtUp();
    // What was committed after the pages is in the next answer.
    for (let question = 0; question < 2; question += 1) {
      while (await follow()) {
        // Until the last page.
      }
    }
    expect(seen.size).toBe(writers * rounds * 2);
  });

  test("a transaction that was rolled back leaves nothing in the feed", async () => {
    const { replica, at, store } = bench();
    const start = await replica.position();
    const failing = store.transact(async (tx) => {
      await tx.record(TESTER, NOW, [changeOf("99999/b1undone")]);
      throw new Error("undone");
    });
    await expect(failing).rejects.toThrow("undone");
    await record("99999/b1done");
    await at.caughtUp();
    expect((await readOn(replica, start)).targets).toEqual(["99999/b1done"]);
  });

  test("another epoch of the database is reported and gives no changes", async () => {
    const { replica, at } = bench();
    const start = await replica.position();
    expect(start.epoch).toMatch(/^[0-9a-f]{32}/);
    await record("99999/b1epoch");
    const database = await openDatabase({ url: at.url });
    const setEpoch = (epoch: string) =>
      database.writer.executeQuery(CompiledQuery.raw(`update service set value = '${epoch}' where key = 'feed_epoch'`));
    await setEpoch("f".repeat(32));
    await at.caughtUp();
    const page = await replica.changes(start);
    expect([page.changes, page.position.epoch.slice(0, 32)]).toEqual([[], "f".repeat(32)]);
    expect((await replica.position()).epoch.slice(0, 32)).toBe("f".repeat(32));
    await setEpoch(start.epoch);
    await database.close();
  });
}

function costContract(bench: Bench): void {
  /** The statements of one read of the feed, or of what else `work` does. */
  const statementsOf = async (work: () => Promise<unknown>) => {
    const before = bench().statements.length;
    await work();
    return bench().statements.length - before;
  };

  test("Q.289 a look costs one statement where nothing changes and where changes go on, two between, and reads a row once", async () => {
    const { replica, at, store } = bench();
    const isPostgres = isPostgresUrl(at.replicaUrl);
    const seen: string[] = [];
    let position = await replica.position();
    const look = async () => {
      const page = await replica.changes(position);
      seen.push(...page.changes.map(({ target }) => target));
      position = page.position;
    };
    for (const round of [0, 1, 2]) {
      // Others in the same cluster may end a transaction at any time, after which a look asks for changes.
      await eventually("a look costs one statement", async () => (await statementsOf(look)) === 1);
      expect(seen).toEqual([]);
      for (const most of isPostgres ? [2, 1, 1] : [1, 1, 1]) {
        const targets = [`99999/b1cost${round}a${most}`, `99999/b1cost${round}b${most}`];
        await store.transact((tx) =>
          tx.record(
            TESTER,
            NOW,
            targets.map((target) => changeOf(target)),
          ),
        );
        await at.caughtUp();
        expect(await statementsOf(look)).toBe(most);
        expect(seen.splice(0)).toEqual(targets);
      }
    }
  });

  test("Q.289 the names behind the changes of a page are one statement more, on PostgreSQL none", async () => {
    const { replica, at, store } = bench();
    const tables = new TableFollower({ replica, clock: systemClock, intervalMs: 60_000, log: quietLog });
    await tables.refreshNow();
    const urls = new Map(Array.from({ length: 5 }, (_, i) => [`99999/b1cost9${i}`, `https://t.example/${i}`]));
    await store.transact(async (tx) => {
      await tx.insertArks([...urls].map(([key, url]) => arkRecord(key, { url })));
      await tx.record(TESTER, NOW, [...urls].flatMap(([key]) => [changeOf(key), changeOf(key)]).slice(0, PAGE - 1));
    });
    await at.caughtUp();
    // One fewer where somebody else's open transaction keeps the looks before from finding that nothing changes.
    const count = await statementsOf(() => tables.refreshNow());
    expect(isPostgresUrl(at.replicaUrl) ? [1, 2] : [2]).toContain(count);
    expect(tables.current()?.plainTarget("99999/b1cost91")).toBe("https://t.example/1");
    await tables.stop();
  });

  test("Q.289 what comes with a page of changes is what its names are asked for", async () => {
    const { replica, at, store } = bench();
    let position = await replica.position();
    const [there, gone] = ["99999/b1with0", "99999/b1with1"];
    for (const url of ["https://t.example/1", "https://t.example/2"]) {
      await store.transact(async (tx) => {
        const known = (await tx.arks([there])).get(there);
        if (known === undefined) await tx.insertArks([arkRecord(there, { url })]);
        else await tx.updateArks([{ ...known, url }]);
        await tx.record(TESTER, NOW, [changeOf(there), changeOf(gone), { ...changeOf(there), subject: "shoulder" }]);
      });
      await at.caughtUp();
      const page = await replica.changes(position);
      position = page.position;
      expect(page.changes.map(({ target }) => target)).toEqual([there, gone, there]);
      const asked = await replica.tableRowsOf([there, gone]);
      expect(asked.get(there)?.url).toBe(url);
      if (isPostgresUrl(at.replicaUrl)) expect(page.rows).toEqual(asked);
      else expect(page.rows).toBeUndefined();
    }
  });

  test("Q.289 of many names, PostgreSQL is asked 250 at once, SQLite 20 in the thread that answers", async () => {
    const { replica } = bench();
    const keys = Array.from({ length: 250 }, (_, at) => `99999/b1many${at}`);
    expect(replica.keysPerRead).toBe(isPostgresUrl(bench().at.replicaUrl) ? keys.length : 20);
    expect(await statementsOf(() => replica.tableRowsOf(keys))).toBe(1);
  });

  test("Q.290 nothing is missed after a look that found nothing: late commits, rollbacks, another epoch", async () => {
    const { replica, at, store } = bench();
    let position = await replica.position();
    const look = async () => {
      const page = await replica.changes(position);
      position = page.position;
      return page.changes.map(({ target }) => target);
    };
    const rest = async () => {
      await at.caughtUp();
      for (let round = 0; round < 3; round += 1) expect(await look()).toEqual([]);
    };
    await rest();
    const late = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const writing = store.transact(async (tx) => {
      await tx.record(TESTER, NOW, [changeOf("99999/b1rest1")]);
      begun.resolve();
      await late.promise;
    });
    await begun.promise;
    await rest();
    late.resolve();
    await writing;
    await at.caughtUp();
    expect(await look()).toEqual(["99999/b1rest1"]);
    await rest();
    const failing = store.transact(async (tx) => {
      await tx.record(TESTER, NOW, [changeOf("99999/b1rest2")]);
      throw new Error("undone");
    });
    await expect(failing).rejects.toThrow("undone");
    await rest();
    await store.transact((tx) => tx.record(TESTER, NOW, [changeOf("99999/b1rest3")]));
    await at.caughtUp();
    expect(await look()).toEqual(["99999/b1rest3"]);
    await rest();
    const database = await openDatabase({ url: at.url });
    const { epoch } = await startNewEpoch(database);
    await database.close();
    await at.caughtUp();
    const page = await replica.changes(position);
    expect(page.position.epoch.slice(0, 32)).toBe(epoch);
    expect(page.lost).toContain(epoch);
  });
}

function rowsContract(bench: Bench): void {
  const arks = [
    arkRecord("99999/b1t1", { url: "https://a.example/" }),
    arkRecord("99999/b1t2", { ...NEVER_PUBLIC, state: "reserved", holdUntil: NOW, holdReason: "Dispute" }),
    arkRecord("99999/b1t3", { state: "purged", publishedAt: null, withdrawnAt: NOW, withdrawnReason: "Mistake" }),
    arkRecord("99999/b1t4", { ...NEVER_PUBLIC, state: "deleted", withdrawnAt: NOW, withdrawnReason: "Mistake" }),
    arkRecord("99999/b1t5", { state: "unpublished", publishedAt: null }),
  ];
  const rows = arks
    .filter(({ key }) => key !== "99999/b1t4")
    .map((row) => {
      const { key, state, url, publishedAt, firstPublishedAt, holdUntil } = row;
      return { key, state, url, publishedAt, firstPublishedAt, holdUntil };
    });

  test("A31a the table's rows come by key, in pages, without withdrawn names that were never public", async () => {
    const { replica, store, at } = bench();
    await store.transact((tx) => tx.insertArks(arks));
    await at.caughtUp();
    const first = await replica.tableRows("", 3);
    const second = await replica.tableRows(first.at(-1)?.key ?? "", 3);
    expect([...first, ...second]).toEqual(rows);
    expect(await replica.tableRows("99999/b1t5", 3)).toEqual([]);
  });

  test("the rows of some keys are read in one question", async () => {
    const { replica } = bench();
    const found = await replica.tableRowsOf(["99999/b1t1", "99999/b1t3", "99999/b1none"]);
    expect(found).toEqual(new Map(rows.filter(({ key }) => /t[13]$/.test(key)).map((row) => [row.key, row] as const)));
    expect((await replica.tableRowsOf([])).size).toBe(0);
  });

  test("NAANs, shoulders and organisations are those of the store, and so is a whole record", async () => {
    const { replica, store } = bench();
    expect(await replica.naans()).toEqual(await store.naans());
    expect(await replica.shoulders()).toEqual(await store.shoulders());
    expect(await replica.organisations()).toEqual(await store.organisations());
    expect(await replica.ark("99999/b1t5")).toEqual(arks.at(-1) ?? null);
    expect(await replica.ark("99999/b1none")).toBeNull();
    await replica.ping();
  });
}
