// What keeps an item from being changed (R2f, R19): a lock that expires, somebody's unsaved work, an open activity.

import type { ItemClaims, ItemLock, LockPurpose } from "../../../src/repository/store/items.ts";
import type { Instant } from "../../../src/shared/instant.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";

type LockRow = { item_id: number; purpose: LockPurpose; owner: string; taken_at: string; expires_at: string };
const LOCK = statement(
  () => "select item_id, purpose, owner, taken_at, expires_at from item_lock where item_id = $1 and expires_at > $2",
);

/** The lock that holds at this moment. */
export async function readLock(session: Session, itemId: number, at: Instant): Promise<ItemLock | null> {
  const [row] = await rowsOf<LockRow>(session, LOCK, [itemId, at]);
  if (row === undefined) return null;
  const { item_id, purpose, owner, taken_at, expires_at } = row;
  return { itemId: item_id, purpose, owner, takenAt: taken_at, expiresAt: expires_at };
}

const TAKE = statement(
  () => `insert into item_lock (item_id, purpose, owner, taken_at, expires_at) values ($1, $2, $3, $4, $5)
    on conflict (item_id) do update set purpose = excluded.purpose, owner = excluded.owner, taken_at = excluded.taken_at,
      expires_at = excluded.expires_at
    where item_lock.expires_at <= excluded.taken_at or item_lock.owner = excluded.owner
    returning item_id`,
);
const RELEASE = statement(() => "delete from item_lock where item_id = $1 and owner = $2");

export async function takeLock(session: Session, lock: ItemLock): Promise<boolean> {
  const { itemId, purpose, owner, takenAt, expiresAt } = lock;
  return (await rowsOf(session, TAKE, [itemId, purpose, owner, takenAt, expiresAt])).length > 0;
}

export async function releaseLock(session: Session, itemId: number, owner: string): Promise<void> {
  await run(session, RELEASE, [itemId, owner]);
}

const DRAFT = statement(() => "select editor_account_id as editor, activity_id from item_draft where item_id = $1");
const ACTIVITY = statement(() => "select id from activity where item_id = $1 and state in ('M', 'B', 'P')");

export async function readClaims(session: Session, itemId: number, at: Instant): Promise<ItemClaims> {
  const lock = await readLock(session, itemId, at);
  const [draft] = await rowsOf<{ editor: number; activity_id: string | null }>(session, DRAFT, [itemId]);
  const [activity] = await rowsOf<{ id: string }>(session, ACTIVITY, [itemId]);
  return {
    lock,
    draft: draft === undefined ? null : { editor: draft.editor, activityId: draft.activity_id },
    activityId: activity?.id ?? null,
  };
}
