// Who calls: API keys, our tokens and those of an external issuer (specification, "Authentication"; A21 to A26).
//
// Every use reads the credential from the store: disabling it, or its organisation, stops live tokens at once. Callers
// see one answer for every cause of a 401; the log tells them apart and never holds a secret or a token.

import { type Static, Type } from "@sinclair/typebox";
import type { AccountSecretLookup } from "../auth/accounts.ts";
import { type Caller, type CallerProof, type Scope, scopeParts, unregistered } from "../auth/caller.ts";
import {
  claimsProblem,
  headerProblem,
  OIDC_HEADER,
  OIDC_LEEWAY_SECONDS,
  OWN_HEADER,
  OWN_LEEWAY_SECONDS,
  oidcScopes,
  oidcSubject,
  ownSubject,
} from "../auth/claims.ts";
import { credentialProblem, parseSecret, readBearer, SECRET_PREFIX, secretProblem } from "../auth/credential-text.ts";
import { type Jwt, readJwt, signHs256, verifyHs256 } from "../auth/jwt.ts";
import type { OidcKeys } from "../auth/oidc.ts";
import { type ClientCredentials, OAuthRefusal, parseTokenRequest, type TokenRequestIn } from "../auth/token-request.ts";
import { ServiceError } from "../shared/errors.ts";
import { matchesHash } from "../shared/hash/digests.ts";
import type { AuthMode } from "../shared/settings/setting-parsers.ts";
import type { Clock } from "../shared/time/clock.ts";
import { addMilliseconds, type Instant } from "../shared/time/instant.ts";
import { callerOf, invalidToken, REALM, requireScope } from "./current-caller.ts";
import type { FoundCredential, SecretKind, Store } from "./store.ts";

/** One refused attempt, for the log. */
export type RefusedAttempt = SecretRefusal & {
  readonly event: "authentication_refused";
  readonly mode: AuthMode | "token_endpoint" | "none";
};

export type AuthenticationNeeds = {
  readonly store: Pick<Store, "credentialBySecret" | "credentialByClientId" | "noteUnregisteredSubject">;
  /** The repository's accounts on the same database, whose clients get tokens from the same endpoint (R6b). */
  readonly accountBySecret?: AccountSecretLookup | undefined;
  /** The resources a token may be limited to (RFC 8707); absent where resources are not checked. */
  readonly resourceNamed?: ((sent: string) => string | null) | undefined;
  readonly clock: Clock;
  readonly modes: Iterable<AuthMode>;
  readonly tokens: { readonly secret: Uint8Array | null; readonly issuer: string; readonly ttlSeconds: number } | null;
  readonly oidc: OidcServer | null;
  readonly log?: (attempt: RefusedAttempt) => void;
};

type OidcServer = { readonly issuer: string; readonly audience: string; readonly keys: OidcKeys };

/** An attempt comes out as a caller or as the cause of its refusal. */
type Outcome = Caller | SecretRefusal;
type Attempt = { readonly mode: RefusedAttempt["mode"]; readonly outcome: Outcome };

export interface Authentication {
  /**
   * The caller an Authorization header speaks for. Throws 1201 when it holds no Bearer token, 1202 for every other
   * cause.
   */
  authenticate(authorization: string | null): Promise<Caller>;
  /** Throws 1301 unless the caller holds one of the scopes, 1303 when its organisation is not active. */
  requireScope(caller: Caller, anyOf: readonly Scope[]): void;
  /** Answers the token endpoint (A25). Throws 1203 when it is off, 1106, 1204, 1202 or 1305. */
  issueToken(request: TokenRequestIn): Promise<{ readonly clientId: string; readonly token: IssuedToken }>;
}

