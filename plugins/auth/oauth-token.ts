// The token endpoint over HTTP (law, "Management endpoints", last row; A25; RFC 6749 4.4, 5.1, 5.2).
import { Elysia } from "elysia";
import type { IssuedToken } from "../../src/ark/token-issuing.ts";
import type { TokenRequestIn } from "../../src/auth/token-request.ts";
import { type ErrorCode, errorEnvelope, ServiceError } from "../../src/shared/errors.ts";
import { JSON_TYPE } from "../http/answer.ts";
import { type Dialect, errors } from "../http/errors.ts";
import { type BodyLimits, readBytes } from "../http/request-body.ts";
import { contextOf } from "../http/request-context.ts";
import { TOKEN_DETAIL } from "./oauth-token-document.ts";

export type OauthTokenNeeds = Pick<BodyLimits, "clientSeconds"> & {
  readonly issueToken: (request: TokenRequestIn) => Promise<{ readonly clientId: string; readonly token: IssuedToken }>;
};

/** Largest token request: four short parameters, and room for those that extensions add. */
const TOKEN_REQUEST_LIMIT = 16_384;

/** Answers of the token endpoint are never kept by anyone on the way (RFC 6749 5.1). */
const HEADERS = { "content-type": JSON_TYPE, "cache-control": "no-store", pragma: "no-cache" };

/** Names of RFC 6749 5.2 beside our codes. A refusal that RFC does not know is `invalid_request`. */
const OAUTH_ERRORS: { readonly [code in ErrorCode]?: string } = {
  1202: "invalid_client",
  1204: "unsupported_grant_type",
  1305: "invalid_scope",
  1602: "temporarily_unavailable",
  1901: "temporarily_unavailable",
  1999: "server_error",
};

/** `{error, error_description, code, message, detail}` (A25). */
const oauthDialect: Dialect = (refusal) => {
  const error = refusal instanceof ServiceError ? refusal : new ServiceError(1106);
  const { reason } = error.detail;
  const body = {
    error: OAUTH_ERRORS[error.code] ?? "invalid_request",
    error_description: typeof reason === "string" ? reason : error.message,
    ...errorEnvelope(error),
  };
  return Response.json(body, { status: error.status, headers: { ...HEADERS, ...error.headers } });
};

/** `POST /oauth/token`. There in every mode, so that a client learns (1203) that no tokens are issued here. */
export const oauthToken = (needs: OauthTokenNeeds) =>
  new Elysia({ name: "oauth-token" }).use(errors(oauthDialect)).post(
    "/oauth/token",
    async ({ request }) => {
      const { clientId, token } = await needs.issueToken({
        authorization: request.headers.get("authorization"),
        contentType: request.headers.get("content-type"),
        body: await formText(request, needs.clientSeconds),
      });
      contextOf(request).clientId = clientId;
      return Response.json(token, { headers: HEADERS });
    },
    { parse: "none", detail: TOKEN_DETAIL },
  );

async function formText(request: Request, clientSeconds: number): Promise<string> {
  const bytes = await readBytes(request, { bodyLimit: TOKEN_REQUEST_LIMIT, clientSeconds });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError(1106, { reason: "The body is not UTF-8" });
  }
}
