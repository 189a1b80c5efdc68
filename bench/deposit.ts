// What deposits cost: large packages (peak memory, rate compared with a bare server of the same runtime), small ones a
// second, the duplicate check by the number of items. The server is `arkstone repository` with the full item type;
// peaks are VmHWM of its process. bun bench/deposit.ts [--parts large,small,duplicates] [--runtimes bun,deno] [--mib
// 1024] [--rounds 3] [--huge] [--seconds 10] [--connections 8]
//   [--checks 10000] [--items 10000,1000000] [--profile FOLDER] [--json FILE]
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { platformRandom } from "../src/adapters/random.ts";
import { EMPTY_METADATA, type Metadata } from "../src/model/metadata/metadata.ts";
import { items as itemsService } from "../src/repository/items/items.ts";
import { agentOf } from "../test/support/cited-items.ts";
import { type DepositInstallation, depositInstallation } from "../test/support/deposit-installation.ts";
import { prepareItems, type Sql } from "../test/support/filed-items.ts";
import type { PackageOrder, PackageOutcome, SmallOrder, SmallOutcome } from "./deposit-client.ts";
import {
  cpuSeconds,
  fdatasyncMs,
  freePort,
  idleShare,
  median,
  printTable,
  quantile,
  type Server,
  startServer,
  vmHwmMiB,
  workFolder,
  writeJson,
} from "./lib.ts";

const { values } = parseArgs({
  options: {
    parts: { type: "string", default: "large,small,duplicates" },
    runtimes: { type: "string", default: "bun,deno" },
    mib: { type: "string", default: "1024" },
    rounds: { type: "string", default: "3" },
    huge: { type: "boolean", default: false },
    seconds: { type: "string", default: "10" },
    connections: { type: "string", default: "8" },
    checks: { type: "string", default: "10000" },
    items: { type: "string", default: "10000,1000000" },
    profile: { type: "string" },
    json: { type: "string" },
  },
});

const ROUNDS = Number(values.rounds);
const BLOCK_MIB = 8;
/** What the huge package leaves free. */
const HUGE_FREE_BYTES = 50e9;
/** Sixteen files of 125 blocks: 16,777,216,000 bytes of payload would be just over the limit of an upload. */
const HUGE = { files: 16, blocks: 124 } as const;
const SMALL_BYTES = 10_240;
const SERVICE = "/sword/service-document";
const CLI = join(import.meta.dirname, "..", "src", "main", "cli.ts");
const DENO = join(import.meta.dirname, "..", "node_modules", "deno", "deno");

type Result = { readonly name: string; readonly [figure: string]: string | number };

async function client<Outcome>(order: PackageOrder | SmallOrder): Promise<Outcome> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "deposit-client.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stdin.end(JSON.stringify(order));
  await new Promise((resolve) => child.once("close", resolve));
  return JSON.parse(output);
}

/** A program on this runtime: `bun file ...` or `deno run file ...`, the process itself, no wrapper around it. */
function commandOf(
  runtime: string,
  args: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  if (runtime === "bun") return { program: process.execPath, args };
  return { program: DENO, args: ["run", "--allow-all", "--no-check", "--quiet", ...args] };
}

async function startRepository(installation: DepositInstallation, runtime: string): Promise<Server> {
  const profile =
    values.profile === undefined || runtime !== "bun" ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];
  const { program, args } = commandOf(runtime, [...profile, CLI, "repository"]);
  const env = { ...installation.env, SVC_PORT: String(installation.port) };
  return await startServer("repository", args, { program, port: installation.port, env, readyPath: "/readyz" });
}

/** One package into a fresh repository, so that every peak is of one deposit. */
async function ours(
  runtime: string,
  order: Omit<PackageOrder, "port" | "path" | "token">,
): Promise<PackageOutcome & { readonly peak: number; readonly cpu: number }> {
  const installation = await depositInstallation("bench-deposit");
  const token = await installation.setup.client();
  const server = await startRepository(installation, runtime);
  try {
    const before = cpuSeconds(server.pid);
    const outcome = await client<PackageOutcome>({ ...order, port: server.port, path: SERVICE, token });
    if (outcome.status !== 201) throw new Error(`${outcome.status} ${outcome.body}`);
    return { ...outcome, peak: vmHwmMiB(server.pid), cpu: cpuSeconds(server.pid) - before };
  } finally {
    await server.stop();
    await installation.close();
  }
}

