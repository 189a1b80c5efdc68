// What every engine of the search index promises (R27, R28, R34), as one suite: the same answers as the oracle of plain
// arrays, whole writes, a building that nobody sees before it is finished. `make` gives its own place to each test, in
// which an index can be opened again and again.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SearchDocument } from "../../../src/repository/search/document/document.ts";
import {
  type Condition,
  type IndexQuery,
  IndexUnavailable,
  type OpenIndex,
  type Place,
  type SearchIndex,
} from "../../../src/repository/search/index/index-port.ts";
import { answerOf, completionOf } from "../../support/naive-index.ts";
import { arbitraryDocuments, arbitraryQuery, indexDocument, SMALL_SCHEMA } from "../../support/search-documents.ts";

export type EnginePlace = { readonly open: OpenIndex; readonly dispose: () => Promise<void> };

const POSITION = { epoch: "e1", horizon: "5" };
const LATER = { epoch: "e1", horizon: "9" };
const ALL: Condition = { kind: "and", of: [] };
const EVERYTHING: IndexQuery = { where: ALL, chosen: null, sort: [], after: null, offset: 0, limit: 1000, facets: [] };

const token = (field: string, one: string): Condition => ({ kind: "token", field, token: one });
const ids = ({ hits }: { readonly hits: readonly Place[] }): number[] => hits.map(({ id }) => id);

/** As many documents as given, numbered from 1. */
const numbered = (count: number, fieldsOf: (number: number) => Omit<Parameters<typeof indexDocument>[0], "id">) =>
  Array.from({ length: count }, (_, number) => indexDocument({ id: number + 1, ...fieldsOf(number) }));

/** Each question is answered as by the oracle. */
async function expectAnswers(index: SearchIndex, documents: readonly SearchDocument[], queries: readonly IndexQuery[]) {
  for (const query of queries) expect(await index.query(query)).toEqual(answerOf(documents, query));
}

async function built(index: SearchIndex, documents: readonly SearchDocument[]): Promise<void> {
  const building = await index.build();
  // Parents stay together, and come in several portions.
  const parents = [...new Set(documents.map(({ parentId }) => parentId))];
  for (let at = 0; at < parents.length; at += 7) {
    const portion = new Set(parents.slice(at, at + 7));
    await building.add(documents.filter(({ parentId }) => portion.has(parentId)));
  }
  await building.finish(POSITION);
}

