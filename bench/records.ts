// What records cost over HTTP (R37, R38): created and published with an ARK by eight clients, durable, on SQLite; read,
// exported and listed by guests. The server is `arkstone repository`; CPU is its process's, as the operating system
// counts it. bun bench/records.ts [--records 2000] [--seconds 3] [--json FILE]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { platformRandom } from "../src/adapters/random.ts";
import { SETUP_STEPS } from "../src/main/repository/repository.ts";
import { setUpRepository } from "../src/repository/administration/repository-setup.ts";
import { EXPORT_FORMATS } from "../src/repository/exports/formats.ts";
import { seed } from "../test/support/seed.ts";
import {
  cpuSeconds,
  fdatasyncMs,
  freePort,
  idleShare,
  measure,
  median,
  printTable,
  quantile,
  rssMiB,
  type Server,
  startServer,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchRecord, WIDE_WORD } from "./search-documents.ts";

const { values } = parseArgs({
  options: {
    records: { type: "string", default: "2000" },
    seconds: { type: "string", default: "3" },
    json: { type: "string" },
  },
});
const RECORDS = Number(values.records);
const SECONDS = Number(values.seconds);
const CONNECTIONS = 8;
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");
const CREDENTIAL = "first-key";

/** A record without files, as a library describes an article. */
function recordOf(number: number) {
  const { title, people, description, subjects } = benchRecord(number);
  return {
    access: { record: "public", files: "public" },
    files: { enabled: false },
    metadata: {
      resource_type: { id: number % 3 === 0 ? "dataset" : "publication-article" },
      title,
      creators: people.map((name) => ({ person_or_org: { type: "organizational", name } })),
      publication_date: `${1990 + (number % 36)}-0${1 + (number % 9)}`,
      description,
      subjects: subjects.map((subject) => ({ subject })),
      languages: [{ id: number % 2 === 0 ? "eng" : "jpn" }],
    },
  };
}

type Result = {
  readonly name: string;
  readonly cpuUsPerOp: number;
  readonly opsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
};

/** Publishes a number of records by eight clients, two requests each. */
async function published(server: Server, token: string): Promise<{ readonly result: Result; readonly ids: string[] }> {
  const ids: string[] = [];
  const times: number[] = [];
  const call = async (path: string, status: number, body?: object): Promise<{ readonly id: string }> => {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/records${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== status) throw new Error(`POST ${path}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  const [before, startedAt] = [cpuSeconds(server.pid), performance.now()];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let number = ++next; number <= RECORDS; number = ++next) {
      const at = performance.now();
      const { id } = await call("", 201, recordOf(number));
      await call(`/${id}/draft/actions/publish`, 202);
      times.push(performance.now() - at);
      ids.push(id);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  const result = {
    name: "create and publish with ARK",
    cpuUsPerOp: ((cpuSeconds(server.pid) - before) * 1e6) / RECORDS,
    opsPerSecond: (RECORDS * 1000) / (performance.now() - startedAt),
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    rssMiB: rssMiB(server.pid),
  };
  return { result, ids };
}

async function loaded(server: Server, name: string, paths: readonly string[], accept = "*/*"): Promise<Result> {
  const requests = paths.map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\nAccept-Encoding: identity\r\n\r\n`,
  );
  const order = { connections: CONNECTIONS, requests };
  await measure(server, { ...order, seconds: 1 });
  const { statuses, cpuUsPerOp, opsPerSecond, p50Ms, p99Ms } = await measure(server, { ...order, seconds: SECONDS });
  if (Object.keys(statuses).join() !== "200") throw new Error(`${name}: ${JSON.stringify(statuses)}`);
  return { name, cpuUsPerOp, opsPerSecond, p50Ms, p99Ms, rssMiB: rssMiB(server.pid) };
}

const LISTS: readonly (readonly [name: string, query: string])[] = [
  ["list, newest 25", ""],
  ["list, newest 10", "?size=10"],
  ["list, a common word", `?q=${encodeURIComponent(WIDE_WORD)}&size=10`],
  [
    "list, two words and a field",
    `?q=${encodeURIComponent("library research +metadata.resource_type.id:dataset")}&size=10`,
  ],
  ["list, a phrase", `?q=${encodeURIComponent('"library research"')}&size=10`],
  ["list, a wildcard inside", "?q=l*brary&size=10"],
  ["list, a fuzzy word", "?q=libary~&size=10"],
];

async function prepared(url: string): Promise<string> {
  const store = await openRepositoryStore({ url });
  const { orgA: organisationId } = await seed(store.arks);
  await store.arks.transact((tx) =>
    tx.saveCredential({
      ...{ id: 0, clientId: CREDENTIAL, tier: "organisation", naan: "99999", organisationId, shoulder: null },
      ...{ scopes: ["ark:mint", "ark:read", "ark:update", "ark:publish"], active: true, expiresAt: null },
    }),
  );
  const token = await setUpRepository({ store, clock: systemClock, random: platformRandom(), steps: SETUP_STEPS });
  await store.close();
  return String(token);
}

async function main(): Promise<void> {
  const idle = await idleShare();
  const folder = workFolder();
  try {
    const sync = fdatasyncMs(folder.path);
    const token = await prepared(`sqlite:${join(folder.path, "arkstone.db")}`);
    const port = freePort();
    const env = {
      SVC_DATA_DIR: folder.path,
      SVC_PORT: String(port),
      SVC_RATE_PER_MINUTE: "0",
      SVC_FULL_TEXT: "0",
      SVC_LOG_LEVEL: "error",
      SVC_ACCESS_LOG: "off",
      SVC_ITEM_ARK_CREDENTIAL: CREDENTIAL,
    };
    const server = await startServer("repository", [CLI, "repository"], { port, readyPath: "/readyz", env });
    const results: Result[] = [];
    try {
      const { result, ids } = await published(server, token);
      results.push(result);
      const read = await (await fetch(`http://127.0.0.1:${port}/api/records/${ids[0]}`)).json();
      if (read.pids?.ark === undefined) throw new Error("The records have no ARK");
      results.push(
        await loaded(
          server,
          "GET a record, guest",
          ids.map((id) => `/api/records/${id}`),
        ),
      );
      for (const [name, query] of LISTS) results.push(await loaded(server, name, [`/api/records${query}`]));
      for (const { id: format } of EXPORT_FORMATS.slice(0, 12)) {
        const paths = ids.slice(0, 500).map((id) => `/records/${id}/export/${format}`);
        results.push(await loaded(server, `export ${format}`, paths));
      }
    } finally {
      await server.stop();
    }
    process.stdout.write(
      `machine idle before: ${(idle * 100).toFixed(0)}%, fdatasync of 4 KiB: ${sync.toFixed(2)} ms (median)\n` +
        `${RECORDS} records without files; ${CONNECTIONS} connections, durable, SQLite\n`,
    );
    printTable(
      results.map((result) => ({
        variant: result.name,
        "CPU ms/op": result.cpuUsPerOp / 1000,
        "per second": result.opsPerSecond,
        "p50 ms": result.p50Ms,
        "p99 ms": result.p99Ms,
        "RSS MiB": result.rssMiB,
      })),
    );
    writeJson(values.json, "records", results, { fdatasyncMs: sync, idle });
  } finally {
    folder.remove();
  }
}

await main();
