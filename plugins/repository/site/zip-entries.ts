// One entry of a ZIP archive as a download (R49, Q.106): of files of items and drafts, and of what is decided about. It
// counts as a download of the archive.
import { Type } from "@sinclair/typebox";
import { downloadName } from "../../../src/model/files/file-names.ts";
import { contentDisposition } from "../../../src/model/files/file-serving.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import { type Usage, visitOf } from "../../../src/repository/statistics/counting.ts";
import type { OpenedEntry } from "../../../src/repository/viewers/zip.ts";
import { byteStream, joined } from "../../../src/shared/bytes/byte-streams.ts";
import { UNKNOWN_MEDIA_TYPE } from "../../../src/shared/http/media-types.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { response as answered, queryParameter } from "../../http/document-parts.ts";
import { contextOf } from "../../http/request-context.ts";
import { type RouteAnswers, routesOf } from "../../http/routes.ts";
import { recordIdOf } from "../record-dialect.ts";
import { openPage } from "./answers.ts";
import { FORBIDDEN, GONE, html, mountPages, NOT_FOUND, SIGN_IN } from "./page-routes.ts";
import { ACTIVITY, ITEM, KEY, keyIn, openForActivity, type ViewerPagesNeeds } from "./viewer-pages.ts";

export type ZipEntriesNeeds = ViewerPagesNeeds & {
  readonly usage: Pick<Usage, "download">;
  readonly zipEntry: (file: ItemFile, number: number) => Promise<OpenedEntry>;
};

const NUMBER = queryParameter("n", "Place of the entry in the directory of the archive, from 1", { type: "integer" });
const ENTRY: RouteAnswers = {
  200: answered("The file", Type.Unsafe<string>({ type: "string", format: "binary" }), {}, UNKNOWN_MEDIA_TYPE),
  422: html("The entry is encrypted, damaged or packed in a way that is not read"),
};

const { get } = routesOf<ZipEntriesNeeds>();

const ROUTES = [
  get("/records/:id/view/:key/entry", {
    id: "archivedFile",
    summary: "One file of a ZIP archive of an item",
    description: "As an attachment. Size and checksum are verified while it is sent: where they differ, it breaks off.",
    scopes: ["item:read", "file:read"],
    parameters: [ITEM, KEY, NUMBER],
    answers: { ...ENTRY, ...FORBIDDEN, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => entryOfItem(needs, request, id),
  }),
  get("/workflow/activity/detail/:activity_id/view/:key/entry", {
    id: "proposedArchivedFile",
    summary: "One file of a ZIP archive that is decided about",
    parameters: [ACTIVITY, KEY, NUMBER],
    answers: { ...ENTRY, ...FORBIDDEN, ...SIGN_IN, ...NOT_FOUND },
    run: (needs, request, { activity_id: id }) => entryOfActivity(needs, request, id),
  }),
];

export const zipEntries = (needs: ZipEntriesNeeds) => mountPages("zip-entries", ROUTES, needs);

async function entryOfItem(needs: ZipEntriesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer } = await openPage(needs, request, "files");
  const { file, isPublic, visited } = await needs.showing.file(viewer, recordIdOf(id), keyIn(request));
  const { response, sizeBytes } = await entryAnswer(needs, request, file, !isPublic);
  needs.usage.download(visitOf(request, response, contextOf(request).address), visited, { name: file.name, sizeBytes });
  return response;
}

async function entryOfActivity(needs: ZipEntriesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer } = await openForActivity(needs, request);
  const file = await needs.showing.proposedFile(viewer, id, keyIn(request));
  return (await entryAnswer(needs, request, file, true)).response;
}

const PLACE = /^[1-9]\d{0,8}$/;
/** An entry up to this size is verified before it is sent. */
const WHOLE_BYTES = 1024 * 1024;

async function entryAnswer(
  { zipEntry }: ZipEntriesNeeds,
  request: Request,
  file: ItemFile,
  restricted: boolean,
): Promise<{ readonly response: Response; readonly sizeBytes: number }> {
  const written = new URL(request.url).searchParams.get("n") ?? "";
  if (!PLACE.test(written))
    throw new Refusal("not_found", `There is no file "${written.slice(0, 100)}" in the archive`);
  const { path, sizeBytes, pieces } = await zipEntry(file, Number(written));
  const headers = new Headers({
    "content-type": UNKNOWN_MEDIA_TYPE,
    "content-disposition": contentDisposition("attachment", downloadName(path)),
    "content-length": String(sizeBytes),
    "cache-control": restricted ? "private, no-cache" : "public, no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  if (request.method === "HEAD") {
    contextOf(request).headLength = sizeBytes;
    return { response: new Response(null, { status: 200, headers }), sizeBytes };
  }
  const body = sizeBytes > WHOLE_BYTES ? byteStream(pieces) : new Uint8Array(await joined(pieces));
  return { response: new Response(body, { status: 200, headers }), sizeBytes };
}
