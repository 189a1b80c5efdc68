// The SWORD error document (specification, "Error document" and "Deposit error types").
import type { Json } from "../../domain/items/metadata.ts";
import { SWORD_CONTEXT } from "./terms.ts";

/** Every error type of the specification with its status, also those that nothing raises yet (R13b). */
export const ERROR_TYPES = {
  AuthenticationFailed: 403,
  AuthenticationRequired: 401,
  BadRequest: 400,
  ByReferenceFileSizeExceeded: 400,
  ByReferenceNotAllowed: 412,
  ContentMalformed: 400,
  ContentTypeNotAcceptable: 415,
  DigestMismatch: 412,
  ETagNotMatched: 412,
  ETagRequired: 412,
  Forbidden: 403,
  FormatHeaderMismatch: 415,
  InvalidSegmentSize: 400,
  MaxAssembledSizeExceeded: 400,
  MaxUploadSizeExceeded: 413,
  MetadataFormatNotAcceptable: 415,
  MethodNotAllowed: 405,
  OnBehalfOfNotAllowed: 412,
  PackagingFormatNotAcceptable: 415,
  SegmentedUploadTimedOut: 410,
  SegmentLimitExceeded: 400,
  UnexpectedSegment: 400,
  NotFound: 404,
  ServerError: 500,
  TooManyRequests: 429,
} as const;
export type SwordErrorType = keyof typeof ERROR_TYPES;

/** The document as JSON. `log` is never output. `at` in milliseconds since 1970. */
export function errorDocument(type: SwordErrorType, error: string, at: number): { readonly [key: string]: Json } {
  return {
    "@context": SWORD_CONTEXT,
    "@type": type,
    error,
    timestamp: new Date(at).toISOString(),
  };
}
