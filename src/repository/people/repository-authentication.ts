// Authentication of the repository: personal tokens, tokens of the token endpoint, sessions, and the account of
// On-Behalf-Of (R6b, R15, R33; specification 2, "Authentication"). Every use reads the account again: disabling it
// stops live tokens and sessions at once.

import type { Signer } from "../../ark/authentication.ts";
import { type Account, GUEST, type Proof, type Viewer } from "../../auth/account.ts";
import type { AccountClient, AccountReader, FoundSecret, Identity, OwnedClient, Session } from "../../auth/accounts.ts";
import { scopeParts } from "../../auth/caller.ts";
import { claimsProblem, headerProblem, OWN_HEADER, OWN_LEEWAY_SECONDS, ownSubject } from "../../auth/claims.ts";
import { isGrantToken, parseSecret, readBearer, SECRET_PREFIX } from "../../auth/credential-text.ts";
import { readJwt, verifyHs256 } from "../../auth/jwt.ts";
import { derivedSecret, matchesHash, sha256Hex } from "../../shared/hash/digests.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { GrantReader } from "../store/grants.ts";
import { secretLookup } from "./account-tokens.ts";
import {
  clientProblem,
  grantProblem,
  grantScopes,
  identityRights,
  refuseToken,
  sessionProblem,
} from "./current-viewer.ts";

/** One refused attempt, for the log. Never holds a token. */
type RefusedViewer = { readonly cause: string; readonly clientId: string };

type RepositoryAuthenticationNeeds = {
  readonly accounts: AccountReader;
  readonly clock: Clock;
  /** What tokens of the token endpoint are checked with; null where none are issued. */
  readonly signer: Signer | null;
  /** Tokens that people gave to programs; absent where none are taken. */
  readonly grants?: Pick<GrantReader, "grantedSecret">;
  readonly note?: (refused: RefusedViewer) => void;
  /** Records that a session is in use; called once in {@link USE_MS} for each. */
  readonly noteUse?: (hash: string, at: Instant) => Promise<void>;
};

/** Between two records of the use of a session. */
const USE_MS = 10 * 60_000;

/** A session and its account. Every form that changes something must contain `csrf`. */
export type SignedIn = {
  readonly viewer: Viewer;
  readonly session: Session;
  readonly csrf: string;
  /** What the account chose for its pages; null: nothing. */
  readonly language: string | null;
};

/** The token of a session's forms, made from the secret in its cookie: who reads the database cannot write a form. */
export const formTokenOf = (token: string): string => derivedSecret("form", token);

interface RepositoryAuthentication {
  /**
   * The viewer that the Authorization header identifies; the guest where there is none.
   *
   * @throws Refusal `unauthenticated` with `detail.cause` "invalid" for a token that is malformed, unknown, revoked,
   * expired, or whose account is disabled
   *
   * `resource`: the exact URL of what is asked, where tokens are made for it (RFC 8707). Such a token opens nothing
   * else.
   */
  authenticate(authorization: string | null, address: string, resource?: string | null): Promise<Viewer>;
  /** The person that a session cookie identifies; null where it identifies nobody. */
  session(token: string | null, address: string): Promise<SignedIn | null>;
  /**
   * Whom the value of On-Behalf-Of means (R15): e-mail, then personal access token, then ePPN. The value is never
   * logged.
   */
  onBehalfOf(value: string): Promise<Account | null>;
}

/** The shape of a session's secret in its cookie: 43 characters of base64url. */
const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

type AuthenticationContext = RepositoryAuthenticationNeeds & {
  /** The client of a secret, or why it is refused. */
  readonly bySecret: (
    text: string,
    kind: AccountClient["kind"],
  ) => Promise<(FoundSecret & OwnedClient) | { readonly cause: string }>;
};

type FoundToken = OwnedClient & { readonly scopes: readonly string[]; readonly proof: Proof };

export const repositoryAuthentication = (own: RepositoryAuthenticationNeeds): RepositoryAuthentication => {
  const needs: AuthenticationContext = { ...own, bySecret: secretLookup((id) => own.accounts.ownedSecret(id), own) };
  return {
    authenticate: (authorization, address, resource) => authenticateHeader(needs, authorization, address, resource),
    session: (token, address) => findSession(needs, token, address),
    onBehalfOf: (value) => findOnBehalfOf(needs, value),
  };
};

async function viewerOfGrant(
  needs: AuthenticationContext,
  token: string,
  resource: string | null,
  address: string,
): Promise<Viewer> {
  const { grants } = needs;
  const sent = parseSecret(token);
  if (sent === null || grants === undefined) return refuseAttempt(needs, "malformed");
  const found = await grants.grantedSecret(sent.id);
  const matches = matchesHash(sent.random, found?.secret.hash);
  if (found === null) return refuseAttempt(needs, "unknown_secret");
  const { id: clientId } = found.grant;
  const problem = matches ? await grantProblem(needs.accounts, found, needs.clock.now()) : "wrong_secret";
  if (problem !== null) return refuseAttempt(needs, problem, clientId);
  if (found.grant.resource !== resource) return refuseAttempt(needs, "audience", clientId);
  const proof = { kind: "grant", tokenId: found.secret.id } as const;
  return { ...viewerOf(found, { scopes: [...grantScopes(found)], proof }, address), clientId };
}

