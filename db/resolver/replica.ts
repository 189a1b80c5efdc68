// What the resolver reads (src/resolver/replica.ts), from a streaming standby, the primary, or the SQLite file another
// process writes. Nothing here writes, and nothing asks for a transaction number: a standby would refuse.
import { statSync } from "node:fs";
import { CompiledQuery } from "kysely";
import type { ArkState } from "../../src/ark/record.ts";
import type { FeedChange, Replica, TableRow } from "../../src/resolver/replica.ts";
import { readArks } from "../ark/arks.ts";
import { readNaans, readOrganisations, readShoulders } from "../ark/registry.ts";
import { rowsOf, type Session, statement, textList } from "../engine/dialect.ts";
import { isPostgresUrl, type OpenDatabase, openDatabase, sqlitePath } from "../engine/open.ts";
import type { ArkTable } from "../engine/schema.ts";
import type { OnStatement } from "../engine/statement-listener.ts";
import { feedStatements, PostgresFeed } from "../feed/postgres.ts";
import { sqliteChanges, sqlitePosition } from "../feed/sqlite.ts";

/** Changes in one page of the feed. SQLite reads a page in the thread that answers, in half a millisecond. */
const PAGE_LIMIT = { sqlite: 200, postgres: 5_000 } as const;
/** SQLite reads in the thread that answers, 20 names in a fifth of a millisecond: no redirect waits for more. */
const KEYS_PER_READ = { sqlite: 20, postgres: 250 } as const;
const POOL_SIZE = 4;

// Of the withdrawn names only those that were public once matter to a resolver (A31a).
const TABLE_COLUMNS = "ark, state, url, published_at, first_published_at, hold_until";
const TABLE_ROWS = statement(
  () => `select ${TABLE_COLUMNS} from ark
    where ark > $1 and (first_published_at is not null or state not in ('deleted', 'purged')) order by ark limit $2`,
);
const TABLE_ROWS_OF = statement((words) => `select ${TABLE_COLUMNS} from ark where ark ${words.inList("$1")}`);

/**
 * The name of each change, in the statement that reads the change: at least as new, and no second statement for each
 * look. Laterally, so that each is read by its key whatever the planner thinks of the number of changes.
 */
const FEED = feedStatements("ark_change", {
  columns: TABLE_COLUMNS.split(", "),
  from: `left join lateral (
      select ${TABLE_COLUMNS} from ark where found.subject = 'ark' and ark.ark = found.target limit 1
    ) as name on true`,
});

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

/** The identity of the file at the path: a restore may replace it. */
function fileId(url: string): string {
  if (isPostgresUrl(url)) return "";
  const stat = statSync(sqlitePath(url), { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev}:${stat.ino}`;
}

/**
 * The database is opened at the first question and again when the file at its path is another one, so a resolver may
 * start before there is a database: its questions fail until then. `pageLimit`: changes in one page of the feed.
 */
export async function openReplica({
  url,
  pageLimit,
  onStatement,
}: {
  readonly url: string;
  readonly pageLimit?: number;
  readonly onStatement?: OnStatement | undefined;
}): Promise<Replica> {
  const feed = new PostgresFeed<FeedChange["subject"], TableColumns | { readonly ark: null }>(FEED);
  let opened: { readonly file: string; readonly database: Promise<OpenDatabase> } | null = null;

  async function session(): Promise<Session> {
    const file = fileId(url);
    if (opened !== null && opened.file !== file) await close();
    if (opened === null) {
      const database = openDatabase({
        url,
        poolSize: POOL_SIZE,
        readOnly: true,
        planOnce: true,
        onConnect: ({ standby, lsn }) => feed.connected(standby, lsn),
        onLost: () => feed.shaken(),
        onStatement,
      });
      opened = { file, database };
      database.catch(() => {
        opened = null;
      });
    }
    const { dialect, reader } = await opened.database;
    return { dialect, db: reader };
  }

  /** What a standby gives that is behind what was applied already must not get into the table. */
  function usable<T>(rows: T): T {
    const refusal = feed.refusal();
    if (refusal !== null) throw new Error(refusal);
    return rows;
  }

  async function close(): Promise<void> {
    const closing = opened;
    opened = null;
    await (await closing?.database.catch(() => null))?.close();
  }

  return {
    keysPerRead: KEYS_PER_READ[isPostgresUrl(url) ? "postgres" : "sqlite"],
    async position() {
      const current = await session();
      return current.dialect === "sqlite" ? sqlitePosition(current, "ark_change") : feed.position(current);
    },
    async changes(after) {
      const current = await session();
      const limit = pageLimit ?? PAGE_LIMIT[current.dialect];
      if (current.dialect === "sqlite") return sqliteChanges(current, "ark_change", after, limit);
      const { joined, ...page } = await feed.changes(current, after, limit);
      if (joined === undefined) return page;
      const names = joined.filter((row): row is typeof row & TableColumns => row.ark !== null);
      return { ...page, rows: new Map(names.map((row) => [row.ark, toTableRow(row)])) };
    },
    async tableRows(after, limit) {
      return usable(await rowsOf<TableColumns>(await session(), TABLE_ROWS, [after, limit])).map(toTableRow);
    },
    async tableRowsOf(keys) {
      if (keys.length === 0) return new Map();
      const current = await session();
      const rows = await rowsOf<TableColumns>(current, TABLE_ROWS_OF, [textList(current, keys)]);
      return new Map(usable(rows).map((row) => [row.ark, toTableRow(row)]));
    },
    naans: async () => usable(await readNaans(await session())),
    shoulders: async () => usable(await readShoulders(await session())),
    organisations: async () => usable(await readOrganisations(await session())),
    ark: async (key) => (await readArks(await session(), [key])).get(key) ?? null,
    async ping() {
      await (await session()).db.executeQuery(CompiledQuery.raw("select 1 from service limit 1"));
    },
    close,
  };
}
