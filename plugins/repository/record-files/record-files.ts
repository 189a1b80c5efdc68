// Files of records over HTTP (R37; specification 3, "Tool-server records and requests"; reference 1.2, upload_file to
// abort_multipart_upload), in the dialect clients of existing record repositories speak.
import { Type } from "@sinclair/typebox";
import { contentDisposition } from "../../../src/model/files/file-serving.ts";
import { unknownRecord } from "../../../src/model/input/record-refusals.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import { CHOICE } from "../../../src/repository/record-files/choices.ts";
import {
  type FileEntry,
  fileEntryJson,
  fileListJson,
  RecordFileListShape,
  RecordFileShape,
} from "../../../src/repository/record-files/entries.ts";
import type { GivenFile } from "../../../src/repository/record-files/listing.ts";
import { DESCRIBED_FILE, NEW_FILES } from "../../../src/repository/record-files/new-files.ts";
import type { FileBody } from "../../../src/repository/record-files/receiving-slots.ts";
import type { RecordFiles } from "../../../src/repository/record-files/record-files.ts";
import { RemovedFilesShape, removedFilesJson } from "../../../src/repository/record-files/removed-files.ts";
import { FILE_SENTENCES, refusedFile } from "../../../src/repository/record-files/sentences.ts";
import { signedIn } from "../../../src/repository/record-files/signed-parts.ts";
import { UNPACKED_FILE } from "../../../src/repository/record-files/unpacking-files.ts";
import { type Usage, visitOf } from "../../../src/repository/statistics/counting.ts";
import type { VisitedRecord } from "../../../src/repository/store/usage.ts";
import { byteStream, heldToDigest } from "../../../src/shared/bytes/byte-streams.ts";
import { contentDigestOf } from "../../../src/shared/http/content-digest.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { bodyPieces, type SlowLimits } from "../../http/request-body.ts";
import { contextOf } from "../../http/request-context.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { fileResponse } from "../file-response.ts";
import { recordGroup, recordIdOf } from "../record-dialect.ts";

type Services = SlowLimits & {
  readonly files: RecordFiles;
  readonly storage: Pick<Storage, "read">;
  readonly usage: Pick<Usage, "download">;
  readonly baseUrl: string;
};

const GROUP = recordGroup({
  name: "record-files",
  tag: "Files of records",
  rateGroup: "records",
  scopes: ["item:read"],
  always: [404, 410],
  pathParameters: {
    id: "Number of the record",
    key: "Key of the file, percent-encoded",
    part: "Number of the part, from 1",
    removal: "Id of the removal",
  },
});

const { get, post, put, remove } = endpointsOf<Services>();

const Bytes = Type.String({ format: "binary" });

const list = (description: string, status = 200) => ({ status, description, schema: RecordFileListShape });
const entry = (description: string) => ({ status: 200, description, schema: RecordFileShape });
const bytes = {
  answer: { status: 200, description: "The bytes", schema: Bytes, mediaType: "*/*" },
  also: {
    206: { description: "The requested range", schema: Bytes, mediaType: "*/*" },
    304: { description: "The caller has them", schema: null },
    416: { description: "The range starts after the end", schema: null },
  },
};
const zip = { status: 200, description: "A ZIP archive", schema: Bytes, mediaType: "application/zip" };

/** The files of a published record, or of a draft. */
const READING = [
  get("/records/:id/files", {
    id: "listRecordFiles",
    summary: "The files of a record",
    description:
      "Of the published record. The number of a parent means its latest version that the caller may read. Files that the caller may not read are not listed; `access` shows whether there are any.",
    access: "anyone",
    answer: list("The files, by key"),
    run: async ({ files, baseUrl }, { viewer, params }) =>
      fileListJson(await files.list(viewer, recordIdOf(params.id)), { baseUrl }),
  }),
  get("/records/:id/files/:key", {
    id: "readRecordFile",
    summary: "One file of a record",
    description: "Of the published record.",
    access: "anyone",
    answer: entry("What is known of it"),
    run: async (services, { viewer, request, params }) =>
      entryJson(services, await services.files.entry(viewer, recordIdOf(params.id), keyIn(request))),
  }),
  get("/records/:id/files/:key/content", {
    id: "downloadRecordFile",
    summary: "The bytes of a file",
    description: "Of the published record. Ranges and ETags are answered.",
    access: "anyone",
    ...bytes,
    run: async (services, { viewer, request, params }) =>
      contentAnswer(services, request, await services.files.content(viewer, recordIdOf(params.id), keyIn(request))),
  }),
  get("/records/:id/files-archive", {
    id: "downloadRecordArchive",
    summary: "All files in one archive",
    description: "The files of the published record that the caller may have, as a ZIP that is made while it is sent.",
    access: "anyone",
    answer: zip,
    run: async (services, { viewer, request, params }) =>
      archiveAnswer(services, request, await services.files.archive(viewer, recordIdOf(params.id))),
  }),
  get("/records/:id/draft/files", {
    id: "listDraftFiles",
    summary: "The files of a draft",
    description: "Of a draft that the caller may read.",
    answer: list("The files, by key: completed and pending"),
    run: async ({ files, baseUrl }, { viewer, params }) =>
      fileListJson(await files.draftList(viewer, recordIdOf(params.id)), { baseUrl }),
  }),
  get("/records/:id/draft/files/:key", {
    id: "readDraftFile",
    summary: "One file of a draft",
    description: "For an upload in parts: where each part is sent, and which parts have arrived.",
    answer: entry("What is known of it"),
    run: async (services, { viewer, request, params }) =>
      entryJson(services, await services.files.draftEntry(viewer, recordIdOf(params.id), keyIn(request))),
  }),
  get("/records/:id/draft/files/:key/content", {
    id: "downloadDraftFile",
    summary: "The bytes of a file of a draft",
    description: "Ranges and ETags are answered.",
    ...bytes,
    run: async (services, { viewer, request, params }) =>
      contentAnswer(
        services,
        request,
        await services.files.draftContent(viewer, recordIdOf(params.id), keyIn(request)),
      ),
  }),
  get("/records/:id/draft/files-archive", {
    id: "downloadDraftArchive",
    summary: "All files of a draft in one archive",
    description: "As a ZIP that is made while it is sent.",
    answer: zip,
    run: async (services, { viewer, request, params }) =>
      archiveAnswer(services, request, await services.files.draftArchive(viewer, recordIdOf(params.id))),
  }),
];

