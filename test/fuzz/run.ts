// The fuzzers at length: `bun run fuzz [runs] [seed]`. Says the seed, so that a finding can be run again; ends with 1 when there is one.
import process from "node:process";
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
