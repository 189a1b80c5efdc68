// Typing errors (R27f): for words of a query that no item has which its reader may see, the nearest word that some of
// these items have. Bounded work, whatever the index holds: a few lookups of beginnings for each word, and a few counts.
import type { Viewer } from "../../../auth/account.ts";
import { FIELDS } from "../document/document.ts";
import { folded, isOfRun, spansOf } from "../document/tokens.ts";
import type { Condition } from "../index/index-port.ts";
import { editsFor, isNear } from "../lucene/nearness.ts";
import type { Finder } from "./finder.ts";
import { isStopWord } from "./stop-words.ts";
import { inField, textCondition, type WordPlace } from "./word-conditions.ts";

/** Words of a query that are checked, and those that are corrected. */
const WORDS = 8;
const CORRECTED = 3;
/** Letters of a word that is corrected: of shorter ones every other word is near. */
const LETTERS = { least: 4, most: 30 } as const;
/** The beginning that is taken as right, of words with the error after it. */
const BEGINNING = 3;
/** Words of the index that begin so, and that begin like one of the ways to mend the beginning. */
const READ = { beginning: 2_000, mended: 20 } as const;
/** The nearest words that are counted. */
const COUNTED = 6;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const WORD = /^\p{L}+$/u;

type SpellingNeeds = {
  readonly finder: Pick<Finder, "find" | "wordsOf">;
  readonly viewer: Viewer;
  readonly place: WordPlace;
};

/**
 * The text with the nearest words in the place of those that nobody could find; null: there is nothing to correct, or
 * nothing near. Words between quotation marks, with a sign or with the name of a field are left as they are. An engine
 * that cannot list its words corrects nothing.
 */
export async function correctedText(needs: SpellingNeeds, text: string): Promise<string | null> {
  if (/["“”„]/.test(text)) return null;
  const parts = text.split(/(\s+)/u);
  const words = parts.flatMap((part, at) => (correctable(part) === null ? [] : [at])).slice(0, WORDS);
  let corrected = 0;
  for (const at of words) {
    const word = correctable(parts[at] ?? "");
    if (word === null || corrected >= CORRECTED) continue;
    if ((await countOf(needs, textCondition([[word]], needs.place))) > 0) continue;
    const meant = await nearestWord(needs, word);
    if (meant === null) continue;
    parts[at] = meant;
    corrected += 1;
  }
  return corrected === 0 ? null : parts.join("");
}

/** The word of a part of a query, folded; null: it is not a word, or one that is not corrected. */
function correctable(part: string): string | null {
  const [span, more] = spansOf(folded(part));
  if (span === undefined || more !== undefined || isOfRun(span.text) || isStopWord(span.text)) return null;
  if (/^[-+]|[:：*~]/.test(part) || !WORD.test(span.text)) return null;
  return span.text.length >= LETTERS.least && span.text.length <= LETTERS.most ? span.text : null;
}

/** Items that the reader may see, and nothing else: what others have stays unknown. */
async function countOf({ finder, viewer }: SpellingNeeds, where: Condition): Promise<number> {
  const page = { number: 1, size: 0 };
  return (await finder.find(viewer, { where, chosen: null, sort: [], page, facets: [], mayWait: false })).total;
}

async function nearestWord(needs: SpellingNeeds, word: string): Promise<string | null> {
  const near = await nearWords(needs, word);
  let best: { readonly meant: string; readonly rank: number; readonly count: number } | null = null;
  for (const { meant, rank } of near.slice(0, COUNTED)) {
    if (best !== null && rank > best.rank) break;
    const count = await countOf(needs, inField(FIELDS.all)([meant]));
    if (count > (best?.count ?? 0)) best = { meant, rank, count };
  }
  return best?.meant ?? null;
}

type NearWord = { readonly meant: string; readonly rank: number };

/** The nearest first. */
async function nearWords({ finder }: SpellingNeeds, word: string): Promise<readonly NearWord[]> {
  const near = new Map<string, number>();
  const edits = editsFor(word);
  const note = (words: readonly string[], most: number): void => {
    for (const meant of words) {
      if (Math.abs(meant.length - word.length) > most || meant === word || !WORD.test(meant)) continue;
      const distance = isNear(word, meant, 1) ? 1 : most > 1 && isNear(word, meant, most) ? most : null;
      if (distance !== null) near.set(meant, rankOf(word, meant, distance));
    }
  };
  const beginning = await finder.wordsOf(FIELDS.all, word.slice(0, BEGINNING), "", READ.beginning);
  if (beginning === null) return [];
  note(beginning, edits);
  for (const start of mendedBeginnings(word)) {
    note((await finder.wordsOf(FIELDS.all, start, "", READ.mended)) ?? [], 1);
  }
  return [...near].map(([meant, rank]) => ({ meant, rank })).sort((one, other) => one.rank - other.rank);
}

/** Fewer letters differ first; then the same first letter, then the same length. */
const rankOf = (word: string, meant: string, distance: number): number =>
  4 * distance + 2 * Number(word.charAt(0) !== meant.charAt(0)) + Number(word.length !== meant.length);

/** With one error among the first letters: left out, put in, changed or swapped, and two letters after it as they are. */
function mendedBeginnings(word: string): readonly string[] {
  const starts = new Set<string>();
  const end = BEGINNING + 2;
  for (let at = 0; at < BEGINNING; at += 1) {
    const [head, rest] = [word.slice(0, at), word.slice(at + 1)];
    starts.add((head + rest).slice(0, end));
    starts.add((head + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)).slice(0, end));
    for (const letter of ALPHABET) {
      starts.add((head + letter + rest).slice(0, end));
      starts.add((head + letter + word.slice(at)).slice(0, end));
    }
  }
  starts.delete(word.slice(0, end));
  return [...starts];
}
