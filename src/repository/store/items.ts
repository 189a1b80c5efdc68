// Items, parents, revisions, drafts, files by name, tombstones, duplicate keys, locks (R2a to R2f, R18, R19).

import type { SizedEntry } from "../../model/files/size-slices.ts";
import type {
  Draft,
  Grant,
  Item,
  ItemContent,
  ItemFile,
  ItemParent,
  ItemState,
  MeasuredOutline,
  Revision,
  Tombstone,
  VersionLine,
  WithParent,
} from "../../model/items/item.ts";
import type { ItemSummary } from "../../model/items/summary.ts";
import type { AccountId, IndexId, ItemId, ParentId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";

export type LockPurpose = "edit" | "import";
export type ItemLock = {
  readonly itemId: ItemId;
  readonly purpose: LockPurpose;
  /** Random, so that only who took it can release it. */
  readonly owner: string;
  readonly takenAt: Instant;
  readonly expiresAt: Instant;
};

/** An item and the digest of an identifier that it has. */
export type IdentifiedItem = { readonly id: ItemId; readonly digest: string };

export type DuplicateKey = { readonly kind: "identifier" | "work"; readonly digest: string };

/** What a revision is written with in addition to the item itself. */
export type RevisionIn = Omit<Revision, "content" | "revision" | "itemId" | "erasedAt">;

/**
 * What is written with a revision. `isNew`: the item was created in this transaction, so that nothing of it is stored
 * yet.
 */
export type RevisionOptions = { readonly keys: readonly DuplicateKey[]; readonly isNew?: boolean };

export interface ItemReader {
  item(id: ItemId): Promise<Item | null>;
  withParent(id: ItemId): Promise<WithParent | null>;
  items(ids: readonly ItemId[]): Promise<readonly Item[]>;
  /** The items that have these ARKs (`naan/name`), in any state; ARKs that no item has are left out. */
  itemsByArk(arks: readonly string[]): Promise<ReadonlyMap<string, ItemId>>;
  /** The item without its content and its files, however large they are, and its parent. */
  outline(id: ItemId): Promise<WithParent<MeasuredOutline> | null>;
  /** The same of many, in the order asked for; ids that name no item are left out. */
  outlines(ids: readonly ItemId[]): Promise<readonly WithParent<MeasuredOutline>[]>;
  /** Every version of these parents that was not deleted, by parent and version. */
  versionSizes(parentIds: readonly ParentId[]): Promise<readonly (PlacedItem & SizedEntry)[]>;
  /** These versions with their content: the source of search documents (R34). */
  itemVersions(ids: readonly ItemId[]): Promise<readonly ItemVersion[]>;
  /** In the order asked for; ids that name no item are left out. */
  sizes(ids: readonly ItemId[]): Promise<readonly (PlacedItem & SizedEntry)[]>;
  /** Numbers of parents, behind `after`. */
  parentsAfter(after: ParentId, limit: number): Promise<readonly ParentId[]>;
  /** Items that were not deleted, by number behind `after`. */
  itemsAfter(after: ItemId, limit: number): Promise<readonly PlacedItem[]>;
  /** The items in an index itself, in whatever state, by item after `after`. */
  placedIn(indexId: IndexId, after: ItemId, limit: number): Promise<readonly PlacedItem[]>;
  /** The file of the published side that has the first of these names that one has. */
  fileNamed(itemId: ItemId, names: readonly string[]): Promise<ItemFile | null>;
  /** The kind of a number; null when it was never assigned. */
  kindOf(id: number): Promise<"item" | "parent" | null>;
  parent(id: ParentId): Promise<ItemParent | null>;
  /** All versions of a parent by `version_index`. */
  versions(parentId: ParentId): Promise<readonly Item[]>;
  /** The same without their content, however many they are. */
  versionLines(parentId: ParentId): Promise<readonly VersionLine[]>;
  revision(itemId: ItemId, revision: number): Promise<Revision | null>;
  /** Oldest first, without content. */
  revisions(itemId: ItemId): Promise<readonly Omit<Revision, "content">[]>;
  draft(itemId: ItemId): Promise<Draft | null>;
  /** Those of these items that there are, in any order. */
  drafts(itemIds: readonly ItemId[]): Promise<readonly Draft[]>;
  tombstone(itemId: ItemId): Promise<Tombstone | null>;
  lock(itemId: ItemId, at: Instant): Promise<ItemLock | null>;
  /** Owners, shares and communities of these parents, by id. */
  parents(ids: readonly ParentId[]): Promise<ReadonlyMap<ParentId, ItemParent>>;
  /** The claims that prevent a change of the item at that moment (R2f, R19). */
  claims(itemId: ItemId, at: Instant): Promise<ItemClaims>;
  /** Live ones among these indexes, each with the communities whose subtree contains it (R6a). */
  communitiesAbove(indexIds: readonly IndexId[]): Promise<ReadonlyMap<IndexId, readonly string[]>>;
  /** Published items with an embargo that ends on this day or ended before it, by id behind `after` (R2d). */
  embargoEnded(day: Day, after: ItemId, limit: number): Promise<readonly ItemId[]>;
  /** Published items whose open date lies behind `since` and not behind `until`, by id behind `after` (R2d). */
  openedBetween(since: Day, until: Day, after: ItemId, limit: number): Promise<readonly ItemId[]>;
  /** By id, descending, below `before`; items of an index, of an owner, in a state, unfiled. */
  listItems(filter: ItemFilter, before: ItemId | null, limit: number): Promise<readonly Item[]>;
  /** The same, of each as much as a list shows (R9a). */
  listSummaries(filter: ItemFilter, before: ItemId | null, limit: number): Promise<readonly ItemSummary[]>;
  /** Metadata and files of these items as they were published last, in no order. */
  contents(ids: readonly ItemId[]): Promise<readonly ContentOfItem[]>;
  /** Of these items, in this order, as much as a list shows; numbers of nothing are left out. */
  summariesOf(ids: readonly ItemId[]): Promise<readonly ItemSummary[]>;
  /** The same, when each was changed. */
  listChanges(filter: ItemFilter, before: ItemId | null, limit: number): Promise<readonly ChangedItem[]>;
  /** Among at most `limit` items after `after`, those whose summary is missing or out of date. */
  lackingSummaries(after: ItemId, limit: number): Promise<LackingSummaries>;
  /** The same, their numbers only. */
  listItemIds(filter: ItemFilter, before: ItemId | null, limit: number): Promise<readonly ItemId[]>;
  countItems(filter: ItemFilter): Promise<number>;
  /** Items in each of these indexes themselves (not below them), published ones. */
  itemIdsIn(indexId: IndexId, before: ItemId | null, limit: number): Promise<readonly ItemId[]>;
  /** Latest, published or pending items that share one of the keys, `except` left out; at most `limit`. */
  duplicates(keys: readonly DuplicateKey[], except: ItemId | null, limit: number): Promise<readonly ItemId[]>;
  /** Published items of other parents that have one of these identifiers, by number; at most `limit`. */
  identifiedAlike(digests: readonly string[], parentId: ParentId, limit: number): Promise<readonly IdentifiedItem[]>;
  /** Of these storage keys, those that some file set names. */
  namedKeys(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** One of the files that name these bytes; null when none does any more. */
  fileOfKey(storageKey: string): Promise<ItemFile | null>;
  /** Every file that is named, by storage key, page by page. */
  filesAfter(key: string, limit: number): Promise<readonly ItemFile[]>;
}

/** `draft`: the content of its draft where it was never published, and when it was saved. */
export type ItemVersion = WithParent & { readonly draft: ItemContent | null; readonly savedAt: Instant | null };
export type PlacedItem = { readonly item: ItemId; readonly parent: ParentId };

export type ChangedItem = { readonly id: ItemId; readonly updatedAt: Instant };

/** `last`: the last item that was checked; null after the last of all. */
export type ContentOfItem = Pick<Item, "id" | "revision"> & Pick<ItemContent, "metadata" | "files">;

export type LackingSummaries = {
  /** `bytes`: of its metadata. */
  readonly items: readonly { readonly id: ItemId; readonly bytes: number }[];
  readonly last: ItemId | null;
};

export type ItemFilter = {
  /** Numbers from this one on: without it a list that finds few reads all that are older. */
  readonly from?: ItemId;
  /** Versions of one thing. */
  readonly parent?: ParentId;
  readonly index?: IndexId;
  /** Published or drafted under this item type, in any version of it. */
  readonly itemType?: number;
  readonly owner?: AccountId;
  readonly state?: ItemState;
  /** In no index at all. */
  readonly unfiled?: boolean;
  readonly withoutArk?: boolean;
  readonly latestOnly?: boolean;
  /** Only what this viewer may read (R2d); absent: everything. */
  readonly visibleTo?: Sight;
};

/** What a viewer without the administrator's role sees (R2d). */
export type Sight = {
  readonly today: Day;
  /** Indexes that may be browsed. */
  readonly indexes: readonly IndexId[];
  /** Null: nobody is signed in. */
  readonly account: AccountId | null;
  /** Groups of the account. */
  readonly groups: readonly number[];
  /** Communities that are curated. */
  readonly communities: readonly string[];
};

export type ReckonedHashes = { readonly sha256: string; readonly md5: string };

export type ItemClaims = {
  readonly lock: ItemLock | null;
  /**
   * The unsaved work on the item: whose it is, whether that account is active, when it was saved, and the activity that
   * holds it.
   */
  readonly draft: {
    readonly editor: AccountId;
    readonly isEditorActive: boolean;
    readonly savedAt: Instant;
    readonly activityId: string | null;
  } | null;
  /** The open activity of the item. */
  readonly activityId: string | null;
  /** The request by which its draft waits for a community. */
  readonly reviewId: string | null;
};

export interface ItemWriter extends ItemReader {
  /** The item, locked until the end of the transaction, with its parent and so with all its versions. */
  lockItem(id: ItemId): Promise<WithParent | null>;
  lockParent(id: ParentId): Promise<ItemParent | null>;
  /** A new parent and its first item, in state draft, revision 0. */
  insertItem(item: {
    readonly owner: AccountId;
    readonly depositedBy: AccountId | null;
    readonly depositedOnBehalfOf: AccountId | null;
    readonly at: Instant;
  }): Promise<WithParent>;
  /** The next version under an existing parent, in state draft, revision 0. */
  insertVersion(
    parentId: ParentId,
    item: Pick<Item, "depositedBy" | "depositedOnBehalfOf"> & { readonly at: Instant },
  ): Promise<Item>;
  /**
   * Writes the published side of a locked item: content, indexes, a new revision row, duplicate keys. Returns the item
   * with its new revision.
   */
  writeRevision(item: Item, content: ItemContent, revision: RevisionIn, options: RevisionOptions): Promise<Item>;
  setState(itemId: ItemId, state: ItemState, at: Instant): Promise<void>;
  /**
   * Removes an item that was never published and that nothing refers to; its number is not used again. False when it
   * has to stay.
   */
  forgetItem(itemId: ItemId): Promise<boolean>;
  setArk(itemId: ItemId, ark: string): Promise<void>;
  /** For whom the item was deposited last (R15). */
  setOnBehalfOf(itemId: ItemId, accountId: AccountId): Promise<void>;
  setLatest(parentId: ParentId, itemId: ItemId | null): Promise<void>;
  saveDraft(draft: Draft): Promise<void>;
  deleteDraft(itemId: ItemId): Promise<void>;
  /**
   * Writes what lists show of these items from their present content, in two statements. An item that another
   * transaction changes is left out: that one writes its summary.
   */
  renewSummaries(ids: readonly ItemId[]): Promise<void>;
  /** Duplicate keys of what only a draft holds (pending deposits). */
  setDuplicateKeys(itemId: ItemId, keys: readonly DuplicateKey[]): Promise<void>;
  /**
   * Stores the hashes of bytes that were too large to be hashed while they were written (R7b); known hashes stay.
   * Returns the items whose published side shows them and had no SHA-256 before.
   */
  setHashes(storageKey: string, hashes: ReckonedHashes): Promise<readonly ItemId[]>;
  /**
   * Until the end of the transaction no other one searches for duplicates by these keys: of two that register the same,
   * one sees the other.
   */
  lockDuplicates(keys: readonly DuplicateKey[]): Promise<void>;
  insertTombstone(tombstone: Tombstone): Promise<void>;
  deleteTombstone(itemId: ItemId): Promise<void>;
  /** Accounts that edit. */
  share(parentId: ParentId, accountIds: readonly AccountId[]): Promise<void>;
  /** Rights beyond those of accounts that edit; what was there goes. */
  setGrants(parentId: ParentId, grants: readonly Grant[]): Promise<void>;
  setOwner(parentId: ParentId, owner: AccountId): Promise<void>;
  setCommunities(parentId: ParentId, communityIds: readonly string[]): Promise<void>;
  /** Null: without a default. */
  setDefaultCommunity(parentId: ParentId, communityId: string | null): Promise<void>;
  /** False when somebody else holds it at `takenAt`. */
  takeLock(lock: ItemLock): Promise<boolean>;
  releaseLock(itemId: ItemId, owner: string): Promise<void>;
  /**
   * Destroys the content of a revision, or one file of it (courts, privacy); the row and its number stay. Without a
   * revision: of all of them, and without a file also the item's present content. Returns how many revisions were
   * touched.
   */
  erase(itemId: ItemId, revision: number | null, file: string | null, at: Instant): Promise<number>;
}
