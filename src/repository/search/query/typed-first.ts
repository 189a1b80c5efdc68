// The hits of what was typed, and after them those of what may be meant (R27f, R27l): one question, so that total, pages
// and facets are of both.
import { most } from "../../../shared/limits.ts";
import type { Condition, RankedWord } from "../index/index-port.ts";
import type { ItemQuery } from "./finder.ts";
import { anyOf, sizeOf } from "./query-text.ts";

/** More than words come to: what was typed comes first. */
export const FIRST = 50;

/** `others`: what may be meant, and the words by which all hits are ranked. Null: it would be too long a question. */
export function typedFirst(
  typed: Condition,
  others: { readonly where: Condition; readonly ranking: readonly RankedWord[] },
): Required<Pick<ItemQuery, "where" | "ranking">> | null {
  const where = anyOf([typed, others.where]);
  if (sizeOf(where) > most("queryParts")) return null;
  return { where, ranking: [...others.ranking, firstOf(typed)] };
}

/** Puts what it is true of before all other hits. */
export const firstOf = (typed: Condition): RankedWord => ({
  places: [{ of: typed, weight: FIRST, shorter: null, isTitle: false }],
  ...{ share: FIRST, isCounted: false },
});
