// Migration 28: earlier states of drafts (R42), each as it was before it was saved again, and when a draft began: its
// counter starts again with every draft of a record. Expands only. `content` is JSON.
import type { Migration } from "./migration.ts";

export const draftRevisions: Migration = {
  version: 28,
  name: "draft-revisions",
  statements(dialect) {
    const [key, int, end] = dialect === "sqlite" ? ["text", "integer", "strict"] : ['text collate "C"', "bigint", ""];
    return [
      `create table draft_revision (
        item_id ${int} not null references item_draft (item_id) on delete cascade,
        counter integer not null check (counter >= 1), saved_at ${key} not null, account_id ${int} not null,
        characters ${int} not null, content text not null,
        primary key (item_id, counter)
      ) ${end}`,
      "create index draft_revision_by_saved on draft_revision (saved_at)",
      `alter table item_draft add column began_at ${key}`,
    ];
  },
};
