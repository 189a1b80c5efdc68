// Where reads go: to the replica when read_only asks for it, never a write (A19).
import { expect, test } from "bun:test";
import { lifecycle } from "../../src/ark/lifecycle.ts";
import { newRecord } from "../../src/ark/new-name.ts";
import { reading } from "../../src/ark/reading.ts";
import { EMPTY_DESCRIPTION } from "../../src/ark/record.ts";
import type { Store } from "../../src/ark/store.ts";
import { parseArk } from "../../src/ark/syntax.ts";
import { systemCall } from "../support/callers.ts";
import { namesWorld } from "../support/names-world.ts";
import { NOW } from "../support/seed.ts";

const ARK = "ark:99999/b1x";
const clock = { now: () => NOW };
const limits = { bulkRows: 10, holdMaxDays: 90 };

async function storeWith(title: string): Promise<Store> {
  const { store, orgA } = await namesWorld();
  const name = { ark: parseArk(ARK), shoulder: "b1", origin: "minted", organisationId: orgA, published: true } as const;
  const record = newRecord({ ...name, description: { ...EMPTY_DESCRIPTION, title } }, NOW);
  await store.transact(async (tx) => {
    await tx.insertArks([record]);
    await tx.record({ clientId: title, tier: "system", address: "" }, NOW, [
      { subject: "ark", target: record.key, action: "mint", beforeUrl: "", afterUrl: "", fields: [], reason: "" },
    ]);
  });
  return store;
}

test("A19 every read goes to the replica with read_only and to the primary without; a write never does", async () => {
  const [primary, replica] = [await storeWith("primary"), await storeWith("replica")];
  const store: Store = { ...primary, replica };
  const reads = reading({ store, clock, limits });
  for (const readOnly of [false, true]) {
    const expected = readOnly ? "replica" : "primary";
    const call = { ...systemCall(), readOnly };
    expect((await reads.query(call, [ARK]))[0]?.title).toBe(expected);
    expect((await reads.list(call, {}, { limit: 10 })).records[0]?.title).toBe(expected);
    expect((await reads.history(call, ARK)).entries[0]?.by).toBe(expected);
    for await (const page of reads.exportRows(call, {})) expect(page[0]?.title).toBe(expected);
  }
  await lifecycle({ store, clock, limits }).update(
    { ...systemCall(), readOnly: true },
    { ark: ARK, title: "new" },
    "patch",
  );
  const titles = [primary, replica].map(async (each) => (await each.arks([ARK.slice(4)])).get(ARK.slice(4))?.title);
  expect(await Promise.all(titles)).toEqual(["new", "replica"]);
  await primary.close();
  await replica.close();
});

test("A19 statistics come from the replica with read_only", async () => {
  const [primary, replica] = [(await namesWorld()).store, await storeWith("replica")];
  const reads = reading({ store: { ...primary, replica }, clock, limits });
  expect((await reads.stats({ ...systemCall(), readOnly: false })).arks.published).toBe(0);
  expect((await reads.stats({ ...systemCall(), readOnly: true })).arks.published).toBe(1);
  await primary.close();
  await replica.close();
});
