// Migration 16: whether a tombstone is shown to everybody or to administrators alone (R2c, R37). Expands only.
import type { Migration } from "./migration.ts";

export const tombstoneVisibility: Migration = {
  version: 16,
  name: "tombstone-visibility",
  statements: () => ["alter table tombstone add column is_visible integer not null default 1"],
};
