// One committed change of an item's published side (R2b): revision, files, indexes, communities, duplicate keys, latest version, ARK and
// audit, all inside the transaction it is given.

import type { Instant } from "../../shared/instant.ts";
import type { Item, ItemContent, ItemParent } from "../model/item.ts";
import { latestOf } from "../model/versions.ts";
import { accessOn, mayReadRecord } from "../model/visibility.ts";
import { GUEST } from "../../auth/account.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { MD5_JOB } from "./storage-jobs.ts";
import { LONG_LIST, LONG_TEXT, turn } from "../../shared/event-loop-turn.ts";
import { checkContent, duplicateKeysOf } from "./content.ts";
import { factsOf } from "./access-facts.ts";
import { descriptionOf, type ItemDescription, type Naming, type ReceiptChoice, UNDESCRIBED } from "./item-ark.ts";
import { type ItemsNeeds, MINT_JOB, type Signed, type Written } from "./types.ts";

export type Core = { readonly needs: ItemsNeeds; readonly naming: Naming };

/** An item that is locked, with its parent, in the transaction at hand. */
export type Locked = { readonly item: Item; readonly parent: ItemParent };

/** @throws Refusal `not_found` when there is no such item; a parent's number names none (R2a). */
export async function lockIn(tx: RepositoryWriter, id: number): Promise<Locked> {
  const item = await tx.items.lockItem(id);
  if (item === null) throw new Refusal("not_found", `There is no item ${id}`);
  const parent = await tx.items.parent(item.parentId);
  if (parent === null) throw new RangeError(`Item ${id} has no parent`);
  return { item, parent };
}

/** The published content of an item that is being changed. @throws Refusal `gone` when it was deleted, `not_found` when never published. */
export function publishedContent(item: Item): ItemContent {
  if (item.state === "deleted") throw new Refusal("gone", `Item ${item.id} was deleted`);
  if (item.content === null) throw new Refusal("not_found", `There is no published item ${item.id}`);
  return item.content;
}

/** @throws Refusal `precondition` when the caller has seen another revision than the one that is there. */
export function requireRevision(item: Item, { notes }: Signed): void {
  const { expected } = notes;
  if (expected === undefined || expected === null || expected === item.revision) return;
  throw new Refusal("precondition", `Item ${item.id} is at revision ${item.revision}, not ${expected}`, {
    detail: { expected, revision: item.revision },
  });
}

/**
 * Writes `content` as the next revision of a locked item; an item that was never published becomes public by it.
 *
 * @throws Refusal `invalid` for content no item may have, and for an index that is not there.
 */
export async function commitIn(
  core: Core,
  tx: RepositoryWriter,
  { item, parent }: Locked,
  content: ItemContent,
  action: string,
  sign: Signed,
): Promise<Written> {
  const isLong = checkContent(content) > LONG_TEXT || content.files.length > LONG_LIST;
  if (isLong) await turn();
  const before = item.content;
  const communities = await communitiesAfter(tx, { item, parent }, content);
  const { viewer, at, notes } = sign;
  const written = await tx.items.writeRevision(
    item.id,
    content,
    {
      action,
      at,
      by: viewer.account?.id ?? null,
      onBehalfOf: notes.onBehalfOf ?? null,
      packageName: notes.package?.name ?? null,
      packageSha256: notes.package?.sha256 ?? null,
    },
    await duplicateKeysOf(content.metadata),
  );
  if (isLong) await turn();
  if (communities !== null) await tx.items.setCommunities(parent.id, communities);
  await shareIn(tx, { item, parent }, notes.onBehalfOf ?? null);
  if (before === null) await settleLatest(tx, parent.id);
  const now = { ...parent, communities: communities ?? parent.communities };
  const arkPending = await nameIn(core, tx, written, now, sign);
  if (arkPending) await tx.jobs.wish({ kind: MINT_JOB, subject: String(item.id) }, at);
  await wishChecksums(tx, content, before, at);
  await tx.audit(viewer, at, [
    {
      action: `item.${action}`,
      subject: `item:${item.id}`,
      detail: { revision: written.revision, version: written.versionIndex, ...noted(sign) },
    },
  ]);
  // What it says was read when it was written; what stands beside that has changed since.
  const outline = await tx.items.outline(item.id);
  if (outline === null) throw new RangeError(`Item ${item.id} was written and is not there`);
  return { item: { ...outline, content: written.content }, arkPending };
}

/** R15: the item is shared with the account it was deposited for, and says so, whether it was new or replaced. */
async function shareIn(tx: RepositoryWriter, { item, parent }: Locked, account: number | null): Promise<void> {
  if (account === null) return;
  if (item.depositedOnBehalfOf !== account) await tx.items.setOnBehalfOf(item.id, account);
  if (account === parent.owner || parent.shared.includes(account)) return;
  await tx.items.share(parent.id, [...parent.shared, account]);
}

