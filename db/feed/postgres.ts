// The change feed on PostgreSQL, primary or standby ("The resolver's table" of docs/architecture.md,
// docs/freshness.md): nothing that is committed is ever skipped, however late it commits.
//
// Why no change is skipped. A change row carries the number of its transaction. One read of the feed takes one or two
// statements, each with its own snapshot.
//
//   glance: every visible row of a transaction that the position before did not call finished, with the xmin and xmax of
//           the same snapshot. Every transaction below xmin had ended: the snapshot sees all its rows or none, for ever.
//           One above it that shows a row has committed, so all its rows are there. (A row that came with a dump names a
//           transaction of another cluster: it counts only where the server itself keeps that number for it.) All
//           others up to xmax are listed (`open`) and asked for again, with what follows.
//
// Where a transaction stays at work from one look to the next, xmin stays too, and everything above it would be listed.
// Then, and where more waits than a page holds, two statements are asked, the first before the second:
//
//   look:  which transactions, of those a position does not call finished, are at work still? (pg_xact_status, which also works on a
//          standby, where a snapshot does not list them.)
//   rows:  every visible row of a transaction that the position before did not call finished.
//
// A transaction that `look` does not find at work had ended when it asked. PostgreSQL takes a transaction off the list
// of those at work only once its commit counts, so every snapshot taken later, that of `rows` too, sees all its rows
// or, rolled back, none, for ever. All others stay listed (`open`) or are at `next` or above, and are asked for again.
// So every row is returned by the first `rows` whose snapshot sees it, at the latest. That holds for any number of
// pages, as the position reached is the one `look` gave at the first page.
//
// Why a long transaction costs nothing. Only what is at work is asked for again, by its number: rows of other
// transactions that have ended lie below `next` and are not read twice, but for those that end between the two
// statements. Where more than OPEN_LISTED are at work, `next` is the first of the rest: what follows is read again and
// skipped by id, which costs time and never a change.
//
// Rows whose transaction number is above everything the server has assigned came with a dump from another cluster. They
// are older than this history and belong to no read: a visible row of this cluster is always below the xmax of the
// snapshot that sees it.
//
// Why a quiet database is asked one small statement. Where a look found nothing, nobody at work, and the xmax of the
// snapshot still at `next`, every transaction below it has been read, and none above it has ended: the end of one moves
// xmax. So as long as the server has that xmax (`HEAD`) nothing else is asked.
//
// Numbers that are assigned twice. After a crash a server may assign numbers again that were in use by transactions
// whose end had not reached the disk, never one below that of a commit on the disk. So after a restart or a lost
// connection the position steps back behind the last STEP_BACK_ROWS changes, or by STEP_BACK numbers, whichever is
// less: far more than the log holds unflushed, even where commits do not wait for the disk. What is read again by that
// is skipped by id or applied again.
//
// Never back in time. A position knows how far the server's log had got. A standby that is not there yet is waited for;
// a primary that is not there, or that lacks one of the last changes seen (`marks`), has lost them: everything is
// loaded again.
import type { FeedEntry, FeedPosition, PageOf } from "../../src/shared/feed.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { rowsOf, type Session, type Statement, statement } from "../engine/dialect.ts";
import { epochChange, type FeedTable, lost, requireEpoch, type SeenRow, toChanges } from "./page.ts";
import {
  MARKS,
  type Mark,
  markColumns,
  marksAfter,
  OPEN_LISTED,
  type PostgresPosition,
  readPostgresPosition,
  type Writers,
  writePostgresPosition,
} from "./position.ts";

const STEP_BACK = 10_000n;
const STEP_BACK_ROWS = 2000;
/** Transactions that may be at work where one statement is to suffice; more are few again once they are checked. */
const OPEN_ASKED = 1_000n;
/** Transactions checked in one read: after a start during a transaction of days there may be millions. */
const CHECKED_MAX = 200_000;

const LSN =
  "case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as lsn";

const STARTED = "extract(epoch from pg_postmaster_start_time())::text as started";

const EPOCH = "(select value from service where key = 'feed_epoch') as epoch";
const DATABASE = "(select oid::text from pg_database where datname = current_database()) as database";
/** How many of the last changes seen, by number and time, are not there. */
const missing = (table: FeedTable, ids: string, times: string) =>
  `(select count(*) from unnest(${ids}::bigint[], ${times}::text[]) as mark (id, at)
    where not exists (select from ${table} as c where c.id = mark.id and c.at = mark.at)) as missing`;

