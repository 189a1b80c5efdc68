// Requests for closed files (Q.60), and the rights that answers give.
import type { AccountId, ItemId, ParentId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";

export const ACCESS_REQUEST_TYPES = ["user-access-request", "guest-access-request"] as const;
/** `created`: the guest has not confirmed the address. */
export const ACCESS_REQUEST_STATUSES = [
  "created",
  "submitted",
  "accepted",
  "declined",
  "cancelled",
  "expired",
] as const;
export type AccessRequestStatus = (typeof ACCESS_REQUEST_STATUSES)[number];
/** Why nobody had to decide: the files are open, the record is not there any more, or is closed to the person. */
export type EndedBecause = "" | "open" | "gone" | "hidden";

export type AccessRequest = {
  /** UUID. */
  readonly id: string;
  readonly type: (typeof ACCESS_REQUEST_TYPES)[number];
  readonly status: AccessRequestStatus;
  readonly parent: ParentId;
  readonly item: ItemId;
  /** That of the record when it was asked for. */
  readonly title: string;
  /** The purpose, as plain text. */
  readonly message: string;
  /** What the deciding person wrote, as plain text. */
  readonly answer: string;
  /** Null: a guest. */
  readonly account: AccountId | null;
  /** In its normal form; "" for an account. */
  readonly mail: string;
  readonly name: string;
  /** Of mails to a guest. */
  readonly language: string;
  /** Those who decide may see who asks. */
  readonly hasConsent: boolean;
  /** SHA-256 (hex) of the secret that confirms the address of a guest. */
  readonly hash: string | null;
  readonly decidedBy: AccountId | null;
  /** The last day of the right; null: there is none. */
  readonly endsOn: Day | null;
  readonly revokedAt: Instant | null;
  readonly endedBecause: EndedBecause;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Whose decision requests wait for: an account, and communities whose items it administers. */
export type AccessSight = {
  readonly account: AccountId;
  readonly communities: readonly string[];
};

/** How often people asked since a moment. */
type AccessRequestCounts = { readonly ofRecord: number; readonly ofPerson: number; readonly waiting: number };

export interface AccessRequestReader {
  accessRequest(id: string): Promise<AccessRequest | null>;
  accessRequestByHash(hash: string): Promise<AccessRequest | null>;
  /** Those of a record that guests confirmed, newest first. */
  accessRequestsOf(parent: ParentId, limit: number): Promise<readonly AccessRequest[]>;
  /** Those of an account, newest first. */
  accessRequestsBy(account: AccountId, limit: number): Promise<readonly AccessRequest[]>;
  /** Those that wait for somebody who may share their record; newest first. */
  accessRequestsFor(sight: AccessSight, limit: number): Promise<readonly AccessRequest[]>;
  countAccessRequestsFor(sight: AccessSight): Promise<number>;
  /** The owner, and accounts that may share the record as far as their roles allow it; in no order. */
  possibleDeciders(parent: ParentId, limit: number): Promise<readonly AccountId[]>;
  /** The community of a record, the default one first, that has somebody who administers its items. */
  decidingCommunity(parent: ParentId): Promise<string | null>;
  /** The newest of a person for a record that still gives a right, or waits. */
  liveAccessRequest(parent: ParentId, who: AccountId | string, today: Day): Promise<AccessRequest | null>;
  /** `waiting`: of the record, whenever they were made. */
  countAccessRequests(parent: ParentId, who: AccountId | string, since: Instant): Promise<AccessRequestCounts>;
  /** Those that wait, by id, after one. */
  openAccessRequests(after: string, limit: number): Promise<readonly AccessRequest[]>;
}

export interface AccessRequestWriter extends AccessRequestReader {
  /** Locked after its record. */
  lockAccessRequest(id: string): Promise<AccessRequest | null>;
  /** False where the person has an open request for the record. */
  insertAccessRequest(request: AccessRequest): Promise<boolean>;
  /** Everything but who asks for what. False where that would be a second open request. */
  saveAccessRequest(request: AccessRequest): Promise<boolean>;
  /** Of unconfirmed ones; false where it is not one any more. */
  setAccessRequestHash(id: string, hash: string): Promise<boolean>;
  /** Guests who did not confirm in time; returns how many. */
  forgetUnconfirmed(before: Instant, limit: number): Promise<number>;
  /**
   * Names, addresses and links of guests whose request or right ended before the moment or day; returns how many
   * requests.
   */
  forgetGuests(before: Instant, day: Day, limit: number): Promise<number>;
  saveAccessSettings(parent: ParentId, settings: string): Promise<void>;
}
