// Migration 25: the changes of a name are read part by part (R9b): on PostgreSQL the index by which they are found also
// has their order, as every index of SQLite does. Expands only: the index of the target alone stays.
import type { Migration } from "./migration.ts";

export const historyParts: Migration = {
  version: 25,
  name: "history-parts",
  statements(dialect) {
    if (dialect === "sqlite") return [];
    return ["create index ark_change_by_target_and_id on ark_change (target, id)"];
  },
};
