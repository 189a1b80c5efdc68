// Work in parts (R9a), with the processor time of its longest part.
import type { InParts } from "../../src/shared/time/event-loop.ts";

/** Milliseconds of the processor. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What the work comes to, and the milliseconds of its longest part. */
export function longestPart<Result>(work: InParts<Result>): { readonly value: Result; readonly ms: number } {
  const found: Result[] = [];
  for (let longest = 0; ; ) {
    const ms = cpuTime(() => {
      const step = work.next();
      if (step.done === true) found.push(step.value);
    });
    longest = Math.max(longest, ms);
    for (const value of found) return { value, ms: longest };
  }
}