async function bare(
  runtime: string,
  order: Omit<PackageOrder, "port" | "path" | "token">,
): Promise<PackageOutcome & { readonly peak: number; readonly cpu: number }> {
  const folder = workFolder();
  const port = freePort();
  const { program, args } = commandOf(runtime, [
    join(import.meta.dirname, "deposit-bare.ts"),
    String(port),
    folder.path,
  ]);
  const server = await startServer("bare", args, { program, port, readyPath: "/" });
  try {
    const before = cpuSeconds(server.pid);
    const outcome = await client<PackageOutcome>({ ...order, port, path: "/", token: "none" });
    const { payloadBytes }: { readonly payloadBytes?: number } = JSON.parse(outcome.body);
    if (outcome.status !== 200 || (payloadBytes ?? 0) < outcome.payloadBytes)
      throw new Error(`bare: ${outcome.status} ${outcome.body}`);
    return { ...outcome, peak: vmHwmMiB(server.pid), cpu: cpuSeconds(server.pid) - before };
  } finally {
    await server.stop();
    folder.remove();
  }
}

async function large(
  runtime: string,
  kind: PackageOrder["kind"],
  shape: { readonly files: number; readonly blocks: number },
  rounds: number,
  label: string,
): Promise<Result[]> {
  const runs: { readonly ours: Awaited<ReturnType<typeof ours>>; readonly bare: Awaited<ReturnType<typeof bare>> }[] =
    [];
  for (let round = 0; round < rounds; round++) {
    const order = { kind, ...shape };
    runs.push({ bare: await bare(runtime, order), ours: await ours(runtime, order) });
  }
  const figures = (who: "ours" | "bare"): Result => {
    const all = runs.map((run) => run[who]);
    const seconds = median(all.map((each) => each.seconds));
    const mib = (all[0]?.payloadBytes ?? 0) / 1024 ** 2;
    return {
      name: `${label}-${kind}-${runtime}${who === "bare" ? "-bare" : ""}`,
      "peak MiB": Math.max(...all.map(({ peak }) => peak)),
      seconds,
      "MiB/s": mib / seconds,
      "CPU s": median(all.map(({ cpu }) => cpu)),
      // Of neighbouring runs: what else the machine does disturbs both alike.
      "rate / bare": who === "bare" ? 1 : median(runs.map((run) => run.bare.seconds / run.ours.seconds)),
    };
  };
  return [figures("bare"), figures("ours")];
}

async function small(runtime: string): Promise<Result> {
  const installation = await depositInstallation("bench-deposits", {
    SVC_MAX_CONCURRENT_DEPOSITS: "64",
    SVC_DEPOSITS_PER_ACCOUNT: "64",
  });
  const token = await installation.setup.client();
  if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true });
  const server = await startRepository(installation, runtime);
  try {
    const order = {
      port: server.port,
      path: SERVICE,
      token,
      connections: Number(values.connections),
      bytes: SMALL_BYTES,
    };
    await client<SmallOutcome>({ ...order, seconds: 2, from: 1_000_000 });
    const before = cpuSeconds(server.pid);
    const { seconds, statuses, latenciesMs, odd } = await client<SmallOutcome>({
      ...order,
      seconds: Number(values.seconds),
      from: 1,
    });
    const cpu = cpuSeconds(server.pid) - before;
    if (Object.keys(statuses).join() !== "201") throw new Error(`${JSON.stringify(statuses)} ${odd}`);
    const count = latenciesMs.length;
    const arks = await installation.sql<{ n: number }>(
      "select count(*) as n from item where ark is not null and state = 'published'",
    );
    if (Number(arks[0]?.n) < count) throw new Error(`${count} deposits, ${arks[0]?.n} ARKs`);
    return {
      name: `small-${runtime}`,
      "peak MiB": vmHwmMiB(server.pid),
      "deposits/s": count / seconds,
      "CPU ms": (cpu * 1000) / count,
      "p50 ms": median(latenciesMs),
      "p99 ms": quantile(latenciesMs, 0.99),
    };
  } finally {
    await server.stop();
    await installation.close();
  }
}

const AT = "2026-01-02T03:04:05.000Z";

/** Items number `from` to `to` with an identifier's and a work's key each, straight into the tables of SQLite. */
async function fill(sql: Sql, from: number, to: number): Promise<void> {
  const each = `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})`;
  const item = "(2 * i + 100000)";
  const parent = "(2 * i + 100001)";
  await sql(
    `insert into resource (id, kind) ${each} select ${item}, 'item' from n union all select ${parent}, 'parent' from n`,
  );
  await sql(
    `insert into item_parent (id, owner_account_id, latest_item_id, created_at) ${each} select ${parent}, 900000, ${item}, '${AT}' from n`,
  );
  await sql(`insert into file_set (id, created_at) ${each} select ${item}, '${AT}' from n`);
  await sql(`insert into item (id, parent_id, version_index, state, revision, item_type_id, item_type_version, title, metadata, settings, record_access,
      open_date, files_access, embargo_until, embargo_reason, file_set_id, created_at, updated_at, published_at)
    ${each} select ${item}, ${parent}, 1, 'published', 1, 900000, 1, 'Item ' || i, '{}', '{}', 'public', '2026-01-02', 'public', null, '', ${item},
      '${AT}', '${AT}', '${AT}' from n`);
  for (const kind of ["identifier", "work"]) {
    await sql(
      `insert into duplicate_key (kind, digest, item_id) ${each} select '${kind}', lower(hex(randomblob(32))), ${item} from n`,
    );
  }
}

