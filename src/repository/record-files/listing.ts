// Files of a record and of its draft are listed, and one of them is given (R2c, R2d, R37; reference 1.2, list_files and download_file).
import type { Viewer } from "../../auth/account.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import { most } from "../../shared/limits.ts";
import { UNKNOWN_MEDIA_TYPE } from "../../shared/media-types.ts";
import type { Readable } from "../items/reading.ts";
import type { Draft, ItemContent, ItemFile } from "../model/item.ts";
import { permissionDenied, RECORD_SENTENCES, unknownRecord } from "../model/record-refusals.ts";
import type { DraftFile } from "../store/draft-files.ts";
import type { VisitedRecord } from "../store/usage.ts";
import { byKey, completedEntry, type FileEntry, type FileList, pendingEntry } from "./entries.ts";
import { keyOf, namesOf } from "./keys.ts";
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
  /** Not everybody may have it. */
  readonly restricted: boolean;
  /** Of the published side: whose download is counted. */
  readonly visited?: VisitedRecord;
};

export const listing = (needs: RecordFilesNeeds, parts: PartsView) => {
  const { store, items } = needs;

  /** What reading a record refuses, in the words of this door. */
  async function inWords<T>(viewer: Viewer, work: () => Promise<T>): Promise<T> {
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

  async function published(viewer: Viewer, id: number): Promise<Readable> {
    const found = await inWords(viewer, () => items.readable(viewer, id));
    if (found.draft !== null) throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
    return found;
  }

  /** A file of the published side. @throws Refusal 403 for who may not have it. */
  async function publishedFile(viewer: Viewer, id: number, key: string) {
    const names = namesOf(key);
    const found = await inWords(viewer, () => items.readableFile(viewer, id, names));
    if (found.item.state === "draft") throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
    if (found.file === null) {
      // Who may not have the files learns of none of them whether it is there.
      const { files } = await published(viewer, id);
      if (files.length > 0 && files.every(({ readable }) => !readable)) throw permissionDenied();
      throw noSuchFile(id, key);
    }
    if (!found.readable) throw permissionDenied();
    return { ...found, file: found.file };
  }

  async function ofDraft(store: FileReader, viewer: Viewer, id: number, draft?: Draft): Promise<FileList> {
    const seen = draft ?? (await draftReadBy(store, viewer, id)).draft;
    const pending = await store.draftFiles.draftFiles(id);
    return draftList(id, seen, await parts.shown(pending));
  }

  return {
    /** @throws Refusal `gone` with the tombstone, `forbidden`, `not_found`. */
    async list(viewer: Viewer, id: number): Promise<FileList> {
      const { item, content, files } = await published(viewer, id);
      const at = { created: item.publishedAt ?? item.createdAt, updated: item.updatedAt };
      const readable = files.filter((each) => each.readable);
      return {
        ...{ record: item.id, isDraft: false, enabled: isEnabled(content, 0) },
        options: readable.length < files.length ? {} : optionsOf(content),
        restricted: readable.length < files.length,
        entries: byKey(readable.map(({ file }) => completedEntry(file, at))),
      };
    },

    /** One file of the published side. */
    async entry(viewer: Viewer, id: number, key: string) {
      const { item, file } = await publishedFile(viewer, id, key);
      const at = { created: item.publishedAt ?? item.createdAt, updated: item.updatedAt };
      return { record: item.id, isDraft: false, entry: completedEntry(file, at) };
    },

    async content(viewer: Viewer, id: number, key: string): Promise<GivenFile> {
      const { file, isPublic, item, privileged: isOwn } = await publishedFile(viewer, id, key);
      return { ...givenFile(file, !isPublic), visited: { id: item.id, parentId: item.parentId, isOwn } };
    },

    /** The files of the published side that this viewer may have, by key, with the number they were asked under. */
    async archive(
      viewer: Viewer,
      id: number,
    ): Promise<{ readonly record: number; readonly files: readonly ItemFile[]; readonly visited: VisitedRecord }> {
      const { item, files, privileged: isOwn } = await published(viewer, id);
      const readable = files.filter((each) => each.readable).map(({ file }) => file);
      if (readable.length === 0 && files.length > 0) throw permissionDenied();
      const visited = { id: item.id, parentId: item.parentId, isOwn };
      return { record: item.id, files: sorted(readable), visited };
    },

    draftList: (viewer: Viewer, id: number): Promise<FileList> => ofDraft(store, viewer, id),
    ofDraft,

    async draftEntry(viewer: Viewer, id: number, key: string) {
      const { draft } = await draftReadBy(store, viewer, id);
      return { record: id, isDraft: true, entry: await entryIn(store, draft, key) };
    },

    async draftContent(viewer: Viewer, id: number, key: string): Promise<GivenFile> {
      const { draft } = await draftReadBy(store, viewer, id);
      const file = fileOf(draft, key);
      if (file !== undefined) return givenFile(file, true);
      const pending = await store.draftFiles.draftFile(id, key);
      if (pending === null) throw noSuchFile(id, key);
      if (pending.transfer.type !== "L" || pending.received === null) throw refusedFile(FILE_SENTENCES.failed);
      const { received, sizeBytes } = pending;
      return { name: key, ...received, sizeBytes: sizeBytes ?? 0, mediaType: UNKNOWN_MEDIA_TYPE, restricted: true };
    },

    async draftArchive(viewer: Viewer, id: number) {
      const { draft } = await draftReadBy(store, viewer, id);
      return { record: id, files: sorted(draft.content.files) };
    },

    entryIn,
  };

  /** One file of a draft, on its way or completed. @throws Refusal 404 */
  async function entryIn(reader: FileReader, draft: Draft, key: string): Promise<FileEntry> {
    const file = fileOf(draft, key);
    if (file !== undefined) return completedEntry(file, { created: draft.savedAt, updated: draft.savedAt });
    const pending = await reader.draftFiles.draftFile(draft.itemId, key);
    if (pending === null) throw noSuchFile(draft.itemId, key);
    const [entry = pendingEntry(pending)] = await parts.shown([pending]);
    return entry;
  }
};

/** Files of a draft as they stand: `pending` as they are shown. */
function draftList(id: number, { content, savedAt }: Draft, pending: readonly FileEntry[]): FileList {
  const at = { created: savedAt, updated: savedAt };
  const completed = content.files.map((file) => completedEntry(file, at));
  return {
    ...{ record: id, isDraft: true, enabled: isEnabled(content, pending.length), restricted: false },
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
  ...{ name, storageKey, sha256, sizeBytes, mediaType, restricted },
});

/** Whether one more file may be registered. */
export function checkCount(draft: Draft, pending: readonly DraftFile[], more: number): void {
  const count = draft.content.files.length + pending.length + more;
  if (count > most("files")) throw refusedFile(`A record has at most ${most("files")} files.`);
}
