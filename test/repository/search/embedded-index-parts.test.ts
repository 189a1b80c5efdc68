// What the embedded search index is made of (R9a, R28, R34): questions that pause, columns, ranks of texts, the line of
// long work.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { firstOf, mostOf } from "../../../db/search/answers.ts";
import { IndexFile } from "../../../db/search/building.ts";
import { Columns } from "../../../db/search/columns.ts";
import { rowMaking, rowsIn, rowsText } from "../../../db/search/document-row.ts";
import { workLine } from "../../../db/search/embedded-index.ts";
import { openWhole } from "../../../db/search/index-database.ts";
import { OpenedIndex } from "../../../db/search/opened-index.ts";
import { SPREAD_SLOTS } from "../../../db/search/scores.ts";
import { termsOf } from "../../../db/search/terms.ts";
import type { SearchDocument } from "../../../src/repository/search/document/document.ts";
import type { IndexQuery } from "../../../src/repository/search/index/index-port.ts";
import { inTurns } from "../../../src/shared/time/event-loop.ts";
import { answerOf } from "../../support/naive-index.ts";
import {
  arbitraryDocument,
  arbitraryDocuments,
  arbitraryQuery,
  arbitraryRankedQuery,
  indexDocument,
  SMALL_SCHEMA,
} from "../../support/search-documents.ts";

const POSITION = { epoch: "e1", horizon: "5" };
const INDEX_NEEDS = { schema: SMALL_SCHEMA, terms: termsOf(SMALL_SCHEMA), roomBytes: 1_000_000, thread: null };
const EVERYTHING: IndexQuery = {
  where: { kind: "and", of: [] },
  chosen: null,
  sort: [],
  after: null,
  offset: 0,
  limit: 1000,
  facets: [],
};

