// Landing pages, exports and files of items (R19a, R2a, R2c, R2d), and the front page (R32).
import { Elysia } from "elysia";
import { linkHeader } from "../../../src/formats/citation/signposting.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import { filesPage } from "../../../src/repository/pages/templates/files.ts";
import { repositoryFrontPage } from "../../../src/repository/pages/templates/front-page.ts";
import { recordPage } from "../../../src/repository/pages/templates/record-page.ts";
import { valuesPage } from "../../../src/repository/pages/templates/values-page.ts";
import { type Usage, visitOf } from "../../../src/repository/statistics/counting.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { contextOf } from "../../http/request-context.ts";
import { acceptedFormat, exportOptions, exportResponse } from "../export-response.ts";
import { fileResponse } from "../file-response.ts";
import { filesPart, htmlAnswer, openPage, type PageNeeds, pageErrors, pageNumber, redirectTo } from "./answers.ts";
import { EXPORT_DETAIL, FILE_DETAIL, FILES_DETAIL, FRONT_DETAIL, RECORD_DETAIL, VALUES_DETAIL } from "./document.ts";
import { filesPageView, indexLine, itemLine, recordView, valuesPageView } from "./views.ts";

export type RecordPagesNeeds = PageNeeds & {
  readonly showing: Showing;
  readonly storage: Pick<Storage, "read">;
  readonly usage: Pick<Usage, "view" | "download">;
  /** The repository's description; empty for our sentence. */
  readonly abstract: string;
};

const ITEM_ID = /^[1-9]\d{0,14}$/;

/** Text that is not an id: nothing has it. */
function itemId(text: string): number {
  if (ITEM_ID.test(text)) return Number(text);
  throw new Refusal("not_found", `There is no item "${text.slice(0, 100)}"`);
}

type RecordContext = { readonly request: Request; readonly params: { readonly id: string } };

export const recordPages = (needs: RecordPagesNeeds) => {
  const landingPage = ({ request, params }: RecordContext) => landing(needs, request, params.id);
  const exportPage = ({ request, params }: RecordContext & { readonly params: { readonly format: string } }) =>
    exported(needs, request, params.id, params.format);
  const fileListPage = ({ request, params }: RecordContext) => fileList(needs, request, params.id);
  const fieldPage = ({ request, params }: RecordContext & { readonly params: { readonly field: string } }) =>
    values(needs, request, params.id, params.field);
  const filePage = ({ request, params }: RecordContext) => file(needs, request, params.id);
  const frontPage = ({ request }: { readonly request: Request }) => front(needs, request);
  return new Elysia({ name: "record-pages" })
    .use(pageErrors(needs.settings))
    .get("/", frontPage, { detail: FRONT_DETAIL })
    .get("/records/:id", landingPage, { detail: RECORD_DETAIL })
    .get("/records/:id/export/:format", exportPage, { detail: EXPORT_DETAIL })
    .get("/records/:id/values/:field", fieldPage, { detail: VALUES_DETAIL })
    .get("/records/:id/files", fileListPage, { detail: FILES_DETAIL })
    .get("/records/:id/files/:key", filePage, { detail: FILE_DETAIL });
};

async function front(needs: RecordPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const [recent, top] = await Promise.all([needs.showing.recent(viewer), needs.showing.top(viewer, false)]);
  const { tag } = site.texts;
  const view = {
    abstract: needs.abstract,
    recent: recent.map((each) => itemLine(each, tag)),
    indexes: top.map(indexLine),
  };
  return await htmlAnswer(request, site, repositoryFrontPage(view, site));
}

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
  const shown = await needs.showing.record(viewer, itemId(id));
  const { item, byParent } = shown.readable;
  if (byParent) return redirectTo(site.rootPath, `/records/${item.id}`, 302);
  // Each step may take tens of milliseconds where an item is long: others are answered between them.
  await yieldToEventLoop();
  const view = recordView(shown, site.texts.tag, site.rootPath);
  await yieldToEventLoop();
  const link = linkHeader(view.links);
  const headers: Record<string, string> = {
    "last-modified": new Date(item.updatedAt).toUTCString(),
    vary: "Accept, Accept-Language, Cookie, Authorization",
  };
  if (link !== "") headers.link = link;
  const page = recordPage(view, site);
  await yieldToEventLoop();
  const response = await htmlAnswer(request, site, page, { headers });
  // Before it is published nothing is counted.
  const isOwn = shown.readable.privileged || item.publishedAt === null;
  needs.usage.view(visitOf(request, response, contextOf(request).address), {
    id: item.id,
    parentId: item.parentId,
    isOwn,
  });
  return response;
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
  const view = filesPageView(found, site.texts.tag, site.rootPath, `/records/${found.id}`);
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
