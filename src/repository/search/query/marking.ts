// Which parts of a text made it a hit (R27): the words of a query searched for in the text as it is written, so that a
// page can mark them. Words are compared folded, as the index compares them. Pure, and linear in the text.
import { folded } from "../document/tokens.ts";
import { withStandardKanji } from "../words/kanji-variants.ts";

export type Part = { readonly text: string; readonly found: boolean };

/** A character with whatever belongs to it: combining marks, and the voicing of half-width kana. */
const UNITS = /[ヴゔ][ァィェォャュョぁぃぇぉゃゅょ]|[\s\S](?:[\p{M}\uff9e\uff9f])*/gu;
/** Characters that fold into themselves, but for variants of kanji: most of a Japanese text. */
const PLAIN = /^[\u3041-\u3093\u30a1-\u30f3\u30f5-\u30fa\u30fc\u4e00-\u9fff]$/;
const ASCII = /^[\0-\x7f]$/;
const SPACED = /^[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]]$/v;
/** What a query is cut into: it holds words in letters of one kind. */
const PIECES = /[[\p{L}\p{N}]][[\p{L}\p{N}\p{M}ー]]*/gv;

const foldedUnit = (unit: string): string =>
  PLAIN.test(unit) ? withStandardKanji(unit) : ASCII.test(unit) ? unit.toLowerCase() : folded(unit);

/** A text folded, and for each character of that where the unit it came from begins. */
type UnfoldedText = { readonly text: string; readonly from: readonly number[]; readonly to: readonly number[] };

function unfolded(text: string): UnfoldedText {
  const [from, to]: [number[], number[]] = [[], []];
  let all = "";
  for (const match of text.matchAll(UNITS)) {
    const unit = foldedUnit(match[0]);
    all += unit;
    for (let at = 0; at < unit.length; at += 1) {
      from.push(match.index);
      to.push(match.index + match[0].length);
    }
  }
  return { text: all, from, to };
}

/** Pieces of queries that can be marked, longest first, each once. */
export function piecesOf(words: Iterable<string>): readonly string[] {
  const pieces = new Set<string>();
  for (const word of words) for (const [piece] of folded(word).matchAll(PIECES)) pieces.add(piece);
  return [...pieces].sort((one, other) => other.length - one.length).slice(0, PIECES_MARKED);
}
/** No page marks more words than these. */
const PIECES_MARKED = 20;

type Span = { readonly start: number; readonly end: number };

/** A word of letters with spaces around it is marked whole only, as it is found whole only. */
function isWhole(text: string, start: number, end: number): boolean {
  const spaced = (at: number): boolean => SPACED.test(text[at] ?? "");
  return !(spaced(start) && spaced(start - 1)) && !(spaced(end - 1) && spaced(end));
}

function spansIn({ text, from, to }: UnfoldedText, pieces: readonly string[]): readonly Span[] {
  const spans: Span[] = [];
  for (const piece of pieces) {
    for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) {
      if (isWhole(text, at, at + piece.length)) {
        spans.push({ start: from[at] ?? 0, end: to[at + piece.length - 1] ?? 0 });
      }
    }
  }
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** The whole text in parts. Put together again they are the text. */
export function marked(text: string, pieces: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of pieces.length === 0 ? [] : spansIn(unfolded(text), pieces)) {
    if (start > at) parts.push({ text: text.slice(at, start), found: false });
    parts.push({ text: text.slice(start, end), found: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), found: false });
  return parts;
}

/** As much of a text as a line of a list shows: from a little before the first word that was found. */
export function snippet(text: string, pieces: readonly string[], characters: number): readonly Part[] {
  const whole = text.replace(/\s+/gu, " ").trim();
  if (whole.length <= characters) return marked(whole, pieces);
  const [first] = pieces.length === 0 ? [] : spansIn(unfolded(whole), pieces);
  const begin = wordStart(whole, Math.max(0, Math.min((first?.start ?? 0) - BEFORE, whole.length - characters)));
  const cut = whole.slice(begin, begin + characters).toWellFormed();
  const parts = marked(cut.replaceAll("\uFFFD", ""), pieces);
  const more = begin + characters < whole.length;
  return [
    ...(begin > 0 ? [{ text: "… ", found: false }] : []),
    ...parts,
    ...(more ? [{ text: " …", found: false }] : []),
  ];
}
/** Characters shown before the first word that was found, and how far a cut moves to the beginning of a word. */
const BEFORE = 60;
const WORD = 20;

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.indexOf(" ", at);
  return space >= 0 && space - at < WORD ? space + 1 : at;
}
