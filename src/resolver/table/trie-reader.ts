// One walk down the trie answers both questions of A31: is this name known, and which is its nearest known ancestor.
// A reader belongs to one thread; the buffer it reads is shared by all and never changes.
import type { ByteRoom, NearestName, TableEntry } from "../table.ts";
import {
  byteAt,
  type Cursor,
  HAS_CHILDREN,
  HAS_VALUE,
  HEADER,
  HEADER_BYTES,
  LABEL_MASK,
  LAYOUT_MAGIC,
  LAYOUT_VERSION,
  LONG_LABEL,
  readFixed,
  readHeader,
  readVarint,
  WIDTH_SHIFT,
} from "./trie-layout.ts";
import { TargetBytes } from "./trie-target-bytes.ts";
import { readText, type Template } from "./trie-targets.ts";
import { entryAt, isPlain, isUnseen, plainTargetAt, writePlainTargetAt } from "./trie-value.ts";

const SLASH = 47;
const DOT = 46;
/** At most this many children are searched one by one; more by bisection. */
const SCAN_MAX = 8;

/** Ends of a key that must be passed over, because something newer is known there. */
export type NewerKeys = { hides(length: number): boolean };

export class TrieReader {
  readonly bytes: Uint8Array;
  readonly templates: readonly Template[];
  readonly #targets: TargetBytes;
  /** Names held, in every class. */
  readonly names: number;
  readonly root: number;
  /** The first name that belongs to this segment; empty in the first one. Shorter ones are only repeated here. */
  readonly first: string;
  /**
   * Results of the last walk: values of the name itself and of the nearest name that counts (-1: none), and the length
   * of the latter.
   */
  exactAt = -1;
  nearestAt = -1;
  nearestLength = 0;

  /**
   * @throws RangeError when the buffer holds no trie of this version. Whether its content is sound only a checksum can
   * tell.
   */
  constructor(buffer: SharedArrayBuffer) {
    if (buffer.byteLength < HEADER_BYTES) throw new RangeError("Not the buffer of a table: too short");
    const header = new Uint32Array(buffer, 0, HEADER_BYTES / 4);
    if (header[HEADER.magic] !== LAYOUT_MAGIC || header[HEADER.version] !== LAYOUT_VERSION) {
      throw new RangeError("Not the buffer of a table of this version");
    }
    const used = readHeader(header, HEADER.used);
    const templates = readHeader(header, HEADER.templates);
    this.names = readHeader(header, HEADER.names);
    this.root = readHeader(header, HEADER.root);
    if (used > buffer.byteLength || templates > used || this.root >= templates) {
      throw new RangeError("The buffer of the table is cut off");
    }
    this.bytes = new Uint8Array(buffer, 0, used);
    this.templates = readTemplates(this.bytes, templates);
    this.#targets = new TargetBytes(this.bytes, this.templates);
    this.first = readFirst(this.bytes, readHeader(header, HEADER.first));
  }

  /** Walks down along the key, which is all of `text` from `from` on, and sets the results. Allocates nothing. */
  walk(text: string, withReserved: boolean, hidden: NewerKeys | null, from = 0): void {
    const bytes = this.bytes;
    const length = text.length - from;
    let exactAt = -1;
    let nearestAt = -1;
    let nearestLength = 0;
    let node = this.root | 0;
    let depth = 0;
    for (;;) {
      const head = byteAt(bytes, node);
      let at = node + 1;
      let labelEnd = head & LABEL_MASK;
      if (labelEnd === LONG_LABEL) {
        labelEnd = byteAt(bytes, at) + byteAt(bytes, at + 1) * 256;
        at += 2;
      }
      labelEnd += at;
      while (at < labelEnd && byteAt(bytes, at) === text.charCodeAt(from + depth)) {
        at++;
        depth++;
      }
      if (at < labelEnd) break;
      const count = (head & HAS_CHILDREN) === 0 ? 0 : byteAt(bytes, at++);
      const width = ((head >> WIDTH_SHIFT) & 3) + 1;
      if ((head & HAS_VALUE) !== 0) {
        const next = depth < length ? text.charCodeAt(from + depth) : SLASH;
        if ((next === SLASH || next === DOT) && (hidden === null || !hidden.hides(depth))) {
          const value = at + count * (1 + width);
          if (depth === length) exactAt = value;
          if (!isUnseen(byteAt(bytes, value), withReserved)) {
            nearestAt = value;
            nearestLength = depth;
          }
        }
      }
      if (depth === length || count === 0) break;
      const child = childIndex(bytes, at, count, text.charCodeAt(from + depth));
      if (child === -1) break;
      node = (node - readFixed(bytes, at + count + child * width, width)) | 0;
      depth++;
    }
    this.exactAt = exactAt;
    this.nearestAt = nearestAt;
    this.nearestLength = nearestLength;
  }

