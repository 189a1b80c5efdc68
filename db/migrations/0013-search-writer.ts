// Migration 13: which process writes the search index that all processes share (R34), and until when it is taken to be
// there. Expands only.
import type { Migration } from "./migration.ts";

export const searchWriter: Migration = {
  version: 13,
  name: "search-writer",
  statements(dialect) {
    const [key, int, end] = dialect === "sqlite" ? ["text", "integer", "strict"] : ['text collate "C"', "bigint", ""];
    return [
      `create table search_writer (
        only_one ${int} not null primary key check (only_one = 1), owner ${key} not null, until ${key} not null
      ) ${end}`,
    ];
  },
};
