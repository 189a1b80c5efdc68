// The change feed on PostgreSQL while transactions stay open: nothing is skipped, and nothing is read over and over
// (docs/freshness.md).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openStore } from "../../db/ark/store.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import type { Store } from "../../src/ark/store.ts";
import type { FeedPosition, Replica } from "../../src/resolver/replica.ts";
import { NOW, seed, TESTER } from "../support/seed.ts";
import type { ReplicaBench } from "./replica-contract.ts";
import { changeOf } from "./store-bench.ts";

const PAGE = 7;

/** A connection of somebody else in the same cluster. */
async function stranger(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Reads on until nothing waits; returns what came, one entry for each time it came. */
function reader(replica: Replica, from: FeedPosition) {
  let position = from;
  return {
    position: () => position,
    async read(): Promise<{ targets: string[]; open: number }> {
      const targets: string[] = [];
      for (;;) {
        const page = await replica.changes(position);
        expect(page.behind ?? page.lost ?? null).toBe(null);
        targets.push(...page.changes.map(({ target }) => target));
        position = page.position;
        if (page.more !== true) return { targets, open: page.open ?? -1 };
      }
    },
  };
}

export function openTransactionsContract(name: string, place: () => Promise<ReplicaBench>): void {
  describe(name, () => {
    let at: ReplicaBench;
    let store: Store;
    let replica: Replica;
    beforeAll(async () => {
      at = await place();
      store = await openStore({ url: at.url, poolSize: 60 });
      await seed(store);
      const client = await stranger(at.url);
      await client.query("create table elsewhere (n integer)");
      await client.end();
      await at.caughtUp();
      replica = await openReplica({ url: at.replicaUrl, pageLimit: PAGE });
    });
    afterAll(async () => {
      await replica.close();
      await store.close();
      await at.drop();
    });
    const record = (...targets: string[]) => {
      const changes = targets.map((target) => changeOf(target));
      return store.transact((tx) => tx.record(TESTER, NOW, changes));
    };

    test("a writing transaction of somebody else that stays open has nothing read twice", async () => {
      const follower = reader(replica, await replica.position());
      const other = await stranger(at.url);
      await other.query("begin");
      await other.query("insert into elsewhere values (1)");
      const seen: string[] = [];
      for (let round = 0; round < 20; round++) {
        await record(`99999/b1o${round}a`, `99999/b1o${round}b`);
        await at.caughtUp();
        const { targets, open } = await follower.read();
        seen.push(...targets);
        expect(open).toBe(1);
      }
      expect(seen.length).toBe(40);
      expect(new Set(seen).size).toBe(40);
      await other.query("commit");
      await other.end();
      await at.caughtUp();
      expect(await follower.read()).toEqual({ targets: [], open: 0 });
    });

    test("a start during a long transaction, with thousands of others since, misses nothing of it", async () => {
      const writer = await stranger(at.url);
      await writer.query("begin");
      await writer.query("insert into elsewhere values (1)");
      const busy = await stranger(at.url);
      await busy.query("do $$ begin for n in 1..3000 loop insert into elsewhere values (n); commit; end loop; end $$");
      await at.caughtUp();
      const follower = reader(replica, await replica.position());
      await writer.query(
        `insert into ark_change (at, subject, target, action, before_url, after_url, fields, "by", reason)
          values ($1, 'ark', '99999/b1slow', 'mint', '', '', '[]', 'x', '')`,
        [NOW],
      );
      await record("99999/b1prompt");
      await at.caughtUp();
      expect((await follower.read()).targets).toEqual(["99999/b1prompt"]);
      await writer.query("commit");
      await at.caughtUp();
      expect(await follower.read()).toEqual({ targets: ["99999/b1slow"], open: 0 });
      await Promise.all([writer.end(), busy.end()]);
    });

    test("more open transactions than a place lists: what follows is read again, and none is missed", async () => {
      const start = await replica.position();
      const follower = reader(replica, start);
      let finish = () => {};
      const goOn = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const begun: Promise<void>[] = [];
      const all = Array.from({ length: 50 }, (_, index) => {
        let tell = () => {};
        begun.push(
          new Promise((resolve) => {
            tell = resolve;
          }),
        );
        return store.transact(async (tx) => {
          await tx.record(TESTER, NOW, [changeOf(`99999/b1many${index}`)]);
          tell();
          await goOn;
        });
      });
      await Promise.all(begun);
      await record("99999/b1beside");
      await at.caughtUp();
      const first = await follower.read();
      expect(first.targets).toEqual(["99999/b1beside"]);
      expect(first.open).toBeLessThan(50);
      expect((await follower.read()).targets).toEqual(["99999/b1beside"]);
      // Short enough to be kept in the header of a snapshot file.
      expect(follower.position().horizon.length).toBeLessThan(1000);
      finish();
      await Promise.all(all);
      await at.caughtUp();
      const last = await follower.read();
      expect(new Set(last.targets.filter((target) => target.includes("many"))).size).toBe(50);
      expect(await follower.read()).toEqual({ targets: [], open: 0 });
    });

    test("savepoints, rollbacks, two-step writers and slow commits together: everything committed comes, nothing else", async () => {
      const follower = reader(replica, await replica.position());
      const seen = new Set<string>();
      const wanted = new Set<string>();
      let writing = true;
      const insert = (client: pg.Client, target: string) =>
        client.query(
          `insert into ark_change (at, subject, target, action, before_url, after_url, fields, "by", reason)
            values ($1, 'ark', $2, 'mint', '', '', '[]', 'x', '')`,
          [NOW, target],
        );
      const write = async (writer: number) => {
        const client = await stranger(at.url);
        for (let round = 0; round < 10; round++) {
          const targets = ["first", "undone", "second"].map((part) => `99999/b1s${writer}r${round}${part}`);
          const [one = "", undone = "", two = ""] = targets;
          const isKept = (writer + round) % 4 !== 0;
          await client.query("begin");
          await insert(client, one);
          await client.query("savepoint here");
          await insert(client, undone);
          await client.query("rollback to here");
          await sleep((writer * 11 + round * 7) % 17);
          await client.query("savepoint there");
          await insert(client, two);
          if (isKept) for (const target of [one, two]) wanted.add(target);
          await client.query(isKept ? "commit" : "rollback");
        }
        await client.end();
      };
      const all = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer))).then(() => {
        writing = false;
      });
      while (writing) {
        for (const target of (await follower.read()).targets) seen.add(target);
        await sleep(1);
      }
      await all;
      await at.caughtUp();
      for (const target of (await follower.read()).targets) seen.add(target);
      expect(seen).toEqual(wanted);
    });
  });
}
