// The front page (R32, Q.1 to Q.4).
import type { FrontShowing } from "../../../src/repository/pages/front.ts";
import { frontSteps } from "../../../src/repository/pages/front-steps.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import { repositoryFrontPage } from "../../../src/repository/pages/templates/front-page.ts";
import { routesOf } from "../../http/routes.ts";
import { htmlAnswer, openPage, type PageNeeds } from "./answers.ts";
import { mountPages, PAGE } from "./page-routes.ts";
import { indexLine, itemLine } from "./views.ts";

export type FrontPagesNeeds = PageNeeds & {
  readonly showing: Pick<Showing, "recent" | "top">;
  readonly front: FrontShowing;
  /** The repository's description; empty for our sentence. */
  readonly abstract: string;
  /** What the picture of the first page shows. */
  readonly pictureAlt: string;
  readonly hasRegistration: boolean;
};

/** Indexes of the first level that the page names. */
const INDEXES_NAMED = 24;

const { get } = routesOf<FrontPagesNeeds>();

const ROUTES = [
  get("/", {
    id: "repositoryFrontPage",
    summary: "Front page",
    description:
      "Search, what is here in figures (of what guests may see, at most five minutes old), what was added lately and is used most, indexes and communities.",
    answers: PAGE,
    run: front,
  }),
];

export const frontPages = (needs: FrontPagesNeeds) => mountPages("front-pages", ROUTES, needs);

async function front(needs: FrontPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const [recent, top, parts] = await Promise.all([
    needs.showing.recent(viewer),
    needs.showing.top(viewer, false),
    needs.front.front(viewer),
  ]);
  const { texts, rootPath } = site;
  const { picture } = needs.settings.look;
  const { figures, itemsIn } = parts;
  const view = {
    abstract: needs.abstract,
    picture: picture === null ? null : { path: picture.path, alt: needs.pictureAlt },
    figures,
    recent: recent.map((each) => itemLine(each, texts.tag)),
    mostUsed: parts.mostUsed.map((each) => itemLine(each, texts.tag)),
    indexes: top.slice(0, INDEXES_NAMED).map((each) => ({
      ...indexLine(each),
      ...(figures === null ? {} : { count: itemsIn.get(each.node.id) ?? 0 }),
    })),
    hasMoreIndexes: top.length > INDEXES_NAMED,
    communities: parts.communities.map(({ slug, title, items }) => ({
      title,
      items,
      href: `${rootPath}/communities/${encodeURIComponent(slug)}`,
    })),
    steps: recent.length === 0 ? frontSteps(viewer, needs.hasRegistration) : [],
  };
  return await htmlAnswer(request, site, repositoryFrontPage(view, site));
}
