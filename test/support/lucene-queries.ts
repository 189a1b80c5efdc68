// Queries in Lucene's manner made up at random (R27), of few different words, so that what is asked is also found.
import fc from "fast-check";
import type { Bound, LuceneQuery, PatternPart } from "../../src/repository/search/lucene/query.ts";

export const LUCENE_WORDS = "tides tide winds wind north moor more moorland library liberty librar a ab abc".split(" ");
const TYPES = ["publication-article", "publication-book", "dataset", "image-figure"];
const DATES = ["2017", "2017-03", "2018-02", "2018-02-14", "2019", "2020-12-31"];
const WORD_PATHS = ["metadata.title", "metadata.description", "metadata.subjects.subject"];
const VALUE_PATHS = ["metadata.resource_type.id", "metadata.languages.id"];
export const DAY_PATH = "metadata.publication_date";

const word = fc.constantFrom(...LUCENE_WORDS);
const bound = (value: fc.Arbitrary<string>): fc.Arbitrary<Bound> =>
  fc.tuple(fc.option(value, { nil: null }), fc.boolean()).map(([text, included]) => ({
    value: text,
    included: text === null ? true : included,
  }));
const range = (value: fc.Arbitrary<string>): fc.Arbitrary<LuceneQuery> =>
  fc.tuple(bound(value), bound(value)).map(([from, to]) => ({ kind: "range", from, to }));
const phrase: fc.Arbitrary<LuceneQuery> = fc
  .tuple(word, word, fc.constantFrom(null, null, 0, 5))
  .map(([one, other, slop]) => ({ kind: "phrase", text: `${one} ${other}`, slop }));

/** Letters and signs in turn, as the lexer reads them; never one `*` alone. */
const parts = (words: fc.Arbitrary<string>): fc.Arbitrary<readonly PatternPart[]> =>
  fc
    .tuple(words, fc.constantFrom("x*", "*x", "x?", "?x", "x?y", "x*y", "*x*", "?x*"), words)
    .map(([one, shape, other]) =>
      [...shape].map(
        (sign): PatternPart =>
          sign === "*"
            ? { kind: "many" }
            : sign === "?"
              ? { kind: "one" }
              : { kind: "letters", text: sign === "x" ? one : other },
      ),
    );
const some = word.map((text) => text.slice(0, 3));

const inWords = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .oneof(word, fc.constant("!!!"), fc.constant("north-moor"))
      .map((text): LuceneQuery => ({ kind: "word", text })),
  },
  { weight: 2, arbitrary: phrase },
  { weight: 2, arbitrary: parts(some).map((all): LuceneQuery => ({ kind: "pattern", parts: all })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("t.de", "[mn]o(o|r).*", "wind(s|ed)?", "a{1,2}b?", "[^a-k].+")
      .map((source): LuceneQuery => ({ kind: "regex", source })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(word, fc.constantFrom(null, 0, 1, 2))
      .map(([text, edits]): LuceneQuery => ({ kind: "fuzzy", text, edits })),
  },
  { weight: 1, arbitrary: range(word) },
);
const type = fc.constantFrom(...TYPES);
const inValues = fc.oneof(
  type.map((text): LuceneQuery => ({ kind: "word", text })),
  fc
    .constantFrom("pub", "data", "image-")
    .map((text): LuceneQuery => ({ kind: "pattern", parts: [{ kind: "letters", text }, { kind: "many" }] })),
  parts(fc.constantFrom("publication", "set", "a")).map((all): LuceneQuery => ({ kind: "pattern", parts: all })),
  range(type),
);
const inDays = fc.oneof(
  fc.constantFrom(...DATES).map((text): LuceneQuery => ({ kind: "word", text })),
  range(fc.constantFrom(...DATES, "never")),
);
const all: fc.Arbitrary<LuceneQuery> = fc.constant({ kind: "all" });

/** Any query over the paths above; `leaves` are conditions without a field name. */
export const arbitraryLucene: fc.Arbitrary<LuceneQuery> = fc.letrec<{ query: LuceneQuery }>((tie) => {
  const composed = (of: fc.Arbitrary<LuceneQuery>): readonly fc.Arbitrary<LuceneQuery>[] => [
    fc.array(of, { minLength: 2, maxLength: 3 }).map((each) => ({ kind: "and", of: each })),
    of.map((each) => ({ kind: "not", of: each })),
    of.map((each) => ({ kind: "boost", by: 2.5, of: each })),
    fc
      .array(fc.record({ occur: fc.constantFrom("must" as const, "should" as const, "not" as const), of }), {
        minLength: 2,
        maxLength: 4,
      })
      .map((clauses) => ({ kind: "group", clauses })),
  ];
  return {
    query: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      inWords,
      fc
        .tuple(fc.constantFrom(...WORD_PATHS), fc.oneof(inWords, all))
        .map(([path, of]): LuceneQuery => ({ kind: "field", path, of })),
      inWords.map((of): LuceneQuery => ({ kind: "field", path: "*", of })),
      fc
        .tuple(fc.constantFrom(...VALUE_PATHS), inValues)
        .map(([path, of]): LuceneQuery => ({ kind: "field", path, of })),
      inDays.map((of): LuceneQuery => ({ kind: "field", path: DAY_PATH, of })),
      fc
        .constantFrom(...WORD_PATHS, ...VALUE_PATHS, DAY_PATH, "no.such")
        .map((path): LuceneQuery => ({ kind: "exists", path })),
      fc
        .tuple(fc.constantFrom("no.such", "http"), inWords)
        .map(([path, of]): LuceneQuery => ({ kind: "field", path, of })),
      all,
      ...composed(tie("query")),
    ),
  };
}).query;
