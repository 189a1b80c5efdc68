// Grants: opened when a person allows something, widened when more is allowed to the same client at the same resource,
// ended once and for good (R30).
import type { Account, Viewer } from "../../auth/account.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Random } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { Grant } from "../store/grants.ts";
import type { RepositoryWriter } from "../store/store.ts";
import type { ToolScope } from "../tools/tool.ts";
import type { AuthorizationAsk } from "./ask.ts";
import { expanded } from "./scopes.ts";

const GRANT_ID_LENGTH = 16;

type Consent = { readonly account: Account; readonly ask: AuthorizationAsk; readonly scopes: readonly ToolScope[] };

/**
 * The active grant of the account to the client at the resource; from now on it allows at least these scopes. A grant
 * made in
 * another sign-in ends first: a token signed in for neither outlives nor outranks it. What is left of a token that has
 * ended is not an obstacle (R6c).
 */
export async function openGrantIn(
  tx: RepositoryWriter,
  viewer: Viewer,
  { random, at }: { readonly random: Random; readonly at: Instant },
  { account, ask: { client, resource }, scopes }: Consent,
): Promise<Grant> {
  await noteUse(tx, client, at);
  const of = { accountId: account.id, clientId: client.id, resource };
  const madeWith = await originOf(tx, viewer, scopes);
  const there = await tx.grants.livingGrant(of);
  if (there?.madeWith === madeWith) return await widened(tx, viewer, at, { ...there, clientName: client.name }, scopes);
  if (there !== null) await endGrantIn(tx, viewer, at, there, "replaced");
  if ((await tx.grants.grantsOf(account.id)).length >= most("accountGrants")) {
    throw new Refusal("invalid", `You have allowed ${most("accountGrants")} programs something already: end one first`);
  }
  const grant: Grant = {
    ...of,
    id: `grant-${random.betanumerics(GRANT_ID_LENGTH)}`,
    clientName: client.name,
    scopes,
    madeWith,
    createdAt: at,
    lastUsedAt: null,
    endedAt: null,
  };
  if (!(await tx.grants.insertGrant(grant))) {
    // Somebody else of the same account was faster.
    const other = await tx.grants.livingGrant(of);
    if (other === null || other.madeWith !== madeWith)
      throw new Refusal("conflict", "What was allowed has ended meanwhile: ask again");
    return await widened(tx, viewer, at, other, scopes);
  }
  await audit(tx, viewer, at, grant, "grant-make", { client: client.id, kind: client.kind, resource, scopes });
  return grant;
}

async function noteUse(tx: RepositoryWriter, { id, kind }: AuthorizationAsk["client"], at: Instant): Promise<void> {
  if (kind === "document") return;
  const client = await tx.grants.oauthClient(id);
  if (client === null) throw new Refusal("invalid", `Client "${id.slice(0, 100)}" does not exist any more`);
  await tx.grants.saveOauthClient({ ...client, usedAt: at });
}

/** Adds the scopes that are newly allowed; existing tokens keep their scopes. */
async function widened(
  tx: RepositoryWriter,
  viewer: Viewer,
  at: Instant,
  grant: Grant,
  allowed: readonly ToolScope[],
): Promise<Grant> {
  const scopes = expanded([...grant.scopes, ...allowed]);
  const wider = { ...grant, scopes };
  await tx.grants.saveGrant(wider);
  await audit(tx, viewer, at, grant, "grant-widen", { client: grant.clientId, allowed, scopes });
  return wider;
}

/**
 * The client whose token signed the person in; null for a person who came by link or provider.
 *
 * @throws Refusal `invalid` where it may not do all of it (R6c)
 */
async function originOf(tx: RepositoryWriter, { proof }: Viewer, scopes: readonly ToolScope[]): Promise<string | null> {
  const clientId = proof?.kind === "session" ? ((await tx.accounts.session(proof.hash))?.clientId ?? null) : null;
  if (clientId === null) return null;
  const own = (await tx.accounts.client(clientId))?.scopes ?? [];
  const beyond = scopes.filter((scope) => !own.includes(scope));
  if (beyond.length === 0) return clientId;
  throw new Refusal("invalid", `The token that signed in lacks the scope ${beyond.join(" ")}`);
}

/**
 * Why a grant ended: its person, its client, the operator, another in its place, a code or token used twice, or that
 * nothing of it is left.
 */
type GrantEnd = "person" | "client" | "operator" | "replaced" | "reuse" | "lapsed";

/** Ends a living grant, which the transaction holds, and with it every code and token of it. */
export async function endGrantIn(
  tx: RepositoryWriter,
  viewer: Viewer,
  at: Instant,
  grant: Grant,
  by: GrantEnd,
): Promise<void> {
  await tx.grants.saveGrant({ ...grant, endedAt: at });
  await audit(tx, viewer, at, grant, "grant-end", { client: grant.clientId, account: grant.accountId, by });
}

export const audit = (
  tx: RepositoryWriter,
  viewer: Viewer,
  at: Instant,
  { id }: Grant,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> => tx.audit(viewer, at, [{ action, subject: `grant:${id}`, detail }]);