  exact(key: string): TableEntry | null {
    this.walk(key, true, null);
    return this.exactAt === -1 ? null : this.entryAt(this.exactAt, key, key.length);
  }

  plainTarget(text: string, from: number): string | null {
    this.walk(text, true, null, from);
    const at = this.exactAt;
    if (at === -1 || !isPlain(byteAt(this.bytes, at))) return null;
    return plainTargetAt(this.bytes, at, this.templates, text, from, text.length - from);
  }

  /** As `plainTarget`, with bytes (see ResolutionTable). */
  writePlainTarget(name: Uint8Array, from: number, to: number, room: ByteRoom): boolean {
    const at = this.#valueOf(name, from, to);
    if (at === -1 || !isPlain(byteAt(this.bytes, at))) return false;
    return writePlainTargetAt(this.bytes, at, this.#targets, name, from, to, room);
  }

  /** The walk for a name alone, in bytes: where its value is, or -1. */
  #valueOf(name: Uint8Array, from: number, to: number): number {
    const bytes = this.bytes;
    let node = this.root | 0;
    let next = from;
    for (;;) {
      const head = byteAt(bytes, node);
      let at = node + 1;
      let labelEnd = head & LABEL_MASK;
      if (labelEnd === LONG_LABEL) {
        labelEnd = byteAt(bytes, at) + byteAt(bytes, at + 1) * 256;
        at += 2;
      }
      labelEnd += at;
      while (at < labelEnd && next < to && byteAt(bytes, at) === byteAt(name, next)) {
        at++;
        next++;
      }
      if (at < labelEnd) return -1;
      const count = (head & HAS_CHILDREN) === 0 ? 0 : byteAt(bytes, at++);
      const width = ((head >> WIDTH_SHIFT) & 3) + 1;
      if (next === to) return (head & HAS_VALUE) === 0 ? -1 : at + count * (1 + width);
      const child = count === 0 ? -1 : childIndex(bytes, at, count, byteAt(name, next));
      if (child === -1) return -1;
      node = (node - readFixed(bytes, at + count + child * width, width)) | 0;
      next++;
    }
  }

  /** What the last walk with this key found nearest. */
  nearestFound(key: string): NearestName | null {
    if (this.nearestAt === -1) return null;
    return { length: this.nearestLength, entry: this.entryAt(this.nearestAt, key, this.nearestLength) };
  }

  entryAt(at: number, text: string, keyLength: number): TableEntry {
    return entryAt(this.bytes, at, this.templates, text, keyLength);
  }
}

/** Which of the ascending characters this is, or -1. */
function childIndex(bytes: Uint8Array, from: number, count: number, character: number): number {
  let low = 0;
  let high = count;
  while (high - low > SCAN_MAX) {
    const middle = (low + high) >> 1;
    if (byteAt(bytes, from + middle) <= character) low = middle;
    else high = middle;
  }
  for (let index = low; index < high; index++) if (byteAt(bytes, from + index) === character) return index;
  return -1;
}

function readTemplates(bytes: Uint8Array, from: number): Template[] {
  const cursor: Cursor = { at: from };
  const read = (): string => {
    const length = readVarint(bytes, cursor);
    const text = readText(bytes, cursor.at, length, 2);
    cursor.at += 2 * length;
    return text;
  };
  const templates: Template[] = [];
  for (let count = readVarint(bytes, cursor); count > 0; count--) templates.push({ prefix: read(), suffix: read() });
  return templates;
}

function readFirst(bytes: Uint8Array, from: number): string {
  if (from === 0) return "";
  const cursor: Cursor = { at: from };
  const length = readVarint(bytes, cursor);
  return readText(bytes, cursor.at, length, 1);
}
