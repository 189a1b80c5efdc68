// Refusals of the deposit interface as SWORD error documents (specification 2, "Error document", "Deposit error types";
// R9, R11).

import { errorDocument } from "../../../src/repository/deposit/documents.ts";
import { SwordError, type SwordErrorType, swordRefusals } from "../../../src/repository/deposit/messages.ts";
import { ServiceError } from "../../../src/shared/errors.ts";
import type { Refusal } from "../../../src/shared/refusal.ts";
import { JSON_TYPE } from "../../http/answer.ts";
import type { Dialect } from "../../http/errors.ts";
import { contextOf } from "../../http/request-context.ts";

const AUTHENTICATION_FAILED = "The access token is not valid.";
const TOO_MANY = "Too many requests.";
const INTERNAL = "Internal Server Error";

/**
 * Types for statuses that refusals of the core and of the frame have here. The specification has no separate type for
 * 503.
 */
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

type SwordErrorParts = {
  readonly type: SwordErrorType;
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, string>;
};

/** Any refusal as an error document; an internal error returns only the id of the request. */
export const swordDialect =
  (now: () => number): Dialect =>
  (refusal, request) => {
    const { type, status, message, headers } = swordErrorOf(refusal, request);
    return Response.json(errorDocument(type, message, now()), {
      status,
      headers: { "content-type": JSON_TYPE, "cache-control": "no-store", ...headers },
    });
  };

function swordErrorOf(refusal: Refusal, request: Request): SwordErrorParts {
  const { kind, message, status } = refusal;
  const headers = { ...refusal.headers };
  if (refusal instanceof SwordError) return { type: refusal.type, status, message, headers };
  switch (kind) {
    case "internal":
      headers["x-request-id"] = contextOf(request).id;
      return { type: "ServerError", status, message: INTERNAL, headers };
    case "unprocessable":
      return { type: "BadRequest", status: 400, message: "The request is malformed.", headers };
    case "unauthenticated":
      return unauthenticated(refusal);
    case "gone":
      return { type: "NotFound", status: 404, message, headers };
    case "conflict":
      return { type: "BadRequest", status: 400, message, headers };
    case "too_many":
      return {
        type: "TooManyRequests",
        status,
        message: refusal instanceof ServiceError ? TOO_MANY : message,
        headers,
      };
    default:
      return { type: TYPES[status] ?? "ServerError", status, message, headers };
  }
}

/** An invalid token is 403 here (specification, "Deposit error types"), a missing one message 1. */
function unauthenticated({ detail, headers }: Refusal): SwordErrorParts {
  if (detail.cause === "invalid")
    return { type: "AuthenticationFailed", status: 403, message: AUTHENTICATION_FAILED, headers: { ...headers } };
  const { type, status, message } = swordRefusals.tokenMissing();
  return { type, status, message, headers: { ...headers } };
}
