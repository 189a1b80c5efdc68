// PUT /sword/deposit/{recid} (specification 2, "PUT differences"; R2b, R4a, R13a, R14, R16, R16a, R19): a new revision,
// a new version, or the same pending deposit again. No splitting; everything is replaced, or the metadata only.

import { claimOf, type DescribedItem, type PlannedContent } from "../../model/files/described-package.ts";
import { goneFrom, lostValues } from "../../model/item-types/checks.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import type { Access, Item, ItemContent } from "../../model/items/item.ts";
import { neighboursOf } from "../../model/items/versions.ts";
import { type Metadata, mainTitle } from "../../model/metadata/metadata.ts";
import { isMatchAsked } from "../../shared/http/entity-tags.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { lockIn } from "../items/commit-revision.ts";
import { duplicateKeysOf } from "../items/content.ts";
import { ACCESS_STATED, accessWhenFiled } from "../items/index-membership.ts";
import { ItemBusy } from "../items/locking.ts";
import { requireUpdate } from "../items/publishing.ts";
import type { Activity } from "../store/activities.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { waitsForDepositor } from "../workflow/activities.ts";
import { type Depositor, depositAs, requireDepositScopes, WORKFLOW_SCOPE } from "./admission.ts";
import { checkItem, refuseDuplicate, requireIndexes } from "./checking.ts";
import { type DepositSettings, depositSettings, type Method, registrationMethod } from "./client-settings.ts";
import { statusAnswer } from "./documents.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import { namedItems, withItemLinks, withoutNames } from "./named-items.ts";
import { LeaseRenewal } from "./receipts.ts";
import { depositRefusal, requireMatch, requireUnchanged } from "./refusals.ts";
import { claimedBy, complete, filesOfParts, type RegisterIn } from "./registering.ts";
import type { DepositAnswer } from "./request.ts";
import { type DepositParts, tooManyItems } from "./types.ts";
import { type StoredFiles, storeFiles } from "./unpacking-package.ts";

type ReplaceIn = RegisterIn & {
  readonly item: Item;
  readonly ifMatch: string | null;
};

/** How long the item stays locked when the process dies; the lock is renewed while the request works (R19). */
const LOCK_MS = 60_000;
/** How long a request with If-Match waits for another that holds the lock, and how often it tries. */
const RACE_MS = 5_000;
const RACE_STEP_MS = 100;
const UNFILED = "The item is in no index and is private until one is named (svc:index, .metadata.path).";
const FILES_IGNORED = "Only the metadata are replaced: the files of the package were left out.";

/** What is to be written, and how. */
type Replacement = {
  readonly content: ItemContent;
  readonly method: Method;
  readonly upgrade: boolean;
  /** Of the revision; absent: the default of the items service. */
  readonly action: string | undefined;
  readonly pending: Activity | null;
  readonly notes: readonly string[];
};

