// The only way to destroy content (R2b, `arkstone item erase`): the content of a revision is deleted; its row, number
// and place in the history stay.

import { EMPTY_METADATA } from "../../../src/model/metadata/metadata.ts";
import { FULL_TEXT_JOB } from "../../../src/repository/store/full-text.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { forgetProgress } from "../../jobs/jobs.ts";
import { dropUnusedSet, insertFileSet } from "./file-sets.ts";
import { ERASED_CONTENT } from "./item-rows.ts";
import { deleteDraft } from "./revisions.ts";
import { forgetSummary, setDuplicateKeys } from "./summaries.ts";

type ErasedRevision = { readonly revision: number; readonly file_set_id: number };
const TOUCHED = statement(
  () => `select revision, file_set_id from item_revision
    where item_id = $1 and revision = coalesce($2::bigint, revision) and erased_at is null order by revision`,
);
const TOUCHED_ON_SQLITE =
  "select revision, file_set_id from item_revision where item_id = ?1 and revision = coalesce(?2, revision) and erased_at is null order by revision";

const ERASE_REMOVED = statement(() => "delete from removed_file where item_id = $1");
const ERASE_REVISION = statement(
  () => `update item_revision set content = $3, file_set_id = $4, package_name = null, erased_at = $5
    where item_id = $1 and revision = $2`,
);
const ERASE_ITEM = statement(
  () => `update item set title = '', metadata = $2, settings = '{}', file_options = null, embargo_reason = '', file_set_id = $3
    where id = $1 and revision > 0`,
);
const ERASE_CITATION = statement(() => "update tombstone set citation = '', note = '' where item_id = $1");

export async function erase(
  session: Session,
  itemId: ItemId,
  revision: number | null,
  file: string | null,
  at: Instant,
): Promise<number> {
  const asked = { ...TOUCHED, sqlite: TOUCHED_ON_SQLITE };
  await forgetSummary(session, itemId);
  await run(session, ERASE_REMOVED, [itemId]);
  // It names files that could not be read.
  await forgetProgress(session, FULL_TEXT_JOB, String(itemId));
  const touched = await rowsOf<ErasedRevision>(session, asked, [itemId, revision]);
  if (file !== null) return await eraseFile(session, itemId, touched, revision === null, file, at);
  if (touched.length > 0) {
    const empty = await insertFileSet(session, [], at);
    for (const row of touched) await run(session, ERASE_REVISION, [itemId, row.revision, ERASED_CONTENT, empty, at]);
    if (revision === null) await run(session, ERASE_ITEM, [itemId, JSON.stringify(EMPTY_METADATA), empty]);
    for (const set of new Set(touched.map((row) => row.file_set_id))) await dropUnusedSet(session, set, itemId);
  }
  if (revision === null) {
    await run(session, ERASE_CITATION, [itemId]);
    await deleteDraft(session, itemId);
    await setDuplicateKeys(session, itemId, []);
  }
  return touched.length;
}

const HAS_FILE = statement(
  () => "select name from file_set_entry where file_set_id = $1 and name = $2 and storage_key is not null",
);
const ERASE_ENTRY = statement(
  () => `update file_set_entry set storage_key = null, erased_at = $3, sha256 = '', md5 = null, size_bytes = 0, properties = '{}'
    where file_set_id = $1 and name = $2 and storage_key is not null`,
);
const NEW_SET = statement(() => "insert into file_set (created_at) values ($1) returning id");
const COPY_SET = statement(
  () => `insert into file_set_entry (file_set_id, position, name, storage_key, sha256, md5, size_bytes, media_type, access,
      access_date, properties, erased_at)
    select $2, position, name, storage_key, sha256, md5, size_bytes, media_type, access, access_date, properties, erased_at
    from file_set_entry where file_set_id = $1`,
);
const POINT_TO = statement(() => "update item_revision set file_set_id = $3 where item_id = $1 and revision = $2");
const DRAFT_SET = statement(() => "select file_set_id as id from item_draft where item_id = $1");

async function eraseFile(
  session: Session,
  itemId: ItemId,
  touched: readonly ErasedRevision[],
  everywhere: boolean,
  file: string,
  at: Instant,
): Promise<number> {
  let erased = 0;
  const sets = new Set<number>();
  for (const row of touched) {
    if ((await rowsOf(session, HAS_FILE, [row.file_set_id, file])).length === 0) continue;
    erased += 1;
    sets.add(everywhere ? row.file_set_id : await ownSet(session, itemId, row, at));
  }
  const [draft] = everywhere ? await rowsOf<{ id: number }>(session, DRAFT_SET, [itemId]) : [];
  if (draft !== undefined) sets.add(draft.id);
  for (const set of sets) await run(session, ERASE_ENTRY, [set, file, at]);
  return erased;
}

/** Other revisions may name the same set and keep their file: this one gets a copy of it. */
async function ownSet(session: Session, itemId: ItemId, row: ErasedRevision, at: Instant): Promise<number> {
  const [made] = await rowsOf<{ id: number }>(session, NEW_SET, [at]);
  if (made === undefined) throw new RangeError("A set of files got no number");
  await run(session, COPY_SET, [row.file_set_id, made.id]);
  await run(session, POINT_TO, [itemId, row.revision, made.id]);
  await dropUnusedSet(session, row.file_set_id, itemId);
  return made.id;
}
