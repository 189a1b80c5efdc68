// The base of the resolver's table in one piece or several: which segment a name belongs to (trie-layout.ts explains
// why one is enough).
import { byteAt, type Segments } from "./trie-layout.ts";
import { TrieReader } from "./trie-reader.ts";

export class TrieBase {
  readonly readers: readonly TrieReader[];
  /** Names held, in every class. */
  readonly names: number;
  readonly bytes: number;
  readonly #first: TrieReader;
  /** From the last to the second: most tables have none. */
  readonly #later: readonly TrieReader[];

  /** @throws RangeError when the buffers hold no trie of this version, or not one table. */
  constructor(segments: Segments) {
    this.readers = segments.map((segment) => new TrieReader(segment));
    const [first, ...later] = this.readers;
    if (first === undefined) throw new RangeError("Not the buffer of a table: there is none");
    const isInOrder = this.readers.every(({ first: name }, index) =>
      index === 0 ? name === "" : name > (this.readers[index - 1]?.first ?? ""),
    );
    if (!isInOrder) throw new RangeError("The segments of the table do not belong together");
    this.#first = first;
    this.#later = later.toReversed();
    this.names = this.readers.reduce((sum, { names }) => sum + names, 0);
    this.bytes = this.readers.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Where the key, which is all of `text` from `from` on, would be, and every name above it. Allocates nothing. */
  of(text: string, from = 0): TrieReader {
    for (const reader of this.#later) if (!isBefore(text, from, reader.first)) return reader;
    return this.#first;
  }

  /** The same for a key in bytes of ASCII, which is all of `bytes` from `from` to `to`. */
  ofBytes(bytes: Uint8Array, from: number, to: number): TrieReader {
    for (const reader of this.#later) if (!areBefore(bytes, from, to, reader.first)) return reader;
    return this.#first;
  }
}

function areBefore(bytes: Uint8Array, from: number, to: number, other: string): boolean {
  for (let index = 0; index < other.length; index++) {
    if (from + index >= to) return true;
    const difference = byteAt(bytes, from + index) - other.charCodeAt(index);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** True where `text` from `from` on comes before the other in byte order. */
function isBefore(text: string, from: number, other: string): boolean {
  const length = text.length - from;
  for (let index = 0; index < other.length; index++) {
    if (index >= length) return true;
    const difference = text.charCodeAt(from + index) - other.charCodeAt(index);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
