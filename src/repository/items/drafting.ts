// Drafts (R2b): what is not public yet. Saving one changes nothing that others see; publishing one is a revision like any other. Rights are
// looked at by who asks, in the same transaction (R2g).

import type { Viewer } from "../../auth/account.ts";
import { LONG_TEXT, turn } from "../../shared/event-loop-turn.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Draft, Item, ItemContent, WithParent } from "../model/item.ts";
import { may } from "../model/policy.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type Core, commitIn, type Locked, lockIn, publishedContent, requireRevision } from "./commit-revision.ts";
import { checkContent, duplicateKeysOf } from "./content.ts";
import { busyReason, isReleased, ItemBusy } from "./locking.ts";
import { insertIn, ownerOf } from "./publishing.ts";
import { isSameContent, saysTheSame } from "./same-content.ts";
import { type ChangeNotes, type ItemChange, type NewItem, type Signed, signed, type Written } from "./types.ts";

type DraftSaved = { readonly item: Item; readonly draft: Draft };
/** The item, locked in the transaction at hand, and its draft as it was read behind that. */
type Held = Locked & { readonly draft: Draft };
/** What was read by whoever asks is not read again. */
type Holding = { readonly held?: Held };
/** `endingOthers`: an administrator discards somebody else's edit too (R19). */
type DiscardNotes = ChangeNotes & { readonly endingOthers?: boolean };
/** `saving`: also while it is reviewed. */
type DraftPurpose = { readonly saving?: boolean; readonly held?: Held | undefined } & Pick<
  DiscardNotes,
  "endingOthers"
>;
/** `pending`: somebody waits for its approval, so that it counts as a duplicate of others (R18). */
type DraftNotes = { readonly pending?: boolean };

/** The account that edits. @throws Refusal for the command line, which has none. */
function editorOf(viewer: Viewer): number {
  if (viewer.account !== null) return viewer.account.id;
  throw new Refusal("invalid", "A draft needs an editor: sign in");
}

const isHeldAlike = (a: Draft, b: Draft): boolean => a.editor === b.editor && a.activityId === b.activityId;

export const drafting = (core: Core) => {
  const { needs } = core;

  async function writeDraft(
    tx: RepositoryWriter,
    item: Item,
    content: ItemContent,
    before: Draft | null,
    sign: Signed,
    { pending }: DraftNotes,
  ): Promise<DraftSaved> {
    const isLong = checkContent(content) > LONG_TEXT;
    if (isLong) await turn();
    const isSame = before !== null && saysTheSame(before.content, content);
    if (isLong) await turn();
    const draft: Draft = {
      itemId: item.id,
      // Files come and go beside what somebody writes: whoever saves that has seen it all the same.
      counter: (before?.counter ?? 0) + (isSame ? 0 : 1),
      content,
      // An activity's draft stays the depositor's, whoever corrects it.
      editor: before?.activityId === null || before === null ? editorOf(sign.viewer) : before.editor,
      savedAt: sign.at,
      activityId: sign.notes.activityId ?? before?.activityId ?? null,
    };
    if (before !== null && isSame && isSameContent(before.content, content) && isHeldAlike(before, draft)) {
      return { item, draft: before };
    }
    await tx.items.saveDraft(draft);
    // Published items keep the keys of what is public.
    if (pending === true && item.content === null) {
      await tx.items.setDuplicateKeys(item.id, await duplicateKeysOf(content.metadata));
    }
    return { item, draft };
  }

  async function createDraft(
    tx: RepositoryWriter,
    viewer: Viewer,
    input: NewItem & DraftNotes,
  ): Promise<DraftSaved & WithParent> {
    const sign = signed(needs, viewer, input);
    const owner = ownerOf(viewer, input.owner);
    const { item, parent } = await insertIn(tx, viewer, owner, input, sign);
    return { ...(await writeDraft(tx, item, input.content, null, sign, input)), parent };
  }

  /**
   * The draft of a locked item, which nobody else holds. What was never published is its draft: whoever may edit it edits it, also while it is
   * reviewed (`saving`), when it is neither published nor given up. An edit of what is published is its editor's until it is released (R19).
   *
   * @throws ItemBusy.
   */
  async function ownDraft(
    tx: RepositoryWriter,
    { item }: Locked,
    sign: Signed,
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
    tx: RepositoryWriter,
    viewer: Viewer,
    id: number,
    input: ItemChange & DraftNotes & Holding,
  ): Promise<DraftSaved> {
    const sign = signed(needs, viewer, input);
    const { held } = input;
    const locked = held ?? (await lockIn(tx, id));
    if (locked.item.state === "deleted") throw new Refusal("gone", `Item ${id} was deleted`);
    const before = await ownDraft(tx, locked, sign, { saving: true, held });
    return await writeDraft(tx, locked.item, input.content, before, sign, input);
  }

  async function discardDraft(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: number,
    notes: DiscardNotes = {},
  ): Promise<void> {
    const sign = signed(needs, viewer, notes);
    const locked = await lockIn(tx, id);
    const draft = await ownDraft(tx, locked, sign, { endingOthers: notes.endingOthers === true });
    if (draft === null) throw new Refusal("not_found", `Item ${id} has no draft`);
    if (locked.item.state === "draft") await tx.items.forgetItem(id);
    else await tx.items.deleteDraft(id);
    const detail = draft.editor === viewer.account?.id ? {} : { draft_of: draft.editor };
    await tx.audit(viewer, sign.at, [{ action: "item.discard-draft", subject: `item:${id}`, detail }]);
  }

  async function publishDraft(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: number,
    notes: ChangeNotes & Holding & { readonly content?: ItemContent } = {},
  ): Promise<Written> {
    const sign = signed(needs, viewer, notes);
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
    tx: RepositoryWriter,
    viewer: Viewer,
    id: number,
    input: ChangeNotes & DraftNotes & { readonly content?: ItemContent },
  ): Promise<DraftSaved> {
    const sign = signed(needs, viewer, input);
    const { item, parent } = await lockIn(tx, id);
    const content = publishedContent(item);
    requireRevision(item, sign);
    // Whoever edits this version himself may begin the next.
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

  return {
    createDraft,
    saveDraft,
    /** An item that was never published disappears with its draft; its number is not used again (R2a). */
    discardDraft,
    /** `content`: what is published instead of what the draft says. */
    publishDraft,
    /** A version to come, with a draft only. @throws Refusal `invalid` when `id` is not the latest, `conflict` when one is being prepared. */
    newVersionDraft,
  };
};
