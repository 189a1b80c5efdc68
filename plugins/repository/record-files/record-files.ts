// Files of records over HTTP (R37; specification 3, "Tool-server records and requests"; reference 1.2, upload_file to
// abort_multipart_upload), in the dialect clients of existing record repositories speak.
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import { contentDisposition } from "../../../src/model/files/file-serving.ts";
import { unknownRecord } from "../../../src/model/input/record-refusals.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import {
  type FileEntry,
  type FileList,
  fileEntryJson,
  fileListJson,
} from "../../../src/repository/record-files/entries.ts";
import type { GivenFile } from "../../../src/repository/record-files/listing.ts";
import type { FileBody } from "../../../src/repository/record-files/receiving.ts";
import type { RecordFiles } from "../../../src/repository/record-files/record-files.ts";
import { FILE_SENTENCES, refusedFile } from "../../../src/repository/record-files/sentences.ts";
import { signedIn } from "../../../src/repository/record-files/signed-parts.ts";
import { type Usage, visitOf } from "../../../src/repository/statistics/counting.ts";
import type { VisitedRecord } from "../../../src/repository/store/usage.ts";
import { byteStream } from "../../../src/shared/bytes/byte-streams.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { errors } from "../../http/errors.ts";
import { bodyPieces, type SlowLimits } from "../../http/request-body.ts";
import { contextOf } from "../../http/request-context.ts";
import { fileResponse } from "../file-response.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordAnswer, recordBody, recordDialect } from "../record-dialect.ts";
import * as detail from "./document.ts";

