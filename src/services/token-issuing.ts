// The token endpoint: client credentials for a short-lived token of our own (law, "Authentication" 4; A25; RFC 6749 4.4).
import type { Credential } from "../domain/auth/caller.ts";
import { narrowed, scopeText, unregistered } from "../domain/auth/scopes.ts";
import { type ClientCredentials, parseTokenRequest, type TokenRequestIn } from "../domain/auth/token-request.ts";
import { ServiceError } from "../domain/errors.ts";
import { signHs256 } from "../formats/jwt.ts";
import type { Clock } from "../ports/clock.ts";
import type { FoundCredential } from "../ports/store.ts";
import type { Refused, secretLookup } from "./secret-lookup.ts";

/** What our own tokens are signed and checked with. */
export type Signer = {
  readonly secret: Uint8Array;
  readonly issuer: string;
  /** Our tokens are meant for ourselves. */
  readonly audience: string;
  readonly ttlSeconds: number;
};

/** What the token endpoint answers. */
export type IssuedToken = {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly scope: string;
};

export type TokenIssuingNeeds = {
  readonly signer: Signer | null;
  readonly clock: Clock;
  readonly bySecret: ReturnType<typeof secretLookup>;
  readonly note: (refused: Refused) => void;
};

/** Answers one token request. Throws 1203 when no tokens are issued here, 1106, 1204, 1202 or 1305. */
export const tokenIssuing = (needs: TokenIssuingNeeds) => {
  async function clientOf(sent: ClientCredentials | null): Promise<Credential> {
    const found =
      sent === null ? { cause: "no_credential", who: "" } : await needs.bySecret(sent.clientSecret, "client_secret");
    const refused = "cause" in found ? found : clientProblem(found, sent?.clientId ?? "");
    if (refused === null && "credential" in found) return found.credential;
    if (refused !== null) needs.note(refused);
    throw new ServiceError(1202, {}, { "www-authenticate": 'Basic realm="ark"' });
  }

  return async (request: TokenRequestIn): Promise<{ readonly clientId: string; readonly token: IssuedToken }> => {
    const { signer, clock } = needs;
    if (signer === null) throw new ServiceError(1203);
    const { client, scopes } = parseTokenRequest(request);
    const { clientId, scopes: registered, expiresAt } = await clientOf(client);
    const refused = unregistered(registered, scopes);
    if (refused.length > 0) throw new ServiceError(1305, { scope: refused.join(" ").slice(0, 500) });
    const scope = scopeText(narrowed(registered, scopes.length === 0 ? null : scopes));
    const iat = secondsOf(clock.now());
    // A token never promises to outlive its credential.
    const exp = Math.min(iat + signer.ttlSeconds, expiresAt === null ? Number.POSITIVE_INFINITY : secondsOf(expiresAt));
    const jti = crypto.randomUUID();
    const claims = { iss: signer.issuer, aud: signer.audience, sub: clientId, iat, exp, jti, scope };
    const access_token = await signHs256(claims, signer.secret);
    return { clientId, token: { access_token, token_type: "Bearer", expires_in: exp - iat, scope } };
  };
};

/** Why a client whose secret is right gets no token all the same. */
function clientProblem({ credential, organisationActive }: FoundCredential, clientId: string): Refused | null {
  if (credential.clientId !== clientId) return { cause: "other_client", who: credential.clientId };
  return organisationActive ? null : { cause: "inactive_organisation", who: clientId };
}

function secondsOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}
