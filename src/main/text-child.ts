// The process that reads the words of files (R35), started by text-process.ts: without settings, without a database, it
// knows nothing but the bytes on its standard input. It ends with its input, and when it has grown large.
import { setPriority } from "node:os";
import process from "node:process";
import { Worker } from "node:worker_threads";
import { textHere } from "./text-here.ts";
import { type ChildLine, ordersIn, READY, type WatchLimits } from "./text-messages.ts";

/** Requests come first. */
const PRIORITY = 10;
/** Above this share of what it may take another process goes on. */
const GROWN_SHARE = 0.5;
/** The server ends it after `seconds`; where the server is gone, the watch does. */
const WATCH_AFTER_MS = 5_000;
const MIB = 1024 * 1024;

export async function readTextsFrom(
  input: AsyncIterable<Uint8Array>,
  seconds: number,
  memoryMib: number,
): Promise<void> {
  setPriority(process.pid, PRIORITY);
  const limits: WatchLimits = { memoryBytes: memoryMib * MIB, ms: seconds * 1000 + WATCH_AFTER_MS };
  const watch = new Worker(new URL("./text-watch.ts", import.meta.url), { workerData: limits });
  const read = textHere(seconds);
  // What PDF.js still does for a page that is no longer wanted comes to nothing.
  process.on("unhandledRejection", () => {});
  await written(READY);
  for await (const { order, bytes } of ordersIn(input)) {
    watch.postMessage("began");
    const outcome = await read(order, bytes);
    watch.postMessage("ended");
    await written({ outcome });
    if (process.memoryUsage.rss() > limits.memoryBytes * GROWN_SHARE) break;
  }
  process.exit(0);
}

function written(line: ChildLine): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}
