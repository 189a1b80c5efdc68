// A snapshot of the table comes back as it was, and every kind of damage is found before anything in it is believed.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { buildTrie, trieTable } from "../../src/resolver/table/trie.ts";
import { TrieReader } from "../../src/resolver/table/trie-reader.ts";
import { entryOf, plainTable } from "../../src/resolver/table.ts";
import {
  readSnapshotHeader,
  SNAPSHOT_HEADER_BYTES,
  snapshotHeader,
  verifySnapshot,
} from "../../src/resolver/table-snapshot.ts";
import { ChecksumLanes } from "../../src/shared/hash/checksum-lanes.ts";
import { anyRow, keysAround, sayingsOf } from "../support/generated-names.ts";

const META = { epoch: "5f1c9f6e", horizon: "18446744073709551615", names: 3 };

/** Header and payload as they would be read back from a file: into fresh memory. */
function throughFile(parts: readonly Uint8Array[], change: (file: Uint8Array) => Uint8Array = (file) => file) {
  const file = Uint8Array.from([snapshotHeader(META, parts), ...parts].flatMap((part) => [...part]));
  const read = change(file);
  let at = SNAPSHOT_HEADER_BYTES;
  const segments = parts.map(({ length }, index) => {
    const bytes = read.subarray(at, index === parts.length - 1 ? read.length : at + length);
    at += length;
    const segment = new SharedArrayBuffer(bytes.length);
    new Uint8Array(segment).set(bytes);
    return segment;
  });
  const payload = segments.map((segment) => new Uint8Array(segment));
  return { header: read.slice(0, SNAPSHOT_HEADER_BYTES), payload, segments };
}

const sample = (bytes: number) => [Uint8Array.from({ length: bytes }, (_, index) => (index * 31 + 7) % 256)];