export type RecordFileRoutesNeeds = SlowLimits & {
  readonly guard: Pick<RepositoryGuard, "anyone" | "anyoneOrGuest" | "viewer" | "json">;
  readonly files: RecordFiles;
  readonly storage: Pick<Storage, "read">;
  readonly usage: Pick<Usage, "download">;
  readonly baseUrl: string;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "records";
const ID = /^[1-9]\d{0,14}$/;

type RecordContext = { readonly request: Request; readonly params: { readonly id: string } };

export const recordFileRoutes = (needs: RecordFileRoutesNeeds) => {
  return new Elysia({ name: "record-files", prefix: "/api/records" })
    .use(errors(recordDialect))
    .use(publishedRoutes(needs))
    .use(draftRoutes(needs))
    .use(changeRoutes(needs))
    .use(contentRoutes(needs));
};

const requireReader = (needs: RecordFileRoutesNeeds, request: Request): Promise<Viewer> =>
  needs.guard.anyone(request, GROUP, ["item:read"]);

const requirePerson = (needs: RecordFileRoutesNeeds, request: Request, scope: string): Promise<Viewer> =>
  needs.guard.viewer(request, GROUP, [scope]);

/** The sender of a part: an account with a token, or the client with the signed address (start_multipart_upload). */
const requireSender = async (
  needs: RecordFileRoutesNeeds,
  request: Request,
  id: ItemId,
  part: { key: string; number: number },
): Promise<Viewer> => {
  const signed = signedIn(new URL(request.url).searchParams);
  if (signed === null) return await requirePerson(needs, request, "item:update");
  await needs.guard.anyoneOrGuest(request, GROUP, []);
  return await needs.files.signerOfPart(id, part, signed);
};

const listAnswer = (needs: RecordFileRoutesNeeds, list: FileList, status = 200): Response =>
  recordAnswer(fileListJson(list, { baseUrl: needs.baseUrl }), status);

const entryAnswer = (
  needs: RecordFileRoutesNeeds,
  { entry, ...of }: { record: ItemId; isDraft: boolean; entry: FileEntry },
): Response => recordAnswer(fileEntryJson(entry, of, { baseUrl: needs.baseUrl }));

const contentAnswer = async (needs: RecordFileRoutesNeeds, request: Request, file: GivenFile): Promise<Response> => {
  const response = await fileResponse(request, file, needs.storage, { asAttachment: isDownload(request) });
  if (file.visited !== undefined)
    needs.usage.download(visitOf(request, response, contextOf(request).address), file.visited, file);
  return response;
};

const archiveAnswer = async (
  needs: RecordFileRoutesNeeds,
  request: Request,
  { record, files: all, visited }: { record: ItemId; files: readonly ItemFile[]; visited?: VisitedRecord },
): Promise<Response> => {
  const { sizeBytes, pieces } = await needs.files.zipOf(all, request.signal);
  const response = zipAnswer(request, record, sizeBytes, pieces);
  if (visited !== undefined) {
    const visit = visitOf(request, response, contextOf(request).address);
    for (const file of all) needs.usage.download(visit, visited, file);
  }
  return response;
};

const noContent = (): Response => new Response(null, { status: 204 });

function publishedRoutes(needs: RecordFileRoutesNeeds) {
  return new Elysia({ name: "record-files-published" })
    .get(
      "/:id/files",
      async ({ request, params }: RecordContext) =>
        listAnswer(needs, await needs.files.list(await requireReader(needs, request), idOf(params.id))),
      {
        detail: detail.LIST,
      },
    )
    .get(
      "/:id/files/:key",
      async ({ request, params }) =>
        entryAnswer(
          needs,
          await needs.files.entry(await requireReader(needs, request), idOf(params.id), keyIn(request)),
        ),
      { detail: detail.ENTRY },
    )
    .get(
      "/:id/files/:key/content",
      async ({ request, params }) =>
        contentAnswer(
          needs,
          request,
          await needs.files.content(await requireReader(needs, request), idOf(params.id), keyIn(request)),
        ),
      { detail: detail.CONTENT },
    )
    .get(
      "/:id/files-archive",
      async ({ request, params }) =>
        archiveAnswer(needs, request, await needs.files.archive(await requireReader(needs, request), idOf(params.id))),
      { detail: detail.ARCHIVE },
    );
}

function draftRoutes(needs: RecordFileRoutesNeeds) {
  return new Elysia({ name: "record-files-draft" })
    .get(
      "/:id/draft/files",
      async ({ request, params }) =>
        listAnswer(
          needs,
          await needs.files.draftList(await requirePerson(needs, request, "item:read"), idOf(params.id)),
        ),
      { detail: detail.DRAFT_LIST },
    )
    .get(
      "/:id/draft/files/:key",
      async ({ request, params }) =>
        entryAnswer(
          needs,
          await needs.files.draftEntry(
            await requirePerson(needs, request, "item:read"),
            idOf(params.id),
            keyIn(request),
          ),
        ),
      { detail: detail.DRAFT_ENTRY },
    )
    .get(
      "/:id/draft/files/:key/content",
      async ({ request, params }) =>
        contentAnswer(
          needs,
          request,
          await needs.files.draftContent(
            await requirePerson(needs, request, "item:read"),
            idOf(params.id),
            keyIn(request),
          ),
        ),
      { detail: detail.DRAFT_CONTENT },
    )
    .get(
      "/:id/draft/files-archive",
      async ({ request, params }) =>
        archiveAnswer(
          needs,
          request,
          await needs.files.draftArchive(await requirePerson(needs, request, "item:read"), idOf(params.id)),
        ),
      { detail: detail.DRAFT_ARCHIVE },
    );
}

function changeRoutes(needs: RecordFileRoutesNeeds) {
  return new Elysia({ name: "record-files-changing" })
    .post(
      "/:id/draft/files",
      async ({ request, params }) => {
        const viewer = await requirePerson(needs, request, "item:create");
        return listAnswer(
          needs,
          await needs.files.register(viewer, idOf(params.id), await recordBody(needs.guard, request)),
          201,
        );
      },
      { parse: "none", detail: detail.REGISTER },
    )
    .put(
      "/:id/draft/files",
      async ({ request, params }) => {
        const viewer = await requirePerson(needs, request, "item:update");
        return listAnswer(
          needs,
          await needs.files.choose(viewer, idOf(params.id), await recordBody(needs.guard, request)),
        );
      },
      { parse: "none", detail: detail.CHOOSE },
    )
    .delete(
      "/:id/draft/files",
      async ({ request, params }) => {
        await needs.files.removeAll(await requirePerson(needs, request, "item:delete"), idOf(params.id));
        return noContent();
      },
      { parse: "none", detail: detail.REMOVE_ALL },
    )
    .put(
      "/:id/draft/files/:key",
      async ({ request, params }) => {
        const viewer = await requirePerson(needs, request, "item:update");
        const body = await recordBody(needs.guard, request);
        return entryAnswer(needs, await needs.files.describe(viewer, idOf(params.id), keyIn(request), body));
      },
      { parse: "none", detail: detail.DESCRIBE },
    )
    .delete(
      "/:id/draft/files/:key",
      async ({ request, params }) => {
        await needs.files.remove(await requirePerson(needs, request, "item:delete"), idOf(params.id), keyIn(request));
        return noContent();
      },
      { parse: "none", detail: detail.REMOVE },
    );
}

function contentRoutes(needs: RecordFileRoutesNeeds) {
  return new Elysia({ name: "record-files-content" })
    .put(
      "/:id/draft/files/:key/content",
      async ({ request, params }) => {
        const viewer = await requirePerson(needs, request, "item:update");
        return entryAnswer(
          needs,
          await needs.files.putContent(viewer, idOf(params.id), keyIn(request), bodyOf(request, needs)),
        );
      },
      { parse: "none", detail: detail.PUT_CONTENT },
    )
    .put(
      "/:id/draft/files/:key/content/:part",
      async ({ request, params }) => {
        const part = { key: keyIn(request), number: /^\d{1,9}$/.test(params.part) ? Number(params.part) : 0 };
        const viewer = await requireSender(needs, request, idOf(params.id), part);
        return entryAnswer(needs, await needs.files.putPart(viewer, idOf(params.id), part, bodyOf(request, needs)));
      },
      { parse: "none", detail: detail.PUT_PART },
    )
    .post(
      "/:id/draft/files/:key/commit",
      async ({ request, params }) => {
        const viewer = await requirePerson(needs, request, "item:update");
        return entryAnswer(needs, await needs.files.commit(viewer, idOf(params.id), keyIn(request)));
      },
      { parse: "none", detail: detail.COMMIT },
    )
    .post(
      "/:id/draft/actions/files-import",
      async ({ request, params }) => {
        const viewer = await requirePerson(needs, request, "item:update");
        return listAnswer(needs, await needs.files.importPrevious(viewer, idOf(params.id)), 201);
      },
      { parse: "none", detail: detail.IMPORT },
    );
}

/** @throws Refusal `not_found` for what is not an id. */
function idOf(text: string): number {
  if (ID.test(text)) return Number(text);
  throw unknownRecord();
}

/** The key as it was sent: one segment of the path, whose slashes are percent-encoded. */
function keyIn(request: Request): string {
  const segment = /\/files\/([^/?#]+)/.exec(new URL(request.url).pathname)?.[1] ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    throw unknownRecord();
  }
}

const isDownload = (request: Request): boolean => /[?&]download=1(?:&|$)/.test(request.url);

/** The bytes of the body, of any media type. */
function bodyOf(request: Request, limits: SlowLimits): FileBody {
  const declared = request.headers.get("content-length")?.trim() ?? "";
  const refused = (cause?: unknown): never => {
    const refusal = refusedFile(FILE_SENTENCES.failed);
    refusal.cause = cause;
    throw refusal;
  };
  const pieces = bodyPieces(request, limits, { tooSlow: refused, brokenOff: refused });
  return { pieces, lengthBytes: /^\d{1,15}$/.test(declared) ? Number(declared) : null };
}

function zipAnswer(request: Request, record: ItemId, sizeBytes: number, pieces: AsyncIterable<Uint8Array>): Response {
  const headers = {
    "content-type": "application/zip",
    "content-disposition": contentDisposition("attachment", `${record}.zip`),
    "content-length": String(sizeBytes),
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  };
  if (request.method === "HEAD") {
    contextOf(request).headLength = sizeBytes;
    return new Response(null, { headers });
  }
  return new Response(byteStream(pieces), { headers });
}
