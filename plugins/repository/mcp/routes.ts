// The rows of the tool servers (R30; specification 3, "Tool servers"): the two entrances, and their description as
// protected resources (RFC 9728).
import { type Static, Type } from "@sinclair/typebox";
import { withUnseenShown } from "../../../src/model/files/file-names.ts";
import { TOOL_SCOPES, TOOLSETS } from "../../../src/repository/tools/tool.ts";
import { MESSAGES_MAX } from "../../../src/repository/tools/tool-server.ts";
import { manyOf } from "../../../src/shared/shapes.ts";
import {
  CHALLENGE,
  type Headers,
  queryParameter,
  RETRY_AFTER,
  response,
  WRONG_HOST,
} from "../../http/document-parts.ts";
import { type Dialect, errors } from "../../http/errors.ts";
import { type RouteGroup, routesOf } from "../../http/routes.ts";
import { renderRefusal } from "../errors.ts";

export type Entrance = "mcp" | "mcp-auth";

const JSON_RPC = { "content-type": "application/json", "cache-control": "no-store" };

/** Refusals of the transport are errors of JSON-RPC without an id. */
export const mcpDialect: Dialect = (refusal, request) => {
  const { status, message, headers } = renderRefusal(refusal, request);
  const body = { jsonrpc: "2.0", id: null, error: { code: -32_000, message: withUnseenShown(message) } };
  return Response.json(body, { status, headers: { ...JSON_RPC, ...headers } });
};

const RpcId = Type.Union([Type.String(), Type.Integer(), Type.Null()]);
/** A call, a notification, or an answer to what the server asked. */
const RpcMessage = Type.Object(
  {
    jsonrpc: Type.Literal("2.0"),
    id: Type.Optional(RpcId),
    method: Type.Optional(Type.String({ description: "`initialize`, `tools/list`, `tools/call` …" })),
    params: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { $id: "RpcMessage", additionalProperties: true },
);
const RpcError = Type.Object(
  {
    jsonrpc: Type.Literal("2.0"),
    id: RpcId,
    error: Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  },
  { $id: "RpcError" },
);
const refused = (words: string, headers: Headers = {}) => response(words, RpcError, headers);
const QUERY = [
  queryParameter("toolsets", `Only tools of these, separated by commas: ${TOOLSETS.join(", ")}`, { type: "string" }),
  queryParameter("readonly", "Only tools that change nothing", { type: "boolean" }),
];

type Serving = { readonly answer: (request: Request, entrance: Entrance) => Promise<Response> };
const { get, post, remove, options } = routesOf<Serving>();

function entranceRoutes(entrance: Entrance, id: string, summary: string) {
  const run = ({ answer }: Serving, request: Request): Promise<Response> => answer(request, entrance);
  const path = `/${entrance}`;
  const accepted = response("The answer of JSON-RPC", Type.Union([RpcMessage, Type.Array(RpcMessage)]));
  return [
    post(path, {
      id,
      summary,
      description:
        "The Model Context Protocol over streamable HTTP, without sessions: every request is complete. docs/tools.md has the tools.",
      parameters: QUERY,
      content: { "application/json": Type.Union([RpcMessage, Type.Array(RpcMessage, { maxItems: MESSAGES_MAX })]) },
      answers: {
        200: { ...accepted, content: { ...accepted.content, "text/event-stream": { schema: Type.String() } } },
        202: response("Notifications are taken", null),
      },
      run,
    }),
    get(path, { run }),
    remove(path, { run }),
    options(path, { run }),
  ];
}

export const ENTRANCES = [
  ...entranceRoutes("mcp", "callTools", "The tool server, for guests too"),
  ...entranceRoutes("mcp-auth", "callToolsSignedIn", "The tool server, for clients that sign in first"),
];

export const GROUP: RouteGroup = {
  name: "mcp",
  tag: "Tools",
  errors: errors(mcpDialect),
  scopes: ["mcp:read"],
  guests: true,
  always: {
    400: refused("What was sent is not a request of the protocol"),
    401: refused("The token is not valid, or one is needed: the challenge names the scope", CHALLENGE),
    403: refused("The token lacks a scope, or a page or host may not use the tools", CHALLENGE),
    406: refused("The client accepts neither JSON nor an event stream"),
    408: refused("The body came too slowly"),
    413: refused("The body is too large"),
    415: refused("The body is not JSON"),
    429: refused("Too many requests", RETRY_AFTER),
    500: refused("Internal error"),
    503: refused("The database does not answer", RETRY_AFTER),
  },
};

const ResourceMetadata = Type.Object(
  {
    resource: Type.String(),
    authorization_servers: manyOf(Type.String()),
    scopes_supported: manyOf(Type.String()),
    bearer_methods_supported: manyOf(Type.String()),
    resource_name: Type.String(),
  },
  { $id: "ProtectedResource" },
);

export const METADATA_GROUP: RouteGroup = {
  ...GROUP,
  name: "mcp-metadata",
  scopes: null,
  always: {
    400: refused(WRONG_HOST),
    429: refused("Too many requests from one address", RETRY_AFTER),
    500: refused("Internal error"),
    503: refused("Too many requests at once", RETRY_AFTER),
  },
};
const metadata = routesOf<{ readonly baseUrl: string }>();
const metadataRoute = (path: string, entrance: Entrance, id: string) =>
  metadata.get(path, {
    id,
    summary: "How to get a token for the tool server",
    description: "RFC 9728.",
    answers: { 200: response("Where tokens are issued, and their scopes", ResourceMetadata) },
    run: ({ baseUrl }) => resourceMetadata(baseUrl, entrance),
  });
const WELL_KNOWN = "/.well-known/oauth-protected-resource";
export const METADATA_ROUTES = [
  metadataRoute(WELL_KNOWN, "mcp", "protectedResource"),
  metadataRoute(`${WELL_KNOWN}/mcp`, "mcp", "toolServerResource"),
  metadataRoute(`${WELL_KNOWN}/mcp-auth`, "mcp-auth", "signedInToolServerResource"),
];

/** RFC 9728. At the first entrance the least that helps; at the other one everything, for its clients ask once. */
function resourceMetadata(baseUrl: string, entrance: Entrance): Response {
  const body: Static<typeof ResourceMetadata> = {
    resource: `${baseUrl}/${entrance}`,
    authorization_servers: [baseUrl],
    scopes_supported: entrance === "mcp" ? ["mcp:read"] : TOOL_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Arkstone tools",
  };
  return Response.json(body, {
    headers: { "cache-control": "public, max-age=3600", "access-control-allow-origin": "*" },
  });
}
