// What people let programs do in their name (R6b, R30): clients that registered, grants, and the codes and tokens of
// grants. The rules are in src/repository/authorization/.
import type { Identity } from "../../auth/accounts.ts";
import type { AccountId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

/**
 * A client that is kept here. `registered`: it registered itself (RFC 7591); `account`: the operator did, who knows
 * whose it is.
 */
export type OauthClient = {
  readonly id: string;
  readonly kind: "registered" | "account";
  readonly name: string;
  readonly uri: string | null;
  readonly redirectUris: readonly string[];
  readonly createdAt: Instant;
  /** When somebody last allowed it something. */
  readonly usedAt: Instant | null;
};

/** What an account allowed a client at a resource. One of the three lives at a time. */
export type Grant = {
  readonly id: string;
  readonly accountId: AccountId;
  readonly clientId: string;
  readonly clientName: string;
  /** Exact URL of what its tokens open (RFC 8707). */
  readonly resource: string;
  readonly scopes: readonly string[];
  /** The client whose token signed the person in: the grant ends with it (R6c). */
  readonly madeWith: string | null;
  readonly createdAt: Instant;
  /** When tokens were last had by it. */
  readonly lastUsedAt: Instant | null;
  readonly endedAt: Instant | null;
};

/** A code or token of a grant; only the SHA-256 (hex) of its random part is kept. */
export type GrantSecret = {
  readonly id: string;
  readonly grantId: string;
  readonly kind: "code" | "access" | "refresh";
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** When it was exchanged, or ended before its time. It never becomes usable again. */
  readonly usedAt: Instant | null;
  /** Of a code: what the request for it named; null where it named none. */
  readonly redirectUri: string | null;
  /** Of a code: the challenge of PKCE, S256. */
  readonly challenge: string | null;
};

/** A secret, its grant and everything about the account, read together. */
export type GrantedSecret = Identity & { readonly secret: GrantSecret; readonly grant: Grant };

export interface GrantReader {
  oauthClient(id: string): Promise<OauthClient | null>;
  /** Those of the operator, in the order they were made. */
  operatorClients(): Promise<readonly OauthClient[]>;
  grant(id: string): Promise<Grant | null>;
  /** Living ones, in the order they were made. */
  grantsOf(accountId: AccountId): Promise<readonly Grant[]>;
  /** Living ones of every account behind `after`, by id. */
  listGrants(after: string, limit: number): Promise<readonly Grant[]>;
  /** One question. */
  grantedSecret(id: string): Promise<GrantedSecret | null>;
}

export interface GrantWriter extends GrantReader {
  saveOauthClient(client: OauthClient): Promise<void>;
  /** Removes registered clients that nobody ever allowed anything: those from before, and the oldest beyond `most`. */
  forgetUnusedClients(before: Instant, most: number): Promise<void>;
  /** Removes registered clients without any grant that were last used before. */
  forgetIdleClients(before: Instant): Promise<void>;
  /** False where one of the same account, client and resource lives. */
  insertGrant(grant: Grant): Promise<boolean>;
  /** The living grant, kept as it is for others until the transaction ends. */
  livingGrant(of: Pick<Grant, "accountId" | "clientId" | "resource">): Promise<Grant | null>;
  /** The same by its id, living or not. */
  heldGrant(id: string): Promise<Grant | null>;
  /** Scopes, name and times of a living grant. */
  saveGrant(grant: Grant): Promise<void>;
  /** Living grants that sessions of this client's tokens made. */
  grantsMadeWith(clientId: string): Promise<readonly Grant[]>;
  grantSecret(id: string): Promise<GrantSecret | null>;
  insertGrantSecret(secret: GrantSecret): Promise<void>;
  /** False when it was used before. */
  useGrantSecret(id: string, at: Instant): Promise<boolean>;
  countGrantSecrets(grantId: string): Promise<number>;
  /** Removes secrets that ended before. */
  forgetGrantSecrets(before: Instant): Promise<void>;
  /** Living grants without a code or token that could still be used, at most `limit`. */
  lapsedGrants(at: Instant, limit: number): Promise<readonly Grant[]>;
  /** Removes grants that ended before, with their secrets. */
  forgetGrants(before: Instant): Promise<void>;
}
