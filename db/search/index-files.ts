// The files of embedded indexes (R34), when several processes share a data folder. Each process has a slot, by a lock
// that ends with it; the lowest free slot is taken, with the index that an earlier process left there, so that a
// restart builds nothing.
//
//   search/0.lock          held as long as the process lives
//   search/0-3.sqlite      the third index made in place 0; the highest that is whole counts, for none is marked whole before it is
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { HoldLock } from "../../src/shared/process-lock.ts";

const FOLDER_MODE = 0o700;
const PLACES = 64;
/** What nobody has used for so long is of a process that will not come back. */
const LEFT_OVER_MS = 7 * 24 * 3_600_000;
/** Including the files of SQLite for it: the number of a log that lost its file must not be used again either. */
const FILE = /^(\d{1,3})-(\d{1,9})\.sqlite(?:-wal|-shm|-journal)?$/;
const LOCK = /^(\d{1,3})\.lock$/;

export type IndexFiles = {
  /** The newest first. */
  readonly found: readonly string[];
  /** A path that no file has. */
  next(): string;
  remove(path: string): Promise<void>;
  bytesOf(path: string): Promise<number>;
  release(): Promise<void>;
};

export async function takeIndexFiles(folder: string, hold: HoldLock): Promise<IndexFiles> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  for (let place = 0; place < PLACES; place += 1) {
    const lock = await hold(join(folder, `${place}.lock`));
    if (lock === null) continue;
    await removeLeftOvers(folder, place, hold);
    const numbers = await filesOf(folder, place);
    let last = numbers[0] ?? 0;
    const pathOf = (number: number): string => join(folder, `${place}-${number}.sqlite`);
    return {
      found: numbers.map(pathOf),
      next() {
        last += 1;
        return pathOf(last);
      },
      remove: removeDatabase,
      bytesOf: async (path) => (await fileBytes(path)) + (await fileBytes(`${path}-wal`)),
      release: () => lock.release(),
    };
  }
  throw new Error(
    `Cannot lock a file in ${folder}: its file system must know locks, and ${PLACES} processes may share it`,
  );
}

/** Numbers of the files of a place, the highest first. */
async function filesOf(folder: string, place: number): Promise<number[]> {
  const numbers = (await readdir(folder)).flatMap((name) => {
    const [, of, number] = FILE.exec(name) ?? [];
    return Number(of) === place ? [Number(number)] : [];
  });
  return [...new Set(numbers)].sort((left, right) => right - left);
}

async function removeLeftOvers(folder: string, own: number, hold: HoldLock): Promise<void> {
  for (const name of await readdir(folder)) {
    const place = Number(LOCK.exec(name)?.[1] ?? own);
    if (place <= own) continue;
    const lock = await hold(join(folder, name));
    if (lock === null) continue;
    for (const number of await filesOf(folder, place)) {
      const path = join(folder, `${place}-${number}.sqlite`);
      const touched = await Promise.all([lastTouched(path), lastTouched(`${path}-wal`)]);
      if (Date.now() - Math.max(...touched) >= LEFT_OVER_MS) await removeDatabase(path);
    }
    await lock.release();
  }
}

/** What was not written back yet goes last: without it, a file may hold half of what was written back. */
async function removeDatabase(path: string): Promise<void> {
  for (const each of [path, `${path}-wal`, `${path}-journal`, `${path}-shm`]) await rm(each, { force: true });
}

async function fileBytes(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

async function lastTouched(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}