const folder = mkdtempSync(join(tmpdir(), "index-parts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function opened(documents: readonly SearchDocument[]): Promise<OpenedIndex> {
  files += 1;
  const path = join(folder, `${files}.sqlite`);
  const file = IndexFile.open(path, INDEX_NEEDS, POSITION);
  await file.add(documents.map(rowMaking(SMALL_SCHEMA, INDEX_NEEDS.terms)));
  await file.finish(POSITION);
  const connections = openWhole(path, SMALL_SCHEMA);
  if (connections === null) throw new Error("The file was not whole");
  return inTurns(OpenedIndex.load({ path, ...connections }, { ...INDEX_NEEDS, sample: SPREAD_SLOTS }));
}

test("R34 a question that pauses while changes are committed is answered as of its end", async () => {
  const changed = fc.array(
    fc.integer({ min: 1, max: 30 }).chain((id) => arbitraryDocument(id)),
    { maxLength: 3 },
  );
  let pauses = 0;
  await fc.assert(
    fc.asyncProperty(
      arbitraryDocuments(20),
      fc.array(
        fc.tuple(fc.oneof(arbitraryQuery, arbitraryRankedQuery), fc.array(changed, { minLength: 1, maxLength: 4 })),
        { maxLength: 6 },
      ),
      async (documents, rounds) => {
        const index = await opened(documents);
        let now = [...documents];
        for (const [query, changes] of rounds) {
          const work = index.query(query);
          let step = work.next();
          for (const change of changes) {
            if (step.done) break;
            pauses += 1;
            const ids = new Set(change.map(({ id }) => id));
            const fresh = [...new Map(change.map((one) => [one.id, { ...one, parentId: one.id + 1000 }])).values()];
            const parents = [...now.filter(({ id }) => ids.has(id)), ...fresh].map(({ parentId }) => parentId);
            await index.apply({ parents, documents: fresh, position: null });
            now = [...now.filter(({ parentId }) => !parents.includes(parentId)), ...fresh];
            step = work.next();
          }
          while (!step.done) step = work.next();
          expect(step.value).toEqual(answerOf(now, query));
        }
        await index.close();
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
  expect(pauses).toBeGreaterThan(20);
});

test("R34 a large change is seen whole or not at all, and others are answered while it is written", async () => {
  const documents = (word: string): SearchDocument[] =>
    Array.from({ length: 3_000 }, (_, at) =>
      indexDocument({
        id: at + 1,
        parentId: 1 + (at % 50),
        texts: { all: `${word} of many`, title: word },
        keys: { subject: [word] },
      }),
    );
  const index = await opened(documents("before"));
  const parents = Array.from({ length: 50 }, (_, at) => at + 1);
  let isDone = false;
  const applied = index.apply({ parents, documents: documents("behind"), position: null }).then(() => {
    isDone = true;
  });
  let [asked, before] = [0, 0];
  while (!isDone) {
    const facets = [{ field: "subject", size: 5 }];
    const answer = await inTurns(
      index.query({ ...EVERYTHING, where: { kind: "token", field: "all", token: "before" }, limit: 1, facets }),
    );
    asked += 1;
    if (answer.total === 3_000) before += 1;
    else expect(answer.total).toBe(0);
    expect(answer.facets[0]?.[0]?.count ?? 0).toBe(answer.total);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await applied;
  expect(before).toBeGreaterThan(2);
  expect(asked).toBeGreaterThan(2);
  const { total } = await inTurns(
    index.query({ ...EVERYTHING, where: { kind: "prefix", field: "title", prefix: "beh" } }),
  );
  expect(total).toBe(3_000);
  await index.close();
});

test("R34 a change that fails is rolled back whole, and the next one is written", async () => {
  const index = await opened([indexDocument({ id: 1, keys: { subject: ["old"] } })]);
  const fresh = indexDocument({ id: 2, keys: { subject: ["new"] }, sorts: { updated: 1, title: "ab" } });
  const wrong = indexDocument({ id: 3, numbers: { day: [Number.NaN] } });
  await expect(index.apply({ parents: [1, 2, 3], documents: [fresh, wrong], position: POSITION })).rejects.toThrow(
    "NaN",
  );
  const query = {
    ...EVERYTHING,
    sort: [{ field: "title", descending: true }],
    facets: [{ field: "subject", size: 9 }],
  };
  expect((await inTurns(index.query(query))).hits).toEqual([{ sort: [""], id: 1 }]);
  await index.apply({ parents: [2], documents: [fresh], position: null });
  expect(await inTurns(index.query(query))).toEqual({
    total: 2,
    hits: [
      { sort: ["ab"], id: 2 },
      { sort: [""], id: 1 },
    ],
    facets: [
      [
        { key: "new", label: "Label of new", count: 1 },
        { key: "old", label: "Label of old", count: 1 },
      ],
    ],
  });
  await index.close();
});

test("R28 a facet's value is shown under the label it was last given", async () => {
  const labelled = (id: number, label: string) => ({
    ...indexDocument({ id, keys: { subject: ["k"] } }),
    labels: { k: label },
  });
  const index = await opened([labelled(1, "Old"), labelled(2, "Old")]);
  const query = { ...EVERYTHING, facets: [{ field: "subject", size: 9 }] };
  expect((await inTurns(index.query(query))).facets).toEqual([[{ key: "k", label: "Old", count: 2 }]]);
  await index.apply({ parents: [1], documents: [labelled(1, "New")], position: null });
  expect((await inTurns(index.query(query))).facets).toEqual([[{ key: "k", label: "New", count: 2 }]]);
  await index.close();
});

test("R28 texts that always come between the same two are sorted right, however many", async () => {
  const hex = (number: number): string => number.toString(16).padStart(4, "0");
  const document = (id: number, title: string) => indexDocument({ id, sorts: { updated: 0, title } });
  const documents = [document(1, "00"), document(2, "8fff"), document(3, "ff")];
  const index = await opened(documents);
  for (let number = 0; number < 400; number += 1) {
    // Rising ones before one text, falling ones behind it: each is a neighbour of the one before.
    const title = number % 2 === 0 ? hex(0x1000 + number) : hex(0xf000 - number);
    const fresh = document(10 + number, title);
    documents.push(fresh);
    await index.apply({ parents: [fresh.parentId], documents: [fresh], position: null });
  }
  for (const after of [null, { sort: ["1100"], id: 0 }, { sort: ["f"], id: 5 }]) {
    const query = { ...EVERYTHING, after, sort: [{ field: "title", descending: false }] };
    expect(await inTurns(index.query(query))).toEqual(answerOf(documents, query));
  }
  await index.close();
});

test("R28 columns keep what documents have, however often they change", () => {
  const columns = new Columns(SMALL_SCHEMA);
  for (let key = 1; key < 40; key += 1) columns.addKey(key, 2, key);
  const now = new Map<number, number[]>();
  for (let round = 0; round < 60_000; round += 1) {
    const slot = 1 + ((round * 7919) % 500);
    const keys = Array.from({ length: round % 4 }, (_, at) => 1 + ((round + at * 11) % 38));
    now.set(slot, keys);
    columns.put([slot, slot, 0, 0, keys.length, ...keys, 0, 1, 2, 0], 0);
  }
  const subjects = columns.keys[2];
  for (const [slot, keys] of now) {
    const kept: number[] = [];
    subjects?.each(slot, (key) => kept.push(key));
    expect(kept).toEqual(keys);
  }
  expect(subjects?.pool.length).toBeLessThan(200_000);
  const uses = [...now.values()].flat().filter((key) => key === 5).length;
  expect(columns.uses[5]).toBe(uses);
  expect(columns.documents).toBe(now.size);
});

test("R28 the first of many are those a whole sort would put first", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 }),
      fc.integer({ min: 0, max: 80 }),
      (numbers, count) => {
        const rank = (number: number): number => (number * 7_919) % 5_003;
        const whole = [...numbers].sort((left, right) => rank(left) - rank(right)).slice(0, count);
        expect(firstOf(Int32Array.from(numbers), count, (left, right) => rank(left) < rank(right))).toEqual(whole);
      },
    ),
  );
});

