// Bytes that come in pieces: put together (what has a cap, never payload), and given to a client piece by piece.
import { createHash } from "node:crypto";

import { yieldIfBusy } from "../time/event-loop.ts";

/** All pieces together, or as many as make up `enoughBytes`. */
export async function joined(
  pieces: AsyncIterable<Uint8Array>,
  enoughBytes: number = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length >= enoughBytes) break;
  }
  return concatenated(parts);
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * The bytes that an answer or a file has, all of them; null when they are more than `mostBytes`, of which no more is
 * read then.
 */
export async function joinedUpTo(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = await joined(pieces, mostBytes + 1);
  return bytes.length > mostBytes ? null : bytes;
}

/** These pieces as if they came from somewhere: one, or none. */
export async function* streamOf(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** Pulls one piece at a time, on demand; reading ends when the client disconnects. */
export function byteStream(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return pulled(pieces[Symbol.asyncIterator](), null, (piece) => piece);
}

/**
 * Text as bytes, a piece at a time as the client takes them. The first is made at once, so that a database that is away
 * is an error with a status, not a broken stream.
 */
export async function textStream(pieces: AsyncIterable<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  return pulled(iterator, await iterator.next(), (text) => encoder.encode(text));
}

function pulled<Piece>(
  pieces: AsyncIterator<Piece>,
  first: IteratorResult<Piece> | null,
  bytesOf: (piece: Piece) => Uint8Array,
): ReadableStream<Uint8Array> {
  let next = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const busy = yieldIfBusy();
        if (busy !== null) await busy;
        const { done, value } = next ?? (await pieces.next());
        next = null;
        if (done === true) controller.close();
        else controller.enqueue(bytesOf(value));
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

const NEW_LINE = 0x0a;

/**
 * Lines, whose lengths nobody has promised, without their ends; a last line without one counts too. Null: a line that
 * had more than `most` bytes, of which nothing was kept.
 */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array | null> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const keep = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > most) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const end = (): Uint8Array | null => {
    const line = length > most ? null : concatenated(pieces);
    [pieces, length] = [[], 0];
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, start)) {
      keep(chunk.subarray(start, at));
      yield end();
      start = at + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield end();
}

// An endless list, read in batches.

/** Keys of files in one query. */
export const KEYS_AT_ONCE = 500;

export async function* batches<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const each of all) {
    batch.push(each);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

// Bytes that can be read anywhere: a file, an object in a store, a buffer. What a ZIP reader needs and nothing more
// (R13).

/** Random access to bytes whose number is known and does not change while they are read. */
export type ByteSource = {
  /** How many bytes there are. */
  readonly size: number;
  /**
   * The bytes from `offset` on: `length` of them, or fewer where the source ends. The array belongs to the caller.
   * `into`: memory that may be used for them where it is long enough; then the array is a view of it.
   * The caller keeps `offset` and `length` within the source and `length` small enough for memory.
   */
  read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
};

/** The same pieces; at their end `refuse` is called where they are not what the hash was made from. */
export async function* heldToDigest(
  pieces: AsyncIterable<Uint8Array>,
  sha256: string,
  refuse: () => never,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest("hex") !== sha256) refuse();
}
