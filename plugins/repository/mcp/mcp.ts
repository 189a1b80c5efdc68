// The tool server over HTTP (R30; specification 3, "Tool servers"): /mcp for everybody, /mcp-auth for clients that sign
// in before their first request; the description of both as protected resources (RFC 9728). No session is kept: every
// request is complete.

import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { Elysia } from "elysia";
import { GUEST, type Viewer } from "../../../src/auth/account.ts";
import { TOOL_SCOPES, TOOLSETS, type ToolDefinition, type ToolScope } from "../../../src/repository/tools/tool.ts";
import { gate, MESSAGES_MAX, messagesOf, type ToolAudit } from "../../../src/repository/tools/tool-server.ts";
import { addressKey } from "../../../src/shared/http/address.ts";
import type { RateLimit } from "../../../src/shared/http/rate-limit.ts";
import { JsonTooDeep, JsonTooMuch, parseJson } from "../../../src/shared/json/read.ts";
import { isObject, memberOf } from "../../../src/shared/objects.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { isAllowedHost } from "../../http/frame.ts";
import { type BodyLimits, readBytes } from "../../http/request-body.ts";
import { charge, contextOf } from "../../http/request-context.ts";
import { mountRoutes } from "../../http/routes.ts";
import type { RepositoryGuard } from "../guard.ts";
import type { CallContext, ProtocolServer, Selection, Table } from "./protocol.ts";
import { ENTRANCES, type Entrance, GROUP, METADATA_GROUP, METADATA_ROUTES } from "./routes.ts";

export type McpNeeds = Pick<BodyLimits, "clientSeconds"> &
  CallerNeeds & {
    readonly guard: Pick<RepositoryGuard, "uncounted">;
    /** A minute, of an address and of an account. */
    readonly rates: { readonly guests: RateLimit | null; readonly accounts: RateLimit | null };
    /** What the gate knows of the tools that are served. */
    readonly tools: ReadonlyMap<string, ToolDefinition>;
    /** Those of standard input and output, for `arkstone mcp --url`, which asks for them by `?server=stdio`. */
    readonly stdioTools?: ReadonlyMap<string, ToolDefinition>;
    /** Called with what the gate refused. */
    readonly refused: ToolAudit["refused"];
    /** What is listed is the same for everybody, for as long as the process runs. */
    readonly isConstant?: boolean;
    /** Called with the first call: a repository without one does not hold the protocol in memory. */
    readonly load: () => Promise<ProtocolServer>;
  };

/** 16 MB of a file as base64, and room around it (reference 1.4). */
const BODY_BYTES = 33 * 1024 * 1024;
/** Guests send no files. */
const GUEST_BODY_BYTES = 1024 * 1024;
export const MCP_PATHS = /^\/(?:mcp|mcp-auth|\.well-known\/oauth-protected-resource(?:\/mcp(?:-auth)?)?)$/;
export const mcpPlugin = (needs: McpNeeds) => {
  const { guard, rates, baseUrl } = needs;
  const callers = callerCheck(needs);
  const lists = keptLists();
  let handling: Promise<McpHttpHandler> | null = null;
  /** The protocol is loaded with the first call: a repository without one does not hold it in memory. */
  const handler = (): Promise<McpHttpHandler> => (handling ??= handlerOf(needs));

  async function answer(request: Request, entrance: Entrance): Promise<Response> {
    callers.require(request);
    if (request.method === "OPTIONS") return preflight();
    const metadata = `${baseUrl}/.well-known/oauth-protected-resource/${entrance}`;
    const allScopes = TOOL_SCOPES.join(" ");
    const viewer = await guard.uncounted(request, "tools", `${baseUrl}/${entrance}`).catch(async (error: unknown) => {
      if (!isRefusal(error, "unauthenticated")) throw error;
      // A token that is not valid is never taken for no token. Its client asks for a new one, with the scopes that are
      // named here.
      const scope = entrance === "mcp-auth" ? allScopes : await neededScope(request);
      const isEnded = error.detail.ended === true;
      const message = `The access token ${isEnded ? "has ended" : "is not valid"}`;
      throw challenge(401, "invalid_token", scope, metadata, message);
    });
    await count(request, viewer);
    const isGuest = viewer.account === null;
    if (isGuest && entrance === "mcp-auth") {
      throw challenge(401, null, allScopes, metadata, "Sign in to use this entrance");
    }
    const body = request.method === "POST" ? await bodyOf(request, isGuest, needs.clientSeconds) : undefined;
    if (messagesOf(body).length > MESSAGES_MAX) {
      throw new Refusal("invalid", `A batch holds at most ${MESSAGES_MAX} messages`);
    }
    const params = new URL(request.url).searchParams;
    const table = tableOf(params);
    const served = table === "stdio" ? (needs.stdioTools ?? new Map()) : needs.tools;
    const verdict = gate(body, served, isGuest ? null : (viewer.scopes ?? new Set()));
    if (!verdict.pass) {
      const { status, scope, tool } = verdict;
      needs.refused({ viewer, tool, status });
      throw status === 401
        ? challenge(401, null, scope, metadata, `This tool needs a token with ${scope}`)
        : challenge(403, "insufficient_scope", scope, metadata, `The token lacks ${scope}`);
    }
    const context: CallContext = { viewer, isShown: selectionOf(params), table };
    const authInfo = { token: "", clientId: viewer.clientId, scopes: [...(viewer.scopes ?? [])], extra: context };
    // The body was read above: the handler gets it parsed. A client that closes the response cancels the call.
    const whole = async (): Promise<Response> => {
      const { method, headers, signal } = request;
      const plain = new Request(request.url, { method, headers, signal });
      return await (await handler()).fetch(plain, { authInfo, ...(body === undefined ? {} : { parsedBody: body }) });
    };
    return needs.isConstant === true ? await lists.answer(request, body, whole) : await whole();
  }

  /** What the call of a client needs whose token is not valid; reading where it calls nothing that needs more. */
  async function neededScope(request: Request): Promise<ToolScope> {
    if (request.method !== "POST") return "mcp:read";
    try {
      const body = await bodyOf(request, true, needs.clientSeconds);
      const served = tableOf(new URL(request.url).searchParams) === "stdio" ? needs.stdioTools : needs.tools;
      const isMuch = messagesOf(body).length > MESSAGES_MAX;
      const verdict = isMuch ? null : gate(body, served ?? new Map(), null);
      return verdict === null || verdict.pass ? "mcp:read" : verdict.scope;
    } catch (error) {
      // Faults of the body are reported only to clients that may send one.
      if (error instanceof Refusal) return "mcp:read";
      throw error;
    }
  }

  async function count(request: Request, viewer: Viewer): Promise<void> {
    const { account } = viewer;
    const limit = account === null ? rates.guests : rates.accounts;
    if (limit === null) return;
    const who = account === null ? addressKey(contextOf(request).address) : `account:${account.id}`;
    await charge(request, limit, `tools ${who}`);
  }

  const group = { ...GROUP, headers: callers.shownTo };
  return new Elysia({ name: "tool-servers" })
    .use(mountRoutes(group, ENTRANCES, { answer }))
    .use(mountRoutes(METADATA_GROUP, METADATA_ROUTES, { baseUrl }));
};

