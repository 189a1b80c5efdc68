// Requests by which records come into communities and people become members (specification 3, "States and transitions";
// reference 1.4): how they proceed, what is done with them, and who does it. Pure.
import { isAdministrator, type MemberRole, type Viewer } from "../../auth/account.ts";
import type { AccountId } from "../../shared/ids.ts";
import { mayManageMembers, mayReviewFor } from "./community-rights.ts";
import { isHeldByAnother } from "./task-rules.ts";

/**
 * A draft that waits for a community; a published record to be included in one; a person invited to one; a person who
 * asks to join one.
 */
export const REQUEST_TYPES = [
  "community-submission",
  "community-inclusion",
  "community-invitation",
  "community-membership-request",
] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

/** About members of the community, not about records. */
export const isAboutMembers = (type: RequestType): boolean =>
  type === "community-invitation" || type === "community-membership-request";

/** Those that lists know. A request that was not yet submitted is its creator's alone. */
export const REQUEST_STATUSES = ["submitted", "expired", "accepted", "declined", "cancelled"] as const;
export type RequestStatus = "created" | (typeof REQUEST_STATUSES)[number];

export const REQUEST_ACTIONS = ["submit", "accept", "decline", "cancel", "expire"] as const;
export type RequestAction = (typeof REQUEST_ACTIONS)[number];

/** Each action, with the one status in which it is allowed. Its result is final, except for the submission. */
export const TRANSITIONS: Readonly<
  Record<RequestAction, { readonly from: RequestStatus; readonly to: RequestStatus }>
> = {
  submit: { from: "created", to: "submitted" },
  accept: { from: "submitted", to: "accepted" },
  decline: { from: "submitted", to: "declined" },
  cancel: { from: "submitted", to: "cancelled" },
  expire: { from: "submitted", to: "expired" },
};

export const isOpen = (status: RequestStatus): boolean => status === "submitted";
export const isClosed = (status: RequestStatus): boolean => status !== "submitted" && status !== "created";

/** What rights depend on. */
export type RequestFacts = {
  readonly type: RequestType;
  readonly status: RequestStatus;
  /** The person who created it. */
  readonly creator: AccountId;
  /** Whose community it is about. */
  readonly community: string;
  /** The invited person; null: nobody. */
  readonly receiver: AccountId | null;
  /** What a person is to become in the community; null: it is about a record. */
  readonly role: MemberRole | null;
  /** Who took it, to decide about it; null: nobody. */
  readonly holder: AccountId | null;
  /** With whom the record is shared, and who owns it. */
  readonly topic: readonly number[];
};

const isCreator = (viewer: Viewer, { creator }: RequestFacts): boolean => viewer.account?.id === creator;
const isInvited = (viewer: Viewer, { receiver }: RequestFacts): boolean =>
  receiver !== null && viewer.account?.id === receiver;

/** Who answers for the community: its curators about records, its managers about members. */
function answersFor(viewer: Viewer, { type, community }: RequestFacts): boolean {
  if (isAboutMembers(type)) return mayManageMembers(viewer, { id: community, roles: [] });
  return mayReviewFor(viewer, community);
}

/** The creator, the invited person, those who share the record, administrators; before submission the creator alone. */
export function maySeeRequest(viewer: Viewer, facts: RequestFacts): boolean {
  const { account } = viewer;
  if (isAdministrator(viewer) || isCreator(viewer, facts)) return true;
  if (account === null || facts.status === "created") return false;
  return isInvited(viewer, facts) || answersFor(viewer, facts) || facts.topic.includes(account.id);
}

/** Who could give the role themselves lets a person join with it. */
function mayAccept(viewer: Viewer, facts: RequestFacts): boolean {
  const { type, community, role } = facts;
  if (type === "community-invitation") return isInvited(viewer, facts);
  if (type === "community-membership-request") {
    return role !== null && mayManageMembers(viewer, { id: community, roles: [role] });
  }
  return answersFor(viewer, facts);
}

const RULES: Readonly<Record<RequestAction, (viewer: Viewer, facts: RequestFacts) => boolean>> = {
  submit: isCreator,
  accept: mayAccept,
  decline: (viewer, facts) =>
    facts.type === "community-invitation" ? isInvited(viewer, facts) : answersFor(viewer, facts),
  cancel: (viewer, facts) => isCreator(viewer, facts) || answersFor(viewer, facts),
  expire: answersFor,
};

export function mayActOn(viewer: Viewer, facts: RequestFacts & { readonly action: RequestAction }): boolean {
  const decides = facts.action === "accept" || facts.action === "decline";
  return RULES[facts.action](viewer, facts) && !(decides && isHeldByAnother(viewer, facts.holder));
}

/** Its author, and administrators. */
export function mayChangeComment(viewer: Viewer, { author }: { readonly author: AccountId | null }): boolean {
  return isAdministrator(viewer) || (author !== null && viewer.account?.id === author);
}
