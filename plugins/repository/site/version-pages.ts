// The versions of an item, and two of them compared (R2a, R2d).
import type { VersionLine } from "../../../src/model/items/item.ts";
import { comparisonPage, versionsPage } from "../../../src/repository/pages/templates/version-pages.ts";
import type { VersionShowing } from "../../../src/repository/pages/versions.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, queryParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { htmlAnswer, openPage, type PageNeeds, pageNumber, redirectTo } from "./answers.ts";
import { GONE, mountPages, NOT_FOUND, PAGE } from "./page-routes.ts";
import { shownTitle } from "./views.ts";

export type VersionPagesNeeds = PageNeeds & { readonly versions: VersionShowing };

const ITEM_ID = /^[1-9]\d{0,14}$/;

function itemId(text: string): number {
  if (ITEM_ID.test(text)) return Number(text);
  throw new Refusal("not_found", `There is no item "${text.slice(0, 100)}"`);
}

const ITEM = pathParameter("id", "Number of a version of the item");
const { get } = routesOf<VersionPagesNeeds>();

const ROUTES = [
  get("/records/:id/versions", {
    id: "versionsPage",
    summary: "The versions of an item",
    description:
      "Number, day and what changed from the version before, the newest first, ten on a page; a form chooses two to compare. Versions that the reader may not see are not among them.",
    parameters: [
      ITEM,
      queryParameter("page", "Page of the list, from 1", { type: "integer" }),
      queryParameter("from", "With `to`: a version to compare", { type: "integer" }),
      queryParameter("to", "The version it is compared with", { type: "integer" }),
    ],
    answers: {
      ...PAGE,
      302: response("To the two versions compared, or from the number that ties versions together to a version", null, {
        Location: { description: "Where it is", schema: { type: "string" } },
      }),
      ...NOT_FOUND,
      ...GONE,
    },
    run: list,
  }),
  get("/records/:id/compare/:other", {
    id: "comparisonPage",
    summary: "Two versions of an item compared",
    description: "Field by field, words within texts, files by name and SHA-256.",
    parameters: [ITEM, pathParameter("other", "Number of the other version")],
    answers: { ...PAGE, ...NOT_FOUND, ...GONE },
    run: comparison,
  }),
];

export const versionPages = (needs: VersionPagesNeeds) => mountPages("version-pages", ROUTES, needs);

async function list(needs: VersionPagesNeeds, request: Request, { id }: { readonly id: string }): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const url = new URL(request.url);
  const [from, to] = [url.searchParams.get("from"), url.searchParams.get("to")];
  if (from !== null && to !== null) {
    return redirectTo(site.rootPath, `/records/${itemId(from)}/compare/${itemId(to)}`, 302);
  }
  const { texts } = site;
  const found = await needs.versions.versions(viewer, itemId(id), pageNumber(url), texts.tag);
  if (found.byParent) return redirectTo(site.rootPath, `/records/${found.id}/versions${url.search}`, 302);
  const at = new Map(found.all.map((line, place) => [line.id, found.all[place + 1]?.id ?? null]));
  const view = {
    ...found,
    title: shownTitle(found.content.metadata, texts.tag),
    versions: found.versions.map(({ line, changes }) => ({
      ...versionOf(line),
      isLatest: line.isLatest,
      before: at.get(line.id) ?? null,
      changes,
    })),
    all: found.all.map(versionOf),
  };
  return await htmlAnswer(request, site, versionsPage(view, site));
}

const versionOf = ({ id, versionIndex, publishedAt }: VersionLine) => ({ id, index: versionIndex, publishedAt });

async function comparison(
  needs: VersionPagesNeeds,
  request: Request,
  { id, other }: { readonly id: string; readonly other: string },
): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const { tag } = site.texts;
  const found = await needs.versions.compare(viewer, itemId(id), itemId(other), tag);
  const view = {
    ...found,
    title: shownTitle(found.content.metadata, tag),
    before: versionOf(found.before),
    after: versionOf(found.after),
  };
  return await htmlAnswer(request, site, comparisonPage(view, site));
}
