// Writes ZIP archives of files that are read as they are written (for `arkstone pack` and `arkstone export items`): nothing is held but the
// piece on its way.
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import JSZip from "jszip";

/** The format this writes has 32 bits for sizes and 16 for the number of files. */
const ZIP_BYTES_MAX = 4_000_000_000;
const ZIP_FILES_MAX = 65_000;

/** `open` is called when the entry is written, and once. */
export type ZipPart = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly open: () => AsyncIterable<Uint8Array>;
};

export class ZipTooLarge extends Error {
  override readonly name = "ZipTooLarge";
}

/**
 * Writes the archive beside `out` and puts it there when it is whole; when anything fails nothing is left behind. Entries are stored as
 * they are: files of research data are mostly packed already.
 *
 * @throws ZipTooLarge above the limits, and whatever reading an entry throws.
 */
export async function writeZip(out: string, parts: readonly ZipPart[]): Promise<void> {
  const size = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  if (parts.length > ZIP_FILES_MAX || size > ZIP_BYTES_MAX) {
    throw new ZipTooLarge(
      `${parts.length} files of ${size} bytes are too many for one archive: ${ZIP_FILES_MAX} files of ${ZIP_BYTES_MAX} bytes are the most`,
    );
  }
  const zip = new JSZip();
  for (const part of parts) {
    zip.file(part.path, Readable.from(part.open(), { objectMode: false }), { binary: true, createFolders: false });
  }
  const unfinished = `${out}.unfinished`;
  try {
    const stream = zip.generateNodeStream({ streamFiles: true, compression: "STORE", platform: "UNIX" });
    // JSZip brings its own stream, which pipes like one of the platform.
    const readable = new Readable().wrap(stream as NodeJS.ReadableStream);
    await pipeline(readable, createWriteStream(unfinished, { flags: "wx" }));
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