const look = (table: FeedTable) =>
  statement(
    () => `with seen as materialized (
        select pg_snapshot_xmin(now)::text::bigint as low, pg_snapshot_xmax(now)::text::bigint as high
        from pg_current_snapshot() as now
      ), known as materialized (
        select low, high, greatest($1::bigint, low) as first, least(high, greatest($1::bigint, low) + ${CHECKED_MAX}) as last from seen
      ), asked as materialized (
        select xid from known, generate_series(first, last - 1) as xid
        union all
        select xid from known, unnest($2::bigint[]) as xid where xid >= low and xid < high
      )
      select ${EPOCH}, ${DATABASE}, pg_is_in_recovery() as standby, ${LSN}, ${STARTED},
        low::text, high::text, last::text,
        array(
          select xid::text from asked
          where case when true then pg_xact_status(xid::text::xid8) = 'in progress' end
          order by asked.xid limit ${OPEN_LISTED + 1}
        ) as open,
        ${missing(table, "$3", "$4")}
      from known`,
  );
const HEAD = statement(() => `select pg_snapshot_xmax(pg_current_snapshot())::text as high, ${STARTED}, ${LSN}`);
const MAY_IDENTIFY = statement(() => "select has_function_privilege('pg_control_system()', 'execute') as allowed");
const IDENTIFIER = statement(() => "select system_identifier::text as identifier from pg_control_system()");

async function clusterOf(session: Session): Promise<string> {
  const [role] = await rowsOf<{ allowed: boolean }>(session, MAY_IDENTIFY);
  const [found] = role?.allowed === true ? await rowsOf<{ identifier: string }>(session, IDENTIFIER) : [];
  return found?.identifier ?? "";
}

type LookRow = {
  readonly epoch: string | null;
  readonly database: string;
  readonly standby: boolean;
  readonly lsn: string;
  readonly started: string;
  readonly low: string;
  readonly high: string;
  readonly last: string;
  readonly open: readonly string[];
  readonly missing: number;
};

/**
 * `cluster`: the identifier of the cluster where the role may know it, and the database in it: neither survives a dump.
 */
type View = LookRow & { readonly cluster: string };

const COLUMNS = "id, xid::text as writer, subject, target, at, xid as place, xmin::text as stamp";

const FOUND = ["id", "writer", "subject", "target", "at", "stamp"];

/**
 * The rows of transactions behind a place ($1, $2), and of those listed ($3) behind ($4, $5), at most $6. The two parts
 * never overlap: listed transactions lie below `next`.
 */
const found = (table: FeedTable) => `(
    select * from (
      (select ${COLUMNS} from ${table}
        where (xid, id) > ($1::xid8, $2::bigint) and xid < pg_snapshot_xmax(pg_current_snapshot())
        order by xid, id limit $6)
      union all
      (select ${COLUMNS} from ${table}
        where xid = any($3::xid8[]) and (xid, id) > ($4::xid8, $5::bigint)
        order by xid, id limit $6)
    ) as both_parts order by place, id limit $6
  ) as found`;

/** `stamp`: the number of the transaction that wrote the row, as the server keeps it, without its upper half. */
type FoundRow<Subject extends string> = SeenRow<Subject> & { readonly lsn: string; readonly stamp: string };
/** The first row has what the server is, the others a change each; the remaining columns are null. */
type GlanceRow<Subject extends string, Joined> = FoundRow<Subject> &
  Joined &
  Omit<LookRow, "standby" | "last" | "open">;

/**
 * What is read with each change of a glance, in the same statement: `columns` of `from`, which is joined to the change
 * (`found`) and has at most one row for it; all null where it has none.
 */
export type FeedJoin = { readonly columns: readonly string[]; readonly from: string };

/** The server as it was when a look found nothing: as long as it is so, there is nothing to read. */
type Rest = Pick<LookRow, "started" | "high">;

export type FeedStatements = {
  readonly look: Statement;
  readonly glance: Statement;
  readonly rows: Statement;
  readonly newest: Statement;
  readonly writerBefore: Statement;
};

const NOTHING_JOINED: FeedJoin = { columns: [], from: "" };