/** The files of a draft are chosen, registered, described and removed. */
const CHANGES = [
  post("/records/:id/draft/files", {
    id: "registerDraftFiles",
    summary: "Register files of a draft",
    description: "Their bytes are sent next: in one body, in parts, or fetched from an address by the repository.",
    scopes: ["item:create"],
    body: NEW_FILES,
    answer: list("All files of the draft", 201),
    refuses: [409],
    run: async ({ files, baseUrl }, { viewer, params, body }) =>
      fileListJson(await files.register(viewer, recordIdOf(params.id), body), { baseUrl }),
  }),
  put("/records/:id/draft/files", {
    id: "chooseDraftFiles",
    summary: "Whether a draft has files, which is shown first, in which order",
    description: "Members that are left out stay as they are.",
    scopes: ["item:update"],
    body: CHOICE,
    answer: list("All files of the draft"),
    refuses: [409],
    run: async ({ files, baseUrl }, { viewer, params, body }) =>
      fileListJson(await files.choose(viewer, recordIdOf(params.id), body), { baseUrl }),
  }),
  remove("/records/:id/draft/files", {
    id: "removeDraftFiles",
    summary: "Remove all files from a draft",
    description: "Uploads in parts are ended.",
    scopes: ["item:delete"],
    answer: noContent("They are removed"),
    refuses: [409],
    run: ({ files }, { viewer, params }) => files.removeAll(viewer, recordIdOf(params.id)),
  }),
  put("/records/:id/draft/files/:key", {
    id: "describeDraftFile",
    summary: "Change the metadata and the access of a file",
    description: "Of a draft that the caller may change. Metadata that are left out are removed; access stays.",
    scopes: ["item:update"],
    body: DESCRIBED_FILE,
    answer: entry("The file"),
    refuses: [409],
    run: async (services, { viewer, request, params, body }) =>
      entryJson(services, await services.files.describe(viewer, recordIdOf(params.id), keyIn(request), body)),
  }),
  remove("/records/:id/draft/files/:key", {
    id: "removeDraftFile",
    summary: "Remove a file from a draft",
    description: "An upload in parts is ended.",
    scopes: ["item:delete"],
    answer: noContent("It is removed"),
    refuses: [409],
    run: ({ files }, { viewer, request, params }) => files.remove(viewer, recordIdOf(params.id), keyIn(request)),
  }),
  get("/records/:id/draft/files-removed", {
    id: "listRemovedDraftFiles",
    summary: "Files that were removed from a draft",
    description:
      "Also those that were replaced, newest first. They can be put back for a week, until the draft is published or discarded.",
    answer: { status: 200, description: "The removed files", schema: RemovedFilesShape },
    run: async ({ files }, { viewer, params }) => removedFilesJson(await files.removed(viewer, recordIdOf(params.id))),
  }),
  post("/records/:id/draft/files-removed/:removal/restore", {
    id: "restoreDraftFile",
    summary: "Put a removed file back",
    description: "With its metadata and access, where no other file has its key by now.",
    scopes: ["item:update"],
    answer: entry("The file"),
    refuses: [400, 409],
    run: async (services, { viewer, params }) =>
      entryJson(services, await services.files.putBack(viewer, recordIdOf(params.id), params.removal)),
  }),
  post("/records/:id/draft/actions/files-unpack", {
    id: "unpackDraftFile",
    summary: "Replace a ZIP by the files in it",
    description:
      "Folders stay in their keys; access is that of the ZIP, which can be put back. Where one file cannot be taken, none is.",
    scopes: ["item:update"],
    body: UNPACKED_FILE,
    answer: list("All files of the draft", 201),
    refuses: [409, 413],
    run: async ({ files, baseUrl }, { viewer, params, body }) =>
      fileListJson(await files.unpack(viewer, recordIdOf(params.id), body), { baseUrl }),
  }),
  post("/records/:id/draft/actions/files-import", {
    id: "importPreviousFiles",
    summary: "Take over the files of the version before",
    description: "Their bytes are shared, nothing is copied.",
    scopes: ["item:update"],
    answer: list("All files of the draft", 201),
    refuses: [400, 409],
    run: async ({ files, baseUrl }, { viewer, params }) =>
      fileListJson(await files.importPrevious(viewer, recordIdOf(params.id)), { baseUrl }),
  }),
];

