// Items, their parents, revisions, drafts, files, duplicate keys and locks (R2a to R2f, R18, R19): the port put
// together from one file a concern.
import type { ItemClaims, ItemLock, ItemReader, ItemWriter } from "../../../src/repository/store/items.ts";
import type { AccountId, ItemId } from "../../../src/shared/ids.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { boundTo, type OfSession, rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { oneRow, rowsAs } from "../../engine/record.ts";
import type { ItemLockTable } from "../../engine/repository-schema.ts";
import {
  readItemsAfter,
  readItemVersions,
  readParentsAfter,
  readPlacedIn,
  readSizes,
  readVersionSizes,
} from "./document-sources.ts";
import { erase } from "./erase.ts";
import { fileOfKey, filesAfter, namedKeys, setHashes } from "./file-sets.ts";
import { countItems, embargoEnded, itemIdsIn, listItemIds, openedBetween } from "./item-lists.ts";
import {
  readCommunitiesAbove,
  readContents,
  readFileNamed,
  readItem,
  readItems,
  readItemsByArk,
  readKind,
  readOutline,
  readOutlines,
  readParent,
  readParents,
  readTombstone,
  readVersionLines,
  readVersions,
  readWithParent,
} from "./item-reading.ts";
import { storable } from "./item-rows.ts";
import {
  deleteDraft,
  insertItem,
  insertVersion,
  lockItem,
  lockParentRow,
  readDraft,
  readDrafts,
  readRevision,
  readRevisions,
  saveDraft,
  setArk,
  setLatest,
  setOnBehalfOf,
  setState,
  writeRevision,
} from "./revisions.ts";
import {
  lackingSummaries,
  listChanges,
  listSummaries,
  lockDuplicates,
  readDuplicates,
  readIdentifiedAlike,
  renewSummaries,
  setDuplicateKeys,
  summariesOf,
} from "./summaries.ts";

const INSERT_TOMBSTONE = statement(
  () =>
    `insert into tombstone (item_id, reason, note, account_id, at, citation, is_visible) values ($1, $2, $3, $4, $5, $6, $7)`,
);
const DELETE_TOMBSTONE = statement(() => "delete from tombstone where item_id = $1");
const UNSHARE = statement(() => "delete from item_share where parent_id = $1");
const SHARE = bulkStatement(
  [number("parent_id"), number("account_id")],
  ({ names, from }) => `insert into item_share (${names}) select ${names} from ${from} where true`,
);
const OWNER = statement(() => "update item_parent set owner_account_id = $2 where id = $1");
const NO_GRANTS = statement(() => "delete from item_grant where parent_id = $1");
const GRANTS = bulkStatement(
  [number("parent_id"), text("subject"), number("subject_id"), text("permission")],
  ({ names, from }) => `insert into item_grant (${names}) select ${names} from ${from} where true`,
);
const NO_COMMUNITIES = statement(() => "delete from item_community where parent_id = $1");
const COMMUNITIES = bulkStatement(
  [number("parent_id"), text("community_id")],
  ({ names, from }) => `insert into item_community (${names}) select ${names} from ${from} where true`,
);
const DEFAULT_COMMUNITY = statement(() => "update item_parent set default_community = $2 where id = $1");
// A row that something refers to stays, without a draft and never published: nobody finds it.
const FORGET = statement(
  () => `delete from item where id = $1 and revision = 0 and not exists (select 1 from activity a where a.item_id = $1)
    returning parent_id`,
);
/** Behind every version there will be: its number among the versions is free. */
const FREE_VERSION_INDEX = statement(() => "update item set version_index = id where id = $1 and revision = 0");
const FORGET_LOCK = statement(() => "delete from item_lock where item_id = $1");
const FORGET_PARENT = [
  "delete from request where topic_parent = $1 and status = 'created' and not exists (select 1 from item where parent_id = $1)",
  "delete from item_share where parent_id = $1 and not exists (select 1 from item where parent_id = $1)",
  "delete from item_grant where parent_id = $1 and not exists (select 1 from item where parent_id = $1)",
  "delete from record_transfer where parent_id = $1 and not exists (select 1 from item where parent_id = $1)",
  "delete from access_link where parent_id = $1 and not exists (select 1 from item where parent_id = $1)",
  "delete from access_request where parent_id = $1 and not exists (select 1 from item where parent_id = $1)",
  "delete from item_community where parent_id = $1 and not exists (select 1 from item where parent_id = $1)",
  "delete from item_parent where id = $1 and not exists (select 1 from item where parent_id = $1)",
].map((each) => statement(() => each));

