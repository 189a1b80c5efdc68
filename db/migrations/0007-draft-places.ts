// Migration 7: the indexes of a draft, in a separate table (R16, R2e): administrators of a community find by them what
// waits for them. Expands only.
import type { Migration } from "./migration.ts";

/**
 * Existing rows. Content is kept as it was sent, with texts that PostgreSQL does not accept as JSON: there the one list
 * of numbers is extracted.
 */
const KEPT = {
  sqlite: `select d.item_id, cast(p.value as integer) from item_draft d, json_each(d.content, '$.places') p`,
  postgres: `select d.item_id, p.id::bigint from item_draft d
    cross join lateral regexp_matches(d.content, '"places":\\[([0-9,]+)\\]', 'g') as m
    cross join lateral regexp_split_to_table(m[1], ',') as p(id) where p.id ~ '^[0-9]{1,16}$'`,
} as const;

export const draftPlaces: Migration = {
  version: 7,
  name: "draft-places",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const int = isSqlite ? "integer" : "bigint";
    return [
      `create table item_draft_place (
        index_id ${int} not null,
        item_id ${int} not null references item (id),
        primary key (index_id, item_id)
      ) ${isSqlite ? "strict, without rowid" : ""}`,
      "create index item_draft_place_by_item on item_draft_place (item_id)",
      `insert into item_draft_place (item_id, index_id) ${KEPT[dialect]} ${isSqlite ? "where true" : ""} on conflict do nothing`,
    ];
  },
};
