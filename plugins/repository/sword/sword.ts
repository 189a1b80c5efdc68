// The deposit interfaces over HTTP (specification 2, "Deposit endpoints"; R11, R13b).
import { Type } from "@sinclair/typebox";
import { DEPOSIT_SCOPES } from "../../../src/repository/deposit/admission.ts";
import type { Deposit } from "../../../src/repository/deposit/deposit.ts";
import {
  ErrorDocument,
  ServiceDocument,
  type ServiceDocumentNeeds,
  StatusDocument,
  serviceDocument,
} from "../../../src/repository/deposit/documents.ts";
import { SwordError } from "../../../src/repository/deposit/messages.ts";
import type { DepositAnswer, DepositCall, DepositHeaders } from "../../../src/repository/deposit/request.ts";
import { JSON_TYPE } from "../../http/answer.ts";
import { headerParameter, pathParameter, RETRY_AFTER, response } from "../../http/document-parts.ts";
import { errors } from "../../http/errors.ts";
import { bodyPieces, type SlowLimits } from "../../http/request-body.ts";
import { contextOf } from "../../http/request-context.ts";
import { mountRoutes, type RouteAnswers, routesOf } from "../../http/routes.ts";
import type { RepositoryGuard } from "../guard.ts";
import { swordDialect } from "./errors.ts";

type SwordNeeds = SlowLimits & {
  readonly deposit: Deposit;
  readonly guard: Pick<RepositoryGuard, "anyone">;
  readonly serviceDocument: ServiceDocumentNeeds;
};

/** What is counted together against the limit of requests per minute (R9). */
const RATE_GROUP = "sword";

const call = async ({ guard }: SwordNeeds, request: Request): Promise<DepositCall> => ({
  requestId: contextOf(request).id,
  // Which scopes a deposit needs depends on how it is registered; service and status documents need a token, no scope
  // (R2e).
  viewer: await guard.anyone(request, RATE_GROUP, []),
  headers: headersOf(request),
});
const upload = async (needs: SwordNeeds, request: Request) => ({
  ...(await call(needs, request)),
  body: bodyOf(request, needs),
});

const MEANINGS: Readonly<Record<number, string>> = {
  400: "The request or the package is defective (messages 3, 4, 8, 9, 11 to 14, 19, 21 to 27)",
  401: "No token (message 1)",
  403: "The token is not valid, or its scopes or role do not allow this",
  404: "There is no such item, or it was deleted",
  412: "On-Behalf-Of is not supported (message 2), the Digest differs (message 10), or If-Match names another revision",
  413: "Larger than maxUploadSize (message 5)",
  415: "Content type, packaging or metadata format is not taken (messages 6, 7, 15 to 18)",
  429: "Too many requests a minute",
  500: "Internal error",
  503: "No room, or too many deposits at once, or the database does not answer",
};
const refusals = (...codes: readonly number[]): RouteAnswers =>
  Object.fromEntries(
    codes.map((code) => [
      code,
      response(MEANINGS[code] ?? "", ErrorDocument, code === 429 || code === 503 ? RETRY_AFTER : {}),
    ]),
  );
const header = (name: string, description: string) => ({
  [name]: { description, schema: { type: "string" } },
});
const LOCATION = header("Location", "The Object-URL of the item");
const STATUS_HEADERS = { ...LOCATION, ...header("ETag", "The revision of the item") };
const status = (description: string) => response(description, StatusDocument, STATUS_HEADERS);

const ON_BEHALF_OF = headerParameter(
  "On-Behalf-Of",
  "Whom it is deposited for: e-mail address, personal access token or ePPN",
);
const IF_MATCH = headerParameter("If-Match", "Revision the caller has seen; another one is 412");
const RECID = pathParameter("recid", "Item id", { example: 7 });
const UPLOAD = [
  {
    ...headerParameter("Content-Disposition", "`attachment; filename=<name>`, the name of the uploaded file"),
    required: true,
  },
  { ...headerParameter("Packaging", "An identifier that ends with SimpleZip or SWORDBagIt"), required: true },
  headerParameter("Digest", "`SHA-256=<digest>` of the ZIP: hex, base64, or base64 of the hex"),
  headerParameter("Idempotency-Key", "The same key with the same package gives the first answer again, for 7 days"),
  ON_BEHALF_OF,
];
const PACKAGE = Type.String({ format: "binary" });
const CONTENT = {
  "multipart/form-data": Type.Object({
    file: Type.String({ format: "binary", description: "The ZIP, with content type application/zip" }),
  }),
  "application/zip": PACKAGE,
};

