// What a client asks a person for (R30; RFC 6749 4.1.1, RFC 7636 4.3, RFC 8707 2), read from the query of its request.
// Pure.
import type { ToolScope } from "../tools/tool.ts";
import type { AuthorizationClient } from "./clients.ts";
import { resourceOf } from "./resources.ts";
import { readScopes } from "./scopes.ts";

export type AuthorizationAsk = {
  readonly client: AuthorizationClient;
  readonly redirectUri: string;
  /** Whether the request named it: then the token request must name the same (RFC 6749 4.1.3). */
  readonly redirectSent: boolean;
  readonly state: string | null;
  /** With those that each implies, least first. */
  readonly scopes: readonly ToolScope[];
  /** Exact URL of what the tokens will open. */
  readonly resource: string;
  /** S256. */
  readonly codeChallenge: string;
};

/** Parameters that count here, each once (RFC 6749 3.1); `resource` may repeat (RFC 8707 2). */
const PARAMETERS = [
  ...["response_type", "client_id", "redirect_uri", "scope", "state"],
  ...["code_challenge", "code_challenge_method", "response_mode", "request", "request_uri"],
] as const;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
export const STATE_MAX = 2_000;

/** An error code of RFC 6749 4.1.2.1 or RFC 8707 2, and a sentence in ASCII. */
export class AskFault extends Error {
  override readonly name = "AskFault";
  readonly error: string;

  constructor(error: string, message: string) {
    super(message);
    this.error = error;
  }
}

type Rest = Pick<AuthorizationAsk, "scopes" | "resource" | "codeChallenge">;

/** The parameters whose faults are reported to the client by a redirect. @throws AskFault */
export function readAsk(query: URLSearchParams, baseUrl: string): Rest {
  for (const name of PARAMETERS) {
    if (query.getAll(name).length > 1) throw new AskFault("invalid_request", `The parameter ${name} occurs twice`);
  }
  const value = (name: (typeof PARAMETERS)[number]): string => query.get(name) ?? "";
  if (value("state").length > STATE_MAX) throw new AskFault("invalid_request", "The parameter state is too long");
  if (value("response_type") === "") throw new AskFault("invalid_request", "The parameter response_type is missing");
  if (value("response_type") !== "code") throw new AskFault("unsupported_response_type", "response_type must be code");
  if (value("request") !== "") throw new AskFault("request_not_supported", "Request objects are not taken");
  if (value("request_uri") !== "") throw new AskFault("request_uri_not_supported", "Request objects are not taken");
  if (!["", "query"].includes(value("response_mode")))
    throw new AskFault("invalid_request", "response_mode must be query");
  if (value("code_challenge") === "") throw new AskFault("invalid_request", "code challenge required");
  // Without a method it would be `plain` (RFC 7636 4.3).
  if (value("code_challenge_method") !== "S256") {
    throw new AskFault("invalid_request", "transform algorithm not supported: code_challenge_method must be S256");
  }
  if (!CHALLENGE.test(value("code_challenge")))
    throw new AskFault("invalid_request", "code_challenge is not an S256 challenge");
  const scopes = readScopes(value("scope"));
  if (scopes === null) throw new AskFault("invalid_scope", "There are the scopes mcp:read, mcp:write and mcp:curate");
  const resource = resourceOf(query.getAll("resource"), baseUrl);
  if (resource === null) throw new AskFault("invalid_target", `resource must be ${baseUrl}/mcp or ${baseUrl}/mcp-auth`);
  return { scopes, resource, codeChallenge: value("code_challenge") };
}
