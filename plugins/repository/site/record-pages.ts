// Landing pages, exports and files of items (R19a, R2a, R2c, R2d).
import type { Viewer } from "../../../src/auth/account.ts";
import { linkHeader } from "../../../src/formats/citation/signposting.ts";
import { CITATION_STYLES } from "../../../src/formats/citation/styles/styles.ts";
import { EXPORT_FORMATS } from "../../../src/repository/exports/formats.ts";
import type { ListedItem } from "../../../src/repository/pages/lists.ts";
import type { RelatedShowing } from "../../../src/repository/pages/related.ts";
import type { RelationShowing } from "../../../src/repository/pages/relations.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import { filesPage } from "../../../src/repository/pages/templates/files.ts";
import { recordPage } from "../../../src/repository/pages/templates/record-page.ts";
import { valuesPage } from "../../../src/repository/pages/templates/values-page.ts";
import type { AccessRequests } from "../../../src/repository/requests/access-requests.ts";
import { type Usage, visitOf } from "../../../src/repository/statistics/counting.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { contentIn, pathParameter, queryParameter, REQUEST_ID, response } from "../../http/document-parts.ts";
import { contextOf } from "../../http/request-context.ts";
import { routesOf } from "../../http/routes.ts";
import { acceptedFormat, EXPORT_TYPES, exportOptions, exportResponse } from "../export-response.ts";
import { fileResponse } from "../file-response.ts";
import { filesPart, htmlAnswer, openPage, type PageNeeds, pageNumber, redirectTo } from "./answers.ts";
import type { Cookies } from "./cookies.ts";
import { manageView } from "./manage-pages.ts";
import { FILE, FORBIDDEN, GONE, html, LATEST, mountPages, NOT_FOUND, PAGE } from "./page-routes.ts";
import { accessViews, filesPageView, itemLine, recordView, valuesPageView } from "./views.ts";

export type RecordPagesNeeds = PageNeeds & {
  readonly showing: Showing;
  readonly related: RelatedShowing;
  readonly relations: RelationShowing;
  readonly storage: Pick<Storage, "read">;
  readonly usage: Pick<Usage, "view" | "download">;
  readonly cookies: Pick<Cookies, "keepLink">;
  readonly access: Pick<AccessRequests, "offer" | "useLink">;
};

const ITEM_ID = /^[1-9]\d{0,14}$/;

/** Text that is not an id: nothing has it. */
function itemId(text: string): number {
  if (ITEM_ID.test(text)) return Number(text);
  throw new Refusal("not_found", `There is no item "${text.slice(0, 100)}"`);
}

const ITEM = pathParameter("id", "Number of an item, or of what ties its versions together");
const NUMBERED_PAGE = queryParameter("page", "Page of the list, from 1", { type: "integer" });
const DOCUMENT = {
  description: "The document",
  headers: { ...REQUEST_ID, Warning: { description: "What the format cannot contain", schema: { type: "string" } } },
  content: contentIn(EXPORT_TYPES),
};

const { get } = routesOf<RecordPagesNeeds>();

