// Lowers the priority of threads that do background work, below threads that answer requests.
import { readdirSync } from "node:fs";
import { setPriority } from "node:os";
import process from "node:process";

const BACKGROUND = 10;
/** Of a process in which nothing answers. */
const LOWEST = 19;

/**
 * For this thread and those it starts. Linux only: elsewhere it would slow the whole process down, with everything in
 * it that answers.
 */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, BACKGROUND);
  } catch {
    // Not allowed here: the work is done all the same.
  }
}

/**
 * The lowest for every thread of this process, on Bun: those that the runtime has started, such as for collecting garbage, would
 * keep the priority they began with.
 */
export function lowerProcessPriority(): void {
  lowerPriority();
  if (process.platform !== "linux" || !("Bun" in globalThis)) return;
  for (const thread of readdirSync("/proc/self/task")) {
    try {
      setPriority(Number(thread), LOWEST);
    } catch {
      // It has ended meanwhile, or it is not allowed here.
    }
  }
}