/** Every other one with a DOI; those without are searched for by title, type and creators. */
function metadataOf(number: number): Metadata {
  return {
    ...EMPTY_METADATA,
    type: { id: "dataset" },
    titles: [{ value: `Hourly sea level of harbour ${number}`, kind: "main" }],
    creators: [agentOf({ names: [{ family: "Yamada", given: "Hanako" }] })],
    identifiers: number % 2 === 0 ? [{ scheme: "DOI", value: `10.99999/${number}` }] : [],
  };
}

async function duplicates(): Promise<Result[]> {
  const installation = await depositInstallation("bench-duplicates");
  const results: Result[] = [];
  try {
    const { store } = installation;
    const clock = { now: () => AT };
    const service = itemsService({
      store,
      clock,
      random: platformRandom(),
      timeZone: "UTC",
      landingPage: String,
      arkCredential: null,
    });
    await prepareItems(installation.sql);
    let filled = 0;
    for (const count of values.items.split(",").map(Number)) {
      await fill(installation.sql, filled + 1, count);
      filled = count;
      const checks = Number(values.checks);
      const rounds: number[] = [];
      for (let round = 0; round < 6; round++) {
        const before = process.cpuUsage();
        for (let check = 0; check < checks; check++) {
          const found = await service.duplicates(store, metadataOf(round * checks + check), null);
          if (found.length > 0) throw new Error("A duplicate of nothing");
        }
        const { user, system } = process.cpuUsage(before);
        // The first round warms up.
        if (round > 0) rounds.push((user + system) / checks);
      }
      results.push({ name: `duplicates-${count}`, "CPU us/check": median(rounds), slowest: Math.max(...rounds) });
    }
  } finally {
    await installation.close();
  }
  return results;
}

function roomForHuge(): boolean {
  const { bavail, bsize } = statfsSync(tmpdir());
  return bavail * bsize >= HUGE_FREE_BYTES;
}

function runtimes(): readonly string[] {
  return values.runtimes.split(",").filter((runtime) => runtime !== "deno" || existsSync(DENO));
}

async function main(): Promise<void> {
  const parts = new Set(values.parts.split(","));
  const idle = await idleShare();
  const folder = workFolder();
  const sync = fdatasyncMs(folder.path);
  folder.remove();
  const results: Result[] = [];
  const blocks = Math.max(1, Math.round(Number(values.mib) / BLOCK_MIB));
  for (const runtime of parts.has("large") ? runtimes() : []) {
    for (const kind of ["stored", "deflated"] as const)
      results.push(...(await large(runtime, kind, { files: 1, blocks }, ROUNDS, "large")));
  }
  if (values.huge && !roomForHuge())
    process.stdout.write("The package of 16 GB is left out: less than 50 GB of the disk are free\n");
  for (const runtime of values.huge && roomForHuge() ? runtimes() : [])
    results.push(...(await large(runtime, "stored", HUGE, 1, "huge")));
  for (const runtime of parts.has("small") ? runtimes() : []) results.push(await small(runtime));
  if (parts.has("duplicates")) results.push(...(await duplicates()));
  process.stdout.write(
    `machine idle before: ${(idle * 100).toFixed(0)}%, fdatasync of 4 KiB: ${sync.toFixed(2)} ms (median)\n` +
      `large: one file of ${blocks * BLOCK_MIB} MiB; rates are of the inflated payload; small: bags of about ${SMALL_BYTES} bytes, ${values.connections} connections\n`,
  );
  for (const prefix of ["large", "huge", "small", "duplicates"]) {
    const rows = results.filter(({ name }) => name.startsWith(prefix));
    if (rows.length > 0) printTable(rows.map(({ name, ...figures }) => ({ variant: name, ...figures })));
  }
  writeJson(values.json, "deposit", results.map(variantOf), { fdatasyncMs: sync, idle });
}

/** A result with the fields every bench writes, and its specific figures; an operation is one deposit, or one check. */
function variantOf(result: Result) {
  const figure = (name: string): number => Number(result[name] ?? 0);
  const ms = figure("seconds") * 1000;
  return {
    ...result,
    cpuUsPerOp: figure("CPU s") * 1e6 + figure("CPU ms") * 1000 + figure("CPU us/check"),
    opsPerSecond: figure("deposits/s") || (ms > 0 ? 1000 / ms : 0),
    p50Ms: figure("p50 ms") || ms,
    p99Ms: figure("p99 ms") || ms,
    rssMiB: figure("peak MiB"),
  };
}

await main();
