// The token endpoint over HTTP (specification 1, "Management endpoints", last row; A25; RFC 6749 4.4, 5.1, 5.2).
import { type SchemaOptions, Type } from "@sinclair/typebox";
import { type IssuedToken, IssuedTokenShape } from "../../src/ark/authentication.ts";
import { OAuthRefusal, type TokenRequestIn } from "../../src/auth/token-request.ts";
import { type ErrorCode, errorEnvelope, ServiceError } from "../../src/shared/errors.ts";
import type { Refusal } from "../../src/shared/refusal.ts";
import { wordOf } from "../../src/shared/shapes.ts";
import { JSON_TYPE } from "../http/answer.ts";
import { type Headers as HeaderWords, RETRY_AFTER, response, WRONG_HOST } from "../http/document-parts.ts";
import { type Dialect, errors, serviceErrorOf } from "../http/errors.ts";
import { type BodyLimits, readBytes } from "../http/request-body.ts";
import { contextOf } from "../http/request-context.ts";
import { mountRoutes, type RouteAnswers, type RouteGroup, routesOf } from "../http/routes.ts";

type TokenGrant<Token> = { readonly clientId: string; readonly token: Token };

export type OauthTokenNeeds = Pick<BodyLimits, "clientSeconds"> & {
  readonly issueToken: (request: TokenRequestIn) => Promise<TokenGrant<IssuedToken>>;
  /**
   * Other kinds of grants, where there are any (R30): null for a request of another kind. Programs in browsers use
   * these too.
   */
  readonly grants?: ((request: TokenRequestIn, address: string) => Promise<TokenGrant<object> | null>) | undefined;
};

/** Largest token request: four short parameters, and room for those that extensions add. */
const TOKEN_REQUEST_LIMIT = 16_384;

/** Answers of the token endpoint are never kept by anyone on the way (RFC 6749 5.1). */
const HEADERS = { "content-type": JSON_TYPE, "cache-control": "no-store", pragma: "no-cache" };
/** Nothing here is decided by a cookie: any page may read the answers to what it sent itself. */
export const ANY_ORIGIN = { "access-control-allow-origin": "*" };

/** What a browser asks before it lets a page of another origin send (CORS). */
export const preflight = (methods: string) => (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      allow: methods,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "Content-Type, MCP-Protocol-Version",
      "access-control-max-age": "86400",
    },
  });

/** Names of RFC 6749 5.2 next to our codes. A refusal that the RFC does not define is `invalid_request`. */
const OAUTH_ERRORS: { readonly [code in ErrorCode]?: string } = {
  1202: "invalid_client",
  1204: "unsupported_grant_type",
  1305: "invalid_scope",
  1602: "temporarily_unavailable",
  1901: "temporarily_unavailable",
  1999: "server_error",
};

/** `{error, error_description, code, message, detail}` (A25). */
export const oauthDialect: Dialect = (refusal, request) => {
  const error = asServiceError(refusal, request);
  const { reason } = error.detail;
  const body = {
    error: error instanceof OAuthRefusal ? error.error : (OAUTH_ERRORS[error.code] ?? "invalid_request"),
    error_description: typeof reason === "string" ? reason : error.message,
    ...errorEnvelope(error),
  };
  return Response.json(body, { status: error.status, headers: { ...HEADERS, ...error.headers } });
};

/** A refusal of what lies behind, with the code that is nearest. */
function asServiceError(refusal: Refusal, request: Request): ServiceError {
  if (refusal instanceof ServiceError) return refusal;
  if (refusal.kind === "internal") return serviceErrorOf(refusal, request);
  if (refusal.kind === "unavailable") return new ServiceError(1901, {}, refusal.headers);
  if (refusal.kind === "too_many") return new ServiceError(1602, { reason: refusal.message }, refusal.headers);
  return new ServiceError(1106, { reason: refusal.message });
}

