// What people decide about their own account (R33): its ORCID iD and how it was obtained, its sessions, whether it was
// closed; and the links by which people register.
import type { AccountId } from "../shared/ids.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { RoleId } from "./account.ts";
import type { Session } from "./accounts.ts";

/** `provider`: ORCID itself stated it when the person signed in there. `typed`: only its check character is known. */
export type OrcidSource = "typed" | "provider";

export type AccountProfile = {
  readonly accountId: AccountId;
  /** Four groups with hyphens. */
  readonly orcid: string | null;
  readonly orcidSource: OrcidSource | null;
  readonly orcidAt: Instant | null;
  /** Null: it was not closed. */
  readonly closedAt: Instant | null;
};

/** The profile of an account that has decided nothing. */
export const emptyProfile = (accountId: AccountId): AccountProfile => ({
  accountId,
  orcid: null,
  orcidSource: null,
  orcidAt: null,
  closedAt: null,
});

/** A link by which somebody makes an account. Its secret is made when the mail is written, and only its hash is kept. */
export type Registration = {
  readonly id: number;
  readonly kind: "registration" | "invitation";
  /** In its normal form. */
  readonly mail: string;
  readonly name: string;
  readonly language: string | null;
  readonly roles: readonly RoleId[];
  /** The administrator who invited; null: the person asked, or the command line did. */
  readonly invitedBy: AccountId | null;
  readonly hash: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly usedAt: Instant | null;
};

export interface ProfileReader {
  profile(accountId: AccountId): Promise<AccountProfile | null>;
  /** The account whose ORCID iD a provider stated. */
  accountOfOrcid(orcid: string): Promise<AccountId | null>;
  /** Sessions of the account that have not ended, newest first. */
  sessionsOf(accountId: AccountId, at: Instant, limit: number): Promise<readonly Session[]>;
  registration(id: number): Promise<Registration | null>;
  registrationByHash(hash: string): Promise<Registration | null>;
  /** Links that were asked for with this address since. */
  countRegistrations(mail: string, since: Instant): Promise<number>;
}

export interface ProfileWriter extends ProfileReader {
  /** False when another account has the ORCID iD from the provider. */
  saveProfile(profile: AccountProfile): Promise<boolean>;
  touchSession(hash: string, at: Instant): Promise<void>;
  insertRegistration(registration: Omit<Registration, "id" | "hash" | "usedAt">): Promise<number>;
  /** Gives the link its secret. False when it was used, or has ended. */
  setRegistrationHash(id: number, hash: string, at: Instant): Promise<boolean>;
  /** The registration of a link that may be used now, which is then used up; null otherwise. */
  useRegistration(hash: string, at: Instant): Promise<Registration | null>;
  /** Removes links that ended before. */
  forgetRegistrations(before: Instant): Promise<void>;
  forgetRegistrationsOf(mail: string): Promise<void>;
}
