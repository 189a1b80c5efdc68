// Pending files as answers show them (R37; reference 1.2, start_multipart_upload): for an upload in parts also the
// address of each part, and the parts that have arrived, so that an interrupted client can continue.

import { most } from "../../shared/limits.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { MultipartUpload, Storage } from "../../storage/storage.ts";
import { orStorageAway } from "../../storage/unavailable.ts";
import type { DraftFile } from "../store/draft-files.ts";
import { entryPath, type FileEntry, type PartLink, pendingEntry } from "./entries.ts";

/**
 * How long an upload through this server may take; those that go to the store itself last as long as their addresses.
 */
export const UPLOAD_KEPT_MS = 14 * 86_400_000;

/** The upload as the storage knows it; null for a file that is not sent in parts. */
export function uploadOf({ transfer, received, sizeBytes }: DraftFile): MultipartUpload | null {
  if (transfer.type !== "M" || received === null || sizeBytes === null) return null;
  return { key: received.storageKey, uploadId: transfer.uploadId, sizeBytes, partBytes: transfer.partBytes };
}

export interface PartsView {
  /** In the order of `files`. An upload with more parts than fit a list is shown without its parts. */
  shown(files: readonly DraftFile[]): Promise<readonly FileEntry[]>;
}

type PartsViewNeeds = {
  readonly storage: Pick<Storage, "multipart" | "direct">;
  readonly baseUrl: string;
  readonly now: () => Instant;
};

export function partsView({ storage, baseUrl, now }: PartsViewNeeds): PartsView {
  async function linksOf(file: DraftFile, upload: MultipartUpload, count: number): Promise<readonly PartLink[]> {
    const { direct } = storage;
    if (direct !== null) {
      const urls = await direct.presignParts(upload);
      return urls.map(({ number, url, expiresAt }) => ({ part: number, url, expiration: expiresAt }));
    }
    const content = `${baseUrl}${entryPath(file.itemId, true, file.key)}/content`;
    const expiration = addMilliseconds(now(), UPLOAD_KEPT_MS);
    return Array.from({ length: count }, (_, index) => ({
      part: index + 1,
      url: `${content}/${index + 1}`,
      expiration,
    }));
  }

  async function withParts(file: DraftFile, upload: MultipartUpload, count: number): Promise<FileEntry> {
    try {
      const [there, partLinks] = [await storage.multipart.listParts(upload), await linksOf(file, upload, count)];
      return { ...pendingEntry(file), uploaded: there?.map(({ number }) => number) ?? [], partLinks };
    } catch (error) {
      throw orStorageAway(error);
    }
  }

  return {
    async shown(files) {
      let left = most("fileParts");
      const entries: FileEntry[] = [];
      for (const file of files) {
        const { transfer, error } = file;
        const upload = error === null ? uploadOf(file) : null;
        const count = transfer.type === "M" ? transfer.parts : 0;
        if (upload === null || count > left) {
          entries.push(pendingEntry(file));
          continue;
        }
        left -= count;
        entries.push(await withParts(file, upload, count));
      }
      return entries;
    },
  };
}
