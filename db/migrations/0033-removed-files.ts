// Migration 33: files that were removed from drafts and can be put back (R43), until the draft ends or they are
// forgotten. Expands only. `entry` is JSON.
import type { Migration } from "./migration.ts";

export const removedFiles: Migration = {
  version: 33,
  name: "removed-files",
  statements(dialect) {
    const [key, int, end] = dialect === "sqlite" ? ["text", "integer", "strict"] : ['text collate "C"', "bigint", ""];
    return [
      `create table removed_file (
        id ${key} primary key, item_id ${int} not null references item_draft (item_id) on delete cascade,
        storage_key ${key} not null, removed_at ${key} not null, entry text not null
      ) ${end}`,
      "create index removed_file_by_item on removed_file (item_id, removed_at)",
      "create index removed_file_by_storage_key on removed_file (storage_key)",
      "create index removed_file_by_removed on removed_file (removed_at)",
    ];
  },
};
