// Migration 6: the id under which a database marks the storage that it alone may sweep (R7c), and the turns it took
// there. Expands only. No backup holds it: a restored database gets another one.
import type { Migration } from "./migration.ts";

export const storageIdentity: Migration = {
  version: 6,
  name: "storage-identity",
  statements(dialect) {
    const [key, int, end] = dialect === "sqlite" ? ["text", "integer", "strict"] : ['text collate "C"', "bigint", ""];
    return [
      `create table storage_identity (
        only_one ${int} not null primary key check (only_one = 1), id ${key} not null, turns text not null
      ) ${end}`,
    ];
  },
};
