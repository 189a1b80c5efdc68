// Bytes that come in pieces, put together. For what has a cap; never for payload.

/** All pieces together, or as many as make up `enoughBytes`. */
export async function joined(
  pieces: AsyncIterable<Uint8Array>,
  enoughBytes: number = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length >= enoughBytes) break;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
