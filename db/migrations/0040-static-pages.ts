// Migration 40: pages that administrators write (Q.10): every revision is a row, the newest one is what readers see.
// Expands only.
import type { Migration } from "./migration.ts";

export const staticPages: Migration = {
  version: 40,
  name: "static-pages",
  statements(dialect) {
    const [key, int, end] =
      dialect === "sqlite" ? ["text", "integer", "strict, without rowid"] : ['text collate "C"', "bigint", ""];
    return [
      `create table static_page (
        slug ${key} not null, revision integer not null, at ${key} not null,
        account_id ${int} references account (id), message text not null,
        title_en text not null, content_en text not null, title_ja text not null, content_ja text not null,
        footer integer, deleted integer not null check (deleted in (0, 1)),
        newest integer not null check (newest in (0, 1)), primary key (slug, revision)
      ) ${end}`,
      "create unique index static_page_newest on static_page (slug) where newest = 1",
      "create index static_page_by_account on static_page (account_id, slug, revision)",
    ];
  },
};
