// The resolver: one route for every name, and its fast path (specification 1, "Resolution"; A31 to A47).
import { Elysia, NotFoundError } from "elysia";
import { languageOf, readRequestTarget } from "../../src/ark/request-path.ts";
import type { Descriptions } from "../../src/resolver/descriptions.ts";
import { plainRedirect } from "../../src/resolver/plain-redirect.ts";
import { type Decision, requestedName, resolveRequest } from "../../src/resolver/resolve.ts";
import { requireTable, type TableRefresh } from "../../src/resolver/table/table-refresh.ts";
import type { ResolutionTable } from "../../src/resolver/table.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { pathAndQueryOf } from "../../src/shared/http/address.ts";
import type { RateLimit } from "../../src/shared/http/rate-limit.ts";
import type { Clock } from "../../src/shared/time/clock.ts";
import { type Dialect, errors, serviceErrorOf } from "../http/errors.ts";
import { chargeAddress, contextOf } from "../http/request-context.ts";
import {
  ALLOWED_METHODS,
  describeAnswer,
  errorOf,
  type ResolverSettings,
  redirectHeaders,
  refusalAnswer,
  thumpStatus,
} from "./answers.ts";

export type ResolverNeeds = {
  readonly tables: Pick<TableRefresh, "current" | "lookAgain">;
  readonly descriptions: Descriptions;
  readonly clock: Pick<Clock, "now">;
  readonly settings: ResolverSettings;
  /** Of each address: counts what may ask the database (descriptions, last looks before a 404), never a redirect. */
  readonly addressRate: RateLimit | null;
};

/**
 * `hot` answers plain redirects without the app; null hands the request on. `names` answers every request for a name,
 * whatever path a front rewrote it to; `plugin` is the same as a route.
 */
export const resolver = (needs: ResolverNeeds) => ({
  plugin: resolverPlugin(needs),
  names: (request: Request) => answer(needs, request),
  hot: hotPath(needs),
});

const resolverPlugin = (needs: ResolverNeeds) =>
  new Elysia({ name: "resolver" })
    .use(errors(unexpectedDialect))
    .all("/*", ({ request }) => answer(needs, request), { parse: "none", detail: { hide: true } });

/**
 * Plain redirects: GET, an exact published name as the table spells it, no query, nothing on hold. Everything else is
 * null, also where a trusted raw-URI header names another address than the request itself. It only looks up a text and
 * creates a Response: most requests take this path.
 */
function hotPath(needs: ResolverNeeds): (request: Request) => Response | null {
  const { tables, settings } = needs;
  const { rawUriHeader, sentTargetHeader = null } = settings;
  const label = "/ark:";
  const prefixed = settings.rootPath === "" ? null : `${settings.rootPath}${label}`;
  const common = redirectHeaders(settings);
  const cacheControl = common["cache-control"];
  const exposed = common["access-control-expose-headers"];
  const strict = common["strict-transport-security"] ?? null;
  return (request) => {
    if (request.method !== "GET") return null;
    const table = tables.current();
    if (table === null) return null;
    const { url } = request;
    // After `http://` or `https://` and at least one byte of host.
    const path = url.indexOf("/", 8);
    if (rawUriHeader !== null && !namesSameTarget(request.headers.get(rawUriHeader), url, path)) return null;
    let from = 0;
    if (url.startsWith(label, path)) from = path + label.length;
    else if (prefixed !== null && url.startsWith(prefixed, path)) from = path + prefixed.length;
    else return null;
    if (url.charCodeAt(from) === 47) from += 1;
    const location = plainRedirect(table, url, from);
    if (location === null || (sentTargetHeader !== null && request.headers.has(sentTargetHeader))) return null;
    const redirect = new Response(null, {
      status: 302,
      headers: {
        location,
        "cache-control": cacheControl,
        "access-control-allow-origin": "*",
        "access-control-expose-headers": exposed,
      },
    });
    if (strict !== null) redirect.headers.set("strict-transport-security", strict);
    return redirect;
  };
}

/** True where the raw-URI header is absent or holds the very path and query of the URL. */
function namesSameTarget(sent: string | null, url: string, path: number): boolean {
  return sent === null || sent === "" || (sent.length === url.length - path && url.endsWith(sent));
}

