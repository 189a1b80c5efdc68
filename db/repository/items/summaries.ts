// What lists show of items (R9a): one row for each item, written with its revision, so that no list reads a whole item.

import type { Access, ItemContent } from "../../../src/model/items/item.ts";
import { type ItemSummary, type Summary, summaryMetadata, summaryOf } from "../../../src/model/items/summary.ts";
import type { ChangedItem, ItemFilter, LackingSummaries } from "../../../src/repository/store/items.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { listItemIds } from "./item-lists.ts";
import { numberList, readItem } from "./item-reading.ts";

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
  readonly id: number;
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
  before: number | null,
  limit: number,
): Promise<readonly ItemSummary[]> {
  return await summariesOf(session, await listItemIds(session, filter, before, limit));
}

/** Of these items, in this order. */
export async function summariesOf(session: Session, ids: readonly number[]): Promise<readonly ItemSummary[]> {
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
async function summaryNow(session: Session, id: number): Promise<Summary> {
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
  before: number | null,
  limit: number,
): Promise<readonly ChangedItem[]> {
  const ids = await listItemIds(session, filter, before, limit);
  if (ids.length === 0) return [];
  const rows = await rowsOf<{ id: number; updated_at: string }>(session, CHANGES, [numberList(session, ids)]);
  return rows.map(({ id, updated_at: updatedAt }) => ({ id, updatedAt }));
}

const LACKING = statement(
  () => `select p.id, case when p.revision > 0 and s.revision is null then 1 else 0 end as lacks
    from (select id, revision from item where id > $1 order by id limit $2) p
    left join item_summary s on s.item_id = p.id and s.revision = p.revision order by p.id`,
);

export async function lackingSummaries(session: Session, after: number, limit: number): Promise<LackingSummaries> {
  const rows = await rowsOf<{ id: number; lacks: number }>(session, LACKING, [after, limit]);
  return { ids: rows.filter(({ lacks }) => lacks === 1).map(({ id }) => id), last: rows.at(-1)?.id ?? null };
}

/** Writes the missing summary of an item, from its present content. */
export async function renewSummary(session: Session, itemId: ItemId): Promise<void> {
  const item = await readItem(session, itemId);
  if (item !== null && item.content !== null) await keepSummary(session, itemId, item.revision, item.content);
}
