// The bytes of files in a folder of this machine (port Storage; R7, R7a, R7c): by content, so that the same bytes are
// stored once.
//
//   arkstone-storage.json                      whose it is
//   objects/<first two hex digits>/<SHA-256>   what is kept
//   incoming/…                                 being written: written, synced, then renamed into objects/
//   multipart/<key>/…                          parts that clients send (src/adapters/local-parts.ts)
//   objects/<first two hex digits>/<key>/…     parts that were joined, with the list of them
//   leaving/<SHA-256 or key>                   being deleted; at the start it is put back, and the next sweep decides again
import { link, mkdir, open, opendir, readdir, readFile, rename, rm, stat, unlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MARKER_MAX_BYTES, MARKER_NAME } from "../repository/store/storage-marker.ts";
import { type ByteRange, checkInside } from "../shared/http/byte-range.ts";
import type { HoldLock } from "../shared/process-lock.ts";
import type { Instant } from "../shared/time/instant.ts";
import { checkEnded, checkGrowing, isJoinedKey, isOwnName, StorageProblem } from "../storage/limits.ts";
import type {
  AdoptedObject,
  FinishedUpload,
  IncomingFiles,
  PutOptions,
  Storage,
  StoredBytes,
  StoredObject,
  StoredStat,
} from "../storage/storage.ts";
import { codeOf, diskProblem, ignoreMissing, piecesOf, syncFolder } from "./files.ts";
import { localParts, readJoined, statJoined } from "./local-parts.ts";
import { createIncoming, type OwnWorkFolder, openWorkFolder, takeWorkFolder } from "./work-folder.ts";

const FOLDER_MODE = 0o700;
/** The folders of objects: the first two hex digits of their names. */
const PAIR = /^[0-9a-f]{2}$/;

type LocalStorageOptions = {
  readonly folder: string;
  /** For a process that takes deposits; left out by commands, which run in parallel with them. */
  readonly hold?: HoldLock;
};

type LocalStorage = {
  readonly storage: Storage;
  /** Uploads that are being written, on the same disk. */
  readonly incoming: IncomingFiles;
  /** The slot of this process among those that take deposits; null for a command. */
  readonly own: OwnWorkFolder | null;
};

type Folders = {
  readonly root: string;
  readonly objects: string;
  readonly incoming: string;
  readonly leaving: string;
  readonly multipart: string;
};

/**
 * Opens the folder, made where it is missing. What a dead process left half written is removed, half removed is put
 * back.
 */
export async function openLocalStorage({ folder, hold }: LocalStorageOptions): Promise<LocalStorage> {
  const folders: Folders = {
    root: folder,
    objects: join(folder, "objects"),
    incoming: join(folder, "incoming"),
    leaving: join(folder, "leaving"),
    multipart: join(folder, "multipart"),
  };
  await makeFolders(folder, folders);
  const own = hold === undefined ? null : await takeWorkFolder(folders.incoming, hold);
  // While another process serves, its deletions are in progress.
  if (own?.isAlone === true) await putBackLeaving(folders);
  const storage = storageIn(own === null ? folders : { ...folders, incoming: own.path });
  return { storage, incoming: own?.incoming ?? (await openWorkFolder(folders.incoming)), own };
}

async function makeFolders(folder: string, { objects, leaving, multipart }: Folders): Promise<void> {
  await mkdir(multipart, { recursive: true, mode: FOLDER_MODE });
  await mkdir(objects, { recursive: true, mode: FOLDER_MODE });
  await mkdir(leaving, { recursive: true, mode: FOLDER_MODE });
  await syncFolder(folder);
}

async function putBackLeaving({ objects, leaving }: Folders): Promise<void> {
  for (const key of await readdir(leaving)) {
    if (isOwnName(key)) await rename(join(leaving, key), pathIn(objects, key)).catch(ignoreMissing);
  }
}

function pathIn(objects: string, key: string): string {
  return join(objects, key.slice(0, 2), key);
}

