// Lists of items by filter, page by page (R2a, R2d): the ids first, by whichever index is narrowest, then the items of
// one page.
import { type ExpressionBuilder, sql } from "kysely";
import type { ItemFilter, Sight } from "../../../src/repository/store/items.ts";
import type { IndexId, ItemId } from "../../../src/shared/ids.ts";
import type { Day } from "../../../src/shared/time/day.ts";
import { rowsOf, type Session, statement } from "../../engine/dialect.ts";
import type { ItemParentTable, ItemTable } from "../../engine/repository-schema.ts";
import type { Database } from "../../engine/schema.ts";
import { numberList } from "./item-reading.ts";

type Tables = Database & { i: ItemTable; p: ItemParentTable };

function numbersIn(session: Session, numbers: readonly number[]) {
  const list = numberList(session, numbers);
  return session.dialect === "sqlite"
    ? sql<number>`(select value + 0 from json_each(${list}))`
    : sql<number>`(select value::bigint from unnest(${list}::text[]) as listed(value))`;
}

function textsIn(session: Session, texts: readonly string[]) {
  return session.dialect === "sqlite"
    ? sql<string>`(select value from json_each(${JSON.stringify(texts)}))`
    : sql<string>`(select value from unnest(${texts}::text[]) as listed(value))`;
}

/**
 * 1 for items in no index, or in one that may be browsed. One lookup in the indexes of each item, which no planner
 * turns into a scan.
 */
function inSeenIndex(session: Session, eb: ExpressionBuilder<Tables, "i" | "p">, sight: Sight) {
  return eb
    .selectFrom("item_place as filed")
    .select(
      sql<number>`coalesce(max(case when filed.index_id in ${numbersIn(session, sight.indexes)} then 1 else 0 end), 1)`.as(
        "seen",
      ),
    )
    .whereRef("filed.item_id", "=", "i.id");
}

/**
 * Published, public, open, and in no index or in one that may be browsed; or privileged. An embargo that has ended
 * opens the record (R2d).
 */
function visible(session: Session, eb: ExpressionBuilder<Tables, "i" | "p">, sight: Sight) {
  const open = eb.and([
    eb("i.state", "=", "published"),
    eb.or([eb("i.record_access", "=", "public"), eb("i.embargo_until", "<=", sight.today)]),
    eb("i.open_date", "<=", sight.today),
    eb(inSeenIndex(session, eb, sight), ">=", 1),
  ]);
  if (sight.account === null) return open;
  return eb.or([
    open,
    eb("p.owner_account_id", "=", sight.account),
    eb.exists(
      eb
        .selectFrom("item_share as shared")
        .select("shared.account_id")
        .whereRef("shared.parent_id", "=", "p.id")
        .where("shared.account_id", "=", sight.account),
    ),
    eb.exists(
      eb
        .selectFrom("item_grant as granted")
        .select("granted.subject_id")
        .whereRef("granted.parent_id", "=", "p.id")
        .where((grant) => grant.or([grant("granted.permission", "!=", "view"), grant("i.state", "=", "published")]))
        .where((grant) =>
          grant.or([
            grant.and([grant("granted.subject", "=", "user"), grant("granted.subject_id", "=", sight.account)]),
            ...(sight.groups.length === 0
              ? []
              : [
                  grant.and([
                    grant("granted.subject", "=", "role"),
                    grant("granted.subject_id", "in", numbersIn(session, sight.groups)),
                  ]),
                ]),
          ]),
        ),
    ),
    ...(sight.communities.length === 0
      ? []
      : [
          eb.exists(
            eb
              .selectFrom("item_community as curated")
              .select("curated.community_id")
              .whereRef("curated.parent_id", "=", "p.id")
              .where("curated.community_id", "in", textsIn(session, sight.communities)),
          ),
        ]),
  ]);
}

/**
 * PostgreSQL takes a second equation of both tables for true of one row in a million, and reads all parents for a page
 * that ends after ten items: there the equation is written as two bounds.
 */