/** What a feed asks, made once where its file is loaded. */
export const feedStatements = (table: FeedTable, { columns, from }: FeedJoin = NOTHING_JOINED): FeedStatements => ({
  look: look(table),
  // Without changes one row of nulls comes back.
  rows: statement(() => `select ${LSN}, found.* from (select 1) as one left join ${found(table)} on true`),
  // What the server is, is read and sent once, and not with each change.
  glance: statement(
    () => `select ${EPOCH}, ${DATABASE}, ${LSN}, ${STARTED},
      pg_snapshot_xmin(pg_current_snapshot())::text as low, pg_snapshot_xmax(pg_current_snapshot())::text as high,
      ${missing(table, "$7", "$8")}, ${[...FOUND, ...columns].map((column) => `null as ${column}`)}
      union all
      select null, null, null, null, null, null, null, ${[...FOUND, ...columns]} from ${found(table)} ${from}`,
  ),
  newest: statement(() => `select id, at from ${table} order by id desc limit ${MARKS}`),
  writerBefore: statement(
    () => `select xid::text as writer from ${table} where xid < $1::xid8
    order by ${table}.xid desc, id desc offset ${STEP_BACK_ROWS} limit 1`,
  ),
});

const WAL_PAGE = 8192n;

/**
 * A position in the log as a number. One just behind the header of a page is the end of the page before: nothing can
 * lie between.
 */
export function readLsn(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  const lsn = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  const behindHeader = lsn % WAL_PAGE;
  return behindHeader === 24n || behindHeader === 40n ? lsn - behindHeader : lsn;
}

function writeLsn(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase();
}

const epochOf = ({ epoch, cluster }: View): string => `${requireEpoch(epoch)}.${cluster}`;

function writersOf({ open, last }: View): Writers {
  const listed = open.map(BigInt);
  return { next: listed[OPEN_LISTED] ?? BigInt(last), open: listed.slice(0, OPEN_LISTED) };
}

/** True where a row was written by the transaction that it names, and did not come with a dump. */
const isStamped = ({ writer, stamp }: { readonly writer: string; readonly stamp: string }): boolean =>
  BigInt(stamp) === BigInt.asUintN(32, BigInt(writer));

const numbersBetween = (from: bigint, to: bigint): bigint[] =>
  Array.from({ length: Math.max(0, Number(to - from)) }, (_, index) => from + BigInt(index));

/** `joined`: the rows of the changes with what was read with them; left out where they were read alone. */
export type JoinedPage<Subject extends string, Joined> = PageOf<FeedEntry<Subject>> & {
  readonly joined?: readonly (SeenRow<Subject> & Joined)[];
};

type Reached<Subject extends string> = {
  readonly after: FeedPosition;
  readonly given: PostgresPosition;
  readonly next: PostgresPosition;
  readonly found: readonly SeenRow<Subject>[];
  readonly seen: Rest;
  readonly more: boolean;
  readonly writers: Writers;
};

/** The feed of one table. `Joined`: the columns that are read with a change. */
export class PostgresFeed<Subject extends string, Joined extends object = object> {
  readonly #statements: FeedStatements;
  /** The identifier of the cluster, and when the server was started that gave it: reading it costs a file. */
  #identified = { started: "", identifier: "" };
  #floor = 0n;
  #isShaken = false;
  #behind: string | null = null;
  /** A transaction was at work in two looks, one after the other: which are at work still is asked for. */
  #isHeld = false;
  /** Where the last look found nothing, and what the server must still be for nothing to be there. */
  #rest: (Rest & { readonly at: FeedPosition }) | null = null;

  constructor(statements: FeedStatements) {
    this.#statements = statements;
  }

  position(session: Session): Promise<FeedPosition> {
    return this.#onOneConnection(session, async (db) => {
      const seen = await this.#view(db, { next: 0n, open: [] }, []);
      const newest = await rowsOf<{ id: number; at: Instant }>(db, this.#statements.newest);
      const lsn = readLsn(seen.lsn);
      const marks = marksAfter(
        [],
        newest.toReversed().map((row) => ({ ...row, writer: String(row.id) })),
      );
      [this.#floor, this.#behind, this.#isShaken] = [lsn, null, false];
      const horizon = writePostgresPosition({ ...writersOf(seen), lsn, started: seen.started, marks, paging: null });
      return { epoch: epochOf(seen), horizon };
    });
  }

