// Who sees, changes and fills a community (R2e, R6a, R37), decided from facts alone.
import { isAdministrator, type MemberRole, type Viewer } from "../../auth/account.ts";

/** What of a community decides about rights. */
export type CommunityFacts = {
  readonly id: string;
  readonly visibility: "public" | "restricted";
  readonly submissionPolicy: "open" | "closed";
  readonly reviewPolicy: "closed" | "open" | "members";
};

export const isSignedIn = (viewer: Viewer): boolean => viewer.account !== null;

/** The viewer's own role in a community; null: they are not a member. */
export function roleIn(viewer: Viewer, communityId: string): MemberRole | null {
  return viewer.memberships.find((membership) => membership.communityId === communityId)?.role ?? null;
}

/** Restricted communities are visible to their members only. */
export function maySeeCommunity(viewer: Viewer, { id, visibility }: CommunityFacts): boolean {
  return visibility === "public" || isAdministrator(viewer) || roleIn(viewer, id) !== null;
}

export function mayChangeCommunity(viewer: Viewer, { id }: CommunityFacts): boolean {
  return isAdministrator(viewer) || roleIn(viewer, id) === "owner";
}

/** Owners any role, managers all but owners. `roles`: those a member has, or is to have. */
export function mayManageMembers(viewer: Viewer, { id, roles }: { id: string; roles: readonly MemberRole[] }): boolean {
  if (isAdministrator(viewer)) return true;
  const own = roleIn(viewer, id);
  return own === "owner" || (own === "manager" && !roles.includes("owner"));
}

/** Decides about what is submitted to it. */
export function mayReviewFor(viewer: Viewer, communityId: string): boolean {
  const own = roleIn(viewer, communityId);
  return isAdministrator(viewer) || (own !== null && own !== "reader");
}

/** Members where the policy requires it or the community is restricted, else everybody who is signed in. */
export function maySubmitTo(viewer: Viewer, { id, visibility, submissionPolicy }: CommunityFacts): boolean {
  if (!isSignedIn(viewer)) return false;
  if (isAdministrator(viewer) || roleIn(viewer, id) !== null) return true;
  return visibility === "public" && submissionPolicy === "open";
}

/**
 * Who may include records without a review: everybody who may submit where the policy is open, members where it is
 * theirs, nobody where everything is reviewed.
 */
export function mayIncludeDirectly(viewer: Viewer, community: CommunityFacts): boolean {
  if (!maySubmitTo(viewer, community)) return false;
  if (community.reviewPolicy === "open") return true;
  return community.reviewPolicy === "members" && roleIn(viewer, community.id) !== null;
}
