// Items come to be, are published and changed (R2a, R2b): every committed change of the published side is one more
// revision.
import { linkedAuthors } from "../../../src/model/agents/author-links.ts";
import type { Draft, Item, ItemContent, ItemState, Revision, WithParent } from "../../../src/model/items/item.ts";
import { type Metadata, mainTitle } from "../../../src/model/metadata/metadata.ts";
import type { ItemWriter, RevisionIn, RevisionOptions } from "../../../src/repository/store/items.ts";
import type { AccountId, IndexId, ItemId, ParentId } from "../../../src/shared/ids.ts";
import { LONG_LIST, LONG_TEXT, yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { bulkStatement, number } from "../../engine/bulk-statements.ts";
import { type OfSession, rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import type { ItemRevisionTable } from "../../engine/repository-schema.ts";
import { dropUnusedSet, type FileSets, fileSetFor, readFileSets, setsOf } from "./file-sets.ts";
import { numberList, readWithParent } from "./item-reading.ts";
import { printContent, printFileOptions, readContent, storable } from "./item-rows.ts";
import { insertDuplicateKeys, keepSummary, setDuplicateKeys } from "./summaries.ts";

const NEW_NUMBER = statement(() => "insert into resource (kind) values ('item') returning id");
const NEW_NUMBERS = statement(() => "insert into resource (kind) values ('parent'), ('item') returning id, kind");

const NEW_PARENT = statement(
  () => "insert into item_parent (id, owner_account_id, latest_item_id, created_at) values ($1, $2, null, $3)",
);
const NEW_ITEM = statement(
  () => `insert into item (id, parent_id, version_index, state, revision, title, deposited_by, deposited_on_behalf_of,
      created_at, updated_at)
    values ($1, $2, $3, 'draft', 0, '', $4, $5, $6, $6)`,
);

type Maker = Pick<Item, "depositedBy" | "depositedOnBehalfOf"> & { readonly at: Instant };

/** An item as it is when it has just been made. */
async function insertRow(
  session: Session,
  place: Pick<Item, "id" | "parentId" | "versionIndex">,
  { depositedBy, depositedOnBehalfOf, at }: Maker,
): Promise<Item> {
  const { id, parentId, versionIndex } = place;
  await run(session, NEW_ITEM, [id, parentId, versionIndex, depositedBy, depositedOnBehalfOf, at]);
  return {
    ...place,
    state: "draft",
    revision: 0,
    content: null,
    ark: null,
    isLatest: false,
    depositedBy,
    depositedOnBehalfOf,
    createdAt: at,
    updatedAt: at,
    publishedAt: null,
  };
}

export const insertItem: OfSession<ItemWriter>["insertItem"] = async (session, { owner, ...maker }) => {
  const made = await rowsOf<{ id: number; kind: string }>(session, NEW_NUMBERS);
  const [parentId, id] = ["parent", "item"].map((kind) => made.find((row) => row.kind === kind)?.id);
  if (parentId === undefined || id === undefined) throw new RangeError("The sequence gave no number");
  await run(session, NEW_PARENT, [parentId, owner, maker.at]);
  const item = await insertRow(session, { id, parentId, versionIndex: 1 }, maker);
  const parent = {
    id: parentId,
    owner,
    shared: [],
    communities: [],
    defaultCommunity: null,
    review: null,
    latest: null,
  };
  return { item, parent };
};

const LOCK_PARENT = statement((words) => `select id from item_parent where id = $1 ${words.forNoKeyUpdate}`);
// Versions that were given up before they were public leave no gap (db/repository/items/items.ts, `forgetItem`).
const NEXT_INDEX = statement(
  () => `select max(version_index) + 1 as next from item where parent_id = $1
    and (revision > 0 or exists (select 1 from item_draft d where d.item_id = item.id))`,
);

/** True when it is there. */
export async function lockParentRow(session: Session, id: ParentId): Promise<boolean> {
  return (await rowsOf(session, LOCK_PARENT, [id])).length > 0;
}

export const insertVersion: OfSession<ItemWriter>["insertVersion"] = async (session, parentId, maker) => {
  if (!(await lockParentRow(session, parentId))) throw new RangeError(`Parent ${parentId} is not there`);
  const [row] = await rowsOf<{ next: number | null }>(session, NEXT_INDEX, [parentId]);
  const [made] = await rowsOf<{ id: number }>(session, NEW_NUMBER);
  if (made === undefined) throw new RangeError("The sequence gave no number");
  return await insertRow(session, { id: made.id, parentId, versionIndex: row?.next ?? 1 }, maker);
};

/** The parent first, always: two who change versions of one thing never wait for each other in a circle. */
const LOCK_ITEM = statement(
  (words) => `with above as (
      select id from item_parent where id = (select parent_id from item where id = $1) ${words.forNoKeyUpdate}
    ), locked as (
      select id from item where id = $1 and exists (select 1 from above) ${words.forNoKeyUpdate}
    ) select id from locked`,
);

/** Locked first and read behind that. On SQLite the transaction itself is the lock. */
export async function lockItem(session: Session, id: ItemId): Promise<WithParent | null> {
  if (session.dialect === "postgres") await run(session, LOCK_ITEM, [id]);
  return await readWithParent(session, id);
}

const STEP = statement(
  () => `update item set revision = revision + 1, updated_at = $2,
      state = case when state = 'draft' then 'published' else state end, published_at = coalesce(published_at, $2),
      item_type_id = $3, item_type_version = $4, title = $5, metadata = $6, settings = $7,
      record_access = $8, open_date = $9, files_access = $10, embargo_until = $11, embargo_reason = $12, file_set_id = $13,
      file_options = $14
    where id = $1 returning revision, state, published_at, ark`,
);
const NEW_REVISION = statement(
  () => `insert into item_revision (item_id, revision, action, at, account_id, on_behalf_of, item_type_id, item_type_version,
      content, file_set_id, package_name, package_sha256)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);
type Step = { revision: number; state: string; published_at: string; ark: string | null };

export async function writeRevision(
  session: Session,
  item: Item,
  content: ItemContent,
  revision: RevisionIn,
  { keys, isNew }: RevisionOptions,
): Promise<Item> {
  const { access, metadata, settings, itemType, itemTypeVersion, indexes } = content;
  const known = isNew === true ? NO_SETS : await setsOf(session, item.id);
  const set = await fileSetFor(session, content.files, known, revision.at);
  const printed = JSON.stringify(metadata);
  const isLong = printed.length > LONG_TEXT || content.files.length > LONG_LIST;
  if (isLong) await yieldToEventLoop();
  const [row] = await rowsOf<Step>(session, STEP, [
    item.id,
    revision.at,
    itemType,
    itemTypeVersion,
    storable(mainTitle(metadata)),
    printed,
    JSON.stringify(settings),
    access.record,
    access.openDate,
    access.files,
    access.embargoUntil,
    storable(access.embargoReason),
    set.id,
    printFileOptions(content),
  ]);
  if (row === undefined) throw new RangeError(`Item ${item.id} is not there`);
  // SQLite never waits: what is long would hold up everybody from the first to the last of these statements.
  if (isLong) await yieldToEventLoop();
  await run(session, NEW_REVISION, [
    item.id,
    row.revision,
    revision.action,
    revision.at,
    revision.by,
    revision.onBehalfOf,
    itemType,
    itemTypeVersion,
    printContent(content, printed),
    set.id,
    revision.packageName === null ? null : storable(revision.packageName),
    revision.packageSha256,
  ]);
  await keepSummary(session, item.id, row.revision, content);
  await setIndexes(session, item.id, item.content?.indexes ?? [], indexes);
  await setAuthors(session, item.id, item.content?.metadata, metadata);
  await (isNew === true ? insertDuplicateKeys : setDuplicateKeys)(session, item.id, keys);
  if (isLong) await yieldToEventLoop();
  return {
    ...item,
    revision: row.revision,
    // The table's checks allow no other values.
    state: row.state as ItemState,
    ark: row.ark,
    updatedAt: revision.at,
    publishedAt: row.published_at,
    content: { ...content, files: set.files },
  };
}

const NO_SETS: FileSets = new Map();

const DELETE_INDEXES = statement(() => "delete from item_place where item_id = $1");
const INSERT_INDEXES = bulkStatement(
  [number("index_id"), number("item_id"), number("position")],
  ({ names, from }) => `insert into item_place (${names}) select ${names} from ${from} where true`,
);

async function setIndexes(
  session: Session,
  itemId: ItemId,
  before: readonly IndexId[],
  indexes: readonly IndexId[],
): Promise<void> {
  if (before.length === indexes.length && before.every((id, at) => id === indexes[at])) return;
  if (before.length > 0) await run(session, DELETE_INDEXES, [itemId]);
  await INSERT_INDEXES(
    session,
    indexes.map((id, at) => [id, itemId, at]),
  );
}

const DELETE_AUTHORS = statement(
  (words) => `delete from item_author where item_id = $1
    and author_id in (select cast(value as ${words.dialect === "sqlite" ? "integer" : "bigint"}) from ${words.listTable("$2")})`,
);
const INSERT_AUTHORS = bulkStatement(
  [number("author_id"), number("item_id")],
  ({ names, from }) =>
    `insert into item_author (${names}) select ${names} from ${from} where true on conflict do nothing`,
);

/** Writes only the differences: the data of the other links stays. */
async function setAuthors(
  session: Session,
  itemId: ItemId,
  before: Metadata | undefined,
  after: Metadata,
): Promise<void> {
  const [had, has] = [before === undefined ? [] : linkedAuthors(before), linkedAuthors(after)];
  const gone = had.filter((id) => !has.includes(id));
  if (gone.length > 0) await run(session, DELETE_AUTHORS, [itemId, textList(session, gone.map(String))]);
  await INSERT_AUTHORS(
    session,
    has.filter((id) => !had.includes(id)).map((id) => [id, itemId]),
  );
}

const DELETED = statement(
  () => "update item set state = 'deleted', deleted_at = $2, updated_at = $2 where id = $1 and revision > 0",
);
const PUBLISHED = statement(
  () => "update item set state = 'published', deleted_at = null, updated_at = $2 where id = $1 and revision > 0",
);

/** An item becomes published by its first revision and is never a draft again. */
export async function setState(session: Session, itemId: ItemId, state: ItemState, at: Instant): Promise<void> {
  if (state === "draft") throw new RangeError(`Item ${itemId} cannot become a draft again`);
  const { numAffectedRows } = await run(session, state === "deleted" ? DELETED : PUBLISHED, [itemId, at]);
  if (numAffectedRows !== 1n) throw new RangeError(`Item ${itemId} was never published`);
}

const SET_ARK = statement(() => "update item set ark = $2 where id = $1");
const SET_ON_BEHALF_OF = statement(() => "update item set deposited_on_behalf_of = $2 where id = $1");
const SET_LATEST = statement(() => "update item_parent set latest_item_id = $2 where id = $1");

export async function setArk(session: Session, itemId: ItemId, ark: string): Promise<void> {
  await run(session, SET_ARK, [itemId, ark]);
}

export async function setOnBehalfOf(session: Session, itemId: ItemId, accountId: AccountId): Promise<void> {
  await run(session, SET_ON_BEHALF_OF, [itemId, accountId]);
}

export async function setLatest(session: Session, parentId: ParentId, itemId: ItemId | null): Promise<void> {
  await run(session, SET_LATEST, [parentId, itemId]);
}

const BRIEF = "item_id, revision, action, at, account_id, on_behalf_of, package_name, package_sha256, erased_at";
const ONE_REVISION = statement(
  () => `select ${BRIEF}, item_type_id, item_type_version, content, file_set_id from item_revision
    where item_id = $1 and revision = $2`,
);
const REVISIONS = statement(() => `select ${BRIEF} from item_revision where item_id = $1 order by revision`);

type Brief = Omit<ItemRevisionTable, "content" | "file_set_id" | "item_type_id" | "item_type_version">;

function briefOf(row: Brief): Omit<Revision, "content"> {
  return {
    itemId: row.item_id,
    revision: row.revision,
    action: row.action,
    at: row.at,
    by: row.account_id,
    onBehalfOf: row.on_behalf_of,
    packageName: row.package_name,
    packageSha256: row.package_sha256,
    ...(row.erased_at === null ? {} : { erasedAt: row.erased_at }),
  };
}

export async function readRevision(session: Session, itemId: ItemId, revision: number): Promise<Revision | null> {
  const [row] = await rowsOf<ItemRevisionTable>(session, ONE_REVISION, [itemId, revision]);
  if (row === undefined) return null;
  const files = (await readFileSets(session, [row.file_set_id])).get(row.file_set_id) ?? [];
  const kept = { itemType: row.item_type_id, itemTypeVersion: row.item_type_version, ...readContent(row.content) };
  return { ...briefOf(row), content: { ...kept, files } };
}

export async function readRevisions(session: Session, itemId: ItemId): Promise<readonly Omit<Revision, "content">[]> {
  return (await rowsOf<Brief>(session, REVISIONS, [itemId])).map(briefOf);
}

// Drafts (R2b): at most one for an item, with a separate counter; saving one changes nothing that others see.

type DraftRow = {
  item_id: number;
  counter: number;
  item_type_id: number;
  item_type_version: number;
  content: string;
  file_set_id: number;
  editor_account_id: number;
  activity_id: string | null;
  saved_at: string;
  began_at: string | null;
};
const COLUMNS = `item_id, counter, item_type_id, item_type_version, content, file_set_id, editor_account_id, activity_id,
  saved_at, began_at`;
const DRAFT = statement(() => `select ${COLUMNS} from item_draft where item_id = $1`);
const DRAFTS = statement(
  (words) =>
    `select ${COLUMNS} from item_draft where item_id in (select cast(value as bigint) from ${words.listTable("$1")})`,
);

export async function readDraft(session: Session, itemId: ItemId): Promise<Draft | null> {
  const [row] = await rowsOf<DraftRow>(session, DRAFT, [itemId]);
  if (row === undefined) return null;
  return draftOf(row, await readFileSets(session, [row.file_set_id]));
}

export async function readDrafts(session: Session, itemIds: readonly ItemId[]): Promise<readonly Draft[]> {
  if (itemIds.length === 0) return [];
  const rows = await rowsOf<DraftRow>(session, DRAFTS, [numberList(session, itemIds)]);
  const files = await readFileSets(session, [...new Set(rows.map((row) => row.file_set_id))]);
  return rows.map((row) => draftOf(row, files));
}

function draftOf(row: DraftRow, files: Awaited<ReturnType<typeof readFileSets>>): Draft {
  return {
    itemId: row.item_id,
    counter: row.counter,
    content: {
      itemType: row.item_type_id,
      itemTypeVersion: row.item_type_version,
      ...readContent(row.content),
      files: files.get(row.file_set_id) ?? [],
    },
    editor: row.editor_account_id,
    savedAt: row.saved_at,
    beganAt: row.began_at,
    activityId: row.activity_id,
  };
}

const FILES_OF_DRAFT = statement(() => "select file_set_id as id from item_draft where item_id = $1");
const SAVE = statement(
  () => `insert into item_draft (item_id, counter, item_type_id, item_type_version, content, file_set_id, editor_account_id,
      activity_id, saved_at, began_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
    on conflict (item_id) do update set counter = excluded.counter, item_type_id = excluded.item_type_id,
      item_type_version = excluded.item_type_version, content = excluded.content, file_set_id = excluded.file_set_id,
      editor_account_id = excluded.editor_account_id, activity_id = excluded.activity_id, saved_at = excluded.saved_at`,
);
const DELETE_DRAFT_INDEXES = statement(() => "delete from item_draft_place where item_id = $1");
const SAVE_DRAFT_INDEX = statement(() => "insert into item_draft_place (index_id, item_id) values ($1, $2)");
const DELETE = statement(() => "delete from item_draft where item_id = $1");

async function fileSetOfDraft(session: Session, itemId: ItemId): Promise<number | null> {
  return (await rowsOf<{ id: number }>(session, FILES_OF_DRAFT, [itemId]))[0]?.id ?? null;
}

export async function saveDraft(session: Session, draft: Draft): Promise<void> {
  const { itemId, counter, content, editor, activityId, savedAt } = draft;
  const before = await fileSetOfDraft(session, itemId);
  const { id: files } = await fileSetFor(session, content.files, await setsOf(session, itemId), savedAt);
  await run(session, SAVE, [
    itemId,
    counter,
    content.itemType,
    content.itemTypeVersion,
    printContent(content),
    files,
    editor,
    activityId,
    savedAt,
  ]);
  await run(session, DELETE_DRAFT_INDEXES, [itemId]);
  for (const index of new Set(content.indexes)) await run(session, SAVE_DRAFT_INDEX, [index, itemId]);
  if (before !== null && before !== files) await dropUnusedSet(session, before, itemId);
}

export async function deleteDraft(session: Session, itemId: ItemId): Promise<void> {
  const files = await fileSetOfDraft(session, itemId);
  if (files === null) return;
  await run(session, DELETE_DRAFT_INDEXES, [itemId]);
  await run(session, DELETE, [itemId]);
  await dropUnusedSet(session, files, itemId);
}
