// The resolver's table: everything the order of A31 asks, in memory. `plainTable` is the obvious implementation and the
// oracle of others.

import type { ArkState, Naan, Organisation, Shoulder } from "../ark/record.ts";
import { ancestorKeys } from "../ark/syntax.ts";
import { isPlainUri, mayLeadToArk } from "../ark/target.ts";
import { namesWebHost } from "../shared/http/web-url.ts";
import type { Instant } from "../shared/time/instant.ts";
import { EMPTY_REGISTRY, type Registry } from "./registry.ts";

/**
 * How a name counts in the search (A9, A31a):
 * - `answers`: published;
 * - `tombstone`: tombstoned while public;
 * - `blocked`: was public and is no longer: 404, for everything below as well;
 * - `reserved`: as never seen, unless reserved names are resolved here (SVC_RESOLVE_UNPUBLISHED);
 * - `invisible`: never public and withdrawn: as never seen.
 */
export type NameClass = "answers" | "tombstone" | "blocked" | "reserved" | "invisible";

export type TableEntry = {
  readonly class: NameClass;
  /** The target; of a tombstone, the page that explains; empty where there is none. */
  readonly url: string;
  readonly holdUntil: Instant | null;
};

/** The part of a row the class depends on. */
type Publication = {
  readonly state: ArkState;
  readonly publishedAt: Instant | null;
  readonly firstPublishedAt: Instant | null;
};

export function classOf(row: Publication): NameClass {
  switch (row.state) {
    case "published":
      return "answers";
    case "tombstoned":
      if (row.publishedAt !== null) return "tombstone";
      return row.firstPublishedAt === null ? "invisible" : "blocked";
    case "reserved":
      return row.firstPublishedAt === null ? "reserved" : "blocked";
    case "unpublished":
      return "blocked";
    case "deleted":
    case "purged":
      return row.firstPublishedAt === null ? "invisible" : "blocked";
  }
}

/** A name that counts, and how many characters of the key asked for are its own. */
export type NearestName = { readonly length: number; readonly entry: TableEntry };

/** Room for bytes: `at` moves on with what is written, never beyond `limit`. */
export type ByteRoom = { readonly bytes: Uint8Array; at: number; limit: number };

/** What the decision reads. Keys are canonical `naan/name`. */
export interface ResolutionTable {
  /** The entry of exactly this key, or null when the name was never assigned. */
  exact(key: string): TableEntry | null;
  /**
   * The name itself or its nearest ancestor at a `/` or `.` that is not as never seen (A31, A31a); reserved names count
   * where `withReserved` is true.
   */
  nearest(key: string, withReserved: boolean): NearestName | null;
  /**
   * The target of a published name that can be redirected to as it is, with nothing to decide about the name itself;
   * else null. The name is all of `text` from `from` on: a redirect asks with the URL itself, and no text has to be cut
   * out of it.
   */
  plainTarget(text: string, from?: number): string | null;
  /**
   * The same question with bytes, for the fast lane: the name is all of `bytes` from `from` to `to`, which are ASCII.
   * Its target is written into the room; false, and nothing is written, where there is none or too little room.
   * Allocates nothing.
   */
  writePlainTarget(bytes: Uint8Array, from: number, to: number, room: ByteRoom): boolean;
  /** True when this NAAN or one of its shoulders has or had a hold, so that a name under it needs a full check. */
  isHeldNaan(naan: string): boolean;
  /** True while no NAAN is held at all. */
  readonly hasHeldNaans: boolean;
  naan(naan: string): Naan | null;
  /** Our shoulder of a name: the longest that the name begins with. */
  shoulderOf(naan: string, name: string): Shoulder | null;
  organisation(id: number): Organisation | null;
  naans(): readonly Naan[];
  shoulders(): readonly Shoulder[];
  readonly registry: Registry;
  /** Names in the table, in every class. */
  readonly size: number;
}

export type NameRow = Publication & { readonly key: string; readonly url: string; readonly holdUntil: Instant | null };

export type Policies = {
  readonly naans: readonly Naan[];
  readonly shoulders: readonly Shoulder[];
  readonly organisations: readonly Organisation[];
};

/** A table that is being filled and kept up to date. */
export interface WritableTable extends ResolutionTable {
  put(row: NameRow): void;
  remove(key: string): void;
  setPolicies(policies: Policies): void;
}

/** True when the whole answer for an exact match without query is a redirect to this very text. */
export function isPlainEntry(entry: TableEntry): boolean {
  return (
    entry.class === "answers" &&
    entry.holdUntil === null &&
    namesWebHost(entry.url) &&
    isPlainUri(entry.url) &&
    !mayLeadToArk(entry.url)
  );
}

/** The nearest name that counts, by asking for the key itself and for each ancestor in turn. */
function nearestBy(exact: (key: string) => TableEntry | null, key: string, withReserved: boolean): NearestName | null {
  for (const each of [key, ...ancestorKeys(key)]) {
    const entry = exact(each);
    if (entry === null || entry.class === "invisible" || (entry.class === "reserved" && !withReserved)) continue;
    return { length: each.length, entry };
  }
  return null;
}