function storageIn(folders: Folders): Storage {
  const { root, objects } = folders;
  return {
    put: (stream, options = {}) => putInto(folders, stream, options),
    adopt: (upload) => adoptInto(folders, upload),
    async read(key, range) {
      if (isJoinedKey(key)) return await readJoined(pathIn(objects, key), range);
      const found = await statOf(objects, key);
      if (found === null) return null;
      if (range !== undefined) checkInside(range, found.size);
      return readOf(pathIn(objects, key), found.size, range ?? { first: 0, last: found.size - 1 });
    },
    async stat(key) {
      if (isJoinedKey(key)) return await statJoined(pathIn(objects, key));
      return isOwnName(key) ? await fileStat(pathIn(objects, key)) : null;
    },
    keys: (olderThan) => keysIn(objects, Date.parse(olderThan)),
    remove: (key, unlessPutSince) => removeFrom(folders, key, unlessPutSince),
    readMarker: async () =>
      (await readFile(join(root, MARKER_NAME), "utf8").catch(ignoreMissing))?.slice(0, MARKER_MAX_BYTES) ?? null,
    writeMarker: (text) => writeMarker(folders, text),
    probe: ({ write }) => probe(folders, write),
    multipart: localParts({ ...folders, objectPath: (key) => pathIn(objects, key), moveInto }),
    direct: null,
  };
}

async function writeMarker({ root, incoming }: Folders, text: string): Promise<void> {
  await writeWhole(incoming, text, (path) => rename(path, join(root, MARKER_NAME)));
  await syncFolder(root);
}

/** Writes a few bytes, durable, and hands on where they are; whatever becomes of it, nothing stays in the folder. */
async function writeWhole(folder: string, text: string, then: (path: string) => Promise<void>): Promise<void> {
  const file = await createIncoming(folder);
  try {
    await file.write(new TextEncoder().encode(text));
    await file.sync();
    await file.finish();
    await then(file.path);
  } finally {
    await file.discard();
  }
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "this process may not write there, see SVC_STORAGE and SVC_DATA_DIR",
  EPERM: "this process may not write there, see SVC_STORAGE and SVC_DATA_DIR",
  EROFS: "its disk is mounted for reading",
  ENOENT: "it is gone, see SVC_STORAGE and SVC_DATA_DIR",
};

/** A disk answers in its own time or never; nobody can end that, so `withinMs` is the caller's to keep. */
async function probe({ objects, incoming }: Folders, write: boolean): Promise<void> {
  try {
    await readdir(incoming);
    await stat(objects);
    if (write) await writeWhole(incoming, "{}\n", async () => {});
  } catch (error) {
    const problem = diskProblem(error);
    if (problem instanceof StorageProblem) throw problem;
    // Without the path: /readyz shows the sentence to everyone.
    const why = WORDS[codeOf(error)] ?? `the disk reports ${codeOf(error) || "no reason"}`;
    throw new StorageProblem("refused", `Cannot use the folder of files: ${why}`, { cause: error });
  }
}

async function fileStat(path: string): Promise<StoredStat | null> {
  const found = await stat(path).catch(ignoreMissing);
  return found === null ? null : { sizeBytes: found.size, modifiedAt: found.mtime.toISOString() };
}

async function statOf(objects: string, key: string) {
  if (!isOwnName(key)) return null;
  return await stat(pathIn(objects, key)).catch(ignoreMissing);
}

/**
 * Equal bytes replace the stored ones: this repairs a damaged object, and the new time keeps a sweep from deleting one
 * that nothing referred to until now.
 */
async function putInto(
  folders: Folders,
  stream: AsyncIterable<Uint8Array>,
  options: PutOptions,
): Promise<StoredObject> {
  const file = await createIncoming(folders.incoming);
  try {
    let sizeBytes = 0;
    for await (const chunk of stream) {
      sizeBytes += chunk.length;
      checkGrowing(sizeBytes, options);
      await file.write(chunk);
    }
    checkEnded(sizeBytes, options);
    await file.sync();
    const hashes = await file.finish();
    const path = pathIn(folders.objects, hashes.sha256);
    // Set now, however long the writing and the disk took: a sweep that may delete older copies sees that this one is
    // newer.
    await setTime(file.path, Date.now());
    await moveInto(folders.objects, file.path, path);
    return { key: hashes.sha256, ...hashes };
  } catch (error) {
    await file.discard();
    throw diskProblem(error);
  }
}

