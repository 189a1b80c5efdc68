// What the resolver reads (src/ports/replica.ts), from a streaming standby, the primary, or the SQLite file another process writes.
// Nothing here writes, and nothing asks for a transaction number: a standby would refuse.
import { statSync } from "node:fs";
import { CompiledQuery } from "kysely";
import type { ArkState } from "../src/domain/ark/record.ts";
import type { FeedChange, FeedPage, FeedPosition, Replica, TableRow } from "../src/ports/replica.ts";
import { readArks } from "./arks.ts";
import { rowsOf, type Session, statement, textList } from "./dialect.ts";
import { isPostgresUrl, type OpenDatabase, openDatabase, sqlitePath } from "./open.ts";
import { readNaans, readOrganisations, readShoulders } from "./policy.ts";
import type { ArkTable } from "./schema.ts";

const PAGE_LIMIT = 5_000;
const POOL_SIZE = 4;

const EPOCH = "(select value from service where key = 'feed_epoch') as epoch";

const POSITION = statement((words) =>
  words.dialect === "sqlite"
    ? `select ${EPOCH}, coalesce((select max(id) from ark_change), 0) as horizon`
    : `select ${EPOCH}, pg_snapshot_xmin(pg_current_snapshot())::text as horizon`,
);

// One statement is one snapshot: epoch, horizon and rows belong together. Without changes one row of nulls comes back.
const CHANGES = statement((words) =>
  words.dialect === "sqlite"
    ? `select ${EPOCH}, c.* from (select 1) left join (
        select id, subject, target from ark_change where id > $1 order by id limit $2) as c`
    : `select ${EPOCH}, pg_snapshot_xmin(pg_current_snapshot())::text as horizon, c.* from (select 1) as one
      left join (
        select id, xid::text as writer, subject, target from ark_change
        where (ark_change.xid, id) > ($1::xid8, $2::bigint) order by ark_change.xid, id limit $3) as c on true`,
);

type ChangeRow = {
  readonly epoch: string | null;
  readonly horizon?: string;
  readonly writer?: string;
  readonly id: number | null;
  readonly subject: FeedChange["subject"];
  readonly target: string;
};

/** A database without an epoch is being restored: what it holds is no answer to anything. */
function requireEpoch(epoch: string | null | undefined): string {
  if (epoch === null || epoch === undefined)
    throw new Error("The database has no feed epoch: its restore has not ended");
  return epoch;
}

function toChanges(rows: readonly ChangeRow[]): FeedChange[] {
  return rows
    .flatMap(({ id, subject, target }) => (id === null ? [] : [{ id, subject, target }]))
    .sort((a, b) => a.id - b.id)
    .map((change) => ({ ...change, id: String(change.id) }));
}

/** SQLite has one writer, so the order of the numbers is the order of the commits. */
async function changesOnSqlite(session: Session, after: FeedPosition, limit: number): Promise<FeedPage> {
  const rows = await rowsOf<ChangeRow>(session, CHANGES, [Number(after.horizon), limit]);
  const epoch = requireEpoch(rows[0]?.epoch);
  if (epoch !== after.epoch) return { changes: [], position: { ...after, epoch }, more: false };
  const changes = toChanges(rows);
  return {
    changes,
    position: { epoch, horizon: changes.at(-1)?.id ?? after.horizon },
    more: changes.length === limit,
  };
}

/**
 * The horizon on PostgreSQL is the oldest transaction that may still commit. While more changes wait than one page holds it is
 * `NEXT:XID:ID`: where the page ended, and the horizon of the first page, which counts again once the last page is read, because whoever
 * was still at work when the first page was read may have committed behind the pages since.
 */
function readHorizon(horizon: string): { readonly xid: string; readonly id: string; readonly next: string | null } {
  const [first = "0", xid, id] = horizon.split(":");
  return xid === undefined || id === undefined ? { xid: first, id: "0", next: null } : { xid, id, next: first };
}

