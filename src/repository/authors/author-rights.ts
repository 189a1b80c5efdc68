// What an administrator of a community may do with authors (specification 2, "Common validation on create and update" 6
// and 7; R21a).
import { administeredCommunities, isAdministrator, type Viewer } from "../../auth/account.ts";
import { may } from "../../model/rights/policy.ts";
import { Refusal } from "../../shared/refusal.ts";
import { invalidAt } from "./author-body.ts";

/** A community by the two names it has. */
export type CommunityName = { readonly id: string; readonly slug: string };

/** @throws Refusal `forbidden` for a role that has nothing to do with authors */
export function requireAuthorRole(viewer: Viewer): void {
  if (may(viewer, "author.manage", null)) return;
  throw new Refusal(
    "forbidden",
    "Permission denied: only administrators of the repository or of a community may do this",
  );
}

/** Ids of the communities whose authors the viewer manages; null: all of them. */
export function managedBy(viewer: Viewer): ReadonlySet<string> | null {
  if (isAdministrator(viewer)) return null;
  return new Set(administeredCommunities(viewer).map(({ communityId }) => communityId));
}

/**
 * The communities an author will have. `before`: the present ones, empty for a new author.
 *
 * @throws Refusal `forbidden` where a community that is not the viewer's is added or left out, `invalid` where none of
 * the viewer's is named
 */
export function requireCommunities(
  viewer: Viewer,
  named: readonly CommunityName[],
  before: readonly CommunityName[],
): void {
  const managed = managedBy(viewer);
  if (managed === null) return;
  const [had, has] = [before, named].map((all) => new Set(all.map(({ id }) => id)));
  const foreign = [...named.filter(({ id }) => !had?.has(id)), ...before.filter(({ id }) => !has?.has(id))].filter(
    ({ id }) => !managed.has(id),
  );
  if (foreign.length > 0) {
    const slugs = foreign.map(({ slug }) => slug).join(", ");
    throw new Refusal("forbidden", `You do not have permission for this Author ID's communities: ${slugs}.`);
  }
  if (named.some(({ id }) => managed.has(id))) return;
  throw invalidAt("author.communityIds", "You must include at least one managed community.");
}

/** @throws Refusal `forbidden` unless the author belongs to a community of the viewer */
export function requireManaged(viewer: Viewer, communities: readonly CommunityName[]): void {
  const managed = managedBy(viewer);
  if (managed === null || communities.some(({ id }) => managed.has(id))) return;
  throw new Refusal("forbidden", "You cannot manage this record.");
}
