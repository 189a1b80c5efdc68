// A file that arrives in one piece (R37; reference 1.2, upload_file): its bytes first, then one transaction that adds
// it to the draft's files and deletes the file with the same key. After a failure the former file is still there.
import type { Viewer } from "../../auth/account.ts";
import { invalidRecord } from "../../model/input/record-refusals.ts";
import type { ItemFile } from "../../model/items/item.ts";
import type { ItemId } from "../../shared/ids.ts";
import { maybe } from "../../shared/objects.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { DraftFile } from "../store/draft-files.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type CompletionOptions, itemFileOf, roomIn, standIn } from "./completing.ts";
import { type FileEntry, keyProblem } from "./entries.ts";
import { ruleOfFile } from "./file-access.ts";
import { keepRemoved } from "./kept-removals.ts";
import { checkCount, type FileListing } from "./listing.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { draftSeenBy, type FileReader, fileOf, lockDraft, type OpenDraft, requireOpenFiles } from "./open-draft.ts";
import type { FileBody, Receiver } from "./receiving-slots.ts";
import { FILE_SENTENCES, refusedFile, tooLargeFile } from "./sentences.ts";
import { requireFreeKey } from "./taken-keys.ts";
import type { Uploads } from "./uploads-in-parts.ts";

/** `kept`: a file with this key exists and was not to be replaced. */
type WholeFile = { readonly entry: FileEntry; readonly outcome: "added" | "replaced" | "kept" };

type Lists = Pick<FileListing, "entryIn">;

export interface WholeFiles {
  putFile(
    viewer: Viewer,
    id: ItemId,
    making: CompletionOptions & { readonly key: string },
    body: FileBody,
  ): Promise<WholeFile>;
}

export const wholeFiles = (needs: RecordFilesNeeds, lists: Lists, uploads: Uploads, received: Receiver): WholeFiles => {
  const { store, storage, clock, maxBytes } = needs;

  type There = { readonly pending: DraftFile | null; readonly isThere: boolean };

  /** Reasons against a file. @throws Refusal where it may not be put there at all */
  async function look(reader: FileReader, open: OpenDraft, key: string, making: CompletionOptions): Promise<There> {
    requireOpenFiles(open);
    const all = await reader.draftFiles.draftFiles(open.item.id);
    const pending = all.find((each) => each.key === key) ?? null;
    const isThere = pending !== null || fileOf(open.draft, key) !== undefined;
    if (!isThere) requireFreeKey(open.draft, all, key);
    if (roomIn(open.draft, new Set(), making).content.filesEnabled === false) {
      throw refusedFile(FILE_SENTENCES.notEnabled);
    }
    if (!isThere) checkCount(open.draft, all, 1);
    return { pending, isThere };
  }

  /** `making.replacing` left out: a file of that key stays. */
  async function putFile(
    viewer: Viewer,
    id: ItemId,
    { key, ...making }: CompletionOptions & { readonly key: string },
    { pieces, lengthBytes }: FileBody,
  ): Promise<WholeFile> {
    // Asked before bytes are taken, and again where it is written down.
    const seen = await draftSeenBy(store, viewer, id);
    requireKey(key);
    const before = await look(store, seen, key, making);
    if (before.isThere && making.replacing !== true) return await kept(store, seen, key);
    if (lengthBytes !== null && lengthBytes > maxBytes) throw tooLargeFile();
    const limits = { maxBytes, ...(lengthBytes === null ? {} : { sizeBytes: lengthBytes }) };
    const stored = await received(() => storage.put(pieces, limits));
    const bytes = { storageKey: stored.key, sha256: stored.sha256, md5: stored.md5 };
    const { dropped, ...done } = await writeAs(needs, viewer, async (tx: RepositoryWriter, now) => {
      const open = await lockDraft(tx, now, id);
      const { pending, isThere } = await look(tx, open, key, making);
      if (isThere && making.replacing !== true) return { ...(await kept(tx, open, key)), dropped: null };
      if (pending !== null) await tx.draftFiles.removeDraftFile(pending.id);
      const at = clock.now();
      const room = { ...open, draft: roomIn(open.draft, new Set([key]), making) };
      await keepRemoved(tx, open.draft, room.draft.content.files, at);
      const description = { key, sizeBytes: stored.sizeBytes, ...staying(fileOf(open.draft, key)) };
      const entry = await standIn(tx, room, itemFileOf(bytes, description), { created: at, updated: at });
      return { entry, outcome: isThere ? ("replaced" as const) : ("added" as const), dropped: pending };
    });
    if (dropped !== null) await uploads.abort([dropped]);
    return done;
  }

  const kept = async (reader: FileReader, { draft }: OpenDraft, key: string): Promise<WholeFile> => ({
    entry: await lists.entryIn(reader, draft, key),
    outcome: "kept",
  });

  return { putFile };
};

/** What a file takes over from the one that it replaces. */
const staying = (file: ItemFile | undefined) => ({
  metadata: file?.metadata ?? null,
  ...maybe("rule", ruleOfFile(file)),
});

/** @throws Refusal 400 that names the field. */
function requireKey(key: string): void {
  const problem = keyProblem(key);
  if (problem !== null) throw invalidRecord([{ field: "key", messages: [problem] }]);
}
