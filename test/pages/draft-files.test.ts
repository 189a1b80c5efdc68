// The files of a draft in pages and over HTTP (R43, R2d): how they are sent, who may have them, in which order; what is
// removed is put back; archives become files.
import { describe, expect, test } from "bun:test";
import { isKey, partsFor } from "../../src/pages/scripts/parts/upload-plan.ts";

const MIB = 1024 * 1024;

describe("how a file is sent", () => {
  test("P.170 R43 what is under way at once is at most a 200th of the file, but for small ones; parts grow with the file", () => {
    const plans = [1, 2048, 4096, 16_384, 65_536, 1_000_000].map((mib) => partsFor(mib * MIB));
    expect(plans.map(({ partBytes, inParallel }) => [partBytes / MIB, inParallel])).toEqual([
      ...[
        [5, 2],
        [5, 2],
        [5, 4],
        [20, 4],
        [64, 4],
        [100, 4],
      ],
    ]);
  });

  test("P.171 R43 names that the interface refuses are refused before the first byte", () => {
    expect(["a.txt", "図/写真 1.png", "é", "e\u0301"].map(isKey)).toEqual([true, true, true, true]);
    const refused = ["", "/a", "a/", "a//b", ".", "../a", "a\0b", "a\nb", "a\u202Efdp.exe", "a\u2066b"];
    expect(refused.map(isKey)).toEqual(refused.map(() => false));
  });
});