const ROUTES = [
  get("/records/:id", {
    id: "landingPage",
    summary: "Landing page of an item",
    description:
      "What the item is, its files, its ARK, its versions. Carries schema.org JSON-LD, citation_ meta tags and FAIR Signposting `Link` headers. Where `Accept` names the media type of an export format, the document.",
    parameters: [ITEM, queryParameter("token", "The secret of a link to the item", { type: "string" })],
    answers: {
      ...PAGE,
      ...LATEST,
      ...NOT_FOUND,
      ...GONE,
      303: response("To the same page without `token`, which is a cookie now", null),
      200: { ...html("The page"), content: { ...contentIn(EXPORT_TYPES), ...html("").content } },
      400: html("There is no such citation style"),
    },
    run: (needs, request, { id }) => landing(needs, request, id),
  }),
  get("/records/:id/export/:format", {
    id: "exportItem",
    summary: "An item in another format",
    description:
      "The same bytes as the landing page and the records interface return for this media type in `Accept`. The header `Warning` lists what the format cannot contain.",
    parameters: [
      ITEM,
      pathParameter("format", EXPORT_FORMATS.map(({ id, name }) => `\`${id}\` (${name})`).join(", ")),
      queryParameter("style", `Of a citation: ${CITATION_STYLES.map(({ id }) => `\`${id}\``).join(", ")}`, {
        type: "string",
      }),
      queryParameter("locale", "Of a citation and of labels: `en-US`, `en-GB`, `ja`", { type: "string" }),
    ],
    answers: {
      200: DOCUMENT,
      ...FORBIDDEN,
      304: response("The document is as the reader has it", null),
      400: html("There is no such citation style"),
      ...NOT_FOUND,
      ...GONE,
    },
    run: (needs, request, { id, format }) => exported(needs, request, id, format),
  }),
  get("/records/:id/values/:field", {
    id: "valuesPage",
    summary: "All values of one field of an item",
    parameters: [ITEM, pathParameter("field", "Name of the field, such as `creators`"), NUMBERED_PAGE],
    answers: { ...PAGE, ...LATEST, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id, field }) => values(needs, request, id, field),
  }),
  get("/records/:id/files", {
    id: "fileListPage",
    summary: "The files of an item, folder by folder",
    parameters: [
      ITEM,
      queryParameter("folder", "Path of a folder, as the page shows it", { type: "string" }),
      NUMBERED_PAGE,
    ],
    answers: { ...PAGE, ...LATEST, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => fileList(needs, request, id),
  }),
  get("/records/:id/files/:key", {
    id: "downloadFile",
    summary: "A file of an item",
    description:
      "Ranges and conditional requests are answered. `?download=1` asks for an attachment; so is given whatever browsers could run.",
    scopes: ["item:read", "file:read"],
    parameters: [
      ITEM,
      pathParameter("key", "Name of the file, percent-encoded once"),
      queryParameter("download", "As an attachment", { type: "string" }),
    ],
    answers: { ...FILE, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => file(needs, request, id),
  }),
];

export const recordPages = (needs: RecordPagesNeeds) => mountPages("record-pages", ROUTES, needs);

/** The landing page, or a document about the item where `Accept` names its media type. */
async function landing(needs: RecordPagesNeeds, request: Request, id: string): Promise<Response> {
  const format = acceptedFormat(request.headers.get("accept"), "text/html");
  if (format !== null) {
    const { viewer } = await openPage(needs, request, "pages");
    const written = await needs.showing.export(viewer, itemId(id), format, exportOptions(request));
    const contentLocation = `${needs.settings.rootPath}/records/${written.id}/export/${format}`;
    return await exportResponse(request, written, { vary: "Accept, Cookie, Authorization", contentLocation });
  }
  const { viewer, site } = await openPage(needs, request, "pages");
  const token = new URL(request.url).searchParams.get("token");
  if (token !== null) return await openedByLink(needs, request, { viewer, token, path: `/records/${itemId(id)}` });
  const shown = await needs.showing.record(viewer, itemId(id));
  const { item, byParent } = shown.readable;
  if (byParent) return redirectTo(site.rootPath, `/records/${item.id}`, 302);
  // Each step may take tens of milliseconds where an item is long: others are answered between them.
  await yieldToEventLoop();
  const offer = await needs.access.offer(viewer, shown.readable);
  const access = accessViews(viewer, shown.readable, offer, site);
  const view = recordView(shown, site.texts.tag, site.rootPath, access);
  await yieldToEventLoop();
  const link = linkHeader(view.links);
  const headers: Record<string, string> = {
    "last-modified": new Date(item.updatedAt).toUTCString(),
    vary: "Accept, Accept-Language, Cookie, Authorization",
  };
  if (link !== "") headers.link = link;
  const related = await needs.related.related(viewer, shown.readable);
  const groups = await needs.relations.relations(viewer, shown.readable);
  const manage = site.person === null ? null : manageView(viewer, item, shown.readable.parent);
  const lines = (items: readonly ListedItem[]) => items.map((each) => itemLine(each, site.texts.tag));
  const relations = groups.map((group) => ({ ...group, items: lines(group.items) }));
  const page = recordPage({ ...view, manage, related: lines(related), relations }, site);
  await yieldToEventLoop();
  const response = await htmlAnswer(request, site, page, { headers });
  needs.usage.view(visitOf(request, response, contextOf(request).address), shown.readable.visited);
  return response;
}

/** The secret of a link leaves the address: a cookie carries it to the pages and files of the record. */
async function openedByLink(
  { settings, cookies, access }: RecordPagesNeeds,
  request: Request,
  { viewer, token, path }: { readonly viewer: Viewer; readonly token: string; readonly path: string },
): Promise<Response> {
  const hash = sha256Hex(token);
  const link = viewer.links?.find((each) => each.hash === hash);
  const answer = redirectTo(settings.rootPath, path, 303, { "referrer-policy": "no-referrer" });
  if (link === undefined) return answer;
  await access.useLink(link);
  for (const cookie of cookies.keepLink(request, link.parent, token)) answer.headers.append("set-cookie", cookie);
  return answer;
}

async function exported(needs: RecordPagesNeeds, request: Request, id: string, format: string): Promise<Response> {
  const { viewer } = await openPage(needs, request, "pages");
  const written = await needs.showing.export(viewer, itemId(id), format, exportOptions(request));
  return await exportResponse(request, written, { vary: "Cookie, Authorization" });
}

/** From the number that ties versions together to the same page of the latest one the reader may read (R2a). */
const ofLatest = (rootPath: string, request: Request, path: string): Response =>
  redirectTo(rootPath, `${path}${new URL(request.url).search}`, 302);

/** One folder of the files of an item with very many. */
async function fileList(needs: RecordPagesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const found = await needs.showing.files(viewer, itemId(id), filesPart(request));
  if (found.byParent) return ofLatest(site.rootPath, request, `/records/${found.id}/files`);
  const readable = await needs.showing.readable(viewer, found.id);
  const { closed } = accessViews(viewer, readable, await needs.access.offer(viewer, readable), site);
  const view = filesPageView(found, site.texts.tag, site.rootPath, `/records/${found.id}`, closed);
  return await htmlAnswer(request, site, filesPage(view, site));
}

/** All values of one field of an item with very many. */
async function values(needs: RecordPagesNeeds, request: Request, id: string, field: string): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const found = await needs.showing.content(viewer, itemId(id));
  if (found.byParent)
    return ofLatest(site.rootPath, request, `/records/${found.id}/values/${encodeURIComponent(field)}`);
  const asked = { field, page: pageNumber(new URL(request.url)) };
  const view = valuesPageView(found, asked, site.texts.tag, site.rootPath, `/records/${found.id}`);
  return await htmlAnswer(request, site, valuesPage(view, site));
}

async function file(needs: RecordPagesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer } = await openPage(needs, request, "files");
  // The name as it was sent: the router would decode it in its own way.
  const { pathname, searchParams } = new URL(request.url);
  const {
    file: found,
    isPublic,
    visited,
  } = await needs.showing.file(viewer, itemId(id), pathname.slice(pathname.lastIndexOf("/") + 1));
  const asAttachment = searchParams.has("download");
  const response = await fileResponse(request, { ...found, restricted: !isPublic }, needs.storage, { asAttachment });
  needs.usage.download(visitOf(request, response, contextOf(request).address), visited, found);
  return response;
}
