// The token endpoint: client credentials for a short-lived token that we issue (specification, "Authentication" 4; A25; RFC 6749 4.4).

import type { AccountSecretLookup } from "../auth/accounts.ts";
import { signHs256 } from "../auth/jwt.ts";
import { OAuthRefusal } from "../auth/oauth-refusal.ts";
import { unregistered } from "../auth/scopes.ts";
import { type ClientCredentials, parseTokenRequest, type TokenRequestIn } from "../auth/token-request.ts";
import { ServiceError } from "../shared/errors.ts";
import type { Clock } from "../shared/time/clock.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { SecretRefusal, secretLookup } from "./secret-lookup.ts";
import type { FoundCredential } from "./store.ts";

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

/** What a token is issued from: a credential of the ARK service, or a client of an account. */
type TokenClient = {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant | null;
};

type TokenIssuingNeeds = {
  readonly signer: Signer | null;
  readonly clock: Clock;
  readonly bySecret: ReturnType<typeof secretLookup>;
  /** Clients of the repository's accounts on the same endpoint (R6b); absent where there is no such store. */
  readonly accountBySecret?: AccountSecretLookup | undefined;
  /** What a token may be made for (RFC 8707): the URL of the resource, null without one. Absent: resources are not checked. */
  readonly resourceNamed?: ((sent: string) => string | null) | undefined;
  readonly note: (refused: SecretRefusal) => void;
};

/** Answers one token request. Throws 1203 when no tokens are issued here, 1106, 1204, 1202 or 1305. */
export const tokenIssuing = (needs: TokenIssuingNeeds) => {
  async function clientOf(sent: ClientCredentials | null): Promise<TokenClient> {
    const found =
      sent === null ? { cause: "no_credential", who: "" } : await needs.bySecret(sent.clientSecret, "client_secret");
    if ("cause" in found && found.cause === "unknown_secret" && sent !== null) {
      const ofAccount = await needs.accountBySecret?.(sent.clientSecret, "oauth");
      if (ofAccount !== undefined && !("cause" in ofAccount) && ofAccount.client.clientId === sent.clientId)
        return ofAccount.client;
    }
    const refused = "cause" in found ? found : clientProblem(found, sent?.clientId ?? "");
    if (refused === null && "credential" in found) return found.credential;
    if (refused !== null) needs.note(refused);
    throw new ServiceError(1202, {}, { "www-authenticate": 'Basic realm="ark"' });
  }

  return async (request: TokenRequestIn): Promise<{ readonly clientId: string; readonly token: IssuedToken }> => {
    const { signer, clock } = needs;
    if (signer === null) throw new ServiceError(1203);
    const { client, scopes, resources } = parseTokenRequest(request);
    const { clientId, scopes: registered, expiresAt } = await clientOf(client);
    const refused = unregistered(registered, scopes);
    if (refused.length > 0) throw new ServiceError(1305, { scope: refused.join(" ").slice(0, 500) });
    const { resourceNamed } = needs;
    const meant = resourceNamed === undefined ? [] : resources.map(resourceNamed);
    const named = [...new Set(meant)].filter((each) => each !== null);
    if (meant.includes(null)) throw new OAuthRefusal("invalid_target", "No tokens are made for this resource");
    const [only] = named;
    const aud = only === undefined ? signer.audience : named.length === 1 ? only : named;
    const scope = registered.filter((each) => scopes.length === 0 || scopes.includes(each)).join(" ");
    const iat = secondsOf(clock.now());
    // A token never promises to outlive its credential.
    const exp = Math.min(iat + signer.ttlSeconds, expiresAt === null ? Number.POSITIVE_INFINITY : secondsOf(expiresAt));
    const jti = crypto.randomUUID();
    const claims = { iss: signer.issuer, aud, sub: clientId, iat, exp, jti, scope };
    const access_token = await signHs256(claims, signer.secret);
    return { clientId, token: { access_token, token_type: "Bearer", expires_in: exp - iat, scope } };
  };
};

/** Why a client whose secret is right gets no token all the same. */
function clientProblem({ credential, organisationActive }: FoundCredential, clientId: string): SecretRefusal | null {
  if (credential.clientId !== clientId) return { cause: "other_client", who: credential.clientId };
  return organisationActive ? null : { cause: "inactive_organisation", who: clientId };
}

function secondsOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}
