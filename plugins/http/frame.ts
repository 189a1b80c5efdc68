// What surrounds every app: the fast path, host names, the mount prefix, unknown routes and methods, request id, log
// line, figures. All of it happens before a body is read, and the same on Bun and on Deno (A15, A22, A39, A49, 1101,
// 1102, 1105).

import { errorMessage } from "../../src/shared/error-message.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { forwardedAddress, isLoopback, pathAndQueryOf, withoutRootPath } from "../../src/shared/http/address.ts";
import type { RateLimit } from "../../src/shared/http/rate-limit.ts";
import type { Log } from "../../src/shared/log.ts";
import type { Metrics } from "../../src/shared/metrics.ts";
import type { Refusal } from "../../src/shared/refusal.ts";
import { yieldIfBusy } from "../../src/shared/time/event-loop.ts";
import type { Tracing } from "../../src/shared/tracing.ts";
import { refusalOf } from "./errors.ts";
import { PROBES } from "./operations.ts";
import {
  carryContext,
  chargeAddress,
  contextOf,
  type RequestContext,
  requestIdOf,
  sayRates,
} from "./request-context.ts";

/** Who is at the other end of the connection; asked only when somebody wants to know. */
type Peer = {
  readonly addressOf: (request: Request) => string;
  /** Whether this request is being processed: then its connection does not count as that of a slow client. */
  readonly working?: (request: Request, isWorking: boolean) => void;
};
export type Handler = (request: Request, peer: Peer) => Response | Promise<Response>;
type Route = { readonly method: string; readonly path: string };

/** Requests being answered, plain redirects left out: `most` at once, 0 for no limit; more are refused (1901). */
export type Load = { inFlight: number; shed: number; readonly most: number };

export type FrameNeeds = {
  /** The app behind the frame. */
  readonly handle: (request: Request) => Response | Promise<Response>;
  readonly routes: readonly Route[];
  /**
   * The path whose route answers for a path without root path that was sent, where a path may be written in several
   * ways.
   */
  readonly canonicalPath?: (path: string) => string;
  /** Answers plain redirects from memory; null hands the request on. Only the resolver has one. */
  readonly hot: ((request: Request) => Response | null) | null;
  /** Requests answered before all routes (names of the resolver), and the pattern they are counted under. */
  readonly own: {
    readonly matches: (request: Request) => boolean;
    /** The target where the runtime has rewritten it. */
    readonly sentTarget?: (request: Request) => string | null;
    readonly pattern: string;
    readonly handle: (request: Request) => Response | Promise<Response>;
  } | null;
  /** How unknown routes, methods and hosts are refused, and what nobody foresaw. */
  readonly refuse: (refusal: Refusal, request: Request) => Response | Promise<Response>;
  readonly crossOrigin: boolean;
  readonly rootPath: string;
  readonly allowedHosts: ReadonlySet<string>;
  readonly trustedProxies: number;
  /** Of Strict-Transport-Security in every answer; 0: none. */
  readonly hstsSeconds?: number;
  /** Of each address; requests for names are counted by the resolver itself, which never counts a redirect. */
  readonly addressRate: RateLimit | null;
  readonly load: Load;
  readonly accessLog: "on" | "all" | "off";
  readonly log: Log;
  readonly metrics: Pick<Metrics, "observe" | "countFast">;
  /** Receives every answer except redirects of names, probes and metrics; null without traces. */
  readonly tracing: Tracing | null;
  /** A clock that only runs forward, in milliseconds. */
  readonly elapsedMs: () => number;
};

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const NO_ROUTE = "(none)";
/** The status of all that `hot` answers: asking each answer for it again would cost a call into the runtime. */
export const PLAIN_REDIRECT = 302;
const PATH_MAX = 2000;
const EXPOSED = "Link, THUMP-Status";
/** Figures and probes are nobody else's business: other sites' scripts may not read them. */
const PRIVATE_PATHS: ReadonlySet<string> = new Set([...PROBES, "/metrics"]);

