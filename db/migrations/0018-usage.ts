// Migration 18: how often items were viewed and their files downloaded (R39), a row a day, subject (a version, or what
// ties versions together) and file ("" for the whole), and the sums of each subject. Nothing about the visitors.
// Expands only.
import type { Migration } from "./migration.ts";

export const usage: Migration = {
  version: 18,
  name: "usage",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const key = isSqlite ? "text" : 'text collate "C"';
    const int = isSqlite ? "integer" : "bigint";
    const clustered = isSqlite ? "strict, without rowid" : "";
    const counts = ["views", "unique_views", "downloads", "unique_downloads", "data_volume"]
      .map((name) => `${name} ${int} not null`)
      .join(", ");
    return [
      `create table usage_day (
        day ${key} not null, subject ${key} not null check (subject in ('item', 'parent')), id ${int} not null, file ${key} not null,
        ${counts}, primary key (day, subject, id, file)
      ) ${clustered}`,
      `create table usage_total (
        subject ${key} not null check (subject in ('item', 'parent')), id ${int} not null, ${counts}, used_on ${key} not null,
        primary key (subject, id)
      ) ${clustered}`,
      "create index usage_total_by_day on usage_total (subject, used_on, id)",
    ];
  },
};
