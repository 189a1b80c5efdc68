// Files that were removed from a draft, or replaced in it (R43): they can be put back for a week, until the draft is
// published or discarded. Their bytes stay named by a row as long, so no sweep deletes them.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { MomentShape, manyOf } from "../../shared/shapes.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { RemovedFile } from "../store/draft-files.ts";
import { standIn } from "./completing.ts";
import { type FileEntry, keyOf } from "./entries.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { draftSeenBy, lockDraft, requireOpenFiles } from "./open-draft.ts";
import { FILE_SENTENCES, refusedFile } from "./sentences.ts";
import { requireFreeKey } from "./taken-keys.ts";

/** How long a removed file can be put back. */
export const REMOVED_KEPT_MS = 7 * 86_400_000;

export const RemovedFilesShape = Type.Object(
  {
    entries: manyOf(
      Type.Object(
        {
          id: Type.String({ description: "Names this removal" }),
          key: Type.String(),
          size: Type.Integer({ description: "Bytes" }),
          removed: MomentShape,
          until: Type.String({
            format: "date-time",
            description: "It can be put back until then, or until the end of the draft",
          }),
        },
        { $id: "RemovedFile" },
      ),
    ),
  },
  { $id: "RemovedFileList" },
);

export const removedFilesJson = (files: readonly RemovedFile[]): Static<typeof RemovedFilesShape> => ({
  entries: files.map(({ id, file, removedAt }) => ({
    ...{ id, key: keyOf(file.name), size: file.sizeBytes, removed: removedAt },
    until: addMilliseconds(removedAt, REMOVED_KEPT_MS),
  })),
});

export interface RemovedFiles {
  /** Newest first. */
  removed(viewer: Viewer, id: ItemId): Promise<readonly RemovedFile[]>;
  /** @throws Refusal where its key is in use by now */
  putBack(
    viewer: Viewer,
    id: ItemId,
    removal: string,
  ): Promise<{ readonly record: ItemId; readonly isDraft: true; readonly entry: FileEntry }>;
}

export const removedFiles = (needs: RecordFilesNeeds): RemovedFiles => {
  const since = (): Instant => addMilliseconds(needs.clock.now(), -REMOVED_KEPT_MS);
  return {
    async removed(viewer, id) {
      await draftSeenBy(needs.store, viewer, id);
      return await needs.store.draftFiles.removedFiles(id, since(), most("removedFiles"));
    },
    putBack: (viewer, id, removal) =>
      writeAs(needs, viewer, async (tx, now) => {
        const open = await lockDraft(tx, now, id);
        requireOpenFiles(open);
        const found = await tx.draftFiles.removedFile(id, removal);
        if (found === null || found.removedAt < since()) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
        if (open.draft.content.filesEnabled === false) throw refusedFile(FILE_SENTENCES.notEnabled);
        requireFreeKey(open.draft, await tx.draftFiles.draftFiles(id), keyOf(found.file.name));
        await tx.draftFiles.forgetRemovedFile(removal);
        const at = needs.clock.now();
        return { record: id, isDraft: true, entry: await standIn(tx, open, found.file, { created: at, updated: at }) };
      }),
  };
};
