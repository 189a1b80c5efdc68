// The parameters of lists in the records interface (R37; reference 1.1): q, size, page, sort, and the links to the
// pages before and after.

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Refusal } from "../../shared/refusal.ts";
import { manyOf, membersOf } from "../../shared/shapes.ts";
import type { FieldError } from "./record-refusals.ts";
import { RECORD_SENTENCES } from "./record-refusals.ts";

/** At most this many hits can be paged through; a narrower query finds the others. */
const LIST_WINDOW = 10_000;
/** Hits of one page. */
const PAGE_MOST = 1_000;
const PAGE_DEFAULT = 25;

type Sorts<Sort extends string> = {
  readonly sorts: readonly Sort[];
  /** Sort orders with a query, and without one. */
  readonly found: Sort;
  readonly all: Sort;
};

export type PageRequest<Sort extends string> = {
  readonly q: string;
  readonly size: number;
  /** From 1. */
  readonly page: number;
  readonly sort: Sort;
};

/** A parameter of an address, as the interface description has it. */
export type ParameterDescription = { readonly name: string; readonly description: string; readonly schema: TSchema };

/** Parameters of an address: how they are described, and how they are read. */
export type QueryReader<T> = {
  readonly parameters: readonly ParameterDescription[];
  /** @throws Refusal `invalid` naming every parameter that is wrong */
  readonly read: (parameters: URLSearchParams) => T;
};

/** The parameters of a page: `q`, `size`, `page`, `sort`. */
export function pageQuery<Sort extends string>(sorts: Sorts<Sort>): QueryReader<PageRequest<Sort>> {
  const size = Type.Integer({ minimum: 1, maximum: PAGE_MOST, default: PAGE_DEFAULT });
  return {
    parameters: [
      { name: "q", description: "The query", schema: Type.String() },
      { name: "size", description: "Hits of a page", schema: size },
      {
        name: "page",
        description: "Page, from 1; at most 10,000 hits can be read",
        schema: Type.Integer({ minimum: 1, default: 1 }),
      },
      {
        name: "sort",
        description: "Order",
        schema: Type.Unsafe<Sort>({ type: "string", enum: [...sorts.sorts] }),
      },
    ],
    read: (parameters) => readPageRequest(parameters, sorts),
  };
}

/** The parameters of a page of a list that is not searched, first in the first order. */
export function unsearchedPageQuery<Sort extends string>(
  sorts: readonly [Sort, ...Sort[]],
): QueryReader<PageRequest<Sort>> {
  const { parameters, read } = pageQuery({ sorts, found: sorts[0], all: sorts[0] });
  return { parameters: parameters.filter(({ name }) => name !== "q"), read };
}

/** The parameters of `query`, and choices of several: `name=a,b` or `name=a&name=b`. `choices`: what each means. */
export function withChoices<T, Name extends string>(
  query: QueryReader<T>,
  choices: Readonly<Record<Name, string>>,
): QueryReader<T & { readonly [K in Name]?: readonly string[] | undefined }> {
  const names = Object.keys(choices) as Name[]; // the keys of the table
  return {
    parameters: [
      ...query.parameters,
      ...names.map((name) => ({ name, description: choices[name], schema: Type.String() })),
    ],
    read: (parameters) => ({
      ...query.read(parameters),
      // Each name has what was chosen under it.
      ...(Object.fromEntries(names.map((name) => [name, chosen(parameters, name)])) as {
        readonly [K in Name]?: readonly string[] | undefined;
      }),
    }),
  };
}

export const invalidQuery = (errors: readonly FieldError[]): Refusal =>
  new Refusal("invalid", RECORD_SENTENCES.query, { detail: { errors } });

/**
 * @param others what is wrong with other parameters
 * @throws Refusal `invalid` naming every parameter that is wrong, and for pages after the window.
 */