/** Header values are bytes, one character each: those above ASCII are encoded as a URL parser would have done (A3). */
function bytesEncoded(value: string): string {
  return value.replace(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The settings that determine where the target of a request is read. */
type TargetSettings = Pick<ResolverSettings, "rawUriHeader" | "sentTargetHeader">;

/** The raw request target: from the trusted header where one is set and sent, else as it was sent (A34). */
function requestTarget(request: Request, settings: TargetSettings): string {
  const raw = rawTarget(request, settings);
  const target = raw === null ? sentTarget(request, settings) : bytesEncoded(raw);
  return pathAndQueryOf(target ?? request.url);
}

function rawTarget(request: Request, { rawUriHeader }: TargetSettings): string | null {
  return rawUriHeader === null ? null : request.headers.get(rawUriHeader) || null;
}

/**
 * The target as it was sent, where the runtime has rewritten it and the fast lane has seen it before (A43). Null also
 * where a front gives the target: what it hands on is answered alike through the lane and without it.
 */
export function sentTarget(request: Request, settings: TargetSettings): string | null {
  const { sentTargetHeader = null } = settings;
  if (rawTarget(request, settings) !== null) return null;
  const sent = sentTargetHeader === null ? null : request.headers.get(sentTargetHeader);
  return sent === null ? null : bytesEncoded(sent);
}

/**
 * True for requests that this plugin answers: an ARK path, or a path with a `..` segment, which is refused (A2, A43).
 */
export function asksForName(request: Request, settings: TargetSettings & Pick<ResolverSettings, "rootPath">): boolean {
  return readRequestTarget(requestTarget(request, settings), settings.rootPath).kind !== "other";
}

/** The name a request asks for, fit for a header; null where it asks for none that could be one. */
export function nameAskedFor(
  request: Request,
  settings: TargetSettings & Pick<ResolverSettings, "rootPath">,
): string | null {
  return requestedName(requestTarget(request, settings), settings.rootPath);
}

async function answer(needs: ResolverNeeds, request: Request): Promise<Response> {
  const { settings, clock } = needs;
  const target = requestTarget(request, settings);
  if (readRequestTarget(target, settings.rootPath).kind === "other") throw new NotFoundError();
  if (request.method === "OPTIONS") return options();
  const refuse = (error: ServiceError): Promise<Response> =>
    refusalAnswer(request, settings, error, requestedName(target, settings.rootPath), languageOf(target));
  if (request.method !== "GET" && request.method !== "HEAD") {
    const error = new ServiceError(
      1102,
      { method: request.method.slice(0, 32), allow: ALLOWED_METHODS },
      { allow: ALLOWED_METHODS },
    );
    return refuse(error);
  }
  try {
    const table = requireTable(needs.tables);
    const decision = resolveRequest(table, settings, target, clock.now());
    return await decisionAnswer(needs, request, target, table, decision);
  } catch (error) {
    if (error instanceof ServiceError) return refuse(error);
    throw error;
  }
}

async function decisionAnswer(
  needs: ResolverNeeds,
  request: Request,
  target: string,
  table: ResolutionTable,
  decision: Decision,
): Promise<Response> {
  const { settings, clock } = needs;
  switch (decision.kind) {
    case "other":
      throw new NotFoundError();
    case "redirect":
      return new Response(null, {
        status: decision.status,
        headers: { location: decision.location, ...redirectHeaders(settings) },
      });
    case "describe": {
      await chargeAddress(request, needs.addressRate);
      const description = await needs.descriptions.describe(table, decision);
      if (description !== null) return describeAnswer(request, settings, decision, description, clock.now());
      const gone = new ServiceError(1402, { ark: `ark:${decision.requested}` });
      return refusalAnswer(request, settings, gone, decision.requested, decision.language);
    }
    case "refusal": {
      if (decision.lookAgain.length > 0) await chargeAddress(request, needs.addressRate);
      const newer = decision.lookAgain.length === 0 ? null : await needs.tables.lookAgain(decision.lookAgain);
      if (newer === null) {
        return refusalAnswer(request, settings, errorOf(decision), decision.requested, languageOf(target));
      }
      const again = resolveRequest(newer, settings, target, clock.now());
      return decisionAnswer(
        needs,
        request,
        target,
        newer,
        again.kind === "refusal" ? { ...again, lookAgain: [] } : again,
      );
    }
  }
}

function options(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      allow: ALLOWED_METHODS,
      "access-control-allow-origin": "*",
      "access-control-allow-methods": ALLOWED_METHODS,
      "access-control-allow-headers": "*",
      "access-control-max-age": "86400",
    },
  });
}

/** Refusals are answered where they arise, negotiated; what still arrives here was not foreseen. */
const unexpectedDialect: Dialect = (refusal, request) => {
  const { status, message, wireCode } = serviceErrorOf(refusal, request);
  return new Response(`${wireCode} ${message} (${contextOf(request).id})\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "thump-status": thumpStatus(status),
    },
  });
};
