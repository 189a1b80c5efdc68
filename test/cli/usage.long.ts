// Statistics of use across real processes (R39): a stop that is asked for writes what waits, a kill loses only that,
// and neither the database, nor the log, nor a backup knows who came.
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readConfig } from "../../src/config.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, firstSetup, smallCrate } from "../support/first-repository.ts";
import { freePort, startRole, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("usage");
const backups = temporaryFolder("usage-backup");
afterAll(() => {
  folder.remove();
  backups.remove();
});
const env = { SVC_DATA_DIR: folder.path, SVC_TRUSTED_PROXIES: "1", SVC_ACCESS_LOG: "off", SVC_LOG_LEVEL: "info" };
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 Peculiar/9";

test("S3.6.244 S3.6.248 SIGTERM writes counts, a kill loses seconds of them, and nobody who came is in database, log or backup", async () => {
  const token = await firstSetup(env);
  const port = await freePort();
  const start = () => startRole("repository", env, port);
  let repository = await start();
  const { headers, body } = depositOf(token, smallCrate());
  const deposited = await fetch(`${repository.base}/sword/service-document`, { method: "POST", headers, body });
  const status: { readonly "@id": string } = await deposited.json();
  const id = Number(status["@id"].split("/").at(-1));

  let visitors = 0;
  const view = async (): Promise<void> => {
    visitors += 1;
    const asked = { accept: "text/html", "user-agent": BROWSER, "x-forwarded-for": `203.0.113.${100 + visitors}` };
    const answer = await fetch(`${repository.base}/records/${id}`, { headers: asked });
    await answer.body?.cancel();
    expect(answer.status).toBe(200);
  };
  const views = async (): Promise<number> => {
    const result = JSON.parse((await arkstone(env, ["item", "stats", String(id), "--json"])).out);
    return result.unique_views === result.views ? result.views : Number.NaN;
  };

  await view();
  await view();
  expect(await repository.kill("SIGTERM")).toBe(0);
  const errors = [repository.errors()];
  expect(await views()).toBe(2);

  repository = await start();
  await view();
  await repository.kill("SIGKILL");
  errors.push(repository.errors());
  expect(await views()).toBe(2);

  repository = await start();
  await view();
  await eventually("what waited is written by itself", async () => (await views()) === 3);
  expect(await repository.kill("SIGTERM")).toBe(0);
  errors.push(repository.errors());

  const backup = join(backups.path, "backup.gz");
  expect((await arkstone(env, ["backup", backup])).code).toBe(0);
  const kept = [folder.path, backups.path].flatMap((place) =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
      .map((bytes) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("latin1")),
  );
  expect(kept.filter((text) => text.includes('"usage_day"')).length).toBeGreaterThan(0);
  expect(kept.some((text) => text.includes("usage_day"))).toBe(true);
  for (const text of [...kept, ...errors]) expect(/203\.0\.113\.10\d|Peculiar/.test(text)).toBe(false);
  const store = await openRepositoryWriter(readConfig(env), {});
  const month = new Date().toISOString().slice(0, 4);
  const rows = await store.usage.usageByMonth(`${month}-01`, `${month}-12`, null, 10);
  await store.close();
  expect(rows.reduce((sum, row) => sum + row.views, 0)).toBe(3);
}, 90_000);