export async function replaceItem(parts: DepositParts, input: ReplaceIn): Promise<DepositAnswer> {
  const { item, depositor, received, pkg, finish } = input;
  const { viewer } = depositor;
  requireMatch(input.ifMatch, item.revision);
  const before = item.content ?? (await parts.store.items.draft(item.id))?.content ?? null;
  if (before === null) throw swordRefusals.beingEdited(item.id);
  const found = await depositSettings(parts.store, viewer, pkg.kind);
  const described = await describeOne(parts, input, found);
  const { definition, method } = await methodFor(parts, viewer, found, described.itemType, before);
  const isMetadataOnly = described.item.instructions.metadataReplace === true;
  const files = isMetadataOnly ? [] : (filesOfParts([described.item], pkg, received, false)[0] ?? []);
  const known = before.indexes;
  const checking = { viewer, kind: pkg.kind, files, definition, today: parts.today(), defaultIndex: null, known };
  const claims = isMetadataOnly ? { ...described.item, files: [] } : claimedBy(described.item, false);
  // Its access once it is in an index again (R16a); an item that waits for an index is filed when it is approved.
  const filed = item.content === null ? before.access : await accessWhenFiled(parts.store, item, before);
  const access = (indexes: readonly IndexId[]) =>
    indexes.length > 0 || method.workflow !== null ? filed : before.access;
  const { content: planned, notes } = await checkItem(parts.store, claims, checking, (content) =>
    replacement(content, { ...before, access }, described.item, isMetadataOnly),
  );
  const staysHidden =
    planned.access.record === "restricted" && filed.record === "public" && !statesAccess(described.item);
  if (method.duplicateCheck)
    await refuseDuplicate((metadata) => parts.items.duplicates(parts.store, metadata, item.id), planned.metadata);
  if (!found.formatSetting.active) throw swordRefusals.formatDisabled(found.format);
  const allNotes = [
    ...notes,
    ...described.notes,
    ...(isMetadataOnly && pkg.files.length > 0 ? [FILES_IGNORED] : []),
    ...(staysHidden ? [UNFILED] : []),
    ...(pkg.kind === "tsv-csv" ? lostNotes(before, planned, definition) : []),
  ];
  const upgrade = described.item.instructions.editMode === "Upgrade";
  // A package that states access while the item is in no index decides it.
  const action = planned.indexes.length === 0 && statesAccess(described.item) ? ACCESS_STATED : undefined;
  return await withLock(parts, input, async (lockOwner) => {
    let stored: StoredFiles | null = null;
    try {
      stored = await storeFiles(parts.storage, files);
      const content = isMetadataOnly ? { ...planned, files: before.files } : stored.contentOf(planned);
      return await depositAs(parts, depositor, async (tx, now) => {
        await requireRights(tx, now, item.id, content, method);
        if (method.duplicateCheck) await refuseDuplicateIn(parts, tx, item.id, content.metadata);
        const pending = await tx.activities.openActivity(item.id);
        const answer = await writeIn(parts, tx, { ...input, depositor: now }, lockOwner, {
          content,
          method,
          upgrade,
          action,
          pending,
          notes: allNotes,
        });
        await finish(tx, answer);
        return answer;
      });
    } catch (error) {
      await stored?.undoAfter(error);
      throw depositRefusal(error, item.id);
    }
  });
}

/** Locks the item for the work (message 25); refuses it where the item has changed since it was read. */
async function withLock<T>(
  parts: DepositParts,
  { item, ifMatch }: ReplaceIn,
  work: (lockOwner: string) => Promise<T>,
): Promise<T> {
  const lockOwner = await takeLock(parts, item, ifMatch).catch((error: unknown) => {
    throw depositRefusal(error, item.id);
  });
  const renewal = new LeaseRenewal({
    log: parts.log,
    lease: { lease: "item lock", item: item.id },
    renew: () => renewLock(parts, item, lockOwner),
  });
  try {
    requireUnchanged(item, await parts.store.items.item(item.id), ifMatch);
    return await work(lockOwner);
  } finally {
    await renewal.end();
    await parts.items.releaseLock(item.id, lockOwner);
  }
}

/** False: another request holds the lock. */
async function renewLock(parts: DepositParts, item: Item, lockOwner: string): Promise<boolean> {
  try {
    await parts.items.takeLock(item.id, "edit", LOCK_MS, lockOwner);
    return true;
  } catch (error) {
    if (error instanceof ItemBusy) return false;
    throw error;
  }
}

/**
 * A request with If-Match waits a short time while another request works on the item, to be refused because the
 * revision is gone (412) rather than because the item is being edited. Without If-Match it is refused at once (message
 * 25).
 */
async function takeLock(parts: DepositParts, item: Item, ifMatch: string | null): Promise<string> {
  for (let waitedMs = 0; ; waitedMs += RACE_STEP_MS) {
    try {
      return await parts.items.takeLock(item.id, "edit", LOCK_MS);
    } catch (error) {
      const isRace = error instanceof ItemBusy && error.reason === "edited" && isMatchAsked(ifMatch);
      if (!isRace) throw error;
      requireMatch(ifMatch, (await parts.store.items.item(item.id))?.revision ?? 0);
      if (waitedMs >= RACE_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, RACE_STEP_MS));
    }
  }
}

/** Again inside the transaction: of two concurrent deposits of the same item, one is refused (R18). */
async function refuseDuplicateIn(
  parts: DepositParts,
  tx: RepositoryWriter,
  itemId: ItemId,
  metadata: Metadata,
): Promise<void> {
  await tx.items.lockDuplicates(await duplicateKeysOf(metadata));
  await refuseDuplicate((searched) => parts.items.duplicates(tx, searched, itemId), metadata);
}

