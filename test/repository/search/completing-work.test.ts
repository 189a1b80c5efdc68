// What completion asks of the embedded index (R27j): bounded, whatever is typed, in an index of a million documents.
import { afterAll, beforeEach, expect, spyOn, test } from "bun:test";
import { bitmapFor } from "../../../db/search/bitmap.ts";
import { completingSlots } from "../../../db/search/completions.ts";
import { termsOf } from "../../../db/search/terms.ts";
import type { CompletionQuery, Condition } from "../../../src/repository/search/index/index-port.ts";
import { SMALL_SCHEMA } from "../../support/search-documents.ts";

/** Reading takes no time, unless a test says so: it is bounded by time as well. */
const clock = spyOn(performance, "now");
beforeEach(() => void clock.mockReturnValue(0));
afterAll(() => clock.mockRestore());

const DOCUMENTS = 1_000_000;
const begin: Condition = { kind: "prefix", field: "title", prefix: "t" };
const word = (token: string): Condition => ({ kind: "token", field: "title", token });
const both = (...of: readonly Condition[]): Condition => ({ kind: "and", of });

/** `isIn`: whether a slot matches the expression. Returns what was read. */
function completed(
  isIn: (slot: number, expression: string) => boolean,
  { words, begins = null, limit = 25 }: Partial<CompletionQuery>,
  texts = 1,
) {
  const read = { terms: 0, windows: 0, slots: 0, documents: 0 };
  const visible = bitmapFor(DOCUMENTS).fill(0xffff_ffff);
  const end = DOCUMENTS + 1;
  const title = Float64Array.from({ length: end }, (_, slot) => (slot % texts) + 1);
  const index = {
    columns: { end, sorts: [new Float64Array(end), title] },
    texts: {
      ranks: Float64Array.from({ length: texts + 1 }, (_, number) => number),
      numbersFrom: (_field: number, _from: string, _before: string, most: number) =>
        Array.from({ length: Math.min(most, texts) }, (_, at) => at + 1),
      rankOf: (_field: number, text: string) => (text.endsWith("g") ? texts + 1 : 1),
    },
    postings: {
      // Every beginning has a million words.
      firstTerms(prefix: string, most: number): readonly string[] {
        read.terms += most;
        return Array.from({ length: most }, (_, at) => `${prefix}${at}`);
      },
      newestAmong(expression: string, from: number, to: number, limit: number): readonly number[] {
        read.windows += 1;
        const slots: number[] = [];
        let slot = to;
        for (; slot >= from && slots.length < limit; slot -= 1) if (isIn(slot, expression)) slots.push(slot);
        read.slots += to - slot;
        read.documents += slots.length;
        return slots;
      },
    },
    schema: SMALL_SCHEMA,
    terms: termsOf(SMALL_SCHEMA),
  } as unknown as Parameters<typeof completingSlots>[0];
  const slots = completingSlots(index, { visible, words: words ?? begin, begins, limit });
  return { slots, read };
}

test("R27j one letter that a million titles have reads 128 words and the newest 4,096 documents", () => {
  const { slots, read } = completed(() => true, {});
  expect(slots).toEqual(Array.from({ length: 25 }, (_, at) => DOCUMENTS - at));
  expect(read).toEqual({ terms: 128, windows: 1, slots: 4_096, documents: 4_096 });
});

test("R27j a million titles that begin so are not walked: the newest are taken", () => {
  const begins = { sort: "title", text: "74" };
  for (const texts of [1, 3, 500]) {
    const { slots, read } = completed(() => true, { begins }, texts);
    expect([slots.length, Math.min(...slots) > DOCUMENTS - 200, read.windows]).toEqual([25, true, 1]);
  }
});

test("R27j windows grow: few documents of a million are found in three reads", () => {
  const old = [7, 77, 777];
  const { slots, read } = completed((slot) => old.includes(slot), {});
  expect([slots, read.windows, read.documents]).toEqual([[777, 77, 7], 3, 3]);
});

test("R27j reading that took long is not continued", () => {
  let now = 0;
  clock.mockImplementation(() => (now += 10));
  const { slots, read } = completed((slot) => slot === 7 || slot > DOCUMENTS - 3, {});
  expect([slots, read.windows]).toEqual([[DOCUMENTS, DOCUMENTS - 1, DOCUMENTS - 2], 1]);
});

test("R27j whole words that few documents have decide where the beginning is read, and none that it is not read", () => {
  const rare = [5_000, 5_010, 5_900];
  const few = completed((slot) => rare.includes(slot), { words: both(word("rare"), begin) });
  expect(few.slots).toEqual([5_900, 5_010, 5_000]);
  expect([few.read.windows, few.read.terms, few.read.documents]).toEqual([2, 128, 6]);
  const none = completed(() => false, { words: both(word("none"), begin) });
  expect([none.slots, none.read.terms, none.read.windows]).toEqual([[], 0, 1]);
});

test("R27j a common word and a beginning: the newest documents with both", () => {
  const { slots, read } = completed((slot) => slot % 3 === 0, { words: both(word("report"), begin) });
  expect([slots.length, slots.every((slot) => slot % 3 === 0)]).toEqual([25, true]);
  expect(read.slots).toBeLessThanOrEqual(2 * 4_097);
});

test("R27j words of very many older documents, and of few new ones: some of them are read", () => {
  const isOld = (slot: number) => slot < 900_000 || slot === DOCUMENTS - 1;
  const { slots, read } = completed(isOld, { words: both(word("report"), begin) });
  expect(slots).toEqual([DOCUMENTS - 1, ...Array.from({ length: 24 }, (_, at) => 899_999 - at)]);
  expect(read.documents).toBeLessThanOrEqual(65 + 1 + 4_096);
  const one = completed(isOld, { words: begin });
  expect([one.slots, one.read.documents]).toEqual([slots, 1 + 4_096]);
});
