// Migration 23: rights to records beyond editing by one account (R15, R37): view, preview and manage, and every right
// of groups. `item_share` stays the list of accounts that edit. Triggers write the feed of changes (R34) as for
// `item_share`. Expands only.
import type { Migration } from "./migration.ts";

const TABLE = "item_grant";

export const itemGrants: Migration = {
  version: 23,
  name: "item-grants",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const [int, key, end] = isSqlite
      ? ["integer", "text", "without rowid, strict"]
      : ["bigint", 'text collate "C"', ""];
    return [
      `create table ${TABLE} (
        parent_id ${int} not null references item_parent (id),
        subject ${key} not null check (subject in ('user', 'role')),
        subject_id ${int} not null,
        permission ${key} not null check (permission in ('view', 'preview', 'edit', 'manage')),
        primary key (parent_id, subject, subject_id)
      ) ${end}`,
      ...watching("in", "insert", "new", isSqlite),
      ...watching("out", "delete", "old", isSqlite),
    ];
  },
};

function watching(name: string, on: string, row: string, isSqlite: boolean): readonly string[] {
  const trigger = `${TABLE}_${name}_changes`;
  if (isSqlite) {
    return [
      `create trigger ${trigger} after ${on} on ${TABLE}
        begin insert into item_change (at, subject, target)
          values (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'parent', ${row}.parent_id); end`,
    ];
  }
  return [
    `create function arkstone_${trigger}() returns trigger language plpgsql as $body$ begin
      insert into item_change (at, subject, target) values
        (to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'parent', ${row}.parent_id);
      return null; end $body$`,
    `create trigger ${trigger} after ${on} on ${TABLE} for each row execute function arkstone_${trigger}()`,
  ];
}

/** As those of migration 8: without one of them followers miss changes (`arkstone verify`). */
export const ITEM_GRANT_TRIGGERS: Readonly<Record<string, string>> = {
  [`${TABLE}_in_changes`]: TABLE,
  [`${TABLE}_out_changes`]: TABLE,
};