/** MD5 of files that came without one is reckoned by a job (R7b). */
export async function wishChecksums(
  tx: RepositoryWriter,
  { files }: ItemContent,
  before: ItemContent | null,
  at: Instant,
): Promise<void> {
  const known = new Set(before?.files.map(({ storageKey }) => storageKey));
  const keys = files.filter((file) => file.md5 === null && !known.has(file.storageKey)).map((file) => file.storageKey);
  for (const subject of new Set(keys)) await tx.jobs.wish({ kind: MD5_JOB, subject }, at);
}

/** What the audit says beside the change itself. Never the On-Behalf-Of value, only whose account it was. */
export function noted({ notes }: Signed): Readonly<Record<string, unknown>> {
  return {
    ...(notes.onBehalfOf === undefined || notes.onBehalfOf === null ? {} : { on_behalf_of: notes.onBehalfOf }),
    ...(notes.activityId === undefined ? {} : { activity: notes.activityId }),
    ...(notes.package === undefined || notes.package === null ? {} : { package_sha256: notes.package.sha256 }),
  };
}

/** The published version with the highest index becomes the latest (R2a, R2c). */
export async function settleLatest(tx: RepositoryWriter, parentId: number): Promise<void> {
  const latest = latestOf(await tx.items.versionLines(parentId));
  await tx.items.setLatest(parentId, latest?.id ?? null);
}

/**
 * R6a: filing any version below the root index of a community makes the thing the community's, taking away the last such index ends that.
 * Null: nothing changes.
 *
 * @throws Refusal `invalid` when an index it is put in does not exist or was deleted.
 */
async function communitiesAfter(
  tx: RepositoryWriter,
  { item, parent }: Locked,
  content: ItemContent,
): Promise<readonly string[] | null> {
  const before = item.content?.indexes ?? [];
  const taken = before.filter((id) => !content.indexes.includes(id));
  const added = content.indexes.filter((id) => !before.includes(id));
  if (taken.length === 0 && added.length === 0) return null;
  // Otherwise an index could be deleted between being found and being filled.
  if (added.length > 0) await tx.indexes.holdTree();
  const others = taken.length === 0 ? [] : await tx.items.versions(parent.id);
  const kept = others
    .filter((version) => version.id !== item.id && version.state === "published")
    .flatMap((version) => version.content?.indexes ?? []);
  const known = await tx.items.communitiesAbove([...new Set([...taken, ...content.indexes, ...kept])]);
  const missing = added.find((id) => !known.has(id));
  if (missing !== undefined) {
    throw new Refusal("invalid", `Cannot file item ${item.id} into index ${missing}: there is no such index`, {
      detail: { index: missing },
    });
  }
  const above = (ids: readonly number[]): Set<string> => new Set(ids.flatMap((id) => known.get(id) ?? []));
  const [gained, held, lost] = [above(content.indexes), above([...content.indexes, ...kept]), above(taken)];
  const next = new Set(parent.communities.filter((id) => held.has(id) || !lost.has(id)));
  for (const id of gained) next.add(id);
  return [...next].sort();
}

/** What the public may be told of an item now: nothing while guests may not read it. */
async function publicDescription(
  tx: RepositoryWriter,
  item: Item,
  content: ItemContent,
  parent: ItemParent,
  { today }: Signed,
): Promise<ItemDescription> {
  const { record, openDate } = accessOn(content.access, today);
  if (record !== "public" || openDate > today) return UNDESCRIBED;
  const readable = mayReadRecord(GUEST, await factsOf(tx, item, content, parent), today);
  return readable ? descriptionOf(content.metadata) : UNDESCRIBED;
}

/** Mints the ARK of a published item that has none, or lets its description follow the item. True when one is still missing. */
export async function nameIn(
  { needs, naming }: Core,
  tx: RepositoryWriter,
  item: Item,
  parent: ItemParent,
  sign: Signed,
  receipts: ReceiptChoice = "first",
): Promise<boolean> {
  if (item.content === null) return false;
  if (item.ark === null && (!naming.on || item.state !== "published")) return false;
  const description = await publicDescription(tx, item, item.content, parent, sign);
  if (item.ark !== null) {
    await naming.describeIn(tx, item.ark, description, sign.at);
    return false;
  }
  const ark = await naming.mintIn(tx, item.id, needs.landingPage(item.id), description, sign.at, receipts);
  if (ark === null) return true;
  await tx.items.setArk(item.id, ark);
  return false;
}
