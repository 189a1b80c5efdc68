// Migration 14: pending files of drafts (R37): registered, received, fetched or uploaded in parts, until they are
// completed and become files of the draft; and the file options of a record. Expands only. `metadata` and `details` are
// JSON.
import type { Migration } from "./migration.ts";

export const draftFiles: Migration = {
  version: 14,
  name: "draft-files",
  statements(dialect) {
    const [key, int, end] = dialect === "sqlite" ? ["text", "integer", "strict"] : ['text collate "C"', "bigint", ""];
    return [
      `create table draft_file (
        item_id ${int} not null references item_draft (item_id) on delete cascade, key ${key} not null,
        -- Random: the subject of the job that fetches it.
        id ${key} not null unique,
        transfer text not null check (transfer in ('L', 'F', 'M')), state text not null check (state in ('pending', 'failed')),
        metadata text, size_bytes ${int}, storage_key ${key}, sha256 ${key} not null, md5 text, details text not null,
        account_id ${int} not null, created_at ${key} not null, updated_at ${key} not null,
        primary key (item_id, key)
      ) ${end}`,
      "create index draft_file_by_storage_key on draft_file (storage_key)",
      "create index draft_file_by_updated on draft_file (updated_at, id)",
      "alter table item add column file_options text",
    ];
  },
};
