// The backup file as text (docs/disaster-recovery.md). Under gzip it is one JSON value a line:
//
//   backup  = header *row trailer
//   header  = {"arkstone_backup": 1, "schema": …, "created_at": …, "tables": [{"table", "columns", "rows"}, …], …}
//   row     = [cell, …]     tables in the order of the header, each with the number of rows that it gives; cells in the order of its columns
//   trailer = {"end": true, "rows": …, "sha256": …}     of every byte before this line
//
// A cell is a text, a number or null: nothing in the file tells which database it came from, but for the word in the
// header.
import { isObject } from "../../shared/objects.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** Raised when an older program could no longer read what is written. */
const BACKUP_FORMAT = 1;

export type BackupTable = { readonly table: string; readonly columns: readonly string[]; readonly rows: number };

export type BackupHeader = {
  readonly arkstone_backup: number;
  /** Version of the program that wrote it. */
  readonly program: string;
  /** Version of the schema of the rows. */
  readonly schema: number;
  readonly created_at: string;
  readonly database: "sqlite" | "postgres";
  /** The history of the database it was taken of, and the last change in it. */
  readonly feed: { readonly epoch: string; readonly change: number };
  readonly tables: readonly BackupTable[];
  /**
   * Where the bytes of files lay, which the backup does not hold (R19b); absent in backups of programs without files.
   */
  readonly files?: { readonly where: string };
};

export type BackupTrailer = { readonly end: true; readonly rows: number; readonly sha256: string };
export type BackupCell = string | number | null;
export type BackupRow = readonly BackupCell[];

/** A backup file that cannot be used. Nothing is written because of it. */
export class BackupProblem extends Error {
  override readonly name = "BackupProblem";
}

/** With its line end, like every line here. */
export function printHeader(header: BackupHeader): string {
  return `${JSON.stringify(header)}\n`;
}

export function printRows(rows: readonly BackupRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

export function printTrailer(rows: number, sha256: string): string {
  return `${JSON.stringify({ end: true, rows, sha256 } satisfies BackupTrailer)}\n`;
}

/** How the trailer begins: a JSON text holds no line end, so no row can be taken for it. */
export const TRAILER_START = '{"end":';

/** @throws BackupProblem when the first line is not that of a backup this program can read. */
export function parseHeader(line: string): BackupHeader {
  const value = parseLine(line);
  if (!isHeader(value)) throw new BackupProblem("is not a backup of Arkstone");
  if (value.arkstone_backup > BACKUP_FORMAT) {
    throw new BackupProblem(
      `has format ${value.arkstone_backup}, this program reads formats up to ${BACKUP_FORMAT}: use a newer program`,
    );
  }
  return value;
}

/** @throws BackupProblem when the line is not a row of this table. */
export function parseRow(line: string, table: BackupTable): BackupRow {
  const value = parseLine(line);
  if (!Array.isArray(value) || value.length !== table.columns.length || !value.every(isCell)) {
    throw new BackupProblem(`is damaged: a row of table ${table.table} cannot be read`);
  }
  return value;
}

/** @throws BackupProblem when the line is not a trailer. */
export function parseTrailer(line: string): BackupTrailer {
  const value = parseLine(line);
  if (!isTrailer(value)) throw new BackupProblem("is damaged: its last line cannot be read");
  return value;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isHeader(value: unknown): value is BackupHeader {
  if (!isObject(value) || !isCount(value.arkstone_backup)) return false;
  // Of a newer format nothing more is known; `parseHeader` refuses it by its number.
  if (value.arkstone_backup > BACKUP_FORMAT) return true;
  const { program, schema, created_at, database, feed, tables } = value;
  return (
    typeof program === "string" &&
    isCount(schema) &&
    typeof created_at === "string" &&
    (database === "sqlite" || database === "postgres") &&
    isObject(feed) &&
    typeof feed.epoch === "string" &&
    isCount(feed.change) &&
    Array.isArray(tables) &&
    tables.every(isBackupTable)
  );
}

function isBackupTable(value: unknown): value is BackupTable {
  if (!isObject(value) || typeof value.table !== "string" || !isCount(value.rows)) return false;
  return Array.isArray(value.columns) && value.columns.every((column) => typeof column === "string");
}

function isTrailer(value: unknown): value is BackupTrailer {
  return isObject(value) && value.end === true && isCount(value.rows) && typeof value.sha256 === "string";
}

function isCell(value: unknown): value is BackupCell {
  return value === null || typeof value === "string" || typeof value === "number";
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The first line for what a database holds at this moment. */
export function headerOf(
  source: Pick<BackupHeader, "schema" | "database" | "feed"> & { readonly tables: readonly BackupTable[] },
  program: string,
  now: Instant,
): BackupHeader {
  const { schema, database, feed, tables } = source;
  return { arkstone_backup: BACKUP_FORMAT, program, schema, created_at: now, database, feed, tables: [...tables] };
}
