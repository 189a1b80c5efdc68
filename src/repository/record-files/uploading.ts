// The files of a draft: registered, received, committed, described, deleted (R2b, R7b, R37; specification 3, "File" in
// the table of states). Bytes are durable in the storage before a row names them.
import type { Viewer } from "../../auth/account.ts";
import { sentRecord } from "../../model/input/record-refusals.ts";
import type { Draft, ItemFile } from "../../model/items/item.ts";
import type { Field, Sent } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { maybe } from "../../shared/objects.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { DraftFile } from "../store/draft-files.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type CompletionOptions, completeIn, makeRoomIn, roomIn } from "./completing.ts";
import { completedEntry, type FileEntry, type FileList, pendingEntry } from "./entries.ts";
import { requireGroups, ruleOfFile } from "./file-access.ts";
import { checkCount, type FileListing } from "./listing.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { checkNewFiles, type DescribedFile, type NewFile, namesFetch, newFilesOf } from "./new-files.ts";
import { draftSeenBy, fileOf, keepFiles, lockDraft, type OpenDraft, requireOpenFiles } from "./open-draft.ts";
import type { FileBody, Receiver } from "./receiving-slots.ts";
import { FETCH_JOB, mayFetchFiles } from "./remote-files.ts";
import { FILE_SENTENCES, fileExists, noSuchFile, refusedFile, tooLargeFile } from "./sentences.ts";
import { comparedKey, takenKeys } from "./taken-keys.ts";
import { awaitedPart, type BegunFile, type Uploads } from "./uploads-in-parts.ts";

/** One file of a draft, as the interface shows it. */
type DraftEntry = { readonly record: ItemId; readonly isDraft: true; readonly entry: FileEntry };

type UploadingNeeds = RecordFilesNeeds & {
  readonly lists: FileListing;
  readonly uploads: Uploads;
  readonly received: Receiver;
  readonly newFiles: Field<readonly NewFile[]>;
};

export interface FileUploads {
  register(viewer: Viewer, id: ItemId, body: Sent<unknown>, making?: CompletionOptions): Promise<FileList>;
  putContent(viewer: Viewer, id: ItemId, key: string, body: FileBody): Promise<DraftEntry>;
  putPart(
    viewer: Viewer,
    id: ItemId,
    part: { readonly key: string; readonly number: number },
    body: FileBody,
  ): Promise<DraftEntry>;
  commit(viewer: Viewer, id: ItemId, key: string): Promise<DraftEntry>;
  describe(viewer: Viewer, id: ItemId, key: string, body: Sent<DescribedFile>): Promise<DraftEntry>;
  remove(viewer: Viewer, id: ItemId, key: string): Promise<void>;
  removeAll(viewer: Viewer, id: ItemId): Promise<void>;
}

export const uploading = (
  own: RecordFilesNeeds,
  lists: FileListing,
  uploads: Uploads,
  received: Receiver,
): FileUploads => {
  const needs: UploadingNeeds = { ...own, lists, uploads, received, newFiles: newFilesOf(own.mayFetch) };
  return {
    register: (viewer, id, body, making) => registerFiles(needs, viewer, id, body, making),
    putContent: (viewer, id, key, body) => putContent(needs, viewer, id, key, body),
    putPart: (viewer, id, part, body) => putPart(needs, viewer, id, part, body),
    commit: (viewer, id, key) => commitFile(needs, viewer, id, key),
    describe: (viewer, id, key, body) => describeFile(needs, viewer, id, key, body),
    remove: (viewer, id, key) => removeFile(needs, viewer, id, key),
    removeAll: (viewer, id) => removeAllFiles(needs, viewer, id),
  };
};

