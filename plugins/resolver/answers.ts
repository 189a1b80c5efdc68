// Decisions of the resolver as HTTP answers: negotiation, headers, pages (specification 1, "Resolution"; A35 to A40,
// A42, A47).

import { printAnvl } from "../../src/ark/anvl.ts";
import type { Inflection } from "../../src/ark/request-path.ts";
import { formatArk } from "../../src/ark/syntax.ts";
import type { Look } from "../../src/pages/static-files.ts";
import { type Description, descriptionJson, kernelElements, supportElements } from "../../src/resolver/description.ts";
import type { DescribeDecision } from "../../src/resolver/descriptions.ts";
import { secondsUntil } from "../../src/resolver/hold.ts";
import { textsOf } from "../../src/resolver/pages/languages/index.ts";
import { naanPage } from "../../src/resolver/pages/naan-page.ts";
import { type NameView, namePage } from "../../src/resolver/pages/name-page.ts";
import { problemPage } from "../../src/resolver/pages/problem-page.ts";
import type { Refusal, ResolutionSettings } from "../../src/resolver/resolve.ts";
import { errorEnvelope, ServiceError } from "../../src/shared/errors.ts";
import { namesTag } from "../../src/shared/http/entity-tags.ts";
import { chooseMediaType } from "../../src/shared/http/negotiation.ts";
import { withoutEnd } from "../../src/shared/text/text.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { answerWith, HTML_TYPE, JSON_TYPE, TEXT_TYPE } from "../http/answer.ts";
import { transportSecurity } from "../http/frame.ts";
import { languageFor, pageHeaders } from "./pages.ts";

export type ResolverSettings = ResolutionSettings & {
  /** Colours and logo of pages. */
  readonly look?: Look;
  /** Lower case; null: the request URL is read (A34). */
  readonly rawUriHeader: string | null;
  /** In which the fast lane reports a target that the runtime rewrites (A43); null without a fast lane. */
  readonly sentTargetHeader?: string | null;
  readonly tombstoneStatus: 200 | 410;
  /** 0: caches must ask again. */
  readonly redirectMaxAgeSeconds: number;
  readonly hstsSeconds?: number;
  /** Language of pages where the reader prefers none. */
  readonly lang: string;
};

/**
 * The reason phrase of every status that is ever refused with (RFC 9110; RFC 6585 for 429), and of what is described.
 */
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  304: "Not Modified",
  307: "Temporary Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

export const EXPOSED_HEADERS = "Link, THUMP-Status";
export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

export function thumpStatus(status: number): string {
  return `0.6 ${status} ${REASONS[status] ?? "Error"}`;
}

/** `Link` of an answer about a name (specification 1, "Resolution" rule 4); the name is in normal form and fit for a header. */
function describesLink(settings: ResolverSettings, requested: string): string {
  return `<${settings.rootPath}/${formatArk(requested)}>; rel="describes"`;
}

/** The headers of every redirect; `location` is added. */
export function redirectHeaders(settings: Pick<ResolverSettings, "redirectMaxAgeSeconds" | "hstsSeconds">) {
  const age = settings.redirectMaxAgeSeconds;
  return {
    "cache-control": age > 0 ? `max-age=${age}` : "no-cache",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED_HEADERS,
    ...transportSecurity(settings),
  };
}

// --- descriptions ---

const INFO_TYPES = ["text/html", "application/json", "text/plain"] as const;

/** The form of each inflection; null: the form that the `Accept` header prefers. */
const FORM_OF: Readonly<Record<Inflection, "kernel" | "support" | "json" | null>> = {
  kernel: "kernel",
  support: "support",
  json: "json",
  info: null,
};
const formOf = ({ inflection }: DescribeDecision) => (inflection === null ? null : FORM_OF[inflection]);

type Body = { readonly type: string; readonly language: string | null; readonly text: string };

/** The description in the form the decision asks for. */
export async function describeAnswer(
  request: Request,
  settings: ResolverSettings,
  decision: DescribeDecision,
  description: Description,
  now: Instant,
): Promise<Response> {
  const language = languageFor(request, decision.language, settings.lang);
  const body = await bodyOf(request, settings, decision, description, language);
  const isGone = description.state === "tombstoned" && decision.inflection === null && description.redirect === null;
  const status = isGone ? settings.tombstoneStatus : 200;
  const bytes = new TextEncoder().encode(body.text);
  const headers = new Headers({
    "content-type": body.type,
    "cache-control": "no-cache",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED_HEADERS,
    "x-content-type-options": "nosniff",
    "thump-status": thumpStatus(status),
    link: describesLink(settings, decision.requested),
    etag: await etagOf(bytes),
  });
  const form = formOf(decision);
  if (form === null || form === "json") headers.set("vary", "Accept, Accept-Language");
  if (body.language !== null) headers.set("content-language", body.language);
  if (description.lastModified !== null) {
    headers.set("last-modified", new Date(description.lastModified).toUTCString());
  }
  if (description.hold !== null) headers.set("retry-after", String(secondsUntil(description.hold.until, now)));
  if (body.type === HTML_TYPE) for (const [name, value] of pageHeaders()) headers.set(name, value);
  if (status === 200 && isFresh(request, headers)) {
    headers.delete("content-type");
    headers.set("thump-status", thumpStatus(304));
    return new Response(null, { status: 304, headers });
  }
  return answerWith(request, bytes, { status, headers });
}