export const authentication = (needs: AuthenticationNeeds): Authentication => {
  const modes = new Set(needs.modes);
  const own = modes.has("oauth2") ? signerOf(needs.tokens) : null;
  const oidc = modes.has("oidc") ? needs.oidc : null;
  const bySecret = secretLookup(needs);

  function note(mode: RefusedAttempt["mode"], { cause, who }: SecretRefusal): void {
    needs.log?.({ event: "authentication_refused", mode, cause, who });
  }

  async function byApiKey(token: string): Promise<Outcome> {
    const found = await bySecret(token, "api_key");
    if ("cause" in found) return found;
    return withProof(found, { secretId: found.secret?.id ?? null, carried: null, endsAt: null });
  }

  /**
   * Hands a token to the one mode it can belong to: a key by its prefix, our own tokens by their issuer, any other JWT
   * to `oidc`.
   */
  async function attempt(token: string): Promise<Attempt> {
    const off = { cause: "mode_off", who: "" };
    if (token.startsWith(SECRET_PREFIX)) {
      return { mode: "apikey", outcome: modes.has("apikey") ? await byApiKey(token) : off };
    }
    const jwt = readJwt(token);
    if (jwt === null) return { mode: "none", outcome: { cause: "malformed", who: "" } };
    if (own !== null && jwt.claims.iss === own.issuer) {
      return { mode: "oauth2", outcome: await byOwnToken(needs, own, jwt) };
    }
    if (oidc !== null) return { mode: "oidc", outcome: await byOidcToken(needs, oidc, token, jwt) };
    return { mode: "none", outcome: off };
  }

  return {
    async authenticate(authorization) {
      const header = readBearer(authorization);
      if (header.kind === "none") {
        note("none", { cause: "no_credential", who: "" });
        throw new ServiceError(1201, {}, { "www-authenticate": REALM });
      }
      const { mode, outcome }: Attempt =
        header.kind === "bearer"
          ? await attempt(header.token)
          : { mode: "none", outcome: { cause: "malformed", who: "" } };
      if (!("cause" in outcome)) return outcome;
      note(mode, outcome);
      throw invalidToken();
    },

    requireScope,

    issueToken: tokenIssuing({
      signer: own,
      clock: needs.clock,
      bySecret,
      accountBySecret: needs.accountBySecret,
      resourceNamed: needs.resourceNamed,
      note: (refused) => note("token_endpoint", refused),
    }),
  };
};

async function byOwnToken({ store, clock }: AuthenticationNeeds, own: Signer, jwt: Jwt): Promise<Outcome> {
  const cause =
    headerProblem(jwt.header, OWN_HEADER) ?? claimsProblem(jwt.claims, expected(own, clock, OWN_LEEWAY_SECONDS));
  if (cause !== null) return { cause, who: "" };
  if (!(await verifyHs256(jwt, own.secret))) return { cause: "wrong_signature", who: "" };
  const subject = ownSubject(jwt.claims);
  const { jti, scope } = jwt.claims;
  if (subject === null || typeof jti !== "string" || typeof scope !== "string") return { cause: "claims", who: "" };
  const shown = { secretId: null, carried: scopeParts(scope), endsAt: endOf(jwt, OWN_LEEWAY_SECONDS) };
  return callerBehind(await store.credentialByClientId(subject), subject, shown, clock);
}

/**
 * Claims are checked before the signature, so that a token for another service never causes a request for the issuer's
 * keys.
 */
async function byOidcToken(
  { store, clock }: AuthenticationNeeds,
  oidc: OidcServer,
  token: string,
  jwt: Jwt,
): Promise<Outcome> {
  const cause =
    headerProblem(jwt.header, OIDC_HEADER) ?? claimsProblem(jwt.claims, expected(oidc, clock, OIDC_LEEWAY_SECONDS));
  if (cause !== null) return { cause, who: "" };
  const verdict = await oidc.keys.verify(token);
  if (verdict !== "verified") return { cause: verdict, who: "" };
  const subject = oidcSubject(jwt.claims);
  const scopes = oidcScopes(jwt.claims);
  if (subject === null || scopes === undefined) return { cause: "claims", who: "" };
  const found = await store.credentialByClientId(subject);
  if (found === null) await store.noteUnregisteredSubject(oidc.issuer, subject, clock.now());
  const shown = { secretId: null, carried: scopes, endsAt: endOf(jwt, OIDC_LEEWAY_SECONDS) };
  return callerBehind(found, subject, shown, clock);
}

