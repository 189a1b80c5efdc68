// What changed since the trie was built, in a plain map on top of it. It is found without cutting strings out of the
// key that is looked up: the map goes from a hash over the first characters to the names with that hash.
import type { TableEntry } from "../table.ts";
import type { NamedChange } from "./trie-entries.ts";
import { byteAt, KEY_MAX_BYTES } from "./trie-layout.ts";
import type { NewerKeys } from "./trie-reader.ts";

const SLASH = 47;
const DOT = 46;
const HASH_SEED = 0x811c9dc5;
const HASH_FACTOR = 0x0100_0193;
/** Small enough to be stored in place by every engine. */
const HASH_MASK = 0x3fff_ffff;

type OverlayName = {
  readonly key: string;
  /** Null: no longer in the table. */
  entry: TableEntry | null;
  isPlain: boolean;
  /** Counts all changes of the overlay; the number of the last one of this name. */
  sequence: number;
  readonly next: OverlayName | null;
};

export class TrieOverlay implements NewerKeys {
  readonly #names = new Map<number, OverlayName>();
  #size = 0;
  #sequence: number;
  /** The names of the overlay that the last `look` passed, shortest first. */
  readonly #passed: OverlayName[] = [];
  #passedCount = 0;

  /** Numbers are counted on from the last one of the overlay before. */
  constructor(sequence = 0) {
    this.#sequence = sequence;
  }

  /** Names in the overlay. */
  get size(): number {
    return this.#size;
  }

  /** The number of the last change. */
  get sequence(): number {
    return this.#sequence;
  }

  set(key: string, entry: TableEntry | null, isPlain: boolean): void {
    this.#put(key, entry, isPlain, ++this.#sequence);
  }

  #put(key: string, entry: TableEntry | null, isPlain: boolean, sequence: number): void {
    const hash = hashOf(key);
    const first = this.#names.get(hash) ?? null;
    const known = findIn(first, key, key.length);
    if (known !== null) {
      known.entry = entry;
      known.isPlain = isPlain;
      known.sequence = sequence;
      return;
    }
    this.#names.set(hash, { key, entry, isPlain, sequence, next: first });
    this.#size++;
  }

  get(key: string): OverlayName | null {
    return findIn(this.#names.get(hashOf(key)) ?? null, key, key.length);
  }

  /** The same for a key in bytes of ASCII, which is all of `bytes` from `from` to `to`. Allocates nothing. */
  getBytes(bytes: Uint8Array, from: number, to: number): OverlayName | null {
    let hash = HASH_SEED;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ byteAt(bytes, at), HASH_FACTOR);
    for (let each = this.#names.get(hash & HASH_MASK) ?? null; each !== null; each = each.next) {
      if (areBytesOf(each.key, bytes, from, to)) return each;
    }
    return null;
  }

  /** Finds the names that are this key or end at a `/` or `.` of it. Allocates nothing. */
  look(key: string): void {
    this.#passedCount = 0;
    const length = key.length;
    const end = Math.min(length, KEY_MAX_BYTES);
    let hash = HASH_SEED;
    for (let depth = 0; depth <= end; depth++) {
      const character = depth < length ? key.charCodeAt(depth) : SLASH;
      if (depth > 0 && (character === SLASH || character === DOT)) {
        const first = this.#names.get(hash & HASH_MASK);
        if (first !== undefined) {
          const found = findIn(first, key, depth);
          if (found !== null) this.#passed[this.#passedCount++] = found;
        }
      }
      hash = Math.imul(hash ^ character, HASH_FACTOR);
    }
  }

  /** True where the last `look` passed a name of this length: its entry in the trie is out of date. */
  hides(length: number): boolean {
    for (let index = this.#passedCount - 1; index >= 0; index--) {
      if (this.#passed[index]?.key.length === length) return true;
    }
    return false;
  }

  /** Of the names the last `look` passed, the longest that counts. */
  nearest(withReserved: boolean): OverlayName | null {
    for (let index = this.#passedCount - 1; index >= 0; index--) {
      const name = this.#passed[index];
      if (name === undefined || name.entry === null || name.entry.class === "invisible") continue;
      if (name.entry.class === "reserved" && !withReserved) continue;
      return name;
    }
    return null;
  }

  /** All changes, in key order. */
  changes(): NamedChange[] {
    const changes = Array.from(this.#all(), ({ key, entry }) => ({ key, entry }));
    return changes.sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  /** A new overlay with the changes after this number only. */
  after(sequence: number): TrieOverlay {
    const later = new TrieOverlay(this.#sequence);
    for (const { key, entry, isPlain, sequence: number } of this.#all()) {
      if (number > sequence) later.#put(key, entry, isPlain, number);
    }
    return later;
  }

  *#all(): Generator<OverlayName> {
    for (const first of this.#names.values()) {
      for (let each: OverlayName | null = first; each !== null; each = each.next) yield each;
    }
  }
}

function hashOf(key: string): number {
  let hash = HASH_SEED;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), HASH_FACTOR);
  return hash & HASH_MASK;
}

function areBytesOf(key: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (key.length !== to - from) return false;
  for (let index = 0; index < key.length; index++)
    if (byteAt(bytes, from + index) !== key.charCodeAt(index)) return false;
  return true;
}

/** The name among those of one hash that is the first `length` characters of the text. */
function findIn(first: OverlayName | null, text: string, length: number): OverlayName | null {
  for (let each = first; each !== null; each = each.next) {
    if (each.key.length === length && text.startsWith(each.key)) return each;
  }
  return null;
}
