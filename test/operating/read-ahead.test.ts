// Reading ahead: the same items in the same order, no more of them at once than asked for, and what goes wrong where it stood.
import { expect, test } from "bun:test";
import { readAhead } from "../../src/operating/read-ahead.ts";

async function* counted(upTo: number, told: (at: number) => void): AsyncGenerator<number> {
  try {
    for (let at = 0; at < upTo; at++) {
      told(at);
      await Promise.resolve();
      yield at;
    }
  } finally {
    told(-1);
  }
}

test("A15 readAhead() gives every item in order, and reads as many ahead as it may", async () => {
  let read = 0;
  const taken: number[] = [];
  for await (const item of readAhead(
    counted(20, (at) => (read = at)),
    4,
  )) {
    taken.push(item);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(read === -1 || read <= item + 4).toBe(true);
    if (item === 3) expect(read).toBe(7);
  }
  expect(taken).toEqual(Array.from({ length: 20 }, (_, at) => at));
});

test("readAhead() ends its source when nobody takes the rest", async () => {
  const told: number[] = [];
  for await (const item of readAhead(
    counted(1000, (at) => told.push(at)),
    2,
  ))
    if (item === 1) break;
  expect(told.at(-1)).toBe(-1);
  expect(told.length).toBeLessThan(8);
});

test("readAhead() throws what its source throws behind the items before it", async () => {
  async function* failing(): AsyncGenerator<number> {
    yield 1;
    yield 2;
    throw new RangeError("cannot be read");
  }
  const taken: number[] = [];
  const all = (async () => {
    for await (const item of readAhead(failing(), 9)) {
      taken.push(item);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await expect(all).rejects.toThrow("cannot be read");
  expect(taken).toEqual([1, 2]);
});
