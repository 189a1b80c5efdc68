// The files of a draft: registered, received, committed, described, taken away (R2b, R7b, R37; specification 3, "File" in the table of states). Bytes are
// durable in the storage before a row names them.
import type { Viewer } from "../../auth/account.ts";
import type { Instant } from "../../shared/instant.ts";
import { most } from "../../shared/limits.ts";
import { mediaTypeOf } from "../../shared/media-types.ts";
import { Refusal } from "../../shared/refusal.ts";
import { maybe } from "../../shared/without-undefined.ts";
import { StorageProblem } from "../../storage/limits.ts";
import { orStorageAway } from "../../storage/unavailable.ts";
import { MD5_JOB } from "../items/storage-jobs.ts";
import type { Draft, ItemFile } from "../model/item.ts";
import { invalidRecord, type FieldError } from "../model/record-refusals.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { DraftFile, ReceivedBytes } from "../store/draft-files.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { completedEntry, type FileEntry, type FileList, pendingEntry } from "./entries.ts";
import { keyOf, nameOf } from "./keys.ts";
import type { listing } from "./listing.ts";
import { checkCount } from "./listing.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { type NewFile, readFileMetadata, readNewFiles } from "./new-files.ts";
import { draftSeenBy, fileOf, keepFiles, lockDraft, type OpenDraft, requireOpenFiles } from "./open-draft.ts";
import { awaitedPart, type BegunFile, type Uploads } from "./uploads-in-parts.ts";
import { FETCH_JOB, mayFetchFiles } from "./fetch-rights.ts";
import { FILE_SENTENCES, fileExists, noSuchFile, refusedFile, tooLargeFile } from "./sentences.ts";

/** One file of a draft, as it is shown. */
export type DraftEntry = { readonly record: number; readonly isDraft: true; readonly entry: FileEntry };

export type FileBody = {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** As the request declares it; null: it does not. */
  readonly lengthBytes: number | null;
};

const BUSY = new Refusal("unavailable", "Too many files are being received at the moment", {
  headers: { "retry-after": "10" },
});

