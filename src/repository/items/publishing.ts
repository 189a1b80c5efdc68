// Items are published, revised and get new versions (R2b), in the transaction of the caller. Deposits and activities
// have their own rules, which were checked in the same transaction (R2g).

import type { Viewer } from "../../auth/account.ts";
import { refusalFor } from "../../model/access/visibility.ts";
import type { Access, Item, ItemContent, ItemParent, WithParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
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
import { requireFreeIn } from "./locking.ts";
import type { ChangeContext, ChangeNotes, ItemChange, NewItem, WriteOutcome } from "./types.ts";

/** The account a new item belongs to. @throws Refusal when nobody is signed in and none is named. */
export function ownerOf(viewer: Viewer, named: number | undefined): number {
  const owner = named ?? viewer.account?.id;
  if (owner === undefined) throw new Refusal("invalid", "An item needs an owner: name the account");
  return owner;
}

/** @throws Refusal `invalid` when an item is to be somebody's who is not there. */
async function requireAccounts(tx: RepositoryWriter, ids: readonly AccountId[]): Promise<void> {
  for (const id of new Set(ids)) {
    if ((await tx.accounts.account(id)) !== null) continue;
    throw new Refusal("invalid", `Account ${id} does not exist`, { detail: { account: id } });
  }
}

/** A new item without content, of an owner who is there, shared as asked. */
export async function insertIn(
  tx: RepositoryWriter,
  viewer: Viewer,
  owner: AccountId,
  { sharedWith = [], onBehalfOf = null }: Pick<NewItem, "sharedWith" | "onBehalfOf">,
  { at }: ChangeContext,
): Promise<WithParent> {
  // The writer was read in this transaction (R2g).
  await requireAccounts(
    tx,
    [owner, ...sharedWith].filter((id) => id !== viewer.account?.id),
  );
  const depositedBy = viewer.account?.id ?? null;
  const made = await tx.items.insertItem({ owner, depositedBy, depositedOnBehalfOf: onBehalfOf, at });
  if (sharedWith.length === 0) return made;
  await tx.items.share(made.parent.id, sharedWith);
  return { ...made, parent: { ...made.parent, shared: [...new Set(sharedWith)].sort((a, b) => a - b) } };
}

type UpdateFacts = { readonly item: Pick<Item, "id" | "state">; readonly parent: ItemParent };

/**
 * @throws Refusal `not_found` for what was never published, `unauthenticated` or `forbidden` without the right to
 * change it.
 */
export function requireUpdate({ item, parent }: UpdateFacts, viewer: Viewer): void {
  if (may(viewer, "item.update", parent)) return;
  if (item.state === "draft") throw new Refusal("not_found", `Item ${item.id} does not exist`);
  throw new Refusal(refusalFor(viewer), `You may not change item ${item.id}`);
}

export interface Publications {
  /** A new item, published at once. @throws Refusal, also those of `commitIn`. */
  createAndPublish(tx: RepositoryWriter, viewer: Viewer, input: NewItem): Promise<WriteOutcome>;
  /** Replaces everything, files included (R2b). */
  revise(tx: RepositoryWriter, viewer: Viewer, id: ItemId, input: ItemChange): Promise<WriteOutcome>;
  /** A new item under the same parent. @throws Refusal `invalid` when `id` is not the latest version. */
  newVersion(tx: RepositoryWriter, viewer: Viewer, id: ItemId, input: ItemChange): Promise<WriteOutcome>;
  /** Any other change of the published side; returning the same content changes nothing. */
  patch(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: ItemId,
    notes: ChangeNotes & { readonly action: string },
    change: (content: ItemContent) => ItemContent | Promise<ItemContent>,
  ): Promise<WriteOutcome>;
  /**
   * Sets who may read the published record and its files, for the members that are given; an embargo stays. For an item
   * in no index the same access is stated again: filing it would restore another one (R16a). @throws Refusal unless the
   * viewer may change the item.
   */
  setAccess(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: ItemId,
    named: Partial<Pick<Access, "record" | "files">>,
  ): Promise<WriteOutcome>;
  /** Publish status `public` or `private` (R2d). @throws Refusal unless the viewer may change the item. */
  setPublic(tx: RepositoryWriter, viewer: Viewer, id: ItemId, isPublic: boolean): Promise<WriteOutcome>;
}

export const publishing = (core: Core): Publications => ({
  createAndPublish: (tx, viewer, input) => createAndPublish(core, tx, viewer, input),
  revise: (tx, viewer, id, input) =>
    patchContent(core, tx, viewer, id, { ...input, action: input.action ?? "revise" }, () => input.content),
  newVersion: (tx, viewer, id, input) => publishNewVersion(core, tx, viewer, id, input),
  patch: (tx, viewer, id, notes, change) => patchContent(core, tx, viewer, id, notes, change),
  setAccess: (tx, viewer, id, named) => setAccess(core, tx, viewer, id, named),
  setPublic: (tx, viewer, id, isPublic) => setPublic(core, tx, viewer, id, isPublic),
});

async function createAndPublish(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  input: NewItem,
): Promise<WriteOutcome> {
  const sign = signed(core.needs, viewer, input);
  const owner = ownerOf(viewer, input.owner);
  const made = await insertIn(tx, viewer, owner, input, sign);
  return await commitIn(core, tx, { ...made, isNew: true }, input.content, input.action ?? "publish", sign);
}

/** The locked item, published, free and at the revision the caller has seen. */
async function lockPublished(
  tx: RepositoryWriter,
  id: ItemId,
  sign: ChangeContext,
): Promise<LockedItem & { before: ItemContent }> {
  const locked = await lockIn(tx, id);
  const before = publishedContent(locked.item);
  requireRevision(locked.item, sign);
  await requireFreeIn(tx, id, sign);
  return { ...locked, before };
}

async function patchContent(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  notes: ChangeNotes & { readonly action: string },
  change: (content: ItemContent) => ItemContent | Promise<ItemContent>,
): Promise<WriteOutcome> {
  const sign = signed(core.needs, viewer, notes);
  const locked = await lockPublished(tx, id, sign);
  const content = await change(locked.before);
  if (content === locked.before) return { item: locked.item, arkPending: false };
  return await commitIn(core, tx, locked, content, notes.action, sign);
}

async function publishNewVersion(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  input: ItemChange,
): Promise<WriteOutcome> {
  const sign = signed(core.needs, viewer, input);
  const { item, parent } = await lockPublished(tx, id, sign);
  if (!item.isLatest) {
    throw new Refusal("invalid", `Item ${id} is not the latest version: item ${parent.latest} is`, {
      detail: { item: id, latest: parent.latest },
    });
  }
  const made = await tx.items.insertVersion(parent.id, {
    depositedBy: viewer.account?.id ?? null,
    depositedOnBehalfOf: input.onBehalfOf ?? null,
    at: sign.at,
  });
  const locked = { item: made, parent, isNew: true };
  return await commitIn(core, tx, locked, input.content, input.action ?? "new-version", sign);
}

async function setAccess(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  named: Partial<Pick<Access, "record" | "files">>,
): Promise<WriteOutcome> {
  requireUpdate(await lockIn(tx, id), viewer);
  return await patchContent(core, tx, viewer, id, { action: "set-access" }, (content) => {
    const access = { ...content.access, ...named };
    const isSame = access.record === content.access.record && access.files === content.access.files;
    return isSame && content.indexes.length > 0 ? content : { ...content, access };
  });
}

async function setPublic(
  core: Core,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: ItemId,
  isPublic: boolean,
): Promise<WriteOutcome> {
  requireUpdate(await lockIn(tx, id), viewer);
  const record = isPublic ? "public" : "restricted";
  return await patchContent(core, tx, viewer, id, { action: "set-public" }, (content) => ({
    ...content,
    access: { ...content.access, record },
  }));
}
