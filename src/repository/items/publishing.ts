// Items are published, revised and get new versions (R2b). The `…In` functions work inside a transaction that is there and look at no
// rights: who calls them has decided that. The others look at the rights of R2e first.

import type { Access, ItemContent, WithParent } from "../model/item.ts";
import { refusalFor } from "../model/visibility.ts";
import type { Viewer } from "../../auth/account.ts";
import { may } from "../model/policy.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { writeAs } from "../people/current-viewer.ts";
import { type Core, commitIn, type Locked, lockIn, publishedContent, requireRevision } from "./commit-revision.ts";
import { lineagesOf } from "./access-facts.ts";
import { requireFreeIn } from "./locking.ts";
import { type ChangeNotes, type ItemChange, type NewItem, type Signed, signed, type Written } from "./types.ts";

/** The account a new item belongs to. @throws Refusal when nobody is signed in and none is named, or somebody names another's. */
export function ownerOf(viewer: Viewer, named: number | undefined): number {
  const owner = named ?? viewer.account?.id;
  if (owner === undefined) throw new Refusal("invalid", "An item needs an owner: name the account");
  return owner;
}

/** @throws Refusal `invalid` when an item is to be somebody's who is not there. */
export async function requireAccounts(tx: RepositoryWriter, ids: readonly number[]): Promise<void> {
  for (const id of new Set(ids)) {
    if ((await tx.accounts.account(id)) !== null) continue;
    throw new Refusal("invalid", `There is no account ${id}`, { detail: { account: id } });
  }
}

