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
const TERMS = 200;
/** Slots that are read first, and how much wider the next window is. */
const WINDOW = { first: 4_096, growth: 4 } as const;
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
  const expression = expressionOf(index, words);
  if (expression === null) return [];
  const found = new Set<number>();
  if (begins !== null) for (const slot of beginning(index, begins, visible, limit)) found.add(slot);
  for (const slot of newest(index, expression, visible, limit)) {
    if (found.size >= limit) break;
    found.add(slot);
  }
  return [...found];
}

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

/** Slots in use from the highest: what was indexed last. */
function* newest({ columns, postings }: CompletionIndex, expression: string, visible: Bitmap, limit: number) {
  const begun = performance.now();
  let left = limit;
  let size: number = WINDOW.first;
  for (let to = columns.end - 1; to > 0 && left > 0; to -= size, size *= WINDOW.growth) {
    const slots = postings.slotsAmong(expression, Math.max(1, to - size + 1), to);
    for (let at = slots.length - 1; at >= 0 && left > 0; at -= 1) {
      const slot = slots[at] ?? 0;
      if (!hasSlot(visible, slot)) continue;
      left -= 1;
      yield slot;
    }
    if (performance.now() - begun > READING_MS) return;
  }
}

function* beginning(
  { columns, texts, schema }: CompletionIndex,
  { sort, text }: NonNullable<CompletionQuery["begins"]>,
  visible: Bitmap,
  limit: number,
) {
  const field = schema.sorts.findIndex(({ name }) => name === sort);
  const column = columns.sorts[field];
  if (column === undefined) throw new TypeError(`Cannot sort by "${sort}": the index has no such sort`);
  const [from, behind] = [texts.rankOf(field, text), texts.rankOf(field, text + BEHIND)];
  if (from === behind) return;
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