const acrossOrigins: Dialect = async (refusal, request) => {
  const response = await oauthDialect(refusal, request);
  for (const [name, value] of Object.entries(ANY_ORIGIN)) response.headers.set(name, value);
  return response;
};

/** A refusal of an endpoint of OAuth. */
const OAuthError = Type.Object(
  {
    error: Type.String({ description: "Name of RFC 6749 5.2, RFC 7009 2.2.1 or RFC 7591 3.2.2" }),
    error_description: Type.String(),
    code: Type.String({ description: "Match this, not the wording", examples: ["SVC-1202"] }),
    message: Type.String(),
    detail: Type.Record(Type.String(), Type.Unknown()),
  },
  { $id: "OAuthError" },
);

const NEVER_KEPT: HeaderWords = {
  "Cache-Control": { description: "Always no-store", schema: { type: "string" } },
  Pragma: { description: "Always no-cache", schema: { type: "string" } },
};
const BASIC = { "WWW-Authenticate": { description: "Basic", schema: { type: "string" } } };

export const oauthRefusal = (words: string, headers: HeaderWords = {}) =>
  response(words, OAuthError, { ...NEVER_KEPT, ...headers });

/** What every endpoint of OAuth may refuse. */
export const OAUTH_REFUSALS: RouteAnswers = {
  400: oauthRefusal(WRONG_HOST),
  429: oauthRefusal("temporarily_unavailable (SVC-1602): too many requests from one address", RETRY_AFTER),
  500: oauthRefusal("server_error (SVC-1999); detail holds the request id"),
  503: oauthRefusal("temporarily_unavailable (SVC-1901)", RETRY_AFTER),
};
/** What those that read a body may refuse too. */
export const OAUTH_BODY_REFUSALS: RouteAnswers = {
  408: oauthRefusal("The body came too slowly (SVC-1107)"),
  413: oauthRefusal("The body is too large (SVC-1103)"),
};
export const FORM_MEDIA = "application/x-www-form-urlencoded";

const field = (description: string, more: SchemaOptions = {}) =>
  Type.Optional(Type.String({ default: "", description, ...more }));

const CREDENTIALS = {
  client_id: field("Sent here, or as user name of HTTP Basic; never both"),
  client_secret: field("Sent here, or as password of HTTP Basic; never both", { format: "password" }),
  scope: field("Scopes wanted, separated by blanks; empty: all that are registered", {
    examples: ["ark:mint ark:read"],
  }),
};

const CLIENT_CREDENTIALS =
  "RFC 6749 section 4.4. The client authenticates with client_id and client_secret, in the form or by HTTP Basic (each form-encoded before they are joined). The token is limited to the requested scopes and is valid for SVC_TOKEN_TTL seconds; disabling the credential or its organisation ends it at once. Served when SVC_AUTH holds oauth2.";
const UNKNOWN_CLIENT = oauthRefusal(
  "invalid_client (SVC-1202): unknown, wrong, expired or disabled, without saying which",
  BASIC,
);

const { post, options } = routesOf<OauthTokenNeeds>();

async function issue({ issueToken, grants, clientSeconds }: OauthTokenNeeds, request: Request): Promise<Response> {
  const sent = await sentForm(request, clientSeconds);
  const { clientId, token } = (await grants?.(sent, contextOf(request).address)) ?? (await issueToken(sent));
  contextOf(request).clientId = clientId;
  return Response.json(token, { headers: grants === undefined ? HEADERS : { ...HEADERS, ...ANY_ORIGIN } });
}

