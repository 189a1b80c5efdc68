// Facets as counted by the server: the commonest values, their figures, ranges, and the ways of asking that were seen.
import type { Collection, Stored } from "./collection.ts";
import { listOf, type Parameters } from "./parameters.ts";
import type { Field } from "./schema.ts";
import { normalToken } from "./tokens.ts";
import { Refused, unseen } from "./unseen.ts";

type Counted = { readonly value: string; readonly count: number };
type Range = { readonly label: string; readonly from: number; readonly to: number };

const NUMERIC: readonly string[] = ["int32", "int64", "int64[]", "float"];
const DEFAULT_VALUES = "10";

/** `a,b(x:[1, 2], y:[2, 3])` cut at commas outside parentheses. */
const facetsOf = (text: string): string[] =>
  text === "" ? [] : text.split(/,(?![^(]*\))/).map((facet) => facet.trim());

/** Ties have no defined order on a real server. */
function countsOf(hits: readonly Stored[], field: Field): Counted[] {
  const counts = new Map<string, number>();
  for (const { document } of hits) {
    const values = new Set([document[field.name] ?? []].flat().map(String));
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? 1 : -1));
}

/** Average and sum are of the values that are kept, the least and the greatest of all. */
function figures(counted: readonly Counted[], all: readonly Counted[]): object {
  const sum = counted.reduce((total, { value, count }) => total + Number(value) * count, 0);
  const documents = counted.reduce((total, { count }) => total + count, 0);
  const values = all.map(({ value }) => Number(value));
  return documents === 0 ? {} : { avg: sum / documents, max: Math.max(...values), min: Math.min(...values), sum };
}

function rangesOf(text: string): Range[] {
  const ranges = [...text.matchAll(/(\w+):\[(\d+), (\d+)\]/g)];
  return ranges.map(([, label = "", from, to]) => ({ label, from: Number(from), to: Number(to) }));
}

/** Undercounts as the server does: only the commonest values are summed. */
const ranged = (kept: readonly Counted[], ranges: readonly Range[]): Counted[] =>
  ranges
    .map(({ label, from, to }) => {
      const inside = kept.filter(({ value }) => Number(value) >= from && Number(value) < to);
      return { value: label, count: inside.reduce((total, { count }) => total + count, 0) };
    })
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);

function oneFacet(text: string, collection: Collection, hits: readonly Stored[], parameters: Parameters): object {
  const [, name = "", options] = /^(\w+)(?:\((.*)\))?$/.exec(text) ?? unseen(`the facet "${text}"`);
  const field = collection.fieldOf(name);
  if (field?.facet !== true) throw new Refused(404, `Could not find a facet field named \`${name}\` in the schema.`);
  const most = Number(parameters.max_facet_values ?? DEFAULT_VALUES);
  const ranges = rangesOf(options ?? "");
  if (options !== undefined && ranges.length === 0 && options !== "sort_by: _alpha:asc") unseen(`the facet "${text}"`);
  const [, start] = new RegExp(`^${name}:(\\w+)$`).exec(parameters.facet_query ?? "") ?? [];
  const all = countsOf(hits, field).filter(({ value }) => start === undefined || normalToken(value).startsWith(start));
  const kept = all.slice(0, most);
  if (options !== undefined && ranges.length === 0) kept.sort((a, b) => (a.value < b.value ? -1 : 1));
  const shown = ranges.length > 0 ? ranged(kept, ranges) : kept;
  const total = most === 0 ? all.length : shown.length;
  return {
    counts: shown.map(({ value, count }) => ({ count, highlighted: marked(value, ranges.length > 0, start), value })),
    field_name: name,
    sampled: false,
    stats: { ...(NUMERIC.includes(field.type) ? figures(kept, all) : {}), total_values: total },
  };
}

function marked(value: string, isRange: boolean, start: string | undefined): string {
  if (isRange) return "";
  return start === undefined ? value : `<mark>${value.slice(0, start.length)}</mark>${value.slice(start.length)}`;
}

export function readFacets(collection: Collection, parameters: Parameters): (hits: readonly Stored[]) => object[] {
  const facets = facetsOf(parameters.facet_by ?? "");
  for (const facet of facets) oneFacet(facet, collection, [], parameters);
  for (const name of listOf(parameters.group_by)) {
    if (collection.fieldOf(name)?.facet !== true) {
      throw new Refused(400, `Group by field \`${name}\` should be a facet field.`);
    }
  }
  return (hits) => facets.map((facet) => oneFacet(facet, collection, hits, parameters));
}
