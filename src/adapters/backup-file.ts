// Backup files on a disk: gzip, a SHA-256 of everything, written under a temporary name and renamed when complete
// (src/operating/backup/format.ts).

import { createHash, randomBytes } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, link, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream";
import { constants, createGunzip, createGzip } from "node:zlib";
import {
  type BackupHeader,
  BackupProblem,
  type BackupRow,
  type BackupTable,
  type BackupTrailer,
  parseHeader,
  parseRow,
  parseTrailer,
  printHeader,
  printRows,
  printTrailer,
  TRAILER_START,
} from "../operating/backup/format.ts";
import type { BackupPart } from "../operating/backup.ts";
import { concatenated } from "../shared/bytes/byte-streams.ts";

/** Longer than any row: eleven texts of 10,000 characters, each written as six, and then some. */
const LINE_MAX_BYTES = 16 * 1024 * 1024;

/** A file that must not be written over. */
export class FileExists extends Error {
  override readonly name = "FileExists";
}

/**
 * Writes a backup under a temporary name and then renames it, complete and synced, readable by its owner alone.
 *
 * @throws FileExists when there is something at `path`, before anything is written and again at the end.
 */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  pages: AsyncIterable<readonly BackupRow[]>,
): Promise<{ readonly rows: number; readonly bytes: number; readonly sha256: string }> {
  if (existsSync(path)) throw new FileExists(`${path} exists already`);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.part`);
  const file = await open(temporary, "wx", 0o600);
  try {
    const written = await writeTo(file, header, pages);
    await file.sync();
    await file.close();
    await putInPlace(temporary, path);
    return written;
  } catch (error) {
    await file.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

async function writeTo(file: FileHandle, header: BackupHeader, pages: AsyncIterable<readonly BackupRow[]>) {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const hash = createHash("sha256");
  let bytes = 0;
  const drained = (async () => {
    for await (const chunk of gzip) {
      await writeAll(file, chunk);
      bytes += chunk.length;
    }
  })();
  // A full disk ends the draining: a writer that waits for room must not wait for ever.
  drained.catch((error: Error) => gzip.destroy(error));
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      gzip.write(text, (error) => (error === null || error === undefined ? resolve() : reject(error)));
    });
  const add = async (text: string): Promise<void> => {
    hash.update(text);
    await Promise.race([write(text), drained]);
  };
  let rows = 0;
  await add(printHeader(header));
  for await (const page of pages) {
    await add(printRows(page));
    rows += page.length;
  }
  const sha256 = hash.digest("hex");
  gzip.end(printTrailer(rows, sha256));
  await drained;
  return { rows, bytes, sha256 };
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let start = 0; start < chunk.length; ) {
    start += (await file.write(chunk, start, chunk.length - start)).bytesWritten;
  }
}

/** A link refuses to take a place that is taken; where the file system knows none, we look once more. */
async function putInPlace(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
    await unlink(temporary);
  } catch (error) {
    if (existsSync(path)) throw new FileExists(`${path} exists already`, { cause: error });
    await rename(temporary, path);
  }
  const folder = await open(dirname(path), "r").catch(() => null);
  // Not every system lets a folder be written through; then its entry is as safe as the system makes it.
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/**
 * Reads a backup from its beginning. Rows are checked one by one as they come; that none was lost or changed is known
 * only when the last part was given.
 *
 * @throws BackupProblem for a file that is not a backup, is cut off, or differs from what was written.
 */
export async function* readBackupFile(path: string): AsyncGenerator<BackupPart> {
  const hash = createHash("sha256");
  let header: BackupHeader | null = null;
  let trailer: BackupTrailer | null = null;
  let reading: Reading | null = null;
  let rows = 0;
  for await (const text of blocksOf(path)) {
    if (trailer !== null) throw new BackupProblem("is damaged: something follows its end");
    const end = trailerAt(text);
    hash.update(end === -1 ? text : text.slice(0, end));
    if (end !== -1) trailer = lastLine(text.slice(end));
    const lines = (end === -1 ? text : text.slice(0, end)).split("\n");
    // The text after the last line end is empty.
    lines.pop();
    if (header === null) {
      header = parseHeader(lines.shift() ?? "");
      reading = readingOf(header.tables);
      yield { header };
    }
    for (const part of reading?.take(lines) ?? []) {
      rows += part.rows.length;
      yield part;
    }
  }
  if (trailer === null || reading === null) throw new BackupProblem("is cut off: its end is missing");
  if (!reading.isComplete() || trailer.rows !== rows) throw new BackupProblem("is damaged: rows are missing");
  if (trailer.sha256 !== hash.digest("hex")) throw new BackupProblem("is damaged: its checksum is wrong");
}

function trailerAt(text: string): number {
  if (text.startsWith(TRAILER_START)) return 0;
  const at = text.indexOf(`\n${TRAILER_START}`);
  return at === -1 ? -1 : at + 1;
}

function lastLine(text: string): BackupTrailer {
  const end = text.indexOf("\n");
  if (end !== text.length - 1) throw new BackupProblem("is damaged: something follows its end");
  return parseTrailer(text.slice(0, end));
}

type Reading = {
  take(lines: readonly string[]): { readonly table: BackupTable; readonly rows: readonly BackupRow[] }[];
  isComplete(): boolean;
};

/** Assigns rows to their tables: each table has as many as the header states. */
function readingOf(tables: readonly BackupTable[]): Reading {
  let index = 0;
  let taken = 0;
  const skipFull = () => {
    while (index < tables.length && taken === tables[index]?.rows) [index, taken] = [index + 1, 0];
  };
  return {
    take(lines) {
      const parts: { table: BackupTable; rows: BackupRow[] }[] = [];
      for (const line of lines) {
        skipFull();
        const table = tables[index];
        if (table === undefined) throw new BackupProblem("is damaged: it has more rows than its header states");
        if (parts.at(-1)?.table !== table) parts.push({ table, rows: [] });
        parts.at(-1)?.rows.push(parseRow(line, table));
        taken++;
      }
      return parts;
    },
    isComplete() {
      skipFull();
      return index === tables.length;
    },
  };
}

/** The text under the gzip in blocks of whole lines. */
async function* blocksOf(path: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  pipeline(createReadStream(path), gunzip, () => {});
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      const end = chunk.lastIndexOf(10) + 1;
      if (end > 0) {
        const lines = chunk.subarray(0, end);
        yield decoder.decode(rest.length === 0 ? lines : concatenated([...rest, lines]));
        [rest, restBytes] = [[], 0];
      }
      if (end < chunk.length) rest.push(chunk.slice(end));
      restBytes += chunk.length - end;
      if (restBytes > LINE_MAX_BYTES) throw new BackupProblem("is not a backup of Arkstone: a line has no end");
    }
  } catch (error) {
    throw readProblem(error);
  }
  if (restBytes > 0) throw new BackupProblem("is cut off: its last line has no end");
}

/** Translates errors of the two runtimes and of zlib into words about the file. Errors of the disk stay as they are. */
function readProblem(error: unknown): unknown {
  if (error instanceof BackupProblem || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (/header check|Z_DATA_ERROR/.test(`${error.message} ${code}`) && /header/.test(error.message)) {
    return new BackupProblem("is not a backup of Arkstone", { cause: error });
  }
  if (code.startsWith("Z_BUF") || /unexpected end/i.test(error.message)) {
    return new BackupProblem("is cut off: its end is missing", { cause: error });
  }
  if (code.startsWith("Z_")) return new BackupProblem("is damaged: it cannot be unpacked", { cause: error });
  return error;
}
