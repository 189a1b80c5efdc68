// What everything costs that a user of a large repository does: over a folder that `bench/fill.ts` has filled, the
// repository runs as a separate process, which is asked over HTTP; then commands run over all items. `bun
// bench/million.ts --folder FOLDER [--database URL] [--parts a,b] [--seconds N] [--json FILE]`, and `--compare SMALL.json
// LARGE.json` prints what grows between two sizes. The folder is changed: records are published, and a person is.
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import pg from "pg";
import { machineState, printTable, rssMiB, type Server, vmHwmMiB, writeJson } from "./lib.ts";
import { bytesOnDisk, type Filled, openFilled, settle, startRepository } from "./million/filled.ts";
import { command, compare, type Figure, measured, type Operation, type Row } from "./million/measuring.ts";
import { lists, machines, recordReads, searches } from "./million/reading.ts";
import { changes, person } from "./million/writing.ts";

/** Of one operation. */
const CALLS_MOST = 400;
const ASKED = { readySeconds: "3", memoryMiB: "700" };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: "string" },
    database: { type: "string" },
    parts: { type: "string", default: "records,searches,lists,machines,changes,person,commands" },
    seconds: { type: "string", default: "5" },
    compare: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

const PARTS: Readonly<
  Record<string, (filled: Filled, server: Server) => readonly Operation[] | Promise<readonly Operation[]>>
> = { records: recordReads, searches, lists, machines, changes };

const startedAt = performance.now();
const progress = (text: string): void =>
  void process.stderr.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(9)} s  ${text}\n`);

async function measureAll(filled: Filled, parts: readonly string[]) {
  const rows: Row[] = [];
  const figures: Figure[] = [];
  const first = await startRepository(filled);
  progress(`ready after ${first.readySeconds.toFixed(1)} s; what is not there yet is made`);
  await settle(first.server, progress);
  await first.server.stop();
  const { server, readySeconds } = await startRepository(filled);
  try {
    figures.push({ name: "start to ready, s", value: readySeconds, asked: ASKED.readySeconds });
    await settle(server, progress);
    figures.push({ name: "memory after the start, MiB", value: rssMiB(server.pid), asked: ASKED.memoryMiB });
    for (const [part, operationsOf] of Object.entries(PARTS)) {
      if (!parts.includes(part)) continue;
      for (const operation of await operationsOf(filled, server)) {
        progress(operation.name);
        rows.push(await measured(server, operation, { seconds: Number(values.seconds), most: CALLS_MOST }));
      }
      const peak = { name: `peak of the process behind ${part}, MiB`, value: vmHwmMiB(server.pid) };
      figures.push({ ...peak, asked: ASKED.memoryMiB });
    }
    if (parts.includes("person")) {
      progress("change of a person");
      rows.push(await person(filled, server));
    }
    figures.push({ name: "peak of the process, MiB", value: vmHwmMiB(server.pid), asked: ASKED.memoryMiB });
    const bytes = await bytesOnDisk(filled);
    figures.push({ name: "database, bytes an item", value: bytes.database / filled.items, asked: "" });
    figures.push({ name: "search index, bytes an item", value: bytes.index / filled.items, asked: "" });
  } finally {
    await server.stop();
  }
  return { rows, figures };
}

/** An empty database next to the filled one. */
async function emptyDatabase({ folder, url }: Filled) {
  if (url.startsWith("sqlite:")) {
    const file = join(folder, "restored.db");
    const remove = async (): Promise<void> => {
      for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    };
    await remove();
    return { url: `sqlite:${file}`, remove };
  }
  const name = "arkstone_restored";
  const run = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  const remove = (): Promise<void> => run(`drop database if exists ${name}`);
  await remove();
  await run(`create database ${name}`);
  return { url: Object.assign(new URL(url), { pathname: `/${name}` }).href, remove };
}

async function commands(filled: Filled) {
  const file = join(filled.folder, "backup.gz");
  rmSync(file, { force: true });
  const empty = await emptyDatabase(filled);
  const results: Awaited<ReturnType<typeof command>>[] = [];
  try {
    for (const [name, ...args] of [
      ["migrate", "migrate"],
      ["verify", "verify"],
      ["backup", "backup", file],
      ["restore", "restore", file, "--database", empty.url],
    ] as const) {
      progress(name);
      results.push(await command(filled, name, args));
    }
  } finally {
    rmSync(file, { force: true });
    await empty.remove();
  }
  return { rows: results.map(({ row }) => row), figures: results.flatMap(({ figures }) => figures) };
}

async function main(folder: string): Promise<void> {
  const machine = await machineState();
  const filled = await openFilled(folder, values.database);
  try {
    const parts = values.parts.split(",");
    const served = await measureAll(filled, parts);
    const after = parts.includes("commands") ? await commands(filled) : { rows: [], figures: [] };
    const [rows, figures] = [
      [...served.rows, ...after.rows],
      [...served.figures, ...after.figures],
    ];
    process.stdout.write(`${machine.line}${filled.items} items, ${filled.url.replace(/:.*/s, "")}\n`);
    printTable(rows);
    printTable(figures);
    writeJson(values.json, "million", rows, { ...machine.figures, items: filled.items, figures });
  } finally {
    await filled.close();
  }
}

const [small, large] = positionals;
if (values.compare && small !== undefined && large !== undefined) compare(small, large);
else if (values.folder === undefined) throw new Error("Usage: bun bench/million.ts --folder FOLDER [--database URL]");
else await main(values.folder);
