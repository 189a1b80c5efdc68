// What keeps an item from being changed (R2f, R19): a lock that expires, somebody's unsaved work, an open activity or review.

import type { ItemClaims, ItemLock } from "../../../src/repository/store/items.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { oneRow, rowsAs } from "../../engine/record.ts";
import type { ItemLockTable } from "../../engine/repository-schema.ts";

const LOCK = rowsAs<ItemLockTable, ItemLock>({
  itemId: "item_id",
  purpose: "purpose",
  owner: "owner",
  takenAt: "taken_at",
  expiresAt: "expires_at",
});
const HELD = statement(() => `select ${LOCK.list} from item_lock where item_id = $1 and expires_at > $2`);

/** The lock that holds at this moment. */
export const readLock = (session: Session, itemId: number, at: Instant): Promise<ItemLock | null> =>
  oneRow(session, HELD, [itemId, at], LOCK.read);

const TAKE = statement(
  () => `insert into item_lock (${LOCK.list}) values ($1, $2, $3, $4, $5)
    on conflict (item_id) do update set purpose = excluded.purpose, owner = excluded.owner, taken_at = excluded.taken_at,
      expires_at = excluded.expires_at
    where item_lock.expires_at <= excluded.taken_at or item_lock.owner = excluded.owner
    returning item_id`,
);
const RELEASE = statement(() => "delete from item_lock where item_id = $1 and owner = $2");

export async function takeLock(session: Session, lock: ItemLock): Promise<boolean> {
  return (await rowsOf(session, TAKE, Object.values(LOCK.write(lock)))).length > 0;
}

export async function releaseLock(session: Session, itemId: number, owner: string): Promise<void> {
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
  readonly editor: number | null;
  readonly draft_activity: string | null;
  readonly draft_saved: string | null;
  readonly editor_active: number | null;
  readonly activity: string | null;
  readonly review: string | null;
};

export async function readClaims(session: Session, itemId: number, at: Instant): Promise<ItemClaims> {
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
