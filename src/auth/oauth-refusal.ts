// Refusals of the endpoints of OAuth that have a name in its specifications (RFC 6749 5.2, RFC 7009 2.2.1, RFC 7591 3.2.2, RFC 8707 2). Next to the name
// is the nearest of our codes, as the token endpoint returns it (A25).
import { type ErrorCode, ServiceError } from "../shared/errors.ts";

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
