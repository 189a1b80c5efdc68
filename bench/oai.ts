// What harvesters cost (R36): making the first list of a repository, and harvesting all of it, page by page, with the
// server's memory above idle. The server is `arkstone repository` on SQLite; half of the items are in an index,
// metadata are in Japanese and English. bun bench/oai.ts [--items 100000] [--prefix jpcoar_2.0] [--page 100]
// [--runtimes bun,deno] [--json FILE]
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { platformRandom } from "../src/adapters/random.ts";
import { SETUP_STEPS } from "../src/main/repository/repository.ts";
import { setUpRepository } from "../src/repository/administration/repository-setup.ts";
import { ARTICLE } from "../test/support/cited-items.ts";
import { fileItems, prepareItems, rawDatabase } from "../test/support/filed-items.ts";
import { machineState, measureWork, median, onDatabases, printTable, quantile, startRole, writeJson } from "./lib.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "100000" },
    prefix: { type: "string", default: "jpcoar_2.0" },
    page: { type: "string", default: "100" },
    runtimes: { type: "string", default: "bun" },
    json: { type: "string" },
  },
});
const ITEMS = Number(values.items);
const TOKEN = /<resumptionToken[^>]*>([^<]+)</;

async function seed(url: string): Promise<void> {
  const store = await openRepositoryStore({ url });
  await setUpRepository({
    store,
    clock: systemClock,
    random: platformRandom(),
    steps: SETUP_STEPS,
    administrator: false,
  });
  await store.close();
  const { sql, close } = await rawDatabase(url);
  await prepareItems(sql);
  await fileItems(sql, 1_000, ITEMS, (n) => (n % 2 === 0 ? [1] : []));
  const metadata = JSON.stringify(ARTICLE).replaceAll("'", "''");
  await sql(`update item set metadata = replace('${metadata}', 'Research on', 'Research ' || id || ' on')`);
  await close();
}

async function listMade(base: string): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${base}/oai?verb=ListIdentifiers&metadataPrefix=oai_dc`);
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function harvested(base: string, times: number[]): Promise<{ readonly records: number; readonly bytes: number }> {
  let [records, bytes] = [0, 0];
  for (let query = `metadataPrefix=${values.prefix}`; query !== ""; ) {
    const startedAt = performance.now();
    const text = await (await fetch(`${base}/oai?verb=ListRecords&${query}`)).text();
    times.push(performance.now() - startedAt);
    records += text.split("<record>").length - 1;
    bytes += text.length;
    const token = TOKEN.exec(text)?.[1] ?? "";
    query = token === "" ? "" : `resumptionToken=${encodeURIComponent(token)}`;
  }
  return { records, bytes };
}

async function run(runtime: string) {
  return onDatabases("sqlite", async (_database, url, folder) => {
    await seed(url);
    const env = {
      SVC_RATE_PER_MINUTE: "0",
      SVC_OAI_RATE_PER_MINUTE: "0",
      SVC_OAI_PAGE_SIZE: values.page,
      SVC_FULL_TEXT: "0",
    };
    const server = await startRole("repository", folder, env, { runtime, readyPath: "/healthz" });
    try {
      const base = `http://127.0.0.1:${server.port}`;
      const made = await measureWork(`${runtime}: the first list`, server, async () => {
        await listMade(base);
        return ITEMS;
      });
      const times: number[] = [];
      let bytes = 0;
      const all = await measureWork(`${runtime}: harvest, ${values.prefix}`, server, async () => {
        const found = await harvested(base, times);
        if (found.records !== ITEMS) throw new Error(`${found.records} records were harvested, ${ITEMS} are there`);
        bytes = found.bytes;
        return found.records;
      });
      console.log(
        `${times.length} answers, ${(bytes / 1024 ** 2).toFixed(0)} Mi characters, p50 ${median(times).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
      );
      return [made, all];
    } finally {
      await server.stop();
    }
  });
}

const { figures } = await machineState();
const rows = [];
for (const runtime of values.runtimes.split(",")) rows.push(...(await run(runtime)));
printTable(rows);
writeJson(values.json, "oai", rows, { items: ITEMS, ...figures });
