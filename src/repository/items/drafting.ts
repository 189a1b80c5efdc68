// Drafts (R2b): what is not public yet. Saving one changes nothing that others see; publishing one is a revision like
// any other. Callers check rights, in the same transaction (R2g).

import type { Viewer } from "../../auth/account.ts";
import { surplusRevisions } from "../../model/items/draft-history.ts";
import type { Draft, Item, ItemContent, WithParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { LONG_TEXT, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { RepositoryWriter } from "../store/store.ts";
import {
  type Core,
  commitIn,
  type LockedItem,
  lockIn,
  publishedContent,
  requireRevision,
  signed,
} from "./commit-revision.ts";
import { checkContent, duplicateKeysOf, isSameButFiles, isSameContent } from "./content.ts";
import { busyReason, ItemBusy, isReleased } from "./locking.ts";
import { insertIn, ownerOf } from "./publishing.ts";
import type { ChangeContext, ChangeNotes, ItemChange, NewItem, WriteOutcome } from "./types.ts";

type DraftSaved = { readonly item: Item; readonly draft: Draft };
/** The item, locked in the current transaction, and its draft as it was read after that. */
type LockedDraft = LockedItem & { readonly draft: Draft };
/** What the caller has read is not read again. */
type Holding = { readonly held?: LockedDraft };
/** `endingOthers`: an administrator may discard the edit of another account (R19). */
type DiscardNotes = ChangeNotes & { readonly endingOthers?: boolean };
/** `saving`: also during a review. */
type DraftPurpose = { readonly saving?: boolean; readonly held?: LockedDraft | undefined } & Pick<
  DiscardNotes,
  "endingOthers"
>;
/** `pending`: it waits for approval, so that it counts as a duplicate of others (R18). */
type DraftNotes = { readonly pending?: boolean };

/** The account that edits. @throws Refusal for the command line, which has none. */
function editorOf(viewer: Viewer): number {
  if (viewer.account !== null) return viewer.account.id;
  throw new Refusal("invalid", "A draft needs an editor: sign in");
}

const hasSameHolder = (a: Draft, b: Draft): boolean => a.editor === b.editor && a.activityId === b.activityId;

export interface Drafts {
  createDraft(tx: RepositoryWriter, viewer: Viewer, input: NewItem & DraftNotes): Promise<DraftSaved & WithParent>;
  saveDraft(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: ItemId,
    input: ItemChange & DraftNotes & Holding,
  ): Promise<DraftSaved>;
  /** An item that was never published is deleted with its draft; its number is not used again (R2a). */
  discardDraft(tx: RepositoryWriter, viewer: Viewer, id: ItemId, notes?: DiscardNotes): Promise<void>;
  /** `content`: published instead of the content of the draft. */
  publishDraft(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: ItemId,
    notes?: ChangeNotes & Holding & { readonly content?: ItemContent },
  ): Promise<WriteOutcome>;
  /**
   * A new version, with a draft only. @throws Refusal `invalid` when `id` is not the latest, `conflict` when one is
   * being prepared.
   */
  newVersionDraft(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: ItemId,
    input: ChangeNotes & DraftNotes & { readonly content?: ItemContent },
  ): Promise<DraftSaved>;
}

export const drafting = (core: Core): Drafts => ({
  createDraft: (tx, viewer, input) => createDraft(core, tx, viewer, input),
  saveDraft: (tx, viewer, id, input) => saveDraft(core, tx, viewer, id, input),
  discardDraft: (tx, viewer, id, notes) => discardDraft(core, tx, viewer, id, notes),
  publishDraft: (tx, viewer, id, notes) => publishDraft(core, tx, viewer, id, notes),
  newVersionDraft: (tx, viewer, id, input) => newVersionDraft(core, tx, viewer, id, input),
});

async function writeDraft(
  tx: RepositoryWriter,
  item: Item,
  content: ItemContent,
  before: Draft | null,
  sign: ChangeContext,
  { pending }: DraftNotes,
): Promise<DraftSaved> {
  const isLong = checkContent(content) > LONG_TEXT;
  if (isLong) await yieldToEventLoop();
  const isSame = before !== null && isSameButFiles(before.content, content);
  if (isLong) await yieldToEventLoop();
  const draft: Draft = {
    itemId: item.id,
    // Changes of files leave the counter as it is: an editor who saves metadata meanwhile has still seen the latest.
    counter: (before?.counter ?? 0) + (isSame ? 0 : 1),
    content,
    // The draft of an activity stays the depositor's, also when others correct it.
    editor: before?.activityId === null || before === null ? editorOf(sign.viewer) : before.editor,
    savedAt: sign.at,
    beganAt: before === null ? sign.at : before.beganAt,
    activityId: sign.notes.activityId ?? before?.activityId ?? null,
  };
  if (before !== null && isSame && isSameContent(before.content, content) && hasSameHolder(before, draft)) {
    return { item, draft: before };
  }
  // The draft of an activity is a package, which is kept as it came.
  if (before !== null && !isSame && before.activityId === null) await keepState(tx, before, draft, isLong);
  await tx.items.saveDraft(draft);
  // Published items keep the keys of what is public.
  if (pending === true && item.content === null) {
    await tx.items.setDuplicateKeys(item.id, await duplicateKeysOf(content.metadata));
  }
  return { item, draft };
}

/** How many savings lie between two times that the list of revisions is shortened. */
const SHORTENED_EVERY = 20;

/** Keeps the state that is about to be replaced (R42). */
async function keepState(tx: RepositoryWriter, before: Draft, next: Draft, isLong: boolean): Promise<void> {
  const { itemId } = before;
  await tx.draftRevisions.keepDraftState(itemId);
  if (!isLong && next.counter % SHORTENED_EVERY !== 0) return;
  const lines = await tx.draftRevisions.draftRevisions(itemId, most("draftRevisions") + SHORTENED_EVERY);
  const present = { counter: next.counter, savedAt: next.savedAt, by: next.editor, characters: 0 };
  await tx.draftRevisions.removeDraftRevisions(itemId, [...surplusRevisions([...lines, present], next.savedAt)]);
}

async function createDraft(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  input: NewItem & DraftNotes,
): Promise<DraftSaved & WithParent> {
  const sign = signed(core.needs, viewer, input);
  const owner = ownerOf(viewer, input.owner);
  const { item, parent } = await insertIn(tx, viewer, owner, input, sign);
  return { ...(await writeDraft(tx, item, input.content, null, sign, input)), parent };
}

/**
 * The draft of a locked item, unless another editor holds it. The draft of an unpublished item is open to all who may
 * edit it, also during a review (`saving`), when it can be neither published nor discarded. The edit of a published
 * item is its editor's until it is released (R19).
 *
 * @throws ItemBusy
 */
async function ownDraft(
  tx: RepositoryWriter,
  { item }: LockedItem,
  sign: ChangeContext,
  { saving = false, endingOthers = false, held }: DraftPurpose = {},
): Promise<Draft | null> {
  const claims = await tx.items.claims(item.id, sign.at);
  const draft = held?.draft ?? (await tx.items.draft(item.id));
  const editable =
    item.state === "draft" ||
    draft?.editor === sign.viewer.account?.id ||
    (claims.draft !== null && isReleased(claims.draft, sign.at)) ||
    (endingOthers && may(sign.viewer, "item.end-draft", null));
  const own = draft !== null && draft.activityId === null && editable;
  const left = { ...claims, draft: own ? null : claims.draft, reviewId: saving ? null : claims.reviewId };
  const reason = busyReason(left, sign.notes);
  if (reason !== null) throw new ItemBusy(item.id, reason);
  return draft;
}

async function saveDraft(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  input: ItemChange & DraftNotes & Holding,
): Promise<DraftSaved> {
  const sign = signed(core.needs, viewer, input);
  const { held } = input;
  const locked = held ?? (await lockIn(tx, id));
  if (locked.item.state === "deleted") throw new Refusal("gone", `Item ${id} was deleted`);
  const before = await ownDraft(tx, locked, sign, { saving: true, held });
  return await writeDraft(tx, locked.item, input.content, before, sign, input);
}

async function discardDraft(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  notes: DiscardNotes = {},
): Promise<void> {
  const sign = signed(core.needs, viewer, notes);
  const locked = await lockIn(tx, id);
  const draft = await ownDraft(tx, locked, sign, { endingOthers: notes.endingOthers === true });
  if (draft === null) throw new Refusal("not_found", `Item ${id} has no draft`);
  if (locked.item.state === "draft") await tx.items.forgetItem(id);
  else await tx.items.deleteDraft(id);
  const detail = draft.editor === viewer.account?.id ? {} : { draft_of: draft.editor };
  await tx.audit(viewer, sign.at, [{ action: "item.discard-draft", subject: `item:${id}`, detail }]);
}

async function publishDraft(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  notes: ChangeNotes & Holding & { readonly content?: ItemContent } = {},
): Promise<WriteOutcome> {
  const sign = signed(core.needs, viewer, notes);
  const { held } = notes;
  const locked = held ?? (await lockIn(tx, id));
  if (locked.item.state === "deleted") throw new Refusal("gone", `Item ${id} was deleted`);
  const draft = await ownDraft(tx, locked, sign, { held });
  if (draft === null) throw new Refusal("not_found", `Item ${id} has no draft to publish`);
  requireRevision(locked.item, sign);
  const first = locked.item.content === null;
  const action = notes.action ?? (first ? (locked.item.versionIndex > 1 ? "new-version" : "publish") : "revise");
  const written = await commitIn(core, tx, locked, notes.content ?? draft.content, action, sign);
  await tx.items.deleteDraft(id);
  return written;
}

async function newVersionDraft(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  input: ChangeNotes & DraftNotes & { readonly content?: ItemContent },
): Promise<DraftSaved> {
  const sign = signed(core.needs, viewer, input);
  const { item, parent } = await lockIn(tx, id);
  const content = publishedContent(item);
  requireRevision(item, sign);
  // Those who edit this version may begin the next.
  await ownDraft(tx, { item, parent }, sign);
  if (!item.isLatest) {
    throw new Refusal("invalid", `Item ${id} is not the latest version: item ${parent.latest} is`, {
      detail: { item: id, latest: parent.latest },
    });
  }
  for (const version of await tx.items.versionLines(parent.id)) {
    if (version.state !== "draft" || (await tx.items.draft(version.id)) === null) continue;
    throw new Refusal("conflict", `A new version of item ${id} is being prepared as item ${version.id}`, {
      detail: { item: id, draft: version.id },
    });
  }
  const made = await tx.items.insertVersion(parent.id, {
    depositedBy: viewer.account?.id ?? null,
    depositedOnBehalfOf: input.onBehalfOf ?? null,
    at: sign.at,
  });
  return await writeDraft(tx, made, input.content ?? content, null, sign, input);
}
