// Counts of views and downloads (R39): a row a day, subject and file, and the sums that readers see.
import {
  NO_USAGE,
  type UsageCounts,
  type UsageOfMonth,
  type UsageReader,
  type UsageSubject,
  type UsageWriter,
} from "../../../src/repository/store/usage.ts";
import type { ParentId } from "../../../src/shared/ids.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, type Session, statement, textList, type Words } from "../../engine/dialect.ts";

const NAMES = ["views", "unique_views", "downloads", "unique_downloads", "data_volume"] as const;
type CountRow = { readonly [name in (typeof NAMES)[number]]: number | string };
const COUNTS = NAMES.join(", ");
const SUMS = NAMES.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(", ");
const ADDED = (table: string): string =>
  NAMES.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ");

const ADD_DAYS = bulkStatement(
  [text("day"), text("subject"), number("id"), text("file"), ...NAMES.map(number)],
  ({ names, from }) => `insert into usage_day (${names}) select ${names} from ${from} where true
    on conflict (day, subject, id, file) do update set ${ADDED("usage_day")}`,
);
const ADD_TOTALS = bulkStatement(
  [text("subject"), number("id"), ...NAMES.map(number), text("used_on")],
  ({ names, from }) => `insert into usage_total (${names}) select ${names} from ${from} where true
    on conflict (subject, id) do update set ${ADDED("usage_total")},
      used_on = case when excluded.used_on > usage_total.used_on then excluded.used_on else usage_total.used_on end`,
);
const numbers = ({ dialect, listTable }: Words, parameter: string): string =>
  `(select cast(value as ${dialect === "sqlite" ? "integer" : "bigint"}) from ${listTable(parameter)})`;
const OF = statement(
  (words) => `select id, ${COUNTS} from usage_total where subject = $1 and id in ${numbers(words, "$2")}`,
);
const STATS = statement(
  (words) => `select subject, id, ${COUNTS} from usage_total where subject = 'item' and id in ${numbers(words, "$1")}
    union all select subject, id, ${COUNTS} from usage_total where subject = 'parent' and id in ${numbers(words, "$2")}`,
);
const TOTALS = statement(() => `select ${SUMS} from usage_total where subject = 'parent'`);
const BY_MONTH = statement(
  () => `select month, id, file, ${SUMS} from (
      select substr(day, 1, 7) as month, id, file, ${COUNTS} from usage_day
      where subject = 'item' and day >= $1 and day < $2 and (substr(day, 1, 7), id, file) > ($3, $4, $5)
    ) as days group by month, id, file order by month, id, file limit $6`,
);
const SINCE = statement(
  () => `select id from usage_total where subject = 'parent' and used_on >= $1 and id > $2 order by id limit $3`,
);
const TELL = statement(
  ({ dialect, listTable }) => `insert into item_change (at, subject, target)
    select ${
      dialect === "sqlite"
        ? "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
        : `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    }, 'parent', value from ${listTable("$1")}`,
);

function toCounts(row: CountRow): UsageCounts {
  return {
    views: Number(row.views),
    uniqueViews: Number(row.unique_views),
    downloads: Number(row.downloads),
    uniqueDownloads: Number(row.unique_downloads),
    dataVolume: Number(row.data_volume),
  };
}

export function usageReader(session: Session): UsageReader {
  return {
    async usageOf(subject: UsageSubject, ids) {
      if (ids.length === 0) return new Map();
      const rows = await rowsOf<CountRow & { id: number }>(session, OF, [subject, textList(session, ids.map(String))]);
      return new Map(rows.map((row) => [Number(row.id), toCounts(row)]));
    },
    async usageStats(records) {
      if (records.length === 0) return new Map();
      const lists = [records.map(({ id }) => String(id)), records.map(({ parentId }) => String(parentId))];
      const cells = lists.map((list) => textList(session, [...new Set(list)]));
      const rows = await rowsOf<CountRow & { subject: string; id: number }>(session, STATS, cells);
      const found = new Map(rows.map((row) => [`${row.subject} ${row.id}`, toCounts(row)]));
      return new Map(
        records.map(({ id, parentId }) => [
          id,
          {
            allVersions: found.get(`parent ${parentId}`) ?? NO_USAGE,
            thisVersion: found.get(`item ${id}`) ?? NO_USAGE,
          },
        ]),
      );
    },
    async usageTotals() {
      const [row] = await rowsOf<CountRow>(session, TOTALS);
      return row === undefined ? NO_USAGE : toCounts(row);
    },
    async usageByMonth(from, to, after, limit) {
      const behind = [after?.month ?? "", after?.item ?? 0, after?.file ?? ""];
      const cells = [`${from}-01`, `${to}-32`, ...behind, limit];
      const rows = await rowsOf<CountRow & { month: string; id: number; file: string }>(session, BY_MONTH, cells);
      return rows.map(
        (row): UsageOfMonth => ({ ...toCounts(row), month: row.month, item: Number(row.id), file: row.file }),
      );
    },
    parentsUsedSince: async (day, after, limit) =>
      (await rowsOf<{ id: ParentId }>(session, SINCE, [day, after, limit])).map(({ id }) => Number(id)),
  };
}

export function usageWriter(session: Session): UsageWriter {
  return {
    ...usageReader(session),
    async addUsage(counts) {
      if (counts.length === 0) return;
      const cells = ({ views, uniqueViews, downloads, uniqueDownloads, dataVolume }: UsageCounts) => [
        ...[views, uniqueViews, downloads, uniqueDownloads, dataVolume],
      ];
      await ADD_DAYS(
        session,
        counts.map((each) => [each.day, each.subject, each.id, each.file, ...cells(each)]),
      );
      // One statement may not touch a row twice: days of one subject are taken together.
      const whole = Map.groupBy(
        counts.filter(({ file }) => file === ""),
        ({ subject, id }) => `${subject} ${id}`,
      );
      const totals = [...whole.values()].flatMap((days) => {
        const [first] = days;
        if (first === undefined) return [];
        const added = days.map(cells).reduce((sum, each) => sum.map((value, at) => value + (each[at] ?? 0)));
        const last =
          days
            .map(({ day }) => day)
            .sort()
            .at(-1) ?? first.day;
        return [[first.subject, first.id, ...added, last]];
      });
      await ADD_TOTALS(session, totals);
    },
    async notifyParents(ids) {
      if (ids.length > 0) await rowsOf(session, TELL, [textList(session, ids.map(String))]);
    },
  };
}
