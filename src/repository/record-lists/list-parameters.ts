// What a list of records is asked for (R10, R37; reference 1.1, 2.6): parameters as clients of existing record
// repositories send them.

import { Type } from "@sinclair/typebox";
import type { QueryReader } from "../../model/input/list-parameters.ts";
import { type FieldError, RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import { Refusal } from "../../shared/refusal.ts";
import { wordOf } from "../../shared/shapes.ts";
import { RECORD_SORTS } from "../search/detail/record-schema.ts";
import type { SortBy } from "../search/index/index-port.ts";
import { SORTS } from "../search/settings/search-schema.ts";
import { FACET_NAMES, type FacetName } from "./facets.ts";

/** Of what was made in one moment. */
const FIRST_NUMBER = { field: "id", descending: false } as const;

/** Each with what it sorts by; `bestmatch` is what the words of the query make it. */
const SORT_OPTIONS = {
  bestmatch: [],
  newest: [{ field: SORTS.created, descending: true }],
  oldest: [{ field: SORTS.created, descending: false }, FIRST_NUMBER],
  "updated-desc": [{ field: RECORD_SORTS.changed, descending: true }],
  "updated-asc": [{ field: RECORD_SORTS.changed, descending: false }, FIRST_NUMBER],
  version: [{ field: RECORD_SORTS.version, descending: true }],
  mostviewed: [{ field: RECORD_SORTS.views, descending: true }],
  mostdownloaded: [{ field: RECORD_SORTS.downloads, descending: true }],
} as const satisfies Readonly<Record<string, readonly SortBy[]>>;
export type SortOption = keyof typeof SORT_OPTIONS;

/** The default order of a list, with words and without. */
export type SortDefaults = { readonly withQuery: SortOption; readonly without: SortOption };

export type ListRequest = {
  readonly q: string;
  readonly sort: SortOption;
  readonly page: number;
  readonly size: number;
  readonly allVersions: boolean;
  /** Null: not specified. */
  readonly sharedWithMe: boolean | null;
  readonly chosen: ReadonlyMap<FacetName, readonly string[]>;
};

/** Hits of a page where no size is asked for. */
const LIST_SIZE = 25;
/** Hits that are reached by the number of a page (R10). */
export const WINDOW = 10_000;
/** Most values of facets that are read. */
const CHOSEN = 100;

export const sortBy = (option: SortOption): readonly SortBy[] => SORT_OPTIONS[option];

export const invalidQuery = (errors: readonly FieldError[] = []): Refusal =>
  new Refusal("invalid", RECORD_SENTENCES.query, errors.length === 0 ? {} : { detail: { errors } });

/** What each facet takes. */
const FACET_WORDS: Readonly<Record<FacetName, string>> = {
  publication_date: "A year, a month, a day, or a range as 2014..2020",
  access_status: "open, embargoed, restricted, metadata-only",
  file_type: "The end of a file's name: pdf",
  resource_type: "publication, or publication::publication-article",
  language: "ISO 639-3",
  subject: "A subject, as it is written",
  is_published: "true, false",
};

/** The parameters of a list, with those of the facets it counts. */
export function listQuery(defaults: SortDefaults, facets: readonly FacetName[]): QueryReader<ListRequest> {
  const sorts = Object.keys(SORT_OPTIONS);
  const text = (name: string, description: string) => ({ name, description, schema: Type.String() });
  const flag = (name: string, description: string) => ({ name, description, schema: Type.Boolean({ default: false }) });
  const filters = [
    flag("allversions", "Also versions that are not the latest"),
    ...facets.map((name) => text(name, FACET_WORDS[name])),
    text("f", "A facet and its value with a colon between them, as pages write them"),
  ];
  return {
    parameters: [
      text(
        "q",
        "A query in Lucene's manner (docs/record-search.md): words, phrases, fields, ranges, patterns. Text that is not a query is read as words",
      ),
      {
        name: "size",
        description: `Records of a page; page times size is ${WINDOW} at most`,
        schema: Type.Integer({ minimum: 1, maximum: WINDOW, default: LIST_SIZE }),
      },
      { name: "page", description: "Page, from 1", schema: Type.Integer({ minimum: 1, maximum: WINDOW, default: 1 }) },
      { name: "sort", description: "Order", schema: wordOf(sorts) },
      ...(facets.length === 0 ? [] : filters),
      ...(facets.includes("is_published")
        ? [flag("shared_with_me", "What others share with the caller, in place of the caller's own")]
        : []),
    ],
    read: (parameters) => listRequest(parameters, defaults),
  };
}

/** Records that are about the same as another, where no size is asked for, and at most. */
const SIMILAR = { size: 10, most: 25 } as const;

/** The parameter of the list of similar records. */
export const SIMILAR_QUERY: QueryReader<{ readonly size: number }> = {
  parameters: [
    {
      name: "size",
      description: "Records at most",
      schema: Type.Integer({ minimum: 1, maximum: SIMILAR.most, default: SIMILAR.size }),
    },
  ],
  read(parameters) {
    const written = parameters.get("size") ?? String(SIMILAR.size);
    const size = /^\d{1,9}$/.test(written) ? Number(written) : 0;
    if (size >= 1 && size <= SIMILAR.most) return { size };
    throw invalidQuery([
      { field: "size", messages: [`Must be greater than or equal to 1 and less than or equal to ${SIMILAR.most}.`] },
    ]);
  },
};

/** Unknown parameters are ignored. @throws Refusal `invalid`, naming every parameter that is wrong */
export function listRequest(sent: URLSearchParams, defaults: SortDefaults): ListRequest {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): void => void errors.push({ field, messages: [message] });
  const number = (name: string, otherwise: number): number => {
    const written = sent.get(name);
    if (written === null) return otherwise;
    if (!/^[+-]?\d{1,15}$/.test(written.trim())) wrong(name, "Not a valid integer.");
    else if (Number(written) < 1) wrong(name, "Must be greater than or equal to 1.");
    else return Number(written);
    return otherwise;
  };
  const yes = (name: string): boolean | null => {
    const written = sent.get(name);
    if (written === null) return null;
    if (!Object.hasOwn(YES, written.toLowerCase())) wrong(name, "Not a valid boolean.");
    return YES[written.toLowerCase()] ?? null;
  };
  const q = sent.get("q") ?? "";
  if ((sent.get("suggest") ?? "") !== "") wrong("suggest", "Invalid 'suggest' parameter.");
  const [page, size] = [number("page", 1), number("size", LIST_SIZE)];
  if (page * size > WINDOW) wrong("page", "Invalid pagination parameters.");
  const request = {
    q,
    page,
    size,
    allVersions: yes("allversions") === true,
    sharedWithMe: yes("shared_with_me"),
    sort: sortIn(sent.get("sort"), q.trim() !== "", defaults, wrong),
    chosen: chosenIn(sent),
  };
  if (errors.length > 0) throw invalidQuery(errors);
  return request;
}

