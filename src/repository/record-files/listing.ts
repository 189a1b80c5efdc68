// Files of a record and of its draft are listed, and one of them is given (R2c, R2d, R37; reference 1.2, list_files and
// download_file).
import type { Viewer } from "../../auth/account.ts";
import { permissionDenied, RECORD_SENTENCES, unknownRecord } from "../../model/input/record-refusals.ts";
import type { Draft, ItemContent, ItemFile } from "../../model/items/item.ts";
import { UNKNOWN_MEDIA_TYPE } from "../../shared/http/media-types.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import type { ReadableItem } from "../items/item-views.ts";
import type { DraftFile } from "../store/draft-files.ts";
import type { VisitedRecord } from "../store/usage.ts";
import { byKey, completedEntry, type FileEntry, type FileList, keyOf, namesOf, pendingEntry } from "./entries.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { draftReadBy, type FileReader, fileOf, optionsOf } from "./open-draft.ts";
import type { PartsView } from "./part-links.ts";
import { FILE_SENTENCES, noSuchFile, refusedFile } from "./sentences.ts";

/** Bytes to be given to somebody who may have them. */
export type GivenFile = {
  readonly name: string;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
  /** Guests may not read it. */
  readonly restricted: boolean;
  /** Of the published side: whose download is counted. */
  readonly visited?: VisitedRecord;
};

type ListingNeeds = RecordFilesNeeds & { readonly parts: PartsView };

export interface FileListing {
  /** @throws Refusal `gone` with the tombstone, `forbidden`, `not_found`. */
  list(viewer: Viewer, id: ItemId): Promise<FileList>;
  /** One file of the published side. */
  entry(viewer: Viewer, id: ItemId, key: string): Promise<{ record: ItemId; isDraft: boolean; entry: FileEntry }>;
  content(viewer: Viewer, id: ItemId, key: string): Promise<GivenFile>;
  /** The files of the published side that the viewer may read, by key, with the number of their record. */
  archive(
    viewer: Viewer,
    id: ItemId,
  ): Promise<{ readonly record: ItemId; readonly files: readonly ItemFile[]; readonly visited: VisitedRecord }>;
  draftList(viewer: Viewer, id: ItemId): Promise<FileList>;
  ofDraft(store: FileReader, viewer: Viewer, id: ItemId, draft?: Draft): Promise<FileList>;
  draftEntry(viewer: Viewer, id: ItemId, key: string): Promise<{ record: ItemId; isDraft: boolean; entry: FileEntry }>;
  draftContent(viewer: Viewer, id: ItemId, key: string): Promise<GivenFile>;
  draftArchive(viewer: Viewer, id: ItemId): Promise<{ record: ItemId; files: readonly ItemFile[] }>;
  entryIn(reader: FileReader, draft: Draft, key: string): Promise<FileEntry>;
}

export const listing = (own: RecordFilesNeeds, parts: PartsView): FileListing => {
  const needs: ListingNeeds = { ...own, parts };
  return {
    list: (viewer, id) => listPublished(needs, viewer, id),
    entry: (viewer, id, key) => entryOfPublished(needs, viewer, id, key),
    async content(viewer, id, key) {
      const { file, isPublic, visited } = await publishedFile(needs, viewer, id, key);
      return { ...givenFile(file, !isPublic), visited };
    },
    archive: (viewer, id) => archiveOfPublished(needs, viewer, id),
    draftList: (viewer, id) => listDraft(needs, needs.store, viewer, id),
    ofDraft: (store, viewer, id, draft) => listDraft(needs, store, viewer, id, draft),
    async draftEntry(viewer, id, key) {
      const { draft } = await draftReadBy(needs.store, viewer, id);
      return { record: id, isDraft: true, entry: await entryIn(needs, needs.store, draft, key) };
    },
    draftContent: (viewer, id, key) => contentOfDraft(needs, viewer, id, key),
    async draftArchive(viewer, id) {
      const { draft } = await draftReadBy(needs.store, viewer, id);
      return { record: id, files: sorted(draft.content.files) };
    },
    entryIn: (reader, draft, key) => entryIn(needs, reader, draft, key),
  };
};

/** What reading a record refuses, in the sentences of the records interface. */
async function inRecordWords<T>(needs: ListingNeeds, viewer: Viewer, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error, "not_found")) throw unknownRecord();
    if (isRefusal(error, "forbidden", "unauthenticated")) throw permissionDenied();
    const id = isRefusal(error, "gone") ? error.detail.item : undefined;
    if (typeof id === "number") throw await needs.gone(viewer, id);
    throw error;
  }
}

async function requirePublished(needs: ListingNeeds, viewer: Viewer, id: ItemId): Promise<ReadableItem> {
  const found = await inRecordWords(needs, viewer, () => needs.items.readable(viewer, id));
  if (found.draft !== null) throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
  return found;
}