/** The question of bytes, by the one of text. */
function writingBy(plainTarget: (key: string) => string | null): ResolutionTable["writePlainTarget"] {
  return (bytes, from, to, room) => {
    const target = plainTarget(String.fromCharCode(...bytes.subarray(from, to)));
    return target !== null && writeAscii(target, room);
  };
}

/** False, and nothing is written, where the text finds no room. */
export function writeAscii(text: string, room: ByteRoom): boolean {
  if (text.length > room.limit - room.at) return false;
  for (let index = 0; index < text.length; index++) room.bytes[room.at++] = text.charCodeAt(index);
  return true;
}

/**
 * A Map. A plain target is kept as the text alone and the common empty entries are shared, so that a million names cost
 * a million short strings and no objects.
 */
export function plainTable(registry: Registry = EMPTY_REGISTRY): WritableTable {
  const names = new Map<string, string | TableEntry>();
  let naans = new Map<string, Naan>();
  let shoulders: readonly Shoulder[] = [];
  let shouldersOf = new Map<string, Shoulder[]>();
  let organisations = new Map<number, Organisation>();
  let heldNaans = new Set<string>();

  const exact = (key: string): TableEntry | null => {
    const found = names.get(key);
    if (found === undefined) return null;
    return typeof found === "string" ? { class: "answers", url: found, holdUntil: null } : found;
  };

  const plainTarget = (text: string, from = 0): string | null => {
    const found = names.get(text.slice(from));
    return typeof found === "string" ? found : null;
  };

  return {
    exact,
    nearest: (key, withReserved) => nearestBy(exact, key, withReserved),
    plainTarget,
    writePlainTarget: writingBy(plainTarget),
    isHeldNaan: (naan) => heldNaans.has(naan),
    get hasHeldNaans() {
      return heldNaans.size > 0;
    },
    naan: (naan) => naans.get(naan) ?? null,
    shoulderOf: (naan, name) => shouldersOf.get(naan)?.find((each) => name.startsWith(each.shoulder)) ?? null,
    organisation: (id) => organisations.get(id) ?? null,
    naans: () => [...naans.values()],
    shoulders: () => shoulders,
    registry,
    get size() {
      return names.size;
    },
    put(row) {
      const entry = entryOf(row);
      names.set(row.key, isPlainEntry(entry) ? entry.url : entry);
    },
    remove(key) {
      names.delete(key);
    },
    setPolicies(policies) {
      naans = new Map(policies.naans.map((each) => [each.naan, each]));
      shoulders = policies.shoulders;
      shouldersOf = new Map();
      for (const each of policies.shoulders) {
        const ofNaan = shouldersOf.get(each.naan) ?? [];
        ofNaan.push(each);
        shouldersOf.set(each.naan, ofNaan);
      }
      for (const each of shouldersOf.values()) each.sort((one, other) => other.shoulder.length - one.shoulder.length);
      organisations = new Map(policies.organisations.map((each) => [each.id, each]));
      const held = [...policies.naans, ...policies.shoulders].filter((each) => each.holdUntil !== null);
      heldNaans = new Set(held.map((each) => each.naan));
    },
  };
}

const SHARED: ReadonlyMap<NameClass, TableEntry> = new Map(
  (["answers", "tombstone", "blocked", "reserved", "invisible"] as const).map((each) => [
    each,
    { class: each, url: "", holdUntil: null },
  ]),
);

/** What a table answers for a row: names that are gone keep no target. */
export function entryOf(row: NameRow): TableEntry {
  const nameClass = classOf(row);
  const shared = SHARED.get(nameClass);
  const url = nameClass === "blocked" || nameClass === "invisible" ? "" : row.url;
  if (shared !== undefined && url === "" && row.holdUntil === null) return shared;
  return { class: nameClass, url, holdUntil: row.holdUntil };
}

/** The same table, but for these rows, which were read later. Nothing is written: the feed alone changes a table. */
export function withRows(
  table: ResolutionTable,
  keys: readonly string[],
  rows: ReadonlyMap<string, NameRow>,
): ResolutionTable {
  const asked = new Set(keys);
  const exact = (key: string): TableEntry | null => {
    if (!asked.has(key)) return table.exact(key);
    const row = rows.get(key);
    return row === undefined ? null : entryOf(row);
  };
  const plainTarget = (text: string, from = 0): string | null =>
    asked.has(text.slice(from)) ? null : table.plainTarget(text, from);
  return {
    exact,
    nearest: (key, withReserved) => nearestBy(exact, key, withReserved),
    plainTarget,
    writePlainTarget: writingBy(plainTarget),
    isHeldNaan: (naan) => table.isHeldNaan(naan),
    hasHeldNaans: table.hasHeldNaans,
    naan: (naan) => table.naan(naan),
    shoulderOf: (naan, name) => table.shoulderOf(naan, name),
    organisation: (id) => table.organisation(id),
    naans: () => table.naans(),
    shoulders: () => table.shoulders(),
    registry: table.registry,
    size: table.size,
  };
}
