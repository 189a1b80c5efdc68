// Codes and refresh tokens exchanged for tokens (R30; RFC 6749 4.1.3, 6, RFC 7636 4.6, RFC 8707, RFC 9700 4.14): each
// once. A second valid use, however soon after the first, shows that two parties hold it, and the thief is unknown: the
// whole grant ends, and the person is asked again.
import { GUEST, type Viewer } from "../../auth/account.ts";
import { ended, parseSecret } from "../../auth/credential-text.ts";
import { OAuthRefusal, type TokenForm, type TokenRequestIn, tokenForm } from "../../auth/token-request.ts";
import { codeChallenge, matchesHash, sameHash } from "../../shared/hash/digests.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { originProblem } from "../people/current-viewer.ts";
import type { Grant, GrantSecret } from "../store/grants.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { audit, endGrantIn } from "./grants.ts";
import { ACCESS_MS } from "./lifetimes.ts";
import { knownResource } from "./resources.ts";
import { readScopes } from "./scopes.ts";
import { issueTokens } from "./secrets.ts";

/** What the token endpoint answers. */
type GrantedTokens = {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
};

export interface TokenGrants {
  /**
   * Null for a request of another kind of grant.
   *
   * @throws 1106, invalid_client, invalid_grant, invalid_scope, invalid_target
   */
  exchange(
    request: TokenRequestIn,
    address: string,
  ): Promise<{ readonly clientId: string; readonly token: GrantedTokens } | null>;
}

type TokenGrantsNeeds = {
  readonly store: Pick<RepositoryStore, "transact">;
  readonly clock: Clock;
  readonly random: Random;
  readonly baseUrl: string;
  /** Why nothing was given, for the log: clients see one answer. */
  readonly note?: (refused: { readonly cause: string; readonly clientId: string }) => void;
};

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const NOT_VALID = "It is unknown, was used, has ended, or belongs to another client";

/** A code or refresh token, and the proof that it belongs to the client that sends it. */
type GrantProof = {
  readonly kind: "code" | "refresh";
  readonly id: string;
  readonly random: string;
  readonly clientId: string;
  readonly form: TokenForm;
  /** The challenge that the verifier of a code makes. */
  readonly challenge: string | null;
  readonly address: string;
};

type Outcome =
  | { readonly refused: OAuthRefusal; readonly cause: string }
  | { readonly grant: Grant; readonly token: GrantedTokens };

export const tokenGrants = (needs: TokenGrantsNeeds): TokenGrants => ({
  exchange: (request, address) => exchange(needs, request, address),
});

/** Every outcome is committed, also the end of a grant: the refusal is returned after the commit. */
async function useSecret(needs: TokenGrantsNeeds, tx: RepositoryWriter, presented: GrantProof): Promise<Outcome> {
  const found = await tx.grants.grantSecret(presented.id);
  const matches = matchesHash(presented.random, found?.hash);
  if (found === null) return refused("unknown_secret");
  if (!matches || found.kind !== presented.kind) return refused("wrong_secret");
  // Another request with this grant waits here, and then sees its state.
  const grant = await tx.grants.heldGrant(found.grantId);
  const secret = await tx.grants.grantSecret(presented.id);
  if (grant === null || secret === null) return refused("unknown_secret");
  const mismatch = belongsTo(presented, grant, secret, needs.baseUrl);
  if (mismatch !== null) return mismatch;
  const at = needs.clock.now();
  if (grant.endedAt !== null) return refused("ended_grant");
  const viewer: Viewer = {
    ...GUEST,
    account: await tx.accounts.account(grant.accountId),
    clientId: grant.id,
    address: presented.address,
  };
  if (secret.usedAt !== null) {
    await audit(tx, viewer, at, grant, "grant-reuse", {
      client: grant.clientId,
      kind: secret.kind,
      secret: secret.id,
    });
    await endGrantIn(tx, viewer, at, grant, "reuse");
    return refused("used_twice");
  }
  if (ended(secret.expiresAt, at)) return refused("expired_secret");
  if (viewer.account?.active !== true) return refused("disabled_account");
  const problem = await originProblem(tx.accounts, grant, at);
  if (problem !== null) return refused(problem);
  return await issueFor(needs, tx, viewer, at, { presented, grant, secret });
}

