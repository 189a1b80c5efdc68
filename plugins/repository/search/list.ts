// Lists of search hits over HTTP (specification 3, "POST /api/{version}/records/list"; R9, R29).
import { Elysia } from "elysia";
import { badBody, readListColumns } from "../../../src/repository/search/detail/list-columns.ts";
import type { ListExport } from "../../../src/repository/search/detail/list-export.ts";
import { parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { isRefusal } from "../../../src/shared/refusal.ts";
import { answerInPieces, queryOf } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { recordsDialect, requireVersion } from "../errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { isUnchanged, validatorHeaders } from "../record-dialect.ts";
import { LIST_DETAIL } from "./list-document.ts";

type RecordListNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyone" | "json">;
  readonly lists: ListExport;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "records";
const SCOPES = ["item:read"];
/** Columns are lists of objects of objects. */
const DEEPEST = 10;
const DIGITS = 32;

export const recordList = ({ guard, lists }: RecordListNeeds) =>
  new Elysia({ name: "record-list", prefix: "/api" }).use(errors(recordsDialect)).post(
    "/:version/records/list",
    async ({ request, params }) => {
      requireVersion(params.version);
      const viewer = await guard.anyone(request, GROUP, SCOPES);
      const language = wantedLanguage(request.headers.get("accept-language"), "en");
      const columns = readListColumns(await sentColumns(guard, request));
      const asked = { viewer, parameters: parametersOf(queryOf(request)), columns, language };
      const { state, changedAt, lines } = await lists.list(asked);
      const validators = { etag: `"${state.slice(0, DIGITS)}"`, changedAt };
      const headers = validatorHeaders(validators);
      if (isUnchanged(request, validators)) return new Response(null, { status: 304, headers });
      headers.set("content-type", "text/tab-separated-values; charset=utf-8");
      headers.set("content-disposition", 'attachment; filename="search_result.tsv"');
      headers.set("x-content-type-options", "nosniff");
      return await answerInPieces(request, lines, headers);
    },
    { parse: "none", detail: LIST_DETAIL },
  );

async function sentColumns(guard: RecordListNeeds["guard"], request: Request): Promise<unknown> {
  try {
    return await guard.json(request, DEEPEST);
  } catch (error) {
    throw isRefusal(error, "invalid") ? badBody(error.message) : error;
  }
}
