// Files of drafts that are sent in parts (R7, R7a, R37; specification 3, multipart transfer in the table of states):
// begun at the storage, received part by part where they come through this server, joined, given up.
import type { Viewer } from "../../auth/account.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { Storage } from "../../storage/storage.ts";
import { orStorageAway } from "../../storage/unavailable.ts";
import type { DraftFile, FileTransfer } from "../store/draft-files.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { NewFile } from "./new-files.ts";
import { draftSeenBy, requireOpenFiles } from "./open-draft.ts";
import { uploadOf } from "./part-links.ts";
import { FILE_SENTENCES, noSuchFile, refusedFile } from "./sentences.ts";

/** A file as it was registered; `storageKey` where the storage has begun to wait for its parts. */
export type BegunFile = {
  readonly file: NewFile;
  readonly transfer: FileTransfer;
  readonly storageKey: string | null;
};

/** An upload that the storage has joined. */
type JoinedUpload = { readonly upload: string; readonly composite?: string };

/** Numbers of parts named in one sentence. */
const SHOWN_NUMBERS = 100;

export interface Uploads {
  /** What is begun and then named by nobody, the sweep of the storage ends. */
  begin(files: readonly NewFile[]): Promise<readonly BegunFile[]>;
  /**
   * Joins the parts of a file that is sent in parts; null for any other. @throws Refusal that names the parts that are
   * missing.
   */
  join(viewer: Viewer, id: ItemId, key: string): Promise<JoinedUpload | null>;
  /** Drops the parts of those that were sent in parts. What cannot be dropped now, the sweep drops. */
  abort(files: readonly DraftFile[]): Promise<void>;
}

type UploadsNeeds = {
  readonly store: Pick<RepositoryStore, "items" | "draftFiles">;
  readonly storage: Pick<Storage, "multipart" | "direct">;
  readonly log: Pick<Log, "warn">;
};

export function uploadsInParts({ store, storage, log }: UploadsNeeds): Uploads {
  return {
    async begin(files) {
      const begun: BegunFile[] = [];
      for (const file of files) {
        const { transfer } = file;
        if (transfer.type !== "M") {
          begun.push({ file, transfer, storageKey: null });
          continue;
        }
        const { key, uploadId } = await storage.multipart
          .startMultipart(file.sizeBytes ?? 0, transfer.partBytes)
          .catch(away);
        begun.push({ file, transfer: { ...transfer, uploadId }, storageKey: key });
      }
      return begun;
    },

    async join(viewer, id, key) {
      const seen = await draftSeenBy(store, viewer, id);
      const pending = await store.draftFiles.draftFile(id, key);
      const upload = pending === null ? null : uploadOf(pending);
      if (pending === null || upload === null) return null;
      requireOpenFiles(seen);
      const done = await storage.multipart.completeMultipart(upload).catch(away);
      if (!done.completed) {
        // Committed meanwhile by another request, or ended outside of this program.
        if ("gone" in done) return null;
        throw refusedFile(lackingSentence(done, pending));
      }
      if (done.composite === null) return { upload: pending.id };
      return { upload: pending.id, composite: `multipart:${done.composite}-${partsOf(pending)}-${upload.partBytes}` };
    },

    async abort(files) {
      for (const file of files) {
        const upload = uploadOf(file);
        if (upload === null) continue;
        await storage.multipart.abortMultipart(upload).catch((error: unknown) => {
          log.warn("upload_not_aborted", { record: file.itemId, reason: String(error) });
        });
      }
    },
  };
}

const partsOf = ({ transfer }: DraftFile): number => (transfer.type === "M" ? transfer.parts : 0);

function away(error: unknown): never {
  throw orStorageAway(error);
}

type MissingParts = { readonly missing: readonly number[]; readonly wrongSize: readonly number[] };

function lackingSentence({ missing, wrongSize }: MissingParts, file: DraftFile): string {
  const numbers = missing.slice(0, SHOWN_NUMBERS).join(", ");
  const more = missing.length > SHOWN_NUMBERS ? ` and ${missing.length - SHOWN_NUMBERS} more` : "";
  if (missing.length === 0) {
    return `${FILE_SENTENCES.partSize} Wrong: ${wrongSize.slice(0, SHOWN_NUMBERS).join(", ")}.`;
  }
  const parts = partsOf(file);
  return `Not all parts were uploaded, got ${parts - missing.length} out of ${parts} parts. Missing: ${numbers}${more}.`;
}

/** The part of an upload that is about to be received here. @throws Refusal where there is none, or no such part. */
export async function awaitedPart(
  store: Pick<RepositoryStore, "items" | "draftFiles">,
  viewer: Viewer,
  id: ItemId,
  { key, number, lengthBytes }: { readonly key: string; readonly number: number; readonly lengthBytes: number | null },
) {
  const seen = await draftSeenBy(store, viewer, id);
  const pending = await store.draftFiles.draftFile(id, key);
  if (pending === null) throw noSuchFile(id, key);
  requireOpenFiles(seen);
  const upload = uploadOf(pending);
  if (upload === null || pending.transfer.type !== "M") throw refusedFile(FILE_SENTENCES.failed);
  const { parts, partBytes } = pending.transfer;
  if (!Number.isSafeInteger(number) || number < 1 || number > parts) throw refusedFile(FILE_SENTENCES.partNumber);
  const size = number < parts ? partBytes : upload.sizeBytes - (parts - 1) * partBytes;
  if (lengthBytes !== null && lengthBytes !== size) throw refusedFile(FILE_SENTENCES.partSize);
  return { pending, upload };
}
