// How the deposit interfaces describe themselves in the interface description (specification 2, "Deposit endpoints";
// R32): kept apart from the routes.
import { type TSchema, Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import { DEPOSIT_SCOPES } from "../../../src/repository/deposit/admission.ts";
import { SWORD_ERROR_STATUS } from "../../../src/repository/deposit/messages.ts";

const TAG = "Deposit";
const text = (description: string) => Type.String({ description });

const ErrorDocument = Type.Object({
  "@context": Type.String(),
  "@type": Type.Unsafe<string>({ type: "string", enum: Object.keys(SWORD_ERROR_STATUS) }),
  error: Type.String(),
  timestamp: Type.String({ format: "date-time" }),
});

const StatusDocument = Type.Object({
  "@context": Type.String(),
  "@id": text("Address of this document"),
  "@type": Type.Literal("Status"),
  actions: Type.Record(Type.String(), Type.Boolean()),
  eTag: text("Revision number of the item"),
  fileSet: Type.Object({}),
  links: Type.Array(
    Type.Object(
      { "@id": Type.String(), rel: Type.Array(Type.String()), contentType: Type.Optional(Type.String()) },
      { additionalProperties: true },
    ),
  ),
  metadata: Type.Object({}),
  service: Type.String(),
  state: Type.Array(Type.Object({ "@id": Type.String(), description: Type.String() })),
});

const json = (schema: TSchema) => ({ "application/json": { schema } });
const ERROR_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: "The request or the package is defective (messages 3, 4, 8, 9, 11 to 14, 19, 21 to 27)",
  401: "No token (message 1)",
  403: "The token is not valid, or its scopes or role do not allow this",
  404: "There is no such item, or it was deleted",
  412: "On-Behalf-Of is not supported (message 2), the Digest differs (message 10), or If-Match names another revision",
  413: "Larger than maxUploadSize (message 5)",
  415: "Content type, packaging or metadata format is not taken (messages 6, 7, 15 to 18)",
  429: "Too many requests a minute",
  500: "Internal error",
  503: "No room, or too many deposits at once; Retry-After states when to try again",
};
const refusals = (...codes: readonly number[]) =>
  Object.fromEntries(
    codes.map((code) => [code, { description: ERROR_DESCRIPTIONS[code] ?? "", content: json(ErrorDocument) }]),
  );
const status = (description: string) => ({ description, content: json(StatusDocument) });

const header = (name: string, description: string, required = false) => ({
  name,
  in: "header" as const,
  required,
  description,
  schema: { type: "string" as const },
});
const ON_BEHALF_OF = header("On-Behalf-Of", "Whom it is deposited for: e-mail address, personal access token or ePPN");
const IF_MATCH = header("If-Match", "Revision the caller has seen; another one is 412");
const RECID = {
  name: "recid",
  in: "path" as const,
  required: true,
  description: "Item id",
  schema: { type: "integer" as const },
};
const UPLOAD = [
  header("Content-Disposition", "`attachment; filename=<name>`, the name of the uploaded file", true),
  header("Packaging", "An identifier that ends with SimpleZip or SWORDBagIt", true),
  header("Digest", "`SHA-256=<digest>` of the ZIP: hex, base64, or base64 of the hex"),
  header("Idempotency-Key", "The same key with the same package gives the first answer again, for 7 days"),
  ON_BEHALF_OF,
];
const BODY = {
  required: true,
  content: {
    "multipart/form-data": {
      schema: {
        type: "object" as const,
        required: ["file"],
        properties: {
          file: {
            type: "string" as const,
            format: "binary",
            description: "The ZIP, with content type application/zip",
          },
        },
      },
    },
    "application/zip": { schema: { type: "string" as const, format: "binary" } },
  },
};
const secured = (scopes: readonly string[]) => [{ bearer: [...scopes] }];

export const SERVICE_DETAIL: DocumentDecoration = {
  tags: [TAG],
  operationId: "readServiceDocument",
  summary: "The service document: what can be deposited, and how",
  security: secured([]),
  parameters: [ON_BEHALF_OF],
  responses: {
    200: { description: "Service document", content: json(Type.Object({}, { additionalProperties: true })) },
    ...refusals(400, 401, 403, 412, 429, 500),
  },
};

export const POST_DETAIL: DocumentDecoration = {
  tags: [TAG],
  operationId: "depositItem",
  summary: "Register one item from a package",
  security: secured(DEPOSIT_SCOPES.create),
  parameters: UPLOAD,
  requestBody: BODY,
  responses: {
    201: status("Registered"),
    202: status("Accepted; the activity waits for a decision"),
    ...refusals(400, 401, 403, 404, 412, 413, 415, 429, 500, 503),
  },
};

export const STATUS_DETAIL: DocumentDecoration = {
  tags: [TAG],
  operationId: "readStatusDocument",
  summary: "The status document of an item",
  security: secured([]),
  parameters: [RECID, ON_BEHALF_OF],
  responses: { 200: status("Status document"), ...refusals(400, 401, 403, 404, 412, 429, 500) },
};

export const PUT_DETAIL: DocumentDecoration = {
  tags: [TAG],
  operationId: "replaceItem",
  summary: "Replace the metadata and files of an item",
  security: secured(DEPOSIT_SCOPES.update),
  parameters: [RECID, IF_MATCH, ...UPLOAD],
  requestBody: BODY,
  responses: {
    200: status("Replaced; of the new item after editMode Upgrade"),
    202: status("Accepted; the activity waits for a decision"),
    ...refusals(400, 401, 403, 404, 412, 413, 415, 429, 500, 503),
  },
};

export const DELETE_DETAIL: DocumentDecoration = {
  tags: [TAG],
  operationId: "deleteItem",
  summary: "Delete an item",
  security: secured(DEPOSIT_SCOPES.delete),
  parameters: [RECID, IF_MATCH, ON_BEHALF_OF],
  responses: {
    202: status("The deletion waits for a decision; Link and Location name the activity page"),
    204: { description: "Deleted" },
    ...refusals(400, 401, 403, 404, 412, 429, 500),
  },
};
