// Facets of lists of records (R28, R37; reference 2.6): what is counted, chosen and called how. Pure.

import type { Static } from "@sinclair/typebox";
import type { RecordListShape } from "../records/record-shape.ts";
import { RECORD_FACETS } from "../search/detail/record-schema.ts";
import { facetKey } from "../search/document/keys.ts";
import { NESTED } from "../search/document/record-fields.ts";
import type { Condition } from "../search/index/index-port.ts";
import { conditionOf } from "../search/lucene/conditions.ts";
import type { LuceneQuery } from "../search/lucene/query.ts";
import type { SearchPage } from "../search/query/finder.ts";
import { allOf, anyOf, NOTHING } from "../search/query/query-text.ts";

export const FACET_NAMES = [
  "publication_date",
  "access_status",
  "file_type",
  "resource_type",
  "language",
  "subject",
  "is_published",
] as const;
export type FacetName = (typeof FACET_NAMES)[number];

/** Values of a facet that are shown, and years of a histogram. */
const SHOWN = 10;
const YEARS = 500;
/** More are asked for: engines order those that are as common by other letters than people do. */
const ASKED = 100;

type Facet = { readonly label: string; readonly field: string; readonly inner?: string };
const FACETS: Readonly<Record<FacetName, Facet>> = {
  publication_date: { label: "Publication date", field: RECORD_FACETS.year },
  access_status: { label: "Access status", field: RECORD_FACETS.access },
  file_type: { label: "File type", field: RECORD_FACETS.fileType },
  resource_type: { label: "Resource types", field: RECORD_FACETS.type, inner: RECORD_FACETS.subtype },
  language: { label: "Languages", field: RECORD_FACETS.language },
  subject: { label: "Subjects", field: RECORD_FACETS.subject },
  is_published: { label: "Status", field: RECORD_FACETS.published },
};

/** Words for values that no vocabulary has. */
const LABELS: Readonly<Partial<Record<FacetName, Readonly<Record<string, string>>>>> = {
  access_status: {
    open: "Open",
    embargoed: "Embargoed",
    restricted: "Restricted",
    "metadata-only": "Metadata-only",
  },
  is_published: { true: "Published", false: "Unpublished" },
};

/** The vocabulary whose titles a facet shows. */
export const FACET_VOCABULARIES: Readonly<Partial<Record<FacetName, string>>> = {
  resource_type: "resourcetypes",
  language: "languages",
};

export const fieldsOf = (names: readonly FacetName[]): { readonly field: string; readonly size: number }[] =>
  names.flatMap((name) => {
    const { field, inner } = FACETS[name];
    const size = name === "publication_date" ? YEARS : ASKED;
    return [{ field, size }, ...(inner === undefined ? [] : [{ field: inner, size: 2 * ASKED }])];
  });

// --- what was chosen

/** Values of one facet by OR, facets by AND; null: nothing was chosen. Facets that a list does not have are ignored. */
export function chosenCondition(
  chosen: ReadonlyMap<FacetName, readonly string[]>,
  names: readonly FacetName[],
): Condition | null {
  const all = [...chosen].flatMap(([name, values]) => (names.includes(name) ? [conditionFor(name, values)] : []));
  return all.length === 0 ? null : allOf(all);
}

const keyed = (field: string, values: readonly string[]): Condition => ({
  kind: "key",
  field,
  anyOf: values.map(facetKey),
});

function conditionFor(name: FacetName, values: readonly string[]): Condition {
  if (name === "publication_date") return anyOf(values.map(inYears));
  if (name === "resource_type") return ofTypes(values);
  const { field } = FACETS[name];
  return keyed(field, name === "file_type" ? values.map((value) => value.toLowerCase()) : values);
}

/** Of a kind of which kinds were chosen only these; of others all. */
function ofTypes(values: readonly string[]): Condition {
  const kinds = new Map<string, string[]>();
  for (const value of values) {
    const [kind = "", ...inner] = value.split(NESTED);
    const last = inner.at(-1);
    kinds.set(kind, [...(kinds.get(kind) ?? []), ...(last === undefined ? [] : [`${kind}${NESTED}${last}`])]);
  }
  return anyOf(
    [...kinds].map(([kind, subtypes]) =>
      subtypes.length === 0 ? keyed(RECORD_FACETS.type, [kind]) : keyed(RECORD_FACETS.subtype, subtypes),
    ),
  );
}

