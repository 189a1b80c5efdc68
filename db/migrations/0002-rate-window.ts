// Migration 2: what each credential and address has asked for in the current minute, for limits that several minters
// share. Expands only. Lost in a crash and not sent to standbys on purpose: it is worth a minute. SQLite has one
// minter, which counts in memory.
import type { Migration } from "./migration.ts";

export const rateWindow: Migration = {
  version: 2,
  name: "rate-window",
  statements(dialect) {
    if (dialect === "sqlite") return [];
    return [
      `create unlogged table rate_window (
        who text collate "C" not null primary key,
        minute bigint not null,
        taken integer not null,
        granted integer not null
      )`,
    ];
  },
};
