// Requests to one S3 store: signed, limited in time, tried again a bounded number of times. Only the configured
// endpoint is ever contacted: redirects are refused, and no address out of an answer is used.

import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../shared/error-message.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { StorageProblem } from "../../storage/limits.ts";
import { encodePath, encodeQuery, presignedTarget, type S3Credentials, signedHeaders } from "./sigv4.ts";

type S3Settings = S3Credentials & {
  /** `https://host[:port]`, without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** True: the bucket is in the path, as most stores require; false: in the host name. */
  readonly pathStyle: boolean;
};

export type S3ClientNeeds = S3Settings & {
  readonly now?: () => Date;
  /** These three shorten the waits in tests. */
  readonly retryBaseMs?: number;
  readonly timeoutMs?: number;
  readonly patienceMs?: number;
};

export type S3Request = {
  readonly method: "GET" | "PUT" | "POST" | "DELETE" | "HEAD";
  /** Name of the object in the bucket; empty for the bucket itself. */
  readonly object: string;
  readonly query?: Readonly<Record<string, string>>;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the body in hex, where it is known already. */
  readonly payload?: string;
  /** How long the store may work on it, where that is longer than usual. */
  readonly workMs?: number;
  /** How long the caller waits at most, all attempts together. */
  readonly withinMs?: number;
  /** Aborted when the caller waits no more. */
  readonly signal?: AbortSignal | undefined;
};

export type S3Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

export interface S3Client {
  /** An answer of bounded size, read whole. Statuses below 500 other than 429 are the caller's to judge. */
  ask(request: S3Request): Promise<S3Answer>;
  /** One attempt at an answer whose body is read by the caller, piece by piece. */
  open(request: S3Request): Promise<Response>;
  /** For a caller that makes its own attempts. */
  patience(signal?: AbortSignal): Patience;
  /** An address good for this one request. */
  presign(request: S3Request, expiresSeconds: number): { readonly url: string; readonly expiresAt: Instant };
}

/** How long a store that does not answer is asked again: as long as a restart of one takes. */
type Patience = {
  /** Waits before the next attempt; false when it is over. */
  readonly another: () => Promise<boolean>;
  /** Something came: what fails from now on is another failure. */
  readonly progressed: () => void;
};

