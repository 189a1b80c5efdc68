// A short run of the ZIP fuzzer; `bun run fuzz` makes a long one with a new seed.
import { expect, test } from "bun:test";
import { fuzzZip } from "./zip.ts";

test("R13 2,000 mutated archives are refused or read to the bytes that yauzl reads, none crashes the reader", async () => {
  const { runs, accepted, refused, findings } = await fuzzZip(20_260_101, 2000);
  expect(findings).toEqual([]);
  expect(accepted + refused).toBe(runs);
  expect(accepted).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(500);
}, 120_000);
