// The change feed on SQLite: one writer, so the order of the numbers is the order of the commits, and a position is the
// last number seen. A file that lacks one of the last changes seen is an earlier copy, put in the place of the one that
// was read.
import type { FeedEntry, FeedPosition, PageOf } from "../../src/shared/feed.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { rowsOf, type Session, type Statement, statement } from "../engine/dialect.ts";
import { epochChange, type FeedTable, lost, requireEpoch, type SeenRow, toChanges } from "./page.ts";
import { MARKS, markColumns, marksAfter, readSqlitePosition, writeSqlitePosition } from "./position.ts";

const EPOCH = statement(() => "select value as epoch from service where key = 'feed_epoch'");

type Statements = { readonly newest: Statement; readonly changes: Statement };

// One statement is one snapshot: epoch, marks and rows belong together. Without changes one row of nulls comes back.
const statementsOn = (table: FeedTable): Statements => ({
  newest: statement(() => `select id, at from ${table} order by id desc limit ${MARKS}`),
  changes: statement(
    () => `select (select value from service where key = 'feed_epoch') as epoch,
      (select coalesce(max(id), 0) from ${table}) as newest,
      (select count(*) from json_each($3) as mark
        where not exists (select 1 from ${table} as c
          where c.id = mark.value and c.at = json_extract($4, '$[' || mark.key || ']'))) as missing,
      c.* from (select 1) left join (
        select id, id as writer, subject, target, at from ${table} where id > $1 order by id limit $2) as c`,
  ),
});
const STATEMENTS: Readonly<Record<FeedTable, Statements>> = {
  ark_change: statementsOn("ark_change"),
  item_change: statementsOn("item_change"),
};

type Row<Subject extends string> = SeenRow<Subject> & {
  readonly epoch: string | null;
  readonly newest: number;
  readonly missing: number;
};

export async function sqlitePosition(session: Session, table: FeedTable): Promise<FeedPosition> {
  // The rows loaded afterwards are at least as new as the changes seen here.
  const newest = await rowsOf<{ id: number; at: Instant }>(session, STATEMENTS[table].newest);
  const [service] = await rowsOf<{ epoch: string }>(session, EPOCH);
  const marks = marksAfter(
    [],
    newest.toReversed().map((row) => ({ ...row, writer: String(row.id) })),
  );
  return { epoch: requireEpoch(service?.epoch), horizon: writeSqlitePosition({ id: newest[0]?.id ?? 0, marks }) };
}

export async function sqliteChanges<Subject extends string>(
  session: Session,
  table: FeedTable,
  after: FeedPosition,
  limit: number,
): Promise<PageOf<FeedEntry<Subject>>> {
  const position = readSqlitePosition(after.horizon);
  const [ids, times] = markColumns(position.marks);
  const rows = await rowsOf<Row<Subject>>(session, STATEMENTS[table].changes, [
    position.id,
    limit,
    JSON.stringify(ids),
    JSON.stringify(times),
  ]);
  const { newest = 0, missing = 0 } = rows[0] ?? {};
  const epoch = requireEpoch(rows[0]?.epoch);
  if (epoch !== after.epoch) return epochChange(after.epoch, epoch);
  if (newest < position.id) return lost(`The feed ends at change ${newest}, ${position.id} was read already`);
  if (missing > 0) return lost(`${missing} of the last changes that were read are not in the database any more`);
  const found = rows.filter((row) => row.id !== null);
  const marks = marksAfter(
    position.marks,
    found.map((row) => ({ ...row, writer: String(row.id) })),
  );
  return {
    changes: toChanges(found),
    position: { epoch: after.epoch, horizon: writeSqlitePosition({ id: found.at(-1)?.id ?? position.id, marks }) },
    more: found.length === limit,
    open: 0,
    oldest: null,
  };
}
