// What the resolver's table costs: bytes a name, time to build, memory, look-ups a second, snapshot.
// Runs on Bun and on Deno: bench/table.ts [--names N] [--json FILE] [--rebuild no] [--from stream | sqlite |
// postgres://…] [--pages small]
// `--from` sets where the rows of the build come from: made on the way, or pages of a replica over a database that is
// filled first (`sqlite`: a file that is removed afterwards; a URL: an empty PostgreSQL database, which is left
// filled). `--pages small` leaves out the large pages that the resolver asks of Linux for its table.

import { closeSync, fsyncSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openReplica } from "../db/resolver/replica.ts";
import { sharedMemory } from "../src/adapters/large-pages.ts";
import { buildFromMemory } from "../src/resolver/table/table-building.ts";
import { type TrieTable, trieTable } from "../src/resolver/table/trie.ts";
import { TrieBuilder } from "../src/resolver/table/trie-builder.ts";
import type { Segments } from "../src/resolver/table/trie-layout.ts";
import { TrieBase } from "../src/resolver/table/trie-segments.ts";
import { entryOf } from "../src/resolver/table.ts";
import {
  readSnapshotHeader,
  SNAPSHOT_HEADER_BYTES,
  snapshotHeader,
  verifySnapshot,
} from "../src/resolver/table-snapshot.ts";
import { yieldToEventLoop } from "../src/shared/time/event-loop.ts";
import { median, printTable, quantile, workFolder, writeJson } from "./lib.ts";
import { fillDatabase } from "./table-database.ts";
import { tableNames } from "./table-names.ts";

const PAGE = 10_000;
/** Names between two turns of the event loop, as the resolver builds: without them garbage piles up. */
const SLICE = 1_000;
const SAMPLE_MAX = 500_000;
const ROUNDS = 5;
/** Look-ups while allocations are counted: too few for a collection to come in between. */
const FEW = 20_000;
const GROUP = 1_000;
const CHANGED = 20_000;
const NO_DATES = { publishedAt: null, firstPublishedAt: null, holdUntil: null };
const IO_BYTES = 64 * 1024 * 1024;

const options = parseArgs({
  options: {
    names: { type: "string", default: "1000000" },
    json: { type: "string" },
    from: { type: "string", default: "stream" },
    rebuild: { type: "string", default: "yes" },
    pages: { type: "string", default: "large" },
  },
}).values;
const names = Number(options.names);
const allocate = options.pages === "small" ? (bytes: number) => new SharedArrayBuffer(bytes) : await sharedMemory();

type Memory = { readonly rss: number; readonly peak: number };

/** Resident memory now and at its highest so far, in MiB. */
function memory(): Memory {
  const status = readFileSync("/proc/self/status", "utf8");
  const read = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { rss: read("VmRSS"), peak: read("VmHWM") };
}

function collect(): void {
  if (typeof Bun !== "undefined") Bun.gc(true);
  else globalThis.gc?.();
}

const seconds = (from: number): number => (performance.now() - from) / 1000;

type Built = {
  readonly table: TrieTable;
  readonly seconds: number;
  readonly readSeconds: number;
  readonly before: Memory;
  readonly during: Memory;
};

/** Builds from rows that are made on the way; making them alone is timed as well. */
async function buildFromStream(): Promise<Built> {
  const readAt = performance.now();
  let made = 0;
  for (const row of tableNames(names)) {
    made += row.key.length > 0 ? 1 : 0;
    if (made % SLICE === 0) await yieldToEventLoop();
  }
  forgetPeak();
  const readSeconds = seconds(readAt);
  const before = memory();
  const startedAt = performance.now();
  const builder = new TrieBuilder({ expectedNames: made, allocate });
  for (const row of tableNames(names)) {
    builder.add(row.key, entryOf(row));
    if (builder.names % SLICE === 0) await yieldToEventLoop();
  }
  const table = trieTable(builder.finish());
  return { table, seconds: seconds(startedAt), readSeconds, before, during: memory() };
}

