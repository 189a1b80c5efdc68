// Migration 22: what is known of the collections of a search index that processes share (R34). Expands only.
import type { Migration } from "./migration.ts";

export const searchCollections: Migration = {
  version: 22,
  name: "search-collections",
  statements(dialect) {
    const [key, int, end] = dialect === "sqlite" ? ["text", "integer", "strict"] : ['text collate "C"', "bigint", ""];
    return [
      `create table search_collection (
        name ${key} not null primary key, state ${key} not null check (state in ('building', 'whole')), schema ${key} not null,
        least ${int} not null, most ${int}, labels ${int} not null, written ${int} not null, seal ${int}
      ) ${end}`,
    ];
  },
};