/** The one item of the package, which is this one (R13a). */
async function describeOne(parts: DepositParts, { pkg, item }: ReplaceIn, found: DepositSettings) {
  const { items: described, itemType } = await parts.describer.describe(pkg, found, parts.today());
  const [first] = described;
  if (first?.instructions.split === true) throw swordRefusals.itemCheck("splitting is not allowed for PUT");
  if (first === undefined || described.length > 1) throw tooManyItems(described.length);
  const { editMode } = first.instructions;
  if (editMode !== undefined && editMode !== "Keep" && editMode !== "Upgrade") {
    throw swordRefusals.itemCheck(`edit mode "${editMode}" is neither Keep nor Upgrade`);
  }
  const named = await namedItems(first, { items: parts.store.items, landingPage: parts.addresses.landingPage });
  const other = named.ids.find((id) => id !== item.id);
  if (other !== undefined) {
    throw new SwordError("BadRequest", `Item id does not match. item: ${other}, request: ${item.id}`);
  }
  const own = { ...first, metadata: withoutNames(first.metadata, named) };
  const linking = {
    items: parts.store.items,
    landingPage: parts.addresses.landingPage,
    localIds: new Set([first.localId]),
  };
  return { item: await withItemLinks(await complete(parts, own, found), linking), itemType, notes: named.notes };
}

async function methodFor(
  parts: DepositParts,
  viewer: RegisterIn["depositor"]["viewer"],
  found: DepositSettings,
  itemType: number | null,
  before: ItemContent,
) {
  if (itemType !== null && itemType !== before.itemType) {
    throw swordRefusals.itemCheck(`the package has item type ${itemType}, the item ${before.itemType}`);
  }
  const method = await registrationMethod(parts.store.settings, viewer, found, itemType);
  return { method, definition: await parts.describer.itemType(before.itemType, found) };
}

async function writeIn(
  parts: DepositParts,
  tx: RepositoryWriter,
  input: ReplaceIn,
  lockOwner: string,
  replacement: Replacement,
): Promise<DepositAnswer> {
  const { item, depositor, received, proxy } = input;
  const { content, method, upgrade, pending, notes } = replacement;
  const note = { name: received.name, sha256: received.sha256 };
  // A request with If-Match replaces that revision, also when an index is deleted at the same time.
  const expected = isMatchAsked(input.ifMatch) && item.state !== "draft" ? item.revision : null;
  const more = { expected, content, onBehalfOf: proxy?.id ?? null, package: note, lockOwner };
  if (pending !== null && waitsForDepositor(pending) && pending.account === depositor.account.id) {
    return await resubmit(parts, tx, input, pending, lockOwner, replacement);
  }
  if (item.state === "draft") throw swordRefusals.beingEdited(item.id);
  if (upgrade && !item.isLatest)
    throw new SwordError("BadRequest", `Item ${item.id} is not the latest version: it cannot be upgraded.`);
  const replaces = upgrade ? item.id : null;
  if (method.workflow === null) {
    const write = upgrade ? parts.items.newVersion : parts.items.revise;
    const named = upgrade || replacement.action === undefined ? more : { ...more, action: replacement.action };
    const { item: written } = await write(tx, depositor.viewer, item.id, named);
    const links = await linksIn(tx, written);
    return statusAnswer(parts.addresses, 200, { ...links, item: written, activityId: null, notes });
  }
  // A new version is a separate draft, which the activity is about.
  const about = upgrade ? (await parts.items.newVersionDraft(tx, depositor.viewer, item.id, more)).item : item;
  const began = await parts.activities.begin(tx, depositor.viewer, {
    kind: "update",
    workflow: method.workflow,
    itemId: about.id,
    title: mainTitle(content.metadata),
    onBehalfOf: proxy?.id ?? null,
    packageName: received.name,
    packageSha256: received.sha256,
    isFiled: content.indexes.length > 0,
    lockOwner,
    saveDraft: (activityId) => parts.items.saveDraft(tx, depositor.viewer, about.id, { ...more, activityId }),
  });
  return await workflowAnswer(parts, tx, began.item ?? about, began, notes, replaces);
}

async function resubmit(
  parts: DepositParts,
  tx: RepositoryWriter,
  input: ReplaceIn,
  pending: Activity,
  lockOwner: string,
  replacement: Replacement,
) {
  const { item, depositor, received, proxy } = input;
  const { content, notes } = replacement;
  await parts.items.saveDraft(tx, depositor.viewer, item.id, {
    content,
    activityId: pending.id,
    lockOwner,
    pending: true,
  });
  const resubmitted = await parts.activities.resubmit(tx, depositor.viewer, pending.id, {
    title: mainTitle(content.metadata),
    onBehalfOf: proxy?.id ?? null,
    packageName: received.name,
    packageSha256: received.sha256,
    isFiled: content.indexes.length > 0,
    lockOwner,
  });
  return await workflowAnswer(parts, tx, resubmitted.item ?? item, resubmitted, notes);
}

