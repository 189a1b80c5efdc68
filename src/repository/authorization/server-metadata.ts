// The metadata of the authorization server (RFC 8414), and the answer to a client that registers (RFC 7591 3.2.1).
// Pure.
import { type Static, Type } from "@sinclair/typebox";
import { manyOf, wordOf } from "../../shared/shapes.ts";
import type { OauthClient } from "../store/grants.ts";
import { TOOL_SCOPES } from "../tools/tool.ts";
import { isNative } from "./client-metadata.ts";

type ServerMetadataNeeds = {
  /** The issuer: the same text wherever it occurs. */
  readonly baseUrl: string;
  /** Whether clients with a secret get tokens at the token endpoint (SVC_AUTH=oauth2). */
  readonly hasClientCredentials: boolean;
  /** Whether a client may be known by the address of a document (SVC_CLIENT_DOCUMENTS). */
  readonly takesDocuments: boolean;
  /** Tags of the languages of the pages. */
  readonly languages: readonly string[];
};

const texts = manyOf(Type.String());

/** What the authorization server offers (RFC 8414). */
export const ServerMetadata = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    registration_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    scopes_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    code_challenge_methods_supported: texts,
    authorization_response_iss_parameter_supported: Type.Boolean(),
    client_id_metadata_document_supported: Type.Boolean(),
    ui_locales_supported: texts,
  },
  { $id: "AuthorizationServer" },
);

export const REDIRECT_URIS = Type.Unsafe<readonly string[]>(
  Type.Array(Type.String(), {
    description: "Where people are sent back to: https, or http on 127.0.0.1, [::1] or localhost, there on any port",
  }),
);

/** A client as it was registered (RFC 7591). */
export const RegisteredClient = Type.Object(
  {
    client_id: Type.String(),
    client_id_issued_at: Type.Integer(),
    client_name: Type.String(),
    client_uri: Type.Optional(Type.String()),
    application_type: Type.Unsafe<"native" | "web">({
      ...wordOf(["native", "web"]),
      description: "native where it listens on the person's own machine, else web",
    }),
    redirect_uris: REDIRECT_URIS,
    grant_types: texts,
    response_types: texts,
    token_endpoint_auth_method: Type.Literal("none"),
    scope: Type.String(),
  },
  { $id: "RegisteredClient" },
);

export const serverMetadata = ({
  baseUrl,
  hasClientCredentials,
  takesDocuments,
  languages,
}: ServerMetadataNeeds): Static<typeof ServerMetadata> => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  scopes_supported: TOOL_SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: [
    ...["authorization_code", "refresh_token"],
    ...(hasClientCredentials ? ["client_credentials"] : []),
  ],
  token_endpoint_auth_methods_supported: [
    "none",
    ...(hasClientCredentials ? ["client_secret_basic", "client_secret_post"] : []),
  ],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: takesDocuments,
  ui_locales_supported: languages,
});

/** The properties of a client that take effect, whatever else it sent. */
export const registeredClient = ({
  id,
  name,
  uri,
  redirectUris,
  createdAt,
}: OauthClient): Static<typeof RegisteredClient> => ({
  client_id: id,
  client_id_issued_at: Math.floor(Date.parse(createdAt) / 1000),
  client_name: name,
  ...(uri === null ? {} : { client_uri: uri }),
  application_type: isNative(redirectUris) ? "native" : "web",
  redirect_uris: redirectUris,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  scope: TOOL_SCOPES.join(" "),
});
