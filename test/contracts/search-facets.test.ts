// An upgrade leaves the facets of a repository that is in use as they are, on both databases (R27; specification 3, rule 8).
import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { migrate } from "../../db/engine/migrate.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { FACETS_BEFORE, searchFacets } from "../../db/migrations/0026-search-facets.ts";
import { searchSettingsFrom } from "../../src/repository/search/settings/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../src/repository/search/settings/shipped-settings.ts";
import { onEachDatabase } from "../support/databases.ts";

describe("the facets after an upgrade", () => {
  onEachDatabase((database) => {
    async function upgraded(before: readonly string[]): Promise<readonly unknown[]> {
      const opened = await openDatabase({ url: await database.empty(), role: "owner" } as never);
      await migrate(opened, { upTo: searchFacets.version - 1 });
      for (const text of before) await sql.raw(text).execute(opened.writer);
      await migrate(opened, { upTo: searchFacets.version });
      const { rows } = await sql<{ value: string }>`select value from search_setting where name = 'facets'`.execute(
        opened.writer,
      );
      await opened.close();
      const stored = Object.fromEntries(rows.map(({ value }) => ["facets", JSON.parse(value)]));
      return searchSettingsFrom(stored, SHIPPED_SEARCH_SETTINGS).facets;
    }
    const account = `insert into account (id, name, roles, active, created_at, updated_at)
      values (1, 'A', '[]', 1, '2026-01-01', '2026-01-01')`;
    const own = [{ id: 9, name: { en: "Own", ja: "独自" }, sources: ["languages"] }];

    test("S3.1.8 R28a a new repository has the eight of this version", async () => {
      expect(await upgraded([])).toEqual(SHIPPED_SEARCH_SETTINGS.facets);
    });

    test("S3.1.8 R28a one that is in use keeps the seven that it had by itself, or those that were set", async () => {
      expect(await upgraded([account])).toEqual(FACETS_BEFORE);
      const set = `insert into search_setting (name, value, updated_at) values ('facets', '${JSON.stringify(own)}', 'x')`;
      expect(await upgraded([account, set])).toEqual(own);
    });
  });
});