async function handlerOf(needs: McpNeeds): Promise<McpHttpHandler> {
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const { serverFor, bus } = await needs.load();
  return createMcpHandler(
    ({ authInfo }) => {
      const { viewer = GUEST, isShown = () => true, table = "http" } = (authInfo?.extra ?? {}) as Partial<CallContext>;
      return serverFor({ viewer, isShown, table });
    },
    { maxRequestBodySize: BODY_BYTES, ...(bus === undefined ? {} : { bus }) },
  );
}

/** `error`: null where no token was sent (RFC 6750, section 3.1). */
function challenge(status: 401 | 403, error: string | null, scope: string, metadata: string, message: string): Refusal {
  return new Refusal(status === 401 ? "unauthenticated" : "forbidden", message, {
    headers: {
      "www-authenticate":
        error === null
          ? `Bearer scope="${scope}", resource_metadata="${metadata}"`
          : `Bearer error="${error}", scope="${scope}", resource_metadata="${metadata}", error_description="${message}"`,
    },
  });
}

async function bodyOf(request: Request, isGuest: boolean, clientSeconds: number): Promise<unknown> {
  const bytes = await readBytes(request, { bodyLimit: isGuest ? GUEST_BODY_BYTES : BODY_BYTES, clientSeconds });
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const isTooMuch = error instanceof JsonTooDeep || error instanceof JsonTooMuch;
    throw new Refusal("invalid", isTooMuch ? `The body cannot be read: ${error.message}` : "The body is not JSON");
  }
}

/** `?server=stdio`: the table of the stdio server. @throws Refusal for a server there is none of. */
function tableOf(sent: URLSearchParams): Table {
  const server = sent.get("server") ?? "http";
  if (server === "http" || server === "stdio") return server;
  throw new Refusal("invalid", `There is no server "${server.slice(0, 100)}"; there are http, stdio`);
}

/** `?toolsets=records,files` and `?readonly=1` narrow the list. @throws Refusal for a set there is none of. */
function selectionOf(sent: URLSearchParams): Selection {
  const sets = sent.get("toolsets");
  const named = sets === null || sets === "" ? null : sets.split(",").map((each) => each.trim());
  const unknown = named?.find((each) => !TOOLSETS.some((set) => set === each));
  if (unknown !== undefined) {
    throw new Refusal("invalid", `There is no toolset "${unknown.slice(0, 100)}"; there are ${TOOLSETS.join(", ")}`);
  }
  const isReadOnly = ["1", "true"].includes(sent.get("readonly") ?? "");
  return ({ toolset, annotations }: ToolDefinition) =>
    (named === null || named.includes(toolset)) && (!isReadOnly || annotations.readOnlyHint);
}