async function registerFiles(
  needs: UploadingNeeds,
  viewer: Viewer,
  id: ItemId,
  body: Sent<unknown>,
  making: CompletionOptions = {},
): Promise<FileList> {
  // Rights are checked before the body is read and an upload begins at the store, and again in the transaction.
  const sent = body();
  if (namesFetch(sent)) mayFetchFiles(viewer);
  const seen = await draftSeenBy(needs.store, viewer, id);
  requireOpenFiles(seen);
  const files = sentRecord(needs.newFiles, sent)();
  checkNewFiles(files);
  for (const { sizeBytes } of files) if (sizeBytes !== null && sizeBytes > needs.maxBytes) throw tooLargeFile();
  const keys = new Set(files.map(({ key }) => key));
  const isReplaced = ({ key }: DraftFile): boolean => making.replacing === true && keys.has(key);
  const staying = (pending: readonly DraftFile[]) => pending.filter((each) => !isReplaced(each));
  requireNew(roomIn(seen.draft, keys, making), staying(await needs.store.draftFiles.draftFiles(id)), files);
  const begun = await needs.uploads.begin(files);
  const dropped = await writeAs(needs, viewer, async (tx, now) => {
    const open = await lockDraft(tx, now, id);
    requireOpenFiles(open);
    const pending = await tx.draftFiles.draftFiles(id);
    requireNew(roomIn(open.draft, keys, making), staying(pending), files);
    const at = needs.clock.now();
    await makeRoomIn(tx, open, keys, making, at);
    await requireGroups(
      tx,
      files.map(({ rule }) => rule),
      "access.groups",
    );
    const replaced = pending.filter(isReplaced);
    for (const each of replaced) await tx.draftFiles.removeDraftFile(each.id);
    const rows = begun.map((each) => ({
      ...maybe("rule", ruleOfFile(fileOf(open.draft, each.file.key))),
      ...rowFor(needs, each, id, now, at),
    }));
    await tx.draftFiles.insertDraftFiles(rows);
    for (const { id: subject, transfer } of rows) {
      if (transfer.type !== "F") continue;
      mayFetchFiles(now);
      await tx.jobs.enqueue({ kind: FETCH_JOB, subject }, at);
    }
    return replaced;
  });
  await needs.uploads.abort(dropped);
  return await needs.lists.draftList(viewer, id);
}

/** @throws Refusal for a key in use, for files that are not enabled, and for too many of them. */
function requireNew(draft: Draft, pending: readonly DraftFile[], files: readonly NewFile[]): void {
  if (draft.content.filesEnabled === false) throw refusedFile(FILE_SENTENCES.notEnabled);
  checkCount(draft, pending, files.length);
  const taken = takenKeys(draft, pending);
  for (const { key } of files) if (taken.has(comparedKey(key))) throw fileExists(key);
  const inParts = [...pending, ...files].filter(({ transfer }) => transfer.type === "M").length;
  if (inParts > most("uploadsInParts")) {
    throw refusedFile(`A draft has at most ${most("uploadsInParts")} uploads in parts under way.`);
  }
}

function rowFor(
  needs: UploadingNeeds,
  { file, transfer, storageKey }: BegunFile,
  itemId: ItemId,
  { account }: Viewer,
  at: Instant,
): DraftFile {
  const { key, metadata, rule, sizeBytes } = file;
  const held = transfer.type === "L" && sizeBytes !== null ? { ...transfer, announcedBytes: sizeBytes } : transfer;
  return {
    itemId,
    key,
    id: needs.random.betanumerics(24),
    transfer: held,
    metadata,
    ...(rule === null ? {} : { rule }),
    sizeBytes,
    error: null,
    received: storageKey === null ? null : { storageKey, sha256: "", md5: null },
    accountId: account?.id ?? 0,
    createdAt: at,
    updatedAt: at,
  };
}

/** The file of a draft that waits for its content. */
async function fileAwaitingContent(needs: UploadingNeeds, viewer: Viewer, id: ItemId, key: string): Promise<DraftFile> {
  const seen = await draftSeenBy(needs.store, viewer, id);
  const pending = await needs.store.draftFiles.draftFile(id, key);
  if (pending === null && fileOf(seen.draft, key) === undefined) throw noSuchFile(id, key);
  requireOpenFiles(seen);
  if (pending === null) throw fileExists(key);
  if (pending.transfer.type === "M") throw refusedFile(FILE_SENTENCES.useParts);
  if (pending.transfer.type === "F") throw refusedFile(FILE_SENTENCES.failed);
  return pending;
}

async function putContent(
  needs: UploadingNeeds,
  viewer: Viewer,
  id: ItemId,
  key: string,
  body: FileBody,
): Promise<DraftEntry> {
  const file = await fileAwaitingContent(needs, viewer, id, key);
  const [upload, sizeBytes] = [file.id, announcedSize(file)];
  if (body.lengthBytes !== null && body.lengthBytes > needs.maxBytes) throw tooLargeFile();
  const limits = { maxBytes: needs.maxBytes, ...(sizeBytes === null ? {} : { sizeBytes }) };
  const declared = body.lengthBytes === null ? limits : { ...limits, sizeBytes: body.lengthBytes };
  if (sizeBytes !== null && body.lengthBytes !== null && sizeBytes !== body.lengthBytes) {
    throw refusedFile(FILE_SENTENCES.failed);
  }
  const stored = await needs.received(() => needs.storage.put(body.pieces, declared));
  return await changeFile(needs, viewer, id, async (tx, open, at) => {
    const pending = await tx.draftFiles.draftFile(id, key);
    if (pending === null || pending.id !== upload) throw noSuchFile(id, key);
    const bytes = { storageKey: stored.key, sha256: stored.sha256, md5: stored.md5 };
    await tx.draftFiles.saveDraftFile({ ...pending, sizeBytes: stored.sizeBytes, received: bytes, updatedAt: at });
    return await needs.lists.entryIn(tx, open.draft, key);
  });
}

