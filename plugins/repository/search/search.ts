// Item search over HTTP (specification 3, "GET /api/{version}/records"; R9, R10, R27, R28): headers and body as the
// specification has them.
import { Elysia } from "elysia";
import { isYes, parametersOf } from "../../../src/repository/search/query/parameters.ts";
import type { RecordSearch, SearchedRecords } from "../../../src/repository/search/query/record-search.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { answerInPieces, JSON_TYPE, queryOf, withMembers } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { recordsDialect, requireVersion } from "../errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { SEARCH_DETAIL } from "./search-document.ts";

export type RecordSearchRoutesNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyone">;
  readonly records: Pick<RecordSearch, "search">;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "records";
const SCOPES = ["item:read"];
const HEADERS = {
  "content-type": JSON_TYPE,
  "cache-control": "no-store",
  pragma: "no-cache",
  expires: "0",
  vary: "Authorization, Accept-Language",
};

export const recordSearchRoutes = ({ guard, records }: RecordSearchRoutesNeeds) =>
  new Elysia({ name: "record-search", prefix: "/api" }).use(errors(recordsDialect)).get(
    "/:version/records",
    async ({ request, params }) => {
      requireVersion(params.version);
      const viewer = await guard.anyone(request, GROUP, SCOPES);
      const parameters = parametersOf(queryOf(request));
      const language = wantedLanguage(request.headers.get("accept-language"), "en");
      const found = await records.search(viewer, parameters, language);
      return await answerInPieces(request, bodyOf(found, isYes(parameters, "pretty")), HEADERS);
    },
    { detail: SEARCH_DETAIL },
  );

/** A hit at a time: a page of ten thousand is never whole in memory. */
function bodyOf(found: SearchedRecords, pretty: boolean): AsyncGenerator<string> {
  const { total, count, cursor, page, hits, aggregations } = found;
  const frame = { total_results: total, count_results: count, cursor, page, search_results: [], aggregations };
  return withMembers(frame, hits, { depth: 1, pretty });
}