// Which pages and under which names the tool server may be spoken to (R30; reference 4.1): a page of somebody else's
// that a browser shows must not reach it with what the browser knows, not by its own name (Origin) and not by a name
// that was turned towards us (Host, DNS rebinding).

type CallerNeeds = {
  readonly baseUrl: string;
  /** Origins of pages that may call this server, in addition to our own. */
  readonly origins: readonly string[];
  /** Host names that it accepts, in addition to those of the base URL and of this machine. */
  readonly hosts: ReadonlySet<string>;
};

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

type CallerCheck = {
  /** @throws Refusal forbidden for a page or a name that is neither ours nor set. */
  readonly require: (request: Request) => void;
  /** What lets a browser show the answer to the page that asked; nothing for pages that may not, and for programs. */
  readonly shownTo: (request: Request) => Readonly<Record<string, string>>;
};

/** Fields that clients of the protocol send, and those of answers that they read. */
const SENT =
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";
const READ = "WWW-Authenticate, Retry-After, X-Request-Id";
const PREFLIGHT_SECONDS = "86400";

/** The answer to a preflight of a page that may speak to the server. */
const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "POST, GET, DELETE, OPTIONS",
      "access-control-allow-headers": SENT,
      "access-control-max-age": PREFLIGHT_SECONDS,
    },
  });

export function callerCheck({ baseUrl, origins, hosts }: CallerNeeds): CallerCheck {
  const own = new URL(baseUrl);
  const pages = new Set([own.origin, ...origins]);
  const names = new Set([own.hostname, ...hosts]);
  const mayAsk = (origin: string): boolean => pages.has(origin) || isOfThisMachine(origin);

  function require({ headers }: Request): void {
    const host = headers.get("host");
    if (host !== null && !LOOPBACK.test(host) && !isAllowedHost(names, host)) {
      throw new Refusal("forbidden", `These tools are not at "${host.slice(0, 200)}": see SVC_MCP_HOSTS`);
    }
    const origin = headers.get("origin");
    if (origin !== null && !mayAsk(origin)) {
      throw new Refusal("forbidden", `Pages of "${origin.slice(0, 200)}" may not use these tools: see SVC_MCP_ORIGINS`);
    }
  }

  function shownTo({ headers }: Request): Readonly<Record<string, string>> {
    const origin = headers.get("origin");
    if (origin === null || !mayAsk(origin)) return { vary: "Origin" };
    return { "access-control-allow-origin": origin, "access-control-expose-headers": READ, vary: "Origin" };
  }

  return { require, shownTo };
}

/** A program on this very machine, which a browser shows. */
const isOfThisMachine = (origin: string): boolean => LOOPBACK.test(origin.replace(/^https?:\/\//, ""));

// Lists of tools as they were answered before (R30): they change with a release only, and making one costs more than
// everything around it. Two requests that differ in nothing but their id have answers that differ in nothing but their
// id; whatever else is asked goes the whole way.

/** Lists that are kept: of each table and selection, for each way in which clients ask. */
const KEPT_MAX = 64;
/** Characters of the key of a request. */
const KEY_MAX = 4_000;
/** What the response depends on in addition to the body. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"] as const;

type Id = string | number;
type Question = { readonly key: string; readonly id: Id };

type KeptLists = {
  /** The answer to a list of tools, made by `make` where none like it is kept. */
  answer(request: Request, body: unknown, make: () => Promise<Response>): Promise<Response>;
};

export function keptLists(): KeptLists {
  /** The result as JSON. */
  const kept = new Map<string, string>();

  return {
    async answer(request, body, make) {
      const question = questionOf(request, body);
      if (question === null) return await make();
      const known = kept.get(question.key);
      if (known !== undefined) return given(known, question.id);
      const response = await make();
      if (response.status !== 200 || response.headers.get("content-type") !== "application/json") return response;
      const text = await response.text();
      const result = resultIn(text, question.id);
      if (result === null) return new Response(text, response);
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(question.key, result);
      return given(result, question.id);
    },
  };
}

/** Null: it asks for something else. */
function questionOf({ url, headers }: Request, body: unknown): Question | null {
  if (!isObject(body) || memberOf(body, "method") !== "tools/list") return null;
  const id = memberOf(body, "id");
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null;
  const sent = HEADERS.map((name) => headers.get(name));
  const key = JSON.stringify([url, sent, { ...body, id: 0 }]);
  // A number was checked for above.
  return key.length > KEY_MAX ? null : { key, id: id as Id };
}

/** Of a response that has a result and nothing else. */
function resultIn(text: string, id: Id): string | null {
  const message: unknown = JSON.parse(text);
  if (!isObject(message) || Object.keys(message).sort().join() !== "id,jsonrpc,result") return null;
  return memberOf(message, "id") === id ? JSON.stringify(memberOf(message, "result")) : null;
}

const given = (result: string, id: Id): Response =>
  new Response(`{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`, {
    headers: { "content-type": "application/json" },
  });
