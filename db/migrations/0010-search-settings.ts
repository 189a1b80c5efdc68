// Migration 10: what an administrator sets of searching (R27; specification 3, rules 4, 5 and 8), by name, as JSON:
// `facets`, a list of choices, or a free field. A setting without a row has the default of the program. A change is a
// row of the repository's feed, as one of an item type is: the holder of a search index rebuilds it. Expands only.
import type { Dialect } from "../engine/dialect.ts";
import type { Migration } from "./migration.ts";

const NOW = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
} as const;

type Watch = { readonly name: string; readonly on: string; readonly table: string; readonly target: string };

const WATCHED: readonly Watch[] = [
  { name: "search_setting_in", on: "insert", table: "search_setting", target: "new.name" },
  { name: "search_setting", on: "update", table: "search_setting", target: "new.name" },
  { name: "search_setting_out", on: "delete", table: "search_setting", target: "old.name" },
  { name: "item_type_version_in", on: "insert", table: "item_type_version", target: "'item-types'" },
];

function triggers({ name, on, table, target }: Watch, dialect: Dialect): readonly string[] {
  const written = `insert into item_change (at, subject, target) values (${NOW[dialect]}, 'settings', ${target})`;
  if (dialect === "sqlite") {
    return [`create trigger ${name}_changes after ${on} on ${table} begin ${written}; end`];
  }
  return [
    `create function arkstone_${name}_changes() returns trigger language plpgsql as $body$
      begin ${written}; return null; end $body$`,
    `create trigger ${name}_changes after ${on} on ${table} for each row
      execute function arkstone_${name}_changes()`,
  ];
}

/** Triggers and their tables, in addition to those of migration 8. */
export const SETTING_CHANGE_TRIGGERS: Readonly<Record<string, string>> = Object.fromEntries(
  WATCHED.map(({ name, table }) => [`${name}_changes`, table]),
);

export const searchSettings: Migration = {
  version: 10,
  name: "search-settings",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const words = isSqlite ? "text" : 'text collate "C"';
    return [
      `create table search_setting (
        name ${words} primary key, value text not null, updated_at ${words} not null
      ) ${isSqlite ? "strict, without rowid" : ""}`,
      ...WATCHED.flatMap((each) => triggers(each, dialect)),
    ];
  },
};
