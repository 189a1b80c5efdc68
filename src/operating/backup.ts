// What a backup reads and a restore writes: every table of one database, whichever it is. `db/` implements both on
// SQLite and PostgreSQL.

import type { ArkWriter } from "../ark/store.ts";
import type { BackupHeader, BackupRow, BackupTable } from "./backup/format.ts";

/** One moment of the database, however long reading it takes. */
export interface BackupSource {
  readonly schema: number;
  readonly database: BackupHeader["database"];
  readonly feed: BackupHeader["feed"];
  readonly tables: readonly BackupTable[];
  /** The rows of one table by its primary key, in pages. */
  rows(table: BackupTable): AsyncIterable<readonly BackupRow[]>;
}

/**
 * What a backup file holds, read from its beginning: the header, then pages of rows; at the end everything is checked.
 */
export type BackupPart =
  | { readonly header: BackupHeader }
  | { readonly table: BackupTable; readonly rows: readonly BackupRow[] };

export type TargetContents = {
  /** Version of the schema; 0 where there is none yet. */
  readonly schema: number;
  /** The newest schema this program knows. */
  readonly newest: number;
  /** Tables that hold rows, with their number. */
  readonly filled: readonly { readonly table: string; readonly rows: number }[];
  /** What a restore that never ended left behind: the backup it was of. */
  readonly unfinished: string | null;
};

export interface RestoreTarget {
  contents(): Promise<TargetContents>;
  /**
   * Brings the database to this schema and marks it as half restored: until the end of `transact` no service takes it.
   */
  prepare(schema: number, of: string): Promise<void>;
  /** Everything that is restored, with the mark taken away, in one transaction. */
  transact<T>(work: (tx: RestoreWriter) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Exists only inside `RestoreTarget.transact`. */
export interface RestoreWriter extends ArkWriter {
  load(table: BackupTable, rows: readonly BackupRow[]): Promise<void>;
  /** After the last row: numbers go on behind the highest one. */
  loaded(): Promise<void>;
  /** At the end: the mark is taken away and the feed begins a new epoch. */
  settle(): Promise<void>;
}

export type RestoreProgress = {
  readonly step: "checking" | "restoring" | "entering";
  readonly table: string;
  readonly rows: number;
  readonly of: number;
};