/** One part of an upload; it replaces a part of the same number. */
async function putPart(
  needs: UploadingNeeds,
  viewer: Viewer,
  id: ItemId,
  { key, number }: { readonly key: string; readonly number: number },
  body: FileBody,
): Promise<DraftEntry> {
  const { lengthBytes, pieces } = body;
  const { upload, pending } = await awaitedPart(needs.store, viewer, id, { key, number, lengthBytes });
  const put = needs.storage.multipart.putPart;
  if (put === null) throw refusedFile(FILE_SENTENCES.partsElsewhere);
  await needs.received(() => put(upload, number, pieces), FILE_SENTENCES.partSize);
  return await changeFile(needs, viewer, id, async (tx, _open, at) => {
    const now = await tx.draftFiles.draftFile(id, key);
    if (now === null || now.id !== pending.id) throw noSuchFile(id, key);
    await tx.draftFiles.saveDraftFile({ ...now, updatedAt: at });
    return pendingEntry({ ...now, updatedAt: at });
  });
}

/** Changes one file of a draft, in one transaction. */
function changeFile(
  needs: UploadingNeeds,
  viewer: Viewer,
  id: ItemId,
  work: (tx: RepositoryWriter, open: OpenDraft, at: Instant) => Promise<FileEntry>,
): Promise<DraftEntry> {
  return writeAs(needs, viewer, async (tx, now) => {
    const open = await lockDraft(tx, now, id);
    requireOpenFiles(open);
    return { record: id, isDraft: true, entry: await work(tx, open, needs.clock.now()) };
  });
}

/** Committing a committed file returns the same answer. */
async function commitFile(needs: UploadingNeeds, viewer: Viewer, id: ItemId, key: string): Promise<DraftEntry> {
  const joined = await needs.uploads.join(viewer, id, key);
  return await changeFile(needs, viewer, id, async (tx, open, at) => {
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

async function describeFile(
  needs: UploadingNeeds,
  viewer: Viewer,
  id: ItemId,
  key: string,
  body: Sent<DescribedFile>,
): Promise<DraftEntry> {
  return await changeFile(needs, viewer, id, async (tx, open, at) => {
    const { metadata, rule } = body();
    await requireGroups(tx, [rule], "access.groups");
    const pending = await tx.draftFiles.draftFile(id, key);
    if (pending !== null) {
      await tx.draftFiles.saveDraftFile({ ...pending, metadata, ...(rule === null ? {} : { rule }), updatedAt: at });
      return await needs.lists.entryIn(tx, open.draft, key);
    }
    const file = fileOf(open.draft, key);
    if (file === undefined) throw noSuchFile(id, key);
    const { metadata: _, ...bare } = file;
    const described: ItemFile = { ...bare, ...rule, ...(metadata === null ? {} : { metadata }) };
    const files = open.draft.content.files.map((each) => (each === file ? described : each));
    return await needs.lists.entryIn(tx, await keepFiles(tx, open, at, { files }), key);
  });
}

async function removeFile(needs: UploadingNeeds, viewer: Viewer, id: ItemId, key: string): Promise<void> {
  const dropped = await writeAs(needs, viewer, async (tx, now) => {
    const open = await lockDraft(tx, now, id);
    const pending = await tx.draftFiles.draftFile(id, key);
    const file = fileOf(open.draft, key);
    if (pending === null && file === undefined) throw noSuchFile(id, key);
    requireOpenFiles(open);
    if (pending !== null) await tx.draftFiles.removeDraftFile(pending.id);
    else {
      const files = open.draft.content.files.filter((each) => each !== file);
      await keepFiles(tx, open, needs.clock.now(), { files });
    }
    return pending;
  });
  if (dropped !== null) await needs.uploads.abort([dropped]);
}

async function removeAllFiles(needs: UploadingNeeds, viewer: Viewer, id: ItemId): Promise<void> {
  const dropped = await writeAs(needs, viewer, async (tx, now) => {
    const open = await lockDraft(tx, now, id);
    requireOpenFiles(open);
    const pending = await tx.draftFiles.draftFiles(id);
    await tx.draftFiles.removeDraftFiles(id);
    if (open.draft.content.files.length > 0) await keepFiles(tx, open, needs.clock.now(), { files: [] });
    return pending;
  });
  await needs.uploads.abort(dropped);
}

/**
 * The size that the content of a file must have; null: any. `sizeBytes` is the size of the content, once it is
 * received.
 */
function announcedSize({ transfer, received, sizeBytes }: DraftFile): number | null {
  if (transfer.type === "L" && transfer.announcedBytes !== undefined) return transfer.announcedBytes;
  return received === null ? sizeBytes : null;
}
