// Migration 5: what lists show of each item, written with its revision (R9a). Expands only. `content` is JSON; a row
// whose revision is not the item's is out of date, and a job fills in what is missing: rows of before, and those that
// an older program wrote past it.
import type { Migration } from "./migration.ts";

export const itemSummary: Migration = {
  version: 5,
  name: "item-summary",
  statements: (dialect) => {
    const int = dialect === "sqlite" ? "integer" : "bigint";
    return [
      `create table item_summary (
        item_id ${int} not null primary key references item (id),
        revision integer not null,
        content text not null
      ) ${dialect === "sqlite" ? "strict" : ""}`,
    ];
  },
};
