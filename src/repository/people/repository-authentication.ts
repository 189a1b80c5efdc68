// Who uses the repository: personal tokens, tokens of the token endpoint, sessions, and whom On-Behalf-Of means (R6b, R15, R33; specification 2,
// "Authentication"). Every use reads the account anew: disabling it stops live tokens and sessions at once.

import type { Signer } from "../../ark/token-issuing.ts";
import { type Account, GUEST, type Proof, type Viewer } from "../../auth/account.ts";
import type { AccountClient, AccountReader, Identity, OwnedClient, Session } from "../../auth/accounts.ts";
import { readBearer } from "../../auth/authorization.ts";
import { claimsProblem, headerProblem, OWN_HEADER, OWN_LEEWAY_SECONDS, ownSubject } from "../../auth/claims.ts";
import { readJwt, verifyHs256 } from "../../auth/jwt.ts";
import { scopeParts } from "../../auth/scopes.ts";
import { isGrantToken, parseSecret, SECRET_PREFIX } from "../../auth/secret.ts";
import type { Clock } from "../../shared/clock.ts";
import { addMilliseconds } from "../../shared/instant.ts";
import { Refusal } from "../../shared/refusal.ts";
import { derivedSecret, sameHash, secretHash } from "../../shared/secret-hash.ts";
import type { GrantReader } from "../store/grants.ts";
import { NO_HASH, secretLookup } from "./account-tokens.ts";
import { clientProblem, grantProblem, grantScopes, refuseToken, sessionProblem, standingOf } from "./current-viewer.ts";

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
};

/** A session and the account behind it; `csrf` must stand in every form that changes something. */
export type SignedIn = { readonly viewer: Viewer; readonly session: Session; readonly csrf: string };

/** The token of a session's forms, made from the secret in its cookie: who reads the database cannot write a form. */
export const formTokenOf = (token: string): Promise<string> => derivedSecret("form", token);

interface RepositoryAuthentication {
  /**
   * Whoever the Authorization header speaks for; the guest where there is none. Throws `unauthenticated` with `detail.cause`
   * "invalid" for a token that is malformed, unknown, revoked, expired, or whose account is disabled.
   *
   * `resource`: the exact URL of what is asked, where tokens are made for it (RFC 8707). Such a token opens nothing else.
   */
  authenticate(authorization: string | null, address: string, resource?: string | null): Promise<Viewer>;
  /** The person a session cookie stands for; null where it stands for nobody. */
  session(token: string | null, address: string): Promise<SignedIn | null>;
  /** Whom the value of On-Behalf-Of means (R15): e-mail, then personal access token, then ePPN. The value is never logged. */
  onBehalfOf(value: string): Promise<Account | null>;
}

