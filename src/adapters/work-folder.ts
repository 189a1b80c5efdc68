// The work folder of one process (port IncomingFiles): uploads are written here while they are hashed (R7b, R13).
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { IncomingFile, IncomingFiles } from "../ports/storage.ts";
import { writeAll } from "./file-writing.ts";
import { writeHashes } from "./hashing.ts";

/** What is in it may be somebody's upload: nobody else on the machine reads it. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export type WorkFolderOptions = {
  readonly path: string;
  /** What was touched more recently stays at the start: for a folder that several processes share. Default 0, everything goes. */
  readonly leftOverMs?: number;
};

/** Opens the folder, made where it is missing and emptied of what an earlier process left behind. */
export async function openWorkFolder({ path, leftOverMs = 0 }: WorkFolderOptions): Promise<IncomingFiles> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  await removeLeftOvers(path, leftOverMs);
  return {
    create: () => createIncoming(path),
    freeBytes: () => freeBytes(path),
  };
}

async function removeLeftOvers(folder: string, leftOverMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const each = join(folder, name);
    const touched = (await stat(each).catch(() => null))?.mtimeMs;
    if (leftOverMs > 0 && touched !== undefined && Date.now() - touched < leftOverMs) continue;
    await rm(each, { recursive: true, force: true });
  }
}

/** Room for this program on the disk of a folder, in bytes. Null where the system does not say, or may not be asked. */
export async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path);
    return Number(bavail) * Number(bsize);
  } catch {
    return null;
  }
}

/** An upload that can also be made durable before it is put in its place. */
export type DurableFile = IncomingFile & { sync(): Promise<void> };

/** A new file under a random name; nobody's file name ever becomes part of it. */
export async function createIncoming(folder: string): Promise<DurableFile> {
  const path = join(folder, `${randomBytes(16).toString("hex")}.part`);
  const file = await open(path, "wx", FILE_MODE);
  const hashes = writeHashes();
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  };
  return {
    path,
    async write(chunk) {
      if (!isOpen) throw new TypeError("Cannot write to an upload that has ended");
      hashes.update(chunk);
      await writeAll(file, chunk);
    },
    sync: () => file.sync(),
    async finish() {
      await close();
      return hashes.finish();
    },
    async discard() {
      await close().catch(() => {});
      await rm(path, { force: true });
    },
  };
}
