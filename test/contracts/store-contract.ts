// What every store promises (src/ark/store.ts), on every database it runs on.
import { afterAll, beforeAll, describe } from "bun:test";
import { CompiledQuery } from "kysely";
import { openStore } from "../../db/ark/store.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { seed } from "../support/seed.ts";
import type { Bench, Place } from "./store-bench.ts";
import { concurrencyContract } from "./store-concurrency.ts";
import { invariantsContract } from "./store-invariants.ts";
import { listContract } from "./store-lists.ts";
import { namesContract, receiptsContract } from "./store-names.ts";
import { credentialsContract, policyContract } from "./store-policy.ts";

/** Registers the whole suite for one kind of database. */
export function storeContract(name: string, place: () => Promise<Place>): void {
  describe(name, () => {
    let at: Place;
    let bench: Bench;
    let raw: Awaited<ReturnType<typeof openDatabase>>;
    beforeAll(async () => {
      at = await place();
      const { url, thread } = at;
      const store = await openStore({ url, ...(thread === undefined ? {} : { thread }) });
      const seeded = await seed(store);
      raw = await openDatabase({ url });
      const sql = async (text: string) =>
        (await raw.writer.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;
      bench = { store, seeded, sql };
    });
    afterAll(async () => {
      await bench.store.close();
      await raw.close();
      await at.drop();
    });
    namesContract(() => bench);
    receiptsContract(() => bench);
    policyContract(() => bench);
    credentialsContract(() => bench);
    listContract(() => bench);
    concurrencyContract(() => bench);
    invariantsContract(() => bench);
  });
}
