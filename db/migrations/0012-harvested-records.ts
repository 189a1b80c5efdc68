// Migration 12: what harvesters receive (R36). A record for every parent that guests have ever seen, kept for ever:
// when its public view last changed, and whether guests still see it. Also the queue of parents to check, and the
// position of the list. Times are to the second.
import type { Dialect } from "../engine/dialect.ts";
import type { Migration } from "./migration.ts";

const NOW = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
} as const;

type Watch = { readonly name: string; readonly table: string; readonly when: string; readonly parents: string };

/**
 * Changes of what guests see that migration 8 does not watch: the words of a set, and files that were destroyed (R2b).
 */
const watched = (dialect: Dialect): readonly Watch[] => {
  const differ = dialect === "sqlite" ? "is not" : "is distinct from";
  return [
    {
      name: "community_told",
      table: "community",
      when: ["slug", "visibility", "deleted_at"].map((name) => `old.${name} ${differ} new.${name}`).join(" or "),
      parents: "select parent_id from item_community where community_id = new.id",
    },
    {
      name: "file_erased",
      table: "file_set_entry",
      when: `old.erased_at ${differ} new.erased_at`,
      parents: `select distinct i.parent_id from item_revision r join item i on i.id = r.item_id
        where r.file_set_id = new.file_set_id`,
    },
  ];
};

function triggers(dialect: Dialect): string[] {
  return watched(dialect).flatMap(({ name, table, when, parents }) => {
    const write = `insert into item_change (at, subject, target)
      select ${NOW[dialect]}, 'parent', parent_id from (${parents}) as touched`;
    if (dialect === "sqlite") {
      return [`create trigger ${name}_changes after update on ${table} when ${when} begin ${write}; end`];
    }
    return [
      `create function arkstone_${name}_changes() returns trigger language plpgsql as $body$ begin
        ${write};
        return null; end $body$`,
      `create trigger ${name}_changes after update on ${table} for each row
        when (${when}) execute function arkstone_${name}_changes()`,
    ];
  });
}

/** Triggers and their tables: without one of them harvesters miss changes (`arkstone verify`). */
export const HARVEST_TRIGGERS: Readonly<Record<string, string>> = Object.fromEntries(
  watched("sqlite").map(({ name, table }) => [`${name}_changes`, table]),
);

export const harvestedRecords: Migration = {
  version: 12,
  name: "harvested-records",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const key = isSqlite ? "text" : 'text collate "C"';
    const int = isSqlite ? "integer" : "bigint";
    const [end, clustered] = isSqlite ? ["strict", "strict, without rowid"] : ["", ""];
    return [
      // `number`: the id of the first version, which the identifier is made of. The rest is what guests received at
      // `datestamp`: which version in which revision, under which name, how open; `content` is a digest of its text. Of
      // a deleted record it is what they saw last.
      `create table oai_record (
        parent_id ${int} not null primary key references item_parent (id),
        number ${int} not null unique,
        datestamp ${key} not null,
        state text not null check (state in ('shown', 'deleted')),
        item_id ${int} not null, revision integer not null, ark ${key}, access_status text not null,
        content ${key} not null, sets text not null
      ) ${end}`,
      "create index oai_record_by_datestamp on oai_record (datestamp, number)",
      `create table oai_record_set (
        spec ${key} not null, datestamp ${key} not null, number ${int} not null,
        primary key (spec, datestamp, number)
      ) ${clustered}`,
      "create index oai_record_set_by_number on oai_record_set (number)",
      // Parents to be checked. `content`: also their text; `again`: a harvester received something else than the record
      // has, so it gets a new datestamp.
      `create table oai_due (
        parent_id ${int} not null primary key,
        content integer not null check (content in (0, 1)), again integer not null check (again in (0, 1))
      ) ${end}`,
      // The position of the follower in the feed, the last second in which no record will be dated any more, the day
      // that was checked last.
      `create table oai_state (
        only_one integer not null primary key check (only_one = 1),
        epoch text not null, horizon text not null, closed ${key} not null, day ${key} not null,
        ready integer not null check (ready in (0, 1)), secret text not null
      ) ${end}`,
      // What a new day opens (R2d).
      "create index file_set_entry_by_date on file_set_entry (access_date) where access_date is not null",
      "create index index_node_by_public_date on index_node (public_date) where public_date is not null",
      ...triggers(dialect),
    ];
  },
};
