// Where reads go: to the replica when read_only asks for it, never a write (A19).

import { expect, test } from "bun:test";
import { arkQueries } from "../../src/ark/ark-queries.ts";
import { lifecycle } from "../../src/ark/lifecycle.ts";
import { newRecord } from "../../src/ark/new-name.ts";
import { EMPTY_DESCRIPTION } from "../../src/ark/record.ts";
import type { Change, Store } from "../../src/ark/store.ts";
import { parseArk } from "../../src/ark/syntax.ts";
import { systemCall } from "../support/callers.ts";
import { NOW } from "../support/seed.ts";
import { openWorld } from "../support/world.ts";

const ARK = "ark:99999/b1x";
const clock = { now: () => NOW };
const limits = { bulkRows: 10, holdMaxDays: 90 };

async function storeWith(title: string): Promise<Store> {
  const { store, orgA } = await openWorld({ names: true });
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
  const reads = arkQueries({ store, clock, limits });
  for (const readOnly of [false, true]) {
    const expected = readOnly ? "replica" : "primary";
    const call = { ...systemCall(), readOnly };
    expect((await reads.query(call, [ARK]))[0]?.title).toBe(expected);
    expect((await reads.list(call, {}, { limit: 10 })).records[0]?.title).toBe(expected);
    for await (const [entry] of (await reads.history(call, ARK)).parts) expect(entry?.by).toBe(expected);
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

test("R9a lists, queries and exports read long names a few at a time, when the next are asked for, and give each once in order", async () => {
  const { store, callers, send, arkQueries: reads } = await openWorld({ names: true });
  const data = Array.from({ length: 300 }, (_, at) => ({ title: `${at} ${"long ".repeat(1_800)}` }));
  for (const at of [0, 100, 200]) {
    expect((await send("org-a", "POST", "mint/bulk", { data: data.slice(at, at + 100) })).status).toBe(201);
  }
  const call = { caller: callers["org-a"], address: "", readOnly: false };
  const whole = await reads.list(call, {}, { limit: 1000 });
  const arks = whole.records.map(({ key }) => `ark:${key}`);
  expect([new Set(arks).size, whole.next]).toEqual([300, null]);

  type Parts = AsyncIterable<readonly { readonly key: string }[]>;
  const sizesOf = async (parts: Parts): Promise<readonly number[]> => {
    const [sizes, seen]: [number[], string[]] = [[], []];
    for await (const part of parts) {
      sizes.push(part.length);
      for (const { key } of part) seen.push(`ark:${key}`);
    }
    expect(seen).toEqual(arks.slice(0, seen.length));
    return sizes;
  };
  const listed = async function* (limit: number, ends: (string | null)[]) {
    for await (const { records, next } of reads.listParts(call, {}, { limit })) {
      ends.push(next);
      yield records;
    }
  };
  const all = [50, 28, 28, 28, 28, 28, 28, 28, 28, 26];
  expect(await sizesOf(reads.exportRows(call, {}))).toEqual(all);
  const [ends, cut]: [(string | null)[], (string | null)[]] = [[], []];
  expect(await sizesOf(listed(1000, ends))).toEqual(all);
  expect(ends.at(-1)).toBeNull();
  expect(await sizesOf(listed(78, cut))).toEqual([50, 28]);
  expect(cut.at(-1)).toBe(arks[77] ?? "");
  // Half of the names sent do not exist.
  const sent = arks.flatMap((ark) => [ark, `${ark}/none`]).slice(0, 400);
  const bulkQuery = await send("org-a", "POST", "query", { data: sent });
  const page = await send("org-a", "GET", "arks?limit=78");
  await store.close();
  const titles = whole.records.map(({ title }) => title);
  const titlesOf = (body: unknown) => (body as { data: { title: string }[] }).data.map(({ title }) => title);
  expect(titlesOf(bulkQuery.body)).toEqual(titles.slice(0, 200));
  expect([titlesOf(page.body), (page.body as { next: string }).next]).toEqual([titles.slice(0, 78), arks[77] ?? ""]);
});

test("A19 statistics come from the replica with read_only", async () => {
  const [primary, replica] = [(await openWorld({ names: true })).store, await storeWith("replica")];
  const reads = arkQueries({ store: { ...primary, replica }, clock, limits });
  expect((await reads.stats({ ...systemCall(), readOnly: false })).arks.published).toBe(0);
  expect((await reads.stats({ ...systemCall(), readOnly: true })).arks.published).toBe(1);
  await primary.close();
  await replica.close();
});

test("R9a the history of a name is read a hundred changes at a time, and is answered whole, in order", async () => {
  const { store, callers, send, arkQueries: reads } = await openWorld({ names: true });
  const minted = await send("org-a", "POST", "mint", {});
  const { ark } = minted.body as { ark: string };
  const change = (target: string, at: number): Change => ({
    ...{
      subject: "ark",
      target,
      action: "update",
      beforeUrl: "",
      afterUrl: `https://example.org/${at}`,
      fields: ["url"],
    },
    reason: "",
  });
  const actor = { clientId: "ops", tier: "system", address: "" } as const;
  await store.transact(async (tx) => {
    for (let at = 0; at < 249; at++)
      await tx.record(actor, NOW, [change(ark.slice(4), at), change("99999/b1other", at)]);
  });
  const call = { caller: callers["org-a"], address: "", readOnly: false };
  const { parts } = await reads.history(call, ark);
  const sizes = (await Array.fromAsync(parts)).map(({ length }) => length);
  const answer = await send("org-a", "GET", `history?ark=${ark}`);
  await store.close();
  expect(sizes).toEqual([100, 100, 50]);
  const { data, ...rest } = answer.body as { ark: string; data: { after_url: string }[] };
  expect(rest).toEqual({ ark });
  expect(data.slice(1).map((entry) => entry.after_url)).toEqual(
    Array.from({ length: 249 }, (_, at) => `https://example.org/${at}`),
  );
});
