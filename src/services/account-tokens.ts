// Personal tokens and clients of the token endpoint that belong to accounts (R6b): made, revoked, looked up.
import type { Instant } from "../domain/ark/record.ts";
import { ended, parseSecret } from "../domain/auth/secret.ts";
import { REPOSITORY_SCOPES, type Viewer } from "../domain/repository/account.ts";
import { RepositoryRefusal } from "../domain/repository/refusal.ts";
import { sameHash, secretHash } from "../formats/secret-hash.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { AccountClient, AccountReader } from "../ports/repository/accounts.ts";
import type { RepositoryStore, RepositoryWriter } from "../ports/repository/store.ts";
import { type MadeSecret, secretMaker } from "./credentials.ts";

/** Longest name of a token or client, in characters. */
export const TOKEN_NAME_MAX = 200;
/** Tokens and clients of one account that may be active at once. */
export const ACCOUNT_CLIENTS_MAX = 1_000;
const CLIENT_ID_LENGTH = 16;

export type AccountTokensNeeds = {
  readonly store: Pick<RepositoryStore, "accounts" | "transact">;
  readonly clock: Clock;
  readonly random: Random;
};

export type NewClientIn = {
  readonly accountId: number;
  readonly kind: AccountClient["kind"];
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant | null;
};

/** `text` is shown once and kept nowhere. */
export type NewClient = { readonly client: AccountClient; readonly text: string };

/** Compared against where a secret is unknown, so that this takes as long as where it is known. */
const NO_HASH = "0".repeat(64);

/** The client behind the text of a secret of this kind, or why there is none (for the log; callers see one answer). */
export const accountSecretLookup =
  ({ accounts, clock }: { readonly accounts: Pick<AccountReader, "secret" | "account">; readonly clock: Clock }) =>
  async (text: string, kind: AccountClient["kind"]): Promise<AccountClient | { readonly cause: string }> => {
    const secret = parseSecret(text);
    if (secret === null) return { cause: "malformed" };
    const [found, hash] = await Promise.all([accounts.secret(secret.id), secretHash(secret.random)]);
    const matches = sameHash(found?.secret.hash ?? NO_HASH, hash);
    if (found === null) return { cause: "unknown_secret" };
    if (!matches) return { cause: "wrong_secret" };
    const now = clock.now();
    if (ended(found.secret.revokedAt, now)) return { cause: "revoked_secret" };
    if (ended(found.secret.expiresAt, now) || ended(found.client.expiresAt, now)) return { cause: "expired_secret" };
    if (found.client.kind !== kind) return { cause: "wrong_kind" };
    if (!found.client.active) return { cause: "disabled_client" };
    const account = await accounts.account(found.client.accountId);
    return account?.active === true ? found.client : { cause: "disabled_account" };
  };

export type AccountTokens = ReturnType<typeof accountTokens>;

export const accountTokens = ({ store, clock, random }: AccountTokensNeeds) => {
  const maker = secretMaker({ random });

  async function makeIn(tx: RepositoryWriter, viewer: Viewer, input: NewClientIn): Promise<NewClient> {
    requireSensible(input);
    const account = await tx.accounts.account(input.accountId);
    if (account === null) throw new RepositoryRefusal("not_found", `There is no account ${input.accountId}`);
    const clients = await tx.accounts.clientsOf(account.id);
    if (clients.filter(({ active }) => active).length >= ACCOUNT_CLIENTS_MAX) {
      throw new RepositoryRefusal("invalid", `The account has ${ACCOUNT_CLIENTS_MAX} tokens and clients already`);
    }
    const made: MadeSecret = await maker.make();
    const at = clock.now();
    const client: AccountClient = {
      clientId: `${input.kind}-${random.betanumerics(CLIENT_ID_LENGTH)}`,
      accountId: account.id,
      kind: input.kind,
      name: input.name.trim(),
      scopes: REPOSITORY_SCOPES.filter((scope) => input.scopes.includes(scope)),
      active: true,
      createdAt: at,
      expiresAt: input.expiresAt,
    };
    await tx.accounts.saveClient(client);
    await tx.accounts.insertSecret({
      id: made.id,
      clientId: client.clientId,
      hash: made.hash,
      createdAt: at,
      expiresAt: input.expiresAt,
      revokedAt: null,
    });
    await tx.audit(viewer, at, [
      {
        action: "token-make",
        subject: `client:${client.clientId}`,
        detail: { kind: client.kind, account: account.id, name: client.name, scopes: client.scopes },
      },
    ]);
    return { client, text: made.text };
  }

  return {
    makeIn,

    make(viewer: Viewer, input: NewClientIn): Promise<NewClient> {
      return store.transact((tx) => makeIn(tx, viewer, input));
    },

    /** Ends a client and all its secrets at once. Throws not_found. */
    async revoke(viewer: Viewer, clientId: string): Promise<AccountClient> {
      return await store.transact(async (tx) => {
        const client = await tx.accounts.client(clientId);
        if (client === null) throw new RepositoryRefusal("not_found", `There is no token or client "${clientId}"`);
        const at = clock.now();
        for (const secret of await tx.accounts.secretsOf(clientId)) await tx.accounts.revokeSecret(secret.id, at);
        const revoked = { ...client, active: false };
        await tx.accounts.saveClient(revoked);
        await tx.audit(viewer, at, [{ action: "token-revoke", subject: `client:${clientId}`, detail: {} }]);
        return revoked;
      });
    },
  };
};

function requireSensible({ name, scopes }: NewClientIn): void {
  if (name.trim() === "" || name.length > TOKEN_NAME_MAX) {
    throw new RepositoryRefusal("invalid", `A token needs a name of 1 to ${TOKEN_NAME_MAX} characters`);
  }
  const known: readonly string[] = REPOSITORY_SCOPES;
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length > 0) {
    throw new RepositoryRefusal("invalid", `Unknown scope "${unknown.join(" ")}"; there are ${known.join(" ")}`);
  }
  if (scopes.length === 0) throw new RepositoryRefusal("invalid", `Name at least one scope of ${known.join(" ")}`);
}
