// What a redirect costs: CPU per request of the resolver compared with bare servers, nginx and servers that ask a
// database, in alternating rounds of one run. bun bench/resolve.ts [--names 1000000] [--rounds 15] [--seconds 3]
// [--connections 32] [--variants a,b,…]
//   [--requests plain|fronted|mix|passed|qualified|unknown|info] [--pin] [--fresh] [--json FILE]
// `--fresh` opens a connection for each request: over TLS each has a whole handshake.
// `--pin` gives servers one core and the load generator another, so that threads of a server are compared with nothing
// else between them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../db/ark/store.ts";
import type { CertificateFiles } from "../src/main/process/certificate.ts";
import { tryCertificate } from "../src/main/process/try-certificate.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { provision } from "../test/support/processes.ts";
import {
  freePort,
  idleShare,
  lowerQuartile,
  measure,
  pinTo,
  postmaster,
  printTable,
  type Round,
  rssMiB,
  type Server,
  startServer,
  summarise,
  workFolder,
  writeJson,
} from "./lib.ts";
import { benchNames, fillStore, type Name } from "./names.ts";
import { nginxConfiguration, nginxFrontConfiguration, nginxProgram } from "./nginx.ts";

const VARIANTS = [
  "arkstone-1",
  "arkstone-1-no-lane",
  "bare-map",
  "bare-constant",
  "nginx-map",
  "arkstone-1-tls",
  "nginx-map-tls",
  "nginx-arkstone",
  "nginx-arkstone-no-lane",
  "nginx-arkstone-tls",
  "elysia-wildcard",
  "arkstone-2",
  "bare-map-2",
  "sqlite-per-request",
  "postgres-per-request",
] as const;
type VariantName = (typeof VARIANTS)[number];