/** A file of the published side. @throws Refusal 403 where the viewer may not read it. */
async function publishedFile(needs: ListingNeeds, viewer: Viewer, id: ItemId, key: string) {
  const names = namesOf(key);
  const found = await inRecordWords(needs, viewer, () => needs.items.readableFile(viewer, id, names));
  if (found.item.state === "draft") throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
  if (found.file === null) {
    // A viewer who may read no file does not learn which exist.
    const { files } = await requirePublished(needs, viewer, id);
    if (files.length > 0 && files.every(({ readable }) => !readable)) throw permissionDenied();
    throw noSuchFile(id, key);
  }
  if (!found.readable) throw permissionDenied();
  return { ...found, file: found.file };
}

async function listDraft(
  needs: ListingNeeds,
  store: FileReader,
  viewer: Viewer,
  id: ItemId,
  draft?: Draft,
): Promise<FileList> {
  const seen = draft ?? (await draftReadBy(store, viewer, id)).draft;
  const pending = await store.draftFiles.draftFiles(id);
  return draftList(id, seen, await needs.parts.shown(pending));
}

/** One file of a draft, pending or completed. @throws Refusal 404 */
async function entryIn(needs: ListingNeeds, reader: FileReader, draft: Draft, key: string): Promise<FileEntry> {
  const file = fileOf(draft, key);
  if (file !== undefined) return completedEntry(file, { created: draft.savedAt, updated: draft.savedAt });
  const pending = await reader.draftFiles.draftFile(draft.itemId, key);
  if (pending === null) throw noSuchFile(draft.itemId, key);
  const [entry = pendingEntry(pending)] = await needs.parts.shown([pending]);
  return entry;
}

async function listPublished(needs: ListingNeeds, viewer: Viewer, id: ItemId): Promise<FileList> {
  const { item, content, files } = await requirePublished(needs, viewer, id);
  const at = { created: item.publishedAt ?? item.createdAt, updated: item.updatedAt };
  const readable = files.filter((each) => each.readable);
  return {
    record: item.id,
    isDraft: false,
    enabled: isEnabled(content, 0),
    options: readable.length < files.length ? {} : optionsOf(content),
    restricted: readable.length < files.length,
    entries: byKey(readable.map(({ file }) => completedEntry(file, at))),
  };
}

async function entryOfPublished(needs: ListingNeeds, viewer: Viewer, id: ItemId, key: string) {
  const { item, file } = await publishedFile(needs, viewer, id, key);
  const at = { created: item.publishedAt ?? item.createdAt, updated: item.updatedAt };
  return { record: item.id, isDraft: false, entry: completedEntry(file, at) };
}

async function archiveOfPublished(
  needs: ListingNeeds,
  viewer: Viewer,
  id: ItemId,
): Promise<{ readonly record: ItemId; readonly files: readonly ItemFile[]; readonly visited: VisitedRecord }> {
  const { item, files, visited } = await requirePublished(needs, viewer, id);
  const readable = files.filter((each) => each.readable).map(({ file }) => file);
  if (readable.length === 0 && files.length > 0) throw permissionDenied();
  return { record: item.id, files: sorted(readable), visited };
}

async function contentOfDraft(needs: ListingNeeds, viewer: Viewer, id: ItemId, key: string): Promise<GivenFile> {
  const { draft } = await draftReadBy(needs.store, viewer, id);
  const file = fileOf(draft, key);
  if (file !== undefined) return givenFile(file, true);
  const pending = await needs.store.draftFiles.draftFile(id, key);
  if (pending === null) throw noSuchFile(id, key);
  if (pending.transfer.type !== "L" || pending.received === null) throw refusedFile(FILE_SENTENCES.failed);
  const { received, sizeBytes } = pending;
  return { name: key, ...received, sizeBytes: sizeBytes ?? 0, mediaType: UNKNOWN_MEDIA_TYPE, restricted: true };
}

/** The present files of a draft. `pending`: the entries of pending files. */
function draftList(id: ItemId, { content, savedAt }: Draft, pending: readonly FileEntry[]): FileList {
  const at = { created: savedAt, updated: savedAt };
  const completed = content.files.map((file) => completedEntry(file, at));
  return {
    record: id,
    isDraft: true,
    enabled: isEnabled(content, pending.length),
    restricted: false,
    options: optionsOf(content),
    entries: byKey([...completed, ...pending]),
  };
}

export function isEnabled(
  { filesEnabled, files }: Pick<ItemContent, "filesEnabled" | "files">,
  pending: number,
): boolean {
  return filesEnabled ?? files.length + pending > 0;
}

const sorted = (files: readonly ItemFile[]): readonly ItemFile[] =>
  files.toSorted((one, other) => (keyOf(one.name) < keyOf(other.name) ? -1 : 1));

const givenFile = ({ name, storageKey, sha256, sizeBytes, mediaType }: ItemFile, restricted: boolean): GivenFile => ({
  name,
  storageKey,
  sha256,
  sizeBytes,
  mediaType,
  restricted,
});

/** Whether one more file may be registered. */
export function checkCount(draft: Draft, pending: readonly DraftFile[], more: number): void {
  const count = draft.content.files.length + pending.length + more;
  if (count > most("files")) throw refusedFile(`A record has at most ${most("files")} files.`);
}
