// How the routes of files of records describe themselves in the interface description (R32, R37): kept apart from the
// routes.
import { type TSchema, Type } from "@sinclair/typebox";
import { open, operation, pathParameter, RETRY_AFTER, refusals, response } from "../../http/document-parts.ts";

const ErrorOut = Type.Object({
  status: Type.Integer(),
  message: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ field: Type.String(), messages: Type.Array(Type.String()) }), {
      description: "Every field that is wrong, by its path",
    }),
  ),
});

const PartOut = Type.Object({ part: Type.Integer(), url: Type.String(), expiration: Type.String() });
const EntryOut = open({
  key: Type.String(),
  status: Type.String({ description: "pending, completed, failed" }),
  size: Type.Optional(Type.Integer()),
  checksum: Type.Optional(
    Type.String({ description: "`md5:…`; before a job has reckoned it `multipart:…` or `sha256:…`" }),
  ),
  mimetype: Type.String(),
  metadata: Type.Union([open({}), Type.Null()]),
  transfer: open({
    type: Type.String({ description: "L: one body; M: in parts; F: fetched from an address" }),
    uploaded_parts: Type.Optional(Type.Array(Type.Integer(), { description: "Parts that are there" })),
    error: Type.Optional(Type.String({ description: "Why it failed" })),
  }),
  links: open({ self: Type.String(), parts: Type.Optional(Type.Array(PartOut)) }),
});
const ListOut = open({
  enabled: Type.Boolean(),
  access: Type.Optional(Type.String({ description: "`restricted`: there are files that the caller may not have" })),
  entries: Type.Array(EntryOut),
  default_preview: Type.Union([Type.String(), Type.Null()]),
  order: Type.Array(Type.String()),
  links: open({ self: Type.String(), archive: Type.String() }),
});

const NewFiles = Type.Array(
  open({
    key: Type.String({ description: "A path; slashes are percent-encoded in addresses" }),
    size: Type.Optional(Type.Integer({ description: "Bytes; needed for parts" })),
    metadata: Type.Optional(open({})),
    transfer: Type.Optional(
      open({
        type: Type.String({ description: "L, M or F", default: "L" }),
        parts: Type.Optional(Type.Integer()),
        part_size: Type.Optional(Type.Integer({ description: "Bytes of every part but the last, at least 5242880" })),
        url: Type.Optional(Type.String({ description: "Where a file is fetched from; administrators only" })),
      }),
    ),
  }),
);
const Choice = open({
  enabled: Type.Optional(Type.Boolean()),
  default_preview: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  order: Type.Optional(Type.Array(Type.String())),
});

const REFUSED = {
  ...refusals(ErrorOut, {
    400: "Something sent is wrong: `errors` names every field",
    403: "The caller may not do this, or the files are of a published record",
    404: "There is no such record or file, or none the caller may know of",
    410: "The record was deleted",
  }),
  503: response("The database or the storage does not answer", ErrorOut, RETRY_AFTER),
};
const BUSY = { 409: response("Somebody else works on the record", ErrorOut) };
const LARGE = { 413: response("The file is larger than is kept", ErrorOut) };

const RECORD = pathParameter("id", "Number of the record", { example: "7" });
const KEY = pathParameter("key", "Key of the file, percent-encoded", { example: "data.csv" });
const PART = pathParameter("part", "Number of the part, from 1", { example: 1 });

type FileOperation = {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly answers: Readonly<Record<number, object>>;
  readonly parameters?: readonly object[];
  readonly body?: TSchema;
  readonly scope?: string;
  readonly guests?: true;
};

function fileOperation(operationText: FileOperation) {
  const {
    id,
    summary,
    description,
    answers,
    parameters = [RECORD],
    body,
    scope = "item:update",
    guests,
  } = operationText;
  return {
    ...operation({
      id,
      tag: "Files of records",
      summary,
      parameters,
      responses: { ...REFUSED, ...answers },
      description: `${description}\n\nScope of a token: \`${scope}\`.`,
      ...(body === undefined ? {} : { body }),
    }),
    ...(guests === true ? { security: [{}, { bearer: [scope] }] } : {}),
  };
}

const READ = { scope: "item:read" } as const;
const GUESTS = { ...READ, guests: true } as const;
const list = (description: string) => response(description, ListOut);
const entry = (description: string) => response(description, EntryOut);
const BYTES = {
  200: response("The bytes", Type.String({ format: "binary" }), {}, "application/octet-stream"),
  206: response("The requested range", Type.String({ format: "binary" }), {}, "application/octet-stream"),
  304: response("The caller has them", null),
  416: response("The range starts after the end", null),
};
const ZIP = { 200: response("A ZIP archive", Type.String({ format: "binary" }), {}, "application/zip") };

