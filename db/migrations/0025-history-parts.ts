// Migration 25: the changes of a name are read part by part (R9b): on PostgreSQL the index by which they are found has their order, too, as one of
// SQLite has of itself. Programs of before use the new index as the old one.
import type { Migration } from "./migration.ts";

export const historyParts: Migration = {
  version: 25,
  name: "history-parts",
  statements(dialect) {
    if (dialect === "sqlite") return [];
    return ["create index ark_change_by_target_and_id on ark_change (target, id)", "drop index ark_change_by_target"];
  },
};