const { values } = parseArgs({
  options: {
    names: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "15" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
    variants: { type: "string", default: VARIANTS.join(",") },
    requests: { type: "string", default: "plain" },
    pin: { type: "boolean", default: false },
    fresh: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const SAMPLE = 20_000;
/** Where `--pin` lets servers and load generator run. */
const PINNED = { servers: 0, load: 1 };
/** What is asked of a name, by the kind of requests. */
const KINDS: Readonly<Record<string, (key: string, index: number) => string>> = {
  plain: (key) => `/ark:${key}`,
  fronted: (key) => `/ark:${key}`,
  passed: (key, index) => `/ark:${key}/page/${index}`,
  qualified: (key, index) => `/ark:${key}.v${index % 7}`,
  unknown: (_, index) => `/ark:99999/b1nosuchname${index}`,
  info: (key) => `/ark:${key}?info`,
};
const ONLY_RESOLVERS = values.requests !== "plain" && values.requests !== "fronted";
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");
const PEERS = join(import.meta.dirname, "peers.ts");

type World = {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly names: readonly Name[];
  readonly file: string;
  readonly database: string;
  readonly postgresUrl: string | null;
  readonly tls: CertificateFiles;
};

function wanted(): VariantName[] {
  const asked = (values.variants ?? "").split(",");
  const unknown = asked.filter((name) => !VARIANTS.some((variant) => variant === name));
  if (unknown.length > 0) throw new RangeError(`No variant ${unknown.join(", ")}; there are ${VARIANTS.join(", ")}`);
  // All but plain names asks what only a resolver can answer.
  return VARIANTS.filter((name) => asked.includes(name) && (!ONLY_RESOLVERS || name.includes("arkstone")));
}

async function startVariant(name: VariantName, world: World): Promise<Server | null> {
  const port = freePort();
  if (name.startsWith("arkstone")) {
    const workers = name === "arkstone-2" ? "2" : "1";
    const fastLane = name === "arkstone-1-no-lane" ? "0" : "1";
    const tls = name === "arkstone-1-tls";
    const files = tls ? { SVC_TLS_CERT: world.tls.certFile, SVC_TLS_KEY: world.tls.keyFile } : {};
    const env = { ...world.env, ...files, SVC_PORT: String(port), SVC_WORKERS: workers, SVC_FAST_LANE: fastLane };
    return startServer(name, [CLI, "resolver"], { port, env, readyPath: "/readyz", tls });
  }
  if (name.startsWith("nginx-arkstone")) return startBehindNginx(name, world);
  if (name === "nginx-map" || name === "nginx-map-tls") {
    const program = nginxProgram();
    if (program === null) return null;
    const tls = name === "nginx-map-tls";
    const configuration = nginxConfiguration(world.folder, port, world.names, tls ? world.tls : null);
    return startServer(name, ["-c", configuration, "-p", world.folder], { port, program, readyPath: "/", tls });
  }
  if (name === "postgres-per-request" && world.postgresUrl === null) return null;
  const data: Readonly<Partial<Record<VariantName, string>>> = {
    "sqlite-per-request": world.database,
    "postgres-per-request": world.postgresUrl ?? "",
  };
  const helpers = name === "postgres-per-request" ? [await postmaster(world.postgresUrl ?? "")] : [];
  return startServer(name, [PEERS, name, String(port), data[name] ?? world.file], { port, readyPath: "/", helpers });
}

/** nginx in front of a resolver, which is its helper: what both need is counted, and what the resolver needs. */
async function startBehindNginx(name: VariantName, world: World): Promise<Server | null> {
  const program = nginxProgram();
  if (program === null) return null;
  const inner = freePort();
  const settings = { SVC_TRUSTED_PROXIES: "1", SVC_RAW_URI_HEADER: "X-Original-URI", SVC_WORKERS: "1" };
  const lane = name === "nginx-arkstone-no-lane" ? { SVC_FAST_LANE: "0" } : {};
  const env = { ...world.env, ...settings, ...lane, SVC_PORT: String(inner) };
  const resolver = await startServer(`${name}: resolver`, [CLI, "resolver"], {
    port: inner,
    env,
    readyPath: "/readyz",
  });
  const port = freePort();
  const tls = name === "nginx-arkstone-tls";
  const configuration = nginxFrontConfiguration(world.folder, port, inner, tls ? world.tls : null);
  const options = { port, program, readyPath: "/", tls, helpers: [resolver.pid] };
  const front = await startServer(name, ["-c", configuration, "-p", world.folder], options);
  return {
    ...front,
    async stop() {
      await front.stop();
      await resolver.stop();
    },
  };
}

const request = (path: string, fields: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${fields}User-Agent: bench\r\nAccept: text/html,*/*;q=0.8\r\n\r\n`;

/** What `deploy/nginx.conf` adds, for servers that are asked without it. */
const frontFields = (path: string): string =>
  `X-Original-URI: ${path}\r\nX-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Proto: http\r\nX-Request-Id: ${"0123456789abcdef".repeat(2)}\r\n`;

/** One kind, or the mix, of a hundred: 80 plain, 10 passed through, 5 with a qualifier, 3 unknown, 2 ?info. */
function requestsOf(names: readonly Name[]): string[] {
  const step = Math.max(1, Math.floor(names.length / SAMPLE));
  const sample = names.filter((_, index) => index % step === 0);
  return sample.map((name, index) => {
    const kind = values.requests === "mix" ? mixed(index % 100) : (values.requests ?? "");
    const path = KINDS[kind];
    if (path === undefined)
      throw new RangeError(`No requests ${kind}; there are mix, ${Object.keys(KINDS).join(", ")}`);
    const asked = path(name.key, index);
    return request(asked, kind === "fronted" ? frontFields(asked) : "");
  });
}

function mixed(place: number): string {
  if (place < 80) return "plain";
  if (place < 90) return "passed";
  if (place < 95) return "qualified";
  return place < 98 ? "unknown" : "info";
}

async function main(): Promise<void> {
  const folder = workFolder();
  const servers: Server[] = [];
  const variants = wanted();
  const postgres = variants.includes("postgres-per-request") ? await startPostgres({ own: true, durable: true }) : null;
  try {
    const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "error" };
    await provision(folder.path, env);
    const names = [...benchNames(Number(values.names))].sort((a, b) => (a.key < b.key ? -1 : 1));
    const database = join(folder.path, "arkstone.db");
    const postgresUrl = postgres === null ? null : (await postgres.createDatabase()).url;
    for (const url of [database, ...(postgresUrl === null ? [] : [postgresUrl])]) {
      const store = await openStore({ url });
      await fillStore(store, names);
      await store.close();
    }
    const file = join(folder.path, "names.tsv");
    writeFileSync(file, names.map((name) => `${name.key}\t${name.target}\n`).join(""));
    const { files: tls } = await tryCertificate({ dataDir: folder.path, host: "127.0.0.1" }, new Date());
    const world: World = { env, folder: folder.path, names, file, database, postgresUrl, tls };
    for (const name of variants) {
      const server = await startVariant(name, world);
      if (server === null) process.stdout.write(`${name} left out: its program is not on this machine\n`);
      else servers.push(server);
    }
    await compare(servers, requestsOf(names));
  } finally {
    for (const server of servers) await server.stop();
    await postgres?.stop();
    folder.remove();
  }
}

async function compare(servers: readonly Server[], requests: readonly string[]): Promise<void> {
  const order = {
    connections: Number(values.connections),
    requests,
    seconds: Number(values.seconds),
    fresh: values.fresh === true,
    ...(values.pin ? { core: PINNED.load } : {}),
  };
  if (values.pin) for (const server of servers) pinTo(PINNED.servers, server);
  const idle = await idleShare();
  for (const server of servers) await measure(server, { ...order, seconds: 1 });
  const rounds = new Map<string, Round[]>(servers.map((server) => [server.name, []]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const server of round % 2 === 0 ? servers : [...servers].reverse()) {
      const result = await measure(server, order);
      if (!ONLY_RESOLVERS && Object.keys(result.statuses).join() !== "302")
        throw new Error(JSON.stringify(result.statuses));
      rounds.get(server.name)?.push(result);
    }
  }
  report(servers, rounds, idle);
}

function report(servers: readonly Server[], rounds: ReadonlyMap<string, readonly Round[]>, idle: number): void {
  const variants = servers.map((server) => summarise(server.name, rounds.get(server.name) ?? [], rssMiB(server.pid)));
  const kind = `requests: ${values.requests}${values.pin ? ", each side pinned to a core" : ""}`;
  process.stdout.write(
    `${kind}, ${values.names} names, ${values.rounds} rounds of ${values.seconds} s, machine idle before: ${(idle * 100).toFixed(0)}%\n`,
  );
  printTable(
    variants.map((variant) => ({
      variant: variant.name,
      "CPU us/op (lower quartile)": variant.cpuLowerQuartile,
      median: variant.cpuUsPerOp,
      spread: variant.cpuSpread.map((value) => value.toFixed(2)).join("..."),
      "op/s": variant.opsPerSecond,
      "p50 ms": variant.p50Ms,
      "p99 ms": variant.p99Ms,
      "RSS MiB": variant.rssMiB,
    })),
  );
  const quartile = (name: string): number => {
    const [server = "", part] = name.split("'s ");
    const of = rounds.get(server);
    if (of === undefined) return Number.NaN;
    return lowerQuartile(of.map((round) => (part === "resolver" ? round.helpersUsPerOp : round.cpuUsPerOp)));
  };
  for (const { name } of servers.filter((server) => server.name.startsWith("nginx-arkstone"))) {
    process.stdout.write(`${name}: ${quartile(`${name}'s resolver`).toFixed(2)} us/op of it are the resolver's\n`);
  }
  const ratios: Record<string, number> = {};
  const pairs = [
    ["arkstone-1", "bare-map"],
    ["arkstone-1", "nginx-map"],
    ["arkstone-1-tls", "nginx-map-tls"],
    ["arkstone-1-tls", "arkstone-1"],
    ["arkstone-1", "arkstone-1-no-lane"],
    ["nginx-arkstone's resolver", "arkstone-1"],
    ["nginx-arkstone's resolver", "nginx-arkstone-no-lane's resolver"],
    ["nginx-arkstone", "nginx-map"],
    ["nginx-arkstone-tls's resolver", "arkstone-1"],
    ["nginx-arkstone-tls", "nginx-map-tls"],
    ["nginx-arkstone-tls", "arkstone-1-tls"],
    ["postgres-per-request", "arkstone-1"],
    ["arkstone-2", "arkstone-1"],
    ["bare-map-2", "bare-map"],
    ["arkstone-2", "bare-map-2"],
  ] as const;
  for (const [one, other] of pairs) {
    const ratio = quartile(one) / quartile(other);
    if (Number.isNaN(ratio)) continue;
    ratios[`${one} / ${other}`] = ratio;
    process.stdout.write(`CPU of ${one} over ${other} (lower quartiles): ${ratio.toFixed(3)}\n`);
  }
  writeJson(values.json, "resolve", variants, { ratios, idle, requests: values.requests, pinned: values.pin });
}

await main();