/** The whole service as one function of a request. */
export const frame = (needs: FrameNeeds): Handler => {
  const table = routeTable(needs.routes);
  const slow = (request: Request, peer: Peer): Promise<Response> => framed(needs, table, request, peer);
  const { hot, metrics } = needs;
  if (hot === null) return slow;
  const anyHost = needs.allowedHosts.size === 0;
  // Most requests name the host of the one before.
  let wellFormed = "";
  const hasWellFormedHost = (request: Request): boolean => {
    const host = request.headers.get("host") ?? "";
    if (host === wellFormed) return true;
    if (!isWellFormedHost(host)) return false;
    wellFormed = host;
    return true;
  };
  const logAll = needs.accessLog === "all";
  return (request, peer) => {
    const began = logAll ? needs.elapsedMs() : 0;
    if (!hasWellFormedHost(request)) return slow(request, peer);
    if (!anyHost && !asksAllowedHost(needs.allowedHosts, request)) return slow(request, peer);
    const redirect = hot(request);
    if (redirect === null) return slow(request, peer);
    const sentId = request.headers.get("x-request-id");
    if (sentId !== null) redirect.headers.set("x-request-id", requestIdOf(sentId));
    metrics.countFast(PLAIN_REDIRECT);
    if (logAll) logRedirect(needs, request, peer, redirect, began);
    return redirect;
  };
};

type RouteMatch = { readonly path: string; readonly methods: ReadonlySet<string> };
type RouteTable = (path: string) => RouteMatch | null;

/**
 * Finds the pattern a path belongs to: the same text, or one whose `:name` segments match any text that is not empty.
 */
function routeTable(routes: readonly Route[]): RouteTable {
  const table = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    // A wildcard is not a path that a client requests; `own` covers what it matches.
    if (path.includes("*")) continue;
    const methods = table.get(path) ?? new Set();
    methods.add(method.toUpperCase());
    if (method.toUpperCase() === "GET") methods.add("HEAD");
    table.set(path, methods);
  }
  // A literal segment counts before a parameter: `/records/new` before `/records/:id`.
  const patterns = [...table]
    .filter(([path]) => path.includes("/:"))
    .map(([path, methods]) => ({ path, methods, segments: path.split("/") }))
    .sort((one, other) => variablesOf(one.segments) - variablesOf(other.segments));
  return (path) => {
    const methods = table.get(path);
    if (methods !== undefined) return { path, methods };
    if (patterns.length === 0) return null;
    const asked = path.split("/");
    const found = patterns.find(
      ({ segments }) =>
        segments.length === asked.length &&
        segments.every((segment, at) => (segment.startsWith(":") ? asked[at] !== "" : segment === asked[at])),
    );
    return found ?? null;
  };
}

function variablesOf(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith(":")).length;
}

async function framed(needs: FrameNeeds, table: RouteTable, sent: Request, peer: Peer): Promise<Response> {
  const began = needs.elapsedMs();
  const { load } = needs;
  load.inFlight += 1;
  peer.working?.(sent, true);
  const context = contextOf(sent);
  fillAddress(needs, context, sent, peer);
  const request = withAddress(needs, sent);
  const path = pathOf(needs.own?.sentTarget?.(request) ?? request.url);
  const inner = withoutRootPath(path, needs.rootPath);
  let response: Response;
  const busy = PRIVATE_PATHS.has(inner) ? null : yieldIfBusy();
  if (busy !== null) await busy;
  try {
    response = await route(needs, table, request, context, path, inner);
  } catch (error) {
    response = await needs.refuse(refusalOf(error, "UNKNOWN", request), request);
  } finally {
    load.inFlight -= 1;
    peer.working?.(sent, false);
  }
  sayRates(request, response);
  if (request.method === "HEAD" && context.headLength !== null && response.ok) {
    response.headers.set("content-length", String(context.headLength));
  }
  if (needs.crossOrigin && !PRIVATE_PATHS.has(inner)) allowCrossOrigin(response);
  // Bun reads what follows as a tunnel, also behind a refusal: a front would send another client's request into it.
  if (request.method === "CONNECT") response.headers.set("connection", "close");
  // In every interface the content type is final: no browser may guess another one.
  if (response.headers.has("content-type")) response.headers.set("x-content-type-options", "nosniff");
  for (const [name, value] of Object.entries(transportSecurity(needs))) response.headers.set(name, value);
  const ms = needs.elapsedMs() - began;
  const method = METHODS.has(request.method) ? request.method : "OTHER";
  needs.metrics.observe(method, context.route, response.status, ms);
  if (context.unexpected !== null) logCause(needs.log, context, response.status);
  if (needs.tracing !== null && isTraced(needs, context, response)) {
    needs.tracing.record({
      method,
      route: context.route,
      status: response.status,
      ms,
      requestId: context.id,
      clientId: context.clientId,
      traceparent: request.headers.get("traceparent"),
      tracestate: request.headers.get("tracestate"),
    });
  }
  const logged = isLogged(needs, context, response);
  if (logged) logRequest(needs.log, request, context, path, response.status, ms);
  // Made up only where somebody can find it again.
  if (logged || needs.tracing !== null || context.unexpected !== null || request.headers.has("x-request-id")) {
    response.headers.set("x-request-id", context.id);
  }
  return response;
}

