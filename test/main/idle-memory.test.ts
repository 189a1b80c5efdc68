// Memory is returned when a process that did large work has little to do (R9a).
import { expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { collectWhenGrown, releaseWhenIdle } from "../../src/main/process/idle-memory.ts";

const MIB = 1024 * 1024;
const CHECK_MS = 10;

/** A process with these figures at each check. Returns at which of them memory was released. */
async function releasesOf(checks: readonly (readonly [cpuSeconds: number, residentMib: number])[]): Promise<number[]> {
  let at = 0;
  const released: number[] = [];
  const figures = {
    cpuMs: () => (checks[at]?.[0] ?? 0) * 1000,
    // The last figure that a check reads.
    residentBytes: () => (checks[at++]?.[1] ?? 0) * MIB,
  };
  const stop = releaseWhenIdle(() => released.push(at - 1), figures, CHECK_MS);
  while (at < checks.length) await sleep(CHECK_MS);
  stop();
  return released;
}

test("R9a memory is released once after large work, when the process is idle and has grown", async () => {
  // The work goes on until the third check; what is left after the release counts as the new start.
  expect(
    await releasesOf([
      [1, 100],
      [15, 300],
      [30, 400],
      [30, 400],
      [30, 250],
      [30, 250],
      [30, 250],
    ]),
  ).toEqual([3]);
});

test("R9a memory is kept by a process that works, has worked little, or has not grown", async () => {
  expect(
    await releasesOf([
      [1, 100],
      [15, 300],
      [30, 400],
      [45, 400],
      [60, 400],
    ]),
  ).toEqual([]);
  expect(
    await releasesOf([
      [1, 100],
      [15, 300],
      [20, 400],
      [20, 400],
      [20, 400],
    ]),
  ).toEqual([]);
  expect(
    await releasesOf([
      [1, 100],
      [15, 110],
      [30, 130],
      [30, 130],
      [30, 130],
    ]),
  ).toEqual([]);
});

test("R9a memory is released again after as much work as before the first time", async () => {
  const first = [
    [1, 100],
    [30, 400],
    [30, 400],
    [30, 250],
    [31, 290],
    [31, 290],
  ] as const;
  expect(await releasesOf([...first, [60, 290], [60, 290], [60, 250], [60, 250]])).toEqual([2, 7]);
});

test("R9a garbage is collected when memory has grown; what is left after that is in use", async () => {
  const checks = [100, 200, 270, 120, 279, 281, 281, 281, 450, 100, 250, 270];
  let at = 0;
  const collected: number[] = [];
  const residentBytes = (): number => (checks[at++] ?? 0) * MIB;
  const stop = collectWhenGrown(() => collected.push(at - 1), { residentBytes }, CHECK_MS);
  while (at < checks.length) await sleep(CHECK_MS);
  stop();
  expect(collected).toEqual([2, 5, 8, 11]);
});
