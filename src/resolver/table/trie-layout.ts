// The bytes of the resolver's trie: what one shared buffer (a segment) holds, and the two small tools that write and
// read it (the resolver's table, decision A31; names of the grammar A3).
//
//   buffer   = header nodes templates first zeros
//   header   = 16 words of 32 bits, in the byte order of the machine: see HEADER
//   node     = head [ length:2 ] label [ count chars deltas ] [ value ]
//   head     = 1 byte: HAS_VALUE, HAS_CHILDREN, width of a delta less one, length of the label (15: two bytes follow, little-endian)
//   label    = the bytes that follow the branching character, alike for every name below (path compression)
//   chars    = first characters of the children, ascending; deltas = how far before this node each child begins, little-endian
//   value    = see trie-value.ts
//   first    = length:varint, first name that belongs here; length 0 in the first segment. The zeros fill up to 16 bytes.
//
// Children are written before their parent, so that a stream of names in key order is written in one pass and never
// touched again. Addresses are bytes from the start of the buffer; deltas make no assumption about where it lies.
//
// A table with more names than one buffer holds has several, each a whole trie of the names from its `first` on. Names
// above `first` (its beginnings, up to a boundary or not) are in the segment before and again in this one, so that one
// walk in one segment still finds every ancestor: every name in between begins with the ancestor too, so no other name
// can have one before its segment.

export const LAYOUT_VERSION = 1;
/** "ARKT" where the byte order is little-endian. */
export const LAYOUT_MAGIC = 0x544b5241;
export const HEADER_BYTES = 64;

/** Words of the header. Addresses and lengths take two words, low first. */
export const HEADER = {
  magic: 0,
  version: 1,
  /** Bytes in use, header and templates included; the buffer itself may be longer. */
  used: 2,
  names: 4,
  /** Address of the root node. */
  root: 6,
  templates: 8,
  nodes: 10,
  /** Address of `first`; 0 where the layout had none: the buffer is the whole table. */
  first: 12,
} as const;

export const HAS_VALUE = 0x80;
export const HAS_CHILDREN = 0x40;
export const WIDTH_SHIFT = 4;
export const LABEL_MASK = 0x0f;
/** In the length bits of the head: the length is in two separate bytes. */
export const LONG_LABEL = 15;

/** NAAN, slash, name: 16 + 1 + 255. */
export const KEY_MAX_BYTES = 272;
/** Addresses stay within 31 bits, so that engines keep them as plain integers. */
const BUFFER_MAX_BYTES = 0x7fff_ffff;
/**
 * From this size on the next name begins another segment. What is still open then takes less than the rest of a buffer.
 */
export const SEGMENT_BYTES = 0x4000_0000;
/** Segments end at a multiple of this, so that one checksum goes over all of them. */
export const SEGMENT_UNIT = 16;

/** The memory of one table: its segments in key order. */
export type Segments = readonly SharedArrayBuffer[];

/** The byte at an address that the layout guarantees to be inside. */
export function byteAt(bytes: Uint8Array, at: number): number {
  // A read inside the array is never undefined; a test here would cost on every character of every lookup.
  return bytes[at] as number;
}

const WORD = 0x1_0000_0000;

/** A number of up to 53 bits in two words of the header. */
export function readHeader(words: Uint32Array, field: number): number {
  return (words[field] ?? 0) + (words[field + 1] ?? 0) * WORD;
}

export function writeHeader(words: Uint32Array, field: number, value: number): void {
  words[field] = value % WORD;
  words[field + 1] = Math.floor(value / WORD);
}

/**
 * Bytes appended one after the other, in a buffer that grows. Pages of a fresh buffer cost no memory before they are
 * written, so a generous reserve is free and copies can be avoided altogether.
 */
export class ByteSink {
  bytes: Uint8Array;
  length = 0;
  readonly #allocate: (bytes: number) => ArrayBufferLike;

  constructor(reserve: number, allocate: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes)) {
    this.#allocate = allocate;
    this.bytes = new Uint8Array(allocate(reserve));
  }

  /** Makes room for `more` bytes. Call once before a run of `push`. */
  ensure(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    if (needed > BUFFER_MAX_BYTES) throw new RangeError(`Cannot hold more than ${BUFFER_MAX_BYTES} bytes in one table`);
    const grown = new Uint8Array(this.#allocate(Math.min(BUFFER_MAX_BYTES, Math.max(needed, this.bytes.length * 2))));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  push(value: number): void {
    this.bytes[this.length++] = value;
  }

  /** Little-endian, `width` bytes. */
  pushFixed(value: number, width: number): void {
    let rest = value;
    for (let index = 0; index < width; index++) {
      this.bytes[this.length++] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  }

  /** Seven bits per byte, low first; at most eight bytes for 53 bits. */
  pushVarint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  pushBytes(bytes: Uint8Array): void {
    this.ensure(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  pushAll(from: ByteSink): void {
    this.ensure(from.length);
    const { bytes, length } = from;
    for (let index = 0; index < length; index++) this.bytes[this.length + index] = byteAt(bytes, index);
    this.length += length;
  }
}

/** A cursor in the bytes that moves forward as values are read. */
export type Cursor = { at: number };

/** A little-endian number of up to 31 bits. */
export function readFixed(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let index = width - 1; index >= 0; index--) value = (value << 8) | byteAt(bytes, at + index);
  return value;
}

export function readVarint(bytes: Uint8Array, cursor: Cursor): number {
  let value = 0;
  let factor = 1;
  for (;;) {
    const each = byteAt(bytes, cursor.at++);
    if (each < 128) return value + each * factor;
    value += (each - 128) * factor;
    factor *= 128;
  }
}
