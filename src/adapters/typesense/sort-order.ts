// The order of hits (R28): by more values than Typesense sorts by, with the number of the item last.
import type { SortValue } from "../../repository/search/document/document.ts";
import type { Place, SortBy } from "../../repository/search/index/index-port.ts";
import { NUMBER_OF_ITEM, placeOf, sortField } from "./collections.ts";
import type { Members } from "./server.ts";

/** Sort fields of one search; the number is one of them where the order has to be complete. */
export const MAX_SORTS = 3;

export const compareValues = (left: SortValue, right: SortValue): number => (left < right ? -1 : left > right ? 1 : 0);

/** A name of a field behind the number decides nothing. */
export function withoutRest(sort: readonly SortBy[]): readonly SortBy[] {
  const last = sort.findIndex(({ field }) => field === "id");
  return last < 0 ? sort : sort.slice(0, last + 1);
}

const BY_NUMBER: SortBy = { field: "id", descending: true };

/** With the number at the end, which decides where everything else is equal. */
export const numbered = (sort: readonly SortBy[]): readonly SortBy[] =>
  sort.some(({ field }) => field === "id") ? sort : [...sort, BY_NUMBER];

export const sortText = (sort: readonly SortBy[]): string =>
  sort
    .map(
      ({ field, descending }) => `${field === "id" ? NUMBER_OF_ITEM : sortField(field)}:${descending ? "desc" : "asc"}`,
    )
    .join(",");

function comparePlaces(sort: readonly SortBy[], left: Place, right: Place): number {
  for (const [at, { descending }] of sort.entries()) {
    const way = compareValues(left.sort[at] ?? 0, right.sort[at] ?? 0);
    if (way !== 0) return descending ? -way : way;
  }
  return 0;
}

export const sortedBy = (sort: readonly SortBy[], hits: readonly Members[]): readonly Members[] =>
  hits
    .map((hit) => ({ hit, place: placeOf(hit, sort) }))
    .sort((left, right) => comparePlaces(sort, left.place, right.place))
    .map(({ hit }) => hit);

/** Hits with the same values, of which the first has this place in the list. */
type HitGroup = { readonly at: number; size: number; readonly values: readonly SortValue[] };

/** Hits one after the other that have the same values. */
export function groupsOf(hits: readonly Members[], sort: readonly SortBy[]): readonly HitGroup[] {
  const groups: HitGroup[] = [];
  for (const [at, hit] of hits.entries()) {
    const { sort: values } = placeOf(hit, sort);
    const last = groups.at(-1);
    if (last?.values.every((value, place) => value === values[place])) last.size += 1;
    else groups.push({ at, size: 1, values });
  }
  return groups;
}
