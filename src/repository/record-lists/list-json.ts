// A list of records as the interface writes it (R37; reference 1.1): hits with their total, facets, and where the page
// before and behind is found.

import type { Static } from "@sinclair/typebox";
import { maybe } from "../../shared/objects.ts";
import type { RecordListShape } from "../records/record-shape.ts";
import { WINDOW } from "./list-parameters.ts";
import type { ListedRecords } from "./record-lists.ts";

type RecordList = Static<typeof RecordListShape>;

/**
 * Everything but the hits, which belong in the first empty list. `path`: of the list, with the address of the
 * repository. `meant`: the query with the nearest words that records have.
 */
export function listFrame(
  listed: ListedRecords,
  path: string,
  sent: URLSearchParams,
  meant: string | null,
): RecordList {
  const { total, aggregations, sort, page } = listed;
  return {
    hits: { hits: [], total },
    ...maybe("aggregations", aggregations),
    sortBy: sort,
    page,
    links: listLinks(listed, path, sent),
    ...(meant === null ? {} : { did_you_mean: meant }),
  };
}

/** Parameters in the order of their names, as clients compare them. */
function listLinks({ total, page, size, sort }: ListedRecords, path: string, sent: URLSearchParams) {
  const link = (number: number): string => {
    const query = new URLSearchParams(sent);
    query.set("page", String(number));
    query.set("size", String(size));
    query.set("sort", sort);
    query.sort();
    return `${path}?${query}`;
  };
  return {
    ...(page > 1 ? { prev: link(page - 1) } : {}),
    self: link(page),
    ...(page * size < total && (page + 1) * size <= WINDOW ? { next: link(page + 1) } : {}),
  };
}