async function bodyOf(
  request: Request,
  settings: ResolverSettings,
  decision: DescribeDecision,
  description: Description,
  language: string,
): Promise<Body> {
  const kernel = { name: "erc", elements: kernelElements(description) };
  const support = { name: "erc-support", elements: supportElements(description) };
  const form = formOf(decision);
  if (form === "kernel") return { type: TEXT_TYPE, language: null, text: printAnvl([kernel]) };
  if (form === "support") return { type: TEXT_TYPE, language: null, text: printAnvl([kernel, support]) };
  const texts = textsOf(language);
  const type =
    form === "json" ? "application/json" : chooseMediaType(request.headers.get("accept"), INFO_TYPES, "named");
  if (type === "text/plain") return { type: TEXT_TYPE, language: null, text: printAnvl([kernel, support]) };
  if (type === "application/json") {
    const level = description.support.level;
    const document = descriptionJson(description, level === null ? "" : texts.levels[level]);
    return { type: JSON_TYPE, language, text: JSON.stringify(document) };
  }
  const view = viewOf(settings, decision, description);
  const text =
    description.kind === "naan"
      ? naanPage(view, description.authority?.authoritative === true, texts, settings)
      : namePage(view, texts, settings);
  return { type: HTML_TYPE, language, text };
}

function viewOf(settings: ResolverSettings, decision: DescribeDecision, description: Description): NameView {
  const path = `${settings.rootPath}/${formatArk(decision.requested)}`;
  return { ...description, path, address: publicAddress(settings, path) };
}

/** One of our paths as the public reaches it; the path alone without a base address. */
export function publicAddress(settings: Pick<ResolverSettings, "baseUrl" | "rootPath">, path: string): string {
  if (settings.baseUrl === null) return path;
  const base = withoutEnd(settings.baseUrl, "/");
  const hasPrefix = settings.rootPath !== "" && base.endsWith(settings.rootPath);
  return base + (hasPrefix ? path.slice(settings.rootPath.length) : path);
}

// --- what the client has already ---

async function etagOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `"${[...digest.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

/** True when the client's copy is still good: by its ETag, else by its date (RFC 9110 section 13.2.2). */
function isFresh(request: Request, headers: Headers): boolean {
  const tags = request.headers.get("if-none-match");
  if (tags !== null) return namesTag(tags, headers.get("etag") ?? "");
  const since = Date.parse(request.headers.get("if-modified-since") ?? "");
  const modified = Date.parse(headers.get("last-modified") ?? "");
  return !Number.isNaN(since) && !Number.isNaN(modified) && modified <= since;
}

// --- refusals ---

const PROBLEM_TYPES = ["text/plain", "application/json", "text/html"] as const;

/**
 * What the resolver refuses, negotiated (A47). A 404, and every other answer about a name, carries the name; a 400 has
 * none to speak of. `language` is the one asked for by name.
 */
export async function refusalAnswer(
  request: Request,
  settings: ResolverSettings,
  error: ServiceError,
  requested: string | null,
  language: string | null = null,
): Promise<Response> {
  const headers = new Headers({
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED_HEADERS,
    "x-content-type-options": "nosniff",
    vary: "Accept, Accept-Language",
    "thump-status": thumpStatus(error.status),
    ...error.headers,
  });
  if (requested !== null) headers.set("link", describesLink(settings, requested));
  const type = chooseMediaType(request.headers.get("accept"), PROBLEM_TYPES, "default");
  const body = await problemBody(settings, error, type, headers, languageFor(request, language, settings.lang));
  return answerWith(request, body, { status: error.status, headers });
}

async function problemBody(
  settings: ResolverSettings,
  error: ServiceError,
  type: (typeof PROBLEM_TYPES)[number],
  headers: Headers,
  language: string,
): Promise<string> {
  const requested = typeof error.detail.ark === "string" ? error.detail.ark : "";
  const text = [error.detail.hint, error.detail.reason].find((each) => typeof each === "string");
  const hint = typeof text === "string" ? text : null;
  if (type === "application/json") {
    headers.set("content-type", JSON_TYPE);
    return JSON.stringify(errorEnvelope(error));
  }
  if (type === "text/html") {
    headers.set("content-type", HTML_TYPE);
    headers.set("content-language", language);
    for (const [name, value] of pageHeaders()) headers.set(name, value);
    const view = { status: error.status, code: String(error.code), requested, hint };
    return problemPage(view, textsOf(language), settings);
  }
  headers.set("content-type", TEXT_TYPE);
  const line = [error.wireCode, requested, error.message].filter((part) => part !== "").join(" ");
  return `${line}\n${hint === null ? "" : `${hint}\n`}`;
}

export function errorOf(refusal: Refusal): ServiceError {
  return new ServiceError(refusal.code, refusal.detail);
}
