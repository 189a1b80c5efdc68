// What an operation over HTTP, or a command, costs; and the table of two sizes.
import { readFileSync } from "node:fs";
import process from "node:process";
import { CLI, printTable, type Server, timed } from "../lib.ts";
import { type Filled, type Sent, send } from "./filled.ts";

/** `unit`: what one of `count` is. */
export type Row = {
  readonly name: string;
  readonly count: number;
  readonly "CPU ms": number;
  readonly "p50 ms": number;
  readonly "p99 ms": number;
  /** Of an answer. */
  readonly KB: number;
};

/** A size or a time of the whole: not of one operation. */
export type Figure = { readonly name: string; readonly value: number; readonly asked: string };

/** Call number n; returns the bytes of its answers. */
export type Call = (n: number) => Promise<number>;
export type Operation = { readonly name: string; readonly call: Call };
export type Bounds = { readonly seconds: number; readonly most: number };

const CALLS_LEAST = 2;

export const get =
  (server: Server, pathOf: (n: number) => string, sent: Sent = {}): Call =>
  async (n) =>
    (await send(server, pathOf(n), sent)).length;

/** Calls until the code is compiled, then as many as fit into the time: none of them has the number of another. */
export async function measured(server: Server, { name, call }: Operation, { seconds, most }: Bounds): Promise<Row> {
  const startedAt = performance.now();
  const passed = (): number => (performance.now() - startedAt) / 1_000;
  let warm = 0;
  do {
    await call(warm);
    warm += 1;
  } while (passed() < seconds / 3 && warm < most / 2);
  const count = Math.max(CALLS_LEAST, Math.min(most, Math.ceil((seconds * warm) / passed())));
  let bytes = 0;
  const result = await timed(server, name, count, 1, async (n) => {
    bytes += await call(warm + n);
  });
  const { cpuUsPerOp, p50Ms, p99Ms } = result;
  return { name, count, "CPU ms": cpuUsPerOp / 1_000, "p50 ms": p50Ms, "p99 ms": p99Ms, KB: bytes / count / 1_000 };
}

/** A command of Arkstone over all items: its CPU for each of them. */
export async function command(filled: Filled, name: string, args: readonly string[]) {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, CLI, ...args], {
    env: { ...process.env, ...filled.env, SVC_DATA_DIR: filled.folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`arkstone ${args.join(" ")} ended with ${code}: ${errors.slice(-1_000)}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const usage = child.resourceUsage();
  const cpu = Number(usage?.cpuTime.total ?? 0) / 1_000;
  const each = (seconds * 1_000) / filled.items;
  return {
    row: {
      name: `${name}, an item`,
      count: filled.items,
      "CPU ms": cpu / filled.items,
      "p50 ms": each,
      "p99 ms": each,
      KB: 0,
    },
    figures: [
      { name: `${name}, s`, value: seconds, asked: "" },
      { name: `${name}, peak MiB`, value: Number(usage?.maxRSS ?? 0) / 2 ** 20, asked: "" },
    ] satisfies readonly Figure[],
  };
}

type Run = { readonly items: number; readonly variants: readonly Row[]; readonly figures: readonly Figure[] };
const runIn = (file: string): Run => JSON.parse(readFileSync(file, "utf8"));

/** `growth`: how many times more CPU an operation takes, divided by how many times larger its answer is, if it is. */
export function compare(smallFile: string, largeFile: string): void {
  const [small, large] = [runIn(smallFile), runIn(largeFile)];
  const rows = large.variants.flatMap((row) => {
    const before = small.variants.find(({ name }) => name === row.name);
    if (before === undefined) return [];
    const ratio = row["CPU ms"] / before["CPU ms"];
    const result = before.KB === 0 ? 1 : row.KB / before.KB;
    return [
      {
        name: row.name,
        [`CPU ms, ${small.items}`]: before["CPU ms"],
        [`CPU ms, ${large.items}`]: row["CPU ms"],
        ratio,
        "of KB": result,
        growth: ratio / Math.max(1, result),
        "p50 ms": row["p50 ms"],
        "p99 ms": row["p99 ms"],
      },
    ];
  });
  printTable(rows);
  printTable(
    large.figures.flatMap(({ name, value, asked }) => {
      const before = small.figures.find((each) => each.name === name);
      if (before === undefined) return [];
      return [
        { name, [`${small.items}`]: before.value, [`${large.items}`]: value, ratio: value / before.value, asked },
      ];
    }),
  );
}