/** The shape of a session's secret in its cookie: 43 characters of base64url. */
const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const repositoryAuthentication = (needs: RepositoryAuthenticationNeeds): RepositoryAuthentication => {
  const { accounts, clock, signer } = needs;
  const bySecret = secretLookup((id) => accounts.ownedSecret(id), needs);

  type FoundToken = OwnedClient & { readonly scopes: readonly string[]; readonly proof: Proof };

  async function viewerOfGrant(token: string, resource: string | null, address: string): Promise<Viewer> {
    const { grants } = needs;
    const sent = parseSecret(token);
    if (sent === null || grants === undefined) return refuse("malformed");
    const [found, hash] = await Promise.all([grants.grantedSecret(sent.id), secretHash(sent.random)]);
    const matches = sameHash(found?.secret.hash ?? NO_HASH, hash);
    if (found === null) return refuse("unknown_secret");
    const { id: clientId } = found.grant;
    const problem = matches ? await grantProblem(accounts, found, clock.now()) : "wrong_secret";
    if (problem !== null) return refuse(problem, clientId);
    if (found.grant.resource !== resource) return refuse("audience", clientId);
    const proof = { kind: "grant", tokenId: found.secret.id } as const;
    return { ...viewerOf(found, { scopes: [...grantScopes(found)], proof }, address), clientId };
  }

  async function clientOfJwt(token: string, resource: string | null): Promise<FoundToken | string> {
    const jwt = readJwt(token);
    if (jwt === null || signer === null) return "malformed";
    const nowSeconds = Math.floor(Date.parse(clock.now()) / 1000);
    const { issuer } = signer;
    const problemFor = (audience: string) =>
      claimsProblem(jwt.claims, { issuer, audience, nowSeconds, leewaySeconds: OWN_LEEWAY_SECONDS });
    const forAll = problemFor(signer.audience);
    const cause =
      headerProblem(jwt.header, OWN_HEADER) ??
      // One that was asked for a resource opens that and nothing else; one that was not, everything.
      (forAll === "audience" && resource !== null ? problemFor(resource) : forAll);
    if (cause !== null) return cause;
    if (!(await verifyHs256(jwt, signer.secret))) return "wrong_signature";
    const subject = ownSubject(jwt.claims);
    const { scope } = jwt.claims;
    const found = subject === null ? null : await accounts.ownedClient(subject);
    if (found === null || typeof scope !== "string") return "unregistered_subject";
    const { client } = found;
    const problem = await clientProblem(accounts, client, clock.now());
    if (problem !== null) return problem;
    const carried = scopeParts(scope);
    // A claim that was checked to be a time.
    const endsAt = addMilliseconds(EPOCH, Number(jwt.claims.exp) * 1000);
    const proof = { kind: "token", carried, endsAt } as const;
    return { ...found, scopes: client.scopes.filter((each) => carried.includes(each)), proof };
  }

  function refuse(cause: string, clientId = ""): never {
    needs.note?.({ cause, clientId });
    return refuseToken(cause.startsWith("expired"));
  }

  return {
    async authenticate(authorization, address, resource = null) {
      const header = readBearer(authorization);
      if (header.kind === "none" && (authorization === null || authorization.trim() === ""))
        return { ...GUEST, address };
      if (header.kind !== "bearer") return refuse("malformed");
      const { token } = header;
      if (isGrantToken(token)) return viewerOfGrant(token, resource, address);
      if (token.startsWith(SECRET_PREFIX)) {
        const found = await bySecret(token, "personal");
        if ("cause" in found) return refuse(found.cause);
        const { client, secret } = found;
        const proof = { kind: "secret", secretId: secret.id } as const;
        return viewerOf(found, { client, scopes: client.scopes, proof }, address);
      }
      const found = await clientOfJwt(token, resource);
      if (typeof found === "string") return refuse(found);
      if (!found.account.active) return refuse("disabled_account", found.client.clientId);
      return viewerOf(found, found, address);
    },

    async session(token, address) {
      if (token === null || !SESSION_TOKEN.test(token)) return null;
      const open = await accounts.openSession(await secretHash(token));
      if (open === null || (await sessionProblem(accounts, open, clock.now())) !== null) return null;
      if (!open.account.active) return null;
      const { session } = open;
      const viewer = viewerOf(open, { proof: { kind: "session", hash: session.hash } }, address);
      return { viewer, session, csrf: await formTokenOf(token) };
    },

    async onBehalfOf(value) {
      const byMail = await accounts.accountByMail(value);
      if (byMail !== null) return byMail.active ? byMail : null;
      if (value.startsWith(SECRET_PREFIX)) {
        const found = await bySecret(value, "personal");
        if (!("cause" in found)) return found.account;
      }
      const byEppn = await accounts.accountByEppn(value);
      return byEppn?.active === true ? byEppn : null;
    },
  };
};

const EPOCH = "1970-01-01T00:00:00.000Z";

/** What was shown, and the client whose token it is; a session has none. */
type Shown = { readonly client?: AccountClient; readonly scopes?: readonly string[]; readonly proof: Proof };

function viewerOf(identity: Identity, { client, scopes, proof }: Shown, address: string): Viewer {
  return {
    ...standingOf(identity),
    scopes: scopes === undefined ? null : new Set(scopes),
    clientId: client?.clientId ?? "",
    address,
    proof,
  };
}

/** Throws `unauthenticated` with `detail.cause` "missing" for the guest. */
export function requireSignedIn(viewer: Viewer): void {
  if (viewer.account !== null || viewer.scopes === null) return;
  throw new Refusal("unauthenticated", "A Bearer access token is needed", {
    headers: { "www-authenticate": 'Bearer realm="repository"' },
    detail: { cause: "missing" },
  });
}