/** The folder of a first object is made when it comes; its name is made durable too. */
async function moveInto(objects: string, from: string, path: string): Promise<void> {
  const folder = dirname(path);
  if ((await rename(from, path).then(() => true, ignoreMissing)) === null) {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await syncFolder(objects);
    await rename(from, path);
  }
  await syncFolder(folder);
}

/**
 * How much older than now the time of a first copy is: the next writer of the same bytes is newer, even in the same
 * moment.
 */
const FIRST_COPY_MS = 1_000;

/**
 * Linked, not renamed, so that of two who adopt the same bytes at once exactly one made the object. Only that one may
 * take it away again, and only while nobody has put the same since.
 */
async function adoptInto(folders: Folders, { path, sizeBytes, sha256, md5 }: FinishedUpload): Promise<AdoptedObject> {
  const { objects } = folders;
  const object = pathIn(objects, sha256);
  try {
    await syncFile(path);
    const madeMs = Math.floor(Date.now() - FIRST_COPY_MS);
    await setTime(path, madeMs);
    const isFirst = await linkInto(objects, path, object);
    if (isFirst) await unlink(path);
    else {
      await setTime(path, Date.now());
      await rename(path, object);
    }
    await syncFolder(dirname(object));
    const putSince = new Date(madeMs + 1).toISOString();
    const undo = async (): Promise<void> => {
      if (isFirst) await removeFrom(folders, sha256, putSince);
    };
    return { key: sha256, sizeBytes, sha256, md5, undo };
  } catch (error) {
    await unlink(path).catch(ignoreMissing);
    throw diskProblem(error);
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function setTime(path: string, ms: number): Promise<void> {
  await utimes(path, new Date(ms), new Date(ms));
}

/** False when the object is there already. */
async function linkInto(objects: string, path: string, object: string): Promise<boolean> {
  const once = () =>
    link(path, object).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === "EEXIST") return false;
        throw error;
      },
    );
  try {
    return await once();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await mkdir(dirname(object), { recursive: true, mode: FOLDER_MODE });
    await syncFolder(objects);
    return await once();
  }
}

function readOf(path: string, sizeBytes: number, range: ByteRange): StoredBytes {
  return { sizeBytes, stream: { [Symbol.asyncIterator]: () => piecesOf(path, range) } };
}

async function* keysIn(objects: string, olderThanMs: number) {
  for (const folder of await readdir(objects)) {
    // Anything else in there is somebody else's.
    if (!PAIR.test(folder)) continue;
    for await (const { name } of await opendir(join(objects, folder))) {
      if (!isOwnName(name)) continue;
      const path = join(objects, folder, name);
      const found = isJoinedKey(name) ? await statJoined(path) : await fileStat(path);
      if (found !== null && Date.parse(found.modifiedAt) < olderThanMs)
        yield { key: name, modifiedAt: found.modifiedAt };
    }
  }
}

/**
 * Renamed first, then checked: a deposit of the same bytes either came before, and then its time is seen here, or comes
 * after and writes a new file in the same place.
 */
async function removeFrom({ objects, leaving }: Folders, key: string, unlessPutSince?: string): Promise<boolean> {
  const found = await statOf(objects, key);
  if (found === null || isSince(found.mtimeMs, unlessPutSince)) return false;
  const [path, leavingPath] = [pathIn(objects, key), join(leaving, key)];
  if ((await rename(path, leavingPath).then(() => true, ignoreMissing)) === null) return false;
  const taken = await stat(leavingPath).catch(ignoreMissing);
  if (taken === null) return false;
  if (isSince(taken.mtimeMs, unlessPutSince)) {
    await rename(leavingPath, path).catch(ignoreMissing);
    return false;
  }
  await rm(leavingPath, { recursive: true, force: true });
  return true;
}

function isSince(mtimeMs: number, moment: Instant | undefined): boolean {
  return moment !== undefined && mtimeMs >= Date.parse(moment);
}