async function issueFor(
  needs: TokenGrantsNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  at: Instant,
  { presented, grant, secret }: { readonly presented: GrantProof; readonly grant: Grant; readonly secret: GrantSecret },
): Promise<Outcome> {
  const allowed = secret.scopes.filter((scope) => grant.scopes.includes(scope));
  const scopes = narrowed(presented, allowed);
  if (scopes === null) {
    const message = "A refresh may ask for less than was allowed, never for more";
    return { refused: new OAuthRefusal("invalid_scope", message), cause: "scope" };
  }
  if (!(await tx.grants.useGrantSecret(secret.id, at))) return refused("used_twice");
  await tx.grants.saveGrant({ ...grant, lastUsedAt: at });
  const { access, refresh } = await issueTokens(tx, needs, grant, { scopes, kept: secret.scopes });
  const action = secret.kind === "code" ? "grant-use" : "grant-refresh";
  await audit(tx, viewer, at, grant, action, { client: grant.clientId, scopes });
  const token = {
    access_token: access,
    token_type: "Bearer" as const,
    expires_in: ACCESS_MS / 1000,
    refresh_token: refresh,
    scope: scopes.join(" "),
  };
  return { grant, token };
}

async function exchange(
  needs: TokenGrantsNeeds,
  request: TokenRequestIn,
  address: string,
): Promise<{ readonly clientId: string; readonly token: GrantedTokens } | null> {
  const form = tokenForm(request);
  const grantType = form.parameters.get("grant_type") ?? "";
  const kind = GRANT_TYPES.get(grantType);
  if (kind === undefined && ["", "client_credentials"].includes(grantType)) return null;
  if (kind === undefined) {
    const kinds = `${[...GRANT_TYPES.keys()].join(", ")} and client_credentials`;
    throw new OAuthRefusal("unsupported_grant_type", `There are the grant types ${kinds}`);
  }
  const presented = await read(kind, form, { ...request, address });
  const outcome = await needs.store.transact((tx) => useSecret(needs, tx, presented));
  if (!("refused" in outcome)) return { clientId: outcome.grant.id, token: outcome.token };
  needs.note?.({ cause: outcome.cause, clientId: presented.clientId.slice(0, 200) });
  throw outcome.refused;
}

const GRANT_TYPES: ReadonlyMap<string, GrantProof["kind"]> = new Map([
  ["authorization_code", "code"],
  ["refresh_token", "refresh"],
]);

function refused(cause: string): Outcome {
  return { refused: new OAuthRefusal("invalid_grant", NOT_VALID), cause };
}

/** @throws OAuthRefusal */
async function read(
  kind: GrantProof["kind"],
  form: TokenForm,
  { authorization, address }: Pick<TokenRequestIn, "authorization"> & { readonly address: string },
): Promise<GrantProof> {
  const { parameters } = form;
  if (authorization !== null || (parameters.get("client_secret") ?? "") !== "") {
    throw new OAuthRefusal("invalid_client", "Clients of this grant are public: they have no secret");
  }
  const required = (name: string): string => {
    const value = parameters.get(name) ?? "";
    if (value === "") throw new OAuthRefusal("invalid_request", `The parameter ${name} is missing`);
    return value;
  };
  const clientId = required("client_id");
  const sent = parseSecret(required(kind === "code" ? "code" : "refresh_token"));
  const verifier = kind === "code" ? required("code_verifier") : null;
  if (verifier !== null && !VERIFIER.test(verifier)) {
    throw new OAuthRefusal("invalid_grant", "code_verifier is not a verifier of RFC 7636");
  }
  if (sent === null) throw new OAuthRefusal("invalid_grant", NOT_VALID);
  const challenge = verifier === null ? null : codeChallenge(verifier);
  return { kind, id: sent.id, random: sent.random, clientId, form, challenge, address };
}

/**
 * What does not fit; null where everything does. A client without proof of possession does not end another client's
 * grant.
 */
function belongsTo(
  { form, clientId, challenge }: GrantProof,
  grant: Grant,
  secret: GrantSecret,
  baseUrl: string,
): Outcome | null {
  if (grant.clientId !== clientId) return refused("other_client");
  const { parameters, resources } = form;
  if (secret.kind === "code") {
    if (secret.redirectUri !== null && parameters.get("redirect_uri") !== secret.redirectUri) {
      return refused("redirect_uri");
    }
    if (challenge === null || secret.challenge === null || !sameHash(secret.challenge, challenge)) {
      return refused("code_verifier");
    }
  }
  const isOther = resources.some((each) => knownResource(each, baseUrl) !== grant.resource);
  if (!isOther) return null;
  return {
    refused: new OAuthRefusal("invalid_target", "The resource is not the one that was allowed"),
    cause: "resource",
  };
}

/**
 * Of the scopes that were allowed, those a refresh asks for; all of them where it names none, and for a code. Null: it
 * asks for more.
 */
function narrowed({ kind, form }: GrantProof, allowed: readonly string[]): readonly string[] | null {
  const text = form.parameters.get("scope") ?? "";
  if (kind === "code" || text === "") return allowed;
  const asked = readScopes(text);
  return asked?.every((scope) => allowed.includes(scope)) === true ? asked : null;
}