const { get, post, put, remove } = routesOf<SwordNeeds>();

const ROUTES = [
  get("/service-document", {
    id: "readServiceDocument",
    summary: "The service document: what can be deposited, and how",
    parameters: [ON_BEHALF_OF],
    answers: { 200: response("Service document", ServiceDocument) },
    async run(needs, request) {
      await needs.deposit.admitReader(await call(needs, request));
      return Response.json(serviceDocument(needs.serviceDocument), { headers: { "content-type": JSON_TYPE } });
    },
  }),
  post("/service-document", {
    id: "depositItem",
    summary: "Register one item from a package",
    scopes: DEPOSIT_SCOPES.create,
    parameters: UPLOAD,
    content: CONTENT,
    answers: {
      201: status("Registered"),
      202: status("Accepted; the activity waits for a decision"),
      ...refusals(404, 413, 415),
    },
    run: async (needs, request) => answer(await needs.deposit.create(await upload(needs, request))),
  }),
  get("/deposit/:recid", {
    id: "readStatusDocument",
    summary: "The status document of an item",
    parameters: [RECID, ON_BEHALF_OF],
    answers: { 200: status("Status document"), ...refusals(404) },
    run: async (needs, request, { recid }) => answer(await needs.deposit.status(await call(needs, request), recid)),
  }),
  put("/deposit/:recid", {
    id: "replaceItem",
    summary: "Replace the metadata and files of an item",
    scopes: DEPOSIT_SCOPES.update,
    parameters: [RECID, IF_MATCH, ...UPLOAD],
    content: CONTENT,
    answers: {
      200: status("Replaced; of the new item after editMode Upgrade"),
      202: status("Accepted; the activity waits for a decision"),
      ...refusals(404, 413, 415),
    },
    run: async (needs, request, { recid }) => answer(await needs.deposit.replace(await upload(needs, request), recid)),
  }),
  remove("/deposit/:recid", {
    id: "deleteItem",
    summary: "Delete an item",
    scopes: DEPOSIT_SCOPES.delete,
    parameters: [RECID, IF_MATCH, ON_BEHALF_OF],
    answers: {
      202: response("The deletion waits for a decision; Link and Location name the activity page", StatusDocument),
      204: response("Deleted", null),
      ...refusals(404),
    },
    run: async (needs, request, { recid }) => answer(await needs.deposit.remove(await call(needs, request), recid)),
  }),
];

export const sword = (needs: SwordNeeds) =>
  mountRoutes(
    {
      name: "sword",
      tag: "Deposit",
      prefix: "/sword",
      errors: errors(swordDialect(needs.now)),
      scopes: [],
      always: refusals(400, 401, 403, 412, 429, 500, 503),
    },
    ROUTES,
    needs,
  );

function answer({ status, headers, body }: DepositAnswer): Response {
  if (body === null) return new Response(null, { status, headers });
  return Response.json(body, {
    status,
    headers: { "content-type": JSON_TYPE, "cache-control": "no-store", ...headers },
  });
}

function headersOf({ headers }: Request): DepositHeaders {
  return {
    onBehalfOf: headers.get("on-behalf-of"),
    contentLength: headers.get("content-length"),
    contentType: headers.get("content-type"),
    contentDisposition: headers.get("content-disposition"),
    packaging: headers.get("packaging"),
    digest: headers.get("digest"),
    ifMatch: headers.get("if-match"),
    idempotencyKey: headers.get("idempotency-key"),
  };
}

function bodyOf(request: Request, limits: SlowLimits): AsyncGenerator<Uint8Array> {
  const rule = `at least ${limits.leastBytesPerSecond} bytes a second are asked for`;
  return bodyPieces(request, limits, {
    tooSlow() {
      throw new SwordError("ContentMalformed", `The request body came too slowly: ${rule}.`);
    },
    brokenOff(cause) {
      throw new SwordError("ContentMalformed", "The request body broke off.", null, { cause });
    },
  });
}
