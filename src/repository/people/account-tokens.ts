// Personal tokens and clients of the token endpoint that belong to accounts (R6b): made, revoked, looked up.

import { type MadeSecret, secretMaker } from "../../ark/credentials.ts";
import { REPOSITORY_SCOPES, type Viewer } from "../../auth/account.ts";
import type { AccountClient, AccountReader, AccountSecretLookup, FoundSecret } from "../../auth/accounts.ts";
import { ended, parseSecret } from "../../auth/credential-text.ts";
import { matchesHash } from "../../shared/hash/digests.ts";
import type { AccountId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { CHAIN_MAX, type ClientReader, clientProblem, refuseToken } from "./current-viewer.ts";

/** Longest name of a token or client, in characters. */
export const TOKEN_NAME_MAX = 200;
/** Tokens and clients of one account that may be active at once. */
const ACCOUNT_CLIENTS_MAX = 1_000;
const CLIENT_ID_LENGTH = 16;

type AccountTokensNeeds = {
  readonly clock: Clock;
  readonly random: Random;
};

export type NewClientIn = {
  readonly accountId: AccountId;
  readonly kind: AccountClient["kind"];
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant | null;
  /** The client in whose session it is made; absent where a person or the command line makes it. */
  readonly madeWith?: string | null;
};

/** `text` is shown once and kept nowhere. */
export type NewClient = { readonly client: AccountClient; readonly text: string };

type LookupNeeds = { readonly accounts: ClientReader; readonly clock: Clock };

/**
 * What `read` finds behind the text of a secret of this kind, or why there is none (for the log; callers see one
 * answer).
 */
export const secretLookup =
  <Found extends FoundSecret>(read: (id: string) => Promise<Found | null>, { accounts, clock }: LookupNeeds) =>
  async (text: string, kind: AccountClient["kind"]): Promise<Found | { readonly cause: string }> => {
    const secret = parseSecret(text);
    if (secret === null) return { cause: "malformed" };
    const found = await read(secret.id);
    const matches = matchesHash(secret.random, found?.secret.hash);
    if (found === null) return { cause: "unknown_secret" };
    if (!matches) return { cause: "wrong_secret" };
    const now = clock.now();
    if (ended(found.secret.revokedAt, now)) return { cause: "revoked_secret" };
    if (ended(found.secret.expiresAt, now)) return { cause: "expired_secret" };
    if (found.client.kind !== kind) return { cause: "wrong_kind" };
    const problem = await clientProblem(accounts, found.client, now);
    if (problem !== null) return { cause: problem };
    return found.account.active ? found : { cause: "disabled_account" };
  };

/** What the token endpoint of either role looks clients up by. */
export const accountSecretLookup = (
  needs: LookupNeeds & { readonly accounts: Pick<AccountReader, "secret"> },
): AccountSecretLookup => secretLookup((id) => needs.accounts.secret(id), needs);

export interface AccountTokens {
  make(tx: RepositoryWriter, viewer: Viewer, input: NewClientIn): Promise<NewClient>;
  /**
   * Ends a client, its secrets and sessions, and what was made or allowed in those (R6c).
   *
   * @throws Refusal `not_found`
   */
  revoke(tx: RepositoryWriter, viewer: Viewer, clientId: string): Promise<AccountClient>;
}

export const accountTokens = ({ clock, random }: AccountTokensNeeds): AccountTokens => {
  const maker = secretMaker({ random });

  async function make(tx: RepositoryWriter, viewer: Viewer, input: NewClientIn): Promise<NewClient> {
    requireSensible(input);
    const account = await tx.accounts.account(input.accountId);
    if (account === null) throw new Refusal("not_found", `Account ${input.accountId} does not exist`);
    const clients = await tx.accounts.clientsOf(account.id);
    if (clients.filter(({ active }) => active).length >= ACCOUNT_CLIENTS_MAX) {
      throw new Refusal("invalid", `The account has ${ACCOUNT_CLIENTS_MAX} tokens and clients already`);
    }
    const at = clock.now();
    const origin = await originOf(tx, input, at);
    const expiresAt = origin === null ? input.expiresAt : within(origin, input);
    const made: MadeSecret = await maker.make();
    const client: AccountClient = {
      clientId: `${input.kind}-${random.betanumerics(CLIENT_ID_LENGTH)}`,
      accountId: account.id,
      kind: input.kind,
      name: input.name.trim(),
      scopes: REPOSITORY_SCOPES.filter((scope) => input.scopes.includes(scope)),
      active: true,
      createdAt: at,
      expiresAt,
      madeWith: origin?.clientId ?? null,
    };
    await tx.accounts.saveClient(client);
    await tx.accounts.insertSecret({
      id: made.id,
      clientId: client.clientId,
      hash: made.hash,
      createdAt: at,
      expiresAt,
      revokedAt: null,
    });
    await tx.audit(viewer, at, [
      {
        action: "token-make",
        subject: `client:${client.clientId}`,
        detail: {
          kind: client.kind,
          account: account.id,
          name: client.name,
          scopes: client.scopes,
          ...(origin === null ? {} : { made_with: origin.clientId }),
        },
      },
    ]);
    return { client, text: made.text };
  }

  async function revoke(tx: RepositoryWriter, viewer: Viewer, clientId: string): Promise<AccountClient> {
    const client = await tx.accounts.client(clientId);
    if (client === null) throw new Refusal("not_found", `Token or client "${clientId}" does not exist`);
    const at = clock.now();
    const all = await tx.accounts.clientsOf(client.accountId);
    const ending = [client];
    for (const each of ending) {
      const { clientId: id } = each;
      for (const secret of await tx.accounts.secretsOf(id)) await tx.accounts.revokeSecret(secret.id, at);
      await tx.accounts.deleteSessionsWith(id);
      await tx.accounts.saveClient({ ...each, active: false });
      for (const grant of await tx.grants.grantsMadeWith(id)) {
        await tx.grants.saveGrant({ ...grant, endedAt: at });
        const detail = { client: grant.clientId, account: grant.accountId, by: "origin" };
        await tx.audit(viewer, at, [{ action: "grant-end", subject: `grant:${grant.id}`, detail }]);
      }
      const detail = each === client ? {} : { with: clientId };
      await tx.audit(viewer, at, [{ action: "token-revoke", subject: `client:${id}`, detail }]);
      ending.push(...all.filter(({ madeWith, active }) => madeWith === id && active));
    }
    return { ...client, active: false };
  }

  return { make, revoke };
};

/**
 * The living client in whose session a new one is made; null where none is.
 *
 * @throws Refusal `invalid` for one that may make no more
 */
async function originOf(tx: RepositoryWriter, { madeWith }: NewClientIn, at: Instant): Promise<AccountClient | null> {
  if (madeWith === undefined || madeWith === null) return null;
  const origin = await tx.accounts.client(madeWith);
  if (origin === null || (await clientProblem(tx.accounts, origin, at)) !== null) return refuseToken();
  let links = 1;
  for (let above = origin.madeWith; above !== null; links += 1)
    above = (await tx.accounts.client(above))?.madeWith ?? null;
  if (links < CHAIN_MAX) return origin;
  throw new Refusal(
    "invalid",
    `The token that signed in is the last of a chain of ${CHAIN_MAX}: sign in by a link or at your organisation to make one more`,
  );
}

/**
 * When a token ends that is made in the session of another: no later than that one, and it may no more (R6c).
 *
 * @throws Refusal `invalid`
 */
function within(origin: AccountClient, { scopes, expiresAt }: NewClientIn): Instant | null {
  const beyond = scopes.filter((scope) => !origin.scopes.includes(scope));
  if (beyond.length > 0) {
    throw new Refusal("invalid", `The token that signed in lacks the scope ${beyond.join(" ")}`);
  }
  const { expiresAt: end } = origin;
  if (end === null || expiresAt === null || expiresAt <= end) return expiresAt ?? end;
  throw new Refusal("invalid", `The token that signed in ends at ${end}: one made with it ends no later`);
}

function requireSensible({ name, scopes }: NewClientIn): void {
  if (name.trim() === "" || name.length > TOKEN_NAME_MAX) {
    throw new Refusal("invalid", `A token needs a name of 1 to ${TOKEN_NAME_MAX} characters`);
  }
  const known: readonly string[] = REPOSITORY_SCOPES;
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length > 0) {
    throw new Refusal("invalid", `Unknown scope "${unknown.join(" ")}"; there are ${known.join(" ")}`);
  }
  if (scopes.length === 0) throw new Refusal("invalid", `Name at least one scope of ${known.join(" ")}`);
}
