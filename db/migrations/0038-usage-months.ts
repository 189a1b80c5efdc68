// Migration 38: views and downloads by month of the repository, of records, communities, indexes and persons (R51), and a way to
// the days of one record. What was counted before is added for records that guests may read now. Expands only.
import type { Migration } from "./migration.ts";

const COUNTS = ["views", "downloads", "data_volume"];

export const usageMonths: Migration = {
  version: 38,
  name: "usage-months",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const key = isSqlite ? "text" : 'text collate "C"';
    const int = isSqlite ? "integer" : "bigint";
    const sums = COUNTS.map((name) => `sum(d.${name})`).join(", ");
    const today = isSqlite ? "date('now')" : "to_char(now() at time zone 'UTC', 'YYYY-MM-DD')";
    /** Indexes that guests browse, and records that they may read. */
    const seen = `with recursive open_index(id) as (
        select id from index_node where parent = 0 and deleted_at is null and public_state = 1 and browsing_role like '%-99%'
          and (public_date is null or public_date <= ${today})
        union all
        select n.id from open_index join index_node n on n.parent = open_index.id
          where n.deleted_at is null and n.public_state = 1 and n.browsing_role like '%-99%'
          and (n.public_date is null or n.public_date <= ${today})
      ), seen(parent_id, item_id) as (
        select p.id, p.latest_item_id from item_parent p join item i on i.id = p.latest_item_id
          where i.state = 'published' and i.record_access = 'public' and i.open_date <= ${today}
          and (not exists (select 1 from item_place l where l.item_id = i.id)
            or exists (select 1 from item_place l join open_index o on o.id = l.index_id where l.item_id = i.id))
      )`;
    const add = (subject: string, ref: string, more: string): string =>
      `insert into usage_month (subject, ref, month, ${COUNTS.join(", ")})
        ${seen} select '${subject}', ${ref}, substr(d.day, 1, 7), ${sums}
        from usage_day d join seen s on s.parent_id = d.id ${more}
        where d.subject = 'parent' and d.file = '' group by ${ref}, substr(d.day, 1, 7)`;
    const text = (column: string): string => `cast(${column} as text)`;
    return [
      `create table usage_month (
        subject ${key} not null check (subject in ('repository', 'community', 'index', 'person', 'country', 'record')),
        ref ${key} not null, month ${key} not null,
        ${COUNTS.map((name) => `${name} ${int} not null`).join(", ")}, primary key (subject, ref, month)
      ) ${isSqlite ? "strict, without rowid" : ""}`,
      "create index usage_month_by_use on usage_month (month, views, ref) where subject = 'record'",
      "create index usage_day_by_subject on usage_day (subject, id, file, day)",
      add("repository", "r.ref", "cross join (select cast('' as text) as ref) r"),
      add("record", text("s.parent_id"), ""),
      add("community", "c.community_id", "join item_community c on c.parent_id = s.parent_id"),
      add("person", text("a.author_id"), "join item_author a on a.item_id = s.item_id"),
      add(
        "index",
        text("b.id"),
        `join (
          with recursive above(parent_id, id) as (
            select p.id, l.index_id from item_parent p join item_place l on l.item_id = p.latest_item_id
            union
            select above.parent_id, n.parent from above join index_node n on n.id = above.id where n.parent <> 0
          ) select parent_id, id from above
        ) b on b.parent_id = s.parent_id`,
      ),
    ];
  },
};