const isSigned = (request: Request): boolean => signedIn(new URL(request.url).searchParams) !== null;

/** The bytes of files arrive. */
const CONTENTS = [
  put("/records/:id/draft/files/:key/content", {
    id: "uploadDraftFile",
    summary: "The bytes of a registered file",
    description: "The body is the file, of any media type. After an interruption it is sent again.",
    scopes: ["item:update"],
    content: { "application/octet-stream": Bytes },
    answer: entry("The file, which waits for its commit"),
    refuses: [400, 409, 413],
    run: async (services, { viewer, request, params }) =>
      entryJson(
        services,
        await services.files.putContent(viewer, recordIdOf(params.id), keyIn(request), bodyOf(request, services)),
      ),
  }),
  put("/records/:id/draft/files/:key/content/:part", {
    id: "uploadDraftFilePart",
    summary: "One part of a file",
    description:
      "Where the storage takes parts itself, the links of the file name other addresses. Those that the tool start_multipart_upload gives are signed and need no token.",
    access: (request) => (isSigned(request) ? "guests" : "signed-in"),
    scopes: ["item:update"],
    query: {
      parameters: [
        { name: "until", description: "Of a signed address", schema: Type.String() },
        { name: "signature", description: "Of a signed address", schema: Type.String() },
      ],
      read: signedIn,
    },
    content: { "application/octet-stream": Bytes },
    answer: entry("The file, which waits for its other parts"),
    refuses: [409],
    async run(services, { viewer, request, params, query }) {
      const { files } = services;
      const id = recordIdOf(params.id);
      const part = { key: keyIn(request), number: /^\d{1,9}$/.test(params.part) ? Number(params.part) : 0 };
      const signed = query();
      const sender = signed === null ? viewer : await files.signerOfPart(id, part, signed);
      return entryJson(services, await files.putPart(sender, id, part, bodyOf(request, services)));
    },
  }),
  post("/records/:id/draft/files/:key/commit", {
    id: "commitDraftFile",
    summary: "Complete a file",
    description: "Parts are joined. What is complete stays so: the same answer again.",
    scopes: ["item:update"],
    answer: entry("The file"),
    refuses: [400, 409],
    run: async (services, { viewer, request, params }) =>
      entryJson(services, await services.files.commit(viewer, recordIdOf(params.id), keyIn(request))),
  }),
];

const RECORD_FILE_ENDPOINTS = [...READING, ...CHANGES, ...CONTENTS];

export const recordFileRoutes = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, RECORD_FILE_ENDPOINTS, services, guard);

const entryJson = (
  { baseUrl }: Services,
  { entry, ...of }: { readonly record: ItemId; readonly isDraft: boolean; readonly entry: FileEntry },
) => fileEntryJson(entry, of, { baseUrl });

async function contentAnswer({ storage, usage }: Services, request: Request, file: GivenFile): Promise<Response> {
  const response = await fileResponse(request, file, storage, { asAttachment: isDownload(request) });
  if (file.visited !== undefined)
    usage.download(visitOf(request, response, contextOf(request).address), file.visited, file);
  return response;
}

async function archiveAnswer(
  { files, usage }: Services,
  request: Request,
  { record, files: all, visited }: { record: ItemId; files: readonly ItemFile[]; visited?: VisitedRecord },
): Promise<Response> {
  const { sizeBytes, pieces } = await files.zipOf(all, request.signal);
  const response = zipAnswer(request, record, sizeBytes, pieces);
  if (visited !== undefined) {
    const visit = visitOf(request, response, contextOf(request).address);
    for (const file of all) usage.download(visit, visited, file);
  }
  return response;
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
  const sha256 = contentDigestOf(request.headers.get("content-digest"));
  if (sha256 === "unreadable") throw refusedFile(FILE_SENTENCES.unreadableDigest);
  const sent = bodyPieces(request, limits, { tooSlow: refused, brokenOff: refused });
  const differs = (): never => {
    throw refusedFile(FILE_SENTENCES.digest);
  };
  const pieces = sha256 === null ? sent : heldToDigest(sent, sha256, differs);
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
