// What a search costs whole (R27, R28, R34): `arkstone repository` on SQLite over items in Japanese and English, from
// the first start, which builds the index out of the database, to two words with total, 20 hits as RO-Crate objects and
// all facets over HTTP. bun bench/search-http.ts [--items 20000] [--seconds 5] [--json FILE]
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { fileBenchItems } from "./filed-items.ts";
import {
  cpuSeconds,
  idleShare,
  measure,
  measureWork,
  printTable,
  rssMiB,
  type Server,
  startRole,
  workFolder,
  writeJson,
} from "./lib.ts";
import { twoWords, WIDE_WORD } from "./search-documents.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "20000" },
    seconds: { type: "string", default: "5" },
    json: { type: "string" },
  },
});
const ITEMS = Number(values.items);
/** A build that is searched meanwhile makes no more. */
const BUILT_A_SECOND = 4_000;
/** Until measured work begins. */
const BEFORE_MS = 3_500;
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");

/** All of them as a table of three columns, read as it comes. */
const exported = (server: Server) =>
  measureWork("list of all items", server, async () => {
    const columns = ["name", "creator", "description"].map((key) => ({ name: { en: key }, roCrateKey: key }));
    const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/records/list`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(columns),
    });
    let lines = 0;
    for await (const piece of response.body ?? []) for (const byte of piece) if (byte === 10) lines += 1;
    return lines - 1;
  });

/** The index is rebuilt while the old one answers. */
const rebuilt = (folder: string, server: Server) =>
  measureWork("index rebuilt", server, async () => {
    const made = (): number => readdirSync(join(folder, "search")).filter((name) => name.endsWith(".sqlite")).length;
    const env = { ...process.env, SVC_DATA_DIR: folder };
    const command = spawn(process.execPath, [CLI, "search", "rebuild"], { env, stdio: "ignore" });
    await new Promise((resolve) => command.once("close", resolve));
    // The server receives the request through the feed.
    while (made() === 1) await Bun.sleep(10);
    while (made() > 1) await Bun.sleep(20);
    return ITEMS;
  });

const pathOf = (query: string): string => `/api/v1/records?q=${encodeURIComponent(query)}&search_type=1`;

async function main(): Promise<void> {
  const idle = await idleShare();
  const folder = workFolder();
  try {
    await fileBenchItems(`sqlite:${join(folder.path, "arkstone.db")}`, ITEMS);
    const startedAt = performance.now();
    const env = { SVC_RATE_PER_MINUTE: "0", SVC_FULL_TEXT: "0" };
    const server = await startRole("repository", folder.path, env, { readyPath: "/healthz" });
    try {
      const answer = async (query: string): Promise<{ readonly total_results?: number }> =>
        await (await fetch(`http://127.0.0.1:${server.port}${pathOf(query)}`)).json();
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
      const alone = await rebuilt(folder.path, server);
      // As long as a build takes on two cores, or less: the end of it is not all that is measured.
      const quiet = await measure(server, { connections: 1, seconds, requests: two });
      const [searched, meanwhile] = await Promise.all([
        rebuilt(folder.path, server),
        Bun.sleep(BEFORE_MS).then(() =>
          measure(server, { connections: 1, seconds: Math.max(1, ITEMS / BUILT_A_SECOND), requests: two }),
        ),
      ]);
      printTable([alone, { ...searched, name: "index rebuilt while it is searched" }, await exported(server)]);
      printTable(
        [
          { name: "two words, one connection", ...quiet },
          { name: "the same while the index is rebuilt", ...meanwhile },
        ].map(({ name, opsPerSecond, p50Ms, p99Ms }) => ({ name, opsPerSecond, p50Ms, p99Ms })),
      );
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
