// A thread beside the reader of files in its process (R35): it ends the process when that takes more memory or time than it may, which a reader that is
// caught in a loop cannot, and which nobody else does once the server is gone.
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
