// Counts of views and downloads (R39): a row a day, subject and file, and the sums that readers see.
import {
  type MonthlyUsage,
  type NamedUsage,
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
/** Groups of the parents in `seen`, each with what was counted. */
const MONTHS = ["views", "downloads", "data_volume"] as const;
const MONTH_COUNTS = MONTHS.join(", ");
const ADD_MONTHS = bulkStatement(
  [text("month"), number("id"), text("country"), ...MONTHS.map(number)],
  ({ names, from, dialect }) => {
    const nothing = dialect === "sqlite" ? "''" : "''::text";
    const s = MONTHS.map((name) => `s.${name}`).join(", ");
    return `with recursive seen as (select ${names} from ${from}),
      place(parent_id, id) as (
        select p.id, l.index_id from item_parent p join item_place l on l.item_id = p.latest_item_id
          where p.id in (select id from seen)
        union
        select place.parent_id, n.parent from place join index_node n on n.id = place.id where n.parent <> 0
      ), counted(subject, ref, month, ${MONTH_COUNTS}) as (
        select 'repository', ${nothing}, s.month, ${s} from seen s
        union all select 'record', cast(s.id as text), s.month, ${s} from seen s
        union all select 'country', s.country, s.month, ${s} from seen s where s.country <> ''
        union all select 'community', c.community_id, s.month, ${s} from seen s join item_community c on c.parent_id = s.id
        union all select 'index', cast(l.id as text), s.month, ${s} from seen s join place l on l.parent_id = s.id
        union all select 'person', cast(a.author_id as text), s.month, ${s} from seen s
          join item_parent p on p.id = s.id join item_author a on a.item_id = p.latest_item_id
      )
      insert into usage_month (subject, ref, month, ${MONTH_COUNTS})
      select subject, ref, month, ${MONTHS.map((name) => `sum(${name})`).join(", ")} from counted where true
      group by subject, ref, month order by subject, ref, month
      on conflict (subject, ref, month) do update set
        ${MONTHS.map((name) => `${name} = usage_month.${name} + excluded.${name}`).join(", ")}`;
  },
);
const MONTH_SUMS = MONTHS.map((name) => `sum(${name}) as ${name}`).join(", ");
const MONTHS_OF = statement(
  () => `select substr(day, 1, 7) as month, ${MONTH_SUMS} from usage_day
    where subject = $1 and id = $2 and file = $3 and day >= $4 and day < $5 group by substr(day, 1, 7) order by 1`,
);
const FILES_OF = statement(
  () => `select file as name, ${MONTH_SUMS} from usage_day
    where subject = 'item' and id = $1 and file > '' and day >= $2 and day < $3
    group by file order by sum(downloads) desc, file limit $4`,
);
const MONTHS_OF_GROUP = statement(
  (words) => `select month, ${MONTH_SUMS} from usage_month
    where subject = $1 and month >= $3 and month <= $4 and (ref = $2 or $1 = 'person' and ref in (
      select cast(id as text) from author where merged_into = ${
        words.dialect === "sqlite" ? "cast($2 as integer)" : "case when $1 = 'person' then cast($2 as bigint) end"
      }))
    group by month order by month`,
);
const COUNTRIES = statement(
  () => `select ref as name, ${MONTH_SUMS} from usage_month
    where subject = 'country' and month >= $1 and month <= $2 group by ref order by sum(views + downloads) desc, ref`,
);
const MOST_USED = statement(
  () => `select ref from usage_month where subject = 'record' and month = $1 order by views desc, ref desc limit $2`,
);
type MonthRow = { readonly [name in (typeof MONTHS)[number]]: number | string };
const monthCounts = (row: MonthRow) => ({
  views: Number(row.views),
  downloads: Number(row.downloads),
  dataVolume: Number(row.data_volume),
});
const monthly = ({ month, ...row }: MonthRow & { readonly month: string }): MonthlyUsage => ({
  month,
  ...monthCounts(row),
});
const named = ({ name, ...row }: MonthRow & { readonly name: string }): NamedUsage => ({ name, ...monthCounts(row) });
/** From the first day of a month to the last one of another. */
const days = (from: string, to: string): readonly [string, string] => [`${from}-01`, `${to}-32`];

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
    async monthsOf(subject, id, file, from, to) {
      const cells = [subject, id, file, ...days(from, to)];
      return (await rowsOf<MonthRow & { month: string }>(session, MONTHS_OF, cells)).map(monthly);
    },
    filesOf: async (id, from, to, limit) =>
      (await rowsOf<MonthRow & { name: string }>(session, FILES_OF, [id, ...days(from, to), limit])).map(named),
    monthsOfGroup: async (group, ref, from, to) =>
      (await rowsOf<MonthRow & { month: string }>(session, MONTHS_OF_GROUP, [group, ref, from, to])).map(monthly),
    countries: async (from, to) =>
      (await rowsOf<MonthRow & { name: string }>(session, COUNTRIES, [from, to])).map(named),
    mostUsed: async (month, limit) =>
      (await rowsOf<{ ref: string }>(session, MOST_USED, [month, limit])).map(({ ref }) => Number(ref)),
    parentsUsedSince: async (day, after, limit) =>
      (await rowsOf<{ id: ParentId }>(session, SINCE, [day, after, limit])).map(({ id }) => Number(id)),
  };
}

export function usageWriter(session: Session): UsageWriter {
  return {
    ...usageReader(session),
    async addUsage(all) {
      const counts = all.filter(({ subject }) => subject !== "public");
      const seen = all.filter(({ subject }) => subject === "public");
      if (seen.length > 0) {
        const months = Map.groupBy(seen, ({ day, id, file }) => `${day.slice(0, 7)} ${id} ${file}`);
        await ADD_MONTHS(
          session,
          [...months.values()].map((each) => {
            const [{ day, id, file } = { day: "", id: 0, file: "" }] = each;
            const sum = (name: "views" | "downloads" | "dataVolume") =>
              each.reduce((total, row) => total + row[name], 0);
            return [day.slice(0, 7), id, file, sum("views"), sum("downloads"), sum("dataVolume")];
          }),
        );
      }
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
