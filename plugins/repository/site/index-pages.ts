// Pages of the index tree (R24): the top level and each index, with children and items; items page by key.
import type { FrontShowing } from "../../../src/repository/pages/front.ts";
import type { ListedIndex } from "../../../src/repository/pages/lists.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import { type IndexLine, indexPage, indexTopPage } from "../../../src/repository/pages/templates/index-page.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { htmlAnswer, openPage, type PageNeeds } from "./answers.ts";
import { mountPages, NOT_FOUND, PAGE } from "./page-routes.ts";
import { indexLine, itemLine, namesOf } from "./views.ts";

export type IndexPagesNeeds = PageNeeds & {
  readonly showing: Showing;
  readonly front: Pick<FrontShowing, "itemsIn">;
};

const INDEX_ID = /^[1-9]\d{0,15}$/;

const { get } = routesOf<IndexPagesNeeds>();

const ROUTES = [
  get("/index", { id: "indexListPage", summary: "The top level of the index tree", answers: PAGE, run: top }),
  get("/index/:id", {
    id: "indexPage",
    summary: "One index: its children and its items",
    parameters: [
      pathParameter("id", "Number of the index"),
      queryParameter("before", "Items below this number", { type: "integer" }),
    ],
    answers: { ...PAGE, ...NOT_FOUND },
    run: (needs, request, { id }) => index(needs, request, id),
  }),
];

export const indexPages = (needs: IndexPagesNeeds) => mountPages("index-pages", ROUTES, needs);

async function top(needs: IndexPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const lines = await needs.showing.top(viewer, true);
  return await htmlAnswer(request, site, indexTopPage(await countedLines(needs, lines), site));
}

/** Indexes with how many items are in each. */
async function countedLines(
  { front }: IndexPagesNeeds,
  indexes: readonly ListedIndex[],
): Promise<readonly IndexLine[]> {
  const itemsIn = await front.itemsIn();
  const lines = indexes.map(indexLine);
  return itemsIn === null ? lines : lines.map((line) => ({ ...line, count: itemsIn.get(line.id) ?? 0 }));
}

/** Text that is not an id: no index has it. */
export function indexId(text: string): number {
  const id = Number(text);
  if (INDEX_ID.test(text) && Number.isSafeInteger(id)) return id;
  throw new Refusal("not_found", `Index not found: ${text.slice(0, 100)}.`);
}

async function index(needs: IndexPagesNeeds, request: Request, written: string): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const id = indexId(written);
  const before = Number(new URL(request.url).searchParams.get("before"));
  const key = Number.isSafeInteger(before) && before > 0 ? before : null;
  const found = await needs.showing.index(viewer, id, key);
  const { node, above, children, items, count, next, isForDeposits, communities } = found;
  // `more_check`: only the first `display_no` are shown at once (R24).
  const shown = node.moreCheck ? node.displayNo : children.length;
  const lines = await countedLines(needs, children);
  const view = {
    id,
    name: namesOf(node),
    comment: node.comment,
    trail: above.map((each) => ({ id: each.id, name: namesOf(each) })),
    children: lines.slice(0, shown),
    hidden: lines.slice(shown),
    items: items.map((each) => itemLine(each, site.texts.tag)),
    count,
    next,
    isFirst: key === null,
    ...{ isForDeposits, communities },
    feed: node.rssStatus ? `${site.rootPath}/index/${id}/feed` : null,
  };
  return await htmlAnswer(request, site, indexPage(view, site));
}
