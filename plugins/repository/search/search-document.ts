// How item search describes itself in the interface description (R27, R32): kept apart from the route.
import { Type } from "@sinclair/typebox";
import { operation, response } from "../../http/document-parts.ts";
import { CONDITIONS, CrateOut, OPEN_TO_GUESTS, PRETTY, RECORDS_REFUSALS, VERSION } from "./detail-document.ts";
import { FILTER_PARAMETERS, PAGE_PARAMETERS } from "./search-parameters.ts";

const FoundOut = Type.Object({
  total_results: Type.Integer({ description: "All hits" }),
  count_results: Type.Integer({ description: "Hits of this answer" }),
  cursor: Type.Union([Type.String(), Type.Null()], { description: "The cursor of the next page; null after the last" }),
  page: Type.Union([Type.Integer(), Type.Null()], { description: "Null where a cursor was followed" }),
  search_results: Type.Array(Type.Object({ id: Type.String(), metadata: CrateOut })),
  aggregations: Type.Record(
    Type.String(),
    Type.Object({ buckets: Type.Array(Type.Object({ key: Type.String(), doc_count: Type.Integer() })) }),
    {
      description: "By the English name of each facet: its values over all hits before facets were chosen, most first",
    },
  ),
});

const NEVER_KEPT = {
  "Cache-Control": { description: "no-store", schema: { type: "string" } },
  Pragma: { description: "no-cache", schema: { type: "string" } },
  Expires: { description: "0", schema: { type: "string" } },
};

const [LANGUAGE] = CONDITIONS;

export const SEARCH_DETAIL = {
  ...operation({
    id: "searchRecords",
    tag: "Records",
    summary: "Find items",
    description:
      "Items that the caller may read, in the RO-Crate form of their item types. Different parameters are AND. The English name of a facet is a " +
      "parameter too: its value is compared exactly, the same facet repeated is OR.\n\nGuests may ask. Scope of a token: `item:read`.",
    parameters: [
      VERSION,
      ...FILTER_PARAMETERS,
      ...PAGE_PARAMETERS,
      PRETTY,
      ...(LANGUAGE === undefined ? [] : [LANGUAGE]),
    ],
    responses: { ...RECORDS_REFUSALS, 200: response("What was found", FoundOut, NEVER_KEPT) },
  }),
  ...OPEN_TO_GUESTS,
};