async function forgetItem(session: Session, itemId: ItemId): Promise<boolean> {
  await deleteDraft(session, itemId);
  await setDuplicateKeys(session, itemId, []);
  await run(session, FORGET_LOCK, [itemId]);
  const [row] = await rowsOf<{ parent_id: number }>(session, FORGET, [itemId]);
  if (row === undefined) {
    await run(session, FREE_VERSION_INDEX, [itemId]);
    return false;
  }
  for (const each of FORGET_PARENT) await run(session, each, [row.parent_id]);
  return true;
}

// What keeps an item from being changed (R2f, R19): a lock that expires, somebody's unsaved work, an open activity or
// review.

const LOCK = rowsAs<ItemLockTable, ItemLock>({
  itemId: "item_id",
  purpose: "purpose",
  owner: "owner",
  takenAt: "taken_at",
  expiresAt: "expires_at",
});
const HELD = statement(() => `select ${LOCK.list} from item_lock where item_id = $1 and expires_at > $2`);

/** The lock that holds at this moment. */
const readLock = (session: Session, itemId: ItemId, at: Instant): Promise<ItemLock | null> =>
  oneRow(session, HELD, [itemId, at], LOCK.read);

const TAKE = statement(
  () => `insert into item_lock (${LOCK.list}) values ($1, $2, $3, $4, $5)
    on conflict (item_id) do update set purpose = excluded.purpose, owner = excluded.owner, taken_at = excluded.taken_at,
      expires_at = excluded.expires_at
    where item_lock.expires_at <= excluded.taken_at or item_lock.owner = excluded.owner
    returning item_id`,
);
const RELEASE = statement(() => "delete from item_lock where item_id = $1 and owner = $2");

async function takeLock(session: Session, lock: ItemLock): Promise<boolean> {
  return (await rowsOf(session, TAKE, Object.values(LOCK.write(lock)))).length > 0;
}

async function releaseLock(session: Session, itemId: ItemId, owner: string): Promise<void> {
  await run(session, RELEASE, [itemId, owner]);
}

/** One row whatever there is: the lock that holds, the unsaved work, the open activity, the open review. */
const CLAIMS = statement(
  () => `select l.purpose, l.owner, l.taken_at, l.expires_at, d.editor_account_id as editor, d.activity_id as draft_activity,
      d.saved_at as draft_saved, a.active as editor_active,
      (select id from activity where item_id = $1 and state in ('M', 'B', 'P')) as activity,
      (select uuid from request where topic_item = $1 and linked = 1 and status = 'submitted') as review
    from (select 1 as one) as always
      left join item_lock l on l.item_id = $1 and l.expires_at > $2
      left join item_draft d on d.item_id = $1
      left join account a on a.id = d.editor_account_id`,
);
type ClaimsRow = {
  readonly [K in keyof Omit<ItemLockTable, "item_id">]: ItemLockTable[K] | null;
} & {
  readonly editor: AccountId | null;
  readonly draft_activity: string | null;
  readonly draft_saved: string | null;
  readonly editor_active: number | null;
  readonly activity: string | null;
  readonly review: string | null;
};

async function readClaims(session: Session, itemId: ItemId, at: Instant): Promise<ItemClaims> {
  const [row] = await rowsOf<ClaimsRow>(session, CLAIMS, [itemId, at]);
  return {
    lock: row === undefined ? null : lockOf(row, itemId),
    draft: row === undefined ? null : draftOf(row),
    activityId: row?.activity ?? null,
    reviewId: row?.review ?? null,
  };
}

