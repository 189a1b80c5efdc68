// Lists of search hits over HTTP (specification 3, "POST /api/{version}/records/list"; R9, R29).
import { Type } from "@sinclair/typebox";
import { badBody, LIST_COLUMNS, sentToList } from "../../../src/repository/search/detail/list-columns.ts";
import type { ListExport } from "../../../src/repository/search/detail/list-export.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { isRefusal } from "../../../src/shared/refusal.ts";
import { answerInPieces } from "../../http/answer.ts";
import { type EndpointGroup, type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { isUnchanged, validatorHeaders } from "../record-dialect.ts";
import { CONDITIONS, FILTER_QUERY, itemGroup, VALIDATORS } from "./search-parameters.ts";

/** Columns are lists of objects of objects. */
const DEEPEST = 10;
const DIGITS = 32;

const GROUP: EndpointGroup = {
  ...itemGroup("record-list"),
  async readBody(guard, request) {
    try {
      return await guard.json(request, DEEPEST);
    } catch (error) {
      throw isRefusal(error, "invalid") ? badBody(error.message) : error;
    }
  },
  sent: sentToList,
};

const { post } = endpointsOf<ListExport>();

const ENDPOINTS = [
  post("/records/list", {
    id: "listRecords",
    summary: "All hits of a search as a table",
    description:
      "Streamed, without end: a line of headings, then a line for each hit. A cell has the first value of its key; quotes as in CSV, lines end with a line feed. `page`, `cursor` and `size` are ignored. Conditional requests are answered as those of GET.",
    query: FILTER_QUERY,
    headers: CONDITIONS,
    body: LIST_COLUMNS,
    answer: {
      status: 200,
      description: "The table",
      schema: Type.String(),
      mediaType: "text/tab-separated-values",
      headers: {
        ...VALIDATORS,
        "Content-Disposition": {
          description: 'attachment; filename="search_result.tsv"',
          schema: { type: "string" },
        },
      },
    },
    also: { 304: { description: "The list is as the caller has it", schema: null, headers: VALIDATORS } },
    async run(lists, { viewer, request, query, body }) {
      const language = wantedLanguage(request.headers.get("accept-language"), "en");
      const columns = body();
      const { state, changedAt, lines } = await lists.list({ viewer, parameters: query(), columns, language });
      const validators = { etag: `"${state.slice(0, DIGITS)}"`, changedAt };
      const headers = validatorHeaders(validators);
      if (isUnchanged(request, validators)) return new Response(null, { status: 304, headers });
      headers.set("content-type", "text/tab-separated-values; charset=utf-8");
      headers.set("content-disposition", 'attachment; filename="search_result.tsv"');
      headers.set("x-content-type-options", "nosniff");
      return await answerInPieces(request, lines, headers);
    },
  }),
];

type Needs = { readonly guard: EndpointGuard; readonly lists: ListExport };

export const recordList = ({ guard, lists }: Needs) => mountEndpoints(GROUP, ENDPOINTS, lists, guard);
