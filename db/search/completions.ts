// Documents that complete what somebody types (R27j), at a cost that no word and no beginning drives up: of the terms
// that begin so the first ones, and of the documents that have them the newest, read from the end in windows that grow.
import type { IndexSchema } from "../../src/repository/search/document/document.ts";
import type { CompletionQuery, Condition } from "../../src/repository/search/index/index-port.ts";
import { type Bitmap, hasSlot } from "./bitmap.ts";
import type { Columns } from "./columns.ts";
import type { Postings } from "./postings.ts";
import type { SortTexts } from "./sort-texts.ts";
import { quoted, type Terms } from "./terms.ts";

/** Of one beginning. */
const TERMS = 128;
/** Slots that are read first, how much wider the next window is, and documents that are read of any. */
const WINDOW = { first: 4_096, growth: 16, documents: 4_096 } as const;
/** Documents with the whole words: where there are no more, only these are read. */
const RARE = 64;
/** Sort texts whose documents are searched for one by one. */
const FEW_TEXTS = 6;
/** After this no further window is begun: it would be of words that are common, and in vain. */
const READING_MS = 6;
/** Slots whose sort text is compared. */
const COMPARED = 2_000_000;
/** Sort texts are of `0` to `9` and `a` to `f`: this comes after all that begin alike. */
const BEHIND = "g";

type CompletionIndex = {
  readonly columns: Columns;
  readonly texts: SortTexts;
  readonly postings: Postings;
  readonly schema: IndexSchema;
  readonly terms: Terms;
};

type Completing = Pick<CompletionQuery, "words" | "begins" | "limit"> & { readonly visible: Bitmap };

/** The newest of those whose sort text begins so, then the newest of all; at most `limit` together. */
export function completingSlots(index: CompletionIndex, { visible, words, begins, limit }: Completing): number[] {
  const rare = rareSlots(index, expressionOf(index, withoutBeginnings(words)));
  if (rare?.length === 0) return [];
  const expression = expressionOf(index, words);
  if (expression === null) return [];
  const found = new Set<number>();
  if (begins !== null) for (const slot of beginning(index, begins, visible, limit)) found.add(slot);
  for (const slot of newest(index, expression, rare, visible)) {
    if (found.size >= limit) break;
    found.add(slot);
  }
  return [...found];
}

/** All slots with the whole words, from the highest; null: there are no whole words, or they are in many documents. */
function rareSlots({ columns, postings }: CompletionIndex, whole: string | null): readonly number[] | null {
  const slots = whole === null ? null : postings.newestAmong(whole, 1, columns.end - 1, RARE + 1);
  return slots === null || slots.length > RARE ? null : slots;
}

/** What a condition asks for but for beginnings that all documents must have: they have many terms. */
const withoutBeginnings = (words: Condition): Condition =>
  words.kind === "and"
    ? { kind: "and", of: words.of.map(withoutBeginnings).filter((each) => each.kind !== "and" || each.of.length > 0) }
    : words.kind === "prefix"
      ? { kind: "and", of: [] }
      : words;

/** Null: no document matches. @throws TypeError for a condition that is not about tokens. */
function expressionOf(index: CompletionIndex, condition: Condition): string | null {
  const { terms, postings } = index;
  switch (condition.kind) {
    case "token": {
      const term = terms.ofToken(condition.field, condition.token);
      return term === null ? null : quoted(term);
    }
    case "prefix": {
      const prefix = terms.ofToken(condition.field, condition.prefix);
      const first = prefix === null ? [] : postings.firstTerms(prefix, TERMS);
      return first.length === 0 ? null : `(${first.map(quoted).join(" OR ")})`;
    }
    case "and":
    case "or": {
      const all = condition.of.map((each) => expressionOf(index, each));
      const some = all.filter((each) => each !== null);
      if (some.length === 0 || (condition.kind === "and" && some.length < all.length)) return null;
      return `(${some.join(condition.kind === "and" ? " AND " : " OR ")})`;
    }
    default:
      throw new TypeError(`Cannot complete by a condition of kind "${condition.kind}"`);
  }
}

/** Slots in use from the highest: what was indexed last. `rare`: no others match. */
function* newest(
  { columns, postings }: CompletionIndex,
  expression: string,
  rare: readonly number[] | null,
  visible: Bitmap,
) {
  if (rare !== null) {
    yield* seen(postings.newestAmong(expression, rare.at(-1) ?? 1, rare[0] ?? 0, RARE), visible);
    return;
  }
  const begun = performance.now();
  let size: number = WINDOW.first;
  for (let to = columns.end - 1; to > 0; size *= WINDOW.growth) {
    const from = Math.max(1, to - size + 1);
    const slots = postings.newestAmong(expression, from, to, WINDOW.documents);
    yield* seen(slots, visible);
    if (performance.now() - begun > READING_MS) return;
    to = (slots.length < WINDOW.documents ? from : (slots.at(-1) ?? from)) - 1;
  }
}

const seen = (slots: readonly number[], visible: Bitmap) => slots.filter((slot) => hasSlot(visible, slot));

function* beginning(
  { columns, texts, schema }: CompletionIndex,
  { sort, text }: NonNullable<CompletionQuery["begins"]>,
  visible: Bitmap,
  limit: number,
) {
  const field = schema.sorts.findIndex(({ name }) => name === sort);
  const column = columns.sorts[field];
  if (column === undefined) throw new TypeError(`Cannot sort by "${sort}": the index has no such sort`);
  const few = texts.numbersFrom(field, text, text + BEHIND, FEW_TEXTS + 1);
  if (few.length <= FEW_TEXTS) {
    yield* withTexts(column, few, visible, limit);
    return;
  }
  const [from, behind] = [texts.rankOf(field, text), texts.rankOf(field, text + BEHIND)];
  const { ranks } = texts;
  let left = limit;
  const least = Math.max(1, columns.end - COMPARED);
  for (let slot = columns.end - 1; slot >= least && left > 0; slot -= 1) {
    const rank = ranks[column[slot] ?? 0] ?? Number.NaN;
    if (rank < from || rank >= behind || Number.isNaN(rank) || !hasSlot(visible, slot)) continue;
    left -= 1;
    yield slot;
  }
}

/** The highest slots with these numbers of texts. */
function withTexts(
  column: Float64Array,
  numbers: readonly number[],
  visible: Bitmap,
  limit: number,
): readonly number[] {
  const slots: number[] = [];
  for (const number of numbers) {
    let left = limit;
    for (let slot = column.lastIndexOf(number); slot > 0 && left > 0; slot = column.lastIndexOf(number, slot - 1)) {
      if (!hasSlot(visible, slot)) continue;
      left -= 1;
      slots.push(slot);
    }
  }
  return slots.sort((one, other) => other - one).slice(0, limit);
}
