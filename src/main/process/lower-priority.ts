// Lowers the priority of threads that do background work, below threads that answer requests.
import { setPriority } from "node:os";
import process from "node:process";

const BACKGROUND = 10;

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
