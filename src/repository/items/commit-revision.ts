// One committed change of an item's published side (R2b): revision, files, indexes, communities, duplicate keys, latest
// version, ARK and audit, all inside the transaction it is given.

import { GUEST, type Viewer } from "../../auth/account.ts";
import { accessOn, type Lineage, mayReadRecord } from "../../model/access/visibility.ts";
import { type AgentLinks, allLinks, linkedAuthors, mapAgents, withLink } from "../../model/agents/author-links.ts";
import type { Item, ItemContent, ItemParent, WithParent } from "../../model/items/item.ts";
import { latestOf } from "../../model/items/versions.ts";
import { doiKeys } from "../../model/metadata/duplicate-keys.ts";
import { EMPTY_METADATA, type Metadata } from "../../model/metadata/metadata.ts";
import type { AccountId, IndexId, ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { dayIn } from "../../shared/time/day.ts";
import { LONG_LIST, LONG_TEXT, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { LinkedAuthors } from "../store/authors.ts";
import { FULL_TEXT_JOB, readFiles } from "../store/full-text.ts";
import type { Lineages } from "../store/indexes.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { factsWith, lineagesOf } from "./access-facts.ts";
import { checkContent, digests, duplicateKeysOf } from "./content.ts";
import { descriptionOf, type ItemDescription, type Naming, type ReceiptChoice, UNDESCRIBED } from "./item-ark.ts";
import { MD5_JOB } from "./storage-jobs.ts";
import { type ChangeContext, type ChangeNotes, type ItemsNeeds, MINT_JOB, type WriteOutcome } from "./types.ts";

export type Core = { readonly needs: ItemsNeeds; readonly naming: Naming };

export function signed(needs: ItemsNeeds, viewer: Viewer, notes: ChangeNotes): ChangeContext {
  const at = needs.clock.now();
  return { viewer, at, today: dayIn(needs.timeZone, at), notes };
}

/**
 * An item that is locked, with its parent, in the transaction at hand. `isNew`: it was made there, and nobody else sees
 * it yet.
 */
export type LockedItem = WithParent & { readonly isNew?: boolean };

/** @throws Refusal `not_found` when there is no such item; a parent's number names none (R2a). */
export async function lockIn(tx: RepositoryWriter, id: ItemId): Promise<LockedItem> {
  const locked = await tx.items.lockItem(id);
  if (locked === null) throw new Refusal("not_found", `Item ${id} does not exist`);
  return locked;
}

/**
 * The published content of an item that is being changed. @throws Refusal `gone` when it was deleted, `not_found` when
 * never published.
 */
export function publishedContent<Content>(
  item: Pick<Item, "id" | "state"> & { readonly content: Content | null },
): Content {
  if (item.state === "deleted") throw new Refusal("gone", `Item ${item.id} was deleted`);
  if (item.content === null) throw new Refusal("not_found", `Item ${item.id} is not published`);
  return item.content;
}

/** @throws Refusal `precondition` when the caller has seen another revision than the one that is there. */
export function requireRevision(item: Item, { notes }: ChangeContext): void {
  const { expected } = notes;
  if (expected === undefined || expected === null || expected === item.revision) return;
  throw new Refusal("precondition", `Item ${item.id} is at revision ${item.revision}, not ${expected}`, {
    detail: { expected, revision: item.revision },
  });
}

/**
 * Locks DOIs until the transaction ends, so that of two that publish one DOI the second sees the first (R38).
 *
 * @param before its DOIs are not new: nobody waits for them.
 */
export async function lockDois(
  tx: RepositoryWriter,
  metadata: readonly Metadata[],
  before: Metadata = EMPTY_METADATA,
): Promise<void> {
  const known = new Set(doiKeys(before).map(({ text }) => text));
  const keys = metadata.flatMap(doiKeys).filter(({ text }) => !known.has(text));
  if (keys.length > 0) await tx.items.lockDuplicates(digests(keys));
}

/**
 * Writes `content` as the next revision of a locked item; an item that was never published becomes public by it.
 *
 * @throws Refusal `invalid` for content no item may have, and for an index that is not there.
 */
export async function commitIn(
  core: Core,
  tx: RepositoryWriter,
  { item, parent, isNew = false }: LockedItem,
  given: ItemContent,
  action: string,
  sign: ChangeContext,
): Promise<WriteOutcome> {
  const isLong = checkContent(given) > LONG_TEXT || given.files.length > LONG_LIST;
  if (isLong) await yieldToEventLoop();
  const content = await linkedIn(tx, given);
  const before = item.content;
  const { viewer, at, notes } = sign;
  const filing = await filedInto(tx, { item, parent }, content, notes.lineages);
  await lockDois(tx, [content.metadata], before?.metadata);
  const onBehalfOf = notes.onBehalfOf ?? null;
  const written = await tx.items.writeRevision(
    item,
    content,
    {
      action,
      at,
      by: viewer.account?.id ?? null,
      onBehalfOf,
      packageName: notes.package?.name ?? null,
      packageSha256: notes.package?.sha256 ?? null,
    },
    { keys: await duplicateKeysOf(content.metadata), isNew },
  );
  if (isLong) await yieldToEventLoop();
  await passAgainIn(tx, item.id, content, action);
  if (filing.communities !== null) await tx.items.setCommunities(parent.id, filing.communities);
  await shareIn(tx, { item, parent }, onBehalfOf);
  const isLatest = before === null ? (await settleLatest(tx, parent, written)) === item.id : item.isLatest;
  const now = { item: written, parent: { ...parent, communities: filing.communities ?? parent.communities } };
  const { ark, pending } = await nameIn(core, tx, now, sign, { lineages: filing.lineages });
  if (pending) await tx.jobs.enqueue({ kind: MINT_JOB, subject: String(item.id) }, at);
  await enqueueChecksums(tx, content, before, at);
  if (core.needs.fullText === true) await enqueueTexts(tx, item.id, content, before, at);
  await tx.audit(viewer, at, [
    {
      action: `item.${action}`,
      subject: `item:${item.id}`,
      detail: { revision: written.revision, version: written.versionIndex, ...noted(sign) },
    },
  ]);
  const depositedOnBehalfOf = onBehalfOf ?? item.depositedOnBehalfOf;
  return { item: { ...written, ark, isLatest, depositedOnBehalfOf }, arkPending: pending };
}

/**
 * R15: the item is shared with the account it was deposited for, and records that account, whether it was new or
 * replaced.
 */
async function shareIn(tx: RepositoryWriter, { item, parent }: LockedItem, account: AccountId | null): Promise<void> {
  if (account === null) return;
  if (item.depositedOnBehalfOf !== account) await tx.items.setOnBehalfOf(item.id, account);
  if (account === parent.owner || parent.shared.includes(account)) return;
  await tx.items.share(parent.id, [...parent.shared, account]);
}

/** MD5 of files that came without one is reckoned by a job (R7b). */
async function enqueueChecksums(
  tx: RepositoryWriter,
  { files }: ItemContent,
  before: ItemContent | null,
  at: Instant,
): Promise<void> {
  const known = new Set(before?.files.map(({ storageKey }) => storageKey));
  const keys = files.filter((file) => file.md5 === null && !known.has(file.storageKey)).map((file) => file.storageKey);
  for (const subject of new Set(keys)) await tx.jobs.enqueue({ kind: MD5_JOB, subject }, at);
}

/** The words of files that were not there before, or were kept out, are read by a job (R35). */
async function enqueueTexts(
  tx: RepositoryWriter,
  id: ItemId,
  content: ItemContent,
  before: ItemContent | null,
  at: Instant,
): Promise<void> {
  const known = new Set(before === null ? [] : readFiles(before).map(({ sha256 }) => sha256));
  const isNew = readFiles(content).some(({ sha256 }) => !known.has(sha256));
  if (isNew) await tx.jobs.enqueue({ kind: FULL_TEXT_JOB, subject: String(id) }, at);
}

/**
 * Details in the audit in addition to the change itself. Never the value of On-Behalf-Of, only the account it names.
 */
export function noted({ notes }: ChangeContext): Readonly<Record<string, unknown>> {
  return {
    ...(notes.onBehalfOf === undefined || notes.onBehalfOf === null ? {} : { on_behalf_of: notes.onBehalfOf }),
    ...(notes.activityId === undefined ? {} : { activity: notes.activityId }),
    ...(notes.package === undefined || notes.package === null ? {} : { package_sha256: notes.package.sha256 }),
  };
}

/**
 * The published version with the highest index becomes the latest (R2a, R2c). `written`: the one published now. Returns
 * the latest.
 */
export async function settleLatest(
  tx: RepositoryWriter,
  parent: ItemParent,
  written: Item | null,
): Promise<number | null> {
  // Where there was none, there is no other.
  const isOnly = parent.latest === null && written !== null;
  const latest = isOnly ? written : latestOf(await tx.items.versionLines(parent.id));
  await tx.items.setLatest(parent.id, latest?.id ?? null);
  return latest?.id ?? null;
}

/**
 * What filing an item changes and what it rests on. `lineages`: those of the item's indexes, where they had to be read.
 */
type Filing = { readonly communities: readonly string[] | null; readonly lineages?: readonly Lineage[] };

/**
 * R6a: filing any version below the root index of a community makes the thing the community's, taking away the last
 * such index ends that. `communities` null: nothing changes.
 *
 * @throws Refusal `invalid` when a new index does not exist or was deleted.
 */
async function filedInto(
  tx: RepositoryWriter,
  { item, parent }: LockedItem,
  content: ItemContent,
  read: Lineages = new Map(),
): Promise<Filing> {
  const before = item.content?.indexes ?? [];
  const taken = before.filter((id) => !content.indexes.includes(id));
  const added = content.indexes.filter((id) => !before.includes(id));
  if (taken.length === 0 && added.length === 0) return { communities: null };
  const isRead = taken.length === 0 && content.indexes.every((id) => read.has(id));
  // Otherwise an index could be deleted between being found and being filled.
  if (added.length > 0 && !isRead) await tx.indexes.holdTree();
  const others = taken.length === 0 ? [] : await tx.items.versions(parent.id);
  const kept = others
    .filter((version) => version.id !== item.id && version.state === "published")
    .flatMap((version) => version.content?.indexes ?? []);
  const known = isRead ? read : await tx.indexes.lineages([...new Set([...taken, ...content.indexes, ...kept])]);
  const missing = added.find((id) => !known.has(id));
  if (missing !== undefined) {
    throw new Refusal("invalid", `Cannot file item ${item.id} into index ${missing}: there is no such index`, {
      detail: { index: missing },
    });
  }
  const lineageOf = (id: IndexId) => known.get(id) ?? [];
  const above = (ids: readonly IndexId[]): Set<string> =>
    new Set(ids.flatMap(lineageOf).flatMap(({ rootOf }) => rootOf));
  const [gained, held, lost] = [above(content.indexes), above([...content.indexes, ...kept]), above(taken)];
  const next = new Set(parent.communities.filter((id) => held.has(id) || !lost.has(id)));
  for (const id of gained) next.add(id);
  const isSame = next.size === parent.communities.length && parent.communities.every((id) => next.has(id));
  return { communities: isSame ? null : [...next].sort(), lineages: content.indexes.map(lineageOf) };
}

/** The public description of an item now: empty while guests may not read it. */
async function publicDescription(
  tx: RepositoryWriter,
  { item, parent }: WithParent,
  content: ItemContent,
  { today }: ChangeContext,
  known: readonly Lineage[] | undefined,
): Promise<ItemDescription> {
  const { record, openDate } = accessOn(content.access, today);
  if (record !== "public" || openDate > today) return UNDESCRIBED;
  const lineages = known ?? (await lineagesOf(tx.indexes, content.indexes));
  const readable = mayReadRecord(GUEST, factsWith(item, content, parent, lineages), today);
  return readable ? descriptionOf(content.metadata) : UNDESCRIBED;
}

/** `lineages`: of the item's indexes, where they were read in this transaction. */
type NameIn = { readonly receipts?: ReceiptChoice; readonly lineages?: readonly Lineage[] | undefined };

/** The name of an item; `pending`: one is still missing. */
type ArkOutcome = { readonly ark: string | null; readonly pending: boolean };

/** Mints the ARK of a published item that has none, or lets its description follow the item. */
export async function nameIn(
  { needs, naming }: Core,
  tx: RepositoryWriter,
  found: WithParent,
  sign: ChangeContext,
  { receipts = "first", lineages }: NameIn = {},
): Promise<ArkOutcome> {
  const { item } = found;
  const unchanged = { ark: item.ark, pending: false };
  if (item.content === null) return unchanged;
  if (item.ark === null && (!naming.on || item.state !== "published")) return unchanged;
  const description = await publicDescription(tx, found, item.content, sign, lineages);
  if (item.ark !== null) {
    await naming.describe(tx, item.ark, description, sign.at);
    return unchanged;
  }
  const ark = await naming.mint(tx, item.id, needs.landingPage(item.id), description, sign.at, receipts);
  if (ark !== null) await tx.items.setArk(item.id, ark);
  return { ark, pending: ark === null };
}

// Agents of an item are linked to the author database in the transaction that publishes them (R6a, R23): by the link
// they carry, by a number of the repository's own scheme, by any other identifier that one author alone has.

/**
 * What a revision is called that only follows an author's record: no change of an author has to come by again because
 * of it.
 */
export const FOLLOWS_AUTHOR = "author";

/** The content with every agent linked to whom it means, and to nobody where that is nobody or not clear. */
async function linkedIn(tx: RepositoryWriter, content: ItemContent): Promise<ItemContent> {
  const { ofAgents, ...sought } = allLinks(content.metadata);
  if (sought.authors.length + sought.numbers.length + sought.keys.length === 0) return content;
  const found = await tx.authors.findLinks(sought);
  const metadata = mapAgents(content.metadata, (agent) => {
    const links = ofAgents.get(agent);
    return links === undefined ? agent : withLink(agent, meant(links, found));
  });
  return metadata === content.metadata ? content : { ...content, metadata };
}

/** The plainest identification counts; identifiers of several persons identify nobody. */
function meant({ author, number, keys }: AgentLinks, found: LinkedAuthors): number | null {
  const named = (author === null ? undefined : found.authors.get(author)) ?? found.numbers.get(number ?? 0);
  if (named !== undefined) return named;
  const [first, ...others] = new Set(keys.flatMap((key) => found.keys.get(key) ?? []));
  return first === undefined || others.length > 0 ? null : first;
}

/** Applies the present authors to a written item, also where the job of a changed author has passed it already. */
async function passAgainIn(
  tx: RepositoryWriter,
  itemId: ItemId,
  { metadata }: ItemContent,
  action: string,
): Promise<void> {
  if (action === FOLLOWS_AUTHOR) return;
  const authors = linkedAuthors(metadata);
  if (authors.length > 0) await tx.authors.passAgain(authors, itemId);
}