export const uploading = (needs: RecordFilesNeeds, lists: ReturnType<typeof listing>, uploads: Uploads) => {
  const { store, storage, clock, random, maxBytes } = needs;
  let receiving = 0;

  async function register(viewer: Viewer, id: number, body: unknown): Promise<FileList> {
    const files = readNewFiles(body, needs.mayFetch);
    if (files.some(({ transfer }) => transfer.type === "F")) mayFetchFiles(viewer);
    for (const { sizeBytes } of files) if (sizeBytes !== null && sizeBytes > maxBytes) throw tooLargeFile();
    // Asked before an upload is begun at the store, and again where it is written down.
    const seen = await draftSeenBy(store, viewer, id);
    requireOpenFiles(seen);
    checkNew(seen.draft, await store.draftFiles.draftFiles(id), files);
    const begun = await uploads.begin(files);
    await writeAs(needs, viewer, async (tx, now) => {
      const open = await lockDraft(tx, now, id);
      requireOpenFiles(open);
      checkNew(open.draft, await tx.draftFiles.draftFiles(id), files);
      const at = clock.now();
      const rows = begun.map((each) => rowOf(each, id, now, at));
      await tx.draftFiles.insertDraftFiles(rows);
      for (const { id: subject, transfer } of rows) {
        if (transfer.type !== "F") continue;
        mayFetchFiles(now);
        await tx.jobs.wish({ kind: FETCH_JOB, subject }, at);
      }
    });
    return await lists.draftList(viewer, id);
  }

  /** @throws Refusal for a key that is taken, files that are not enabled, and too many of them. */
  function checkNew(draft: Draft, pending: readonly DraftFile[], files: readonly NewFile[]): void {
    if (draft.content.filesEnabled === false) throw refusedFile(FILE_SENTENCES.notEnabled);
    checkCount(draft, pending, files.length);
    const taken = new Set([...draft.content.files.map(({ name }) => keyOf(name)), ...pending.map(({ key }) => key)]);
    for (const { key } of files) if (taken.has(key)) throw fileExists(key);
    const inParts = [...pending, ...files].filter(({ transfer }) => transfer.type === "M").length;
    if (inParts > most("uploadsInParts")) {
      throw refusedFile(`A draft has at most ${most("uploadsInParts")} uploads in parts under way.`);
    }
  }

  function rowOf(
    { file, transfer, storageKey }: BegunFile,
    itemId: number,
    { account }: Viewer,
    at: Instant,
  ): DraftFile {
    const { key, metadata, sizeBytes } = file;
    return {
      ...{ itemId, key, id: random.betanumerics(24), transfer, metadata, sizeBytes, error: null },
      received: storageKey === null ? null : { storageKey, sha256: "", md5: null },
      ...{ accountId: account?.id ?? 0, createdAt: at, updatedAt: at },
    };
  }

  /** The file of a draft that waits for its bytes. */
  async function waiting(viewer: Viewer, id: number, key: string): Promise<DraftFile> {
    const seen = await draftSeenBy(store, viewer, id);
    const pending = await store.draftFiles.draftFile(id, key);
    if (pending === null && fileOf(seen.draft, key) === undefined) throw noSuchFile(id, key);
    requireOpenFiles(seen);
    if (pending === null) throw fileExists(key);
    if (pending.transfer.type === "M") throw refusedFile(FILE_SENTENCES.useParts);
    if (pending.transfer.type === "F") throw refusedFile(FILE_SENTENCES.failed);
    return pending;
  }

  async function putContent(viewer: Viewer, id: number, key: string, body: FileBody): Promise<DraftEntry> {
    const { id: upload, sizeBytes } = await waiting(viewer, id, key);
    if (body.lengthBytes !== null && body.lengthBytes > maxBytes) throw tooLargeFile();
    const limits = { maxBytes, ...(sizeBytes === null ? {} : { sizeBytes }) };
    const declared = body.lengthBytes === null ? limits : { ...limits, sizeBytes: body.lengthBytes };
    if (sizeBytes !== null && body.lengthBytes !== null && sizeBytes !== body.lengthBytes) {
      throw refusedFile(FILE_SENTENCES.failed);
    }
    const stored = await received(() => storage.put(body.pieces, declared));
    return await changed(viewer, id, async (tx, open, at) => {
      const pending = await tx.draftFiles.draftFile(id, key);
      if (pending === null || pending.id !== upload) throw noSuchFile(id, key);
      const bytes = { storageKey: stored.key, sha256: stored.sha256, md5: stored.md5 };
      await tx.draftFiles.saveDraftFile({ ...pending, sizeBytes: stored.sizeBytes, received: bytes, updatedAt: at });
      return await lists.entryIn(tx, open.draft, key);
    });
  }

  /** One part of an upload; one of the same number that was there goes. */
  async function putPart(
    viewer: Viewer,
    id: number,
    { key, number }: { readonly key: string; readonly number: number },
    body: FileBody,
  ): Promise<DraftEntry> {
    const { lengthBytes, pieces } = body;
    const { upload, pending } = await awaitedPart(store, viewer, id, { key, number, lengthBytes });
    const put = storage.multipart.putPart;
    if (put === null) throw refusedFile(FILE_SENTENCES.partsElsewhere);
    await received(() => put(upload, number, pieces), FILE_SENTENCES.partSize);
    return await changed(viewer, id, async (tx, _open, at) => {
      const now = await tx.draftFiles.draftFile(id, key);
      if (now === null || now.id !== pending.id) throw noSuchFile(id, key);
      await tx.draftFiles.saveDraftFile({ ...now, updatedAt: at });
      return pendingEntry({ ...now, updatedAt: at });
    });
  }

  /** So many at once, and what breaks off is told as such. */
  async function received<T>(work: () => Promise<T>, wrongSize: string = FILE_SENTENCES.failed): Promise<T> {
    if (receiving >= most("uploadsAtOnce")) throw BUSY;
    receiving += 1;
    try {
      return await work();
    } catch (error) {
      throw orFailed(error, wrongSize);
    } finally {
      receiving -= 1;
    }
  }

  /** A change of one file of a draft, in a transaction of its own. */
  function changed(
    viewer: Viewer,
    id: number,
    work: (tx: RepositoryWriter, open: OpenDraft, at: Instant) => Promise<FileEntry>,
  ): Promise<DraftEntry> {
    return writeAs(needs, viewer, async (tx, now) => {
      const open = await lockDraft(tx, now, id);
      requireOpenFiles(open);
      return { record: id, isDraft: true, entry: await work(tx, open, clock.now()) };
    });
  }

  /** What was committed once stays so: the same answer again. */
  async function commit(viewer: Viewer, id: number, key: string): Promise<DraftEntry> {
    const joined = await uploads.join(viewer, id, key);
    return await changed(viewer, id, async (tx, open, at) => {
      const pending = await tx.draftFiles.draftFile(id, key);
      const done = fileOf(open.draft, key);
      if (pending === null && done !== undefined) return completedEntry(done, { created: at, updated: at });
      if (pending === null) throw noSuchFile(id, key);
      if (pending.transfer.type === "M") {
        if (joined === null || joined.upload !== pending.id) throw refusedFile(FILE_SENTENCES.failed);
        return await completeIn(tx, open, { ...pending, ...maybe("composite", joined.composite) }, at);
      }
      if (pending.transfer.type === "F" || pending.received === null) throw refusedFile(FILE_SENTENCES.failed);
      return await completeIn(tx, open, pending, at);
    });
  }

  async function describe(viewer: Viewer, id: number, key: string, body: unknown): Promise<DraftEntry> {
    const metadata = metadataIn(body);
    return await changed(viewer, id, async (tx, open, at) => {
      const pending = await tx.draftFiles.draftFile(id, key);
      if (pending !== null) {
        await tx.draftFiles.saveDraftFile({ ...pending, metadata, updatedAt: at });
        return await lists.entryIn(tx, open.draft, key);
      }
      const file = fileOf(open.draft, key);
      if (file === undefined) throw noSuchFile(id, key);
      const { metadata: _, ...bare } = file;
      const said: ItemFile = metadata === null ? bare : { ...bare, metadata };
      const files = open.draft.content.files.map((each) => (each === file ? said : each));
      return await lists.entryIn(tx, await keepFiles(tx, open, at, { files }), key);
    });
  }

  async function remove(viewer: Viewer, id: number, key: string): Promise<void> {
    const dropped = await writeAs(needs, viewer, async (tx, now) => {
      const open = await lockDraft(tx, now, id);
      const pending = await tx.draftFiles.draftFile(id, key);
      const file = fileOf(open.draft, key);
      if (pending === null && file === undefined) throw noSuchFile(id, key);
      requireOpenFiles(open);
      if (pending !== null) await tx.draftFiles.removeDraftFile(pending.id);
      else {
        const files = open.draft.content.files.filter((each) => each !== file);
        await keepFiles(tx, open, clock.now(), { files });
      }
      return pending;
    });
    if (dropped !== null) await uploads.abort([dropped]);
  }

  async function removeAll(viewer: Viewer, id: number): Promise<void> {
    const dropped = await writeAs(needs, viewer, async (tx, now) => {
      const open = await lockDraft(tx, now, id);
      requireOpenFiles(open);
      const pending = await tx.draftFiles.draftFiles(id);
      await tx.draftFiles.removeDraftFiles(id);
      if (open.draft.content.files.length > 0) await keepFiles(tx, open, clock.now(), { files: [] });
      return pending;
    });
    await uploads.abort(dropped);
  }

  return { register, putContent, putPart, commit, describe, remove, removeAll };
};

