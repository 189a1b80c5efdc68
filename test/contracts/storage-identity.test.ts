// What a database knows of its storage, and whose claims of deposits end with a process, on both databases (R7c, R13).

import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { openLocalStorage } from "../../src/adapters/storage-local.ts";
import { storageClaim } from "../../src/repository/items/storage-claim.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { anAccount } from "../support/accounts.ts";
import { onEachDatabase } from "../support/databases.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("storage-identity");
afterAll(() => {
  folder.remove();
});
const NOW = "2026-11-20T10:00:00.000Z";

describe("the id of a storage", () => {
  onEachDatabase((database) => {
    test("R7c gives its id once, to however many ask at once, and keeps the turns that are taken", async () => {
      const url = await database.url();
      const stores = await Promise.all([openRepositoryStore({ url }), openRepositoryStore({ url })]);
      const asked = Array.from({ length: 8 }, (_, n) =>
        stores[n % 2]?.transact((tx) => tx.storage.lockIdentity(`fresh-${n}`)),
      );
      const ids = new Set((await Promise.all(asked)).map((identity) => identity?.id));
      expect(ids.size).toBe(1);
      const [store, other] = stores;
      const { storage } = await openLocalStorage({
        folder: join(folder.path, `files-${ids.values().next().value}-${database.name}`),
      });
      const claim = (of: typeof store) =>
        storageClaim({ storage, location: "elsewhere", items: of.items, store: of, random: platformRandom() });
      await claim(store).settle();
      for (let n = 0; n < 7; n++) await claim(n % 2 === 0 ? store : other).takeTurn();
      const { turns } = await store.transact((tx) => tx.storage.lockIdentity("never"));
      expect([turns.length, (await claim(other).readState()).belonging]).toEqual([5, "ours"]);
      for (const each of stores) await each.close();
    });

    test("R13 the claims of a process that died are free at once, those of the others and given answers stay", async () => {
      const store = await openRepositoryStore({ url: await database.url() });
      const [dead, living] = ["d".repeat(32), "e".repeat(32)];
      const account = await store.transact((tx) => tx.accounts.saveAccount(anAccount({ mail: "a@example.org" })));
      const receipt = (key: string, owner: string) => ({
        ...{ accountId: account ?? 0, key, target: "POST /", packageSha256: "0", status: null, answer: null },
        ...{ owner: `${owner}rest`, createdAt: NOW, expiresAt: addMilliseconds(NOW, 60_000) },
      });
      await store.transact(async (tx) => {
        for (const owner of [dead, living]) await tx.activities.claimDepositReceipt(receipt(owner, owner));
        await tx.activities.claimDepositReceipt(receipt("answered", dead));
        await tx.activities.finishDepositReceipt({ ...receipt("answered", dead), status: 201, answer: "{}" });
        await tx.activities.releaseReceiptsOf([dead, "f".repeat(32)]);
      });
      const left = await Promise.all(
        [dead, living, "answered"].map((key) => store.activities.depositReceipt(account ?? 0, key)),
      );
      expect(left.map((each) => each !== null)).toEqual([false, true, true]);
      await store.close();
    });
  });
});
