// Documents and questions for search indexes, made up at random with few different words, so that what is asked is also
// found (R27, R28).
import fc from "fast-check";
import type { IndexSchema, SearchDocument } from "../../src/repository/search/document/document.ts";
import {
  type Condition,
  type IndexQuery,
  type RankedPlace,
  type RankedWord,
  SCORE,
  type SortBy,
} from "../../src/repository/search/index/index-port.ts";

/** A schema with two of everything. */
export const SMALL_SCHEMA: IndexSchema = {
  version: 1,
  texts: ["all", "title", "files"],
  keys: ["visibility", "standing", "itemtype", "under", "fileclasses", "subject", "language", "name"],
  facets: ["subject", "language"],
  numbers: ["day", "size"],
  sorts: [
    { name: "updated", type: "number" },
    { name: "title", type: "text" },
  ],
};

const WORDS = [
  ..."library quantum studies volume 図書 書館 館 研究 究 デー ータ タ 도서 서관 naïve c++ o'reilly a-b".split(" "),
  ...'"quoted" near and or not title:x x* (y) {z} ^w o|word p|word p|wo ab abc abcd 1999 19 <'.split(" "),
];
const KEYS = {
  visibility: ["public", "open2026", "owner7", "owner8", "group1"],
  standing: ["latest", "draft", "old"],
  itemtype: ["1", "2", "30001"],
  under: ["1", "2", "3", "4", "10", "11"],
  fileclasses: ["o", "p1", "p2"],
  subject: ["a", "aa", "ab", "b", "0123456789abcdef", "0123456789abcdeg", "0123456789"],
  language: ["eng", "jpn", "kor"],
  name: ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"],
};
const KEY_FIELDS = Object.keys(KEYS) as (keyof typeof KEYS)[];
const SORT_TEXTS = ["", "0", "00", "00ff", "0a", "e3", "e382", "e38283", "e38284", "f"];

const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((list) => list.join(" "));
const keysOf = (field: keyof typeof KEYS) => fc.uniqueArray(fc.constantFrom(...KEYS[field]), { maxLength: 3 });
const numbers = fc.uniqueArray(
  fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom(0.5, 20_260_401, 9_007_199_254_740_991)),
  {
    maxLength: 3,
  },
);

/** A document of {@link SMALL_SCHEMA} with these members only; its facet keys have labels. */
export function indexDocument(given: Partial<SearchDocument> & { readonly id: number }): SearchDocument {
  const id: number = given.id;
  const keys = given.keys ?? {};
  const counted = SMALL_SCHEMA.facets.flatMap((field) => keys[field] ?? []);
  return {
    parentId: id,
    digest: `d${given.id}`,
    texts: {},
    keys,
    labels: Object.fromEntries(counted.map((key) => [key, `Label of ${key}`])),
    numbers: {},
    sorts: { updated: 0, title: "" },
    ...given,
  };
}

/** Any document of {@link SMALL_SCHEMA} with this number. */
export function arbitraryDocument(id: number): fc.Arbitrary<SearchDocument> {
  return fc
    .record({
      parentId: fc.constantFrom(Math.ceil(id / 2), id),
      texts: fc.record({ all: words, title: words, files: words }, { requiredKeys: ["all"] }),
      keys: fc.record(Object.fromEntries(KEY_FIELDS.map((field) => [field, keysOf(field)])), {
        requiredKeys: ["visibility"],
      }),
      numbers: fc.record({ day: numbers, size: numbers }, { requiredKeys: [] }),
      sorts: fc.record({
        updated: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(1.5)),
        title: fc.constantFrom(...SORT_TEXTS),
      }),
    })
    .map((made) => {
      const keys = withoutMissing(made.keys);
      const { parentId, sorts } = made;
      const numbers = withoutMissing(made.numbers);
      const digest = JSON.stringify(made).length.toString(16);
      return indexDocument({ id, parentId, digest, texts: withoutMissing(made.texts), keys, numbers, sorts });
    });
}

