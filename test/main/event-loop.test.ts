// The delay of the event loop in /metrics (R9a): the longest of late, and how often it was too long.
import { expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { watchEventLoop } from "../../src/main/process/event-loop.ts";

const figures = ({ gauges }: ReturnType<typeof watchEventLoop>): Readonly<Record<string, number>> =>
  Object.fromEntries(gauges.map(({ name, read }) => [name, read()[0]?.value ?? Number.NaN]));

test("R9a work that holds the loop is reported with its length, still in the next half minute", async () => {
  let skipped = 0;
  const watch = watchEventLoop(() => performance.now() + skipped);
  try {
    await sleep(120);
    const quiet = figures(watch);
    expect(quiet.event_loop_stalls_total).toBeGreaterThanOrEqual(0);
    for (const end = performance.now() + 600; performance.now() < end; );
    await sleep(120);
    const held = figures(watch);
    expect(held.event_loop_delay_seconds).toBeGreaterThan(0.4);
    expect(held.event_loop_stalls_total).toBeGreaterThan(quiet.event_loop_stalls_total ?? 0);
    // In the next span the one before it still counts.
    skipped += 31_000;
    await sleep(120);
    expect(figures(watch).event_loop_delay_seconds).toBeGreaterThan(0.4);
  } finally {
    watch.stop();
  }
});
