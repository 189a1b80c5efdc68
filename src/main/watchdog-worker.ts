// The thread of watchdog.ts. It counts its own rounds, not the time: a machine that slept, or a process that was
// stopped, is not taken for a loop.
import { writeSync } from "node:fs";
import process from "node:process";
import { workerData } from "node:worker_threads";
import { jsonLog } from "../adapters/log.ts";
import { BEATS, ENDING, type WatchdogData } from "./watchdog.ts";

const { limits, shared } = workerData as WatchdogData;
const places = new Int32Array(shared);
const STANDARD_ERROR = 2;

let seen = -1;
let silent = 0;
let ending = 0;

function end(event: string, reason: string): void {
  try {
    jsonLog("error", (line) => void writeSync(STANDARD_ERROR, line)).error(event, { reason });
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}

// Deno's threads receive signals, too; on Bun the main thread alone does.
if ("Deno" in globalThis) process.on("SIGTERM", () => Atomics.store(places, ENDING, 1));

setInterval(() => {
  const beats = Atomics.load(places, BEATS);
  silent = beats === seen ? silent + 1 : 0;
  seen = beats;
  if (Atomics.load(places, ENDING) === 1) ending += 1;
  if (silent >= limits.silent) end("silent", "The main thread did not answer: the process is ended");
  else if (ending >= limits.ending) end("not_stopped", "The process did not stop in time: it is ended");
}, limits.everyMs);
