// The hits of the search page as a file (issue 26): the same hits in the same order as the page shows them.
import type { SearchShowing } from "../../../src/repository/pages/searching.ts";
import {
  EXPORTED_MOST,
  HIT_FORMATS,
  type HitExport,
  hitFileHeaders,
  hitFormat,
} from "../../../src/repository/search/detail/hit-export.ts";
import { parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { answerInPieces, queryOf } from "../../http/answer.ts";
import { contentIn, queryParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { openPage, type PageNeeds } from "./answers.ts";
import { FORBIDDEN, html, mountPages } from "./page-routes.ts";

export type SearchFilesNeeds = PageNeeds & { readonly searching: SearchShowing; readonly hitExport: HitExport };

const { get } = routesOf<SearchFilesNeeds>();

const ROUTES = [
  get("/search/export", {
    id: "searchFile",
    summary: `The first ${EXPORTED_MOST.toLocaleString("en")} hits of a search as a file`,
    parameters: [
      queryParameter("format", "ris, bibtex, csl or csv", { type: "string" }),
      queryParameter("q", "Words, and every other parameter of the search page", { type: "string" }),
    ],
    answers: {
      200: {
        ...response("The file", null),
        content: contentIn(HIT_FORMATS.map((format) => hitFileHeaders(format)["content-type"]?.split(";", 1)[0] ?? "")),
      },
      ...FORBIDDEN,
      400: html("The search or its format is invalid"),
    },
    run: exported,
  }),
];

export const searchFiles = (needs: SearchFilesNeeds) => mountPages("search-files", ROUTES, needs);

async function exported(needs: SearchFilesNeeds, request: Request): Promise<Response> {
  const { viewer } = await openPage(needs, request, "pages");
  const parameters = parametersOf(queryOf(request));
  const format = hitFormat(parameters.get("format")?.[0] ?? "");
  const pages = needs.searching.hits(viewer, parameters);
  return await answerInPieces(request, needs.hitExport(pages, format), hitFileHeaders(format));
}
