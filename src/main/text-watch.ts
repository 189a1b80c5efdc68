// A second thread in the process that reads files (R35). It ends the process when it exceeds its limit of memory or
// time: a reader in an endless loop cannot, and nothing else does after the server has ended.
import { writeSync } from "node:fs";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import type { ChildEnd, WatchLimits } from "./text-messages.ts";

const { memoryBytes, ms } = workerData as WatchLimits;
const EVERY_MS = 50;
const STANDARD_OUTPUT = 1;

let beganAt: number | null = null;
parentPort?.on("message", (what: "began" | "ended") => {
  beganAt = what === "began" ? performance.now() : null;
});

function end(died: ChildEnd["died"]): void {
  writeSync(STANDARD_OUTPUT, `${JSON.stringify({ died } satisfies ChildEnd)}\n`);
  process.kill(process.pid, "SIGKILL");
}

setInterval(() => {
  if (beganAt === null) return;
  if (process.memoryUsage.rss() > memoryBytes) end("memory");
  else if (performance.now() - beganAt > ms) end("time");
}, EVERY_MS);
