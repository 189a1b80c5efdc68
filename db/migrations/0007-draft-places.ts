// Migration 7: the indexes a draft is to lie in, beside its content (R16, R2e): by them those who administer a community find what waits for
// them. Expands only.
import type { Migration } from "./migration.ts";

/** Rows of before. Content is kept as it was sent, with texts that PostgreSQL takes for no JSON: there the one list of numbers is looked for. */
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
