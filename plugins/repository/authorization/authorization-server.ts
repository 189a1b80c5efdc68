// The authorization server over HTTP but its pages and its token endpoint (R30): its metadata (RFC 8414), registration
// (RFC 7591), revocation (RFC 7009). Programs in browsers may use all of it.
import { type Static, Type } from "@sinclair/typebox";
import { OAuthRefusal } from "../../../src/auth/token-request.ts";
import { ClientMetadataFault } from "../../../src/repository/authorization/client-metadata.ts";
import type { Clients } from "../../../src/repository/authorization/clients.ts";
import type { Revocation } from "../../../src/repository/authorization/revocation.ts";
import {
  REDIRECT_URIS,
  RegisteredClient,
  registeredClient,
  ServerMetadata,
} from "../../../src/repository/authorization/server-metadata.ts";
import { addressKey } from "../../../src/shared/http/address.ts";
import type { RateLimit } from "../../../src/shared/http/rate-limit.ts";
import { parseJson } from "../../../src/shared/json/read.ts";
import { most } from "../../../src/shared/limits.ts";
import {
  ANY_ORIGIN,
  FORM_MEDIA,
  OAUTH_BODY_REFUSALS,
  OAUTH_REFUSALS,
  oauthDialect,
  oauthRefusal,
  preflight,
  sentForm,
} from "../../auth/oauth-token.ts";
import { response } from "../../http/document-parts.ts";
import { type Dialect, errors } from "../../http/errors.ts";
import { type BodyLimits, readBytes } from "../../http/request-body.ts";
import { charge, contextOf } from "../../http/request-context.ts";
import { mountRoutes, type RouteGroup, routesOf } from "../../http/routes.ts";

export type AuthorizationServerNeeds = Pick<BodyLimits, "clientSeconds"> & {
  readonly metadata: Static<typeof ServerMetadata>;
  readonly clients: Pick<Clients, "register">;
  readonly revocation: Revocation;
  /** Registrations per minute and address; null: unlimited. */
  readonly rate: RateLimit | null;
};

const NO_STORE = { ...ANY_ORIGIN, "cache-control": "no-store", pragma: "no-cache" };
const WELL_KNOWN = "/.well-known/oauth-authorization-server";

export const authorizationDialect: Dialect = async (refusal, request) => {
  const response = await oauthDialect(refusal, request);
  for (const [name, value] of Object.entries(NO_STORE)) response.headers.set(name, value);
  return response;
};

const { get, post, options } = routesOf<AuthorizationServerNeeds>();

const showMetadata = ({ metadata }: AuthorizationServerNeeds): Response =>
  Response.json(metadata, { headers: { ...ANY_ORIGIN, "cache-control": "public, max-age=3600" } });

const ROUTES = [
  get(WELL_KNOWN, {
    id: "authorizationServerMetadata",
    summary: "What this authorization server offers",
    description: "RFC 8414. Also after the paths of the tool servers, and after that of the issuer.",
    answers: {
      200: response("Its endpoints, and what they take", ServerMetadata),
    },
    run: showMetadata,
  }),
  options(WELL_KNOWN, { run: preflight("GET") }),
  post("/oauth/register", {
    id: "registerClient",
    summary: "Register a client that people may allow to use the tools",
    description:
      "RFC 7591, without a token. Clients are public (token_endpoint_auth_method none) and use PKCE; other requested values are replaced by those in the response. A client without any grant is deleted after a week. A client with a metadata document needs no registration: its client_id is the https address of the document.",
    content: {
      "application/json": Type.Object(
        {
          redirect_uris: REDIRECT_URIS,
          client_name: Type.Optional(Type.String()),
          client_uri: Type.Optional(Type.String()),
          grant_types: Type.Optional(Type.Array(Type.String())),
          response_types: Type.Optional(Type.Array(Type.String())),
          application_type: Type.Optional(Type.String({ description: "native or web" })),
        },
        { $id: "ClientMetadata", additionalProperties: true },
      ),
    },
    answers: {
      ...OAUTH_BODY_REFUSALS,
      201: response("The client", RegisteredClient),
      400: oauthRefusal("invalid_redirect_uri or invalid_client_metadata"),
    },
    async run({ rate, clients, clientSeconds }, request) {
      if (rate !== null) await charge(request, rate, `register ${addressKey(contextOf(request).address)}`);
      const client = await registered(clients, await jsonOf(request, clientSeconds));
      return Response.json(registeredClient(client), { status: 201, headers: NO_STORE });
    },
  }),
  options("/oauth/register", { run: preflight("POST") }),
  post("/oauth/revoke", {
    id: "revokeToken",
    summary: "End a token",
    description:
      "RFC 7009. A refresh token ends all that the person allowed the client, an access token itself alone. Unknown tokens are answered alike.",
    content: {
      [FORM_MEDIA]: Type.Object(
        {
          token: Type.String(),
          token_type_hint: Type.Optional(Type.String()),
          client_id: Type.Optional(Type.String({ description: "Must be the token's client where it is sent" })),
        },
        { $id: "Revocation" },
      ),
    },
    answers: {
      ...OAUTH_BODY_REFUSALS,
      200: response("It has ended, or there was none", null),
      400: oauthRefusal("invalid_request, or unsupported_token_type for a token that is ended elsewhere"),
      401: oauthRefusal("invalid_client: the token belongs to another client"),
    },
    async run({ revocation, clientSeconds }, request) {
      await revocation.revoke(await sentForm(request, clientSeconds), contextOf(request).address);
      return new Response(null, { status: 200, headers: NO_STORE });
    },
  }),
  options("/oauth/revoke", { run: preflight("POST") }),
];

const GROUP: RouteGroup = {
  name: "authorization-server",
  tag: "Authentication",
  errors: errors(authorizationDialect),
  scopes: null,
  always: OAUTH_REFUSALS,
};

export const authorizationServer = (needs: AuthorizationServerNeeds) => {
  const others = metadataPaths(needs.metadata.issuer).filter((path) => path !== WELL_KNOWN);
  const elsewhere = others.flatMap((path) => [
    get(path, { run: showMetadata }),
    options(path, { run: preflight("GET") }),
  ]);
  return mountRoutes(GROUP, [...ROUTES, ...elsewhere], needs);
};

/**
 * Where clients read it: at the root, after the path of a resource, and after the path of the issuer (RFC 8414 3.1).
 */
function metadataPaths(issuer: string): readonly string[] {
  const own = new URL(issuer).pathname.replace(/\/$/, "");
  const below = ["", "/mcp", "/mcp-auth"];
  return [...new Set([...below, ...below.map((path) => `${own}${path}`)])].map((path) => `${WELL_KNOWN}${path}`);
}

async function registered(clients: Pick<Clients, "register">, sent: unknown) {
  try {
    return await clients.register(sent, "registered");
  } catch (error) {
    if (error instanceof ClientMetadataFault) throw new OAuthRefusal(error.error, error.message);
    throw error;
  }
}

async function jsonOf(request: Request, clientSeconds: number): Promise<unknown> {
  const bytes = await readBytes(request, { bodyLimit: most("registrationBytes"), clientSeconds });
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new OAuthRefusal("invalid_client_metadata", "The body is not JSON");
  }
}
