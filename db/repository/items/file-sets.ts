// Sets of files (R2b): written once, never changed, shared by the revisions and the draft of one item that name the
// same files.

import type { ItemFile } from "../../../src/model/items/item.ts";
import type { ReckonedHashes } from "../../../src/repository/store/items.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import { LONG_LIST, yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import type { FileSetEntryTable } from "../../engine/repository-schema.ts";
import { entryOf, isLive, toFile } from "./item-rows.ts";

const ENTRY = `file_set_id, position, name, storage_key, sha256, md5, size_bytes, media_type, access, access_date, properties, erased_at`;
const ENTRIES = statement(
  (words) => `select ${ENTRY} from file_set_entry
    where file_set_id in (select cast(value as bigint) from ${words.listTable("$1")}) order by file_set_id, position`,
);

/** One file of the published side of an item. */
export const FILE_NAMED = statement(
  () =>
    `select ${ENTRY} from file_set_entry where file_set_id = (select i.file_set_id from item i where i.id = $1) and name = $2`,
);

/** The files of each set in their order, without those that were erased. */
export type FileSets = ReadonlyMap<number, readonly ItemFile[]>;

export async function readFileSets(session: Session, ids: readonly number[]): Promise<FileSets> {
  const sets = new Map<number, ItemFile[]>(ids.map((id) => [id, []]));
  if (sets.size === 0) return sets;
  const rows = await rowsOf<FileSetEntryTable>(session, ENTRIES, [textList(session, [...sets.keys()].map(String))]);
  for (const [at, row] of rows.entries()) {
    if (at % LONG_LIST === LONG_LIST - 1) await yieldToEventLoop();
    if (isLive(row)) sets.get(row.file_set_id)?.push(toFile(row));
  }
  return sets;
}

/** A set without files is one row with nothing but its number. */
const SETS_OF = statement(
  () => `select s.id as set_id, ${ENTRY} from (
      select file_set_id as id from item where id = $1 and file_set_id is not null
      union select file_set_id from item_draft where item_id = $1
    ) s left join file_set_entry on file_set_id = s.id order by s.id, position`,
);

/** The sets of files that the item and its draft name now. */
export async function setsOf(session: Session, itemId: ItemId): Promise<FileSets> {
  const sets = new Map<number, ItemFile[]>();
  for (const row of await rowsOf<FileSetEntryTable & { set_id: number }>(session, SETS_OF, [itemId])) {
    const files = sets.get(row.set_id) ?? [];
    if (isLive(row)) files.push(toFile(row));
    sets.set(row.set_id, files);
  }
  return sets;
}

const NEW_SET = statement(() => "insert into file_set (created_at) values ($1) returning id");
const INSERT = bulkStatement(
  [
    number("file_set_id"),
    number("position"),
    ...["name", "storage_key", "sha256", "md5"].map(text),
    number("size_bytes"),
    ...["media_type", "access", "access_date", "properties"].map(text),
  ],
  ({ names, from }) => `insert into file_set_entry (${names}) select ${names} from ${from} where true`,
);

export async function insertFileSet(session: Session, files: readonly ItemFile[], at: Instant): Promise<number> {
  const [made] = await rowsOf<{ id: number }>(session, NEW_SET, [at]);
  if (made === undefined) throw new RangeError("A set of files got no number");
  await INSERT(
    session,
    files.map((file, position) => [made.id, position, ...entryOf(file)]),
  );
  return made.id;
}

/** Without the hashes, which a job may have added meanwhile: the bytes of one key are always the same. */
function asText(files: readonly ItemFile[]): string {
  return JSON.stringify(files.map((file) => entryOf({ ...file, md5: null, sha256: "" })));
}

/** One of `known` that names exactly these files in this order, as it is, else a new one. */
export async function fileSetFor(
  session: Session,
  files: readonly ItemFile[],
  known: FileSets,
  at: Instant,
): Promise<{ readonly id: number; readonly files: readonly ItemFile[] }> {
  if (known.size > 0) {
    const wanted = asText(files);
    for (const [id, there] of known) {
      if (there.length === files.length && asText(there) === wanted) return { id, files: there };
    }
  }
  return { id: await insertFileSet(session, files, at), files };
}

const UNUSED = `not exists (select 1 from item_revision r where r.file_set_id = $1)
  and not exists (select 1 from item_draft d where d.file_set_id = $1)
  and not exists (select 1 from item i where i.file_set_id = $1 and i.id = $2)`;
const DROP_ENTRIES = statement(() => `delete from file_set_entry where file_set_id = $1 and ${UNUSED}`);
const DROP_SET = statement(() => `delete from file_set where id = $1 and ${UNUSED}`);

/**
 * Lets go of a set that no revision and no draft names any more, so that the sweep of the storage may have its bytes.
 */
export async function dropUnusedSet(session: Session, setId: number, itemId: ItemId): Promise<void> {
  await run(session, DROP_ENTRIES, [setId, itemId]);
  await run(session, DROP_SET, [setId, itemId]);
}

const NAMED = statement(
  ({ dialect, listTable }) => `select listed.value as key
    from ${dialect === "sqlite" ? "json_each($1) as listed" : listTable("$1")}
    where exists (select 1 from file_set_entry e where e.storage_key = listed.value)
      or exists (select 1 from draft_file d where d.storage_key = listed.value)
      or exists (select 1 from removed_file r where r.storage_key = listed.value)`,
);

export async function namedKeys(session: Session, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await rowsOf<{ key: string }>(session, NAMED, [textList(session, keys)]);
  return new Set(rows.map(({ key }) => key));
}

// Of several entries with one key the one of the lowest set and name is taken.
const FILES_AFTER = statement(
  () => `select ${ENTRY} from file_set_entry e where storage_key > $1 and not exists (
      select 1 from file_set_entry o where o.storage_key = e.storage_key
      and (o.file_set_id < e.file_set_id or (o.file_set_id = e.file_set_id and o.name < e.name)))
    order by storage_key limit $2`,
);

export async function filesAfter(session: Session, key: string, limit: number): Promise<readonly ItemFile[]> {
  return (await rowsOf<FileSetEntryTable>(session, FILES_AFTER, [key, limit])).filter(isLive).map(toFile);
}

const FILE_OF_KEY = statement(
  () => `select ${ENTRY} from file_set_entry where storage_key = $1 order by file_set_id, name limit 1`,
);

export async function fileOfKey(session: Session, key: string): Promise<ItemFile | null> {
  return (await rowsOf<FileSetEntryTable>(session, FILE_OF_KEY, [key])).filter(isLive).map(toFile)[0] ?? null;
}

const SHOWN_UNHASHED = statement(
  () => `select distinct i.id from file_set_entry e join item i on i.file_set_id = e.file_set_id
    where e.storage_key = $1 and e.sha256 = '' order by i.id`,
);
const SET_HASHES = statement(
  () => `update file_set_entry set md5 = coalesce(md5, $2), sha256 = case when sha256 = '' then $3 else sha256 end
    where storage_key = $1 and (md5 is null or sha256 = '')`,
);

/** Adds to every file with these bytes what was reckoned later (R7b). */
export async function setHashes(
  session: Session,
  storageKey: string,
  { md5, sha256 }: ReckonedHashes,
): Promise<readonly number[]> {
  const shown = await rowsOf<{ id: number | string }>(session, SHOWN_UNHASHED, [storageKey]);
  await run(session, SET_HASHES, [storageKey, md5, sha256]);
  return shown.map(({ id }) => Number(id));
}
