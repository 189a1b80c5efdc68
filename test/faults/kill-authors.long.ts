// `kill -9` of the worker that carries a change of an author to the author's items (R23, R8): five times in the middle,
// and in the end every item has the change, with one revision.
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import process from "node:process";
import { platformRandom } from "../../src/adapters/random.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { readConfig } from "../../src/config.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import { CHANGED_AUTHOR, NEW_AUTHOR } from "../../src/repository/authors/author-body.ts";
import { authors } from "../../src/repository/authors/authors.ts";
import { findingsIn } from "../support/backups.ts";
import { eventually } from "../support/eventually.ts";
import { rawDatabase } from "../support/filed-items.ts";
import { firstSetup } from "../support/first-repository.ts";
import { commandOf } from "../support/processes.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { anAgent } from "../support/world/authors.ts";
import { aContent, itemsOn, titled } from "../support/world/items.ts";
import { type KilledPlace, killedPlaces } from "./kill-harness.ts";

const ITEMS = inSlowRing ? 10_000 : 120;
const KILLS = inSlowRing ? 5 : 2;
const WITHIN_MS = inSlowRing ? 600_000 : 60_000;

const now = { now: () => new Date().toISOString() };

async function survives({ folder, url }: KilledPlace): Promise<void> {
  const env = { SVC_DATA_DIR: folder, SVC_LOG_LEVEL: "warn", SVC_DATABASE_URL: url };
  await firstSetup(env);
  const config = readConfig(env);
  const store = await openRepositoryWriter(config, {});
  const raw = await rawDatabase(config.databaseUrl);
  const items = itemsOn(store, { now: now.now() }, { arks: false });
  const service = authors({ store, clock: now, random: platformRandom() });
  const [account] = await store.accounts.listAccounts(0, 1);
  const named = { author: { authorNameInfo: [{ language: "en", familyName: "K" }] } };
  const author = await service.create(REPOSITORY_OPERATOR, NEW_AUTHOR.read(named, ""));
  const metadata = titled("Thing", { creators: [anAgent(), anAgent({ authorId: author.id })] });
  const ids: number[] = [];
  for (let at = 0; at < ITEMS; at += 1) {
    const input = { content: aContent({ metadata }), owner: account?.id ?? 0 };
    ids.push((await items.createAndPublish(REPOSITORY_OPERATOR, input)).item.id);
  }
  const { authorIdInfo } = author.content;
  const body = { author: { authorIdInfo, emailInfo: [{ email: "k@example.org" }] } };
  await service.update(REPOSITORY_OPERATOR, String(author.id), CHANGED_AUTHOR.read(body, ""));

  const [program, ...args] = commandOf("worker");
  const worker = () => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });
    return { child, ended: new Promise((resolve) => child.once("close", resolve)) };
  };
  const behind = async () => (await store.authors.propagation(author.id))?.afterId ?? null;
  for (let round = 1; round <= KILLS; round += 1) {
    const until = ids[Math.floor((ITEMS * round) / (KILLS + 2))] ?? 0;
    const { child, ended } = worker();
    await eventually(`${round} of ${KILLS} parts are passed`, async () => ((await behind()) ?? until) >= until, {
      withinMs: WITHIN_MS,
    });
    child.kill("SIGKILL");
    await ended;
    expect(await behind()).not.toBeNull();
    // As if the time of a lease had gone by.
    await raw.sql("update job set lease_until = created_at where state = 'running'");
  }
  const { child, ended } = worker();
  await eventually("every item has it", async () => (await behind()) === null, { withinMs: WITHIN_MS });
  const [job] = await eventually("the job reports it", async () => {
    const found = await store.jobs.listJobs({ kind: "author_propagation", state: "done" }, null, 2);
    return found.length > 0 ? found : null;
  });
  child.kill("SIGTERM");
  await ended;
  expect([job?.subject, job?.progress]).toEqual([String(author.id), `${ITEMS} of ${ITEMS} items`]);
  for (const id of ids) {
    const item = await store.items.item(id);
    expect([id, item?.revision, item?.content?.metadata.creators.map(({ emails }) => emails)]).toEqual([
      id,
      2,
      [[], ["k@example.org"]],
    ]);
  }
  await raw.close();
  await store.close();
  expect(await findingsIn(config.databaseUrl)).toEqual([]);
}

test.each(await killedPlaces("kill-authors"))(
  "R23 R8 on %s it is carried to every item, each with one revision",
  async (_, open) => survives(await open()),
  inSlowRing ? 1_800_000 : 180_000,
);
