// Bytes piece by piece: nothing is made before it is asked for, and nothing more when the client disconnects.
import { describe, expect, test } from "bun:test";
import { byteStream, joined, joinedUpTo, streamOf, textStream } from "../../src/shared/bytes/byte-streams.ts";
import { inTime } from "../../src/shared/time/event-loop.ts";

/** Counts what was made, and records when it was left. */
function counted(pieces: number) {
  const seen = { made: 0, left: false };
  async function* texts(): AsyncGenerator<string> {
    try {
      for (; seen.made < pieces; ) {
        seen.made += 1;
        yield `${seen.made};`;
      }
    } finally {
      seen.left = true;
    }
  }
  return { seen, texts };
}

describe("streams", () => {
  test("text comes whole, its first piece made at once and each other when it is asked for", async () => {
    const { seen, texts } = counted(3);
    const stream = await textStream(texts());
    expect(seen.made).toBe(1);
    expect(await new Response(stream).text()).toBe("1;2;3;");
  });

  test("a client that disconnects ends the making", async () => {
    const { seen, texts } = counted(100);
    const reader = (await textStream(texts())).getReader();
    await reader.read();
    await reader.cancel();
    expect(seen.left).toBe(true);
    expect(seen.made).toBeLessThan(4);
  });

  test("what fails before the first piece is an error, not a broken stream", async () => {
    const failing: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("away")) }),
    };
    await expect(textStream(failing)).rejects.toThrow("away");
  });

  test("bytes are put together, up to a limit", async () => {
    const bytes = (): AsyncGenerator<Uint8Array> => streamOf(new Uint8Array([1, 2]), new Uint8Array([3]));
    expect([...(await joined(bytes()))]).toEqual([1, 2, 3]);
    expect([...((await joinedUpTo(bytes(), 3)) ?? [])]).toEqual([1, 2, 3]);
    expect(await joinedUpTo(bytes(), 2)).toBeNull();
    expect((await new Response(byteStream(streamOf())).arrayBuffer()).byteLength).toBe(0);
  });
});

describe("inTime()", () => {
  const never = new Promise<string>(() => {});

  test("gives what is done in time, else what the late function returns or throws", async () => {
    expect(await inTime(Promise.resolve("done"), 1_000, () => "late")).toBe("done");
    expect(await inTime(never, 1, () => "late")).toBe("late");
    const refuse = (): never => {
      throw new RangeError("too slow");
    };
    await expect(inTime(never, 1, refuse)).rejects.toThrow("too slow");
    await expect(inTime(Promise.reject(new Error("broke")), 1_000, refuse)).rejects.toThrow("broke");
  });
});
