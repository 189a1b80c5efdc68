// What a search costs whole (R27, R28, R34): `arkstone repository` on SQLite over items in Japanese and English, from the first start, which builds the
// index out of the database, to two words with total, 20 hits as RO-Crate objects and all facets over HTTP.
// bun bench/search-http.ts [--items 20000] [--seconds 5] [--json FILE]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { platformRandom } from "../src/adapters/random.ts";
import { SETUP_STEPS } from "../src/main/repository.ts";
import { setUpRepository } from "../src/repository/administration/repository-setup.ts";
import type { Metadata } from "../src/repository/model/metadata.ts";
import { ARTICLE } from "../test/support/cited-items.ts";
import { fileItems, prepareItems, rawDatabase } from "../test/support/filed-items.ts";
import {
  cpuSeconds,
  freePort,
  idleShare,
  measure,
  printTable,
  rssMiB,
  startServer,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchRecord, twoWords, WIDE_WORD } from "./search-documents.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "20000" },
    seconds: { type: "string", default: "5" },
    json: { type: "string" },
  },
});
const ITEMS = Number(values.items);
const FIRST = 1_000;
const ROWS = 200;
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");

function metadataOf(number: number): Metadata {
  const { title, people, description, subjects } = benchRecord(number);
  const [creator] = ARTICLE.creators;
  return {
    ...ARTICLE,
    titles: [{ value: title, kind: "main" }],
    creators: people.map((full) => ({
      ...(creator ?? { kind: "personal", alternatives: [], ids: [], emails: [], affiliations: [] }),
      names: [{ full }],
    })),
    descriptions: [{ value: description, kind: "Abstract", html: false }],
    subjects: subjects.map((value) => ({ text: { value } })),
    identifiers: [],
  };
}

/** Half of the items lie in an index, all are public. */
async function seed(url: string): Promise<void> {
  const store = await openRepositoryStore({ url });
  const random = platformRandom();
  await setUpRepository({ store, clock: systemClock, random, steps: SETUP_STEPS, administrator: false });
  // Only types with a mapping to RO-Crate are searched.
  const type = (await store.settings.itemTypes()).find(({ definition }) =>
    JSON.stringify(definition).includes('"roCrate":{'),
  );
  await store.close();
  if (type === undefined) throw new Error("No item type has a mapping");
  const { sql, close } = await rawDatabase(url);
  await prepareItems(sql);
  await fileItems(sql, FIRST, ITEMS, (n) => (n % 2 === 0 ? [1] : []));
  await sql(`update item set item_type_id = ${type.id}, item_type_version = ${type.version}`);
  for (let from = 1; from <= ITEMS; from += ROWS) {
    const numbers = Array.from({ length: Math.min(ROWS, ITEMS - from + 1) }, (_, at) => from + at);
    const rows = numbers.map(
      (number) => `(${FIRST + number - 1}, '${JSON.stringify(metadataOf(number)).replaceAll("'", "''")}')`,
    );
    await sql(`with made (id, metadata) as (values ${rows.join(", ")})
      update item set metadata = (select metadata from made where made.id = item.id)
        where id between ${FIRST + from - 1} and ${FIRST + from + ROWS - 2}`);
  }
  await close();
}

const pathOf = (query: string): string => `/api/v1/records?q=${encodeURIComponent(query)}&search_type=1`;

async function main(): Promise<void> {
  const idle = await idleShare();
  const folder = workFolder();
  try {
    await seed(`sqlite:${join(folder.path, "arkstone.db")}`);
    const port = freePort();
    const startedAt = performance.now();
    const server = await startServer("repository", [CLI, "repository"], {
      port,
      readyPath: "/healthz",
      env: {
        SVC_DATA_DIR: folder.path,
        SVC_PORT: String(port),
        SVC_RATE_PER_MINUTE: "0",
        SVC_FULL_TEXT: "0",
        SVC_LOG_LEVEL: "error",
      },
    });
    try {
      const answer = async (query: string): Promise<{ readonly total_results?: number }> =>
        await (await fetch(`http://127.0.0.1:${port}${pathOf(query)}`)).json();
      while ((await answer(WIDE_WORD)).total_results === undefined) await Bun.sleep(100);
      const [built, cpu] = [(performance.now() - startedAt) / 1000, cpuSeconds(server.pid)];
      const request = (query: string): string => `GET ${pathOf(query)} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const seconds = Number(values.seconds);
      const two = Array.from({ length: 400 }, (_, number) => request(twoWords(number, ITEMS)));
      const order = { connections: 4, seconds };
      await measure(server, { ...order, requests: two });
      const rows = [
        { name: "two words", ...(await measure(server, { ...order, requests: two })) },
        {
          name: "a word of three records in ten",
          ...(await measure(server, { ...order, requests: [request(WIDE_WORD)] })),
        },
      ].map(({ name, cpuUsPerOp, opsPerSecond, p50Ms, p99Ms }) => ({ name, cpuUsPerOp, opsPerSecond, p50Ms, p99Ms }));
      printTable(rows);
      const start = {
        items: ITEMS,
        "items/s": ITEMS / built,
        "items/s of CPU": ITEMS / cpu,
        "RSS MiB": rssMiB(server.pid),
      };
      printTable([{ name: "started and built", ...start }]);
      console.log(
        `hits of the wide word: ${(await answer(WIDE_WORD)).total_results}; idle before: ${Math.round(idle * 100)}%`,
      );
      if (values.json !== undefined) writeJson(values.json, "search-http", rows);
    } finally {
      await server.stop();
    }
  } finally {
    folder.remove();
  }
}

await main();
