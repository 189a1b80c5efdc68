// Migration 26: the facets that the program has by itself are others from now on (R27; specification 3, rule 8). A
// repository that was in use keeps those it had, as if an administrator had set them; a new one has none stored.
// Expands only.
import type { Migration } from "./migration.ts";

const BEFORE: readonly (readonly [en: string, ja: string, source: string])[] = [
  ["Data Language", "データの言語", "languages"],
  ["Access", "アクセス制限", "accessRights.label"],
  ["Location", "地域", "locations.places.value"],
  ["Temporal", "時間的範囲", "temporals.value"],
  ["Topic", "トピック", "subjects.text.value"],
  ["Distributor", "配布者", "contributors[role=Distributor].names.shown"],
  ["Data Type", "データタイプ", "descriptions[kind=Other].value"],
];

/** As src/repository/search/settings writes them. */
export const FACETS_BEFORE: readonly object[] = BEFORE.map(([en, ja, source], at) => ({
  id: at + 1,
  name: { en, ja },
  sources: [source],
  active: true,
  display: "checkboxes",
  shown: 5,
  open: true,
}));

export const searchFacets: Migration = {
  version: 26,
  name: "search-facets",
  statements(dialect) {
    const now =
      dialect === "sqlite"
        ? "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
        : `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    return [
      `insert into search_setting (name, value, updated_at)
        select 'facets', '${JSON.stringify(FACETS_BEFORE)}', ${now}
        where exists (select 1 from account)
          and not exists (select 1 from search_setting where name = 'facets')`,
    ];
  },
};
