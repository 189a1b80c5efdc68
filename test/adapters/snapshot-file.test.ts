// The file of a snapshot on the disk: read in two parts, replaced whole or not at all.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readParts, replaceFile } from "../../src/adapters/snapshot-file.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("snapshot-file");
afterAll(() => folder.remove());
const bytes = (...values: number[]) => Uint8Array.from(values);
const bodyOf = (path: string, cuts: readonly number[] | null = [2]) => {
  const parts = readParts(path, 4, () => cuts);
  return parts === null ? null : [[...parts.head], ...parts.body.map((piece) => [...new Uint8Array(piece)])];
};

describe("the file", () => {
  test("comes back in a head and a body in shared memory; without a file there is nothing", () => {
    const path = join(folder.path, "new", "folder", "a.snapshot");
    expect(bodyOf(path)).toBe(null);
    replaceFile(path, [bytes(1, 2, 3, 4), bytes(5, 6)]);
    expect(bodyOf(path)).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
    expect(bodyOf(path, null)).toEqual([[1, 2, 3, 4]]);
    expect(bodyOf(path, [1, 1])).toEqual([[1, 2, 3, 4], [5], [6]]);
    // Shorter than it should be, and longer.
    expect(bodyOf(path, [1, 4, 4])).toEqual([[1, 2, 3, 4], [5], [6]]);
    expect(bodyOf(path, [1])).toEqual([[1, 2, 3, 4], [5], [6]]);
    expect(statSync(path).mode & 0o077).toBe(0);
    writeFileSync(path, bytes(9));
    expect(bodyOf(path)).toEqual([[9]]);
  });

  test("shared memory is written unchanged", () => {
    const path = join(folder.path, "shared.snapshot");
    const shared = new Uint8Array(new SharedArrayBuffer(100_000)).fill(7);
    replaceFile(path, [bytes(1, 2, 3, 4), shared]);
    expect(readFileSync(path).length).toBe(100_004);
    expect(readFileSync(path).at(-1)).toBe(7);
  });

  test("a write that fails leaves the old file and nothing else", () => {
    const path = join(folder.path, "kept", "a.snapshot");
    replaceFile(path, [bytes(1)]);
    expect(() => replaceFile(path, [bytes(2), null as unknown as Uint8Array])).toThrow();
    expect([...readFileSync(path)]).toEqual([1]);
    expect(readdirSync(join(folder.path, "kept"))).toEqual(["a.snapshot"]);
  });

  test("the unfinished files of a killed process are removed once it is old, and nothing else is", () => {
    const place = join(folder.path, "left");
    mkdirSync(place);
    const path = join(place, "a.snapshot");
    for (const name of ["a.snapshot.1.new", "a.snapshot.2.new", "b.snapshot.3.new"])
      writeFileSync(join(place, name), "");
    const old = new Date(Date.now() - 7_200_000);
    for (const name of ["a.snapshot.1.new", "b.snapshot.3.new"]) utimesSync(join(place, name), old, old);
    replaceFile(path, [bytes(1)]);
    expect(readdirSync(place).sort()).toEqual(["a.snapshot", "a.snapshot.2.new", "b.snapshot.3.new"]);
  });
});