/** Fast-check leaves a member out, or gives it as undefined: a document has it or has it not. */
function withoutMissing<Value>(record: { readonly [name: string]: Value | undefined }): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Documents with different numbers, in no order. */
export const arbitraryDocuments = (most: number): fc.Arbitrary<SearchDocument[]> =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 3 * most }), { maxLength: most })
    .chain((ids) => fc.tuple(...ids.map((id) => arbitraryDocument(id))));

const textField = fc.constantFrom(...SMALL_SCHEMA.texts);
const bound = fc.option(fc.constantFrom(-3, 0, 0.5, 1, 3, 5, 20_260_401), { nil: null });
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("token" as const),
      field: textField,
      token: fc.constantFrom(...WORDS, "missing", "a b", ""),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("prefix" as const),
      field: textField,
      prefix: fc.constantFrom(...WORDS, ...WORDS.map((word) => word.slice(0, 1)), ""),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...KEY_FIELDS).chain((field) =>
      fc.record({
        kind: fc.constant("key" as const),
        field: fc.constant(field as string),
        anyOf: fc.uniqueArray(fc.constantFrom(...KEYS[field], "missing", "Z"), { maxLength: 4 }),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("range" as const),
      field: fc.constantFrom("day", "size"),
      from: bound,
      to: bound,
    }),
  },
);

/** Any condition over {@link SMALL_SCHEMA}, nested. */
const arbitraryCondition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      of: fc.array(tie("condition"), { maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant("not" as const), of: tie("condition") }),
  ),
})).condition;

const sorts: fc.Arbitrary<SortBy[]> = fc.uniqueArray(
  fc.record({ field: fc.constantFrom("updated", "title", "id"), descending: fc.boolean() }),
  { maxLength: 3, selector: ({ field }) => field },
);

/** Any query over {@link SMALL_SCHEMA}; positions are on hits, between them and outside. */
export const arbitraryQuery: fc.Arbitrary<IndexQuery> = sorts.chain((sort) =>
  fc.record({
    where: arbitraryCondition,
    chosen: fc.option(arbitraryCondition, { nil: null }),
    sort: fc.constant(sort),
    after: fc.option(
      fc.record({
        sort: fc.tuple(
          ...sort.map(({ field }) =>
            field === "title"
              ? fc.constantFrom(...SORT_TEXTS, "01", "e3828", "ff")
              : fc.constantFrom(0, 1, 1.5, 2, 7, 30, 100),
          ),
        ),
        id: fc.integer({ min: 0, max: 100 }),
      }),
      { nil: null },
    ),
    offset: fc.constantFrom(0, 0, 1, 5),
    limit: fc.constantFrom(0, 1, 3, 20, 1000),
    facets: fc.uniqueArray(
      fc.record({ field: fc.constantFrom("subject", "language"), size: fc.constantFrom(0, 1, 2, 100) }),
      {
        maxLength: 2,
        selector: ({ field }) => field,
      },
    ),
  }),
);

const rankedPlace: fc.Arbitrary<RankedPlace> = fc.record({
  of: arbitraryCondition,
  weight: fc.constantFrom(0.5, 1, 2),
  shorter: fc.constantFrom(null, { by: "updated", mean: 3, share: 0.5 }),
  isTitle: fc.boolean(),
});
const rankedWord: fc.Arbitrary<RankedWord> = fc.record({
  places: fc.array(rankedPlace, { minLength: 1, maxLength: 3 }),
  share: fc.constantFrom(1, 0.5),
  isCounted: fc.boolean(),
});

/** Any query whose hits are ranked; positions are on scores that hits may have, between them and outside. */
export const arbitraryRankedQuery: fc.Arbitrary<IndexQuery> = fc
  .tuple(
    arbitraryQuery,
    fc.array(rankedWord, { maxLength: 3 }),
    arbitraryCondition,
    fc.constantFrom(0, 0.5, 1.21, 3, 50),
    fc.boolean(),
  )
  .map(([query, words, among, score, isWeighed]) => ({
    ...query,
    sort: [{ field: SCORE, descending: true }, ...query.sort],
    after: query.after === null ? null : { ...query.after, sort: [score, ...query.after.sort] },
    ranking: { words, among, weights: isWeighed ? words.map((_, at) => at + 0.5) : null },
  }));
