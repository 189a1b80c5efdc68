// The request of the token endpoint (specification 1, "Token request"; A25; RFC 6749 2.3.1, 3.2, 4.4.2).

import { type ErrorCode, ServiceError } from "../shared/errors.ts";
import { formFields } from "../shared/http/form-fields.ts";
import { most } from "../shared/limits.ts";
import { scopeParts } from "./caller.ts";
import { readBasic } from "./credential-text.ts";

// Refusals of the endpoints of OAuth that have a name in its specifications (RFC 6749 5.2, RFC 7009 2.2.1, RFC 7591
// 3.2.2, RFC 8707 2). Next to the name is the nearest of our codes, as the token endpoint returns it (A25).

const CODES = {
  invalid_request: 1106,
  invalid_client: 1202,
  invalid_grant: 1106,
  unsupported_grant_type: 1204,
  invalid_scope: 1305,
  invalid_target: 1106,
  unsupported_token_type: 1106,
  invalid_redirect_uri: 1106,
  invalid_client_metadata: 1106,
} as const satisfies Readonly<Record<string, ErrorCode>>;

const CHALLENGE = { "www-authenticate": 'Basic realm="ark"' };

type OAuthError = keyof typeof CODES;

export class OAuthRefusal extends ServiceError {
  readonly error: OAuthError;

  constructor(error: OAuthError, reason: string) {
    // A client that does not authenticate must receive a challenge (RFC 6749 5.2).
    super(CODES[error], { reason }, error === "invalid_client" ? CHALLENGE : {}, reason);
    this.error = error;
  }
}

export type TokenRequestIn = {
  readonly authorization: string | null;
  readonly contentType: string | null;
  readonly body: string;
};

export type ClientCredentials = { readonly clientId: string; readonly clientSecret: string };

type TokenRequest = {
  /** Null where the request holds no credentials that can be read. */
  readonly client: ClientCredentials | null;
  /** Scopes asked for; empty: all that are registered. */
  readonly scopes: readonly string[];
  /** What the token is to be for (RFC 8707); empty: everything. */
  readonly resources: readonly string[];
};

/** The parameters of a request, each once. */
export type TokenForm = {
  readonly parameters: ReadonlyMap<string, string>;
  readonly resources: readonly string[];
};

/** Parameters of extensions that may repeat (RFC 8707). */
const MAY_REPEAT: ReadonlySet<string> = new Set(["resource", "audience"]);
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Reads a token request; throws 1106 or 1204. */
export function parseTokenRequest(input: TokenRequestIn): TokenRequest {
  const { parameters, resources } = tokenForm(input);
  const grantType = parameters.get("grant_type") ?? "";
  if (grantType === "") throw malformed("The parameter grant_type is missing");
  if (grantType !== "client_credentials") throw new ServiceError(1204, { grant_type: grantType.slice(0, 100) });
  return {
    client: clientOf(input.authorization, parameters),
    scopes: scopeParts(parameters.get("scope") ?? ""),
    resources,
  };
}

function malformed(reason: string): ServiceError {
  return new ServiceError(1106, { reason });
}

/** The parameters by name. One sent without a value counts as not sent (RFC 6749 3.2). */
export function tokenForm(input: Pick<TokenRequestIn, "contentType" | "body">): TokenForm {
  if (!FORM.test((input.contentType ?? "").trim())) {
    throw malformed("The body must be application/x-www-form-urlencoded");
  }
  const parameters = new Map<string, string>();
  const fields = formFields(input.body);
  if (fields === null) throw malformed(`The body has more than ${most("formFields")} parameters`);
  for (const [name, value] of fields) {
    if (parameters.has(name) && !MAY_REPEAT.has(name)) {
      throw malformed(`The parameter ${name.replace(/[^\w-]/g, "?").slice(0, 40)} appears twice`);
    }
    parameters.set(name, value);
  }
  const resources = [...new Set(fields.getAll("resource"))].filter((each) => each !== "");
  return { parameters, resources };
}

function clientOf(authorization: string | null, parameters: ReadonlyMap<string, string>): ClientCredentials | null {
  const clientId = parameters.get("client_id") ?? "";
  const clientSecret = parameters.get("client_secret") ?? "";
  if (authorization === null) return clientId === "" || clientSecret === "" ? null : { clientId, clientSecret };
  if (clientSecret !== "") throw malformed("Client credentials were sent twice: in the header and in the body");
  const basic = readBasic(authorization);
  if (basic.kind !== "basic") return null;
  if (clientId !== "" && clientId !== basic.clientId) throw malformed("The header and the body name different clients");
  return { clientId: basic.clientId, clientSecret: basic.clientSecret };
}
