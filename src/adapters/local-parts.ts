// Files that clients upload in parts, in a folder of this machine (port MultipartStorage; R7, R7a): each part is a
// file, put in its place whole, so that parts come in any order and again. Joining them copies nothing: their folder
// becomes the object, with a list of what is in it.
//
//   multipart/<key>/<number>.<bytes>.<MD5>     a part
//   multipart/<key>.joining/                   the same while they are joined: no part comes any more
//   objects/<..>/<key>/parts.json              the list, in order; the parts are in the same folder
import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ByteRange, checkInside } from "../shared/http/byte-range.ts";
import { checkEnded, checkGrowing, isJoinedKey, StorageProblem } from "../storage/limits.ts";
import type {
  Completion,
  MultipartStorage,
  MultipartUpload,
  StoredBytes,
  StoredStat,
  UploadedPart,
} from "../storage/storage.ts";
import { codeOf, diskProblem, ignoreMissing, piecesOf, syncFolder, writeAll } from "./files.ts";
import { checkParts, compositeOf, lackingParts, partCount, partSize } from "./upload-parts.ts";

const KEY_BYTES = 20;
const PART = /^(\d{5})\.(\d{1,15})\.([0-9a-f]{32})$/;
const LIST = "parts.json";
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

type Needs = {
  readonly multipart: string;
  readonly incoming: string;
  readonly objects: string;
  readonly objectPath: (key: string) => string;
  /** Puts what is under a name into its place among the objects, durable. */
  readonly moveInto: (objects: string, from: string, path: string) => Promise<void>;
};

export function localParts(needs: Needs): MultipartStorage {
  const folderOf = (key: string): string => {
    if (!isJoinedKey(key)) throw new RangeError(`Cannot use the key "${key}": no upload in parts has one like that`);
    return join(needs.multipart, key);
  };
  return {
    putCopy: async (key, sizeBytes, stream) => putCopy(needs, folderOf(key), { key, sizeBytes, stream }),
    async startMultipart(sizeBytes, partBytes) {
      checkParts(sizeBytes, partBytes);
      const key = randomBytes(KEY_BYTES).toString("hex");
      await mkdir(folderOf(key), { mode: FOLDER_MODE });
      await syncFolder(needs.multipart);
      return { key, uploadId: key, sizeBytes, partBytes };
    },
    putPart: async (upload, number, stream) =>
      putPart(needs.incoming, folderOf(upload.key), { upload, number, stream }),
    async listParts({ key }) {
      const parts = (await partsIn(folderOf(key))) ?? (await partsIn(frozen(folderOf(key))));
      return parts?.map(({ number, sizeBytes, etag }) => ({ number, sizeBytes, etag })) ?? null;
    },
    completeMultipart: (upload) => complete(needs, folderOf(upload.key), upload),
    async abortMultipart({ key }) {
      for (const folder of [folderOf(key), frozen(folderOf(key))]) await rm(folder, { recursive: true, force: true });
    },
    unfinished: (olderThan) => unfinishedIn(needs.multipart, Date.parse(olderThan)),
  };
}

type NewPart = {
  readonly upload: MultipartUpload;
  readonly number: number;
  readonly stream: AsyncIterable<Uint8Array>;
};

async function putPart(incoming: string, folder: string, { upload, number, stream }: NewPart): Promise<UploadedPart> {
  if (!Number.isInteger(number) || number < 1 || number > partCount(upload)) {
    throw new RangeError(`Cannot keep part ${number} of ${partCount(upload)}`);
  }
  const size = { sizeBytes: partSize(upload, number) };
  const path = join(incoming, `${randomBytes(16).toString("hex")}.part`);
  const md5 = createHash("md5");
  const file = await open(path, "wx", FILE_MODE);
  try {
    let sizeBytes = 0;
    for await (const chunk of stream) {
      sizeBytes += chunk.length;
      checkGrowing(sizeBytes, size);
      md5.update(chunk);
      await writeAll(file, chunk);
    }
    checkEnded(sizeBytes, size);
    await file.sync();
    await file.close();
    const etag = md5.digest("hex");
    const before = (await readdir(folder)).filter((name) => Number(PART.exec(name)?.[1]) === number);
    const name = `${String(number).padStart(5, "0")}.${sizeBytes}.${etag}`;
    await rename(path, join(folder, name));
    for (const each of before) if (each !== name) await unlink(join(folder, each)).catch(ignoreMissing);
    await syncFolder(folder);
    return { number, sizeBytes, etag };
  } catch (error) {
    await file.close().catch(() => {});
    await unlink(path).catch(ignoreMissing);
    if (isGone(error)) throw new StorageProblem("wrong_size", "Cannot keep the part: its upload has ended");
    throw diskProblem(error);
  }
}

const isGone = (error: unknown): boolean => codeOf(error) === "ENOENT";

type KeptPart = UploadedPart & { readonly name: string; readonly modifiedMs: number };

/** By number; of two that came at once the later one counts. Null when there is no such upload. */
async function partsIn(folder: string): Promise<readonly KeptPart[] | null> {
  const names = await readdir(folder).catch(ignoreMissing);
  if (names === null) return null;
  const parts = new Map<number, KeptPart>();
  for (const name of names.toSorted()) {
    const [, number, sizeBytes, etag] = PART.exec(name) ?? [];
    if (etag === undefined) continue;
    const found = await stat(join(folder, name)).catch(ignoreMissing);
    // It went after it was listed, replaced by a later one or with the whole folder: what was read so far is not the
    // whole truth.
    if (found === null) return partsIn(folder);
    const part = { name, number: Number(number), sizeBytes: Number(sizeBytes), etag, modifiedMs: found.mtimeMs };
    const other = parts.get(part.number);
    if (other === undefined || other.modifiedMs <= part.modifiedMs) parts.set(part.number, part);
  }
  return [...parts.values()].sort((one, other) => one.number - other.number);
}

