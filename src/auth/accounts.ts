// Accounts, groups, communities, personal tokens, clients of the token endpoint, sessions (R6a, R6b, R33).
import type { AccountId } from "../shared/ids.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { Account, Membership } from "./account.ts";

export type AccountClient = {
  readonly clientId: string;
  readonly accountId: AccountId;
  /** `personal`: the hidden client of a personal token; `oauth`: a client of the token endpoint. */
  readonly kind: "personal" | "oauth";
  readonly name: string;
  readonly scopes: readonly string[];
  readonly active: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  /**
   * The client in whose session it was made: it ends with it (R6c). Null: made by a person who signed in, or on the
   * command line.
   */
  readonly madeWith: string | null;
};

/** One secret of a client; only the SHA-256 (hex) of its random part is kept. */
export type AccountSecret = {
  readonly id: string;
  readonly clientId: string;
  readonly hash: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
};

/** Everything that authentication needs of an account, read together. */
export type Identity = {
  readonly account: Account;
  readonly groups: readonly number[];
  readonly memberships: readonly Membership[];
};

/** A client and everything about its account, read together. */
export type OwnedClient = Identity & { readonly client: AccountClient };

/** A secret, its client and the account of both. */
export type FoundSecret = {
  readonly secret: AccountSecret;
  readonly client: AccountClient;
  readonly account: Account;
};

/** A client and what tells whether somebody could sign in with one of its secrets. */
export type ClientLife = {
  readonly client: AccountClient;
  readonly secrets: readonly Pick<AccountSecret, "expiresAt" | "revokedAt">[];
};

/** How somebody signed in. */
export type SessionWay = "token" | "link" | "oidc";

export type Session = {
  readonly hash: string;
  readonly accountId: AccountId;
  /** Null: unknown; such a session is not valid (R6c). */
  readonly way: SessionWay | null;
  /** The client whose token signed in: the session ends with it. Null for a person who came by link or provider. */
  readonly clientId: string | null;
  /** Of the token that its forms carry (`formTokenOf`): the token itself is kept nowhere. */
  readonly csrfHash: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** To a few minutes; null: not since it began. */
  readonly lastUsedAt: Instant | null;
  /** Browser and system as `agentWords` has them; null: unknown. */
  readonly agent: string | null;
};

/** A session, everything about its account, and the client whose token signed in, read together. */
export type OpenSession = Identity & {
  readonly session: Session;
  /** Null where none did, and where it is gone. */
  readonly signedInWith: ClientLife | null;
  /** The language that the account chose for its pages and mails; null: it chose none. */
  readonly language: string | null;
};

type LoginLink = { readonly hash: string; readonly accountId: AccountId; readonly expiresAt: Instant };
/** Its nonce and PKCE verifier are made from a secret that only the cookie of the browser holds. */
export type LoginAttempt = {
  readonly state: string;
  readonly returnTo: string;
  readonly expiresAt: Instant;
};
export type Group = { readonly id: number; readonly name: string; readonly members: readonly AccountId[] };

export interface AccountReader {
  account(id: AccountId): Promise<Account | null>;
  accounts(ids: readonly AccountId[]): Promise<readonly Account[]>;
  /** By e-mail, ignoring case. */
  accountByMail(mail: string): Promise<Account | null>;
  accountByEppn(eppn: string): Promise<Account | null>;
  /** Active ones with exactly this name, by id, at most `limit`. */
  accountsNamed(name: string, limit: number): Promise<readonly Account[]>;
  /** By id, ascending, at most `limit` after `after`. */
  listAccounts(after: AccountId, limit: number): Promise<readonly Account[]>;
  /** One question, as `ownedClient`, `clientLife`, `ownedSecret` and `openSession` are. */
  identity(accountId: AccountId): Promise<Identity | null>;
  client(clientId: string): Promise<AccountClient | null>;
  ownedClient(clientId: string): Promise<OwnedClient | null>;
  clientLife(clientId: string): Promise<ClientLife | null>;
  clientsOf(accountId: AccountId): Promise<readonly AccountClient[]>;
  secret(id: string): Promise<FoundSecret | null>;
  /** With everything about the account. */
  ownedSecret(id: string): Promise<(FoundSecret & OwnedClient) | null>;
  secretsOf(clientId: string): Promise<readonly AccountSecret[]>;
  session(hash: string): Promise<Session | null>;
  openSession(hash: string): Promise<OpenSession | null>;
  groups(): Promise<readonly Group[]>;
  hasGroup(id: number): Promise<boolean>;
}

export interface AccountWriter extends AccountReader {
  /**
   * Keeps the account, and the client or grant whose token signed in, as they are until the transaction ends: nobody
   * disables them meanwhile.
   */
  hold(
    accountId: AccountId,
    signedInWith: { readonly clientId: string } | { readonly session: string } | { readonly grantToken: string } | null,
  ): Promise<void>;
  /** Inserts (id 0) or replaces; returns the id. Null when mail or ePPN belongs to another account. */
  saveAccount(account: Account): Promise<AccountId | null>;
  saveClient(client: AccountClient): Promise<void>;
  insertSecret(secret: AccountSecret): Promise<void>;
  revokeSecret(id: string, at: Instant): Promise<void>;
  insertLoginLink(link: LoginLink, at: Instant): Promise<void>;
  /** The account of a link that may be used now, which is then used up; null otherwise. */
  useLoginLink(hash: string, at: Instant): Promise<AccountId | null>;
  insertSession(session: Session): Promise<void>;
  deleteSession(hash: string): Promise<void>;
  deleteSessionsOf(accountId: AccountId): Promise<void>;
  /** Sessions that tokens of this client signed in. */
  deleteSessionsWith(clientId: string): Promise<void>;
  /** Removes links, sessions and login attempts that ended before `at`. */
  forgetEnded(at: Instant): Promise<void>;
  insertLoginAttempt(attempt: LoginAttempt): Promise<void>;
  /** Returns and removes it; null when there is none or it has expired. */
  takeLoginAttempt(state: string, at: Instant): Promise<LoginAttempt | null>;
  /** Null when the name is taken. */
  insertGroup(name: string, at: Instant): Promise<number | null>;
  /** False when another group has the name. */
  renameGroup(id: number, name: string): Promise<boolean>;
  setGroupMembers(groupId: number, accountIds: readonly AccountId[]): Promise<void>;
}

/** The client behind the text of a secret of this kind, or why there is none (for the log; callers see one answer). */
export type AccountSecretLookup = (
  text: string,
  kind: AccountClient["kind"],
) => Promise<FoundSecret | { readonly cause: string }>;
