// How often readiness writes into the storage (src/storage/storage-probe.ts; R7c).
import { expect, test } from "bun:test";
import { StorageProblem } from "../../src/storage/limits.ts";
import { sparingProbe } from "../../src/storage/storage-probe.ts";

test("R7c the storage is written to at the first look, every ten minutes, and at each look after a failure", async () => {
  let [now, isAway] = [0, false];
  const wrote: boolean[] = [];
  const storage = {
    probe: async ({ write }: { readonly write: boolean }) => {
      wrote.push(write);
      if (isAway) throw new StorageProblem("unavailable", "away");
    },
  };
  const probe = sparingProbe({ storage, elapsedMs: () => now });
  for (const minutes of [0, 1, 9, 10, 11]) {
    now = minutes * 60_000;
    await probe(100);
  }
  expect(wrote.splice(0)).toEqual([true, false, false, true, false]);
  isAway = true;
  await expect(probe(100)).rejects.toThrow("away");
  isAway = false;
  for (let n = 0; n < 2; n++) await probe(100);
  expect(wrote).toEqual([false, true, false]);
});
