// The priority of background work, thread by thread, as Linux reports it.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

const MODULE = join(import.meta.dirname, "../../src/main/process/lower-priority.ts");

/** How far below others the threads of a process are that calls this function. */
function nicenessAfter(call: string): number[] {
  const script = `
    import { readdirSync, readFileSync } from "node:fs";
    import { ${call} } from ${JSON.stringify(MODULE)};
    const threads = () => readdirSync("/proc/self/task").map((thread) =>
      Number(readFileSync("/proc/self/task/" + thread + "/stat", "utf8").replace(/^.*\\) /s, "").split(" ")[16]));
    const before = threads();
    ${call}();
    console.log(JSON.stringify(threads().slice(0, before.length).map((nice, at) => nice - before[at])));`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  return JSON.parse(stdout);
}

test.skipIf(process.platform !== "linux")("Q.287 an import lowers the priority of every thread of its process", () => {
  const whole = nicenessAfter("lowerProcessPriority");
  expect(whole.length).toBeGreaterThan(1);
  expect(new Set(whole).size).toBe(1);
  const [main, ...others] = nicenessAfter("lowerPriority");
  // What answers in the same process keeps its own.
  expect(others.every((nice) => nice === 0)).toBe(true);
  expect(main).toBe(whole[0]);
});