  changes(session: Session, after: FeedPosition, limit: number): Promise<JoinedPage<Subject, Joined>> {
    return this.#onOneConnection(session, (db) => this.#read(db, after, limit));
  }

  /** A connection ended that should not have: the server may have crashed. */
  shaken(): void {
    this.#isShaken = true;
  }

  /** What a new connection found. Rows of a standby that is behind what was applied must not be used. */
  connected(standby: boolean, lsn: string): void {
    const reached = readLsn(lsn);
    if (standby && reached < this.#floor) this.#behind = this.#waitingFor(reached, this.#floor);
  }

  /** Why rows read now must not be used; null when they may. */
  refusal(): string | null {
    return this.#behind;
  }

  async #view(session: Session, writers: Writers, marks: readonly Mark[]): Promise<View> {
    const [row] = await rowsOf<LookRow>(session, this.#statements.look, [
      String(writers.next),
      writers.open.map(String),
      ...markColumns(marks),
    ]);
    if (row === undefined) throw new Error("The database returned no row for a read of the feed");
    return { ...row, cluster: await this.#cluster(session, row) };
  }

  async #cluster(session: Session, { started, database }: Pick<LookRow, "started" | "database">): Promise<string> {
    if (started !== this.#identified.started) this.#identified = { started, identifier: await clusterOf(session) };
    return `${this.#identified.identifier}.${database}`;
  }

