// The mark that a storage carries (R7c): the id of the database that may sweep it, and the turn at which that database
// last did.

/** Its name among the objects: no object of a file has such a name. */
export const MARKER_NAME = "arkstone-storage.json";
export const MARKER_MAX_BYTES = 4096;
/**
 * Turns a database remembers: the last one may not have reached the store, and two processes may have taken one each.
 */
const TURNS_KEPT = 5;

/**
 * What a database knows of its storage. A restore makes another id. The holder of a copy of a database (its file, a
 * dump) has its id too, but not the turns that were taken since.
 */
export type StorageIdentity = { readonly id: string; readonly turns: readonly string[] };
type StorageMarker = { readonly database: string; readonly turn: string };

export function printMarker({ database, turn }: StorageMarker): string {
  const note = "Written by Arkstone: only the database of this id removes files here. See docs/disaster-recovery.md";
  return `${JSON.stringify({ note, database, turn }, null, 2)}\n`;
}

function parseMarker(text: string): StorageMarker | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("database" in value) || !("turn" in value)) return null;
    const { database, turn } = value;
    return typeof database === "string" && typeof turn === "string" ? { database, turn } : null;
  } catch {
    return null;
  }
}

/** `copied`: marked with our id by a copy of our database. `unreadable`: the owner is unknown. */
export type Belonging = "ours" | "unmarked" | "foreign" | "copied" | "unreadable";

export function belongingOf(text: string | null, identity: StorageIdentity): Belonging {
  if (text === null) return "unmarked";
  const marker = parseMarker(text);
  if (marker === null) return "unreadable";
  if (marker.database !== identity.id) return "foreign";
  return identity.turns.includes(marker.turn) ? "ours" : "copied";
}

export function withTurn({ id, turns }: StorageIdentity, turn: string): StorageIdentity {
  return { id, turns: [...turns, turn].slice(-TURNS_KEPT) };
}

/**
 * Where a storage is: in the data folder next to the SQLite file itself, anywhere else, or in a bucket that has nothing
 * before its names.
 */
export type StorageLocation = "beside_database" | "elsewhere" | "whole_bucket";

/**
 * When a storage without mark is ours for sure. An empty one is. Files that the database names prove nothing by
 * themselves, since a copy of the database names them as well; next to the database file they do, when there are no
 * others. A whole bucket may be shared with other programs, whatever is in it now.
 */
export function mayBeOurs(location: StorageLocation): "when_empty" | "when_all_named" | "never" {
  return ({ beside_database: "when_all_named", elsewhere: "when_empty", whole_bucket: "never" } as const)[location];
}

/** What a sweep may remove without an operator's confirmation, of this number of files (R7c). */
export function removableAtOnce(files: number): number {
  return Math.max(REMOVED_AT_LEAST, Math.floor(files * REMOVED_SHARE));
}

const REMOVED_SHARE = 0.05;
const REMOVED_AT_LEAST = 100;