test("R28 the keys of most documents are those that sorting all of them would put first", () => {
  // Beginnings that are alike as far as they are sorted as numbers, and others that are alike wholly.
  const arbitraryKey = fc.record({
    count: fc.oneof(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 250, max: 260 }),
      fc.integer({ min: 1, max: 1_000_000 }),
    ),
    beginning: fc.oneof(fc.constantFrom(0, 1, 2, 2 ** 21, 37 ** 10 - 1), fc.integer({ min: 0, max: 37 ** 10 - 1 })),
  });
  const several = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 500 }));
  fc.assert(
    fc.property(fc.array(arbitraryKey, { maxLength: 400, size: "max" }), several, (made, size) => {
      const counts = Int32Array.from([0, ...made.map(({ count }) => count)]);
      const beginnings = Float64Array.from([0, ...made.map(({ beginning }) => beginning)]);
      const orderOf = (left: number, right: number): number =>
        (counts[right] ?? 0) - (counts[left] ?? 0) ||
        (beginnings[left] ?? 0) - (beginnings[right] ?? 0) ||
        left - right;
      const keys = made.map((_, at) => at + 1);
      const isBefore = (left: number, right: number): boolean => orderOf(left, right) < 0;
      const found = mostOf(Int32Array.from(keys), size, { counts, beginnings, isBefore });
      expect(found).toEqual(keys.toSorted(orderOf).slice(0, size));
    }),
  );
});

test("R9a long work gives way between its parts, one after another; what would wait too long is refused and let go", async () => {
  const line = workLine();
  let [running, most, ended] = [0, 0, 0];
  function* long(parts: number): Generator<void, number> {
    try {
      for (let part = 0; part < parts; part += 1) {
        if (part === 1) running += 1;
        most = Math.max(most, running);
        const until = performance.now() + 11;
        while (performance.now() < until);
        yield;
      }
      running -= 1;
      return parts;
    } finally {
      ended += 1;
    }
  }
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 0);
  expect(await Promise.all([line.run(long(4)), line.run(long(5))])).toEqual([4, 5]);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(3);
  expect(most).toBe(1);
  function* waits(): Generator<void, void> {
    try {
      const until = performance.now() + 11;
      while (performance.now() < until);
      yield;
    } finally {
      ended += 1;
    }
  }
  ended = 0;
  const all = await Promise.allSettled(Array.from({ length: 203 }, () => line.run(waits())));
  expect(all.filter(({ status }) => status === "rejected")).toHaveLength(3);
  expect(ended).toBe(203);
});

test("R34 rows arrive from another thread as they were sent, whatever their words are, and never without terms", () => {
  const makeRow = rowMaking(SMALL_SCHEMA, termsOf(SMALL_SCHEMA));
  fc.assert(
    fc.property(arbitraryDocuments(5), fc.string({ unit: "binary", maxLength: 20 }), (documents, text) => {
      const [field = ""] = SMALL_SCHEMA.texts;
      const hostile = indexDocument({ id: 99, texts: { [field]: `a\0b \n${text.toWellFormed()}` } });
      const rows = [...documents, hostile].map(makeRow);
      expect(rowsIn(rowsText(rows))).toEqual(rows);
    }),
  );
  expect(rowsIn("[]")).toEqual([]);
  expect(() => rowsIn(rowsText([makeRow(indexDocument({ id: 1 }))]).replace("\0", " "))).toThrow();
});
