// How registration and revocation describe themselves in the interface description (R30, L70).
import { type TSchema, Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import { RETRY_AFTER, response } from "../../http/document-parts.ts";

const REFUSAL = Type.Object({
  error: Type.String({ description: "Name of RFC 6749 5.2, RFC 7009 2.2.1 or RFC 7591 3.2.2" }),
  error_description: Type.String(),
  code: Type.String(),
  message: Type.String(),
  detail: Type.Record(Type.String(), Type.Unknown()),
});
const REDIRECT_URIS = Type.Array(Type.String(), {
  description: "Where people are sent back to: https, or http on 127.0.0.1, [::1] or localhost, there on any port",
});
const LIMITS = {
  408: response("The body came too slowly", REFUSAL),
  413: response("The body is too large", REFUSAL),
  429: response("Too many requests from one address", REFUSAL, RETRY_AFTER),
  500: response("server_error; detail holds the request id", REFUSAL),
  503: response("temporarily_unavailable", REFUSAL),
};

type BodyAndResponses = { readonly sent: TSchema; readonly as: string; readonly responses: object };

/** TypeBox schemas are JSON Schema, which the types of OpenAPI do not see. */
const bodyAndResponses = ({ sent, as, responses }: BodyAndResponses): object => ({
  requestBody: { required: true, content: { [as]: { schema: sent } } },
  responses,
});

export const REGISTER_DETAIL: DocumentDecoration = {
  tags: ["Authentication"],
  operationId: "registerClient",
  summary: "Register a client that people may allow to use the tools",
  description:
    "RFC 7591, without a token. Clients are public (token_endpoint_auth_method none) and use PKCE; other requested values are replaced by those " +
    "in the response. A client without any grant is deleted after a week. A client with a metadata document needs no registration: " +
    "its client_id is the https address of the document.",
  security: [],
  ...bodyAndResponses({
    as: "application/json",
    sent: Type.Object({
      redirect_uris: REDIRECT_URIS,
      client_name: Type.Optional(Type.String()),
      client_uri: Type.Optional(Type.String()),
      grant_types: Type.Optional(Type.Array(Type.String())),
      response_types: Type.Optional(Type.Array(Type.String())),
      application_type: Type.Optional(Type.String({ description: "native or web" })),
    }),
    responses: {
      201: response(
        "The client",
        Type.Object({
          client_id: Type.String(),
          client_id_issued_at: Type.Integer(),
          client_name: Type.String(),
          client_uri: Type.Optional(Type.String()),
          application_type: Type.String({
            description: "native where it listens on the person's own machine, else web",
          }),
          redirect_uris: REDIRECT_URIS,
          grant_types: Type.Array(Type.String()),
          response_types: Type.Array(Type.String()),
          token_endpoint_auth_method: Type.String(),
          scope: Type.String(),
        }),
      ),
      400: response("invalid_redirect_uri or invalid_client_metadata", REFUSAL),
      ...LIMITS,
    },
  }),
};

export const REVOKE_DETAIL: DocumentDecoration = {
  tags: ["Authentication"],
  operationId: "revokeToken",
  summary: "End a token",
  description:
    "RFC 7009. A refresh token ends all that the person allowed the client, an access token itself alone. Unknown tokens are answered alike.",
  security: [],
  ...bodyAndResponses({
    as: "application/x-www-form-urlencoded",
    sent: Type.Object({
      token: Type.String(),
      token_type_hint: Type.Optional(Type.String()),
      client_id: Type.Optional(Type.String({ description: "Must be the token's client where it is sent" })),
    }),
    responses: {
      200: response("It has ended, or there was none", null),
      400: response("invalid_request, or unsupported_token_type for a token that is ended elsewhere", REFUSAL),
      401: response("invalid_client: the token belongs to another client", REFUSAL),
      ...LIMITS,
    },
  }),
};
