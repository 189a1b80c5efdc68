// Pages of subjects, funders and licences (R40): what items are filed by, and the items under each.
import { FILED_KINDS, type FiledKind, type FiledShowing } from "../../../src/repository/pages/filed.ts";
import { filedListPage, filedPage, filedPath } from "../../../src/repository/pages/templates/filed-pages.ts";
import { queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { htmlAnswer, openPage, type PageNeeds, pageNumber } from "./answers.ts";
import { html, mountPages, NOT_FOUND, PAGE } from "./page-routes.ts";
import { itemLine } from "./views.ts";

export type FiledPagesNeeds = PageNeeds & { readonly filed: FiledShowing; readonly baseUrl: string };

const { get } = routesOf<FiledPagesNeeds>();

const SUMMARIES: Readonly<Record<FiledKind, string>> = {
  subjects: "Subjects with the items about them",
  funders: "Funders with the items that they paid for",
  licences: "Licences with the items under them",
};

const ROUTES = FILED_KINDS.map((kind) =>
  get(`/${kind}`, {
    id: `${kind}Page`,
    summary: SUMMARIES[kind],
    parameters: [
      queryParameter("is", "One value: its page, with its items", { type: "string" }),
      queryParameter("begins", "Values that begin so", { type: "string" }),
      queryParameter("page", "Number of the page", { type: "integer" }),
    ],
    answers: { ...PAGE, 400: html("The page is out of reach"), ...NOT_FOUND },
    run: (needs, request) => filed(needs, request, kind),
  }),
);

export const filedPages = (needs: FiledPagesNeeds) => mountPages("filed-pages", ROUTES, needs);

/** Characters of a beginning; nothing begins with a longer one. */
const BEGINS_CHARACTERS = 200;

async function filed(needs: FiledPagesNeeds, request: Request, kind: FiledKind): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const url = new URL(request.url);
  const page = pageNumber(url);
  const value = url.searchParams.get("is")?.trim() ?? "";
  if (value === "") {
    const begins = (url.searchParams.get("begins") ?? "").slice(0, BEGINS_CHARACTERS).toWellFormed().trim();
    const list = await needs.filed.values(viewer, kind, begins, page);
    return await htmlAnswer(request, site, filedListPage(kind, { ...list, begins }, site));
  }
  const found = await needs.filed.items(viewer, kind, value, page);
  const items = found.items.map((each) => itemLine(each, site.texts.tag));
  const address = `${needs.baseUrl}${filedPath(kind, found.value)}`;
  return await htmlAnswer(request, site, filedPage(kind, { ...found, items, address }, site));
}