/** Builds from the pages of a replica, as a resolver does that has no snapshot. */
async function buildFromDatabase(url: string): Promise<Built> {
  await fillDatabase(url, tableNames(names));
  collect();
  await pause(500);
  forgetPeak();
  const before = memory();
  const replica = await openReplica({ url });
  const startedAt = performance.now();
  const builder = new TrieBuilder({ allocate });
  let readMs = 0;
  for (let after = ""; ; ) {
    const readAt = performance.now();
    const rows = await replica.tableRows(after, PAGE);
    readMs += performance.now() - readAt;
    for (const row of rows) builder.add(row.key, entryOf(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) break;
    after = last.key;
  }
  const table = trieTable(builder.finish());
  const took = seconds(startedAt);
  await replica.close();
  return { table, seconds: took, readSeconds: readMs / 1000, before, during: memory() };
}

/** So that the highest memory so far is that of the build alone (Linux; elsewhere it covers the filling too). */
function forgetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Not allowed here.
  }
}

async function build(): Promise<Built> {
  if (options.from === "stream") return buildFromStream();
  if (options.from !== "sqlite") return buildFromDatabase(options.from);
  const folder = workFolder();
  try {
    return await buildFromDatabase(`sqlite:${join(folder.path, "arks.db")}`);
  } finally {
    folder.remove();
  }
}

type Sample = { readonly keys: readonly string[]; readonly targets: readonly string[] };

/** Keys all over the table in random order, as flat strings. */
async function sampleKeys(): Promise<Sample> {
  const every = Math.max(1, Math.floor(names / SAMPLE_MAX));
  const rows: { key: string; url: string }[] = [];
  let index = 0;
  for (const row of tableNames(names)) {
    if (index % every === 0) rows.push({ key: row.key, url: row.url });
    if (++index % SLICE === 0) await yieldToEventLoop();
  }
  let state = 1;
  for (let last = rows.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = state % (last + 1);
    const [one, two] = [rows[last], rows[other]];
    if (one !== undefined && two !== undefined) [rows[last], rows[other]] = [two, one];
  }
  return { keys: rows.map((row) => flat(row.key)), targets: rows.map((row) => flat(row.url)) };
}

function flat(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const JSC = "bun:jsc";
const jsc: { heapStats(): { objectTypeCounts: Record<string, number> } } | null =
  typeof Bun === "undefined" ? null : await import(JSC);

/** What has been allocated: on Bun the number of objects in the heap, dead ones included; elsewhere its bytes. */
function allocated(): number {
  if (jsc === null) return process.memoryUsage().heapUsed;
  let count = 0;
  for (const each of Object.values(jsc.heapStats().objectTypeCounts)) count += each;
  return count;
}
const ALLOCATED = jsc === null ? "bytes allocated" : "objects allocated";

type LookUp = (key: string) => boolean;
type Speed = {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly allocated: number;
  /** Milliseconds a look-up, over groups of look-ups: one alone is too short for the clock. */
  readonly p50Ms: number;
  readonly p99Ms: number;
};

function countRight(keys: readonly string[], lookUp: LookUp, wanted: boolean, times: number[] = []): void {
  let right = 0;
  for (let from = 0; from < keys.length; from += GROUP) {
    const startedAt = performance.now();
    const end = Math.min(keys.length, from + GROUP);
    for (let index = from; index < end; index++) if (lookUp(keys[index] ?? "") === wanted) right++;
    times.push((performance.now() - startedAt) / (end - from));
  }
  if (right !== keys.length) throw new Error(`${keys.length - right} of ${keys.length} look-ups were wrong`);
}

/**
 * Median speed of some rounds over all keys after one to warm up, and what a look-up allocates: the least of some short
 * runs.
 */
function speedOf(keys: readonly string[], lookUp: LookUp, wanted: boolean): Speed {
  const rates: number[] = [];
  const cpus: number[] = [];
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    countRight(keys, lookUp, wanted, round === 0 ? [] : times);
    if (round === 0) continue;
    const cpu = process.cpuUsage(cpuBefore);
    rates.push(keys.length / seconds(startedAt));
    cpus.push((cpu.user + cpu.system) / keys.length);
  }
  const few = keys.slice(0, FEW);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    const before = allocated();
    countRight(few, lookUp, wanted);
    least = Math.min(least, (allocated() - before) / few.length);
  }
  return {
    perSecond: median(rates),
    cpuUs: median(cpus),
    allocated: least,
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
  };
}

