// Item search over HTTP (specification 3, "GET /api/{version}/records"; R9, R10, R27, R28): headers and body as the
// specification has them.
import { isYes } from "../../../src/repository/search/query/parameters.ts";
import {
  FoundShape,
  type RecordSearch,
  type SearchedRecords,
} from "../../../src/repository/search/query/record-search.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { answerInPieces, JSON_TYPE, withMembers } from "../../http/answer.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { itemGroup, LANGUAGE, SEARCH_QUERY } from "./search-parameters.ts";

const HEADERS = {
  "content-type": JSON_TYPE,
  "cache-control": "no-store",
  pragma: "no-cache",
  expires: "0",
  vary: "Authorization, Accept-Language",
};

const { get } = endpointsOf<Pick<RecordSearch, "search">>();

const ENDPOINTS = [
  get("/records", {
    id: "searchRecords",
    summary: "Find items",
    description:
      "Items that the caller may read, in the RO-Crate form of their item types. Different parameters are AND. The English name of a facet is a parameter too: its value is compared exactly, the same facet repeated is OR.",
    query: SEARCH_QUERY,
    headers: LANGUAGE,
    answer: {
      status: 200,
      description: "What was found",
      schema: FoundShape,
      headers: {
        "Cache-Control": { description: "no-store", schema: { type: "string" } },
        Pragma: { description: "no-cache", schema: { type: "string" } },
        Expires: { description: "0", schema: { type: "string" } },
      },
    },
    async run(records, { viewer, request, query }) {
      const parameters = query();
      const language = wantedLanguage(request.headers.get("accept-language"), "en");
      const found = await records.search(viewer, parameters, language);
      return await answerInPieces(request, bodyOf(found, isYes(parameters, "pretty")), HEADERS);
    },
  }),
];

/** A hit at a time: a page of ten thousand is never whole in memory. */
function bodyOf(found: SearchedRecords, pretty: boolean): AsyncGenerator<string> {
  const { total, count, cursor, page, hits, aggregations } = found;
  const frame = { total_results: total, count_results: count, cursor, page, search_results: [], aggregations };
  return withMembers(frame, hits, { depth: 1, pretty });
}

type Needs = { readonly guard: EndpointGuard; readonly records: Pick<RecordSearch, "search"> };

export const recordSearchRoutes = ({ guard, records }: Needs) =>
  mountEndpoints(itemGroup("record-search"), ENDPOINTS, records, guard);
