// The viewer is read again inside the transaction that writes (R2g), because the check before the body arrived is not
// binding. Account, roles, groups, communities, and the credential (token, its client, session) are read as they are
// now, and stay so until the transaction ends.

import { type Account, effectiveRoles, type HeldLink, type Viewer } from "../../auth/account.ts";
import type { AccountClient, AccountReader, ClientLife, Identity, OpenSession } from "../../auth/accounts.ts";
import { ended } from "../../auth/credential-text.ts";
import type { AccountId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { Grant, GrantedSecret } from "../store/grants.ts";
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../store/store.ts";

/** Clients that were made in each other's sessions, one behind the other: more than that ends nowhere. */
export const CHAIN_MAX = 20;

/** What the life of a client is read from. */
export type ClientReader = Pick<AccountReader, "clientLife">;

/**
 * Why a client may not be used now, for the log; null when it may. Whatever it was made with must be alive too (R6c).
 */
export async function clientProblem(
  accounts: ClientReader,
  client: Pick<AccountClient, "active" | "expiresAt" | "madeWith">,
  now: Instant,
): Promise<string | null> {
  if (!client.active) return "disabled_client";
  if (ended(client.expiresAt, now)) return "expired_secret";
  let { madeWith } = client;
  for (let links = 0; madeWith !== null; links += 1) {
    const origin = links < CHAIN_MAX ? await accounts.clientLife(madeWith) : null;
    if (origin === null || !isAlive(origin, now)) return "ended_origin";
    madeWith = origin.client.madeWith;
  }
  return null;
}

/** Whether a client, by itself, could sign in now: with one of its secrets at least. */
function isAlive({ client, secrets }: ClientLife, now: Instant): boolean {
  if (!client.active || ended(client.expiresAt, now)) return false;
  return secrets.some(({ revokedAt, expiresAt }) => !ended(revokedAt, now) && !ended(expiresAt, now));
}

/**
 * Why a token of a grant may not be used now, for the log; null when it may. Every use asks: what ends a grant ends its
 * tokens at once.
 */
export async function grantProblem(
  accounts: ClientReader,
  { secret, grant, account }: GrantedSecret,
  now: Instant,
): Promise<string | null> {
  if (secret.kind !== "access") return "wrong_kind";
  if (ended(grant.endedAt, now)) return "ended_grant";
  if (ended(secret.usedAt, now)) return "revoked_secret";
  if (ended(secret.expiresAt, now)) return "expired_secret";
  if (!account.active) return "disabled_account";
  return await originProblem(accounts, grant, now);
}

/** The same of the token whose session made the grant (R6c). */
export const originProblem = (accounts: ClientReader, { madeWith }: Pick<Grant, "madeWith">, now: Instant) =>
  clientProblem(accounts, { active: true, expiresAt: null, madeWith }, now);

/** What a token of a grant may do: never more than the tools need, and nothing outside the grant. */
export const grantScopes = ({ secret, grant }: Pick<GrantedSecret, "secret" | "grant">): ReadonlySet<string> =>
  new Set(secret.scopes.filter((scope) => scope.startsWith("mcp:") && grant.scopes.includes(scope)));

/** Why a session may not be used now; null when it may. It ends with the client whose token signed in (R6c). */
export async function sessionProblem(
  accounts: ClientReader,
  { session, signedInWith }: Pick<OpenSession, "session" | "signedInWith">,
  now: Instant,
): Promise<string | null> {
  if (session.way === null) return "unknown_way";
  if (ended(session.expiresAt, now)) return "ended_session";
  if (session.clientId === null) return null;
  if (signedInWith === null || !isAlive(signedInWith, now)) return "ended_token";
  return await clientProblem(accounts, signedInWith.client, now);
}

/** What an account is to the repository now. */
export function identityRights({
  account,
  groups,
  memberships,
}: Identity): Pick<Viewer, "account" | "roles" | "groups" | "memberships"> {
  return { account, roles: effectiveRoles(account), groups, memberships };
}

/**
 * @throws Refusal `unauthenticated` with `detail.cause` "invalid", as every interface reports a token that may not be
 * used. `hasEnded`: it has expired, which `detail.ended` states.
 */
export function refuseToken(hasEnded = false): never {
  throw new Refusal("unauthenticated", "The access token is not valid", {
    headers: { "www-authenticate": 'Bearer realm="repository", error="invalid_token"' },
    detail: { cause: "invalid", ...(hasEnded ? { ended: true } : {}) },
  });
}

/** @throws Refusal `forbidden` unless the token carries every one of the scopes. A session carries all */
export function requireScopes(viewer: Viewer, scopes: readonly string[]): void {
  const carried = viewer.scopes;
  if (carried === null) return;
  const missing = scopes.filter((scope) => !carried.has(scope));
  if (missing.length === 0) return;
  throw new Refusal("forbidden", `The access token lacks the scope ${missing.join(" ")}`, {
    headers: {
      "www-authenticate": `Bearer realm="repository", error="insufficient_scope", scope="${scopes.join(" ")}"`,
    },
    detail: { scopes: missing },
  });
}

/**
 * The viewer as the database has it now. Guests and the program itself, which have no account, stay what they were.
 *
 * @throws Refusal `unauthenticated` when the account was disabled or what signed in has ended, `forbidden` when a scope
 * that the
 *   request needs was removed.
 */
async function viewerNow(shelves: Shelves, viewer: Viewer, now: Instant): Promise<Viewer> {
  const fresh = await accountNow(shelves, viewer, now);
  return viewer.links === undefined ? fresh : { ...fresh, links: await heldLinks(shelves, viewer.links, now) };
}

/** The links of the request as they are now, kept so until the transaction ends. */
async function heldLinks(shelves: Shelves, links: readonly HeldLink[], now: Instant): Promise<readonly HeldLink[]> {
  const { accessLinks, accounts } = shelves;
  const hashes = links.map(({ hash }) => hash);
  await accessLinks.holdLinks(hashes);
  const makers = new Set(links.flatMap(({ maker }) => maker.account?.id ?? []));
  for (const id of makers) await accounts.hold(id, null);
  return await linksNow(shelves, hashes, now);
}

/** What links with these secrets give now: nothing once they expired or their maker was disabled. */
export async function linksNow(
  { accessLinks, accessRequests, accounts }: Pick<RepositoryReader, "accessLinks" | "accessRequests" | "accounts">,
  hashes: readonly string[],
  now: Instant,
): Promise<readonly HeldLink[]> {
  const held: HeldLink[] = [];
  for (const { hash, parent, permission, maker: id, expiresAt, request } of await accessLinks.linksByHash(hashes)) {
    const maker = ended(expiresAt, now) ? null : await accounts.identity(id);
    if (maker === null || !maker.account.active) continue;
    const asked = request === null ? null : await accessRequests.accessRequest(request);
    held.push({
      hash,
      parent,
      permission,
      maker: { ...identityRights(maker), scopes: null, clientId: "", address: "" },
      ...(request === null ? {} : { filesUntil: asked?.endsOn ?? "" }),
    });
  }
  return held;
}

async function accountNow({ accounts, grants }: Shelves, viewer: Viewer, now: Instant): Promise<Viewer> {
  const { account } = viewer;
  if (account === null) return viewer;
  // Held first and read behind that: what was changed while it was waited for counts.
  await accounts.hold(account.id, signedInWith(viewer));
  const { identity, scopes } = await shownNow({ accounts, grants }, viewer, account, now);
  if (!identity.account.active || identity.account.id !== account.id) return refuseToken();
  const fresh: Viewer = { ...viewer, ...identityRights(identity), scopes };
  requireScopes(fresh, viewer.asked ?? []);
  return fresh;
}

/** The client whose token signed the viewer in; null where a person signed in. */
function signedInWith({ proof, clientId }: Viewer) {
  if (proof === undefined) return null;
  if (proof.kind === "grant") return { grantToken: proof.tokenId };
  return proof.kind === "session" ? { session: proof.hash } : { clientId };
}

type Shelves = Pick<RepositoryWriter, "accounts" | "grants" | "accessLinks" | "accessRequests">;

type CredentialState = { readonly identity: Identity; readonly scopes: Viewer["scopes"] };

/**
 * The account and the scopes behind what was shown, as they are now. A viewer without proof was made by the program
 * itself.
 */
async function shownNow(
  { accounts, grants }: Pick<Shelves, "accounts" | "grants">,
  { proof, clientId, scopes }: Viewer,
  account: Account,
  now: Instant,
): Promise<CredentialState> {
  switch (proof?.kind) {
    case undefined:
      return { identity: (await accounts.identity(account.id)) ?? refuseToken(), scopes };
    case "secret": {
      const { secret, client, ...identity } = (await accounts.ownedSecret(proof.secretId)) ?? refuseToken();
      if (ended(secret.revokedAt, now) || ended(secret.expiresAt, now)) return refuseToken();
      if ((await clientProblem(accounts, client, now)) !== null) return refuseToken();
      return { identity, scopes: new Set(client.scopes) };
    }
    case "token": {
      const { client, ...identity } = (await accounts.ownedClient(clientId)) ?? refuseToken();
      if (ended(proof.endsAt, now) || (await clientProblem(accounts, client, now)) !== null) return refuseToken();
      return { identity, scopes: new Set(client.scopes.filter((scope) => proof.carried.includes(scope))) };
    }
    case "grant": {
      const found = (await grants.grantedSecret(proof.tokenId)) ?? refuseToken();
      if ((await grantProblem(accounts, found, now)) !== null) return refuseToken();
      return { identity: found, scopes: grantScopes(found) };
    }
    case "session": {
      const open = (await accounts.openSession(proof.hash)) ?? refuseToken();
      if ((await sessionProblem(accounts, open, now)) !== null) return refuseToken();
      return { identity: open, scopes: null };
    }
  }
}

export type WritingNeeds = { readonly store: Pick<RepositoryStore, "transact">; readonly clock: Pick<Clock, "now"> };

type ViewerJob = { readonly viewer: Viewer };

/**
 * One transaction for several viewers, each read again once. `work` refuses before it writes anything: a refusal goes
 * to the viewer it concerns, and the work of the others is done. Any other error rolls back all of it.
 */
export function writeAsEach<Job extends ViewerJob, T>(
  { store, clock }: WritingNeeds,
  jobs: readonly Job[],
  work: (tx: RepositoryWriter, viewer: Viewer, job: Job) => Promise<T>,
): Promise<readonly (T | Refusal)[]> {
  return store.transact(async (tx) => {
    const seen = new Map<string, Promise<Viewer>>();
    const now = (viewer: Viewer): Promise<Viewer> => {
      const { account, clientId, proof, asked, address, links = [] } = viewer;
      const hashes = links.map(({ hash }) => hash);
      const who = JSON.stringify([account?.id ?? null, clientId, address, proof, asked, hashes]);
      const known = seen.get(who) ?? viewerNow(tx, viewer, clock.now());
      seen.set(who, known);
      return known;
    };
    const answers: (T | Refusal)[] = [];
    for (const job of jobs) {
      try {
        answers.push(await work(tx, await now(job.viewer), job));
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === "internal") throw error;
        answers.push(error);
      }
    }
    return answers;
  });
}

/**
 * One transaction for a viewer: `work` receives the viewer as read now, and checks the policy (R2g). Every use case of
 * the repository that writes for an account uses this function.
 */
export function writeAs<T>(
  { store, clock }: WritingNeeds,
  viewer: Viewer,
  work: (tx: RepositoryWriter, viewer: Viewer) => Promise<T>,
): Promise<T> {
  return store.transact(async (tx) => work(tx, await viewerNow(tx, viewer, clock.now())));
}

/** An account as it would sign in now; null for one that is disabled. */
export async function accountViewer(reader: Pick<RepositoryReader, "accounts">, id: AccountId): Promise<Viewer | null> {
  const identity = await reader.accounts.identity(id);
  if (identity === null || !identity.account.active) return null;
  return { ...identityRights(identity), scopes: null, clientId: "", address: "" };
}
