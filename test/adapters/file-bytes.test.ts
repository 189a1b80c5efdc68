// A file on a disk read at any place (src/adapters/files.ts).
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileBytes } from "../../src/adapters/files.ts";

test("R13 openFileBytes() reads any range, what reaches past the end as far as there is something", async () => {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-bytes-"));
  try {
    const path = join(folder, "ten");
    writeFileSync(path, "0123456789");
    await using file = await openFileBytes(path);
    const text = async (offset: number, length: number) => new TextDecoder().decode(await file.read(offset, length));
    expect(file.size).toBe(10);
    expect(await text(0, 10)).toBe("0123456789");
    expect(await text(7, 2)).toBe("78");
    expect(await text(8, 5)).toBe("89");
    expect(await text(20, 5)).toBe("");
    expect(await text(3, 0)).toBe("");
    await expect(openFileBytes(join(folder, "none"))).rejects.toThrow("ENOENT");
    await expect(openFileBytes(folder)).rejects.toThrow("not a plain file");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