/** A file on its way stands among the files of the draft from here on; what hashes are missing a job reckons (R7b). */
export async function completeIn(
  tx: RepositoryWriter,
  open: OpenDraft,
  pending: DraftFile & { readonly composite?: string },
  at: Instant,
): Promise<FileEntry> {
  const { received, sizeBytes, metadata, composite, createdAt } = pending;
  if (received === null) throw new RangeError(`"${pending.key}" has no bytes to be committed`);
  const file: ItemFile = {
    ...bytesOf(received),
    ...{ name: nameOf(pending.key), sizeBytes: sizeBytes ?? 0, mediaType: mediaTypeOf(pending.key) },
    ...{ access: "open", accessDate: null, groups: [] },
    ...(metadata === null ? {} : { metadata }),
    ...(composite === undefined ? {} : { composite }),
  };
  await tx.draftFiles.removeDraftFile(pending.id);
  await keepFiles(tx, open, at, { files: [...open.draft.content.files, file] });
  if (received.md5 === null) await tx.jobs.wish({ kind: MD5_JOB, subject: received.storageKey }, at);
  return completedEntry(file, { created: createdAt, updated: at });
}

const bytesOf = ({ storageKey, sha256, md5 }: ReceivedBytes) => ({ storageKey, sha256, md5 });

/** The body of a change: `{metadata}`. */
function metadataIn(body: unknown): DraftFile["metadata"] {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): void => void errors.push({ field, messages: [message] });
  let metadata: DraftFile["metadata"] = null;
  if (typeof body !== "object" || body === null || Array.isArray(body)) wrong("_schema", FILE_SENTENCES.list);
  else metadata = readFileMetadata("metadata" in body ? body.metadata : null, "metadata", wrong);
  if (errors.length > 0) throw invalidRecord(errors);
  return metadata;
}

/** What ends an upload, in words of this door: bytes that are not as many as was said, or break off, are to be sent again. */
export function orFailed(error: unknown, wrongSize: string = FILE_SENTENCES.failed): unknown {
  if (error instanceof Refusal) return error;
  if (!(error instanceof StorageProblem)) return error;
  if (error.kind === "too_large") return tooLargeFile();
  if (error.kind === "wrong_size") return new Refusal("invalid", wrongSize, { cause: error });
  if (error.kind === "no_space") {
    return new Refusal("unavailable", "There is no room for this file at the moment", {
      headers: { "retry-after": "60" },
      cause: error,
    });
  }
  return orStorageAway(error);
}
