// The priority of background work, thread by thread, as Linux reports it.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

const MODULE = join(import.meta.dirname, "../../src/main/process/lower-priority.ts");

type Niceness = { readonly before: readonly number[]; readonly after: readonly number[] };

/** The niceness of the threads of a process before and after it calls this function, the main thread first. */
function nicenessAfter(call: string): Niceness {
  const script = `
    import { readdirSync, readFileSync } from "node:fs";
    import { ${call} } from ${JSON.stringify(MODULE)};
    const threads = () => readdirSync("/proc/self/task").map((thread) =>
      Number(readFileSync("/proc/self/task/" + thread + "/stat", "utf8").replace(/^.*\\) /s, "").split(" ")[16]));
    const before = threads();
    ${call}();
    console.log(JSON.stringify({ before, after: threads().slice(0, before.length) }));`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  return JSON.parse(stdout);
}

test.skipIf(process.platform !== "linux")("Q.287 an import lowers the priority of every thread of its process", () => {
  const whole = nicenessAfter("lowerProcessPriority");
  expect(whole.after.length).toBeGreaterThan(1);
  expect([...new Set(whole.after)]).toEqual([19]);
  // What answers in the same process keeps its own.
  const single = nicenessAfter("lowerPriority");
  expect(single.after.slice(1)).toEqual(single.before.slice(1));
});
