// The fuzzers at length: `bun run fuzz [zip] [metadata] [lane] [fronts] [runs] [seed]`. States the seed, so that a finding can
// be run again; ends with 1 when there is one.

import { readdirSync } from "node:fs";
import process from "node:process";
import { frontsHere } from "../support/fronts.ts";
import { hasLane, laneWorld } from "../support/world/lane.ts";
import { fuzzFront } from "./fronts.ts";
import { fuzzLane } from "./lane.ts";
import { fuzzMetadata } from "./metadata.ts";
import { fuzzZip } from "./zip.ts";

const RUNS = 50_000;
const NAMES = ["zip", "metadata", "lane", "fronts"];
/** What goes through a front takes longer than the rest. */
const FRONTS_SHARE = 5;

const args = process.argv.slice(2);
const named = args.filter((arg) => NAMES.includes(arg));
const numbers = args.filter((arg) => !NAMES.includes(arg)).map(Number);
if (numbers.some(Number.isNaN)) throw new RangeError(`Usage: bun run fuzz [${NAMES.join("] [")}] [runs] [seed]`);
const [runs = RUNS, seed = Date.now() % 1_000_000_000] = numbers;
const isWanted = (name: string): boolean => named.length === 0 || named.includes(name);

function tell(findings: readonly string[]): void {
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}

if (isWanted("zip")) {
  console.log(`zip: ${runs} runs with seed ${seed}`);
  const zip = await fuzzZip(seed, runs);
  console.log(`accepted ${zip.accepted}, refused ${zip.refused}, findings ${zip.findings.length}`);
  tell(zip.findings);
}

if (isWanted("metadata")) {
  console.log(`metadata: ${runs} runs with seed ${seed}`);
  const metadata = fuzzMetadata(seed, runs);
  console.log(`read ${metadata.read}, refused ${metadata.refused}, findings ${metadata.findings.length}`);
  tell(metadata.findings);
}

if (isWanted("lane") && hasLane) {
  console.log(`fast lane: ${2 * runs} streams with seed ${seed}`);
  const world = await laneWorld();
  const openFiles = (): number => readdirSync("/proc/self/fd").length;
  const before = openFiles();
  const lane = await fuzzLane(world, seed, 2 * runs);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const left = openFiles() - before;
  console.log(`heard again ${lane.again}, findings ${lane.findings.length}, files left open ${left}`);
  tell(lane.findings);
  if (left > 0) process.exitCode = 1;
  await world.stop();
}

if (isWanted("fronts") && hasLane) {
  for (const front of frontsHere()) {
    const streams = Math.ceil(runs / FRONTS_SHARE);
    console.log(`through ${front}: ${streams} streams with seed ${seed}`);
    const { again, slow, findings, arrived, fast } = await fuzzFront(front, seed, streams);
    console.log(`arrived ${arrived}, fast ${fast}, heard again ${again}, slow ${slow}, findings ${findings.length}`);
    tell(findings);
  }
}
