// The resolver's table over a trie in shared memory, with recent changes on top (A31, A31a). It answers exactly as
// `plainTable` does.
import { EMPTY_REGISTRY, type Registry } from "../registry.ts";
import {
  entryOf,
  isPlainEntry,
  type NearestName,
  plainTable,
  type TableEntry,
  type WritableTable,
  writeAscii,
} from "../table.ts";
import { type BuilderOptions, TrieBuilder } from "./trie-builder.ts";
import { entriesOf, mergeEntries, type NamedChange, type NamedEntry } from "./trie-entries.ts";
import type { Segments } from "./trie-layout.ts";
import { TrieOverlay } from "./trie-overlay.ts";
import type { TrieReader } from "./trie-reader.ts";
import { TrieBase } from "./trie-segments.ts";

/** A rebuild is due when the overlay holds this many names, or this share of the base where that is more. */
const OVERLAY_NAMES = 20_000;
const OVERLAY_SHARE = 1 / 200;

/** What a new base is made of: plain data, so that another thread can build it. */
export type Rebuild = {
  readonly segments: Segments;
  /** In key order. */
  readonly changes: readonly NamedChange[];
  /** The number in the overlay up to which these are all changes. */
  readonly upTo: number;
  readonly expectedNames: number;
};

export interface TrieTable extends WritableTable {
  /** The memory of the base; other threads open it with `trieTable` as well. */
  readonly segments: Segments;
  /** Bytes of the base in use. */
  readonly bytes: number;
  /** Names changed since the base was built. */
  readonly changed: number;
  /** True when enough has changed to build a new base. */
  readonly isRebuildDue: boolean;
  /** The number of the last change, to be noted before rows for a new base are read from elsewhere. */
  readonly sequence: number;
  /** The table as of now, for a new base built from memory alone. */
  rebuild(): Rebuild;
  /** Takes a new base that holds every change up to `upTo`; later ones stay on top. */
  setBase(segments: Segments, upTo: number): void;
}

/** Builds a base from names in key order, all at once. */
export function buildTrie(entries: Iterable<NamedEntry>, options: BuilderOptions = {}): Segments {
  const builder = new TrieBuilder(options);
  for (const { key, entry } of entries) builder.add(key, entry);
  return builder.finish();
}

/** The names of a new base, in key order. Building may be spread over time: nothing here changes any more. */
export function rebuildEntries(rebuild: Rebuild): Iterable<NamedEntry> {
  return mergeEntries(entriesOf(new TrieBase(rebuild.segments)), rebuild.changes);
}

/** @throws RangeError when the memory holds no trie of this version. */
export function trieTable(segments: Segments, registry: Registry = EMPTY_REGISTRY): TrieTable {
  let base = new TrieBase(segments);
  let baseSegments = segments;
  let overlay = new TrieOverlay();
  let size = base.names;
  const policies = plainTable(registry);

  const exact = (key: string): TableEntry | null => {
    const changed = overlay.size === 0 ? null : overlay.get(key);
    return changed === null ? base.of(key).exact(key) : changed.entry;
  };

  const change = (key: string, entry: TableEntry | null): void => {
    const before = exact(key) === null ? 0 : 1;
    overlay.set(key, entry, entry !== null && isPlainEntry(entry));
    size += (entry === null ? 0 : 1) - before;
  };

  return {
    exact,
    nearest: (key, withReserved) => nearestIn(base.of(key), overlay, key, withReserved),
    plainTarget(text, from = 0) {
      const changed = overlay.size === 0 ? null : overlay.get(from === 0 ? text : text.slice(from));
      if (changed === null) return base.of(text, from).plainTarget(text, from);
      return changed.isPlain && changed.entry !== null ? changed.entry.url : null;
    },
    writePlainTarget(bytes, from, to, room) {
      const changed = overlay.size === 0 ? null : overlay.getBytes(bytes, from, to);
      if (changed === null) return base.ofBytes(bytes, from, to).writePlainTarget(bytes, from, to, room);
      return changed.isPlain && changed.entry !== null && writeAscii(changed.entry.url, room);
    },
    put: (row) => change(row.key, entryOf(row)),
    remove: (key) => change(key, null),
    isHeldNaan: policies.isHeldNaan,
    get hasHeldNaans() {
      return policies.hasHeldNaans;
    },
    naan: policies.naan,
    shoulderOf: policies.shoulderOf,
    organisation: policies.organisation,
    naans: policies.naans,
    shoulders: policies.shoulders,
    setPolicies: policies.setPolicies,
    registry,
    get size() {
      return size;
    },
    get segments() {
      return baseSegments;
    },
    get bytes() {
      return base.bytes;
    },
    get changed() {
      return overlay.size;
    },
    get isRebuildDue() {
      return overlay.size > Math.max(OVERLAY_NAMES, base.names * OVERLAY_SHARE);
    },
    get sequence() {
      return overlay.sequence;
    },
    rebuild() {
      return { segments: baseSegments, changes: overlay.changes(), upTo: overlay.sequence, expectedNames: size };
    },
    setBase(next, upTo) {
      base = new TrieBase(next);
      baseSegments = next;
      overlay = overlay.after(upTo);
      size = sizeOf(base, overlay);
    },
  };
}

function nearestIn(base: TrieReader, overlay: TrieOverlay, key: string, withReserved: boolean): NearestName | null {
  if (overlay.size === 0) {
    base.walk(key, withReserved, null);
    return base.nearestFound(key);
  }
  overlay.look(key);
  base.walk(key, withReserved, overlay);
  const changed = overlay.nearest(withReserved);
  if (changed === null || changed.entry === null) return base.nearestFound(key);
  if (base.nearestAt !== -1 && base.nearestLength > changed.key.length) return base.nearestFound(key);
  return { length: changed.key.length, entry: changed.entry };
}

function sizeOf(base: TrieBase, overlay: TrieOverlay): number {
  let size = base.names;
  for (const { key, entry } of overlay.changes()) {
    size += (entry === null ? 0 : 1) - (base.of(key).exact(key) === null ? 0 : 1);
  }
  return size;
}
