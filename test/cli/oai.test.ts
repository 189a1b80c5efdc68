// `arkstone oai` over an SQLite file (R36): how far the list for harvesters is, and a list that is made by the command
// alone.
import { afterAll, expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import { arkstone } from "../support/command-line.ts";
import { firstSetup } from "../support/first-repository.ts";
import { temporaryFolder } from "../support/processes.ts";
import { aContent, itemsOn } from "../support/world/items.ts";
import { viewerOf } from "../support/world/seeded.ts";

const folder = temporaryFolder("cli-oai");
const env = {
  SVC_DATA_DIR: folder.path,
  SVC_BASE_URL: "https://repo.example.org",
  SVC_OAI_ADMIN_MAIL: "oai@example.org",
};
afterAll(() => folder.remove());

test("R36 `oai status` reports what harvesters receive; `oai rebuild` makes the list, also where no server runs", async () => {
  await firstSetup(env);
  const store = await openRepositoryWriter(readConfig(env), {});
  const identity = await store.accounts.identity(1);
  if (identity === null) throw new Error("There is no first account");
  const items = itemsOn(store, { now: new Date().toISOString() }, { arks: false });
  const { access, ...content } = aContent({ indexes: [1] });
  const past = { ...content, access: { ...access, openDate: "2020-01-01" } };
  for (let n = 0; n < 3; n += 1) await items.createAndPublish(viewerOf(identity.account), { content: past });
  const status = async () => JSON.parse((await arkstone(env, ["oai", "status", "--json"])).out);
  expect(await status()).toMatchObject({
    address: "https://repo.example.org/oai",
    host: "repo.example.org",
    ready: false,
    shown: 0,
  });
  expect((await arkstone(env, ["oai", "status"])).out).toContain("harvesters receive 503 and come back later");
  const rebuilt = await arkstone(env, ["oai", "rebuild"]);
  expect([rebuilt.code, rebuilt.out]).toEqual([0, "3 records shown, 0 deleted.\n"]);
  expect(await status()).toMatchObject({ ready: true, shown: 3, deleted: 0, due: 0, changes_waiting: 0 });
  await items.createAndPublish(viewerOf(identity.account), { content: past });
  expect((await status()).changes_waiting).toBeGreaterThan(0);
  await store.close();
}, 60_000);

test("R36 settings that would make wrong answers are refused at the start, with their names", () => {
  for (const [name, value] of [
    ["SVC_OAI_ADMIN_MAIL", "not an address"],
    ["SVC_OAI_HOST", "https://repo.example.org"],
    ["SVC_OAI_PAGE_SIZE", "0"],
  ] as const) {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  }
});
