// How soon what was published is found (R34), while fifty records a second come in: by the process that took it, and by
// another one on the same database, which follows the feed of changes. Both are `arkstone repository` on SQLite with
// separate indexes. Time runs from the answer that confirms the publication to the first list that has it; the other
// process is asked every few milliseconds. bun bench/search-visible.ts [--items 20000] [--seconds 20] [--json FILE]
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { platformRandom } from "../src/adapters/random.ts";
import { SETUP_STEPS } from "../src/main/repository/repository.ts";
import { setUpRepository } from "../src/repository/administration/repository-setup.ts";
import { fileItems, prepareItems, rawDatabase } from "../test/support/filed-items.ts";
import {
  freePort,
  idleShare,
  median,
  printTable,
  quantile,
  type Server,
  startServer,
  workFolder,
  writeJson,
} from "./lib.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "20000" },
    seconds: { type: "string", default: "20" },
    json: { type: "string" },
  },
});
const ITEMS = Number(values.items);
const SECONDS = Number(values.seconds);
const A_SECOND = 50;
const ASKED_EVERY_MS = 10;
/** The search for a new record in the other process, one record at a time, ends after this time. */
const GIVEN_UP_MS = 10_000;
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");

async function prepared(url: string): Promise<string> {
  const store = await openRepositoryStore({ url });
  const token = await setUpRepository({ store, clock: systemClock, random: platformRandom(), steps: SETUP_STEPS });
  await store.close();
  if (token === null) throw new Error("There was an administrator already");
  const database = await rawDatabase(url);
  await prepareItems(database.sql);
  await fileItems(database.sql, 1_000, ITEMS, () => [1]);
  await database.close();
  return token;
}

async function ask(
  server: Server,
  token: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? null : JSON.parse(text) };
}

/** Published with a unique word. */
async function publish(server: Server, token: string, number: number): Promise<void> {
  const made = await ask(server, token, "/api/records", {
    files: { enabled: false },
    metadata: {
      resource_type: { id: "publication-article" },
      title: `visible unique${number}`,
      creators: [{ person_or_org: { type: "organizational", name: "Bench" } }],
      publication_date: "2026",
    },
  });
  const { id } = made.json as { readonly id: string };
  const done = await ask(server, token, `/api/records/${id}/draft/actions/publish`, {});
  if (done.status !== 202) throw new Error(`Record ${number} was not published: ${done.status}`);
}

async function foundAfter(server: Server, token: string, number: number): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < GIVEN_UP_MS) {
    const { status, json } = await ask(server, token, `/api/records?q=unique${number}&size=1`);
    const { hits } = (json ?? {}) as { readonly hits?: { readonly total: number } };
    if (status === 200 && hits?.total === 1) return performance.now() - startedAt;
    await sleep(ASKED_EVERY_MS);
  }
  throw new Error(`Record ${number} was not found within ${GIVEN_UP_MS} ms`);
}

const work = workFolder();
const idle = await idleShare();
const url = `sqlite:${join(work.path, "arkstone.db")}`;
const token = await prepared(url);
const env = {
  SVC_DATABASE_URL: url,
  SVC_STORAGE: join(work.path, "files"),
  SVC_RATE_PER_MINUTE: "0",
  SVC_ADDRESS_RATE_PER_MINUTE: "0",
};
const servers: Server[] = [];
try {
  for (const name of ["one", "other"]) {
    const port = freePort();
    const own = {
      ...env,
      ...{ SVC_PORT: String(port), SVC_DATA_DIR: join(work.path, name), SVC_BASE_URL: `http://127.0.0.1:${port}` },
    };
    servers.push(await startServer(name, [CLI, "repository"], { port, readyPath: "/readyz", env: own }));
  }
  const [one, other] = servers;
  if (one === undefined || other === undefined) throw new Error("A server did not start");
  for (const server of servers)
    while ((await ask(server, token, "/api/records?size=1")).status !== 200) await sleep(200);
  const times = { own: [] as number[], other: [] as number[] };
  const looking: Promise<void>[] = [];
  let isLooking = false;
  const endsAt = performance.now() + SECONDS * 1000;
  let number = 0;
  for (let at = performance.now(); at < endsAt; at += 1000 / A_SECOND) {
    number += 1;
    const mine = number;
    looking.push(
      publish(one, token, mine).then(async () => {
        if (isLooking) return;
        isLooking = true;
        try {
          times.own.push(await foundAfter(one, token, mine));
          times.other.push(await foundAfter(other, token, mine));
        } finally {
          isLooking = false;
        }
      }),
    );
    await sleep(Math.max(0, at + 1000 / A_SECOND - performance.now()));
  }
  await Promise.all(looking);
  const rows = (["own", "other"] as const).map((name) => ({
    process: name,
    "searched for": times[name].length,
    "p50 ms": median(times[name]),
    "p99 ms": quantile(times[name], 0.99),
  }));
  process.stdout.write(`${ITEMS} items, ${number} records in ${SECONDS} s, idle before ${Math.round(idle * 100)}%\n`);
  printTable(rows);
  writeJson(values.json, "search-visible", rows, { idle });
} finally {
  for (const server of servers) await server.stop();
  work.remove();
}
