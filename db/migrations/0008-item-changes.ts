// Migration 8: the feed of changes of the repository (R34), as the feed of names is one: a row for every committed
// change that a search index, a list of records or whatever else follows the repository must see. Triggers write it, so
// that no way of changing an item passes it by. Rows are deleted after a while (db/feed/item-feed.ts): the feed is not
// a history, and a follower that is too late loads everything again.
import type { Dialect } from "../engine/dialect.ts";
import type { Migration } from "./migration.ts";

const NOW = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
} as const;

/**
 * What is written when: `target` is the number of a parent (all of its versions may look different now) or of an index.
 */
type Watch = {
  readonly name: string;
  readonly on: string;
  readonly table: string;
  readonly subject: "parent" | "index";
  readonly target: string;
  readonly when?: string;
};

const differs = (dialect: Dialect, columns: readonly string[]): string =>
  columns.map((name) => `old.${name} is ${dialect === "sqlite" ? "not" : "distinct from"} new.${name}`).join(" or ");

/** The columns that decide whether an index may be browsed (R2d), and whether its items are harvested (R24). */
const INDEX_COLUMNS = [
  "parent",
  "harvest_public_state",
  "public_state",
  "public_date",
  "browsing_role",
  "browsing_group",
  "deleted_at",
];

const watched = (dialect: Dialect): readonly Watch[] => {
  const parentOf = (row: "old" | "new"): string => `(select parent_id from item where id = ${row}.item_id)`;
  return [
    {
      name: "item",
      on: "update",
      table: "item",
      subject: "parent",
      target: "new.parent_id",
      when: differs(dialect, ["revision", "state", "ark", "metadata"]),
    },
    {
      name: "item_parent",
      on: "update",
      table: "item_parent",
      subject: "parent",
      target: "new.id",
      when: differs(dialect, ["latest_item_id", "owner_account_id"]),
    },
    { name: "item_draft_in", on: "insert", table: "item_draft", subject: "parent", target: parentOf("new") },
    { name: "item_draft", on: "update", table: "item_draft", subject: "parent", target: parentOf("new") },
    { name: "item_draft_out", on: "delete", table: "item_draft", subject: "parent", target: parentOf("old") },
    { name: "item_share_in", on: "insert", table: "item_share", subject: "parent", target: "new.parent_id" },
    { name: "item_share_out", on: "delete", table: "item_share", subject: "parent", target: "old.parent_id" },
    { name: "item_community_in", on: "insert", table: "item_community", subject: "parent", target: "new.parent_id" },
    { name: "item_community_out", on: "delete", table: "item_community", subject: "parent", target: "old.parent_id" },
    { name: "index_node_in", on: "insert", table: "index_node", subject: "index", target: "new.id" },
    {
      name: "index_node",
      on: "update",
      table: "index_node",
      subject: "index",
      target: "new.id",
      when: differs(dialect, INDEX_COLUMNS),
    },
  ];
};

/**
 * An item that was never published and is forgotten leaves its parent behind, or not: its row in the feed is written
 * from the old one.
 */
const FORGOTTEN: Watch = {
  name: "item_out",
  on: "delete",
  table: "item",
  subject: "parent",
  target: "old.parent_id",
};

function sqliteTrigger({ name, on, table, subject, target, when }: Watch): string {
  return `create trigger ${name}_changes after ${on} on ${table} ${when === undefined ? "" : `when ${when}`}
    begin insert into item_change (at, subject, target)
      select ${NOW.sqlite}, '${subject}', ${target} where ${target} is not null; end`;
}

function postgresTrigger({ name, on, table, subject, target, when }: Watch): string[] {
  return [
    `create function arkstone_${name}_changes() returns trigger language plpgsql as $body$ begin
      insert into item_change (at, subject, target)
        select ${NOW.postgres}, '${subject}', ${target} where ${target} is not null;
      return null; end $body$`,
    `create trigger ${name}_changes after ${on} on ${table} for each row
      ${when === undefined ? "" : `when (${when})`} execute function arkstone_${name}_changes()`,
  ];
}

/** Triggers and their tables: without one of them followers miss changes (`arkstone verify`). */
export const ITEM_CHANGE_TRIGGERS: Readonly<Record<string, string>> = Object.fromEntries(
  [...watched("sqlite"), FORGOTTEN].map(({ name, table }) => [`${name}_changes`, table]),
);

export const itemChanges: Migration = {
  version: 8,
  name: "item-changes",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const all = [...watched(dialect), FORGOTTEN];
    return [
      isSqlite
        ? `create table item_change (
            id integer primary key autoincrement, at text not null, subject text not null, target text not null
          ) strict`
        : `create table item_change (
            id bigint generated by default as identity primary key,
            xid xid8 not null default pg_current_xact_id(),
            at text collate "C" not null, subject text not null, target text collate "C" not null
          )`,
      // The first mark of every position: it shows that rows were deleted (db/feed/position.ts).
      `insert into item_change (at, subject, target) values (${NOW[dialect]}, 'begin', '')`,
      ...(isSqlite
        ? all.map(sqliteTrigger)
        : ["create index item_change_by_xid on item_change (xid, id)", ...all.flatMap(postgresTrigger)]),
    ];
  },
};
