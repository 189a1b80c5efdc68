// Memory for the resolver's table: ordinary shared memory everywhere, in large pages where the system gives them.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { sharedMemory } from "../../src/adapters/large-pages.ts";

const LARGE = 64 * 1024 * 1024;
/** Where Linux keeps no large pages at all, or another runtime is asked, there is nothing to see. */
const CAN_ASK =
  "Bun" in globalThis && process.platform === "linux" && existsSync("/sys/kernel/mm/transparent_hugepage/enabled");

/** What the system notes of each piece of this process' memory: `hg` where large pages were asked for. */
function adviseFlags(): string[] {
  const pieces = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return pieces.filter((piece) => /^VmFlags:.*\bhg\b/m.test(piece)).map((piece) => piece.split(" ", 1)[0] ?? "");
}

function bytesOf(range: string): number {
  const [from = "0", to = "0"] = range.split("-");
  return Number.parseInt(to, 16) - Number.parseInt(from, 16);
}

test("is zero, as long as was asked for, and shared", async () => {
  const allocate = await sharedMemory();
  for (const size of [0, 1, 4096, LARGE + 5]) {
    const memory = allocate(size);
    expect(memory).toBeInstanceOf(SharedArrayBuffer);
    expect(memory.byteLength).toBe(size);
    const view = new Uint8Array(memory);
    expect(view.every((byte) => byte === 0)).toBe(true);
    view.fill(7);
    expect(view.at(-1) ?? 7).toBe(7);
  }
});

test.skipIf(!CAN_ASK)(
  "asks Linux for large pages, from the first whole page to the end, for what is large",
  async () => {
    const allocate = await sharedMemory();
    const before = new Set(adviseFlags());
    const small = allocate(4096);
    expect(adviseFlags().filter((range) => !before.has(range))).toEqual([]);
    const large = allocate(LARGE);
    const asked = adviseFlags().filter((range) => !before.has(range));
    expect(asked.reduce((sum, range) => sum + bytesOf(range), 0)).toBeGreaterThanOrEqual(LARGE - 4096);
    expect(small.byteLength + large.byteLength).toBe(LARGE + 4096);
  },
);
