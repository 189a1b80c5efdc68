// Lines of a stream of bytes whose lengths nobody has promised: one at a time, each as it ends, and never more kept than a line may have.
import { concatenated } from "./byte-streams.ts";

const NEW_LINE = 0x0a;

/** Without their ends; a last line without one counts too. Null: a line that had more than `most` bytes, of which nothing was kept. */
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
