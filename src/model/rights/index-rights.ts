// Who may see an index and who may change it (R2d, R2e, R25; specification 2, "Authentication" 6). Decides by role,
// never by scope: the interfaces check that.

import { administeredCommunities, isAdministrator, ROLES, type Viewer } from "../../auth/account.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import { type IndexOutline, ROOT_INDEX } from "../indexes/index-node.ts";

/** The roots of the subtrees the viewer administers as administrator of a community. */
export function ownRoots(viewer: Viewer): ReadonlySet<number> {
  const roots = administeredCommunities(viewer).flatMap(({ rootIndex }) => (rootIndex === null ? [] : [rootIndex]));
  return new Set(roots);
}

/** Whether one index admits the viewer; its ancestors must admit them too. */
export function admitsBrowsing(
  index: Pick<IndexOutline, "publicState" | "publicDate" | "browsingRole" | "browsingGroup">,
  viewer: Pick<Viewer, "roles" | "groups">,
  today: Day,
): boolean {
  if (!index.publicState) return false;
  if (index.publicDate !== null && index.publicDate > today) return false;
  return (
    viewer.roles.some((role) => index.browsingRole.includes(role)) ||
    viewer.groups.some((group) => index.browsingGroup.includes(group))
  );
}

/** `lineage`: the index and all its ancestors. An empty one may not be browsed. */
export function mayBrowse(lineage: readonly IndexOutline[], viewer: Viewer, today: Day): boolean {
  if (lineage.length === 0) return false;
  if (isAdministrator(viewer) || isOwn(lineage, viewer)) return true;
  return lineage.every((index) => admitsBrowsing(index, viewer, today));
}

/** Whether an index lies inside a subtree of the viewer's communities. */
export function isOwn(lineage: readonly Pick<IndexOutline, "id">[], viewer: Viewer): boolean {
  const own = ownRoots(viewer);
  return own.size > 0 && lineage.some(({ id }) => own.has(id));
}

/** An index and its ancestors, nearest first, as far as their ids go. */
export type OwnLineage = readonly Pick<IndexOutline, "id">[];

/** Administrators of the repository or of a community. */
export function mayManageIndexes(viewer: Viewer): boolean {
  return isAdministrator(viewer) || viewer.roles.includes(ROLES.communityAdministrator);
}

/** Everybody else is refused before any lookup. */
export function requireTreeRole(viewer: Viewer): void {
  if (mayManageIndexes(viewer)) return;
  throw new Refusal("forbidden", "Permission denied: your role does not manage indexes");
}

export function mayWriteIndex(viewer: Viewer, lineage: OwnLineage): boolean {
  return isAdministrator(viewer) || (mayManageIndexes(viewer) && isOwn(lineage, viewer));
}

/** @throws Refusal `forbidden` unless the viewer may change this index. */
export function requireWrite(id: number, lineage: OwnLineage, viewer: Viewer): void {
  if (!mayWriteIndex(viewer, lineage)) throw deniedIndex(id);
}

/**
 * Whether the viewer may put an index below this one; empty is the root, where administrators of a community put none.
 */
export function mayPutBelow(viewer: Viewer, lineage: OwnLineage): boolean {
  return mayWriteIndex(viewer, lineage);
}

/**
 * @throws Refusal `forbidden` unless the viewer may put an index below this one, or take one from there: it never
 * leaves a community's subtree.
 */
export function requireParent(parent: number, lineage: OwnLineage, viewer: Viewer): void {
  if (mayPutBelow(viewer, lineage)) return;
  if (parent === ROOT_INDEX) {
    const text = "Permission denied: Community Administrators cannot access root index.";
    throw new Refusal("forbidden", text);
  }
  throw deniedIndex(parent);
}

/**
 * Roots of communities, the own one too, are for administrators of the repository to delete (R2e: "inside own
 * subtrees").
 */
export function mayDeleteIndex(viewer: Viewer, lineage: OwnLineage, roots: readonly number[]): boolean {
  if (isAdministrator(viewer)) return true;
  const [index] = lineage;
  const isRoot = index === undefined || ownRoots(viewer).has(index.id);
  return !isRoot && roots.length === 0 && mayWriteIndex(viewer, lineage);
}

export const deniedIndex = (id: number): Refusal =>
  new Refusal("forbidden", `Permission denied: Cannot access index ${id}.`);

/**
 * Whatever decides what a viewer's tree looks like, as one text: two viewers with the same one see the same tree (R24,
 * ETag).
 */
export function viewOf(viewer: Viewer, today: Day): string {
  if (isAdministrator(viewer)) return "all";
  const numbers = (list: Iterable<number>): string => [...new Set(list)].sort((a, b) => a - b).join();
  return `${numbers(viewer.roles)}/${numbers(viewer.groups)}/${numbers(ownRoots(viewer))}/${today}`;
}
