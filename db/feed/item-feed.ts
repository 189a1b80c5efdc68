// The feed of changes of the repository (src/repository/store/changes.ts, R34) on SQLite or PostgreSQL.
import type { ChangeReader, ItemChange } from "../../src/repository/store/changes.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement } from "../engine/dialect.ts";
import { MARKS } from "./position.ts";
import { feedStatements, PostgresFeed } from "./postgres.ts";
import { sqliteChanges, sqlitePosition } from "./sqlite.ts";

const TABLE = "item_change";
const ON_POSTGRES = feedStatements(TABLE);

// A transaction that commits behind one with a higher number leaves the highest number as it is, but not the oldest
// transaction at work.
const HEAD = statement(({ dialect }) =>
  dialect === "sqlite"
    ? "select cast(coalesce(max(id), 0) as text) as head from item_change"
    : `select coalesce(max(id), 0)::text || ':' || pg_snapshot_xmin(pg_current_snapshot())::text as head from item_change`,
);

const NEWEST = statement(() => "select at from item_change order by id desc limit 1");

// The last rows stay: positions know them as their marks, and miss them where rows behind a position are gone.
const FORGET = statement(
  () => `delete from item_change where id in (
      select id from item_change where at < $1 and id < (select max(id) from item_change) - ${MARKS * 2} order by id limit $2)`,
);

const ASK_REBUILD = statement(() => "insert into item_change (at, subject, target) values ($1, 'rebuild', '')");

/** `session` reads; `write` runs a statement that changes rows. */
export function itemFeed(session: Session, write: <T>(work: (tx: Session) => Promise<T>) => Promise<T>): ChangeReader {
  const feed = new PostgresFeed<ItemChange["subject"]>(ON_POSTGRES);
  const isSqlite = session.dialect === "sqlite";
  return {
    position: () => (isSqlite ? sqlitePosition(session, TABLE) : feed.position(session)),
    async changes(after, limit) {
      if (isSqlite) return sqliteChanges(session, TABLE, after, limit);
      try {
        return await feed.changes(session, after, limit);
      } catch (error) {
        // The server may have crashed: numbers may be assigned twice.
        feed.shaken();
        throw error;
      }
    },
    async head() {
      const [row] = await rowsOf<{ head: string }>(session, HEAD);
      return row?.head ?? "";
    },
    async changedAt() {
      const [row] = await rowsOf<{ at: Instant }>(session, NEWEST);
      return row?.at ?? null;
    },
    requestRebuild: (at) => write(async (tx) => void (await run(tx, ASK_REBUILD, [at]))),
    forget: (before, limit) =>
      write(async (tx) => Number((await run(tx, FORGET, [before, limit])).numAffectedRows ?? 0)),
  };
}
