// Migration 35: offers to hand a record over to another account (R15). Of the open ones a record has at most one. Expands
// only.
import type { Migration } from "./migration.ts";

export const transfers: Migration = {
  version: 35,
  name: "transfers",
  statements(dialect) {
    const [key, int, end] =
      dialect === "sqlite" ? ["text", "integer", "strict, without rowid"] : ['text collate "C"', "bigint", ""];
    return [
      `create table record_transfer (
        id ${key} primary key, parent_id ${int} not null references item_parent (id), item_id ${int} not null,
        status ${key} not null check (status in ('submitted', 'accepted', 'declined', 'cancelled')),
        title text not null, message text not null,
        account_id ${int} not null references account (id), receiver_account ${int} not null references account (id),
        created_at ${key} not null, updated_at ${key} not null
      ) ${end}`,
      "create unique index record_transfer_open on record_transfer (parent_id) where status = 'submitted'",
      "create index record_transfer_by_parent on record_transfer (parent_id, created_at)",
      "create index record_transfer_of_account on record_transfer (account_id, id)",
      "create index record_transfer_to_account on record_transfer (receiver_account, id)",
    ];
  },
};