/** The caller a verified token speaks for, with its scopes cut down to those it carries. */
function callerBehind(found: FoundCredential | null, subject: string, shown: CallerProof, clock: Clock): Outcome {
  if (found === null) return { cause: "unregistered_subject", who: subject };
  const cause = credentialProblem(found.credential, clock.now());
  return cause === null ? withProof(found, shown) : { cause, who: subject };
}

const withProof = (found: FoundCredential, proof: CallerProof): Caller => ({
  ...callerOf(found, proof.carried),
  proof,
});

const EPOCH = "1970-01-01T00:00:00.000Z";

/** When a token expires; its claims are already checked. */
function endOf({ claims }: Jwt, leewaySeconds: number): Instant {
  return addMilliseconds(EPOCH, Math.min((Number(claims.exp) + leewaySeconds) * 1000, FAR_AWAY_MS));
}

/** Later than any end that counts, and still a date. */
const FAR_AWAY_MS = 8_000_000_000_000;

export function signerOf(tokens: AuthenticationNeeds["tokens"]): Signer | null {
  if (tokens === null || tokens.secret === null) return null;
  return { secret: tokens.secret, issuer: tokens.issuer, audience: tokens.issuer, ttlSeconds: tokens.ttlSeconds };
}

function expected(of: { readonly issuer: string; readonly audience: string }, clock: Clock, leewaySeconds: number) {
  const nowSeconds = Math.floor(Date.parse(clock.now()) / 1000);
  return { issuer: of.issuer, audience: of.audience, nowSeconds, leewaySeconds };
}

// From the text of a secret to the credential behind it (A23). Used for API keys and, at the token endpoint, for client
// secrets.

/**
 * Why an attempt failed, for the log. `who` is a secret's id, a client_id or a subject, as far as it is known for
 * certain; else empty.
 */
type SecretRefusal = { readonly cause: string; readonly who: string };

/** Finds the credential whose secret may be used now as `kind`, or states why there is none. */
const secretLookup =
  ({ store, clock }: { readonly store: Pick<Store, "credentialBySecret">; readonly clock: Clock }) =>
  async (text: string, kind: SecretKind): Promise<FoundCredential | SecretRefusal> => {
    const secret = parseSecret(text);
    if (secret === null) return { cause: "malformed", who: "" };
    const found = await store.credentialBySecret(secret.id);
    const matches = matchesHash(secret.random, found?.secret?.hash);
    const now = clock.now();
    const cause = secretProblem(found?.secret ?? null, kind, matches, now);
    if (cause !== null || found === null) return { cause: cause ?? "unknown_secret", who: secret.id };
    const problem = credentialProblem(found.credential, now);
    return problem === null ? found : { cause: problem, who: found.credential.clientId };
  };

// The token endpoint: client credentials for a short-lived token that we issue (specification, "Authentication" 4; A25;
// RFC 6749 4.4).

/** What our own tokens are signed and checked with. */
export type Signer = {
  readonly secret: Uint8Array;
  readonly issuer: string;
  /** Our tokens are meant for ourselves. */
  readonly audience: string;
  readonly ttlSeconds: number;
};

/** What the token endpoint answers. */
export const IssuedTokenShape = Type.Object(
  {
    access_token: Type.String({ description: "Send it as Authorization: Bearer" }),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer({ description: "Seconds until it expires" }),
    scope: Type.String({ description: "The scopes it carries, separated by blanks" }),
  },
  { $id: "IssuedToken" },
);
export type IssuedToken = Static<typeof IssuedTokenShape>;

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
  /**
   * What a token may be made for (RFC 8707): the URL of the resource, null without one. Absent: resources are not
   * checked.
   */
  readonly resourceNamed?: ((sent: string) => string | null) | undefined;
  readonly note: (refused: SecretRefusal) => void;
};

/** Answers one token request. Throws 1203 when no tokens are issued here, 1106, 1204, 1202 or 1305. */
const tokenIssuing = (needs: TokenIssuingNeeds) => {
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

function secondsOf(instant: Instant): number {
  return Math.floor(Date.parse(instant) / 1000);
}