const RETRY_BASE_MS = 200;
const RETRY_LONGEST_MS = 2_000;
/** Counted from the first failure. */
const PATIENCE_MS = 20_000;
const TIMEOUT_MS = 20_000;
/** A body may take as long as this rate needs, in addition to the time-out. */
const LEAST_BYTES_PER_SECOND = 64 * 1024;
/** An answer of a list of 1,000 names is below 1 MiB. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
const NOTHING = sha256Hex("");

/** @throws TypeError for an endpoint that is not a bare http(s) address. */
export function s3Client(needs: S3ClientNeeds): S3Client {
  const { origin, host, prefix } = bucketAddress(needs);
  const now = needs.now ?? (() => new Date());
  const timeoutMs = needs.timeoutMs ?? TIMEOUT_MS;
  const pathOf = (object: string): string => `${prefix}/${object}`;

  async function once(request: S3Request, signal: AbortSignal): Promise<Response> {
    const { method, object, query = {}, headers = {}, body } = request;
    const payload = request.payload ?? (body === undefined ? NOTHING : sha256Hex(body));
    const path = pathOf(object);
    const signed = signedHeaders(needs, { method, host, path, query, headers, payload }, now());
    const asked = encodeQuery(query);
    const url = `${origin}${encodePath(path)}${asked === "" ? "" : `?${asked}`}`;
    const answer = await fetch(url, {
      method,
      headers: signed,
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status < 300 || answer.status >= 400 || answer.status === 304) return answer;
    await answer.body?.cancel();
    throw new StorageProblem(
      "refused",
      `Cannot ${method} "${object}": the store answered ${answer.status} and names another place; check endpoint and region`,
    );
  }

  const patience = (signal?: AbortSignal, untilMs = Number.POSITIVE_INFINITY): Patience => {
    let [attempt, since]: [number, number | null] = [0, null];
    return {
      async another() {
        const nowMs = performance.now();
        since ??= nowMs;
        const endMs = since + (needs.patienceMs ?? PATIENCE_MS);
        if (nowMs >= endMs) return false;
        const firstMs = needs.retryBaseMs ?? RETRY_BASE_MS;
        const base = Math.min(Math.max(firstMs, RETRY_LONGEST_MS), firstMs * 2 ** attempt);
        attempt += 1;
        // The last attempt is at the end, so that chance shortens no patience; one at the end of the caller's time
        // would have no time to be answered.
        const nextMs = Math.min(nowMs + base * (0.5 + Math.random()), endMs);
        if (nextMs >= untilMs) return false;
        await sleep(nextMs - nowMs, undefined, { signal }).catch(() => {});
        return signal?.aborted !== true;
      },
      progressed() {
        [attempt, since] = [0, null];
      },
    };
  };

  return {
    patience: (signal) => patience(signal),
    async ask(request) {
      const length = request.body?.length ?? 0;
      const attemptMs = Math.max(timeoutMs, request.workMs ?? 0) + (length / LEAST_BYTES_PER_SECOND) * 1000;
      const untilMs = performance.now() + (request.withinMs ?? Number.POSITIVE_INFINITY);
      const { another } = patience(request.signal, untilMs);
      for (let attempt = 1; ; attempt += 1) {
        const limitMs = Math.max(1, Math.min(attemptMs, untilMs - performance.now()));
        const outcome = await attemptOf(() => wholeAnswer(once, request, limitMs));
        if ("answer" in outcome && !isPassing(outcome.answer.status)) return outcome.answer;
        if ("problem" in outcome && outcome.problem instanceof StorageProblem) throw outcome.problem;
        if (!(await another())) throw unavailable(request, outcome, attempt);
      }
    },
    async open(request) {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      const { signal } = request;
      try {
        return await once(request, signal === undefined ? abort.signal : AbortSignal.any([abort.signal, signal]));
      } finally {
        clearTimeout(timer);
      }
    },
    presign(request, expiresSeconds) {
      const { method, object, query = {} } = request;
      const at = now();
      const target = presignedTarget(needs, { method, host, path: pathOf(object), query }, expiresSeconds, at);
      return { url: origin + target, expiresAt: new Date(at.getTime() + expiresSeconds * 1000).toISOString() };
    },
  };
}

type Outcome = { readonly answer: S3Answer } | { readonly problem: unknown };

async function attemptOf(work: () => Promise<S3Answer>): Promise<Outcome> {
  try {
    return { answer: await work() };
  } catch (problem) {
    return { problem };
  }
}

async function wholeAnswer(
  once: (request: S3Request, signal: AbortSignal) => Promise<Response>,
  request: S3Request,
  withinMs: number,
): Promise<S3Answer> {
  const late = AbortSignal.timeout(withinMs);
  const answer = await once(request, request.signal === undefined ? late : AbortSignal.any([late, request.signal]));
  return { status: answer.status, headers: answer.headers, text: await limitedText(answer) };
}

async function limitedText(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.byteLength;
    if (length > ANSWER_MAX_BYTES) {
      throw new StorageProblem(
        "refused",
        `Cannot read the store's answer: it is larger than ${ANSWER_MAX_BYTES} bytes`,
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A refusal of what a store cannot do at all is final; every other server error may be gone at the next attempt. */
const NEVER = [501, 505];

export function isPassing(status: number): boolean {
  return (status >= 500 && !NEVER.includes(status)) || status === 429 || status === 408;
}

function unavailable({ method, object }: S3Request, outcome: Outcome, attempts: number): StorageProblem {
  const name = `${method} ${whatOf(object)}`;
  if ("answer" in outcome) {
    const { status, text } = outcome.answer;
    const code = textOf(text, "Code");
    return new StorageProblem(
      "unavailable",
      `Cannot ${name}: the store answered ${`${status} ${code}`.trim()}, ${attempts} times`,
    );
  }
  const { problem } = outcome;
  const reason = errorMessage(problem);
  return new StorageProblem("unavailable", `Cannot ${name}: the store cannot be reached (${reason})`, {
    cause: problem,
  });
}

function whatOf(object: string): string {
  return object === "" ? "the bucket" : `"${object}"`;
}

/** What the code of a refusal means for the administrator of this service. */
const CAUSES: ReadonlyMap<string, string> = new Map([
  ["InvalidAccessKeyId", "it does not know the access key, see SVC_S3_ACCESS_KEY_ID"],
  [
    "SignatureDoesNotMatch",
    "access key and secret do not belong together, see SVC_S3_ACCESS_KEY_ID and SVC_S3_SECRET_ACCESS_KEY",
  ],
  ["AuthorizationHeaderMalformed", "it is not in this region, see SVC_S3_REGION"],
  ["NoSuchBucket", "there is no such bucket, see SVC_STORAGE"],
  ["InvalidBucketName", "no bucket can be called that, see SVC_STORAGE"],
  ["AccessDenied", "these credentials may not do it"],
  ["AllAccessDisabled", "the bucket is closed"],
  ["RequestTimeTooSkewed", "its clock and the clock of this machine differ"],
  ["NotImplemented", "it cannot do this"],
  ["InvalidObjectState", "the object is in an archive class"],
]);

/** What the store refused for good: its status and code and what they mean, never its whole text. */
export function refusal({ method, object }: S3Request, { status, text, headers }: S3Answer): StorageProblem {
  const code = textOf(text, "Code");
  const cause = CAUSES.get(code);
  const clock = code === "RequestTimeTooSkewed" ? ` (there it is ${headers.get("date") ?? "another time"})` : "";
  const words = cause === undefined ? "" : `: ${cause}${clock}`;
  return new StorageProblem(
    "refused",
    `Cannot ${method} ${whatOf(object)}: the store answered ${`${status} ${code}`.trim()}${words}`,
  );
}

/** The code of a store for a missing bucket. */
export const NO_BUCKET = "NoSuchBucket";

function bucketAddress({ endpoint, bucket, pathStyle }: S3Settings) {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isBare =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === "/" &&
    `${url.search}${url.hash}${url.username}` === "";
  if (url === null || !isBare)
    throw new TypeError(`Cannot use the endpoint "${endpoint}": it must be http(s)://host[:port]`);
  const host = pathStyle ? url.host : `${bucket}.${url.host}`;
  return { host, origin: `${url.protocol}//${host}`, prefix: pathStyle ? `/${bucket}` : "" };
}

// The few answers in XML that an S3 store gives and we read: flat lists of plain elements, of bounded size. No general
// XML reader.

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * The text between the tags of every element of this name, in order; elements of one name are never nested in these
 * answers.
 */
export function elementsOf(xml: string, name: string): readonly string[] {
  const found: string[] = [];
  const [open, close] = [`<${name}`, `</${name}>`];
  for (let at = xml.indexOf(open); at !== -1; at = xml.indexOf(open, at + open.length)) {
    const next = xml[at + open.length];
    if (next !== ">" && next !== " ") continue;
    const start = xml.indexOf(">", at) + 1;
    const end = xml.indexOf(close, start);
    if (start === 0 || end === -1) break;
    found.push(xml.slice(start, end));
  }
  return found;
}

/** The text of the first element of this name; empty when there is none. */
export function textOf(xml: string, name: string): string {
  return (elementsOf(xml, name)[0] ?? "").replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{2,4}));/g,
    (whole, ...parts) => {
      const [decimal, hex, named]: readonly (string | undefined)[] = parts.slice(0, 3);
      if (named !== undefined) return ENTITIES[named] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

export function printText(text: string): string {
  return text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
