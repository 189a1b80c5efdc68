// A short run of the fuzzer of metadata readers; `bun run fuzz` makes a long one with a new seed.
import { expect, test } from "bun:test";
import { fuzzMetadata } from "./metadata.ts";

test("R13 R13a 2,000 mutated crates, SWORD documents, tables and JPCOAR documents are read or refused with a reason, none crashes its reader", () => {
  const { runs, read, refused, findings } = fuzzMetadata(20_260_101, 2000);
  expect(findings).toEqual([]);
  expect(read + refused).toBe(runs);
  expect(read).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(500);
}, 60_000);
