// The pages that show files (R49, Q.80): of items and drafts, and of what waits for a decision. A view counts nothing:
// neither a view of the item nor a download.
import { shownFileName } from "../../../src/model/files/file-names.ts";
import { viewersOf } from "../../../src/model/files/viewers.ts";
import { landingPath } from "../../../src/model/items/addresses.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import { type FileViewPage, viewPage } from "../../../src/repository/pages/templates/viewers/view-page.ts";
import { captionsOf, mediaTypeByBytes } from "../../../src/repository/viewers/media-bytes.ts";
import type { Sibling } from "../../../src/repository/viewers/reading.ts";
import type { Viewing } from "../../../src/repository/viewers/viewing.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { answerWith } from "../../http/answer.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { fileResponse } from "../file-response.ts";
import { recordIdOf } from "../record-dialect.ts";
import { htmlAnswer, openPage, type PageNeeds, pageNumber, pagePolicy, type Reader, redirectTo } from "./answers.ts";
import { FILE, GONE, LATEST, mountPages, NOT_FOUND, PAGE, SIGN_IN } from "./page-routes.ts";
import { shownTitle } from "./views.ts";

export type ViewerPagesNeeds = PageNeeds & {
  readonly showing: Pick<Showing, "file" | "content" | "readableFiles" | "proposedFile" | "proposed" | "filesProposed">;
  readonly storage: Pick<Storage, "read">;
  readonly viewing: Viewing;
};

export const ITEM = pathParameter("id", "Number of an item, or of what ties its versions together");
export const ACTIVITY = pathParameter("activity_id", "Id of the activity");
export const KEY = pathParameter("key", "Name of the file, percent-encoded once");
const QUERY = [
  queryParameter("as", "The viewer, where several suit the file: the page links them", { type: "string" }),
  queryParameter("part", "A part of the file, as the page links it: a sheet, a folder", { type: "string" }),
  queryParameter("page", "Page of what is shown, from 1", { type: "integer" }),
];

const CAPTIONS_QUERY = queryParameter("captions", "Captions as WebVTT, read and written again", { type: "string" });

const { get } = routesOf<ViewerPagesNeeds>();