const YES: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  yes: true,
  y: true,
  on: true,
  "1": true,
  false: false,
  f: false,
  no: false,
  n: false,
  off: false,
  "0": false,
};

/** Without words nothing is the best match. */
function sortIn(
  written: string | null,
  hasQuery: boolean,
  { withQuery, without }: SortDefaults,
  wrong: (field: string, message: string) => void,
): SortOption {
  if (written === null || written === "") return hasQuery ? withQuery : without;
  const option = (Object.keys(SORT_OPTIONS) as SortOption[]).find((each) => each === written);
  if (option === undefined) wrong("sort", `Invalid sort option '${written.slice(0, 100)}'.`);
  return option === undefined || (option === "bestmatch" && !hasQuery) ? without : option;
}

const INNER = "+inner:";

/**
 * `resource_type=publication::publication-article`, or as pages write it:
 * `f=resource_type:publication+inner:publication-article`.
 */
function chosenIn(sent: URLSearchParams): ReadonlyMap<FacetName, readonly string[]> {
  const chosen = new Map<FacetName, string[]>();
  let read = 0;
  const choose = (name: string, value: string): void => {
    const facet = FACET_NAMES.find((each) => each === name);
    if (facet === undefined || value === "" || read >= CHOSEN) return;
    read += 1;
    chosen.set(facet, [...(chosen.get(facet) ?? []), value]);
  };
  for (const [name, value] of sent) {
    if (name !== "f") {
      choose(name, value);
      continue;
    }
    const [facet = "", ...rest] = value.split(":");
    choose(facet, rest.join(":").replace(INNER, "::").replace(" inner:", "::"));
  }
  return chosen;
}
