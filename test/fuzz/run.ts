// The fuzzers at length: `bun run fuzz [runs] [seed]`. Says the seed, so that a finding can be run again; ends with 1 when there is one.

import { readdirSync } from "node:fs";
import process from "node:process";
import { hasLane, laneWorld } from "../support/lane-world.ts";
import { fuzzLane } from "./lane.ts";
import { fuzzMetadata } from "./metadata.ts";
import { fuzzZip } from "./zip.ts";

const RUNS = 50_000;

const [runs = RUNS, seed = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);
console.log(`zip: ${runs} runs with seed ${seed}`);
const result = await fuzzZip(seed, runs);
console.log(`accepted ${result.accepted}, refused ${result.refused}, findings ${result.findings.length}`);
for (const finding of result.findings) console.log(finding);
console.log(`metadata: ${runs} runs with seed ${seed}`);
const metadata = fuzzMetadata(seed, runs);
console.log(`read ${metadata.read}, refused ${metadata.refused}, findings ${metadata.findings.length}`);
for (const finding of metadata.findings) console.log(finding);
if (result.findings.length + metadata.findings.length > 0) process.exitCode = 1;

if (hasLane) {
  console.log(`fast lane: ${2 * runs} streams with seed ${seed}`);
  const world = await laneWorld();
  const openFiles = (): number => readdirSync("/proc/self/fd").length;
  const before = openFiles();
  const lane = await fuzzLane(world, seed, 2 * runs);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const left = openFiles() - before;
  console.log(`heard again ${lane.again}, findings ${lane.findings.length}, files left open ${left}`);
  for (const finding of lane.findings) console.log(finding);
  if (lane.findings.length > 0 || left > 0) process.exitCode = 1;
  await world.stop();
}