async function changesOnPostgres(session: Session, after: FeedPosition, limit: number): Promise<FeedPage> {
  const from = readHorizon(after.horizon);
  const rows = await rowsOf<ChangeRow>(session, CHANGES, [from.xid, from.id, limit]);
  const epoch = requireEpoch(rows[0]?.epoch);
  const horizon = rows[0]?.horizon ?? "0";
  if (epoch !== after.epoch) return { changes: [], position: { ...after, epoch }, more: false };
  const next = from.next ?? horizon;
  const last = rows.at(-1);
  const more = rows.length === limit && last?.writer !== undefined;
  return {
    changes: toChanges(rows),
    position: { epoch, horizon: more ? `${next}:${last.writer}:${last.id}` : next },
    more,
  };
}

// Of the withdrawn names only those that were public once matter to a resolver (A31a).
const TABLE_COLUMNS = "ark, state, url, published_at, first_published_at, hold_until";
const TABLE_ROWS = statement(
  () => `select ${TABLE_COLUMNS} from ark
    where ark > $1 and (first_published_at is not null or state not in ('deleted', 'purged')) order by ark limit $2`,
);
const TABLE_ROWS_OF = statement((words) => `select ${TABLE_COLUMNS} from ark where ark ${words.inList("$1")}`);

type TableColumns = Pick<ArkTable, "ark" | "state" | "url" | "published_at" | "first_published_at" | "hold_until">;

function toTableRow(row: TableColumns): TableRow {
  return {
    key: row.ark,
    // The table's check allows no other values.
    state: row.state as ArkState,
    url: row.url,
    publishedAt: row.published_at,
    firstPublishedAt: row.first_published_at,
    holdUntil: row.hold_until,
  };
}

/** Which file lies at the path: a restore may put another one there. */
function fileId(url: string): string {
  if (isPostgresUrl(url)) return "";
  const stat = statSync(sqlitePath(url), { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev}:${stat.ino}`;
}

/**
 * The database is opened at the first question and again when the file at its path is another one, so a resolver may start before
 * there is a database: its questions fail until then. `pageLimit`: changes in one page of the feed.
 */
export async function openReplica({
  url,
  pageLimit = PAGE_LIMIT,
}: {
  readonly url: string;
  readonly pageLimit?: number;
}): Promise<Replica> {
  let opened: { readonly file: string; readonly database: Promise<OpenDatabase> } | null = null;

  async function session(): Promise<Session> {
    const file = fileId(url);
    if (opened !== null && opened.file !== file) await close();
    if (opened === null) {
      const database = openDatabase({ url, poolSize: POOL_SIZE, readOnly: true });
      opened = { file, database };
      database.catch(() => {
        opened = null;
      });
    }
    const { dialect, reader } = await opened.database;
    return { dialect, db: reader };
  }

  async function close(): Promise<void> {
    const closing = opened;
    opened = null;
    await (await closing?.database.catch(() => null))?.close();
  }

  return {
    async position() {
      const [row] = await rowsOf<{ epoch: string | null; horizon: string | number }>(await session(), POSITION);
      return { epoch: requireEpoch(row?.epoch), horizon: String(row?.horizon ?? 0) };
    },
    async changes(after) {
      const current = await session();
      if (current.dialect === "sqlite") return changesOnSqlite(current, after, pageLimit);
      return changesOnPostgres(current, after, pageLimit);
    },
    async tableRows(after, limit) {
      return (await rowsOf<TableColumns>(await session(), TABLE_ROWS, [after, limit])).map(toTableRow);
    },
    async tableRowsOf(keys) {
      if (keys.length === 0) return new Map();
      const current = await session();
      const rows = await rowsOf<TableColumns>(current, TABLE_ROWS_OF, [textList(current, keys)]);
      return new Map(rows.map((row) => [row.ark, toTableRow(row)]));
    },
    naans: async () => readNaans(await session()),
    shoulders: async () => readShoulders(await session()),
    organisations: async () => readOrganisations(await session()),
    ark: async (key) => (await readArks(await session(), [key])).get(key) ?? null,
    async ping() {
      await (await session()).db.executeQuery(CompiledQuery.raw("select 1 from service limit 1"));
    },
    close,
  };
}