type StrictTransport = { readonly "strict-transport-security"?: string };

/** The field that keeps browsers on https for a while, where the settings ask for it. */
export function transportSecurity({ hstsSeconds = 0 }: Pick<FrameNeeds, "hstsSeconds">): StrictTransport {
  return hstsSeconds === 0 ? {} : { "strict-transport-security": `max-age=${hstsSeconds}` };
}

/**
 * What is unavailable for a while (a database, a disk, a store) is logged with its message; an unexpected error with
 * its stack.
 */
function logCause(log: Log, { id, route, unexpected }: RequestContext, status: number): void {
  const fields = { request_id: id, route };
  if (status !== 503) log.error("unexpected", { ...fields, error: unexpected });
  else
    log.warn("unavailable", {
      ...fields,
      reason: errorMessage(unexpected),
    });
}

/**
 * Redirects of names are the daily work of a resolver, and probes that find everything well come every few seconds:
 * counted always, logged only when all is to be logged.
 */
function isLogged(needs: FrameNeeds, context: RequestContext, response: Response): boolean {
  if (needs.accessLog !== "on") return needs.accessLog === "all";
  if (PROBES.has(context.route) && response.ok) return false;
  return context.route !== needs.own?.pattern || !response.headers.has("location");
}

function isTraced(needs: FrameNeeds, context: RequestContext, response: Response): boolean {
  if (PRIVATE_PATHS.has(context.route)) return false;
  return context.route !== needs.own?.pattern || !response.headers.has("location");
}

async function route(
  needs: FrameNeeds,
  table: RouteTable,
  request: Request,
  context: RequestContext,
  path: string,
  inner: string,
): Promise<Response> {
  const own = needs.own?.matches(request) === true;
  const canonical = needs.canonicalPath?.(inner) ?? inner;
  const found = table(canonical);
  const methods = found?.methods;
  context.route = own ? (needs.own?.pattern ?? NO_ROUTE) : (found?.path ?? NO_ROUTE);
  const host = request.headers.get("host") ?? "";
  const isKnown = PROBES.has(inner) || isAllowedHost(needs.allowedHosts, host);
  // What the runtime makes of a host may be no address, such as http://1.2.3.256/; names are read without one.
  const isReadable = own || host === "" || URL.canParse(request.url);
  if (!isKnown || !isReadable || !isWellFormedHost(host)) throw new ServiceError(1105, { host: host.slice(0, 255) });
  refuseOverload(needs.load, inner);
  // Names are read from the raw URL, or the header that is trusted instead of it: handed on untouched, prefix and all.
  if (own && needs.own !== null) return needs.own.handle(request);
  // A raw `#` is not allowed in a request target: the router would read it as part of the path and find no route.
  if (methods === undefined || request.url.includes("#"))
    throw new ServiceError(1101, { path: path.slice(0, PATH_MAX) });
  if (!methods.has(request.method)) {
    const allow = [...new Set([...methods, ...(needs.crossOrigin ? ["OPTIONS"] : [])])].sort().join(", ");
    if (request.method === "OPTIONS" && needs.crossOrigin) return preflight(allow);
    throw new ServiceError(1102, { method: request.method.slice(0, 32), allow }, { allow });
  }
  if (!PRIVATE_PATHS.has(inner)) await chargeAddress(request, needs.addressRate);
  if (canonical !== inner) return needs.handle(withPath(request, path, canonical));
  return needs.handle(inner === path ? request : withoutPrefix(request, needs.rootPath));
}

