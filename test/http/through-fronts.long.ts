// The fast lane behind real fronts: what they make of odd and smuggled streams, the lane understands as the runtime's own
// server does (docs/fast-lane.md). `bun run fuzz fronts` sends many more.
import { describe, expect, test } from "bun:test";
import { fuzzFront } from "../fuzz/fronts.ts";
import { frontsHere } from "../support/fronts.ts";
import { hasLane } from "../support/world/lane.ts";

describe.skipIf(!hasLane).each(hasLane ? frontsHere() : [])("through %s", (front) => {
  test("Q.272 A53 odd and smuggled streams are answered alike by lane and server, and no neighbour hears of them", async () => {
    const { findings, slow, arrived, fast } = await fuzzFront(front, 1, 150);
    expect(findings.slice(0, 3)).toEqual([]);
    expect(slow).toBe(0);
    expect(fast).toBeGreaterThan(300);
    expect(arrived - fast).toBeGreaterThan(50);
  }, 240_000);
});
