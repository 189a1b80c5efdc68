// What is remembered of the feed, and how a position in it is written (docs/freshness.md).
import { describe, expect, test } from "bun:test";
import {
  MARKS,
  marksAfter,
  OPEN_LISTED,
  type PostgresPosition,
  readPostgresPosition,
  readSqlitePosition,
  writePostgresPosition,
  writeSqlitePosition,
} from "../../db/feed/position.ts";
import { readLsn } from "../../db/feed/postgres.ts";
import { feedWindow } from "../../src/resolver/feed-window.ts";
import { TableFollower } from "../../src/resolver/table/table-refresh.ts";
import { arkRecord, memoryReplica } from "../support/memory-replica.ts";
import { quietLog } from "../support/quiet-log.ts";

const changesOf = (...ids: number[]) =>
  ids.map((id) => ({ id: String(id), subject: "ark" as const, target: `t${id}` }));
const pageOf = (...ids: number[]) => ({ changes: changesOf(...ids), position: { epoch: "e", horizon: "" } });

describe("the window", () => {
  test("A44 a change is skipped only for the table it was applied to, and only once it was applied", () => {
    const window = feedWindow();
    const [one, other] = [{}, {}];
    expect(window.unseen(one, pageOf(1, 2), true).length).toBe(2);
    expect(window.unseen(one, pageOf(1, 2), true).length).toBe(2);
    window.applied(one, changesOf(1, 2));
    expect(window.unseen(one, pageOf(2, 3), true)).toEqual(changesOf(3));
    expect(window.status().windowRows).toBe(1);
    expect(window.unseen(other, pageOf(2, 3), true)).toEqual(changesOf(2, 3));
  });

  test("what is remembered is bounded; what was forgotten is applied again", () => {
    const window = feedWindow();
    const table = {};
    const ids = Array.from({ length: 20_001 }, (_, index) => index);
    window.applied(table, changesOf(...ids));
    expect(window.unseen(table, pageOf(0, 1), true)).toEqual(changesOf(0));
  });

  test("the age of the horizon counts from the first look that saw the oldest transaction", () => {
    let nowMs = 1000;
    const window = feedWindow(() => nowMs);
    const look = (oldest: string | null) =>
      window.unseen({}, { ...pageOf(), open: oldest === null ? 0 : 1, oldest }, true);
    look(null);
    expect(window.status()).toEqual({ windowRows: 0, openTransactions: 0, horizonSinceMs: null });
    look("7");
    nowMs = 5000;
    look("7");
    expect(window.status()).toMatchObject({ openTransactions: 1, horizonSinceMs: 1000 });
    look("9");
    expect(window.status().horizonSinceMs).toBe(5000);
    look(null);
    expect(window.status().horizonSinceMs).toBe(null);
  });
});

describe("a replica that is behind", () => {
  test("A44 nothing of it is applied, it is logged, and it is made up for once it has caught up", async () => {
    const replica = memoryReplica();
    replica.put(arkRecord("99999/b1a", { url: "https://t.example/new" }));
    const tables = new TableFollower({
      replica,
      clock: { now: () => "2026-03-01T00:00:00.000Z" },
      intervalMs: 600_000,
      log: quietLog,
    });
    await tables.refreshNow();
    const { changes } = replica;
    replica.changes = async (position) => ({ changes: [], position, behind: "The standby is elsewhere" });
    replica.put(arkRecord("99999/b1a", { url: "https://t.example/newer" }));
    await tables.refreshNow();
    await tables.refreshNow();
    expect(tables.status()).toMatchObject({ behind: "The standby is elsewhere", replicaUp: true, rebuilds: 1 });
    expect(tables.current()?.plainTarget("99999/b1a")).toBe("https://t.example/new");
    expect(await tables.lookAgain(["99999/b1b"])).toBe(null);
    replica.changes = changes;
    await tables.refreshNow();
    expect(tables.status().behind).toBe(null);
    expect(tables.current()?.plainTarget("99999/b1a")).toBe("https://t.example/newer");
  });
});

describe("a position in the feed", () => {
  const marks = Array.from({ length: MARKS }, (_, index) => ({
    id: 9_000_000_000 + index,
    atMs: Date.parse("2026-11-20T10:00:00.123Z") + index,
  }));
  const writers = {
    next: 2n ** 40n,
    open: Array.from({ length: OPEN_LISTED }, (_, index) => 2n ** 39n + BigInt(index)),
  };
  const position: PostgresPosition = {
    ...writers,
    lsn: readLsn("1A2/FF000148"),
    started: "1795175216.447238",
    marks,
    paging: null,
  };

  test("is read as it was written, and short enough for the header of a snapshot", () => {
    const text = writePostgresPosition(position);
    expect(text.length).toBeLessThan(1000);
    expect(readPostgresPosition(text)).toEqual(position);
    const paging: PostgresPosition = { ...position, paging: { after: { next: 77n, open: [] }, xid: 5n, id: 6 } };
    expect(readPostgresPosition(writePostgresPosition(paging))).toEqual(paging);
    expect(readSqlitePosition(writeSqlitePosition({ id: 12_345, marks }))).toEqual({ id: 12_345, marks });
    expect(readSqlitePosition(writeSqlitePosition({ id: 0, marks: [] }))).toEqual({ id: 0, marks: [] });
  });

  test("keeps one mark for each of the last transactions, the newest change of it", () => {
    const at = "2026-11-20T10:00:00.000Z";
    const rows = [1, 2, 3].map((id) => ({ id, at, writer: id === 3 ? "9" : "8" }));
    expect(marksAfter([], rows).map(({ id }) => id)).toEqual([2, 3]);
    const many = Array.from({ length: 40 }, (_, index) => ({ id: index + 10, at, writer: String(index) }));
    expect(marksAfter(marks, many).map(({ id }) => id)).toEqual(many.slice(-MARKS).map(({ id }) => id));
  });

  test("a position in the log just behind the header of a page is the end of the page before", () => {
    expect(readLsn("0/2000028")).toBe(readLsn("0/2000000"));
    expect(readLsn("0/2002018")).toBe(readLsn("0/2002000"));
    expect(readLsn("0/2002019")).toBe(0x2002019n);
    expect(readLsn("1/0")).toBe(2n ** 32n);
  });
});
