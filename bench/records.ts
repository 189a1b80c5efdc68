// What records cost over HTTP (R37, R38): created and published with an ARK by eight clients, durable, on SQLite; read,
// exported and listed by guests. The server is `arkstone repository`; CPU is its process's, as the operating system
// counts it. bun bench/records.ts [--records 2000] [--seconds 3] [--json FILE]
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { platformRandom } from "../src/adapters/random.ts";
import { SETUP_STEPS } from "../src/main/repository/repository.ts";
import { setUpRepository } from "../src/repository/administration/repository-setup.ts";
import { EXPORT_FORMATS } from "../src/repository/exports/formats.ts";
import { seed } from "../test/support/seed.ts";
import {
  type Measurement,
  machineState,
  measure,
  onDatabases,
  printMeasurements,
  rssMiB,
  type Server,
  startRole,
  timed,
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

/** Publishes a number of records by eight clients, two requests each. */
async function published(
  server: Server,
  token: string,
): Promise<{ readonly result: Measurement; readonly ids: string[] }> {
  const ids: string[] = [];
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
  const result = await timed(server, "create and publish with ARK", RECORDS, CONNECTIONS, async (n) => {
    const { id } = await call("", 201, recordOf(n + 1));
    await call(`/${id}/draft/actions/publish`, 202);
    ids.push(id);
  });
  return { result, ids };
}

async function loaded(server: Server, name: string, paths: readonly string[], accept = "*/*"): Promise<Measurement> {
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

async function measureAll(_database: string, url: string, folder: string): Promise<Measurement[]> {
  const token = await prepared(url);
  const env = { SVC_RATE_PER_MINUTE: "0", SVC_FULL_TEXT: "0", SVC_ITEM_ARK_CREDENTIAL: CREDENTIAL };
  const server = await startRole("repository", folder, env);
  try {
    const { result, ids } = await published(server, token);
    const read = await (await fetch(`http://127.0.0.1:${server.port}/api/records/${ids[0]}`)).json();
    if (read.pids?.ark === undefined) throw new Error("The records have no ARK");
    const records = ids.map((id) => `/api/records/${id}`);
    const results = [result, await loaded(server, "GET a record, guest", records)];
    for (const [name, query] of LISTS) results.push(await loaded(server, name, [`/api/records${query}`]));
    for (const { id: format } of EXPORT_FORMATS.slice(0, 12)) {
      const paths = ids.slice(0, 500).map((id) => `/records/${id}/export/${format}`);
      results.push(await loaded(server, `export ${format}`, paths));
    }
    return results;
  } finally {
    await server.stop();
  }
}

const machine = await machineState();
const results = await onDatabases("sqlite", measureAll);
process.stdout.write(`${machine.line}${RECORDS} records without files; ${CONNECTIONS} connections, durable, SQLite\n`);
printMeasurements(results);
writeJson(values.json, "records", results, machine.figures);