/** A new item without content, of an owner who is there, shared as asked. */
export async function insertIn(
  tx: RepositoryWriter,
  viewer: Viewer,
  owner: number,
  { sharedWith = [], onBehalfOf = null }: Pick<NewItem, "sharedWith" | "onBehalfOf">,
  { at }: Signed,
): Promise<WithParent> {
  // Whoever writes was read in this transaction (R2g).
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

/** @throws Refusal unless the viewer may put items into each of these indexes that they do not lie in yet (R2e). */
export async function requireContribution(
  tx: RepositoryWriter,
  viewer: Viewer,
  indexes: readonly number[],
  known: readonly number[] = [],
): Promise<void> {
  const added = indexes.filter((id) => !known.includes(id));
  const lineages = await lineagesOf(tx.indexes, added);
  const refused = added.findIndex((_, at) => !may(viewer, "item.file", lineages[at] ?? []));
  if (refused < 0) return;
  throw new Refusal(refusalFor(viewer), `You may not put items into index ${added[refused]}`, {
    detail: { index: added[refused] },
  });
}

/** @throws Refusal `not_found` for what was never published, `unauthenticated` or `forbidden` without the right to change it. */
export function requireUpdate({ item, parent }: Locked, viewer: Viewer): void {
  if (may(viewer, "item.update", parent)) return;
  if (item.state === "draft") throw new Refusal("not_found", `There is no item ${item.id}`);
  throw new Refusal(refusalFor(viewer), `You may not change item ${item.id}`);
}

export const changing = (core: Core) => {
  const { needs } = core;

  async function createAndPublishIn(tx: RepositoryWriter, viewer: Viewer, input: NewItem): Promise<Written> {
    const sign = signed(needs, viewer, input);
    const owner = ownerOf(viewer, input.owner);
    const made = await insertIn(tx, viewer, owner, input, sign);
    return await commitIn(core, tx, { ...made, isNew: true }, input.content, input.action ?? "publish", sign);
  }

  /** The locked item, published, free and at the revision the caller has seen. */
  async function openIn(tx: RepositoryWriter, id: number, sign: Signed): Promise<Locked & { before: ItemContent }> {
    const locked = await lockIn(tx, id);
    const before = publishedContent(locked.item);
    requireRevision(locked.item, sign);
    await requireFreeIn(tx, id, sign);
    return { ...locked, before };
  }

  async function patchIn(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: number,
    notes: ChangeNotes & { readonly action: string },
    patch: (content: ItemContent) => ItemContent | Promise<ItemContent>,
  ): Promise<Written> {
    const sign = signed(needs, viewer, notes);
    const locked = await openIn(tx, id, sign);
    const content = await patch(locked.before);
    if (content === locked.before) return { item: locked.item, arkPending: false };
    return await commitIn(core, tx, locked, content, notes.action, sign);
  }

  const reviseIn = (tx: RepositoryWriter, viewer: Viewer, id: number, input: ItemChange): Promise<Written> =>
    patchIn(tx, viewer, id, { ...input, action: input.action ?? "revise" }, () => input.content);

  async function newVersionIn(tx: RepositoryWriter, viewer: Viewer, id: number, input: ItemChange): Promise<Written> {
    const sign = signed(needs, viewer, input);
    const { item, parent } = await openIn(tx, id, sign);
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

  /** Whoever may change the item, and put it where it is to lie. */
  async function requireRights(tx: RepositoryWriter, viewer: Viewer, id: number, indexes: readonly number[]) {
    const locked = await lockIn(tx, id);
    requireUpdate(locked, viewer);
    await requireContribution(tx, viewer, indexes, locked.item.content?.indexes ?? []);
  }

  async function changeAccess(
    viewer: Viewer,
    id: number,
    access: Partial<Access>,
    notes: ChangeNotes = {},
  ): Promise<Written> {
    return await writeAs(needs, viewer, async (tx, now) => {
      await requireRights(tx, now, id, []);
      return await setAccessIn(tx, now, id, access, notes);
    });
  }

  const setAccessIn = (
    tx: RepositoryWriter,
    viewer: Viewer,
    id: number,
    access: Partial<Access>,
    notes: ChangeNotes = {},
  ): Promise<Written> =>
    patchIn(tx, viewer, id, { ...notes, action: notes.action ?? "set-access" }, (content) => ({
      ...content,
      access: { ...content.access, ...access },
    }));

  return {
    createAndPublishIn,
    /** A new item, public at once. @throws Refusal, and whatever `commitIn` refuses. */
    createAndPublish: (viewer: Viewer, input: NewItem): Promise<Written> =>
      writeAs(needs, viewer, async (tx, now) => {
        if (!may(now, "item.deposit", null)) throw new Refusal(refusalFor(now), "You may not deposit items");
        if (input.owner !== undefined && !may(now, "item.deposit-for", input.owner)) {
          throw new Refusal("forbidden", "Only administrators deposit for another owner");
        }
        await requireContribution(tx, now, input.content.indexes);
        return await createAndPublishIn(tx, now, input);
      }),

    reviseIn,
    /** SWORD PUT, editMode Keep: everything is replaced, files included (R2b). */
    revise: (viewer: Viewer, id: number, input: ItemChange): Promise<Written> =>
      writeAs(needs, viewer, async (tx, now) => {
        await requireRights(tx, now, id, input.content.indexes);
        return await reviseIn(tx, now, id, input);
      }),

    newVersionIn,
    /** SWORD PUT, editMode Upgrade: a new item under the same parent. @throws Refusal `invalid` when `id` is not the latest version. */
    newVersion: (viewer: Viewer, id: number, input: ItemChange): Promise<Written> =>
      writeAs(needs, viewer, async (tx, now) => {
        await requireRights(tx, now, id, input.content.indexes);
        return await newVersionIn(tx, now, id, input);
      }),

    /** Any other change of the published side; what gives back the same content changes nothing. */
    patchIn,
    setAccessIn,
    setAccess: changeAccess,
    /** Publish status `public` or `private` (R2d). */
    setPublic: (viewer: Viewer, id: number, isPublic: boolean, notes: ChangeNotes = {}): Promise<Written> =>
      changeAccess(viewer, id, { record: isPublic ? "public" : "restricted" }, { action: "set-public", ...notes }),

    /** Whom the item is shared with from now on: they read and PUT, they do not delete (R15). Owner and administrators decide. */
    share: (viewer: Viewer, id: number, accounts: readonly number[]): Promise<void> =>
      writeAs(needs, viewer, async (tx, now) => {
        const { parent, item } = await lockIn(tx, id);
        if (!may(now, "item.share", parent)) {
          throw new Refusal(refusalFor(now), `You may not share item ${id}`);
        }
        const { at } = signed(needs, now, {});
        await requireAccounts(tx, accounts);
        await tx.items.share(parent.id, accounts);
        await tx.audit(now, at, [{ action: "item.share", subject: `item:${item.id}`, detail: { accounts } }]);
      }),
  };
};
