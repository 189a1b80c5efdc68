// Queries in Lucene's manner that find little (R27f): with the nearest words that records have in the place of those that
// few or none have. Words in quotation marks, with operators or after the name of a member are left as they are.
import type { Viewer } from "../../auth/account.ts";
import { most } from "../../shared/limits.ts";
import { FIELDS } from "../search/document/document.ts";
import type { PreparedQuery } from "../search/lucene/prepare-query.ts";
import type { Finder } from "../search/query/finder.ts";
import { bareWord, type Corrected, corrected, ENOUGH_HITS } from "../search/query/spelling.ts";
import { typedFirst } from "../search/query/typed-first.ts";
import { inField } from "../search/query/word-conditions.ts";
import type { ItemReader } from "../store/items.ts";

type CorrectedQueryNeeds = {
  readonly store: { readonly items: Pick<ItemReader, "summariesOf"> };
  readonly finder: Pick<Finder, "find" | "wordsOf">;
};

/** What was found with a query. `isForEach`: many records with one of its words tell nothing of the others. */
type Outcome = {
  readonly total: number;
  readonly sort: string;
  readonly isWidened: boolean;
  readonly isForEach: boolean;
};

/** Null: enough was found, or nothing near is there. */
export async function correctedQuery(
  { store, finder }: CorrectedQueryNeeds,
  viewer: Viewer,
  q: string,
  { total, sort, isWidened, isForEach }: Outcome,
): Promise<Corrected | null> {
  if ((total >= ENOUGH_HITS && !isForEach) || isWidened || sort !== "bestmatch" || q.trim() === "") return null;
  const needs = { finder, viewer, place: inField(FIELDS.all), items: store.items };
  return await corrected(needs, q.slice(0, most("queryCharacters")));
}

/** Words as they were typed, and those in their place, as hits are marked by them. */
export const nearestWords = ({ words }: Corrected): ReadonlyMap<string, string> =>
  new Map([...words].map(([typed, meant]) => [bareWord(typed), bareWord(meant)]));

/** Both queries, what was typed first. */
export function bothQueries(typed: PreparedQuery, meant: PreparedQuery): PreparedQuery {
  const both = typedFirst(typed.where, meant);
  const { wider: _wider, ...rest } = typed;
  return both === null ? typed : { ...rest, ...both };
}
