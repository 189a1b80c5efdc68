// Typing errors (R27f): for words of a query that no item has which its reader may see, or few, the nearest word that some
// of these items have, or very many more. Bounded work, whatever the index holds: a few lookups of beginnings for each word, and a few counts.
import type { Viewer } from "../../../auth/account.ts";
import type { ItemReader } from "../../store/items.ts";
import { FIELDS } from "../document/document.ts";
import { folded, isOfRun, spansOf } from "../document/tokens.ts";
import type { Condition } from "../index/index-port.ts";
import { editsFor, isNear } from "../lucene/nearness.ts";
import type { Finder } from "./finder.ts";
import { nearestRun } from "./japanese-spelling.ts";
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
  /** For words of texts without spaces; absent: they are left as they are. */
  readonly items?: Pick<ItemReader, "summariesOf">;
};

export type Corrected = {
  readonly text: string;
  /** Words as they were typed, and what was put in their place. */
  readonly words: ReadonlyMap<string, string>;
};

/**
 * The text with the nearest words in the place of those that nobody could find, or that few items have where very many
 * more have a word next to it; null: there is nothing to correct, or nothing near. Words between quotation marks, with a
 * sign or with the name of a field are left as they are. An engine that cannot list its words corrects nothing.
 */
export async function corrected(needs: SpellingNeeds, text: string): Promise<Corrected | null> {
  if (/["“”„]/.test(text)) return null;
  const parts = text.split(/(\s+)/u);
  const candidates = parts.flatMap((part, at) => ((correctable(part) ?? runOf(part)) === null ? [] : [at]));
  const words = new Map<string, string>();
  for (const at of candidates.slice(0, WORDS)) {
    const part = parts[at] ?? "";
    const around = bareWord(part);
    const [word, run] = [correctable(part), runOf(part)];
    if (words.size >= CORRECTED) break;
    const count = await countOf(needs, textCondition([[word ?? part]], needs.place));
    if (count > FEW) continue;
    const least = Math.max(1, count * TIMES);
    const { items } = needs;
    const meant =
      word !== null
        ? await nearestWord(needs, word, count === 0 ? LETTERS.most : 1, least)
        : items === undefined || run === null
          ? null
          : await nearestRun({ ...needs, items }, run, least);
    if (meant === null) continue;
    const put = part.replace(around, () => meant);
    parts[at] = put;
    words.set(part, put);
  }
  return words.size === 0 ? null : { text: parts.join(""), words };
}

/** Hits of a query from which on its words are taken as they are. */
export const ENOUGH_HITS = 5;
/** Items of a word up to which it may be another one, and how many times as many that one has. */
const FEW = 4;
const TIMES = 10;

export const correctedText = async (needs: SpellingNeeds, text: string): Promise<string | null> =>
  (await corrected(needs, text))?.text ?? null;

/** A part without the punctuation around it. */
export function bareWord(part: string): string {
  const begin = part.search(IN_WORD);
  if (begin < 0) return part;
  let end = part.length;
  while (end > begin && !IN_WORD.test(part.charAt(end - 1))) end -= 1;
  return part.slice(begin, end);
}
/** Half of a character as well. */
const IN_WORD = /[\p{L}\p{N}\p{M}\p{Cs}]/u;

/** A part that is one text without spaces, folded. */
function runOf(part: string): string | null {
  const [span, more] = spansOf(folded(part));
  return span !== undefined && more === undefined && span.isRun && span.text === folded(part) ? span.text : null;
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

async function nearestWord(needs: SpellingNeeds, word: string, edits: number, least: number): Promise<string | null> {
  const near = (await nearWords(needs, word)).filter(({ rank }) => rank < EDIT_RANK * (edits + 1));
  let best: { readonly meant: string; readonly rank: number; readonly count: number } | null = null;
  for (const { meant, rank } of near.slice(0, COUNTED)) {
    if (best !== null && Math.floor(rank / EDIT_RANK) > Math.floor(best.rank / EDIT_RANK)) break;
    const count = await countOf(needs, inField(FIELDS.all)([meant]));
    if (count < least) continue;
    const isBetter = best === null || (rank === best.rank ? count > best.count : count >= best.count * TIMES);
    if (isBetter) best = { meant, rank, count };
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
  EDIT_RANK * distance + 2 * Number(word.charAt(0) !== meant.charAt(0)) + Number(word.length !== meant.length);

const EDIT_RANK = 4;

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