export function indexContract(engine: string, make: () => Promise<EnginePlace>, runs = 25): void {
  /** Runs a test with an index of a fresh place, which is closed afterwards. */
  async function at(run: (place: EnginePlace, index: SearchIndex) => Promise<void>, schema = SMALL_SCHEMA) {
    const place = await make();
    const index = await place.open(schema);
    try {
      await run(place, index);
    } finally {
      await index.close();
      await place.dispose();
    }
  }

  describe(`${engine} keeps what the port of the search index promises`, () => {
    test("R34: any question about any documents is answered as by the oracle", () =>
      at(async (_place, index) => {
        await fc.assert(
          fc.asyncProperty(
            arbitraryDocuments(40),
            fc.array(arbitraryQuery, { minLength: 6, maxLength: 6 }),
            async (documents, queries) => {
              await built(index, documents);
              await expectAnswers(index, documents, queries);
            },
          ),
          { numRuns: runs },
        );
      }));

    test("R34: after any replacements of parents the answers are those of what is left", () =>
      at(async (_place, index) => {
        await fc.assert(
          fc.asyncProperty(
            arbitraryDocuments(20),
            fc.array(
              fc.tuple(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }), arbitraryDocuments(4)),
              {
                maxLength: 4,
              },
            ),
            arbitraryQuery,
            async (first, batches, query) => {
              await built(index, first);
              let now: readonly SearchDocument[] = first;
              for (const [extra, made] of batches) {
                const taken = new Set(now.map(({ id }) => id));
                const parents = [...new Set([...extra, ...made.map(({ parentId }) => parentId)])];
                const left = now.filter(({ parentId }) => !parents.includes(parentId));
                // A number is one item's for ever: it does not move to another parent.
                const fresh = made.filter(
                  ({ id, parentId }) => !taken.has(id) || now.some((one) => one.id === id && one.parentId === parentId),
                );
                await index.apply({ parents, documents: fresh, position: null });
                now = [...left, ...fresh];
              }
              expect(await index.query(query)).toEqual(answerOf(now, query));
              expect(await index.query(EVERYTHING)).toEqual(answerOf(now, EVERYTHING));
            },
          ),
          { numRuns: runs },
        );
      }));

    test("R34: what was built, its position and its replacements are there when it is opened again", () =>
      at(async (place, index) => {
        expect(await index.position()).toBeNull();
        await expect(index.query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
        await built(index, [
          indexDocument({ id: 1, parentId: 1 }),
          indexDocument({ id: 2, parentId: 1 }),
          indexDocument({ id: 3 }),
        ]);
        await index.apply({ parents: [1], documents: [indexDocument({ id: 4, parentId: 1 })], position: LATER });
        await index.apply({ parents: [3], documents: [], position: null });
        await index.close();
        const again = await place.open(SMALL_SCHEMA);
        expect(await again.position()).toEqual(LATER);
        expect(ids(await again.query(EVERYTHING))).toEqual([4]);
        expect(await again.status()).toMatchObject({ engine: again.engine, documents: 1, position: LATER });
        await again.close();
      }));

    test("R34: what another schema left is neither asked nor kept as a position", () =>
      at(async (place, index) => {
        await built(index, [indexDocument({ id: 1 })]);
        await index.close();
        const other = await place.open({ ...SMALL_SCHEMA, version: SMALL_SCHEMA.version + 1 });
        expect(await other.position()).toBeNull();
        await expect(other.query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
        await built(other, [indexDocument({ id: 2 })]);
        expect(ids(await other.query(EVERYTHING))).toEqual([2]);
        await other.close();
      }));

    test("R34: the old index answers until a new one is finished, and when it is abandoned or left behind", () =>
      at(async (place, index) => {
        await built(index, [indexDocument({ id: 1 })]);
        const abandoned = await index.build();
        await abandoned.add([indexDocument({ id: 2 })]);
        expect(ids(await index.query(EVERYTHING))).toEqual([1]);
        await abandoned.abandon();
        expect(ids(await index.query(EVERYTHING))).toEqual([1]);
        const left = await index.build();
        await left.add([indexDocument({ id: 3 })]);
        await index.close();
        const again = await place.open(SMALL_SCHEMA);
        expect(ids(await again.query(EVERYTHING))).toEqual([1]);
        expect(await again.position()).toEqual(POSITION);
        await built(again, [indexDocument({ id: 4 })]);
        expect(ids(await again.query(EVERYTHING))).toEqual([4]);
        await again.close();
      }));

    test("R27: words of a field are listed in their order, from where a list ended, or an engine reports that it cannot", () =>
      at(async (_place, index) => {
        await built(index, [
          indexDocument({ id: 1, texts: { all: "wo word abc", title: "word other" } }),
          indexDocument({ id: 2, texts: { all: "wo 図書 wob" } }),
        ]);
        const list = (prefix: string, after: string, limit: number) => index.wordsOf("all", prefix, after, limit);
        if ((await list("", "", 10)) === null) return expect(index.engine).toBe("typesense");
        expect(await list("wo", "", 10)).toEqual(["wo", "wob", "word"]);
        expect(await list("wo", "", 2)).toEqual(["wo", "wob"]);
        expect(await list("wo", "wob", 2)).toEqual(["word"]);
        expect(await list("", "", 10)).toEqual(["abc", "wo", "wob", "word", "図書"]);
        expect(await list("missing", "", 10)).toEqual([]);
      }));

    test("R27j: what is typed is completed by all documents that have it, or by as many as there is room for", () =>
      at(async (_place, index) => {
        const titles = "tide tides tidal winds wind of sea 図書 書館 館の ab b".split(" ");
        const hex = (text: string): string => Buffer.from(text).toString("hex");
        const documents = numbered(120, (number) => {
          const words = [1, 5, 7].map((step) => titles[(number * step + (number >> 3)) % titles.length] ?? "");
          return {
            texts: { title: words.join(" "), all: words.slice(0, 1).join(" ") },
            keys: {
              visibility: number % 3 === 0 ? ["group1"] : ["open"],
              subject: [`s${number % 10}`, `t${number % 4}`],
            },
            sorts: { updated: number, title: hex(words.join(" ")) },
          };
        });
        await built(index, documents);
        await index.apply({ parents: [5], documents: [], position: null });
        const now = documents.filter(({ parentId }) => parentId !== 5);
        const prefix = (field: string, begin: string): Condition => ({ kind: "prefix", field, prefix: begin });
        const seen: Condition = { kind: "key", field: "visibility", anyOf: ["open"] };
        const facet = { field: "subject", size: 100 };
        const asked: readonly (readonly [Condition, string])[] = [
          [prefix("title", "ti"), "ti"],
          [prefix("title", "t"), "t"],
          [{ kind: "and", of: [token("title", "of"), prefix("title", "s")] }, "of s"],
          [{ kind: "or", of: [token("title", "図書"), token("title", "館の")] }, "図書"],
          [{ kind: "and", of: [token("title", "sea"), { kind: "or", of: [] }] }, "sea"],
          [{ kind: "and", of: [token("title", "sea"), token("title", "missing")] }, "sea missing"],
          [prefix("title", "zz"), "zz"],
          [prefix("all", "wind"), "none"],
        ];
        for (const where of [ALL, seen]) {
          for (const [words, begin] of asked) {
            const begins = { sort: "title", text: hex(begin) };
            const whole = completionOf(now, { where, words, begins, limit: 1_000, facet });
            const answer = await index.complete({ where, words, begins, limit: 1_000, facet });
            expect([...answer.ids].sort()).toEqual([...whole.ids].sort());
            expect([...answer.labels].sort()).toEqual([...whole.labels].sort());
            const few = await index.complete({ where, words, begins, limit: 5, facet: null });
            expect(few.ids.length).toBe(Math.min(5, whole.ids.length));
            expect(new Set(few.ids).isSubsetOf(new Set(whole.ids))).toBe(true);
            expect(few.labels).toEqual([]);
            if (index.engine === "typesense") continue;
            const first = completionOf(now, { where, words, begins, limit: 5, facet: null });
            const beginning = first.ids.filter((id) =>
              now
                .find((each) => each.id === id)
                ?.sorts.title?.toString()
                .startsWith(begins.text),
            );
            expect(few.ids.slice(0, beginning.length)).toEqual(beginning);
          }
        }
      }));

    test("R34: an index of nothing is an index", () =>
      at(async (_place, index) => {
        await built(index, []);
        expect(await index.query({ ...EVERYTHING, facets: [{ field: "subject", size: 5 }] })).toEqual({
          total: 0,
          hits: [],
          facets: [[]],
        });
        expect(await index.position()).toEqual(POSITION);
        expect(await index.keysOf("visibility", "", 10)).toEqual([]);
        expect(await index.digests(0, 10)).toEqual([]);
      }));

    test("R34: keys of a field by their beginning follow every write", () =>
      at(async (_place, index) => {
        const seen = (id: number, ...visibility: string[]) => indexDocument({ id, keys: { visibility } });
        await built(index, [seen(1, "group1", "owner7"), seen(2, "group2"), seen(3, "owner7")]);
        expect([...(await index.keysOf("visibility", "group", 10))].sort()).toEqual(["group1", "group2"]);
        expect([...(await index.keysOf("visibility", "", 10))].sort()).toEqual(["group1", "group2", "owner7"]);
        expect((await index.keysOf("visibility", "", 2)).length).toBe(2);
        await index.apply({ parents: [2, 4], documents: [seen(4, "group3")], position: null });
        expect([...(await index.keysOf("visibility", "group", 10))].sort()).toEqual(["group1", "group3"]);
        expect(await index.keysOf("fileclasses", "", 10)).toEqual([]);
      }));

    test("R34: digests are returned by number, so that every document can be compared", () =>
      at(async (_place, index) => {
        const documents = numbered(30, (place) => ({ parentId: 100 + (place >> 1) }));
        await built(index, documents);
        const expected = documents.map(({ id, parentId, digest }) => ({ id, parentId, digest }));
        expect(await index.digests(0, 12)).toEqual(expected.slice(0, 12));
        expect(await index.digests(12, 100)).toEqual(expected.slice(12));
        expect(await index.digests(30, 100)).toEqual([]);
      }));

    test("R28: a walk from place to place sees every item once, by whatever it is sorted", () =>
      at(async (_place, index) => {
        const titles = [
          "",
          "0",
          "00",
          "0a",
          "e3",
          "e38182e38184e38186e38188e3818a",
          "e38182e38184e38186e38188e3818b",
          "ff",
        ];
        const documents = numbered(60, (number) => ({
          sorts: { updated: (number * 7) % 5, title: titles[(number * 3) % 8] ?? "" },
        }));
        await built(index, documents);
        for (const descending of [true, false]) {
          for (const sort of [
            [],
            [{ field: "title", descending }],
            [
              { field: "updated", descending },
              { field: "title", descending: !descending },
            ],
          ]) {
            const query: IndexQuery = { ...EVERYTHING, sort, limit: 7 };
            const walked: Place[] = [];
            for (let after: Place | null = null; ; ) {
              const { hits, total }: { hits: readonly Place[]; total: number } = await index.query({ ...query, after });
              expect(total).toBe(documents.length);
              walked.push(...hits);
              after = hits.at(-1) ?? null;
              if (after === null) break;
            }
            expect(walked).toEqual([...answerOf(documents, { ...query, limit: 1000 }).hits]);
          }
        }
      }));

    test("R28: an order by more values than an engine sorts by is complete on every page, and is not made of all places", () => {
      const sorts = ["first", "second", "third", "fourth", "fifth"].map((name) => ({ name, type: "number" as const }));
      const schema = { ...SMALL_SCHEMA, sorts: [...sorts, { name: "title", type: "text" as const }] };
      return at(async (_place, index) => {
        const documents = numbered(600, (number) => ({
          sorts: {
            first: number % 2,
            second: (number * 7) % 3,
            third: number % 5 === 0 ? 1 : 0,
            fourth: (number * 11) % 4,
            fifth: (number * 13) % 7,
            title: ["", "0a", "e38182"][(number * 5) % 3] ?? "",
          },
        }));
        await built(index, documents);
        const by = (...names: string[]) => names.map((field, place) => ({ field, descending: place % 2 === 0 }));
        for (const sort of [
          by("first", "title", "second"),
          by("third", "first", "title", "id"),
          by("first", "second", "third", "fourth", "title", "fifth"),
        ]) {
          for (const [offset, limit] of [
            [0, 7],
            [1, 1],
            [95, 130],
            [590, 50],
            [600, 5],
            [20, 400],
          ] as const) {
            const query = { ...EVERYTHING, sort, offset, limit };
            const answer = await index.query(query);
            expect(answer).toEqual(answerOf(documents, query));
            const after = answer.hits.at(-1) ?? null;
            const next = { ...query, after, offset: 3, limit: 9 };
            expect(await index.query(next)).toEqual(answerOf(documents, next));
          }
        }
      }, schema);
    });

    test("R28: facets with very many values, ties by key, cut where it was asked", () =>
      at(async (_place, index) => {
        const key = (number: number): string => `k${String((number * 7919) % 1500).padStart(4, "0")}`;
        const documents = numbered(700, (number) => ({
          texts: { all: number % 3 === 0 ? "third" : "other" },
          keys: {
            subject: [...new Set([key(number), key(number * 2), key(5)])],
            language: [number % 2 === 0 ? "eng" : "jpn"],
          },
        }));
        await built(index, documents);
        for (const size of [1, 10, 1000, 5000]) {
          const facets = [
            { field: "subject", size },
            { field: "language", size },
          ];
          for (const where of [ALL, token("all", "third")]) {
            const chosen: Condition = { kind: "key", field: "language", anyOf: ["eng"] };
            await expectAnswers(index, documents, [
              { ...EVERYTHING, where, facets },
              { ...EVERYTHING, where, chosen, facets, limit: 3 },
            ]);
          }
        }
      }));

    test("R27 R28: an item with several numbers in a range is one hit, in totals, facets and pages", () =>
      at(async (_place, index) => {
        const documents = [1, 2, 3, 4].map((id) =>
          indexDocument({
            id,
            texts: { all: id % 2 === 0 ? "even" : "odd" },
            keys: { subject: [id < 3 ? "low" : "high"] },
            numbers: { day: [[5], [1, 2, 3], [2, 9, 10], []][id - 1] ?? [], size: [1, 2] },
          }),
        );
        await built(index, documents);
        const day: Condition = { kind: "range", field: "day", from: 1, to: 9 };
        const size: Condition = { kind: "range", field: "size", from: 0, to: null };
        const facets = [{ field: "subject", size: 5 }];
        const wheres: readonly Condition[] = [
          day,
          size,
          { kind: "and", of: [day, size] },
          { kind: "or", of: [day, size] },
          { kind: "or", of: [day, token("all", "even")] },
          { kind: "and", of: [token("all", "odd"), size] },
          { kind: "not", of: day },
          {
            kind: "and",
            of: [
              { kind: "or", of: [day, token("all", "missing")] },
              { kind: "not", of: token("all", "even") },
            ],
          },
        ];
        for (const where of wheres) {
          for (const chosen of [null, size]) {
            const query = { ...EVERYTHING, where, chosen, facets };
            expect(await index.query(query)).toEqual(answerOf(documents, query));
          }
        }
      }));

    test("R28: a place between two items, and texts that differ at their beginning only, are places as any other", () =>
      at(async (_place, index) => {
        const long = (start: string): string => `${start}${"e3818".repeat(15)}1111`;
        const titles = [long("0"), long("1"), long("2"), long("1").slice(0, 79)];
        const documents = numbered(12, (number) => ({
          sorts: { updated: number % 3, title: titles[number % 3] ?? "" },
        }));
        await built(index, documents);
        for (const descending of [true, false]) {
          for (const id of [-1, 1.5, 6, 6.5, 1e300, -1e300]) {
            const byNumber = [{ field: "id", descending }];
            const byTitle = [{ field: "title", descending }];
            await expectAnswers(index, documents, [
              { ...EVERYTHING, after: { sort: [], id } },
              { ...EVERYTHING, sort: byNumber, after: { sort: [id], id: 3 } },
              ...titles.map((title) => ({ ...EVERYTHING, sort: byTitle, after: { sort: [title], id } })),
            ]);
          }
        }
      }));

    test("R27: conditions of very many parts, and pages of very many hits", () =>
      at(async (_place, index) => {
        const documents = numbered(600, (number) => ({
          texts: { all: `common word${number} 図書 part${number % 40}`, title: `t${number % 9}` },
          keys: { name: [`n${number}`] },
          numbers: { day: [20_200_101 + number, -5 - number] },
        }));
        await built(index, documents);
        const some = (count: number, step: number): Condition[] =>
          Array.from({ length: count }, (_, number) => token("all", `word${number * step}`));
        const wheres: Condition[] = [
          { kind: "or", of: some(250, 2) },
          { kind: "not", of: { kind: "or", of: some(120, 3) } },
          {
            kind: "and",
            of: [token("all", "common"), { kind: "or", of: some(90, 1) }, { kind: "not", of: token("title", "t3") }],
          },
          {
            kind: "and",
            of: Array.from({ length: 60 }, (_, number) => token("all", number % 2 === 0 ? "common" : "図書")),
          },
          {
            kind: "or",
            of: some(80, 5).map((one, number) => ({ kind: "and", of: [one, token("title", `t${number % 9}`)] })),
          },
          // As a long text is asked for: each of its words in one field or another.
          {
            kind: "and",
            of: Array.from({ length: 60 }, (_, number) => ({
              kind: "or",
              of: [token("all", ["common", "図書", "part3"][number % 3] ?? ""), token("title", `t${number}`)],
            })),
          },
          { kind: "key", field: "name", anyOf: Array.from({ length: 5000 }, (_, number) => `n${number * 2}`) },
          { kind: "not", of: { kind: "range", field: "day", from: 20_200_150, to: 20_200_301 } },
          { kind: "range", field: "day", from: -100, to: -5 },
        ];
        for (const where of wheres) {
          await expectAnswers(index, documents, [
            { ...EVERYTHING, where },
            { ...EVERYTHING, where, limit: 10, offset: 290, sort: [{ field: "id", descending: false }] },
          ]);
        }
      }));

    test("R35: a document of a megabyte of words is found by each of them", () =>
      at(async (_place, index) => {
        const many = Array.from({ length: 120_000 }, (_, number) => `w${number.toString(36)}`);
        await built(index, [
          indexDocument({ id: 1, texts: { all: many.join(" ") } }),
          indexDocument({ id: 2, texts: { all: "w1" } }),
        ]);
        for (const number of [0, 1, 65_535, 65_536, 119_999]) {
          const { hits } = await index.query({ ...EVERYTHING, where: token("all", many[number] ?? "") });
          expect(hits.some(({ id }) => id === 1)).toBe(true);
        }
        expect((await index.query({ ...EVERYTHING, where: token("all", "missing") })).total).toBe(0);
      }));

    test("R34: a closed index is not there", () =>
      at(async (place) => {
        const closed = await place.open(SMALL_SCHEMA);
        await built(closed, [indexDocument({ id: 1 })]);
        await closed.close();
        await expect(closed.query(EVERYTHING)).rejects.toBeInstanceOf(IndexUnavailable);
        const change = { parents: [1], documents: [], position: null };
        await expect((async () => closed.apply(change))()).rejects.toBeInstanceOf(IndexUnavailable);
      }));
  });
}
