// Writes a ZIP archive to a file while its parts are read (`arkstone pack`, `arkstone export items`).
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type ZipPart, zipArchive } from "../../shared/zip/writing.ts";

/**
 * Writes the archive next to `out` and renames it when it is whole; when anything fails no file is left.
 *
 * @throws what reading a part or writing the file throws
 */
export async function writeZip(out: string, parts: readonly ZipPart[]): Promise<void> {
  const unfinished = `${out}.unfinished`;
  try {
    await pipeline(zipArchive(parts, crc32), createWriteStream(unfinished, { flags: "wx" }));
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