const ROUTES = [
  get("/records/:id/view/:key", {
    id: "viewFile",
    summary: "A file of an item as a page",
    description: "What the file contains, by a viewer for files of its kind; otherwise why it is not shown.",
    scopes: ["item:read", "file:read"],
    parameters: [ITEM, KEY, ...QUERY],
    answers: { ...PAGE, ...LATEST, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => viewOfItem(needs, request, id),
  }),
  get("/records/:id/view/:key/content", {
    id: "viewedContent",
    summary: "The bytes of a file that a page shows",
    description:
      "For pictures, players and frames of that page, by the media type that the bytes of pictures, sound and film have: what a browser could run is an attachment.",
    scopes: ["item:read", "file:read"],
    parameters: [ITEM, KEY, CAPTIONS_QUERY],
    answers: { ...FILE, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => contentOfItem(needs, request, id),
  }),
  get("/workflow/activity/detail/:activity_id/view/:key", {
    id: "viewProposedFile",
    summary: "A file that is decided about, as a page",
    parameters: [ACTIVITY, KEY, ...QUERY],
    answers: { ...PAGE, ...SIGN_IN, ...NOT_FOUND },
    run: (needs, request, { activity_id: id }) => viewOfActivity(needs, request, id),
  }),
  get("/workflow/activity/detail/:activity_id/view/:key/content", {
    id: "viewedProposedContent",
    summary: "The bytes of a file that is decided about, for the page that shows it",
    parameters: [ACTIVITY, KEY, CAPTIONS_QUERY],
    answers: { ...FILE, ...SIGN_IN, ...NOT_FOUND },
    run: (needs, request, { activity_id: id }) => contentOfActivity(needs, request, id),
  }),
];

export const viewerPages = (needs: ViewerPagesNeeds) => mountPages("viewer-pages", ROUTES, needs);

export async function openForActivity(needs: ViewerPagesNeeds, request: Request): Promise<Reader> {
  const reader = await openPage(needs, request, "activities");
  if (reader.viewer.account === null) throw new Refusal("unauthenticated", "Sign in first");
  return reader;
}

/** The name as it was sent: the router would decode it in its own way. */
export const keyIn = (request: Request): string => /\/view\/([^/]*)/.exec(new URL(request.url).pathname)?.[1] ?? "";

async function viewOfItem(needs: ViewerPagesNeeds, request: Request, id: string): Promise<Response> {
  const reader = await openPage(needs, request, "views");
  const { viewer, site } = reader;
  const key = keyIn(request);
  const { file, visited, isPublic } = await needs.showing.file(viewer, recordIdOf(id), key);
  const base = landingPath(visited.id);
  if (visited.id !== recordIdOf(id)) {
    return redirectTo(site.rootPath, `${base}/view/${key}${new URL(request.url).search}`, 302);
  }
  const { content } = await needs.showing.content(viewer, visited.id);
  const siblings = () => needs.showing.readableFiles(viewer, visited.id);
  const title = shownTitle(content.metadata, site.texts.tag);
  const manifest = isPublic ? `${site.rootPath}/api/iiif/record:${visited.id}/manifest` : null;
  return await viewAnswer(needs, request, reader, { file, base, title, siblings, manifest });
}

async function viewOfActivity(needs: ViewerPagesNeeds, request: Request, id: string): Promise<Response> {
  const reader = await openForActivity(needs, request);
  const { viewer, site } = reader;
  const file = await needs.showing.proposedFile(viewer, id, keyIn(request));
  const found = await needs.showing.proposed(viewer, id);
  const title = found === null ? { text: "" } : shownTitle(found.content.metadata, site.texts.tag);
  const siblings = () => needs.showing.filesProposed(viewer, id);
  return await viewAnswer(needs, request, reader, {
    ...{ file, base: `/workflow/activity/detail/${id}`, title, siblings, manifest: null },
  });
}

type Subject = {
  readonly file: ItemFile;
  /** Path of the page of what it belongs to. */
  readonly base: string;
  readonly manifest: string | null;
  readonly title: FileViewPage["title"];
  readonly siblings: () => Promise<readonly Sibling[]>;
};

async function viewAnswer(
  needs: ViewerPagesNeeds,
  request: Request,
  { site }: Reader,
  { file, base, title, siblings, manifest }: Subject,
): Promise<Response> {
  const url = new URL(request.url);
  const asked = {
    as: url.searchParams.get("as") ?? "",
    part: url.searchParams.get("part") ?? "",
    page: pageNumber(url),
  };
  const viewed = await needs.viewing(file, asked, siblings);
  const name = encodeURIComponent(file.name);
  const here = `${site.rootPath}${base}/view/${name}`;
  const view = {
    ...viewed,
    title,
    manifest,
    back: `${site.rootPath}${base}`,
    here,
    bytes: `${here}/content`,
    download: `${site.rootPath}${base}/files/${name}`,
    name: shownFileName(file.name),
    mediaType: file.mediaType,
    sizeBytes: file.sizeBytes,
  };
  const { page, policy } = viewPage(view, site);
  return await htmlAnswer(request, site, page, {
    headers: { "content-security-policy": pagePolicy(undefined, policy) },
  });
}

async function contentOfItem(needs: ViewerPagesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer } = await openPage(needs, request, "views");
  const { file, isPublic } = await needs.showing.file(viewer, recordIdOf(id), keyIn(request));
  return await contentAnswer(needs, request, file, !isPublic);
}

async function contentOfActivity(needs: ViewerPagesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer } = await openForActivity(needs, request);
  return await contentAnswer(needs, request, await needs.showing.proposedFile(viewer, id, keyIn(request)), true);
}

/** A drawing may have styles and pictures inside of it, and nothing from elsewhere. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

const CAPTIONS = {
  "content-type": "text/vtt; charset=utf-8",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cache-control": "private, no-cache",
};

/** Served with the strict policy of every file (`sandbox`, nosniff). */
async function contentAnswer(
  needs: ViewerPagesNeeds,
  request: Request,
  file: ItemFile,
  restricted: boolean,
): Promise<Response> {
  if (viewersOf(file).length === 0) throw new Refusal("not_found", `No viewer shows "${shownFileName(file.name)}"`);
  if (new URL(request.url).searchParams.has("captions")) {
    return answerWith(request, await captionsOf(needs.storage, file), { status: 200, headers: new Headers(CAPTIONS) });
  }
  const mediaType = await mediaTypeByBytes(needs.storage, file);
  const response = await fileResponse(request, { ...file, mediaType, restricted }, needs.storage);
  if (mediaType === "image/svg+xml") response.headers.set("content-security-policy", DRAWING_POLICY);
  return response;
}
