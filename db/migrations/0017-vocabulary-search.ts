// Migration 17: the keys by which entries of vocabularies are found and sorted, and their revision (R6a, R37). The keys
// are made by the program (src/repository/search/document/vocabulary-keys.ts): a row without a `title_key` gets it at
// the next start. Expands only.
import type { Migration } from "./migration.ts";

export const vocabularySearch: Migration = {
  version: 17,
  name: "vocabulary-search",
  statements(dialect) {
    const isSqlite = dialect === "sqlite";
    const key = isSqlite ? "text" : 'text collate "C"';
    const int = isSqlite ? "integer" : "bigint";
    return [
      `alter table vocabulary add column title_key ${key}`,
      "alter table vocabulary add column search_text text not null default ''",
      `alter table vocabulary add column revision ${int} not null default 1`,
      `alter table vocabulary add column created_at ${key} not null default ''`,
      `alter table vocabulary add column updated_at ${key} not null default ''`,
      "create index vocabulary_by_title on vocabulary (type, title_key, id)",
      "create index vocabulary_without_keys on vocabulary (type, id) where title_key is null",
      "create index vocabulary_by_age on vocabulary (type, created_at, id)",
      `create table vocabulary_word (
        type ${key} not null, word ${key} not null, id ${key} not null,
        primary key (type, word, id)
      ) ${isSqlite ? "strict, without rowid" : ""}`,
    ];
  },
};
