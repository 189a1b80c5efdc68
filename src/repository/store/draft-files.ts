// Pending files of drafts (R37; specification 3, "File" in the table of states), until they are completed and become
// files of the draft. They are deleted with the draft.

import type { ItemFile } from "../../model/items/item.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** How the bytes come: in one body, fetched from an address by a job, or in parts. */
export type FileTransfer =
  /** `announcedBytes`: the size given at registration, which the content must have. */
  | { readonly type: "L"; readonly announcedBytes?: number }
  /** `url` null: it was given up, and the address is kept no longer. */
  | { readonly type: "F"; readonly url: string | null }
  | {
      readonly type: "M";
      readonly parts: number;
      readonly partBytes: number;
      readonly uploadId: string;
      /** By which its client recognises the file again. */
      readonly fingerprint?: string;
    };

/** What is known of bytes that came; `sha256` and `md5` as in `ItemFile`. */
export type ReceivedBytes = { readonly storageKey: string; readonly sha256: string; readonly md5: string | null };

export type DraftFile = {
  readonly itemId: ItemId;
  /** Its name as the interface has it; no other file of the draft has the same. */
  readonly key: string;
  /** Random; names this upload for ever, also when another one takes its key. */
  readonly id: string;
  readonly transfer: FileTransfer;
  /** Why it failed; null while it is pending. */
  readonly error: string | null;
  readonly metadata: { readonly [member: string]: Json } | null;
  /** Who may have it, where that was set before it was completed. */
  readonly rule?: Pick<ItemFile, "access" | "accessDate" | "groups">;
  /** As announced, or as received; null while nothing is known. */
  readonly sizeBytes: number | null;
  /** Of an upload in parts: where they are put together. Null: nothing came yet. */
  readonly received: ReceivedBytes | null;
  /** Who registered it. */
  readonly accountId: AccountId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** A file that was removed from a draft and can be put back. */
export type RemovedFile = {
  readonly id: string;
  readonly itemId: ItemId;
  readonly file: ItemFile;
  readonly removedAt: Instant;
};

export interface DraftFileReader {
  /** Those removed since this moment, newest first. */
  removedFiles(itemId: ItemId, since: Instant, limit: number): Promise<readonly RemovedFile[]>;
  removedFile(itemId: ItemId, id: string): Promise<RemovedFile | null>;
  /** By key. A draft may be published once this is empty. */
  draftFiles(itemId: ItemId): Promise<readonly DraftFile[]>;
  draftFile(itemId: ItemId, key: string): Promise<DraftFile | null>;
  draftFileById(id: string): Promise<DraftFile | null>;
  /** Pending ones, fetched or in parts, that nothing has been heard of since this moment, oldest first. */
  staleDraftFiles(before: Instant, limit: number): Promise<readonly DraftFile[]>;
}

export interface DraftFileWriter extends DraftFileReader {
  /** The draft is locked, and has no file of these keys. */
  insertDraftFiles(files: readonly DraftFile[]): Promise<void>;
  /** Everything but whose it is and how it is called. False when it is gone. */
  saveDraftFile(file: DraftFile): Promise<boolean>;
  /** False when it is gone. */
  removeDraftFile(id: string): Promise<boolean>;
  removeDraftFiles(itemId: ItemId): Promise<void>;
  /** They end with the draft. One that is there already stays. */
  insertRemovedFiles(files: readonly RemovedFile[]): Promise<void>;
  forgetRemovedFile(id: string): Promise<void>;
  /** Of one draft those that were removed last stay. */
  keepNewestRemoved(itemId: ItemId, most: number): Promise<void>;
  /** Those removed before this moment, of all drafts. */
  forgetRemovedFiles(before: Instant): Promise<void>;
}
