// Migration 36: searches that accounts saved, and the items that their alerts have reported (issue 26). Of the secret of
// a feed only its hash is kept. Expands only.
import type { Migration } from "./migration.ts";

export const savedSearches: Migration = {
  version: 36,
  name: "saved-searches",
  statements(dialect) {
    const [key, int, end] =
      dialect === "sqlite" ? ["text", "integer", "strict, without rowid"] : ['text collate "C"', "bigint", ""];
    return [
      `create table saved_search (
        id ${key} primary key, account_id ${int} not null references account (id), position integer not null,
        name text not null, query text not null,
        frequency ${key} not null check (frequency in ('never', 'daily', 'weekly')),
        feed_hash ${key} unique, since ${key} not null, next_run_at ${key},
        created_at ${key} not null, updated_at ${key} not null, unique (account_id, position)
      ) ${end}`,
      "create index saved_search_due on saved_search (next_run_at, id) where next_run_at is not null",
      `create table saved_search_item (
        search_id ${key} not null references saved_search (id), item_id ${int} not null, published_at ${key} not null,
        primary key (search_id, item_id)
      ) ${end}`,
    ];
  },
};
