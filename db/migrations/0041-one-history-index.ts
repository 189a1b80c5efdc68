// Migration 41: on PostgreSQL the changes of a name had two indexes since migration 25, which began with the same
// column. That of the target alone goes, for each change writes both: what any version asks of it, the other answers.
import type { Migration } from "./migration.ts";

export const oneHistoryIndex: Migration = {
  version: 41,
  name: "one-history-index",
  statements: (dialect) => (dialect === "sqlite" ? [] : ["drop index ark_change_by_target"]),
};
