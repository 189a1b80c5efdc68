// The token endpoint over HTTP (law, "Management endpoints", last row; A25; RFC 6749 4.4, 5.1, 5.2).
import { Elysia } from "elysia";
import type { IssuedToken } from "../../src/ark/authentication.ts";
import { OAuthRefusal, type TokenRequestIn } from "../../src/auth/token-request.ts";
import { type ErrorCode, errorEnvelope, ServiceError } from "../../src/shared/errors.ts";
import type { Refusal } from "../../src/shared/refusal.ts";
import { JSON_TYPE } from "../http/answer.ts";
import { type Dialect, errors, serviceErrorOf } from "../http/errors.ts";
import { type BodyLimits, readBytes } from "../http/request-body.ts";
import { contextOf } from "../http/request-context.ts";
import { GRANT_TOKEN_DETAIL, TOKEN_DETAIL } from "./oauth-token-document.ts";

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

/** `POST /oauth/token`. There in every mode, so that a client learns (1203) that no tokens are issued here. */
export const oauthToken = ({ issueToken, grants, clientSeconds }: OauthTokenNeeds) => {
  const headers = grants === undefined ? HEADERS : { ...HEADERS, ...ANY_ORIGIN };
  const app = new Elysia({ name: "oauth-token" }).use(errors(grants === undefined ? oauthDialect : acrossOrigins)).post(
    "/oauth/token",
    async ({ request }) => {
      const sent = await sentForm(request, clientSeconds);
      const { clientId, token } = (await grants?.(sent, contextOf(request).address)) ?? (await issueToken(sent));
      contextOf(request).clientId = clientId;
      return Response.json(token, { headers });
    },
    { parse: "none", detail: grants === undefined ? TOKEN_DETAIL : GRANT_TOKEN_DETAIL },
  );
  return grants === undefined ? app : app.options("/oauth/token", preflight("POST"), { detail: { hide: true } });
};

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
