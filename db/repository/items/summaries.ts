// Rows that are derived from the content of an item. What lists show of it (R9a): one row for each item, written with
// its revision, so that no list reads a whole item.
import type { Access, FileAccess, ItemContent } from "../../../src/model/items/item.ts";
import {
  type FileFacts,
  type ItemSummary,
  type Summary,
  summaryMetadata,
  summaryOf,
} from "../../../src/model/items/summary.ts";
import type {
  ChangedItem,
  DuplicateKey,
  IdentifiedItem,
  ItemFilter,
  LackingSummaries,
} from "../../../src/repository/store/items.ts";
import type { ItemId, ParentId } from "../../../src/shared/ids.ts";
import type { Day } from "../../../src/shared/time/day.ts";
import { LONG_TEXT, yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import { listItemIds } from "./item-lists.ts";
import { numberList, readItem } from "./item-reading.ts";
import { type ItemRow, metadataOf } from "./item-rows.ts";

const KEEP = statement(
  () => `insert into item_summary (item_id, revision, content) values ($1, $2, $3)
    on conflict (item_id) do update set revision = excluded.revision, content = excluded.content
    where excluded.revision >= item_summary.revision`,
);

export async function keepSummary(
  session: Session,
  itemId: ItemId,
  revision: number,
  content: Pick<ItemContent, "metadata" | "files">,
): Promise<void> {
  await run(session, KEEP, [itemId, revision, JSON.stringify(summaryOf(content))]);
}

const FORGET = statement(() => "delete from item_summary where item_id = $1");

/** Of an item whose content was destroyed nothing stays in a list; the job writes what is left of it. */
export async function forgetSummary(session: Session, itemId: ItemId): Promise<void> {
  await run(session, FORGET, [itemId]);
}

type Row = {
  readonly id: ItemId;
  readonly updated_at: Instant;
  readonly published_at: Instant | null;
  readonly record_access: string | null;
  readonly open_date: string | null;
  readonly files_access: string | null;
  readonly embargo_until: string | null;
  readonly revision: number;
  readonly content: string | null;
};
const SUMMARIES = statement(
  (
    words,
  ) => `select i.id, i.updated_at, i.published_at, i.record_access, i.open_date, i.files_access, i.embargo_until, i.revision, s.content
    from item i left join item_summary s on s.item_id = i.id and s.revision = i.revision
    where i.id in (select cast(value as bigint) from ${words.listTable("$1")})`,
);

export async function listSummaries(
  session: Session,
  filter: ItemFilter,
  before: ItemId | null,
  limit: number,
): Promise<readonly ItemSummary[]> {
  return await summariesOf(session, await listItemIds(session, filter, before, limit));
}

/** Of these items, in this order. */
export async function summariesOf(session: Session, ids: readonly ItemId[]): Promise<readonly ItemSummary[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf<Row>(session, SUMMARIES, [numberList(session, ids)]);
  const found = new Map(rows.map((row) => [row.id, row]));
  const summaries: ItemSummary[] = [];
  for (const id of ids) {
    const row = found.get(id);
    if (row !== undefined) summaries.push(await summaryIn(session, row));
  }
  return summaries;
}

async function summaryIn(session: Session, row: Row): Promise<ItemSummary> {
  const { id, updated_at: updatedAt, published_at: publishedAt } = row;
  if (row.revision === 0) return { id, updatedAt, publishedAt, content: null };
  const { files, ...summary } = row.content === null ? await summaryNow(session, id) : read(row.content);
  const metadata = summaryMetadata({ files, ...summary });
  return { id, updatedAt, publishedAt, content: { metadata, access: accessOf(row), files } };
}

/** Written by `keepSummary` only. */
const read = (text: string): Summary => JSON.parse(text) as Summary;

/** Of an item that the job has not come to yet. */
async function summaryNow(session: Session, id: ItemId): Promise<Summary> {
  const content = (await readItem(session, id))?.content ?? null;
  if (content === null) throw new RangeError(`Item ${id} was published and has no content`);
  return summaryOf(content);
}

function accessOf(row: Row): Access {
  return {
    record: row.record_access === "public" ? "public" : "restricted",
    openDate: row.open_date ?? "",
    files: row.files_access === "public" ? "public" : "restricted",
    embargoUntil: row.embargo_until,
    embargoReason: "",
  };
}

const CHANGES = statement(
  (words) => `select id, updated_at from item where id in (select cast(value as bigint) from ${words.listTable("$1")})
    order by id desc`,
);

/** When each item of a list was changed, and nothing else of it. */
export async function listChanges(
  session: Session,
  filter: ItemFilter,
  before: ItemId | null,
  limit: number,
): Promise<readonly ChangedItem[]> {
  const ids = await listItemIds(session, filter, before, limit);
  if (ids.length === 0) return [];
  const rows = await rowsOf<{ id: ItemId; updated_at: string }>(session, CHANGES, [numberList(session, ids)]);
  return rows.map(({ id, updated_at: updatedAt }) => ({ id, updatedAt }));
}

const LACKING = statement(
  () => `select p.id, case when p.revision > 0 and s.revision is null then p.bytes end as bytes
    from (select id, revision, octet_length(metadata) as bytes from item where id > $1 order by id limit $2) p
    left join item_summary s on s.item_id = p.id and s.revision = p.revision order by p.id`,
);

export async function lackingSummaries(session: Session, after: ItemId, limit: number): Promise<LackingSummaries> {
  const rows = await rowsOf<{ id: ItemId; bytes: number | null }>(session, LACKING, [after, limit]);
  const items = rows.flatMap(({ id, bytes }) => (bytes === null ? [] : [{ id, bytes }]));
  return { items, last: rows.at(-1)?.id ?? null };
}

/**
 * Locked, so that content that is destroyed meanwhile is not kept here; without waiting for what others have locked, so
 * that nobody waits in a circle.
 */
const SOURCES = statement(
  (words) => `select i.id, i.revision, i.metadata, ${words.jsonRows(
    ["access", "access_date"],
    `select access, access_date from file_set_entry where file_set_id = i.file_set_id and storage_key is not null
      group by access, access_date order by min(position)`,
  )} as files
    from item i where i.id in (select cast(value as bigint) from ${words.listTable("$1")}) and i.revision > 0
    ${words.dialect === "postgres" ? "for no key update skip locked" : ""}`,
);
type SourceRow = Pick<ItemRow, "id" | "revision" | "metadata"> & { readonly files: string };
const KEEP_ALL = bulkStatement(
  [number("item_id"), number("revision"), text("content")],
  ({ names, from }) => `insert into item_summary (${names}) select ${names} from ${from} where true
    on conflict (item_id) do update set revision = excluded.revision, content = excluded.content
    where excluded.revision >= item_summary.revision`,
);

export async function renewSummaries(session: Session, ids: readonly ItemId[]): Promise<void> {
  if (ids.length === 0) return;
  const rows: [ItemId, number, string][] = [];
  for (const row of await rowsOf<SourceRow>(session, SOURCES, [numberList(session, ids)])) {
    const isLong = (row.metadata?.length ?? 0) > LONG_TEXT;
    if (isLong) await yieldToEventLoop();
    rows.push([row.id, row.revision, JSON.stringify(summaryOf({ metadata: metadataOf(row), files: factsOf(row) }))]);
    if (isLong) await yieldToEventLoop();
  }
  await KEEP_ALL(session, rows);
}

/** What the statement that was run has made. */
const factsOf = ({ files }: SourceRow): readonly FileFacts[] =>
  (JSON.parse(files) as readonly [FileAccess, Day | null][]).map(([access, accessDate]) => ({ access, accessDate }));

// Duplicate keys (R18): digests with an index, so that asking costs the same however many items there are.

const KEYS = statement(() => "select kind, digest from duplicate_key where item_id = $1");
const NO_KEYS = statement(() => "delete from duplicate_key where item_id = $1");
const INSERT = bulkStatement(
  [text("kind"), text("digest"), number("item_id")],
  ({ names, from }) =>
    `insert into duplicate_key (${names}) select ${names} from ${from} where true on conflict do nothing`,
);

function asText({ kind, digest }: DuplicateKey): string {
  return `${kind}:${digest}`;
}

export async function setDuplicateKeys(session: Session, itemId: ItemId, keys: readonly DuplicateKey[]): Promise<void> {
  const before = new Set((await rowsOf<DuplicateKey>(session, KEYS, [itemId])).map(asText));
  const wanted = new Set(keys.map(asText));
  if (before.size === wanted.size && before.isSubsetOf(wanted)) return;
  if (before.size > 0) await run(session, NO_KEYS, [itemId]);
  await insertDuplicateKeys(session, itemId, keys);
}

/** Of an item that has none. */
export async function insertDuplicateKeys(
  session: Session,
  itemId: ItemId,
  keys: readonly DuplicateKey[],
): Promise<void> {
  const wanted = new Map(keys.map((key) => [asText(key), key]));
  await INSERT(
    session,
    [...wanted.values()].map(({ kind, digest }) => [kind, digest, itemId]),
  );
}

// Another version of the excluded record is not a duplicate of it.
const DUPLICATES = statement(
  (
    words,
  ) => `select distinct i.id from duplicate_key k join item i on i.id = k.item_id join item_parent p on p.id = i.parent_id
    where k.kind = $1 and k.digest in (select value from ${words.listTable("$2")})
    and (i.state = 'draft' or (i.state = 'published' and p.latest_item_id = i.id))
    and i.parent_id not in (select e.parent_id from item e where e.id = $3)
    order by i.id limit $4`,
);

export async function readDuplicates(
  session: Session,
  keys: readonly DuplicateKey[],
  except: number | null,
  limit: number,
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const kind of ["identifier", "work"] as const) {
    const digests = keys.filter((key) => key.kind === kind).map((key) => key.digest);
    if (digests.length === 0) continue;
    const asked = [kind, textList(session, digests), except ?? 0, limit];
    for (const { id } of await rowsOf<{ id: ItemId }>(session, DUPLICATES, asked)) found.add(id);
  }
  return [...found].sort((a, b) => a - b).slice(0, limit);
}

/** The keys drive the join, not the published items (R9b). */
const IDENTIFIED_ALIKE = statement(
  (words) => `select i.id, k.digest from duplicate_key k cross join item i
    where k.kind = 'identifier' and k.digest in (select value from ${words.listTable("$1")})
    and i.id = k.item_id and i.state = 'published' and i.parent_id <> $2 order by i.id, k.digest limit $3`,
);

export async function readIdentifiedAlike(
  session: Session,
  digests: readonly string[],
  parentId: ParentId,
  limit: number,
): Promise<readonly IdentifiedItem[]> {
  if (digests.length === 0) return [];
  return await rowsOf<IdentifiedItem>(session, IDENTIFIED_ALIKE, [textList(session, digests), parentId, limit]);
}

const LOCK = statement(() => "select pg_advisory_xact_lock(hashtextextended($1, 4812207333))");

/** In one order, so that two who lock several never wait for each other. SQLite has one writer: nothing to do. */
export async function lockDuplicates(session: Session, keys: readonly DuplicateKey[]): Promise<void> {
  if (session.dialect === "sqlite") return;
  for (const key of [...new Set(keys.map(asText))].sort()) await run(session, LOCK, [key]);
}
