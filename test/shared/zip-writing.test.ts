// Archives that are written as a stream (src/shared/zip/writing.ts; R37): what is beyond 4 GiB and 65,535 entries, held
// against our own reader.
import { expect, test } from "bun:test";
import { ZIP_LIMITS } from "../../src/shared/zip/limits.ts";
import {
  checkLocalHeader,
  extentByZip64,
  parseCentralDirectory,
  parseEndRecord,
  ZIP64_END_BYTES,
} from "../../src/shared/zip/reading.ts";
import { archiveBytes, centralHeader, descriptor, endRecords, localHeader } from "../../src/shared/zip/writing.ts";

const GIB = 1024 ** 3;
const LIMITS = { ...ZIP_LIMITS, entries: 200_000, entryBytes: 100 * GIB, totalBytes: 1_000 * GIB };

test("S3.6.92: sizes, places and numbers beyond the old limits are in their ZIP64 fields", () => {
  const sizes = [5 * GIB, 0, 7 * GIB + 1, ...Array.from({ length: 70_000 }, () => 1)];
  const named = sizes.map((sizeBytes, index) => ({ name: new TextEncoder().encode(`資料/${index}`), sizeBytes }));
  let offset = 0;
  const entries = named.map((each, index) => {
    const entry = { ...each, crc32: index, offset };
    offset += localHeader(each).length + each.sizeBytes + descriptor(entry).length;
    return entry;
  });
  const directory = Buffer.concat(entries.map(centralHeader));
  const tail = endRecords(entries.length, offset, directory.length);
  const whole = offset + directory.length + tail.length;
  expect(archiveBytes(named)).toBe(whole);
  const end = parseEndRecord(tail, whole);
  expect(end.zip64Offset).toBe(offset + directory.length);
  const extent = extentByZip64(tail.subarray(0, ZIP64_END_BYTES), end.zip64Offset ?? 0, end);
  expect(extent).toEqual({ entries: entries.length, offset, bytes: directory.length });
  const read = parseCentralDirectory(directory, extent, LIMITS, whole);
  expect(read.map(({ sizeBytes, headerOffset, crc32 }) => [sizeBytes, headerOffset, crc32])).toEqual(
    entries.map((entry) => [entry.sizeBytes, entry.offset, entry.crc32]),
  );
  const [first] = read;
  if (first === undefined) throw new Error("nothing was read");
  const header = localHeader({ name: new TextEncoder().encode("資料/0"), sizeBytes: 5 * GIB });
  expect(checkLocalHeader(header, first, 0).dataOffset).toBe(header.length);
});