function checkTargets(table: TrieTable, sample: Sample): void {
  for (const [index, key] of sample.keys.entries()) {
    const target = table.exact(key)?.url;
    if (target !== sample.targets[index]) throw new Error(`${key} leads to ${target}, not to ${sample.targets[index]}`);
  }
}

/** As the fast lane asks: the name in bytes, its target written into the room of an answer. */
function writing(table: TrieTable, keys: readonly string[]): (key: string) => boolean {
  const room = { bytes: new Uint8Array(4096), at: 0, limit: 4096 };
  const bytes = Buffer.from(keys.join(""));
  const starts = new Uint32Array(keys.length + 1);
  for (const [index, key] of keys.entries()) starts[index + 1] = (starts[index] ?? 0) + key.length;
  let turn = 0;
  return () => {
    const at = turn++ % keys.length;
    room.at = 0;
    return table.writePlainTarget(bytes, starts[at] ?? 0, starts[at + 1] ?? 0, room);
  };
}

/** Look-ups by kind; the first four allocate nothing, the others make the target. */
function lookUps(table: TrieTable, sample: Sample): Record<string, Speed> {
  const base = new TrieBase(table.segments);
  const parts = sample.keys.map((key) => flat(`${key}/page/3`));
  const unknown = sample.keys.map((key) => flat(`${key.slice(0, 14)}y${key.slice(15)}`));
  const walk = (key: string) => {
    const reader = base.of(key);
    reader.walk(key, false, null);
    return reader.nearestAt !== -1;
  };
  const ring: object[] = [];
  let next = 0;
  return {
    hit: speedOf(sample.keys, walk, true),
    passthrough: speedOf(parts, walk, true),
    miss: speedOf(unknown, walk, false),
    hitWritten: speedOf(sample.keys, writing(table, sample.keys), true),
    hitWithTarget: speedOf(sample.keys, (key) => (table.plainTarget(key)?.length ?? 0) > 0, true),
    passthroughWithTarget: speedOf(parts, (key) => (table.nearest(key, false)?.entry.url.length ?? 0) > 0, true),
    /** The measurement where every look-up makes two small objects. */
    control: speedOf(
      sample.keys,
      (key) => {
        ring[next++ % 1000] = { length: key.length, entry: { class: "answers", url: key, holdUntil: null } };
        return true;
      },
      true,
    ),
  };
}

/** Look-ups with recent changes on top, and the time to take them into a new base. */
async function overlaid(table: TrieTable, sample: Sample, speeds: Record<string, Speed>): Promise<number | null> {
  const changed = trieTable(table.segments);
  for (const key of sample.keys.slice(0, CHANGED)) {
    changed.put({ key, state: "published", url: `https://e.org/${key}`, ...NO_DATES });
  }
  const target = (key: string) => (changed.plainTarget(key)?.length ?? 0) > 0;
  speeds[`hitWithTargetOver${CHANGED}Changes`] = speedOf(sample.keys, target, true);
  if (options.rebuild === "no") return null;
  const startedAt = performance.now();
  const rebuild = changed.rebuild();
  changed.setBase(await buildFromMemory(rebuild, { allocate }), rebuild.upTo);
  const took = seconds(startedAt);
  if (changed.size !== table.size || changed.changed !== 0) throw new Error("The rebuild lost names");
  return took;
}

type SnapshotCost = { readonly write: number; readonly load: number; readonly verify: number; readonly ready: number };

