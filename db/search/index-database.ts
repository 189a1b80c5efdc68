// The SQLite file of one embedded index (R34): a row a document, a dictionary of facet keys, one of texts that are
// sorted by, and one full text table without contents that holds every token and every key. What sorting and counting
// needs is read from here into memory (columns.ts).
import { closeSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { IndexSchema } from "../../src/repository/search/document/document.ts";
import type { FeedPosition } from "../../src/shared/feed.ts";
import { tokenizerSetting } from "./terms.ts";

/** Rises with every change of the tables, or of what is written into them: a file of another format is rebuilt. */
const FORMAT = 3;
const FILE_MODE = 0o600;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = { reader: 16_000, writer: 8_000, builder: 64_000 } as const;
/**
 * Pieces of the full text table that are merged at once. They are small while a file is filled: terms are gathered in as
 * much memory as the full text table does by default (1 MiB), which fits into the caches of a processor. With 32 MiB
 * each term costs twice as much.
 */
const MERGED_AT_ONCE = { filling: 16, following: 4 } as const;

const TABLES = `
  create table meta (
    one integer primary key check (one = 1),
    schema text not null,
    is_whole integer not null,
    epoch text not null,
    horizon text not null,
    -- Of a file that is being filled: documents of all parents up to this one are in it.
    filled_to integer not null
  );
  create table document (
    slot integer primary key,
    id integer not null unique,
    parent integer not null,
    digest text not null,
    columns text not null
  );
  create index document_parent on document (parent);
  create table facet_key (
    number integer primary key,
    field integer not null,
    key text not null,
    beginning integer not null,
    label text not null,
    unique (field, key)
  );
  create table sort_text (
    number integer primary key,
    field integer not null,
    text text not null,
    unique (field, text)
  );
  create virtual table word using fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = ${tokenizerSetting()}
  );
  create virtual table vocabulary using fts5vocab (word, row);
`;

export type Row = ReturnType<StatementSync["get"]>;

/** The file does not hold what was written into it. */
class DamagedIndex extends Error {
  override readonly name = "DamagedIndex";
}

/** Messages of SQLite for a file that is damaged or not a database. */
const DAMAGE = /malformed|not a database|no such table|corrupt|vtable constructor failed|disk I\/O error/i;

/** True where the file is the cause: it has to be rebuilt. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamagedIndex || (error instanceof Error && DAMAGE.test(error.message));
}

/** A number of a row. @throws DamagedIndex */
export function numberIn(row: Row, column: string): number {
  const value = row?.[column];
  if (typeof value !== "number") throw new DamagedIndex(`${column} is not a number`);
  return value;
}

export function textIn(row: Row, column: string): string {
  const value = row?.[column];
  if (typeof value !== "string") throw new DamagedIndex(`${column} is not a text`);
  return value;
}

/**
 * A new file, to be filled and then finished. Nothing of it counts before; what was committed is there after a kill or a
 * loss of power, so that filling goes on. `position`: of the feed, before anything of it was read.
 */
export function createForBuilding(path: string, schema: IndexSchema, position: FeedPosition): DatabaseSync {
  closeSync(openSync(path, "ax", FILE_MODE));
  const database = new DatabaseSync(path);
  try {
    database.exec(`pragma user_version = ${FORMAT}`);
    prepareFilling(database);
    database.exec(TABLES);
    const { epoch, horizon } = position;
    database.prepare("insert into meta values (1, ?, 0, ?, ?, -1)").run(JSON.stringify(schema), epoch, horizon);
    mergePieces(database, MERGED_AT_ONCE.filling);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

const mergePieces = (database: DatabaseSync, count: number): void =>
  database.exec(`insert into word (word, rank) values ('automerge', ${count})`);

/** What was written into a file that is not finished. */
export type UnfinishedFile = { readonly position: FeedPosition; readonly filledTo: number; readonly documents: number };

/** Null: the file is finished, damaged, of another schema or format, or no index at all. */
export function inspectUnfinished(path: string, schema: IndexSchema): UnfinishedFile | null {
  let database: DatabaseSync | null = null;
  try {
    database = connect(path, CACHE_KIB.writer, false);
    const meta = matchingMeta(database, schema);
    if (numberIn(meta, "is_whole") === 1) return null;
    const count = database.prepare("select count(*) as documents from document").get();
    const filledTo = numberIn(meta, "filled_to");
    return { position: readPosition(database), filledTo, documents: numberIn(count, "documents") };
  } catch {
    // Whatever the error is, the file is made again.
    return null;
  } finally {
    database?.close();
  }
}

/** Opens a file that {@link inspectUnfinished} knows, to fill it further. */
export function reopenForBuilding(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  prepareFilling(database);
  return database;
}

// Transactions are few and large: waiting for the disk costs little, and spares filling from the beginning.
function prepareFilling(database: DatabaseSync): void {
  database.exec(`pragma cache_size = ${-CACHE_KIB.builder}; pragma locking_mode = exclusive`);
  database.exec("pragma journal_mode = truncate; pragma synchronous = normal; pragma temp_store = memory");
}

/** @throws TypeError for a file of another schema or format. */
function matchingMeta(database: DatabaseSync, schema: IndexSchema): Row {
  const version = database.prepare("pragma user_version").get();
  if (numberIn(version, "user_version") !== FORMAT) throw new TypeError("of another format");
  const meta = database.prepare("select schema, is_whole, filled_to from meta").get();
  if (textIn(meta, "schema") !== JSON.stringify(schema)) throw new TypeError("of another schema");
  return meta;
}

/** Makes a file that was filled and closed durable, and then, in one step, one that counts. */
export async function makeWhole(path: string, position: FeedPosition): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  const database = new DatabaseSync(path);
  try {
    database.exec("pragma journal_mode = wal; pragma synchronous = full");
    mergePieces(database, MERGED_AT_ONCE.following);
    database.prepare("update meta set is_whole = 1, epoch = ?, horizon = ?").run(position.epoch, position.horizon);
  } finally {
    database.close();
  }
}

const connect = (path: string, cacheKib: number, readOnly: boolean): DatabaseSync => {
  const database = new DatabaseSync(path, { readOnly });
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma cache_size = ${-cacheKib}`);
  return database;
};

// A file that can be made again needs no commit that waits for the disk: the log keeps it whole however the process
// ends.
const WRITING = "pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory";

/** Another connection that writes into a file that was opened by {@link openWhole}. */
export function openWriter(path: string): DatabaseSync {
  const writer = connect(path, CACHE_KIB.writer, false);
  writer.exec(WRITING);
  return writer;
}

/** Opens a file that counts. Null: it is not whole, of another schema or format, or no index at all. */
export function openWhole(path: string, schema: IndexSchema): { reader: DatabaseSync; writer: DatabaseSync } | null {
  const opened: DatabaseSync[] = [];
  const keep = (database: DatabaseSync): DatabaseSync => {
    opened.push(database);
    return database;
  };
  try {
    const writer = keep(connect(path, CACHE_KIB.writer, false));
    if (numberIn(matchingMeta(writer, schema), "is_whole") !== 1) throw new TypeError("not finished");
    writer.exec(WRITING);
    return { writer, reader: keep(connect(path, CACHE_KIB.reader, true)) };
  } catch {
    // Whatever the error is, the file is rebuilt.
    for (const each of opened) each.close();
    return null;
  }
}

export function readPosition(database: DatabaseSync): FeedPosition {
  const meta = database.prepare("select epoch, horizon from meta").get();
  return { epoch: textIn(meta, "epoch"), horizon: textIn(meta, "horizon") };
}
