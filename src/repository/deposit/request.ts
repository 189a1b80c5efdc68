// Requests for deposits and their answers (specification 2, "Deposit endpoints"; R11, R13).

import type { Viewer } from "../../auth/account.ts";
import type { Json } from "../../shared/json/json.ts";

/** Header values as the runtime gives them; null where a header was not sent. */
export type DepositHeaders = {
  readonly onBehalfOf: string | null;
  readonly contentLength: string | null;
  readonly contentType: string | null;
  readonly contentDisposition: string | null;
  readonly packaging: string | null;
  readonly digest: string | null;
  readonly ifMatch: string | null;
  readonly idempotencyKey: string | null;
};

export type DepositCall = {
  /** By which log lines of one request are found together. */
  readonly requestId: string;
  readonly viewer: Viewer;
  readonly headers: DepositHeaders;
};

export type UploadCall = DepositCall & {
  /** The body as it comes; null where there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
};

/** An answer as it is sent, and as it is kept for its Idempotency-Key. */
export type DepositAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The document, or null for an empty body. */
  readonly body: Json;
};

/** Longest Idempotency-Key, in characters, and how long the first answer is kept (R13). */
export const IDEMPOTENCY_KEY_MAX = 200;
export const IDEMPOTENCY_KEPT_MS = 7 * 86_400_000;