function snapshotCost(table: TrieTable): SnapshotCost {
  const folder = workFolder();
  const path = join(folder.path, "table.snapshot");
  const payload = new TrieBase(table.segments).readers.map(({ bytes }) => bytes);
  const writeAt = performance.now();
  const out = openSync(path, "w");
  writeAll(out, snapshotHeader({ epoch: "bench", horizon: "0", names: table.size }, payload));
  for (const segment of payload) writeAll(out, segment);
  fsyncSync(out);
  closeSync(out);
  const write = seconds(writeAt);

  const readAt = performance.now();
  const file = openSync(path, "r");
  const header = new Uint8Array(SNAPSHOT_HEADER_BYTES);
  readAll(file, header);
  const reading = readSnapshotHeader(header);
  if ("problem" in reading) throw new Error("The header of the snapshot was refused");
  const segments: Segments = reading.meta.segments.map(allocate);
  const body = segments.map((segment) => new Uint8Array(segment));
  for (const segment of body) readAll(file, segment);
  closeSync(file);
  const load = seconds(readAt);
  const verifyAt = performance.now();
  if ("problem" in verifySnapshot(header, body)) throw new Error("The snapshot was refused");
  const verify = seconds(verifyAt);
  if (trieTable(segments).size !== table.size) throw new Error("The snapshot lost names");
  const ready = seconds(readAt);
  folder.remove();
  return { write, load, verify, ready };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, Math.min(IO_BYTES, bytes.length - done));
}

function readAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, Math.min(IO_BYTES, bytes.length - done), null);
    if (count === 0) throw new Error("The snapshot is too short");
    done += count;
  }
}

const built = await build();
const { table, before, during } = built;
collect();
await pause(1500);
collect();
const after = memory();
const bytesPerName = table.bytes / table.size;
const sample = await sampleKeys();
checkTargets(table, sample);
const targetLength = sample.targets.reduce((sum, target) => sum + target.length, 0) / sample.targets.length;
const speeds = lookUps(table, sample);
const rebuildSeconds = await overlaid(table, sample, speeds);
const snapshot = snapshotCost(table);

process.stdout.write(
  `\n${table.size} names from ${/^postgres/.test(options.from) ? "PostgreSQL" : options.from}, targets of ${targetLength.toFixed(1)} characters\n\n`,
);
printTable([
  { figure: "bytes a name, targets included", value: bytesPerName, limit: "48" },
  { figure: "build, s", value: built.seconds, limit: "90 from SQLite, 150 from PostgreSQL" },
  { figure: "  of this reading or making the rows, s", value: built.readSeconds, limit: "" },
  { figure: "memory before, MiB", value: before.rss, limit: "" },
  { figure: "highest memory during the build, MiB", value: during.peak, limit: "2048" },
  { figure: "memory after the build, MiB", value: after.rss, limit: "1229" },
  { figure: "rebuild from memory, s", value: rebuildSeconds ?? "left out", limit: "" },
  { figure: "snapshot: write and sync, s", value: snapshot.write, limit: "" },
  { figure: "snapshot: read, s", value: snapshot.load, limit: "" },
  { figure: "snapshot: verify, s", value: snapshot.verify, limit: "" },
  { figure: "snapshot: from open to ready, s", value: snapshot.ready, limit: "4" },
]);
process.stdout.write("\n");
printTable(
  Object.entries(speeds).map(([kind, speed]) => ({
    "look-up": kind,
    "million a second": speed.perSecond / 1e6,
    "CPU, microseconds": speed.cpuUs,
    [`${ALLOCATED} a look-up`]: speed.allocated,
  })),
);
const variants = Object.entries(speeds).map(([name, speed]) => ({
  name,
  opsPerSecond: speed.perSecond,
  cpuUsPerOp: speed.cpuUs,
  p50Ms: speed.p50Ms,
  p99Ms: speed.p99Ms,
  allocatedPerOp: speed.allocated,
  rssMiB: after.rss,
}));
writeJson(options.json, "table", variants, {
  names: table.size,
  targetLength,
  bytesPerName,
  from: /^postgres/.test(options.from) ? "postgres" : options.from,
  buildSeconds: built.seconds,
  readSeconds: built.readSeconds,
  rebuildSeconds,
  rssBeforeMiB: before.rss,
  rssPeakMiB: during.peak,
  rssAfterMiB: after.rss,
  allocatedUnit: ALLOCATED,
  snapshot,
});
