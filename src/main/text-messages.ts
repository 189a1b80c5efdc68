// Messages between the server and the process that reads files (R35): orders are frames on its standard input, answers
// are lines on its standard output.
import type { TextOrder, TextOutcome } from "../repository/store/text-reading.ts";

/** The word that makes this program a reader of files; for itself alone. */
export const READ_TEXTS = "read-texts";

export type WatchLimits = { readonly memoryBytes: number; readonly ms: number };
/** Why it was ended. */
export type ChildEnd = { readonly died: "memory" | "time" };
/** The first line of all. */
type ChildReady = { readonly ready: true };
export const READY: ChildReady = { ready: true };
export type ReaderMessage = ChildReady | { readonly outcome: TextOutcome };
export type ChildLine = ChildEnd | ReaderMessage;

/** What the thread is sent. */
export type ThreadOrder = { readonly order: TextOrder; readonly buffer: ArrayBuffer };

const LENGTH_BYTES = 4;

/** A frame begins with how long the order is, and the order; then come the bytes of the file. */
export function frameHead(order: TextOrder): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(order));
  const head = new Uint8Array(LENGTH_BYTES + text.length);
  new DataView(head.buffer).setUint32(0, text.length);
  head.set(text, LENGTH_BYTES);
  return head;
}

/** The orders of a stream, each with its bytes. Ends with the stream, also in the middle of an order. */
export async function* ordersIn(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly order: TextOrder; readonly bytes: Uint8Array }> {
  const pieces = input[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  /** Exactly `length` bytes; null where the stream ends before. */
  async function take(length: number): Promise<Uint8Array | null> {
    const taken = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      if (rest.length === 0) {
        const { done, value } = await pieces.next();
        if (done === true) return null;
        rest = value;
      }
      const some = rest.subarray(0, length - at);
      taken.set(some, at);
      rest = rest.subarray(some.length);
      at += some.length;
    }
    return taken;
  }
  for (;;) {
    const head = await take(LENGTH_BYTES);
    const text = head === null ? null : await take(new DataView(head.buffer).getUint32(0));
    if (text === null) return;
    // Only the server writes here.
    const order = JSON.parse(new TextDecoder().decode(text)) as TextOrder;
    const bytes = await take(order.sizeBytes);
    if (bytes === null) return;
    yield { order, bytes };
  }
}
