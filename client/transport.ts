// One request and its repetitions: time, cancellation, waits between attempts, refusals. By `fetch` alone, so that it
// runs on Bun, Deno, Node.js and in browsers.
import { ConnectionError, connectionError, RefusalError } from "./errors.ts";
import { bodyOf } from "./operations.ts";

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** Longest time of one attempt, until the answer is read; 0: no end. */
  readonly timeoutMs?: number;
  /** How often a request is sent at most, if it may be repeated. */
  readonly attempts?: number;
  /** In addition to those of the input. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What an answer that leads elsewhere is: `follow` (GET alone), `manual`: the answer, `refuse`: a RefusalError. A
   * token is sent to no other host.
   */
  readonly redirect?: "follow" | "manual" | "refuse";
  /** Called before each wait; an answer of false ends the attempts. */
  readonly onRetry?: (retry: Retry) => boolean | undefined | Promise<boolean | undefined>;
};

/** An attempt that failed, and the wait before the next one. */
export type Retry = {
  readonly error: RefusalError | ConnectionError;
  /** From 1. */
  readonly attempt: number;
  readonly waitMs: number;
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type SendOptions = CallOptions & { readonly fetch?: Fetch };

export type ClientSettings = Omit<SendOptions, "signal"> & {
  /** Address of the service, with the path that it is mounted at. */
  readonly url: string | URL;
  /** Sent as `Authorization: Bearer`; a function is called for each request. */
  readonly token?: string | (() => string | Promise<string>);
};

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
/** Bytes of a refusal that are read. */
const REFUSAL_BYTES = 1024 * 1024;
/** Bytes of JSON that are read. */
export const JSON_BYTES = 256 * 1024 * 1024;

/** Longest wait before the next attempt, whatever the service asks for. */
const RETRY_WAIT_MAX_MS = 10 * 60_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** Statuses after which the same request may be taken later. */
export const isTryAgain = (status: number): boolean =>
  status === 408 || status === 429 || status === 502 || status === 503 || status === 504;

/** How long to wait before the next attempt: the time in Retry-After, in seconds or as a date, else 1 s, 2 s, 4 s, … */
export function retryWaitMs(retryAfter: string | null, attempt: number, nowMs: number): number {
  const asked = retryAfter === null ? null : askedWaitMs(retryAfter.trim(), nowMs);
  const wait = asked ?? Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return Math.min(RETRY_WAIT_MAX_MS, Math.max(0, wait));
}

function askedWaitMs(text: string, nowMs: number): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at - nowMs;
}

const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** A request to one address. */
export type OutgoingRequest = {
  /** As errors name it: the id of an operation. */
  readonly operation: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: unknown;
  /** Media types that the body may have. */
  readonly media?: readonly string[];
};

/**
 * Sends a request, again where that is safe: after 429 and where no connection was made every request, after 502 to 504
 * and a broken connection one that can be repeated (GET, PUT, DELETE, or with an Idempotency-Key). `read` takes what is
 * wanted of the answer, within the time of the attempt. @throws RefusalError, ConnectionError, and the reason of
 * `signal`
 */
export async function send<Answer>(
  request: OutgoingRequest,
  options: SendOptions,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(request, options, read);
    } catch (error) {
      const waitMs = await waitAfter(error, request, options, attempt);
      if (waitMs === null) throw error;
      await sleep(waitMs, options.signal);
    }
  }
}

/** @throws RefusalError, ConnectionError, the reason of the caller's signal */
async function sendOnce<Answer>(
  { operation, method, url, headers: given, body: content, media = [] }: OutgoingRequest,
  options: SendOptions,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const { signal, timeoutMs = TIMEOUT_MS, redirect = method === "GET" ? "follow" : "refuse" } = options;
  signal?.throwIfAborted();
  const late = timeoutMs === 0 ? null : AbortSignal.timeout(timeoutMs);
  const signals = [signal, late].filter((each) => each !== undefined && each !== null);
  const { body, type } = content === undefined ? {} : bodyOf(media, content);
  const headers = new Headers(given);
  if (type !== undefined && !headers.has("content-type")) headers.set("content-type", type);
  try {
    const response = await (options.fetch ?? fetch)(url.href, {
      method,
      headers,
      redirect: redirect === "follow" ? "follow" : "manual",
      signal: AbortSignal.any(signals),
      // A stream as a body needs `duplex`, which some types of RequestInit do not know.
      ...(body === undefined ? {} : { body, ...(body instanceof ReadableStream ? { duplex: "half" } : {}) }),
    });
    if (response.ok || (redirect === "manual" && response.status < 400)) return await read(response);
    throw new RefusalError(operation, response, await textUpTo(response, REFUSAL_BYTES));
  } catch (error) {
    if (error instanceof RefusalError) throw error;
    if (signal?.aborted) throw signal.reason;
    // Of reading: an answer that is too long, or is not JSON.
    if (error instanceof SyntaxError || error instanceof RangeError) throw error;
    throw connectionError(operation, error, late?.aborted ? timeoutMs : null);
  }
}

/** Null: the request is not sent again. */
async function waitAfter(
  error: unknown,
  { method, headers, body }: OutgoingRequest,
  { attempts = ATTEMPTS, onRetry }: SendOptions,
  attempt: number,
): Promise<number | null> {
  const isRepeatable = REPEATABLE.has(method) || headers.has("idempotency-key");
  // A stream that is not opened again can be sent once.
  if (attempt >= attempts || body instanceof ReadableStream || !mayRepeat(error, isRepeatable)) return null;
  const retryAfter = error instanceof RefusalError ? error.headers.get("retry-after") : null;
  const waitMs = retryWaitMs(retryAfter, attempt, Date.now());
  return (await onRetry?.({ error, attempt, waitMs })) === false ? null : waitMs;
}

function mayRepeat(error: unknown, isRepeatable: boolean): error is RefusalError | ConnectionError {
  if (error instanceof ConnectionError) return isRepeatable || error.kind === "unsent";
  return error instanceof RefusalError && (error.status === 429 || (isRepeatable && isTryAgain(error.status)));
}

/** @throws the reason of the signal */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The text of an answer. @throws RangeError where it is longer than `most` bytes */
export async function textUpTo(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`The answer has more than ${most} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