function draftOf({ editor, draft_activity, draft_saved, editor_active }: ClaimsRow): ItemClaims["draft"] {
  if (editor === null || draft_saved === null) return null;
  return { editor, isEditorActive: editor_active === 1, savedAt: draft_saved, activityId: draft_activity };
}

function lockOf({ purpose, owner, taken_at, expires_at }: ClaimsRow, item_id: number): ItemLock | null {
  if (purpose === null || owner === null || taken_at === null || expires_at === null) return null;
  return LOCK.read({ item_id, purpose, owner, taken_at, expires_at });
}

const READING: OfSession<ItemReader> = {
  item: readItem,
  withParent: readWithParent,
  outline: readOutline,
  outlines: readOutlines,
  versionSizes: readVersionSizes,
  itemVersions: readItemVersions,
  sizes: readSizes,
  parentsAfter: readParentsAfter,
  itemsAfter: readItemsAfter,
  placedIn: readPlacedIn,
  fileNamed: readFileNamed,
  items: readItems,
  contents: readContents,
  itemsByArk: readItemsByArk,
  kindOf: readKind,
  parent: readParent,
  parents: readParents,
  versions: readVersions,
  versionLines: readVersionLines,
  revision: readRevision,
  revisions: readRevisions,
  draft: readDraft,
  drafts: readDrafts,
  tombstone: readTombstone,
  lock: readLock,
  claims: readClaims,
  communitiesAbove: readCommunitiesAbove,
  listItems: async (session, filter, before, limit) =>
    readItems(session, await listItemIds(session, filter, before, limit)),
  listSummaries,
  summariesOf,
  listChanges,
  lackingSummaries,
  listItemIds,
  countItems,
  itemIdsIn,
  embargoEnded,
  openedBetween,
  duplicates: readDuplicates,
  identifiedAlike: readIdentifiedAlike,
  fileOfKey,
  namedKeys,
  filesAfter,
};

const WRITING: OfSession<ItemWriter> = {
  ...READING,
  lockItem,
  lockParent: async (session, id) => ((await lockParentRow(session, id)) ? readParent(session, id) : null),
  insertItem,
  insertVersion,
  writeRevision,
  setState,
  forgetItem,
  setArk,
  setOnBehalfOf,
  setLatest,
  saveDraft,
  deleteDraft,
  renewSummaries,
  setDuplicateKeys,
  lockDuplicates,
  setHashes,
  insertTombstone: async (session, { itemId, reason, note, by, at, citation, isVisible }) => {
    const shown = isVisible ? 1 : 0;
    await run(session, INSERT_TOMBSTONE, [itemId, reason, storable(note), by, at, storable(citation), shown]);
  },
  deleteTombstone: async (session, itemId) => {
    await run(session, DELETE_TOMBSTONE, [itemId]);
  },
  share: async (session, parentId, accountIds) => {
    await run(session, UNSHARE, [parentId]);
    await SHARE(
      session,
      [...new Set(accountIds)].map((id) => [parentId, id]),
    );
  },
  setGrants: async (session, parentId, grants) => {
    await run(session, NO_GRANTS, [parentId]);
    await GRANTS(
      session,
      grants.map(({ subject, id, permission }) => [parentId, subject, id, permission]),
    );
  },
  setOwner: async (session, parentId, owner) => {
    await run(session, OWNER, [parentId, owner]);
  },
  setCommunities: async (session, parentId, communityIds) => {
    await run(session, NO_COMMUNITIES, [parentId]);
    await COMMUNITIES(
      session,
      [...new Set(communityIds)].map((id) => [parentId, id]),
    );
  },
  setDefaultCommunity: async (session, parentId, communityId) => {
    await run(session, DEFAULT_COMMUNITY, [parentId, communityId]);
  },
  takeLock,
  releaseLock,
  erase,
};

export const itemReader = (session: Session): ItemReader => boundTo(session, READING);
export const itemWriter = (session: Session): ItemWriter => boundTo(session, WRITING);
