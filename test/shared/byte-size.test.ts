// Sizes are read and written in one way everywhere.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { describeSettings, readConfig } from "../../src/config.ts";
import { exactByteSize, readByteSize, writeByteSize } from "../../src/shared/bytes/byte-size.ts";

describe("readByteSize()", () => {
  test.each([
    ["16777216", 16_777_216],
    ["16 MiB", 16_777_216],
    ["16MiB", 16_777_216],
    ["16GB", 16_000_000_000],
    ["16 gb", 16_000_000_000],
    ["1.5 KiB", 1_536],
    ["2 TiB", 2_199_023_255_552],
    ["512 B", 512],
    ["1 byte", 1],
    [" 7 ", 7],
  ])("%p is %p bytes", (text, bytes) => {
    expect(readByteSize(text)).toBe(bytes);
  });

  test.each([
    "",
    "MiB",
    "16 MiBs",
    "16 M",
    "-1",
    "1e3",
    "1,000",
    "1.5",
    "1.5 B",
    "16  MiB",
    "9007199254740993",
    "9999999 TiB",
  ])("%p names no size", (text) => {
    expect(readByteSize(text)).toBeNull();
  });

  test("a number without a unit counts what it is asked to", () => {
    expect([readByteSize("512", 1024), readByteSize("512 B", 1024)]).toEqual([524_288, 512]);
  });
});

test("writeByteSize() has at most one decimal of the largest unit", () => {
  const sizes = [0, 1, 1023, 1024, 1536, 1_234_567, 16_777_216, 16_777_216_000, 2 ** 41];
  expect(sizes.map((size) => writeByteSize(size))).toEqual([
    "0 B",
    "1 B",
    "1023 B",
    "1 KiB",
    "1.5 KiB",
    "1.2 MiB",
    "16 MiB",
    "15.6 GiB",
    "2 TiB",
  ]);
});

test("exactByteSize() is read back as the same number", () => {
  expect([16_777_216_000, 1536, 1_000_000].map(exactByteSize)).toEqual(["16000 MiB", "1.5 KiB", "1000000 B"]);
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.integer({ min: 0, max: 20 }), (number, shift) => {
      const bytes = number * 2 ** shift;
      expect(readByteSize(exactByteSize(bytes))).toBe(bytes);
    }),
  );
});

test("settings take every form, and are shown in one", () => {
  const env = {
    SVC_BODY_LIMIT: "16777216",
    SVC_MAX_UPLOAD_BYTES: "16GB",
    SVC_MIN_SEGMENT_BYTES: "5MiB",
    SVC_LEAST_UPLOAD_RATE: "16384",
    SVC_FULL_TEXT_MAX_FILE: "0.5 GiB",
    SVC_FULL_TEXT_MEMORY_MIB: "1GiB",
  };
  const config = readConfig(env);
  expect(config).toMatchObject({
    bodyLimitBytes: 16_777_216,
    maxUploadBytes: 16_000_000_000,
    minSegmentBytes: 5_242_880,
    leastUploadRate: 16_384,
    fullTextMaxFileBytes: 536_870_912,
    fullTextMemoryMib: 1_024,
  });
  const shown = new Map(describeSettings(env).map((line) => [line.name, [line.value, line.default]]));
  expect(Object.keys(env).map((name) => shown.get(name))).toEqual([
    ["16 MiB", "16 MiB"],
    ["15625000 KiB", "16000 MiB"],
    ["5 MiB", ""],
    ["16 KiB", "16 KiB"],
    ["512 MiB", "100 MiB"],
    ["1 GiB", "512 MiB"],
  ]);
  // A number of MiB, as before.
  expect(readConfig({ SVC_FULL_TEXT_MEMORY_MIB: "700" }).fullTextMemoryMib).toBe(700);
  for (const [name, value] of [
    ["SVC_MAX_UPLOAD_BYTES", "16 apples"],
    ["SVC_FULL_TEXT_MEMORY_MIB", "100 MiB"],
    ["SVC_MIN_SEGMENT_BYTES", "2 PiB"],
  ] as const) {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}="${value}" is not allowed: a size of `);
  }
});
