// Drafts (R2b): at most one for an item, with a separate counter; saving one changes nothing that others see.
import type { Draft } from "../../../src/model/items/item.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { dropUnusedSet, fileSetFor, readFileSets, setsOf } from "./file-sets.ts";
import { numberList } from "./item-reading.ts";
import { printContent, readContent } from "./item-rows.ts";

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
};
const COLUMNS =
  "item_id, counter, item_type_id, item_type_version, content, file_set_id, editor_account_id, activity_id, saved_at";
const DRAFT = statement(() => `select ${COLUMNS} from item_draft where item_id = $1`);
const DRAFTS = statement(
  (words) =>
    `select ${COLUMNS} from item_draft where item_id in (select cast(value as bigint) from ${words.listTable("$1")})`,
);

export async function readDraft(session: Session, itemId: number): Promise<Draft | null> {
  const [row] = await rowsOf<DraftRow>(session, DRAFT, [itemId]);
  if (row === undefined) return null;
  return draftOf(row, await readFileSets(session, [row.file_set_id]));
}

export async function readDrafts(session: Session, itemIds: readonly number[]): Promise<readonly Draft[]> {
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
    activityId: row.activity_id,
  };
}

const FILES_OF_DRAFT = statement(() => "select file_set_id as id from item_draft where item_id = $1");
const SAVE = statement(
  () => `insert into item_draft (item_id, counter, item_type_id, item_type_version, content, file_set_id, editor_account_id,
      activity_id, saved_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (item_id) do update set counter = excluded.counter, item_type_id = excluded.item_type_id,
      item_type_version = excluded.item_type_version, content = excluded.content, file_set_id = excluded.file_set_id,
      editor_account_id = excluded.editor_account_id, activity_id = excluded.activity_id, saved_at = excluded.saved_at`,
);
const DELETE_INDEXES = statement(() => "delete from item_draft_place where item_id = $1");
const SAVE_INDEX = statement(() => "insert into item_draft_place (index_id, item_id) values ($1, $2)");
const DELETE = statement(() => "delete from item_draft where item_id = $1");

async function fileSetOfDraft(session: Session, itemId: number): Promise<number | null> {
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
  await run(session, DELETE_INDEXES, [itemId]);
  for (const index of new Set(content.indexes)) await run(session, SAVE_INDEX, [index, itemId]);
  if (before !== null && before !== files) await dropUnusedSet(session, before, itemId);
}

export async function deleteDraft(session: Session, itemId: number): Promise<void> {
  const files = await fileSetOfDraft(session, itemId);
  if (files === null) return;
  await run(session, DELETE_INDEXES, [itemId]);
  await run(session, DELETE, [itemId]);
  await dropUnusedSet(session, files, itemId);
}