/** `2017`, `2017-03`, `2014..2020`, `..2020`, `(2014..2020]`. */
const YEARS_WRITTEN = /^([([])?([\d-]{0,10})\.\.([\d-]{0,10})([)\]])?$/;

function inYears(value: string): Condition {
  const [, open, from, to, close] = YEARS_WRITTEN.exec(value.trim()) ?? [];
  if (from === undefined || to === undefined) return onDay({ kind: "word", text: value.trim() });
  if (from === "" && to === "") return NOTHING;
  return onDay({
    kind: "range",
    from: { value: from === "" ? null : from, included: open !== "(" },
    to: { value: to === "" ? null : to, included: close !== ")" },
  });
}

const onDay = (of: LuceneQuery): Condition =>
  conditionOf(
    { kind: "field", path: "metadata.publication_date", of },
    { expanded: () => [], communityOf: () => null, isExact: true },
  );

// --- what was counted

export type Aggregations = NonNullable<Static<typeof RecordListShape>["aggregations"]>;
type Bucket = Aggregations[string]["buckets"][number];

type FacetCount = SearchPage["facets"][number];
/** `titles`: of entries of a vocabulary, by its name and their id. */
export type Titles = (vocabulary: string, id: string) => string | undefined;

/** In the order of `fieldsOf`. */
export function aggregationsOf(
  names: readonly FacetName[],
  counts: SearchPage["facets"],
  chosen: ReadonlyMap<FacetName, readonly string[]>,
  titles: Titles,
): Aggregations {
  let at = 0;
  return Object.fromEntries(
    names.map((name) => {
      const { label, inner } = FACETS[name];
      const counted = counts[at++] ?? [];
      const nested = inner === undefined ? [] : (counts[at++] ?? []);
      const selected = new Set(chosen.get(name) ?? []);
      const buckets = name === "publication_date" ? histogram(counted) : mostCommon(counted);
      const labelled = buckets.map(({ key, count }): Bucket => {
        const bucket = bucketOf(name, key, key, count, selected, titles);
        return inner === undefined ? bucket : { ...bucket, inner: innerOf(name, key, nested, selected, titles) };
      });
      return [name, { buckets: labelled, label }];
    }),
  );
}

type Value = { readonly key: string; readonly count: number };

const mostCommon = (counted: FacetCount): readonly Value[] =>
  counted
    .map(({ label: key, count }) => ({ key, count }))
    .sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
    .slice(0, SHOWN);

/**
 * Every year from the first to the last, also those in which nothing was published; where they are too many, those that
 * have something.
 */
function histogram(counted: FacetCount): readonly Value[] {
  const counts = new Map(counted.map(({ label, count }) => [Number(label), count]));
  const years = [...counts.keys()].sort((one, other) => one - other);
  const [first = 0, last = 0] = [years[0], years.at(-1)];
  const all =
    years.length === 0 || last - first >= YEARS
      ? years
      : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return all.map((year) => ({ key: String(year).padStart(4, "0"), count: counts.get(year) ?? 0 }));
}

function innerOf(
  name: FacetName,
  kind: string,
  nested: FacetCount,
  selected: ReadonlySet<string>,
  titles: Titles,
): NonNullable<Bucket["inner"]> {
  const start = `${kind}${NESTED}`;
  const own = mostCommon(nested.filter(({ label }) => label.startsWith(start)));
  return {
    buckets: own.map(({ key, count }) => bucketOf(name, key.slice(start.length), key, count, selected, titles)),
  };
}

function bucketOf(
  name: FacetName,
  key: string,
  whole: string,
  count: number,
  selected: ReadonlySet<string>,
  titles: Titles,
): Bucket {
  const vocabulary = FACET_VOCABULARIES[name];
  const named = vocabulary === undefined ? undefined : titles(vocabulary, key);
  const label = named ?? LABELS[name]?.[key] ?? (name === "file_type" ? key.toUpperCase() : key);
  return { key, doc_count: count, label, is_selected: selected.has(whole) };
}
