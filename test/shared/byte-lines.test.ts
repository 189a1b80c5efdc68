// Lines of bytes (R30: standard input of the tool server): however they are cut into pieces, and never more kept than a
// line may have.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { byteLines } from "../../src/shared/bytes/byte-streams.ts";

async function linesOf(pieces: readonly Uint8Array[], most: number): Promise<(string | null)[]> {
  async function* stream() {
    yield* pieces;
  }
  const found: (string | null)[] = [];
  for await (const line of byteLines(stream(), most)) found.push(line === null ? null : new TextDecoder().decode(line));
  return found;
}

test("S3.7.125 R30: byteLines() gives the same lines however the bytes are cut, and null for one that is too long", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom("a", "\n"), maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      async (text, cut) => {
        const bytes = new TextEncoder().encode(text);
        const pieces = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, at) =>
          bytes.subarray(at * cut, (at + 1) * cut),
        );
        const whole = text.split("\n").map((line) => (line.length > 5 ? null : line));
        // Nothing after the last line end is not a line.
        expect(await linesOf(pieces, 5)).toEqual(text === "" || text.endsWith("\n") ? whole.slice(0, -1) : whole);
      },
    ),
  );
});
