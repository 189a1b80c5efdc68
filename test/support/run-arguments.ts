// What `bun test` was started with: Bun shows it to the system alone.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";

/** Empty where the system does not report it. */
export function runArguments(): readonly string[] {
  try {
    return readFileSync("/proc/self/cmdline", "utf8").split("\0").slice(1);
  } catch {
    // Not Linux.
  }
  try {
    return execFileSync("ps", ["-ww", "-o", "args=", "-p", String(process.pid)], { encoding: "utf8" })
      .trim()
      .split(" ")
      .slice(1);
  } catch {
    return [];
  }
}

/** True for `bun test` that names neither a file nor a folder. */
export const isPlainRun = (words = runArguments()): boolean =>
  words.includes("test") && !words.some((word) => word.includes("/") && !word.startsWith("-"));