const PUBLISHED = "Of the published record. The number of a parent means its latest version that the caller may read.";
const DRAFT = "Of a draft that the caller may change.";

export const LIST = fileOperation({
  id: "listRecordFiles",
  summary: "The files of a record",
  ...GUESTS,
  description: `${PUBLISHED} Files that the caller may not read are not listed; \`access\` shows whether there are any.`,
  answers: { 200: list("The files, by key") },
});
export const ENTRY = fileOperation({
  id: "readRecordFile",
  summary: "One file of a record",
  description: PUBLISHED,
  ...GUESTS,
  parameters: [RECORD, KEY],
  answers: { 200: entry("What is known of it") },
});
export const CONTENT = fileOperation({
  id: "downloadRecordFile",
  summary: "The bytes of a file",
  description: `${PUBLISHED} Ranges and ETags are answered.`,
  ...GUESTS,
  parameters: [RECORD, KEY],
  answers: BYTES,
});
export const ARCHIVE = fileOperation({
  id: "downloadRecordArchive",
  summary: "All files in one archive",
  ...GUESTS,
  answers: ZIP,
  description: `${PUBLISHED} The files that the caller may have, as a ZIP that is made while it is sent.`,
});
export const DRAFT_LIST = fileOperation({
  id: "listDraftFiles",
  summary: "The files of a draft",
  description: DRAFT,
  ...READ,
  answers: { 200: list("The files, by key: completed and pending") },
});
export const DRAFT_ENTRY = fileOperation({
  id: "readDraftFile",
  summary: "One file of a draft",
  ...READ,
  parameters: [RECORD, KEY],
  description: `${DRAFT} For an upload in parts: where each part is sent, and which parts have arrived.`,
  answers: { 200: entry("What is known of it") },
});
export const DRAFT_CONTENT = fileOperation({
  id: "downloadDraftFile",
  summary: "The bytes of a file of a draft",
  description: DRAFT,
  ...READ,
  parameters: [RECORD, KEY],
  answers: BYTES,
});
export const DRAFT_ARCHIVE = fileOperation({
  id: "downloadDraftArchive",
  summary: "All files of a draft in one archive",
  description: DRAFT,
  ...READ,
  answers: ZIP,
});
export const REGISTER = fileOperation({
  scope: "item:create",
  id: "registerDraftFiles",
  summary: "Register files of a draft",
  body: NewFiles,
  description: "Their bytes are sent next: in one body, in parts, or fetched from an address by the repository.",
  answers: { 201: list("All files of the draft"), ...BUSY, ...LARGE },
});
export const CHOOSE = fileOperation({
  id: "chooseDraftFiles",
  summary: "Whether a draft has files, which is shown first, in which order",
  body: Choice,
  description: "Members that are left out stay as they are.",
  answers: { 200: list("All files of the draft"), ...BUSY },
});
export const REMOVE_ALL = fileOperation({
  scope: "item:delete",
  id: "removeDraftFiles",
  summary: "Take all files from a draft",
  description: DRAFT,
  answers: { 204: response("They are gone", null), ...BUSY },
});
export const DESCRIBE = fileOperation({
  id: "describeDraftFile",
  summary: "Change the metadata of a file",
  description: DRAFT,
  parameters: [RECORD, KEY],
  body: open({ metadata: open({}) }),
  answers: { 200: entry("The file"), ...BUSY },
});
export const REMOVE = fileOperation({
  scope: "item:delete",
  id: "removeDraftFile",
  summary: "Take a file from a draft",
  parameters: [RECORD, KEY],
  description: "An upload in parts is given up.",
  answers: { 204: response("It is gone", null), ...BUSY },
});
export const PUT_CONTENT = fileOperation({
  id: "uploadDraftFile",
  summary: "The bytes of a registered file",
  parameters: [RECORD, KEY],
  description: "The body is the file, of whatever media type. What broke off is sent again.",
  answers: { 200: entry("The file, which waits for its commit"), ...BUSY, ...LARGE },
});
export const PUT_PART = fileOperation({
  id: "uploadDraftFilePart",
  summary: "One part of a file",
  parameters: [RECORD, KEY, PART],
  description:
    "Where the storage takes parts itself, the links of the file name other addresses. Those that the tool start_multipart_upload gives are signed and need no token.",
  answers: { 200: entry("The file, which waits for its other parts"), ...BUSY },
});
export const COMMIT = fileOperation({
  id: "commitDraftFile",
  summary: "Complete a file",
  parameters: [RECORD, KEY],
  description: "Parts are joined. What is complete stays so: the same answer again.",
  answers: { 200: entry("The file"), ...BUSY },
});
export const IMPORT = fileOperation({
  id: "importPreviousFiles",
  summary: "Take over the files of the version before",
  description: "Their bytes are shared, nothing is copied.",
  answers: { 201: list("All files of the draft"), ...BUSY },
});
