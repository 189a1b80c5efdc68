// A query in Lucene's manner prepared for the index (R27; reference 2.6): read, compiled, with the words of its
// patterns read from the index. Whatever cannot be answered exactly is searched for as words, and the answer states it.

import { most } from "../../../shared/limits.ts";
import { type InParts, inTurns, yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import type { CommunityReader } from "../../store/communities.ts";
import { FIELDS } from "../document/document.ts";
import { isOfRun, wordsOfQuery } from "../document/tokens.ts";
import type { Condition, RankedWord } from "../index/index-port.ts";
import type { Finder, ItemQuery } from "../query/finder.ts";
import { identifierRanking, orIdentified } from "../query/identifier-query.ts";
import { anyOf, sizeOf } from "../query/query-text.ts";
import { rankingOf } from "../query/ranking.ts";
import { inField, PARTS_WITH_FORMS } from "../query/word-conditions.ts";
import { partsOf } from "../query/word-parts.ts";
import { FORM_MARK } from "../words/word-forms.ts";
import { conditionOf, type Expansion } from "./conditions.ts";
import { BrokenQuery } from "./lexer.ts";
import { asWords, type ParsedQuery, parseLucene } from "./parser.ts";
import { type LuceneQuery, printQuery } from "./query.ts";

export type QueryMode = ParsedQuery["mode"];

export type PreparedQuery = Pick<ItemQuery, "where" | "wider"> & {
  /** The words by which hits are ranked; none: nothing is a better match than another. */
  readonly ranking: readonly RankedWord[];
  /** Words and phrases that are searched for without a name before them. */
  readonly words: readonly string[];
  readonly mode: QueryMode;
  /** The query as it was read; empty: everything. */
  readonly effective: string;
  /** It is several words of which a record has one. */
  readonly hasAlternatives: boolean;
};

export type PrepareQueryNeeds = {
  readonly finder: Pick<Finder, "wordsOf">;
  readonly communities: Pick<CommunityReader, "community">;
};

/**
 * Words of the index that are read at once: the index walks over all documents of each, so the number follows the time
 * that reading takes.
 */
const WORDS_READ = { first: 64, least: 16, most: 2_000 } as const;
const READ_MS = 5;
/** Steps of all patterns of a query: some hundredths of a second. */
const STEPS = 2_000_000;

/** What cannot be answered within the limits, or by this engine. */
class NotExactly extends Error {
  override readonly name = "NotExactly";
}

const EMPTY = { effective: "", hasAlternatives: false } as const;

/** Throws invalid for a text that is too long. `name`: of the parameter. */
export async function prepareQuery(needs: PrepareQueryNeeds, text: string, name = "q"): Promise<PreparedQuery> {
  const parsed = parseLucene(text, name);
  if (parsed.query === null)
    return { where: { kind: "and", of: [] }, ranking: [], words: [], ...EMPTY, mode: parsed.mode };
  try {
    return withIdentifier(await ready(needs, parsed, parsed.query), text);
  } catch (error) {
    if (!(error instanceof BrokenQuery) && !(error instanceof NotExactly)) throw error;
  }
  const words = asWords(text);
  return withIdentifier(await ready(needs, words, words.query ?? { kind: "group", clauses: [] }), text);
}

function withIdentifier(prepared: PreparedQuery, text: string): PreparedQuery {
  const { where, wider, ranking } = prepared;
  const ranked = identifierRanking(text);
  if (ranked.length === 0) return prepared;
  return {
    ...prepared,
    where: orIdentified(where, text),
    ...(wider === undefined
      ? {}
      : { wider: { ...wider, where: orIdentified(wider.where, text), ranking: [...wider.ranking, ...ranked] } }),
    ranking: [...ranking, ...ranked],
  };
}

async function ready(needs: PrepareQueryNeeds, { mode }: ParsedQuery, query: LuceneQuery): Promise<PreparedQuery> {
  const whole = await compiled(needs, query);
  const where = sizeOf(whole) <= PARTS_WITH_FORMS ? whole : await compiled(needs, query, true);
  if (sizeOf(where) > most("queryParts") && mode === "lucene") throw new NotExactly();
  const words = plainWords(query);
  // Words of other scripts are alternatives as they are.
  const parts = words.some((word) => wordsOfQuery(word).some(isOfRun)) ? words.flatMap((word) => partsOf(word)) : [];
  const wider =
    parts.length === 0 ? null : anyOf([where, ...parts.map((part) => inField(FIELDS.all)(wordsOfQuery(part)))]);
  return {
    where,
    ...(wider === null || sizeOf(wider) > most("queryParts")
      ? {}
      : { wider: { where: wider, below: FEW_HITS, ranking: rankingOf(parts) } }),
    ranking: rankingOf(rankedIn(query)),
    words: rankedIn(query),
    mode,
    effective: printQuery(query),
    hasAlternatives: words.length > 1,
  };
}

/** With fewer hits a question without spaces is asked by its words. */
const FEW_HITS = 5;

/** The words of a query of alternatives alone: where few items are found, each may be one of several words. */
function plainWords(query: LuceneQuery): readonly string[] {
  if (query.kind === "word") return [query.text];
  if (query.kind !== "group") return [];
  const words = query.clauses.flatMap(({ occur, of }) => (occur === "should" && of.kind === "word" ? [of.text] : []));
  return words.length === query.clauses.length ? words : [];
}

/** A first walk collects what is to be looked up, a second one gets it. */
async function compiled(needs: PrepareQueryNeeds, query: LuceneQuery, isExact = false): Promise<Condition> {
  const expansions: Expansion[] = [];
  const slugs = new Set<string>();
  const before = conditionOf(query, {
    isExact,
    expanded: (expansion) => {
      expansions.push(expansion);
      return [];
    },
    communityOf: (slug) => {
      slugs.add(slug);
      return null;
    },
  });
  if (expansions.length === 0 && slugs.size === 0) return before;
  const communities = new Map<string, string>();
  for (const slug of slugs) {
    const found = await needs.communities.community(slug);
    if (found !== null) communities.set(slug, found.id);
  }
  // A pattern has several places where its name is that of a group.
  if (expansions.length > most("luceneExpansions")) throw new NotExactly();
  const found = await expandedWords(needs, expansions);
  let at = 0;
  return conditionOf(query, {
    isExact,
    expanded: () => found[at++] ?? [],
    communityOf: (slug) => communities.get(slug) ?? null,
  });
}

/**
 * The words that match each one. @throws NotExactly where they are too many, or where the engine does not know them.
 */
async function expandedWords(
  { finder }: PrepareQueryNeeds,
  expansions: readonly Expansion[],
): Promise<readonly (readonly string[])[]> {
  let read = 0;
  let taken = 0;
  let limit: number = WORDS_READ.first;
  const all: string[][] = [];
  for (const expansion of expansions) {
    const { field, prefix } = expansion;
    const found: string[] = [];
    for (let after = ""; ; ) {
      const before = performance.now();
      const words = await finder.wordsOf(field, prefix, after, limit);
      if (words === null) throw new NotExactly();
      const isLast = words.length < limit;
      limit = performance.now() - before < READ_MS ? Math.min(limit * 2, WORDS_READ.most) : WORDS_READ.least;
      read += words.length;
      const matching = await inTurns(compare(words, expansion, expansions));
      found.push(...matching);
      taken += matching.length;
      if (read > most("expansionWords") || taken > most("expansions")) throw new NotExactly();
      if (isLast) break;
      after = words.at(-1) ?? "";
      await yieldToEventLoop();
    }
    all.push(found);
  }
  return all;
}

/** Those of the words that are meant. @throws NotExactly where all comparisons of the query take too many steps. */
function* compare(
  words: readonly string[],
  { code, matches, steps }: Expansion,
  expansions: readonly Expansion[],
): InParts<string[]> {
  const allowed = STEPS - expansions.reduce((sum, each) => sum + each.steps(), 0) + steps();
  const found: string[] = [];
  for (const word of words) {
    const plain = word.slice(code.length);
    if (!plain.startsWith(FORM_MARK) && matches(plain)) found.push(word);
    if (steps() > allowed) throw new NotExactly();
    yield;
  }
  return found;
}

/** Words and phrases that are searched for without a name before them. */
function rankedIn(query: LuceneQuery): readonly string[] {
  switch (query.kind) {
    case "word":
    case "phrase":
      return [query.text];
    case "boost":
      return rankedIn(query.of);
    case "and":
      return query.of.flatMap(rankedIn);
    case "group":
      return query.clauses.flatMap(({ occur, of }) => (occur === "not" ? [] : rankedIn(of)));
    default:
      return [];
  }
}
