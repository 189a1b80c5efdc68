// Refusals of the deposit door as SWORD error documents (specification 2, "Error document", "Deposit error types"; R9, R11).

import { Elysia } from "elysia";
import { SwordError, type SwordErrorType, swordRefusals } from "../src/domain/deposit/messages.ts";
import { ServiceError } from "../src/domain/errors.ts";
import { RepositoryRefusal } from "../src/domain/repository/refusal.ts";
import { errorDocument } from "../src/formats/sword/error.ts";
import { contextOf } from "./request-context.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const AUTHENTICATION_FAILED = "The access token is not valid.";
const TOO_MANY = "Too many requests.";
const INTERNAL = "Internal Server Error";

/** Types for statuses that refusals of the core and of the frame have here. 503 has no type of its own in the specification. */
const TYPES: Readonly<Record<number, SwordErrorType>> = {
  400: "BadRequest",
  401: "AuthenticationRequired",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  410: "NotFound",
  412: "ETagNotMatched",
  413: "MaxUploadSizeExceeded",
  415: "ContentTypeNotAcceptable",
  429: "TooManyRequests",
};

type Said = {
  readonly type: SwordErrorType;
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, string>;
};

/** Any error as an error document. Anything unexpected is 500 without a word from inside, and kept for the log. */
export function swordRefusal(error: unknown, code: string | number, request: Request, now: () => number): Response {
  const { type, status, message, headers } = saidOf(error, code, request);
  return Response.json(errorDocument(type, message, now()), {
    status,
    headers: { "content-type": JSON_TYPE, "cache-control": "no-store", ...headers },
  });
}

function saidOf(error: unknown, code: string | number, request: Request): Said {
  const context = contextOf(request);
  if (error instanceof SwordError) {
    if (error.status >= 500) context.unexpected = error.cause ?? error;
    return { type: error.type, status: error.status, message: error.message, headers: {} };
  }
  if (error instanceof RepositoryRefusal) return ofRepository(error);
  if (error instanceof ServiceError) {
    if (error.cause !== undefined) context.unexpected = error.cause;
    const { status } = error;
    const message = status === 429 ? TOO_MANY : error.message;
    return { type: TYPES[status] ?? "ServerError", status, message, headers: { ...error.headers } };
  }
  if (code === "VALIDATION")
    return { type: "BadRequest", status: 400, message: "The request is malformed.", headers: {} };
  context.unexpected = error;
  return { type: "ServerError", status: 500, message: INTERNAL, headers: { "x-request-id": context.id } };
}

/** An invalid token is 403 here (specification, "Deposit error types"), a missing one message 1. */
function ofRepository(error: RepositoryRefusal): Said {
  const headers = { ...error.headers };
  if (error.kind === "unauthenticated") {
    if (error.detail.cause === "invalid")
      return { type: "AuthenticationFailed", status: 403, message: AUTHENTICATION_FAILED, headers };
    const { type, status, message } = swordRefusals.tokenMissing();
    return { type, status, message, headers };
  }
  const status = error.kind === "gone" ? 404 : error.kind === "conflict" ? 400 : error.status;
  return { type: TYPES[status] ?? "ServerError", status, message: error.message, headers };
}

/** Every route of the plugin that uses this answers its errors as SWORD error documents. */
export const swordErrors = (now: () => number) =>
  new Elysia().onError({ as: "scoped" }, ({ error, code, request }) => {
    if (code === "NOT_FOUND") return;
    return swordRefusal(error, code, request, now);
  });
