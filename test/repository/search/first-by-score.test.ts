// The first documents by score without scoring all of them (R27, R28): what is left out changes no page, and sets of
// slots, as lists and as bits, hold what they should.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { addSlot, bitmapFor } from "../../../db/search/bitmap.ts";
import { Columns } from "../../../db/search/columns.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { questionRooms } from "../../../db/search/question-room.ts";
import { firstByScore, type RankingPlan, rangesOf, scoringRoom } from "../../../db/search/scores.ts";
import {
  bitsOf,
  countAnyIn,
  filtered,
  isIn,
  listOf,
  type SlotSet,
  shared,
  united,
  withoutSlot,
  withSlot,
} from "../../../db/search/slot-set.ts";
import type { SearchDocument } from "../../../src/repository/search/document/document.ts";
import {
  type Condition,
  type IndexQuery,
  type RankedWord,
  SCORE,
} from "../../../src/repository/search/index/index-port.ts";
import { runWithoutYielding } from "../../../src/shared/time/event-loop.ts";
import { answerOf } from "../../support/naive-index.ts";
import { numbersFrom } from "../../support/random-from.ts";
import { indexDocument, SMALL_SCHEMA } from "../../support/search-documents.ts";

const folder = mkdtempSync(join(tmpdir(), "first-by-score-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const random = numbersFrom(24);
const below = (count: number): number => Math.floor(random() * count);
const WORDS = Array.from({ length: 40 }, (_, at) => `w${at}`);
/** The first words are in half of all documents, the last ones in one or none. */
const anyWord = (): string => WORDS[Math.floor(WORDS.length ** random()) - 1] ?? "w0";
const words = (most: number): string[] => Array.from({ length: 1 + below(most) }, anyWord);

function someDocument(id: number): SearchDocument {
  const [title, more, files] = [words(3), words(9), words(2)];
  return indexDocument({
    id,
    texts: {
      all: [...title, ...more].join(" "),
      title: title.join(" "),
      ...(id % 3 === 0 ? { files: files.join(" ") } : {}),
    },
    keys: { visibility: [id % 7 === 0 ? "owner7" : "public"], subject: [`s${id % 4}`] },
    numbers: { day: [id % 30] },
    sorts: { updated: below(5), title: "" },
  });
}

const token = (field: string, word: string): Condition => ({ kind: "token", field, token: word });
const SHORTER = { by: "updated", mean: 3, share: 0.5 };
const PUBLIC: Condition = { kind: "key", field: "visibility", anyOf: ["public", "owner8"] };

const rankedWord = (word: string): RankedWord => ({
  places: [
    { of: token("all", word), weight: 1, shorter: SHORTER, isTitle: false },
    { of: token("title", word), weight: 2, shorter: SHORTER, isTitle: true },
    { of: token("files", word), weight: 0.4, shorter: null, isTitle: false },
    {
      of: { kind: "and", of: [token("files", anyWord()), { kind: "not", of: token("all", word) }] },
      ...{ weight: 0.6, shorter: null, isTitle: false },
    },
  ],
  share: 1 + below(2),
  isCounted: random() < 0.8,
});

function someQuery(): IndexQuery {
  const asked = words(4);
  const inAnyField = asked.map((word): Condition => ({ kind: "or", of: [token("all", word), token("files", word)] }));
  const text: Condition = { kind: random() < 0.5 ? "and" : "or", of: inAnyField };
  const range: Condition = { kind: "range", field: "day", from: 3, to: below(30) };
  return {
    where: { kind: "and", of: [PUBLIC, ...(random() < 0.9 ? [text] : []), ...(random() < 0.2 ? [range] : [])] },
    chosen: random() < 0.8 ? null : { kind: "key", field: "subject", anyOf: ["s1", "s2"] },
    sort: [
      { field: SCORE, descending: random() < 0.95 },
      { field: "updated", descending: true },
    ],
    ranking: { words: asked.map(rankedWord), among: PUBLIC, weights: null },
    after: null,
    offset: below(3) * 4,
    limit: 1 + below(10),
    facets: [{ field: "subject", size: 3 }],
  };
}

test("R27 R28 pages by score, before and after cursors and changes, are those of plain arrays", async () => {
  let documents = Array.from({ length: 500 }, (_, at) => someDocument(at + 1));
  const index = await openEmbeddedIndex({ folder: join(folder, "search"), hold: holdLock })(SMALL_SCHEMA);
  const building = await index.build();
  await building.add(documents);
  await building.finish({ epoch: "e1", horizon: "1" });
  let behind = 0;
  for (let round = 0; round < 700; round += 1) {
    const query = someQuery();
    const right = answerOf(documents, query);
    expect(await index.query(query)).toEqual(right);
    const after = right.hits.at(-1);
    if (after !== undefined && query.ranking !== undefined && round % 2 === 0) {
      behind += 1;
      const next = { ...query, after, ranking: { ...query.ranking, weights: right.weights ?? null } };
      expect(await index.query(next)).toEqual(answerOf(documents, next));
    }
    if (round % 10 !== 0) continue;
    const fresh = someDocument(1 + below(600));
    documents = [...documents.filter(({ id }) => id !== fresh.id), ...(round % 20 === 0 ? [fresh] : [])];
    await index.apply({ parents: [fresh.parentId], documents: round % 20 === 0 ? [fresh] : [], position: null });
  }
  expect(behind).toBeGreaterThan(150);
  await index.close();
});

test("R27g common words are counted among some documents where that is enough, rare ones among all that the caller may see", async () => {
  const documents = Array.from({ length: 500 }, (_, at) => someDocument(at + 1));
  const sample = { slots: 128, ranges: 4, documents: 20 };
  const index = await openEmbeddedIndex({ folder: join(folder, "rough"), hold: holdLock, sample })(SMALL_SCHEMA);
  const building = await index.build();
  await building.add(documents);
  await building.finish({ epoch: "e1", horizon: "1" });
  // Slots begin with 1.
  const ranges = rangesOf(sample, documents.length + 1) ?? [];
  const some = documents.filter((_, at) => ranges.some(([from, to]) => from <= at + 1 && at + 1 < to));
  expect([ranges.length, some.length]).toEqual([4, sample.slots - 1]);
  const page = { chosen: null, sort: [], after: null, offset: 0, limit: 0, facets: [] };
  let [common, rare] = [0, 0];
  for (let round = 0; round < 200; round += 1) {
    const asked = words(4).map(rankedWord);
    const ranking = { words: asked, among: PUBLIC, weights: null, isRough: true };
    const query: IndexQuery = { ...page, where: PUBLIC, ranking };
    const expected = asked.map(({ places }, at) => {
      const where: Condition = { kind: "and", of: [PUBLIC, { kind: "or", of: places.map(({ of }) => of) }] };
      const isCommon = answerOf(some, { ...page, where }).total >= sample.documents;
      if (isCommon) common += 1;
      else rare += 1;
      return answerOf(isCommon ? some : documents, query).weights?.[at];
    });
    const { weights, total } = await index.query(query);
    expect(weights).toEqual(expected as number[]);
    expect(total).toBe(answerOf(documents, query).total);
    // Nothing that was read in part is taken for the whole afterwards.
    if (round % 5 === 0) {
      const exact = someQuery();
      expect(await index.query(exact)).toEqual(answerOf(documents, exact));
    }
  }
  expect(Math.min(common, rare)).toBeGreaterThan(50);
  await index.close();
});

/** A set of every so many of the slots. */
function every(step: number, slots: number): SlotSet {
  const bits = bitmapFor(slots);
  for (let slot = step; slot < slots; slot += step) addSlot(bits, slot);
  return bits;
}

test("R27 documents that cannot be among the first are not scored, and are where a page reaches them", () => {
  const slots = 64_000;
  const columns = new Columns(SMALL_SCHEMA);
  columns.reserve(slots);
  columns.end = slots;
  columns.least.fill(0);
  const place = (set: SlotSet) => ({ kind: "posting", posting: { slots: set, matches: () => true } }) as const;
  const inTitle = [every(300, slots), every(200, slots)];
  const ranking: RankingPlan = {
    among: { kind: "all" },
    words: inTitle.map((set, at) => ({ word: rankedWord(`w${at}`), places: [place(every(1, slots)), place(set)] })),
    weights: [2, 1],
  };
  const page = { sort: [{ field: SCORE, descending: true }], after: null, offset: 0, limit: 10 };
  const index = { columns, schema: SMALL_SCHEMA, room: scoringRoom(), sets: questionRooms(columns)() };
  const first = runWithoutYielding(firstByScore(index, ranking, every(1, slots), page));
  expect(first.scored).toBeLessThan(600);
  expect([...first.slots].every((slot) => slot % 600 === 0)).toBe(true);
  const deep = runWithoutYielding(firstByScore(index, ranking, every(1, slots), { ...page, offset: 5_000 }));
  expect(deep.scored).toBe(slots - 1);
});

test("R28 sets of slots hold the same as lists and as bits", () => {
  const some = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 60 });
  const room = { end: 6_400, capacity: 6_500 };
  const beginRoom = questionRooms(room);
  const sorted = (slots: Iterable<number>) => [...slots].sort((one, other) => one - other);
  fc.assert(
    fc.property(some, some, some, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), (one, two, seen, asBits) => {
      const setAt = (slots: readonly number[], at: number): SlotSet => {
        const list = Int32Array.from(slots).sort();
        return asBits[at] === true ? bitsOf(list, 401 + 100 * at) : list;
      };
      const { copyOf, end } = beginRoom();
      const [a, b, c] = [setAt(one, 0), setAt(two, 1), setAt(seen, 2)];
      const [left, right, among] = [new Set(one), new Set(two), new Set(seen)];
      expect([...listOf(united([a, b], room.end, copyOf))]).toEqual(sorted(left.union(right)));
      expect([...listOf(shared(a, b, copyOf))]).toEqual(sorted(left.intersection(right)));
      expect([...filtered(listOf(a), b, false)]).toEqual(sorted(left.difference(right)));
      expect([isIn(a, 7), isIn(a, 999), isIn(a, one[0] ?? 0)]).toEqual([left.has(7), false, one.length > 0]);
      expect(countAnyIn([a, b], c)).toBe(left.union(right).intersection(among).size);
      expect([...withSlot(listOf(a), 7)]).toEqual(sorted(left.union(new Set([7]))));
      expect([...withoutSlot(listOf(a), one[0] ?? 9)]).toEqual(sorted(one.slice(1)));
      // Nothing that was given has changed.
      expect([...listOf(a), ...listOf(b)]).toEqual([...sorted(one), ...sorted(two)]);
      end();
    }),
    { numRuns: 300 },
  );
});

test("R27g slots for rough counts are spread over all of them, and are none where all are few", () => {
  const sample = { slots: 4_096, ranges: 4, documents: 8 };
  expect(rangesOf(sample, 8_192)).toBeNull();
  for (const end of [8_193, 100_000, 1_000_001]) {
    const ranges = rangesOf(sample, end) ?? [];
    expect(ranges.map(([from, to]) => [from % 32, to - from])).toEqual(Array(4).fill([0, 1_024]));
    expect(ranges.every(([from], at) => at === 0 || from >= (ranges[at - 1]?.[1] ?? 0))).toBe(true);
    expect([ranges[0]?.[0], end - (ranges.at(-1)?.[1] ?? 0) < 32]).toEqual([0, true]);
  }
});
