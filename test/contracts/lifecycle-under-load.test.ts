// What concurrent changes of names may rely on, on either database: one suite, run on SQLite and on PostgreSQL
// (specification 1, "What the service does" 8 to 10; A9, A11, A14).

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openStore } from "../../db/ark/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { type Lifecycle, lifecycle } from "../../src/ark/lifecycle.ts";
import { type Minting, minting } from "../../src/ark/minting.ts";
import type { ArkRecord } from "../../src/ark/record.ts";
import type { Store } from "../../src/ark/store.ts";
import { formatArk } from "../../src/ark/syntax.ts";
import type { Call } from "../../src/auth/caller.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { aCall } from "../support/callers.ts";
import { onEachDatabase } from "../support/databases.ts";
import { historyOf } from "../support/name-history.ts";
import { seed } from "../support/seed.ts";

type Services = {
  readonly stores: readonly Store[];
  readonly store: Store;
  readonly lifecycles: readonly [Lifecycle, Lifecycle];
  readonly minting: Minting;
  readonly call: Call;
};

const TIMEOUT_MS = 60_000;
const clock = { now: () => new Date().toISOString() };

/** Two services with separate connections, as two processes have. */
async function openServices(url: string): Promise<Services> {
  const first = await openStore({ url, poolSize: 8 });
  const second = await openStore({ url, poolSize: 8 });
  const { orgA } = await seed(first);
  const limits = { bulkRows: 10_000, holdMaxDays: 90 };
  return {
    stores: [first, second],
    store: first,
    lifecycles: [lifecycle({ store: first, clock, limits }), lifecycle({ store: second, clock, limits })],
    minting: minting({ store: first, clock, random: platformRandom(), limits }),
    call: aCall({ organisationId: orgA }),
  };
}

/** The code of a refusal, "done" for success; anything else fails the test. */
async function outcomeOf(work: Promise<unknown>): Promise<number | "done"> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

describe("changing names at once", () => {
  onEachDatabase((database) => {
    let opened: Services | null = null;
    beforeAll(async () => {
      opened = await openServices(await database.url());
    }, TIMEOUT_MS);
    afterAll(async () => {
      for (const store of opened?.stores ?? []) await store.close();
    });
    const holds = (name: string, body: (services: Services) => Promise<void>) => {
      test(
        name,
        async () => {
          if (opened === null) throw new Error("The database did not open");
          await body(opened);
        },
        TIMEOUT_MS,
      );
    };

    const reserve = async ({ minting, call }: Services, count: number): Promise<readonly string[]> => {
      const { records } = await minting.mintBulk(
        call,
        Array.from({ length: count }, () => ({ reserve: true })),
      );
      return records.map((record) => formatArk(record.key));
    };
    const read = async ({ store }: Services, arks: readonly string[]): Promise<readonly ArkRecord[]> => {
      const keys = arks.map((ark) => ark.slice(4));
      const found = await store.arks(keys);
      return keys.flatMap((key) => found.get(key) ?? []);
    };

    holds(
      "L8 L31 A9 publish against delete: exactly one wins, and the name is what the winner made it",
      async (services) => {
        const [one, other] = services.lifecycles;
        const names = await reserve(services, 40);
        for (const ark of names) {
          const [published, deleted] = await Promise.all([
            outcomeOf(one.publish(services.call, ark)),
            outcomeOf(other.delete(services.call, { ark })),
          ]);
          const [row] = await read(services, [ark]);
          expect(`${published} ${deleted} ${row?.state}`).toMatch(/^(?:done 1501 published|1401 done deleted)$/);
          const actions = (await historyOf(services.store, ark.slice(4))).map(({ action }) => action);
          expect(actions).toEqual(["mint", row?.state === "published" ? "publish" : "delete"]);
        }
      },
    );

    holds(
      "L10 A14 bulk against overlapping bulk: each is done whole or not at all, and nobody waits for ever",
      async (services) => {
        const [one, other] = services.lifecycles;
        for (let round = 0; round < 6; round++) {
          const names = await reserve(services, 60);
          const left = names.slice(0, 40);
          const right = names.slice(20).toReversed();
          const [published, deleted] = await Promise.all([
            outcomeOf(one.publishBulk(services.call, left)),
            outcomeOf(other.deleteBulk(services.call, { data: right })),
          ]);
          const states = (await read(services, names)).map(({ state }) => state);
          const done = [published, deleted].filter((outcome) => outcome === "done");
          expect(done).toHaveLength(1);
          const expected = names.map((_, index) => {
            if (published === "done") return index < 40 ? "published" : "reserved";
            return index >= 20 ? "deleted" : "reserved";
          });
          expect(states).toEqual(expected);
        }
      },
    );

    holds(
      "L45 A14 overlapping bulk updates leave every row as one of them wrote it, and all of it",
      async (services) => {
        const names = await reserve(services, 80);
        const rowsBy = (title: string, from: number) =>
          names.slice(from, from + 50).map((ark) => ({ ark, title, who: title }));
        await Promise.all(
          [0, 10, 20, 30, 0, 30].map((from, index) => {
            const rows = rowsBy(`writer ${index}`, from);
            const service = services.lifecycles[index % 2 === 0 ? 0 : 1];
            return service.updateBulk(services.call, index % 2 === 0 ? rows : rows.toReversed(), "replace");
          }),
        );
        const rows = await read(services, names);
        expect(rows).toHaveLength(80);
        for (const row of rows) expect(row.who).toBe(row.title);
        for (const [index, row] of rows.entries()) {
          const entries = await historyOf(services.store, row.key);
          const writers = [0, 10, 20, 30, 0, 30].filter((from) => index >= from && index < from + 50).length;
          expect(entries).toHaveLength(1 + writers);
        }
      },
    );

    holds("A11 register below against delete: a part never hangs below a deleted name", async (services) => {
      const [one] = services.lifecycles;
      const names = await reserve(services, 30);
      for (const ark of names) {
        const [registered, deleted] = await Promise.all([
          outcomeOf(services.minting.register(services.call, { ark, qualifier: "/part" })),
          outcomeOf(one.delete(services.call, { ark })),
        ]);
        expect(`${registered} ${deleted}`).toMatch(/^(?:done 1502|1401 done)$/);
      }
    });

    holds("L2 A11 twenty purges of one name: one withdraws it, the others find nothing", async (services) => {
      const [ark = ""] = await reserve(services, 1);
      const calls = Array.from({ length: 20 }, (_, index) =>
        outcomeOf(
          services.lifecycles[index % 2 === 0 ? 0 : 1].purge(services.call, { ark, reason: "Why not", confirm: ark }),
        ),
      );
      const outcomes = await Promise.all(calls);
      expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 1401)).toHaveLength(19);
    });
  });
});
