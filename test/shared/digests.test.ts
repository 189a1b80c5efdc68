// Digests and what is written of them.
import { expect, test } from "bun:test";
import { uuidOf } from "../../src/shared/hash/digests.ts";

test("R6a ids of communities are UUIDs of version 4", () => {
  expect(uuidOf(new Uint8Array(16))).toBe("00000000-0000-4000-8000-000000000000");
  expect(uuidOf(new Uint8Array(16).fill(255))).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
});
