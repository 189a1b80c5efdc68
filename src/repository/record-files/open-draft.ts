// The draft whose files are changed (R2b, R2e, R37): locked in the transaction that writes, its rights asked there.
// Files of what was published change with a new version only.
import type { Viewer } from "../../auth/account.ts";
import { RECORD_SENTENCES, recordBusy, unknownRecord } from "../../model/input/record-refusals.ts";
import type { Draft, FileOptions, ItemFile, WithParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import { returnedActivity } from "../workflow/returned-activity.ts";
import { keyOf } from "./entries.ts";
import { keepRemoved } from "./kept-removals.ts";
import { lockedFiles, refusedFile } from "./sentences.ts";

export type OpenDraft = WithParent & { readonly draft: Draft };

/** What of a store decides and shows. */
export type FileReader = Pick<RepositoryReader, "items" | "draftFiles">;

function opened(
  viewer: Viewer,
  found: WithParent | null,
  draft: Draft | null,
  action: "item.edit" | "item.preview" = "item.edit",
): OpenDraft {
  if (found === null || !may(viewer, action, found.parent)) throw unknownRecord();
  if (found.item.state === "deleted") throw new Refusal("gone", RECORD_SENTENCES.gone);
  if (draft === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
  return { ...found, draft };
}

/** @throws Refusal 404 for what is not there and for drafts of others. */
export async function draftSeenBy(store: FileReader, viewer: Viewer, id: ItemId): Promise<OpenDraft> {
  return opened(viewer, await store.items.withParent(id), await store.items.draft(id));
}

/** The draft for somebody who reads its files. @throws Refusal 404 for what is not there and for drafts of others. */
export async function draftReadBy(store: FileReader, viewer: Viewer, id: ItemId): Promise<OpenDraft> {
  return opened(viewer, await store.items.withParent(id), await store.items.draft(id), "item.preview");
}

/** @throws Refusal 409 while an activity holds the draft, unless it was returned to this viewer. */
export async function requireUnheld(
  reader: Pick<RepositoryReader, "activities">,
  viewer: Viewer,
  { draft }: Pick<OpenDraft, "draft">,
): Promise<void> {
  if (draft.activityId !== null && (await returnedActivity(reader, viewer, draft)) === null) throw recordBusy();
}

/** The draft that is to be changed, locked. @throws Refusal 409 as {@link requireUnheld}. */
export async function lockDraft(tx: RepositoryWriter, viewer: Viewer, id: ItemId): Promise<OpenDraft> {
  const found = opened(viewer, await tx.items.lockItem(id), await tx.items.draft(id));
  await requireUnheld(tx, viewer, found);
  return found;
}

/** @throws Refusal 403 for the draft of a published record. */
export function requireOpenFiles({ item }: Pick<OpenDraft, "item">): void {
  if (item.state !== "draft") throw lockedFiles();
}

/** The completed file of a key. */
export function fileOf({ content }: Pick<Draft, "content">, key: string): ItemFile | undefined {
  return content.files.find(({ name }) => keyOf(name) === key);
}

/**
 * Writes the draft with other files. Its counter stays: a client that saves the draft's content need not know of them.
 */
export async function keepFiles(
  tx: RepositoryWriter,
  { draft }: OpenDraft,
  at: Instant,
  change: { readonly files?: readonly ItemFile[]; readonly options?: FileOptions },
): Promise<Draft> {
  const { filesEnabled: _enabled, defaultPreview: _preview, fileOrder: _order, ...bare } = draft.content;
  const { files = bare.files, options = optionsOf(draft.content) } = change;
  if (files.length > most("files")) throw refusedFile(`A record has at most ${most("files")} files.`);
  await keepRemoved(tx, draft, files, at);
  const next: Draft = { ...draft, content: { ...bare, ...kept(options, files), files }, savedAt: at };
  await tx.items.saveDraft(next);
  return next;
}

export const optionsOf = ({ filesEnabled, defaultPreview, fileOrder }: FileOptions): FileOptions => ({
  ...(filesEnabled === undefined ? {} : { filesEnabled }),
  ...(defaultPreview === undefined ? {} : { defaultPreview }),
  ...(fileOrder === undefined ? {} : { fileOrder }),
});

/** Files that are gone are shown nowhere first. */
function kept({ filesEnabled, defaultPreview, fileOrder }: FileOptions, files: readonly ItemFile[]): FileOptions {
  const names = new Set(files.map(({ name }) => name));
  const order = fileOrder?.filter((name) => names.has(name)) ?? [];
  return {
    ...(filesEnabled === undefined ? {} : { filesEnabled }),
    ...(defaultPreview === undefined || !names.has(defaultPreview) ? {} : { defaultPreview }),
    ...(order.length === 0 ? {} : { fileOrder: order }),
  };
}
