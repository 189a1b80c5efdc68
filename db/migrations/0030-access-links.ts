// Migration 30: links that give a right to a record (R2d, R37). Of the secret of a link only its hash is kept. A revoked
// link is deleted: the audit keeps that there was one. Expands only.
import type { Migration } from "./migration.ts";

export const accessLinks: Migration = {
  version: 30,
  name: "access-links",
  statements(dialect) {
    const [key, int, end] =
      dialect === "sqlite" ? ["text", "integer", "strict, without rowid"] : ['text collate "C"', "bigint", ""];
    return [
      `create table access_link (
        id ${key} primary key, parent_id ${int} not null references item_parent (id),
        permission ${key} not null check (permission in ('view', 'preview', 'edit', 'manage')),
        token_hash ${key} not null unique, description text not null,
        account_id ${int} not null references account (id),
        created_at ${key} not null, expires_at ${key}
      ) ${end}`,
      "create index access_link_by_parent on access_link (parent_id)",
    ];
  },
};
