// Writes that wait for another write (R9b): after ten seconds each interface answers 503 with Retry-After in its own
// shape; what reads goes on.
import { expect, test } from "bun:test";
import { cratePackage } from "../support/deposit-requests.ts";
import { RECORD } from "../support/record-calls.ts";
import { ask as askMinter } from "../support/world/names.ts";
import { type Answer, INDEXES, type RepositoryWorld } from "../support/world/repository.ts";
import { openWorld } from "../support/world.ts";

const JSON_TYPE = { "content-type": "application/json" };
const asJson = (body: object) => ({ headers: JSON_TYPE, body: JSON.stringify(body) });
const index = { index: { index_name: "待つ", index_name_english: "Waiting" } };

const ask = {
  records: (world: RepositoryWorld) => world.ask("registered", "POST", "/api/records", asJson(RECORD)),
  sword: (world: RepositoryWorld) => world.deposit("registered", cratePackage()),
  tree: (world: RepositoryWorld) => world.ask("system", "PUT", `/api/v1/tree/index/${INDEXES.below}`, asJson(index)),
  tools: (world: RepositoryWorld) => {
    const call = { name: "create_record", arguments: { metadata: RECORD.metadata } };
    const body = { jsonrpc: "2.0", id: 7, method: "tools/call", params: call };
    const accept = { accept: "application/json, text/event-stream" };
    return world.ask("registered", "POST", "/mcp", { ...asJson(body), headers: { ...JSON_TYPE, ...accept } });
  },
} satisfies Record<string, (world: RepositoryWorld) => Promise<Answer>>;

test("R9b writes behind one that does not end are 503 with Retry-After, in each interface's own shape, and change nothing", async () => {
  const world = await openWorld({ repository: true });
  const names = await openWorld({ names: { file: true } });
  const key = await names.key("ops");
  const mint = () => askMinter(names.minter(), "POST", "/api/mint", { key, body: {} });
  const before = await world.countItems();
  const held = Promise.withResolvers<void>();
  const holding = [world.store.transact(() => held.promise), names.store.transact(() => held.promise)];
  const asked = Promise.all([ask.records(world), ask.sword(world), ask.tree(world), ask.tools(world), mint()]);
  expect((await world.ask(null, "GET", "/api/records?q=nothing")).status).toBe(200);
  const [records, sword, tree, tools, minted] = await asked;
  for (const { status, headers } of [records, sword, tree, minted]) {
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  }
  expect(records.json).toEqual({ status: 503, message: "Not ready (reason: database)" });
  expect(sword.text).toContain('"error":"Not ready"');
  expect(tree.json).toMatchObject({ code: 503, description: "Not ready (reason: database)" });
  expect(minted.json).toMatchObject({ code: "SVC-1901" });
  const answer = JSON.parse(/^data: (.*)$/m.exec(tools.text)?.[1] ?? tools.text);
  expect(answer.result).toMatchObject({ isError: true, structuredContent: { error: { status: 503 } } });
  held.resolve();
  await Promise.all(holding);
  expect(await world.countItems()).toBe(before);
  expect([(await ask.records(world)).status, (await mint()).status]).toEqual([201, 201]);
  await Promise.all([world.close(), names.close()]);
});