  #waitingFor(reached: bigint, wanted: bigint): string {
    return `The standby is at ${writeLsn(reached)} of the log, ${writeLsn(wanted)} was applied already`;
  }

  /**
   * After a restart of the server, or where its counter is below the position, numbers may have been assigned twice.
   */
  async #steady(session: Session, position: PostgresPosition, first: View): Promise<[PostgresPosition, View]> {
    const counted = BigInt(first.high);
    if (first.started === position.started && counted >= position.next && !this.#isShaken) return [position, first];
    const low = BigInt(first.low);
    const from = low < position.next ? low : position.next;
    const [before] = await rowsOf<{ writer: string }>(session, this.#statements.writerBefore, [String(from)]);
    const candidates = [0n, from - STEP_BACK, before === undefined ? 0n : BigInt(before.writer)];
    const next = candidates.reduce((highest, each) => (each > highest ? each : highest));
    const stepped = { ...position, next, open: position.open.filter((xid) => xid < next), paging: null };
    return [stepped, await this.#view(session, stepped, position.marks)];
  }

  /** True where nothing has ended on the server since a look from there found nothing. */
  async #isAtRest(session: Session, { epoch, horizon }: FeedPosition): Promise<boolean> {
    const rest = this.#rest;
    this.#rest = null;
    if (rest === null || this.#isShaken || this.#behind !== null) return false;
    if (rest.at.horizon !== horizon || rest.at.epoch !== epoch) return false;
    const [head] = await rowsOf<Rest & { readonly lsn: string }>(session, HEAD);
    if (head === undefined || head.started !== rest.started || head.high !== rest.high) return false;
    const lsn = readLsn(head.lsn);
    if (lsn < this.#floor) return false;
    this.#floor = lsn;
    this.#rest = rest;
    return true;
  }

  /**
   * Everything in one statement, by its snapshot alone: every transaction below `low` had ended before it, and one of
   * those above that shows a row has committed. Null, and nothing changed, where that does not suffice.
   */
  async #glance(session: Session, after: FeedPosition, given: PostgresPosition, limit: number) {
    if (given.paging !== null || this.#isShaken || this.#behind !== null || this.#isHeld) return null;
    const { next, open } = given;
    const rows = await rowsOf<GlanceRow<Subject, Joined>>(session, this.#statements.glance, [
      String(next),
      0,
      open.map(String),
      "0",
      0,
      limit,
      ...markColumns(given.marks),
    ]);
    const [seen, ...found] = rows;
    if (seen === undefined || seen.started !== given.started || seen.missing > 0) return null;
    if (`${requireEpoch(seen.epoch)}.${await this.#cluster(session, seen)}` !== after.epoch) return null;
    const [low, high, lsn] = [BigInt(seen.low), BigInt(seen.high), readLsn(seen.lsn)];
    if (lsn < this.#floor || lsn < given.lsn || high < next || found.length === limit) return null;
    const from = low > next ? low : next;
    if (high - from > OPEN_ASKED) return null;
    const ended = new Set(found.filter(isStamped).map(({ writer }) => BigInt(writer)));
    const asked = [...open.filter((xid) => xid >= low), ...numbersBetween(from, high)];
    const writers = { next: high, open: asked.filter((xid) => !ended.has(xid)) };
    if (writers.open.length > OPEN_LISTED) return null;
    // What is at work for longer than a look is asked for by its state from now on.
    this.#isHeld = writers.open.some((xid) => open.includes(xid));
    return { found, seen, lsn, writers };
  }

  async #read(session: Session, after: FeedPosition, limit: number): Promise<JoinedPage<Subject, Joined>> {
    if (await this.#isAtRest(session, after)) return { changes: [], position: after, open: 0, oldest: null };
    const given = readPostgresPosition(after.horizon);
    const glance = await this.#glance(session, after, given, limit);
    if (glance !== null) {
      const { found, seen, lsn, writers } = glance;
      const marks = marksAfter(given.marks, found);
      const next = { ...writers, lsn, started: seen.started, marks, paging: null };
      return { ...this.#reached({ after, given, next, found, seen, more: false, writers }), joined: found };
    }
    let first = await this.#view(session, given, given.marks);
    if (epochOf(first) !== after.epoch) return epochChange(after.epoch, epochOf(first));
    const reached = readLsn(first.lsn);
    if (given.lsn > this.#floor) this.#floor = given.lsn;
    if (reached < this.#floor) {
      if (!first.standby) {
        return lost(`The log of the database ends at ${writeLsn(reached)}, ${writeLsn(this.#floor)} was read already`);
      }
      this.#behind = this.#waitingFor(reached, this.#floor);
      return { changes: [], position: after, behind: this.#behind };
    }
    // The log may have come to the position between the snapshot and the question how far it is: only a second look
    // counts.
    if (first.missing > 0) first = await this.#view(session, given, given.marks);
    if (first.missing > 0)
      return lost(`${first.missing} of the last changes that were read are not in the database any more`);
    const [position, seen] = await this.#steady(session, given, first);
    const cursor = position.paging;
    const isBehindNext = cursor === null || cursor.xid < position.next;
    const rows = await rowsOf<FoundRow<Subject>>(session, this.#statements.rows, [
      String(isBehindNext ? position.next : cursor.xid),
      isBehindNext ? 0 : cursor.id,
      position.open.map(String),
      String(cursor?.xid ?? 0n),
      cursor?.id ?? 0,
      limit,
    ]);
    const found = rows.filter((row) => row.id !== null);
    const reachedNow = writersOf(seen);
    const writers = cursor?.after ?? reachedNow;
    const last = found.at(-1);
    const isFull = found.length === limit && last !== undefined;
    const lsn = readLsn(rows[0]?.lsn ?? first.lsn);
    const fixed = { lsn, started: seen.started, marks: marksAfter(position.marks, found) };
    const next: PostgresPosition = isFull
      ? {
          ...fixed,
          next: position.next,
          open: position.open,
          paging: { after: writers, xid: BigInt(last.writer), id: last.id },
        }
      : { ...fixed, ...writers, paging: null };
    // Behind the last of several pages lies what was committed since the first: it waits already.
    const more = isFull || cursor !== null;
    this.#isHeld = reachedNow.open.some((xid) => given.open.includes(xid));
    return this.#reached({ after, given, next, found, seen, more, writers: reachedNow });
  }

  #reached({ after, given, next, found, seen, more, writers }: Reached<Subject>): PageOf<FeedEntry<Subject>> {
    if (next.lsn > this.#floor) this.#floor = next.lsn;
    this.#isShaken = false;
    this.#behind = null;
    const position = { epoch: after.epoch, horizon: writePostgresPosition(next) };
    // Not after the first look of this kind: where others in the cluster go on writing, asking first is in vain.
    const isQuiet = found.length === 0 && next.paging === null && next.open.length === 0;
    if (isQuiet && String(given.next) === seen.high)
      this.#rest = { started: seen.started, high: seen.high, at: position };
    const [oldest] = writers.open;
    return {
      changes: toChanges(found),
      position,
      more,
      open: writers.open.length,
      oldest: oldest === undefined ? null : String(oldest),
    };
  }

  /** Every statement with its own snapshot: outside a transaction, whatever the database's default is. */
  #onOneConnection<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    return session.db.connection().execute((db) => work({ dialect: "postgres", db }));
  }
}