describe("a snapshot", () => {
  test("A31 of a table is the same table after it has been read back", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 25 }), fc.constantFrom(1, 200, 1_000_000), (rows, segmentBytes) => {
        const oracle = plainTable();
        for (const row of rows) oracle.put(row);
        const ordered = [...new Map(rows.map((row) => [row.key, entryOf(row)]))].sort(([a], [b]) => (a < b ? -1 : 1));
        const built = trieTable(
          buildTrie(
            ordered.map(([key, entry]) => ({ key, entry })),
            { segmentBytes },
          ),
        );
        const parts = built.segments.map((segment) => new TrieReader(segment).bytes);
        const read = throughFile(parts);
        const segments = parts.map(({ length }) => length);
        expect(verifySnapshot(read.header, read.payload)).toEqual({ meta: { ...META, segments } });
        expect(segments.reduce((sum, length) => sum + length, 0)).toBe(built.bytes);
        const table = trieTable(read.segments);
        for (const key of keysAround(rows.map((row) => row.key)))
          expect(sayingsOf(table, key)).toBe(sayingsOf(oracle, key));
        expect(table.size).toBe(oracle.size);
      }),
      { numRuns: 40 },
    );
  });

  test("gives its position and the length of its payload before the payload is read", () => {
    const { header } = throughFile(sample(1000));
    expect(readSnapshotHeader(header)).toEqual({ meta: { ...META, segments: [1000] } });
  });

  test("of any length, no payload at all included, is verified", () => {
    for (const bytes of [0, 1, 15, 16, 17, 4095, 4096, 10_001]) {
      const { header, payload } = throughFile(sample(bytes));
      expect(verifySnapshot(header, payload)).toEqual({ meta: { ...META, segments: [bytes] } });
    }
  });

  test("with any single bit turned over is refused", () => {
    const bytes = 333;
    const whole = SNAPSHOT_HEADER_BYTES + bytes;
    const bits = [
      ...Array(2_000).keys(),
      ...Array.from({ length: 8 * (bytes + 40) }, (_, index) => 8 * whole - 1 - index),
    ];
    for (const bit of bits) {
      const { header, payload } = throughFile(sample(bytes), (file) => {
        file[bit >> 3] = (file[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return file;
      });
      const reading = verifySnapshot(header, payload);
      if ("meta" in reading) expect(`bit ${bit} was believed`).toBe("");
    }
  });

  test("with two words exchanged, or zeros where there were bytes, is refused", () => {
    const swapped = throughFile(sample(4096), (file) => {
      const first = file.slice(SNAPSHOT_HEADER_BYTES, SNAPSHOT_HEADER_BYTES + 16);
      file.copyWithin(SNAPSHOT_HEADER_BYTES, SNAPSHOT_HEADER_BYTES + 16, SNAPSHOT_HEADER_BYTES + 32);
      file.set(first, SNAPSHOT_HEADER_BYTES + 16);
      return file;
    });
    expect(verifySnapshot(swapped.header, swapped.payload)).toEqual({ problem: "corrupt" });
    const zeroed = throughFile(sample(4096), (file) =>
      file.fill(0, SNAPSHOT_HEADER_BYTES + 512, SNAPSHOT_HEADER_BYTES + 1024),
    );
    expect(verifySnapshot(zeroed.header, zeroed.payload)).toEqual({ problem: "corrupt" });
  });

  test("that was cut off anywhere is refused as truncated, one with something behind it as corrupt", () => {
    for (const length of [20, 100, SNAPSHOT_HEADER_BYTES - 1, SNAPSHOT_HEADER_BYTES, SNAPSHOT_HEADER_BYTES + 999]) {
      const { header, payload } = throughFile(sample(1000), (file) => file.slice(0, length));
      expect(verifySnapshot(header, payload)).toEqual({ problem: "truncated" });
    }
    const cut = throughFile([...sample(16), ...sample(32)], (file) => file);
    const [one, two] = cut.payload;
    if (one === undefined || two === undefined) throw new Error("not cut");
    expect(verifySnapshot(cut.header, [one, two])).toEqual({ meta: { ...META, segments: [16, 32] } });
    expect(verifySnapshot(cut.header, [two, one])).toEqual({ problem: "corrupt" });
    expect(verifySnapshot(cut.header, [one])).toEqual({ problem: "truncated" });
    const longer = throughFile(sample(1000), (file) => Uint8Array.from([...file, 0]));
    expect(verifySnapshot(longer.header, longer.payload)).toEqual({ problem: "corrupt" });
  });

  test("of another program, of nothing, of another version or byte order is refused by its header", () => {
    const headerWith = (from: string, to: string) => {
      const text = new TextDecoder().decode(throughFile(sample(10)).header).replace(from, to);
      return new TextEncoder().encode(text.padEnd(SNAPSHOT_HEADER_BYTES, "\0")).slice(0, SNAPSHOT_HEADER_BYTES);
    };
    expect(readSnapshotHeader(new Uint8Array(0))).toEqual({ problem: "foreign" });
    expect(readSnapshotHeader(new Uint8Array(SNAPSHOT_HEADER_BYTES))).toEqual({ problem: "foreign" });
    expect(readSnapshotHeader(new TextEncoder().encode("SQLite format 3\0".repeat(400)))).toEqual({
      problem: "foreign",
    });
    expect(readSnapshotHeader(headerWith("table 2\n", "table 3\n"))).toEqual({ problem: "version" });
    expect(readSnapshotHeader(headerWith("table 2\n", "table 1\n"))).toEqual({ problem: "version" });
    const order = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? ["little", "big"] : ["big", "little"];
    expect(readSnapshotHeader(headerWith(`"${order[0]}"`, `"${order[1]}"`))).toEqual({ problem: "foreign" });
    expect(readSnapshotHeader(headerWith('"segments":[10]', '"segments":[-1]'))).toEqual({ problem: "corrupt" });
    expect(readSnapshotHeader(headerWith('"segments":[10]', '"segments":10'))).toEqual({ problem: "corrupt" });
  });

  test("refuses to be written with a position that does not fit", () => {
    expect(() => snapshotHeader({ ...META, epoch: "x".repeat(2000) }, sample(1))).toThrow(RangeError);
    expect(() =>
      snapshotHeader({ ...META, epoch: "é".repeat(1024), horizon: "\u0001".repeat(1024) }, sample(1)),
    ).toThrow(RangeError);
  });
});

describe("the checksum", () => {
  test("is the same however the bytes were cut, and wherever they lie", () => {
    const [whole = new Uint8Array()] = sample(4096 + 5);
    const one = new ChecksumLanes();
    one.add(whole);
    const parts = new ChecksumLanes();
    parts.add(whole.subarray(0, 1600));
    parts.add(new Uint8Array([0, ...whole]).subarray(1601));
    expect(parts.digest()).toBe(one.digest());
    expect(() => parts.add(whole)).toThrow(RangeError);
  });

  test("tells trailing zeros apart", () => {
    const digestOf = (bytes: number) => {
      const checksum = new ChecksumLanes();
      checksum.add(new Uint8Array(bytes));
      return checksum.digest();
    };
    expect(new Set([0, 1, 2, 15, 16, 17, 32].map(digestOf)).size).toBe(7);
  });
});
