// Migration 34: the index by which accounts of one name are found, for sharing with them (R37). Expands only.
import type { Migration } from "./migration.ts";

export const accountNames: Migration = {
  version: 34,
  name: "account-names",
  statements: () => ["create index account_by_name on account (name)"],
};