const CREDENTIAL_ROUTES = [
  post("/oauth/token", {
    id: "issueToken",
    summary: "Issue a token for client credentials",
    description: CLIENT_CREDENTIALS,
    content: {
      [FORM_MEDIA]: Type.Object(
        {
          grant_type: field("Must be client_credentials, the only grant served", { examples: ["client_credentials"] }),
          ...CREDENTIALS,
        },
        { $id: "TokenRequest" },
      ),
    },
    answers: {
      200: response("A token", IssuedTokenShape, NEVER_KEPT),
      400: oauthRefusal(
        "invalid_request (SVC-1106: malformed, a parameter twice, credentials sent twice, not a form), unsupported_grant_type (SVC-1204), invalid_scope (SVC-1305: a scope that is not registered)",
      ),
      401: UNKNOWN_CLIENT,
      404: oauthRefusal("No tokens are issued here (SVC-1203): SVC_AUTH does not hold oauth2"),
    },
    run: issue,
  }),
];

/** The same endpoint where people let programs in (R30). */
const GRANT_ROUTES = [
  post("/oauth/token", {
    id: "issueToken",
    summary: "Issue a token for a code, a refresh token or client credentials",
    description: `RFC 6749 sections 4.1.3, 4.4 and 6. authorization_code: code, code_verifier (RFC 7636, S256), client_id, and redirect_uri where the request for the code named it; refresh_token: refresh_token, client_id and, to narrow, scope. Both make an access token for one hour and a new refresh token; a code or refresh token that is used twice ends all that was allowed. client_credentials: ${CLIENT_CREDENTIALS} resource (RFC 8707) must agree with what was allowed, and narrows a token of client credentials to it.`,
    content: {
      [FORM_MEDIA]: Type.Object(
        {
          grant_type: wordOf(["authorization_code", "refresh_token", "client_credentials"]),
          ...CREDENTIALS,
          code: field("The code, of authorization_code"),
          code_verifier: field("What the challenge was made from, of authorization_code"),
          redirect_uri: field("The address the code was sent to, of authorization_code"),
          refresh_token: field("The newest refresh token, of refresh_token"),
          resource: field("What the token is for: the URL of the tool server"),
        },
        { $id: "TokenRequest" },
      ),
    },
    answers: {
      200: response(
        "A token",
        Type.Object(
          {
            ...IssuedTokenShape.properties,
            refresh_token: Type.Optional(
              Type.String({ description: "For the next one; absent for client credentials" }),
            ),
          },
          { $id: "GrantedToken" },
        ),
        NEVER_KEPT,
      ),
      400: oauthRefusal(
        "invalid_request, invalid_grant (unknown, used, ended, or of another client), invalid_target (SVC-1106), unsupported_grant_type (SVC-1204), invalid_scope (SVC-1305)",
      ),
      401: UNKNOWN_CLIENT,
      404: oauthRefusal("No tokens are issued for client credentials (SVC-1203): SVC_AUTH does not hold oauth2"),
    },
    run: issue,
  }),
  options("/oauth/token", { run: preflight("POST") }),
];

const groupIn = (dialect: Dialect): RouteGroup => ({
  name: "oauth-token",
  tag: "Authentication",
  errors: errors(dialect),
  scopes: null,
  always: { ...OAUTH_REFUSALS, ...OAUTH_BODY_REFUSALS },
});

/** `POST /oauth/token`. There in every mode, so that a client learns (1203) that no tokens are issued here. */
export const oauthToken = (needs: OauthTokenNeeds) =>
  needs.grants === undefined
    ? mountRoutes(groupIn(oauthDialect), CREDENTIAL_ROUTES, needs)
    : mountRoutes(groupIn(acrossOrigins), GRANT_ROUTES, needs);

/** A form as it was sent to an endpoint of OAuth. */
export const sentForm = async (request: Request, clientSeconds: number): Promise<TokenRequestIn> => ({
  authorization: request.headers.get("authorization"),
  contentType: request.headers.get("content-type"),
  body: await formText(request, clientSeconds),
});

async function formText(request: Request, clientSeconds: number): Promise<string> {
  const bytes = await readBytes(request, { bodyLimit: TOKEN_REQUEST_LIMIT, clientSeconds });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError(1106, { reason: "The body is not UTF-8" });
  }
}
