// A position in the change feed as FeedPosition.horizon carries it: opaque to its holders, short enough for a
// snapshot's header.
import type { Instant } from "../../src/shared/time/instant.ts";

/** A change seen in the feed: its number, and when it was made (milliseconds). */
export type Mark = { readonly id: number; readonly atMs: number };

/**
 * Which writers on PostgreSQL have been read completely. Every transaction below `next` that is not listed in `open`
 * had ended before the rows were read; of those listed, and of all from `next` on, changes may still come.
 */
export type Writers = { readonly next: bigint; readonly open: readonly bigint[] };

export type PostgresPosition = Writers & {
  /** How far the log of the server had been replayed (or written) when the rows were read. */
  readonly lsn: bigint;
  /** When the server was started: another value is another server, or one that may have crashed. */
  readonly started: string;
  readonly marks: readonly Mark[];
  /** While more changes wait than one page holds: where the page ended, and what counts once the last page is read. */
  readonly paging: { readonly after: Writers; readonly xid: bigint; readonly id: number } | null;
};

type SqlitePosition = { readonly id: number; readonly marks: readonly Mark[] };

/** The number of marks: the newest changes of this many transactions. */
export const MARKS = 16;
/**
 * Open transactions listed one by one. Where there are more, `next` is the first of the rest, and what follows is read
 * again.
 */
export const OPEN_LISTED = 40;

const RADIX = 36;
const short = (value: bigint | number): string => value.toString(RADIX);
const long = (text: string): number => Number.parseInt(text, RADIX);

function big(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX));
  return value;
}

const list = (text: string | undefined): string[] => (text === undefined || text === "" ? [] : text.split("."));
const writeMarks = (marks: readonly Mark[]): string =>
  marks.map(({ id, atMs }) => `${short(id)}-${short(atMs)}`).join(".");
const writeWriters = ({ next, open }: Writers): string => [next, ...open].map(short).join(".");

function readMarks(text: string | undefined): Mark[] {
  return list(text).map((mark) => {
    const [id = "0", atMs = "0"] = mark.split("-");
    return { id: long(id), atMs: long(atMs) };
  });
}

function readWriters(text: string | undefined): Writers {
  const [next = 0n, ...open] = list(text).map(big);
  return { next, open };
}

export function writePostgresPosition({ lsn, started, marks, paging, ...writers }: PostgresPosition): string {
  const page = paging === null ? [] : [writeWriters(paging.after), `${short(paging.xid)}.${short(paging.id)}`];
  return [writeWriters(writers), short(lsn), started, writeMarks(marks), ...page].join("|");
}

export function readPostgresPosition(text: string): PostgresPosition {
  const [writers, lsn = "0", started = "", marks, after, cursor] = text.split("|");
  const [xid = "0", id = "0"] = list(cursor);
  return {
    ...readWriters(writers),
    lsn: big(lsn),
    started,
    marks: readMarks(marks),
    paging: after === undefined ? null : { after: readWriters(after), xid: big(xid), id: long(id) },
  };
}

export function writeSqlitePosition({ id, marks }: SqlitePosition): string {
  return `${short(id)}|${writeMarks(marks)}`;
}

export function readSqlitePosition(text: string): SqlitePosition {
  const [id = "0", marks] = text.split("|");
  return { id: long(id), marks: readMarks(marks) };
}

/** The marks after some more changes: of the last transactions one each, `writer` naming the transaction. */
export function marksAfter(
  marks: readonly Mark[],
  changes: readonly { readonly id: number; readonly at: Instant; readonly writer: string }[],
): readonly Mark[] {
  const newest = new Map<string, Mark>();
  for (const { id, at, writer } of changes) {
    const atMs = Date.parse(at);
    newest.delete(writer);
    if (!Number.isNaN(atMs)) newest.set(writer, { id, atMs });
  }
  const fresh = [...newest.values()];
  const known = new Set(fresh.map(({ id }) => id));
  return [...marks.filter(({ id }) => !known.has(id)), ...fresh].slice(-MARKS);
}

/** The marks as two lists: numbers, and times as they are stored. */
export function markColumns(marks: readonly Mark[]): readonly [ids: number[], times: string[]] {
  return [marks.map(({ id }) => id), marks.map(({ atMs }) => new Date(atMs).toISOString())];
}
