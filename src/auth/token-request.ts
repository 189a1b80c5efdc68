// The request of the token endpoint (law, "Token request"; A25; RFC 6749 2.3.1, 3.2, 4.4.2).
import { ServiceError } from "../shared/errors.ts";
import { formFields } from "../shared/http/form-fields.ts";
import { most } from "../shared/limits.ts";
import { readBasic } from "./authorization.ts";
import { scopeParts } from "./scopes.ts";

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