/** The parts of a joined object. Written only here. */
type PartList = { readonly sizeBytes: number; readonly partBytes: number; readonly names: readonly string[] };

type CopySource = { readonly key: string; readonly sizeBytes: number; readonly stream: AsyncIterable<Uint8Array> };

/** An object of one part. What was left of an attempt before goes. */
async function putCopy(needs: Needs, folder: string, { key, sizeBytes, stream }: CopySource): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: FOLDER_MODE });
  const upload = { key, uploadId: key, sizeBytes, partBytes: Math.max(1, sizeBytes) };
  try {
    await putPart(needs.incoming, folder, { upload, number: 1, stream });
    await rm(needs.objectPath(key), { recursive: true, force: true });
    await complete(needs, folder, upload);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function listIn(folder: string): Promise<PartList | null> {
  // A file of such a name is somebody else's.
  const text = await readFile(join(folder, LIST), "utf8").catch((error: unknown) =>
    codeOf(error) === "ENOTDIR" ? null : ignoreMissing(error),
  );
  return text === null ? null : (JSON.parse(text) as PartList);
}

const JOINING = ".joining";
const frozen = (folder: string): string => folder + JOINING;

/**
 * From the moment the folder is renamed no part is added any more, so that the list matches the parts; and the list is
 * durable before the folder becomes the object. A process that dies in between has joined nothing, and the next attempt
 * continues.
 */
async function complete(
  { objects, objectPath, moveInto }: Needs,
  open: string,
  upload: MultipartUpload,
): Promise<Completion> {
  const object = objectPath(upload.key);
  const [early, folder] = [await partsIn(open), frozen(open)];
  const lackingYet = early === null ? null : lackingParts(upload, early);
  if (lackingYet === null && early !== null) await rename(open, folder).catch(ignoreMissing);
  const parts = lackingYet === null ? await partsIn(folder) : early;
  const lacking = parts === null ? null : lackingParts(upload, parts);
  if (parts === null || lacking !== null) {
    // Another one who joins it may have been first, and have taken the parts away while they were counted.
    const joined = await listIn(object);
    if (joined !== null) return completionOf(joined);
    if (lackingYet === null) await rename(folder, open).catch(ignoreMissing);
    return lacking ?? { completed: false, gone: true };
  }
  const { sizeBytes, partBytes } = upload;
  const list: PartList = { sizeBytes, partBytes, names: parts.slice(0, partCount(upload)).map(({ name }) => name) };
  try {
    // Whole under its name, or not there: another one who joins it may be reading it, or may have put the folder into
    // its place.
    const written = join(folder, `${LIST}.${randomBytes(8).toString("hex")}`);
    await writeFile(written, JSON.stringify(list), { mode: FILE_MODE, flush: true });
    await rename(written, join(folder, LIST));
    await syncFolder(folder);
    await moveInto(objects, folder, object);
  } catch (error) {
    // Another one who joined it at the same time was first.
    const joined = isGone(error) ? await listIn(object) : null;
    if (joined === null) throw diskProblem(error);
    return completionOf(joined);
  }
  return completionOf(list);
}

function completionOf({ sizeBytes, names }: PartList): Completion {
  const composite = compositeOf(names.map((name) => PART.exec(name)?.[3] ?? ""));
  return { completed: true, sizeBytes, composite };
}

export async function statJoined(object: string): Promise<StoredStat | null> {
  const list = await listIn(object);
  const found = list === null ? null : await stat(object).catch(ignoreMissing);
  return list === null || found === null ? null : { sizeBytes: list.sizeBytes, modifiedAt: found.mtime.toISOString() };
}

/** The parts one behind the other. A range must lie inside of them (RangeError). */
export async function readJoined(object: string, range: ByteRange | undefined): Promise<StoredBytes | null> {
  const list = await listIn(object);
  if (list === null) return null;
  const { sizeBytes } = list;
  if (range !== undefined) checkInside(range, sizeBytes);
  const wanted = range ?? { first: 0, last: sizeBytes - 1 };
  return { sizeBytes, stream: { [Symbol.asyncIterator]: () => joinedPieces(object, list, wanted) } };
}

async function* joinedPieces(
  object: string,
  { names, sizeBytes, partBytes }: PartList,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array> {
  for (let at = first; at <= last; ) {
    const index = Math.floor(at / partBytes);
    const start = index * partBytes;
    const end = Math.min(last, start + partBytes - 1, sizeBytes - 1);
    yield* piecesOf(join(object, names[index] ?? ""), { first: at - start, last: end - start });
    at = end + 1;
  }
}

async function* unfinishedIn(multipart: string, olderThanMs: number) {
  for (const name of await readdir(multipart)) {
    const key = name.endsWith(JOINING) ? name.slice(0, -JOINING.length) : name;
    if (!isJoinedKey(key)) continue;
    const found = await stat(join(multipart, name)).catch(ignoreMissing);
    // With every part that comes the folder is changed.
    if (found === null || !(found.mtimeMs < olderThanMs)) continue;
    yield { key, uploadId: key, startedAt: found.mtime.toISOString() };
  }
}
