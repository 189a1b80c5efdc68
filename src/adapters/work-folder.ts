// The work folder of uploads (port IncomingFiles): they are written here while they are hashed (R7b, R13). Each process
// that takes deposits has a separate folder in it, and a lock that shows whether that process lives.
//
//   incoming/<process>.lock   held as long as the process lives
//   incoming/<process>/…      its uploads
//   incoming/….part           what commands write for a moment
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { HoldLock, ProcessLock } from "../shared/process-lock.ts";
import type { IncomingFile, IncomingFiles } from "../storage/storage.ts";
import { ignoreMissing, writeAll } from "./files.ts";
import { writeHashes } from "./unpacking.ts";

/** What is in it may be somebody's upload: nobody else on the machine reads it. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What has no lock, and was not touched for so long, belongs to nobody any more. */
const LEFT_OVER_MS = 6 * 3_600_000;
const LOCK = /^([0-9a-f]{32})\.lock$/;
const LOCK_ATTEMPTS = 10;

/** The slot of one process among those that share a work folder. */
export type OwnWorkFolder = {
  readonly incoming: IncomingFiles;
  readonly path: string;
  /** Of this process, random. */
  readonly id: string;
  /** Processes that had died: what they left behind is gone. */
  readonly ended: readonly string[];
  /** True while no other process held a lock here. */
  readonly isAlone: boolean;
  /** Gives the slot up. */
  readonly close: () => Promise<void>;
};

/** The folder as a command uses it, in parallel with the processes that serve: nothing is removed. */
export async function openWorkFolder(path: string): Promise<IncomingFiles> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  return { create: () => createIncoming(path), freeBytes: () => freeBytes(path) };
}

/**
 * Takes a separate slot in the folder, which is made where it is missing. Files of dead processes are removed; those of
 * living ones stay.
 */
export async function takeWorkFolder(path: string, hold: HoldLock): Promise<OwnWorkFolder> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  const { id, lock } = await takeSlot(path, hold);
  const own = join(path, id);
  const { ended, isAlone } = await removeLeftOvers(path, id, hold);
  return {
    incoming: { create: () => createIncoming(own), freeBytes: () => freeBytes(own) },
    path: own,
    id,
    ended,
    isAlone,
    async close() {
      await rm(own, { recursive: true, force: true });
      await rm(lockOf(path, id), { force: true });
      await lock.release();
    },
  };
}

function lockOf(path: string, id: string): string {
  return join(path, `${id}.lock`);
}

async function takeSlot(path: string, hold: HoldLock): Promise<{ readonly id: string; readonly lock: ProcessLock }> {
  for (let attempt = 1; attempt <= LOCK_ATTEMPTS; attempt += 1) {
    const id = randomBytes(16).toString("hex");
    const lock = await hold(lockOf(path, id));
    // Another process that starts may have found the file before it was locked, and taken it for that of a dead one.
    if (lock !== null && (await exists(lockOf(path, id)))) {
      await mkdir(join(path, id), { mode: FOLDER_MODE });
      return { id, lock };
    }
    await lock?.release();
  }
  throw new Error(`Cannot lock a file in ${path}: its file system must know locks`);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function removeLeftOvers(path: string, self: string, hold: HoldLock) {
  const names = await readdir(path);
  const ended: string[] = [];
  const living = new Set([self]);
  for (const name of names) {
    const id = LOCK.exec(name)?.[1];
    if (id === undefined || id === self) continue;
    const lock = await hold(join(path, name));
    if (lock === null) {
      living.add(id);
      continue;
    }
    await rm(join(path, id), { recursive: true, force: true });
    await rm(join(path, name), { force: true });
    await lock.release();
    ended.push(id);
  }
  for (const name of names) {
    if (LOCK.test(name) || living.has(name)) continue;
    const each = join(path, name);
    const touchedMs = await lastTouched(each);
    if (touchedMs !== null && Date.now() - touchedMs >= LEFT_OVER_MS) await rm(each, { recursive: true, force: true });
  }
  return { ended, isAlone: living.size === 1 };
}

async function lastTouched(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? null;
}

/**
 * Free bytes for this program on the disk of a folder. Null where the system does not report it, or the program lacks
 * the right.
 */
async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path);
    return Number(bavail) * Number(bsize);
  } catch {
    return null;
  }
}

/** An upload that can also be made durable before it is put in its place. */
type DurableFile = IncomingFile & { sync(): Promise<void> };

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
      await unlink(path).catch(ignoreMissing);
    },
  };
}
