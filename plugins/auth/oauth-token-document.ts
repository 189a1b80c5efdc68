// How the token endpoint describes itself in the interface description (A25, L70): kept apart from the route, which is
// short.

const HEADERS = {
  "Cache-Control": { description: "Always no-store", schema: { type: "string" as const, enum: ["no-store"] } },
  Pragma: { description: "Always no-cache", schema: { type: "string" as const, enum: ["no-cache"] } },
};

const FORM = {
  type: "object" as const,
  properties: {
    grant_type: {
      type: "string" as const,
      default: "",
      description: "Must be client_credentials, the only grant served",
      example: "client_credentials",
    },
    client_id: {
      type: "string" as const,
      default: "",
      description: "Sent here, or as user name of HTTP Basic; never both",
    },
    client_secret: {
      type: "string" as const,
      format: "password",
      default: "",
      description: "Sent here, or as password of HTTP Basic; never both",
    },
    scope: {
      type: "string" as const,
      default: "",
      description: "Scopes wanted, separated by blanks; empty: all that are registered",
      example: "ark:mint ark:read",
    },
  },
};

const TOKEN = {
  type: "object" as const,
  required: ["access_token", "token_type", "expires_in", "scope"],
  properties: {
    access_token: { type: "string" as const, description: "Send it as Authorization: Bearer" },
    token_type: { type: "string" as const, enum: ["Bearer"] },
    expires_in: { type: "integer" as const, description: "Seconds until it expires" },
    scope: { type: "string" as const, description: "The scopes it carries, separated by blanks" },
  },
};

const REFUSAL = {
  type: "object" as const,
  required: ["error", "error_description", "code", "message", "detail"],
  properties: {
    error: { type: "string" as const, description: "Name of RFC 6749 5.2, such as invalid_client" },
    error_description: { type: "string" as const },
    code: { type: "string" as const, description: "Match this, not the wording", example: "SVC-1202" },
    message: { type: "string" as const },
    detail: { type: "object" as const, additionalProperties: true },
  },
};

const refusal = (description: string, headers: typeof HEADERS & Record<string, object> = HEADERS) => ({
  description,
  headers,
  content: { "application/json": { schema: REFUSAL } },
});

export const TOKEN_DETAIL = {
  tags: ["Authentication"],
  operationId: "issueToken",
  summary: "Issue a token for client credentials",
  description:
    "RFC 6749 section 4.4. The client authenticates with client_id and client_secret, in the form or by HTTP Basic (each " +
    "form-encoded before they are joined). The token is limited to the requested scopes and is valid for SVC_TOKEN_TTL seconds; " +
    "disabling the credential or its organisation ends it at once. Served when SVC_AUTH holds oauth2.",
  security: [],
  requestBody: {
    required: true,
    content: { "application/x-www-form-urlencoded": { schema: FORM } },
  },
  responses: {
    200: {
      description: "A token",
      headers: HEADERS,
      content: { "application/json": { schema: TOKEN } },
    },
    400: refusal(
      "invalid_request (SVC-1106: malformed, a parameter twice, credentials sent twice, not a form), " +
        "unsupported_grant_type (SVC-1204), invalid_scope (SVC-1305: a scope that is not registered)",
    ),
    401: refusal("invalid_client (SVC-1202): unknown, wrong, expired or disabled, without saying which", {
      ...HEADERS,
      "WWW-Authenticate": { description: "Basic", schema: { type: "string" } },
    }),
    404: refusal("No tokens are issued here (SVC-1203): SVC_AUTH does not hold oauth2"),
    408: refusal("The body came too slowly (SVC-1107)"),
    413: refusal("The body is too large (SVC-1103)"),
    429: refusal("temporarily_unavailable (SVC-1602): too many requests from one address", {
      ...HEADERS,
      "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } },
    }),
    500: refusal("server_error (SVC-1999); detail holds the request id"),
    503: refusal("temporarily_unavailable (SVC-1901)"),
  },
};

const text = (description: string) => ({ type: "string" as const, default: "", description });

/** The same endpoint where people let programs in (R30). */
export const GRANT_TOKEN_DETAIL = {
  ...TOKEN_DETAIL,
  summary: "Issue a token for a code, a refresh token or client credentials",
  description:
    "RFC 6749 sections 4.1.3, 4.4 and 6. authorization_code: code, code_verifier (RFC 7636, S256), client_id, and redirect_uri where the " +
    "request for the code named it; refresh_token: refresh_token, client_id and, to narrow, scope. Both make an access token for one " +
    "hour and a new refresh token; a code or refresh token that is used twice ends all that was allowed. client_credentials: " +
    `${TOKEN_DETAIL.description} resource (RFC 8707) must agree with what was allowed, and narrows a token of client credentials to it.`,
  requestBody: {
    required: true,
    content: {
      "application/x-www-form-urlencoded": {
        schema: {
          type: "object" as const,
          properties: {
            ...FORM.properties,
            grant_type: {
              type: "string" as const,
              enum: ["authorization_code", "refresh_token", "client_credentials"],
              description: "Which of the three it is",
            },
            code: text("The code, of authorization_code"),
            code_verifier: text("What the challenge was made from, of authorization_code"),
            redirect_uri: text("The address the code was sent to, of authorization_code"),
            refresh_token: text("The newest refresh token, of refresh_token"),
            resource: text("What the token is for: the URL of the tool server"),
          },
        },
      },
    },
  },
  responses: {
    ...TOKEN_DETAIL.responses,
    200: {
      ...TOKEN_DETAIL.responses[200],
      content: {
        "application/json": {
          schema: {
            ...TOKEN,
            properties: {
              ...TOKEN.properties,
              refresh_token: {
                type: "string" as const,
                description: "For the next one; absent for client credentials",
              },
            },
          },
        },
      },
    },
    400: refusal(
      "invalid_request, invalid_grant (unknown, used, ended, or of another client), invalid_target (SVC-1106), " +
        "unsupported_grant_type (SVC-1204), invalid_scope (SVC-1305)",
    ),
    404: refusal("No tokens are issued for client credentials (SVC-1203): SVC_AUTH does not hold oauth2"),
  },
};