function filtered(session: Session, filter: ItemFilter) {
  let query = session.db.selectFrom("item as i").innerJoin("item_parent as p", "p.id", "i.parent_id");
  const { parent, index, itemType, owner, state, unfiled, withoutArk, latestOnly, visibleTo, from } = filter;
  // As a list of ids: the index of states would be read whole for the versions of one thing (R9b).
  if (parent !== undefined) {
    query = query.where("i.id", "in", (eb) =>
      eb.selectFrom("item as version").select("version.id").where("version.parent_id", "=", parent),
    );
  }
  if (index !== undefined) {
    query = query.where("i.id", "in", (eb) =>
      eb.selectFrom("item_place as filed").select("filed.item_id").where("filed.index_id", "=", index),
    );
  }
  if (itemType !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb("i.item_type_id", "=", itemType),
        eb.exists(
          eb
            .selectFrom("item_draft as drafted")
            .select("drafted.item_id")
            .whereRef("drafted.item_id", "=", "i.id")
            .where("drafted.item_type_id", "=", itemType),
        ),
      ]),
    );
  }
  if (from !== undefined) query = query.where("i.id", ">=", from);
  if (owner !== undefined) query = query.where("p.owner_account_id", "=", owner);
  if (state !== undefined) query = query.where("i.state", "=", state);
  if (withoutArk === true) query = query.where("i.ark", "is", null).where("i.state", "=", "published");
  if (latestOnly === true) {
    query =
      session.dialect === "sqlite"
        ? query.whereRef("p.latest_item_id", "=", "i.id")
        : query.whereRef("p.latest_item_id", ">=", "i.id").whereRef("p.latest_item_id", "<=", "i.id");
  }
  if (unfiled === true) {
    query = query.where((eb) =>
      eb.not(eb.exists(eb.selectFrom("item_place as any").select("any.index_id").whereRef("any.item_id", "=", "i.id"))),
    );
    if (state === undefined) query = query.where("i.state", "=", "published");
  }
  if (visibleTo !== undefined) query = query.where((eb) => visible(session, eb, visibleTo));
  return query;
}

/** A list of one index uses the order of that index: the page ends early, however many items the index has. */
function listedIn(session: Session, filter: ItemFilter & { readonly index: IndexId }) {
  const { index, ...rest } = filter;
  return filtered(session, rest)
    .innerJoin("item_place as filed", "filed.item_id", "i.id")
    .where("filed.index_id", "=", index);
}

export async function listItemIds(
  session: Session,
  filter: ItemFilter,
  before: ItemId | null,
  limit: number,
): Promise<readonly number[]> {
  if (filter.index !== undefined) {
    let query = listedIn(session, { ...filter, index: filter.index })
      .select("filed.item_id as id")
      .orderBy("filed.item_id", "desc")
      .limit(limit);
    if (before !== null) query = query.where("filed.item_id", "<", before);
    return (await query.execute()).map(({ id }) => id);
  }
  let query = filtered(session, filter).select("i.id").orderBy("i.id", "desc").limit(limit);
  if (before !== null) query = query.where("i.id", "<", before);
  return (await query.execute()).map(({ id }) => id);
}

export async function countItems(session: Session, filter: ItemFilter): Promise<number> {
  const { items } = await filtered(session, filter)
    .select((eb) => eb.fn.countAll().as("items"))
    .executeTakeFirstOrThrow();
  return Number(items);
}

const IN_INDEX = statement(
  () => `select filed.item_id as id from item_place filed join item i on i.id = filed.item_id
    where filed.index_id = $1 and filed.item_id < $2 and i.state = 'published' order by filed.item_id desc limit $3`,
);
/** After every number that is assigned. */
const LAST = Number.MAX_SAFE_INTEGER;

export async function itemIdsIn(
  session: Session,
  indexId: IndexId,
  before: ItemId | null,
  limit: number,
): Promise<readonly number[]> {
  const rows = await rowsOf<{ id: ItemId }>(session, IN_INDEX, [indexId, before ?? LAST, limit]);
  return rows.map(({ id }) => id);
}

const EMBARGO_ENDED = statement(
  ({ dialect }) => `select id from item ${dialect === "sqlite" ? "indexed by item_under_embargo" : ""}
    where embargo_until is not null and embargo_until <= $1 and state = 'published' and id > $2 order by id limit $3`,
);

export async function embargoEnded(
  session: Session,
  day: Day,
  after: ItemId,
  limit: number,
): Promise<readonly number[]> {
  return (await rowsOf<{ id: ItemId }>(session, EMBARGO_ENDED, [day, after, limit])).map(({ id }) => id);
}

const OPENED = statement(
  ({ dialect }) => `select id from item ${dialect === "sqlite" ? "indexed by item_by_open_date" : ""}
    where open_date > $1 and open_date <= $2 and state = 'published' and id > $3
    order by id limit $4`,
);

export async function openedBetween(
  session: Session,
  since: Day,
  until: Day,
  after: ItemId,
  limit: number,
): Promise<readonly number[]> {
  return (await rowsOf<{ id: ItemId }>(session, OPENED, [since, until, after, limit])).map(({ id }) => id);
}