/** `replaces`: the version that a pending one replaces when it is published. */
async function workflowAnswer(
  parts: DepositParts,
  tx: RepositoryWriter,
  item: Item,
  { activity, done }: { activity: Activity; done: boolean },
  notes: readonly string[],
  replaces: number | null = null,
): Promise<DepositAnswer> {
  const allNotes = activity.note === "" ? notes : [...notes, `${activity.note}.`];
  const links = await linksIn(tx, item);
  return statusAnswer(parts.addresses, done ? 200 : 202, {
    ...links,
    item: done ? item : { ...item, depositedOnBehalfOf: activity.onBehalfOf ?? item.depositedOnBehalfOf },
    replaces: links.replaces ?? replaces,
    activityId: done ? null : activity.id,
    notes: allNotes,
  });
}

/** The versions before and after it. Those who may change an item may read all versions of it. */
async function linksIn(tx: RepositoryWriter, { id, parentId }: Item) {
  return { ...neighboursOf(await tx.items.versionLines(parentId), id), parts: [] };
}

/**
 * The depositor may still change the item and file it in its new indexes (R2g). @throws Refusal, SwordError message 11.
 */
async function requireRights(
  tx: RepositoryWriter,
  { viewer }: Depositor,
  id: ItemId,
  { indexes }: ItemContent,
  { workflow }: Method,
): Promise<void> {
  const locked = await lockIn(tx, id);
  requireUpdate(locked, viewer);
  if (workflow !== null) requireDepositScopes(viewer, [WORKFLOW_SCOPE]);
  const known = (locked.item.content ?? (await tx.items.draft(id))?.content)?.indexes ?? [];
  await requireIndexes(
    tx,
    viewer,
    indexes.filter((id) => !known.includes(id)),
  );
}

/**
 * What the package does not state stays: indexes, access and opening day; the files, when only metadata are replaced.
 */
function replacement(
  content: PlannedContent,
  before: Omit<ItemContent, "access"> & { readonly access: (indexes: readonly IndexId[]) => Access },
  described: DescribedItem,
  isMetadataOnly: boolean,
): PlannedContent {
  const { instructions, access } = described;
  const indexes =
    instructions.index === undefined || instructions.index.length === 0 ? before.indexes : content.indexes;
  const statesDay = instructions.openDate !== undefined || access?.openDate !== undefined;
  return {
    ...content,
    itemTypeVersion: content.itemTypeVersion,
    access: {
      ...before.access(indexes),
      ...(statesAccess(described) ? { record: content.access.record } : {}),
      ...(statesDay ? { openDate: content.access.openDate } : {}),
    },
    indexes,
    files: isMetadataOnly ? before.files.map(({ storageKey: _, ...file }) => file) : content.files,
  };
}

/** Whether the package states who may read the record. */
function statesAccess({ instructions, access }: DescribedItem): boolean {
  return instructions.publishStatus !== undefined || access?.record !== undefined;
}

/** R4a: canonical values that the table has no column for and that the replacement loses. */
function lostNotes(before: ItemContent, after: PlannedContent, definition: ItemTypeDefinition): readonly string[] {
  if (JSON.stringify([before.metadata, before.files]).length > LOST_CHARACTERS) {
    return ["The item had more values than can be compared here: those without a column in the table were replaced."];
  }
  const lost = lostValues(before.metadata, definition, before.files.map(claimOf));
  const gone = goneFrom([after.metadata, after.files], lost);
  if (gone.length === 0) return [];
  const named = gone.slice(0, LOST_SHOWN).map(({ path }) => path);
  const more = gone.length > named.length ? ` and ${gone.length - named.length} more` : "";
  return [`The table has no column for the item's ${named.join(", ")}${more}: these values were replaced.`];
}

/** The comparison converts the metadata to the form and back: this many characters take some tens of milliseconds. */
const LOST_CHARACTERS = 256 * 1024;
/** Values that a note names by their path. */
const LOST_SHOWN = 50;