async function clientOfJwt(
  needs: AuthenticationContext,
  token: string,
  resource: string | null,
): Promise<FoundToken | string> {
  const jwt = readJwt(token);
  if (jwt === null || needs.signer === null) return "malformed";
  const nowSeconds = Math.floor(Date.parse(needs.clock.now()) / 1000);
  const { issuer } = needs.signer;
  const problemFor = (audience: string) =>
    claimsProblem(jwt.claims, { issuer, audience, nowSeconds, leewaySeconds: OWN_LEEWAY_SECONDS });
  const forAll = problemFor(needs.signer.audience);
  const cause =
    headerProblem(jwt.header, OWN_HEADER) ??
    // One that was asked for a resource opens that and nothing else; one that was not, everything.
    (forAll === "audience" && resource !== null ? problemFor(resource) : forAll);
  if (cause !== null) return cause;
  if (!(await verifyHs256(jwt, needs.signer.secret))) return "wrong_signature";
  const subject = ownSubject(jwt.claims);
  const { scope } = jwt.claims;
  const found = subject === null ? null : await needs.accounts.ownedClient(subject);
  if (found === null || typeof scope !== "string") return "unregistered_subject";
  const { client } = found;
  const problem = await clientProblem(needs.accounts, client, needs.clock.now());
  if (problem !== null) return problem;
  const carried = scopeParts(scope);
  // A claim that was checked to be a time.
  const endsAt = addMilliseconds(EPOCH, Number(jwt.claims.exp) * 1000);
  const proof = { kind: "token", carried, endsAt } as const;
  return { ...found, scopes: client.scopes.filter((each) => carried.includes(each)), proof };
}

function refuseAttempt(needs: AuthenticationContext, cause: string, clientId = ""): never {
  needs.note?.({ cause, clientId });
  return refuseToken(cause.startsWith("expired"));
}

async function authenticateHeader(
  needs: AuthenticationContext,
  authorization: string | null,
  address: string,
  resource: string | null = null,
): Promise<Viewer> {
  const header = readBearer(authorization);
  if (header.kind === "none" && (authorization === null || authorization.trim() === "")) return { ...GUEST, address };
  if (header.kind !== "bearer") return refuseAttempt(needs, "malformed");
  const { token } = header;
  if (isGrantToken(token)) return viewerOfGrant(needs, token, resource, address);
  if (token.startsWith(SECRET_PREFIX)) {
    const found = await needs.bySecret(token, "personal");
    if ("cause" in found) return refuseAttempt(needs, found.cause);
    const { client, secret } = found;
    const proof = { kind: "secret", secretId: secret.id } as const;
    return viewerOf(found, { client, scopes: client.scopes, proof }, address);
  }
  const found = await clientOfJwt(needs, token, resource);
  if (typeof found === "string") return refuseAttempt(needs, found);
  if (!found.account.active) return refuseAttempt(needs, "disabled_account", found.client.clientId);
  return viewerOf(found, found, address);
}

async function findSession(
  needs: AuthenticationContext,
  token: string | null,
  address: string,
): Promise<SignedIn | null> {
  if (token === null || !SESSION_TOKEN.test(token)) return null;
  const open = await needs.accounts.openSession(sha256Hex(token));
  if (open === null || (await sessionProblem(needs.accounts, open, needs.clock.now())) !== null) return null;
  if (!open.account.active) return null;
  const { session, language } = open;
  const now = needs.clock.now();
  if (addMilliseconds(session.lastUsedAt ?? session.createdAt, USE_MS) <= now) {
    await needs.noteUse?.(session.hash, now);
  }
  const viewer = viewerOf(open, { proof: { kind: "session", hash: session.hash } }, address);
  return { viewer, session, csrf: formTokenOf(token), language };
}

async function findOnBehalfOf(needs: AuthenticationContext, value: string): Promise<Account | null> {
  const byMail = await needs.accounts.accountByMail(value);
  if (byMail !== null) return byMail.active ? byMail : null;
  if (value.startsWith(SECRET_PREFIX)) {
    const found = await needs.bySecret(value, "personal");
    if (!("cause" in found)) return found.account;
  }
  const byEppn = await needs.accounts.accountByEppn(value);
  return byEppn?.active === true ? byEppn : null;
}

const EPOCH = "1970-01-01T00:00:00.000Z";

/** What was shown, and the client whose token it is; a session has none. */
type TokenProof = { readonly client?: AccountClient; readonly scopes?: readonly string[]; readonly proof: Proof };

function viewerOf(identity: Identity, { client, scopes, proof }: TokenProof, address: string): Viewer {
  return {
    ...identityRights(identity),
    scopes: scopes === undefined ? null : new Set(scopes),
    clientId: client?.clientId ?? "",
    address,
    proof,
  };
}

/** @throws Refusal `unauthenticated` with detail.cause "missing" for the guest */
export function requireSignedIn(viewer: Viewer): void {
  if (viewer.account !== null || viewer.scopes === null) return;
  throw new Refusal("unauthenticated", "A Bearer access token is needed", {
    headers: { "www-authenticate": 'Bearer realm="repository"' },
    detail: { cause: "missing" },
  });
}
