// The fast lane and the runtime's own server answer the same to any stream of bytes (docs/fast-lane.md). `bun run fuzz`
// runs many more.
import { afterAll, describe, expect, test } from "bun:test";
import { hasLane, laneWorld } from "../support/world/lane.ts";
import { fuzzLane } from "./lane.ts";

describe.skipIf(!hasLane)("the fast lane, fuzzed", () => {
  const worlds = hasLane
    ? [
        laneWorld(),
        laneWorld({ SVC_RAW_URI_HEADER: "x-original-uri", SVC_ROOT_PATH: "/pid", SVC_ALLOWED_HOSTS: "a,a.b" }),
      ]
    : [];
  afterAll(async () => void (await Promise.all(worlds.map(async (world) => (await world).stop()))));

  test("A34 A39 A43 2,000 streams, cut anywhere, get the same bytes as from the runtime's server", async () => {
    for (const made of worlds) {
      const world = await made;
      const { findings, again } = await fuzzLane(world, 1, 1000);
      expect(findings.slice(0, 3)).toEqual([]);
      expect(again).toBeLessThan(50);
      expect(world.counts.fast).toBeGreaterThan(100);
      expect(world.counts.handled).toBeGreaterThan(100);
    }
  }, 240_000);
});
