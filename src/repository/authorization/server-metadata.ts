// The metadata of the authorization server (RFC 8414), and the answer to a client that registers (RFC 7591 3.2.1).
// Pure.
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

export const serverMetadata = ({ baseUrl, hasClientCredentials, takesDocuments, languages }: ServerMetadataNeeds) => ({
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
export const registeredClient = ({ id, name, uri, redirectUris, createdAt }: OauthClient) => ({
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