/**
 * Better a few clients that come back later than a memory full of requests; probes and figures are answered all the
 * same.
 */
function refuseOverload(load: Load, inner: string): void {
  if (load.most === 0 || load.inFlight <= load.most || PRIVATE_PATHS.has(inner)) return;
  load.shed += 1;
  throw new ServiceError(1901, { reasons: ["Too many requests at once"] }, { "retry-after": "1" });
}

function preflight(allow: string): Response {
  return new Response(null, {
    status: 204,
    headers: { allow, "access-control-allow-methods": allow, "access-control-allow-headers": "*" },
  });
}

function allowCrossOrigin(response: Response): void {
  response.headers.set("access-control-allow-origin", "*");
  response.headers.set("access-control-expose-headers", EXPOSED);
}

/** The path exactly as it came, without the query. */
function pathOf(url: string): string {
  const target = pathAndQueryOf(url);
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/**
 * Where a request names no host, as HTTP/1.0 need not, Bun gives its target alone: no address that a route could read.
 * Names are read from that.
 */
function withAddress({ own }: FrameNeeds, request: Request): Request {
  if (!request.url.startsWith("/") || own?.matches(request) === true) return request;
  return carryContext(request, new Request(`http://localhost${request.url}`, request));
}

function withoutPrefix(request: Request, rootPath: string): Request {
  const { origin } = new URL(request.url);
  const target = pathAndQueryOf(request.url).slice(rootPath.length);
  const url = origin + (target.startsWith("/") ? target : `/${target}`);
  return carryContext(request, new Request(url, request));
}

/** The request with another path; its query stays. */
function withPath(request: Request, path: string, canonical: string): Request {
  const { origin } = new URL(request.url);
  const query = pathAndQueryOf(request.url).slice(path.length);
  return carryContext(request, new Request(origin + canonical + query, request));
}

function asksAllowedHost(allowed: ReadonlySet<string>, request: Request): boolean {
  return isAllowedHost(allowed, request.headers.get("host") ?? "");
}

/**
 * A name, an IPv4 or an IPv6 address, with or without a port, or nothing. The runtimes join several Host fields to `a,
 * b`, which is none (RFC 9112 3.2).
 */
const HOST = /^(?:[a-z0-9._~-]{0,255}|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/i;

function isWellFormedHost(host: string): boolean {
  return HOST.test(host);
}

/** A host is listed with its port, or without: then any port will do. None listed: all are. */
export function isAllowedHost(allowed: ReadonlySet<string>, sent: string): boolean {
  if (allowed.size === 0) return true;
  const host = sent.toLowerCase();
  return allowed.has(host) || allowed.has(host.replace(/:\d+$/, ""));
}

function fillAddress(needs: FrameNeeds, context: RequestContext, request: Request, peer: Peer): void {
  const forwardedFor = request.headers.get("x-forwarded-for");
  const forwarded = forwardedAddress(forwardedFor, needs.trustedProxies);
  context.address = forwarded ?? peer.addressOf(request);
  // A front on this machine speaks from a loopback address too; only a trusted one that names the client counts as
  // local.
  const handedOn = forwardedFor !== null || request.headers.has("forwarded");
  context.local = isLoopback(context.address) && (forwarded !== null || !handedOn);
}

function logRequest(
  log: Log,
  request: Request,
  context: RequestContext,
  path: string,
  status: number,
  ms: number,
): void {
  log.info("request", {
    method: request.method,
    route: context.route,
    // Without the query: it may hold what nobody should keep.
    path: path.slice(0, PATH_MAX),
    status,
    ms: Math.round(ms * 1000) / 1000,
    request_id: context.id,
    client_id: context.clientId,
    address: context.address,
  });
}

function logRedirect(needs: FrameNeeds, request: Request, peer: Peer, response: Response, began: number): void {
  const context = contextOf(request);
  fillAddress(needs, context, request, peer);
  context.route = needs.own?.pattern ?? NO_ROUTE;
  response.headers.set("x-request-id", context.id);
  logRequest(needs.log, request, context, pathOf(request.url), response.status, needs.elapsedMs() - began);
}
