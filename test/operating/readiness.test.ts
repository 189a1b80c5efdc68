// What /readyz asks before it answers (A15): together, not for long, and no question twice at once.
import { describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Check, readiness } from "../../src/operating/readiness.ts";

const SILENT = "It does not answer";

/** Answers when asked to. */
function slow() {
  const given: ((reason: string | null) => void)[] = [];
  const check: Check = { ask: () => new Promise((resolve) => given.push(resolve)), silent: SILENT };
  return { check, given };
}

describe("readiness", () => {
  test("A15 nothing is wrong where every question is answered with nothing; otherwise all reasons are reported, in order", async () => {
    const fine: Check = { ask: async () => null, silent: SILENT };
    const full: Check = { ask: async () => "Its disk is full", silent: SILENT };
    const broken: Check = { ask: () => Promise.reject(new Error("a bug")), silent: SILENT };
    expect(await readiness([fine], () => 0)()).toEqual([]);
    expect(await readiness([full, fine, broken], () => 0)()).toEqual(["Its disk is full", SILENT]);
  });

  test("A15 who does not answer within two seconds is silent, and is not asked again as long as the question is open", async () => {
    const { check, given } = slow();
    let now = 0;
    const ask = readiness([check], () => now);
    const probes = Array.from({ length: 50 }, async () => await ask());
    now = 1_000;
    probes.push(ask());
    expect(new Set((await Promise.all(probes)).map(String))).toEqual(new Set([SILENT]));
    expect(given).toHaveLength(1);
    given[0]?.(null);
    await sleep(0);
    expect(await ask()).toEqual([]);
  });

  test("A15 probes in a crowd share one proof; a moment later it is rebuilt", async () => {
    let asked = 0;
    let now = 0;
    const check: Check = {
      ask: async () => {
        asked += 1;
        return null;
      },
      silent: SILENT,
    };
    const ask = readiness([check, { ...check, keptMs: 5_000 }], () => now);
    for (let probe = 0; probe < 100; probe += 1) await ask();
    expect(asked).toBe(2);
    now = 300;
    await ask();
    expect(asked).toBe(3);
    now = 5_001;
    await ask();
    expect(asked).toBe(5);
  });
});