export function readPageRequest<Sort extends string>(
  parameters: URLSearchParams,
  { sorts, found, all }: Sorts<Sort>,
  others: readonly FieldError[] = [],
): PageRequest<Sort> {
  const errors = [...others];
  const number = (name: string, fallback: number, most: number): number => {
    const text = parameters.get(name);
    if (text === null || text === "") return fallback;
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= 1 && value <= most) return value;
    errors.push({ field: name, messages: [`Must be greater than or equal to 1 and less than or equal to ${most}.`] });
    return fallback;
  };
  const q = (parameters.get("q") ?? "").trim();
  const size = number("size", PAGE_DEFAULT, PAGE_MOST);
  const page = number("page", 1, LIST_WINDOW);
  if (errors.length === 0 && size * page > LIST_WINDOW) {
    errors.push({ field: "page", messages: [`size multiplied by page may be ${LIST_WINDOW} at most.`] });
  }
  const asked = parameters.get("sort") ?? "";
  const sort = asked === "" ? (q === "" ? all : found) : sorts.find((each) => each === asked);
  if (sort === undefined) errors.push({ field: "sort", messages: [`Must be one of: ${sorts.join(", ")}.`] });
  if (errors.length > 0 || sort === undefined) throw invalidQuery(errors);
  return { q, size, page, sort };
}

/** A choice of several, as `name=a&name=b` or `name=a,b`; undefined where none is set. */
export function chosen(parameters: URLSearchParams, name: string): readonly string[] | undefined {
  const values = parameters.getAll(name).flatMap((each) => each.split(","));
  const named = [...new Set(values.map((each) => each.trim()).filter((each) => each !== ""))];
  return named.length === 0 ? undefined : named.slice(0, 100);
}

/**
 * `self`, and the pages before and after, where they exist. `parameters`: the request's others than page, size and
 * sort.
 */
export function pageLinks(
  address: string,
  { q, size, page, sort }: PageRequest<string>,
  total: number,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Static<typeof LinksShape> {
  const link = (number: number): string => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...parameters, page: String(number), q, size: String(size), sort })) {
      if (value !== undefined && value !== "") query.set(name, value);
    }
    return `${address}?${query}`;
  };
  const last = Math.min(Math.ceil(total / size), Math.floor(LIST_WINDOW / size));
  return {
    self: link(page),
    ...(page > 1 ? { prev: link(page - 1) } : {}),
    ...(page < last ? { next: link(page + 1) } : {}),
  };
}

const LinksShape = Type.Object(
  { self: Type.String(), prev: Type.Optional(Type.String()), next: Type.Optional(Type.String()) },
  { $id: "PageLinks" },
);

const BUCKET = {
  key: Type.String(),
  doc_count: Type.Integer(),
  label: Type.String(),
  is_selected: Type.Boolean(),
};

/** A count by value, as facets are shown. */
const FacetShape = Type.Object(
  {
    buckets: manyOf(
      Type.Object({ ...BUCKET, inner: Type.Optional(Type.Object({ buckets: manyOf(Type.Object(BUCKET)) })) }),
    ),
    label: Type.String(),
  },
  { $id: "Facet" },
);

/** Of a list of hits, as `did_you_mean`. */
export const CorrectionShape = Type.Optional(
  Type.String({
    description: "Where little was found: q with the nearest words",
    examples: ["climate change in coastal fisheries"],
  }),
);

/** A page of hits in the records interface. */
export const hitsShape = <T extends TSchema>(hit: T, name: string) =>
  Type.Object(
    {
      hits: Type.Object({ hits: manyOf(hit), total: Type.Integer() }),
      aggregations: Type.Optional(membersOf(FacetShape)),
      sortBy: Type.Optional(Type.String()),
      page: Type.Optional(Type.Integer()),
      links: LinksShape,
    },
    { $id: name },
  );

/** A count by value, as facets are shown. */
export function buckets(
  counts: ReadonlyMap<string, number>,
  label: (key: string) => string,
  selected: readonly string[] = [],
): Pick<Static<typeof FacetShape>, "buckets"> {
  const shown = [...counts]
    .filter(([key]) => key !== "")
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([key, count]) => ({ key, doc_count: count, label: label(key), is_selected: selected.includes(key) }));
  return { buckets: shown };
}
