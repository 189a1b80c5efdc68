// Migration 11: the texts of files (R35), one for each content. Triggers let a text go with the last file that has its
// content, whatever takes that away, and tell the feed of changes when one arrives. Expands only. No backup holds it:
// what is lost is read again.
import type { Dialect } from "../engine/dialect.ts";
import type { Migration } from "./migration.ts";

const NOW = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
} as const;

const forget = `delete from file_text where sha256 = old.sha256
  and not exists (select 1 from file_set_entry e where e.sha256 = old.sha256 and e.storage_key is not null)`;

/** All parents of items that show a file with the content. */
const tell = (dialect: Dialect): string => `insert into item_change (at, subject, target)
  select distinct ${NOW[dialect]}, 'parent', i.parent_id from file_set_entry e join item i on i.file_set_id = e.file_set_id
  where e.sha256 = new.sha256 and e.storage_key is not null`;

type Trigger = {
  readonly name: string;
  readonly on: string;
  readonly table: string;
  readonly when: string | null;
  readonly does: (dialect: Dialect) => string;
};

const TRIGGERS: readonly Trigger[] = [
  { name: "file_text_dropped", on: "delete", table: "file_set_entry", when: null, does: () => forget },
  {
    name: "file_text_erased",
    on: "update of storage_key",
    table: "file_set_entry",
    when: "new.storage_key is null",
    does: () => forget,
  },
  { name: "file_text_in_changes", on: "insert", table: "file_text", when: "new.state = 'done'", does: tell },
  { name: "file_text_changes", on: "update of text", table: "file_text", when: "old.text <> new.text", does: tell },
];

/** With their tables, for `arkstone verify`. */
export const FILE_TEXT_TRIGGERS: Readonly<Record<string, string>> = Object.fromEntries(
  TRIGGERS.map(({ name, table }) => [name, table]),
);

function sqliteTrigger({ name, on, table, when, does }: Trigger): string {
  return `create trigger ${name} after ${on} on ${table} ${when === null ? "" : `when ${when}`} begin ${does("sqlite")}; end`;
}

function postgresTrigger({ name, on, table, when, does }: Trigger): readonly string[] {
  return [
    `create function arkstone_${name}() returns trigger language plpgsql as
      $body$ begin ${does("postgres")}; return null; end $body$`,
    `create trigger ${name} after ${on} on ${table} for each row
      ${when === null ? "" : `when (${when})`} execute function arkstone_${name}()`,
  ];
}

export const fileText: Migration = {
  version: 11,
  name: "file-text",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const [key, int] = isSqlite ? ["text", "integer"] : ['text collate "C"', "bigint"];
    return [
      `create table file_text (
        sha256 ${key} not null primary key,
        state text not null check (state in
          ('done', 'empty', 'unreadable', 'too-large', 'timed-out', 'encrypted', 'unsupported')),
        reason text not null, characters ${int} not null, reader ${int} not null, at ${key} not null,
        -- Last, because it is long.
        text text not null
      ) ${isSqlite ? "strict" : ""}`,
      "create index file_text_by_state on file_text (state, sha256, reader)",
      "create index file_set_entry_by_content on file_set_entry (sha256) where storage_key is not null",
      "create index item_by_files on item (file_set_id)",
      ...(isSqlite ? TRIGGERS.map(sqliteTrigger) : TRIGGERS.flatMap(postgresTrigger)),
    ];
  },
};
