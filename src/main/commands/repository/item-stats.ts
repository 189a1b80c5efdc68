// `arkstone item stats`: how often items were viewed and their files downloaded (R39).
import type { RepositoryReader } from "../../../repository/store/store.ts";
import type { UsageCounts, UsageOfMonth } from "../../../repository/store/usage.ts";
import { csvLine } from "../../../shared/text/csv.ts";
import { jsonLine } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { showRecord } from "./records.ts";
import { withRepository } from "./repository-context.ts";

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const ROWS_AT_ONCE = 5_000;
const HEAD = ["month", "item", "file", "views", "unique_views", "downloads", "unique_downloads", "data_volume"];

const rowOf = ({ views, uniqueViews, downloads, uniqueDownloads, dataVolume }: UsageCounts) => ({
  views,
  unique_views: uniqueViews,
  downloads,
  unique_downloads: uniqueDownloads,
  data_volume: dataVolume,
});

function monthOf(name: string, text: string | undefined, otherwise: string): string {
  if (text === undefined) return otherwise;
  if (MONTH.test(text)) return text;
  throw new UsageError(
    `--${name} "${text}" is not allowed: a month such as 2026-11`,
    'See "arkstone item stats --help"',
  );
}

/** Months in which anything can have been counted. */
const [FIRST, LAST] = ["0000-01", "9999-12"];

async function exportRows(context: Context, usage: RepositoryReader["usage"], from: string, to: string): Promise<void> {
  if (!context.json) context.out(csvLine(HEAD));
  let after: UsageOfMonth | null = null;
  for (;;) {
    const rows: readonly UsageOfMonth[] = await usage.usageByMonth(from, to, after, ROWS_AT_ONCE);
    for (const row of rows) {
      const { month, item, file } = row;
      const counts = rowOf(row);
      context.out(
        context.json
          ? jsonLine({ month, item, file: file === "" ? null : file, ...counts })
          : csvLine([month, String(item), file, ...Object.values(counts).map(String)]),
      );
    }
    after = rows.at(-1) ?? null;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

const stats = command({
  name: "item stats",
  summary: "Show how often items were viewed and their files downloaded",
  words: ["[ITEM]"],
  options: {
    csv: { type: "boolean", help: "A table for every month: a row for each item, and one for each of its files" },
    from: { type: "string", value: "YYYY-MM", help: "With --csv: the first month" },
    to: { type: "string", value: "YYYY-MM", help: "With --csv: the last month" },
  },
  details: `
Counted as COUNTER counts: robots, and the same by the same within 30 seconds, count nothing. A row without a file is the item as a whole; data_volume is in
bytes. Nothing about people is kept, so nothing about them can be shown.`,
  examples: [
    "arkstone item stats",
    "arkstone item stats 7",
    "arkstone item stats --csv --from 2026-01 --to 2026-12 > usage.csv",
  ],
  run: (context, given, [written]) =>
    withRepository(context, async ({ store }) => {
      if (given.csv === true) {
        const [from, to] = [monthOf("from", given.from, FIRST), monthOf("to", given.to, LAST)];
        return await exportRows(context, store.usage, from, to);
      }
      if (written === undefined) return showRecord(context, rowOf(await store.usage.usageTotals()));
      const item = /^[1-9]\d{0,14}$/.test(written) ? await store.items.outline(Number(written)) : null;
      if (item === null) throw new CommandRefusal(`There is no item "${written}"`);
      const { id, parentId } = item.item;
      const found = (await store.usage.usageStats([{ id, parentId }])).get(id);
      if (found === undefined) throw new RangeError(`Item ${id} has no counts`);
      const all = Object.entries(rowOf(found.allVersions)).map(([name, value]) => [`all_versions_${name}`, value]);
      showRecord(context, { item: id, ...rowOf(found.thisVersion), ...Object.fromEntries(all) });
    }),
});

export const statsCommands: readonly Command[] = [stats];
