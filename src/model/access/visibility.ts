// Who may read and change items, and who may see an index (R2d, R2e, R25; specification 2, "Authentication" 6), decided
// from facts alone: nothing here reads a database or a clock, and no scopes: the interfaces check those. Who
// changes indexes and who approves is decided in index-rights.ts and workflow-rules.ts.

import {
  administeredCommunities,
  curatedCommunities,
  isAdministrator,
  ROLES,
  type RoleId,
  type Viewer,
} from "../../auth/account.ts";
import type { AccountId, ParentId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { IndexNode, IndexOutline } from "../indexes/index-node.ts";
import {
  type Access,
  type FileGrant,
  type Grant,
  type ItemFile,
  type ItemState,
  PERMISSIONS,
  type Permission,
  type Review,
} from "../items/item.ts";

/** What of an index decides who browses it and who puts items into it. */
export type IndexGate = IndexOutline & Pick<IndexNode, "contributeRole" | "contributeGroup">;

/**
 * An index and its ancestors, nearest first. Empty: the index does not exist, and only administrators have access.
 */
export type Lineage = readonly IndexGate[];

/** The owners of an item, from its parent (R2a). */
export type Ownership = {
  /** The parent, which links name; absent: no link counts. */
  readonly id?: ParentId;
  readonly owner: AccountId;
  readonly shared: readonly AccountId[];
  readonly grants?: readonly Grant[];
  readonly communities: readonly string[];
  readonly fileGrants?: readonly FileGrant[];
  /** The reviewers of its draft; absent, null or over: nobody. */
  readonly review?: Pick<Review, "community" | "state"> | null;
};

/** The facts that decide who reads a record. */
export type RecordFacts = Ownership & {
  readonly state: ItemState;
  readonly access: Access;
  /** One for each index of the item; empty: it is in no index. */
  readonly lineages: readonly (readonly IndexOutline[])[];
};

type FileFacts = Pick<ItemFile, "access" | "accessDate" | "groups">;

function isSignedIn(viewer: Viewer): boolean {
  return viewer.account !== null;
}

function holdsOne<T>(list: readonly T[], own: readonly T[]): boolean {
  return own.some((each) => list.includes(each));
}

/** Role 4 of a community the item belongs to. */
function administersItem(viewer: Viewer, facts: Ownership): boolean {
  return administeredCommunities(viewer).some(({ communityId }) => facts.communities.includes(communityId));
}

function owns(viewer: Viewer, facts: Ownership): boolean {
  return viewer.account !== null && viewer.account.id === facts.owner;
}

/** Whether the record is shared with the viewer, by account, group or link, for this or more. */
function isGranted(viewer: Viewer, facts: Ownership, permission: Permission): boolean {
  if (isLinked(viewer, facts, permission)) return true;
  const { account, groups } = viewer;
  const { shared, grants = [] } = facts;
  if (account === null) return false;
  if (permission !== "manage" && shared.includes(account.id)) return true;
  return grants.some(
    (grant) =>
      includes(grant.permission, permission) &&
      (grant.subject === "user" ? grant.id === account.id : groups.includes(grant.id)),
  );
}

const includes = (granted: Permission, permission: Permission): boolean =>
  PERMISSIONS.indexOf(granted) >= PERMISSIONS.indexOf(permission);

/** What the maker of a link must be allowed to, for the link to give it. */
const OF_MAKER: Readonly<Record<Permission, (maker: Viewer, facts: Ownership) => boolean>> = {
  view: (maker, facts) => mayView(maker, facts),
  preview: (maker, facts) => mayPreview(maker, facts),
  edit: (maker, facts) => mayEdit(maker, facts),
  manage: (maker, facts) => mayShare(maker, facts),
};

/** Whether a link of the request gives this. To edit and to share, somebody must be signed in. */
function isLinked({ account, links = [] }: Viewer, facts: Ownership, permission: Permission): boolean {
  if (account === null && includes(permission, "edit")) return false;
  return links.some(
    (link) =>
      link.filesUntil === undefined &&
      link.parent === facts.id &&
      includes(link.permission, permission) &&
      OF_MAKER[permission](link.maker, facts),
  );
}

const isSharedWith = (viewer: Viewer, facts: Ownership): boolean => isGranted(viewer, facts, "edit");

/** Curators of a community read and edit what waits for its review, from the submission to the decision. */
function curates(viewer: Viewer, { communities, review = null }: Ownership): boolean {
  if (!isSignedIn(viewer)) return false;
  const own = curatedCommunities(viewer);
  return holdsOne(communities, own) || (review?.state === "submitted" && own.includes(review.community));
}

/**
 * Privileged for an item (R2d): administrators, its owner, users it is shared with, curators and managers of its
 * communities.
 */
export function isPrivileged(viewer: Viewer, facts: Ownership): boolean {
  return isAdministrator(viewer) || owns(viewer, facts) || isSharedWith(viewer, facts) || curates(viewer, facts);
}

/** Reads the published record and its files, whatever their access is. */
export const mayView = (viewer: Viewer, facts: Ownership): boolean =>
  isPrivileged(viewer, facts) || isGranted(viewer, facts, "view");

/** Reads the draft of a record. */
export const mayPreview = (viewer: Viewer, facts: Ownership): boolean =>
  isPrivileged(viewer, facts) || isGranted(viewer, facts, "preview");

/** Closed files alone, by an accepted request of the account or by the link that answers one. */
function opensFiles(viewer: Viewer, facts: Ownership, today: Day): boolean {
  const { account, links = [] } = viewer;
  const { fileGrants = [] } = facts;
  if (account !== null && fileGrants.some((grant) => grant.account === account.id && grant.endsOn >= today))
    return true;
  return links.some(
    ({ filesUntil, parent, maker }) =>
      filesUntil !== undefined && filesUntil >= today && parent === facts.id && mayView(maker, facts),
  );
}

/** Which files there are, and what is in them: for who reads the record. */
export const mayViewFiles = (viewer: Viewer, facts: Ownership, today: Day): boolean =>
  mayView(viewer, facts) || opensFiles(viewer, facts, today);

/**
 * The index and all its ancestors are public, their date is empty or reached, and each lists one of the viewer's roles
 * or groups. The lists are literal: a signed-in person is not a guest, and an empty list admits administrators only
 * (R2e).
 */
export function mayBrowseIndex(viewer: Viewer, lineage: readonly IndexOutline[], today: Day): boolean {
  return mayBrowse(lineage, viewer, today);
}

/** An embargo that has a day and has not reached it. On the day itself it is over. */
export function isEmbargoed(access: Access, today: Day): boolean {
  return access.embargoUntil !== null && access.embargoUntil > today;
}

/**
 * The access as it is on this day: an embargo that has ended made both facts public, also before the job wrote that
 * down (R2d).
 */
export function accessOn(access: Access, today: Day): Access {
  if (access.embargoUntil === null || isEmbargoed(access, today)) return access;
  return { ...access, record: "public", files: "public", embargoUntil: null, embargoReason: "" };
}

/**
 * Published, public, open, and in no index or in one that the viewer may browse; or the viewer is privileged (R2d).
 * Drafts and deleted items: nobody.
 */
export function mayReadRecord(viewer: Viewer, facts: RecordFacts, today: Day): boolean {
  if (facts.state !== "published") return false;
  if (mayView(viewer, facts)) return true;
  const { record, openDate } = accessOn(facts.access, today);
  if (record !== "public" || openDate > today) return false;
  return facts.lineages.length === 0 || facts.lineages.some((lineage) => mayBrowseIndex(viewer, lineage, today));
}

/** Whether a file's own access admits the viewer on this day. */
function fileAdmits(viewer: Viewer, file: FileFacts, today: Day): boolean {
  switch (file.access) {
    case "open":
      return true;
    case "date":
      return file.accessDate !== null && file.accessDate <= today;
    case "login":
      return isSignedIn(viewer) && (file.groups.length === 0 || holdsOne(file.groups, viewer.groups));
    case "closed":
      return false;
  }
}

/**
 * Who reads the record reads a file when files are public, no embargo runs and the file's own access allows; the
 * privileged always (R2d). What does not depend on the file is decided once, for any number of files.
 */
export function fileReading(viewer: Viewer, facts: RecordFacts, today: Day): (file: FileFacts) => boolean {
  if (!mayReadRecord(viewer, facts, today)) return () => false;
  if (mayViewFiles(viewer, facts, today)) return () => true;
  if (isEmbargoed(facts.access, today) || accessOn(facts.access, today).files !== "public") return () => false;
  return (file) => fileAdmits(viewer, file, today);
}

/**
 * Whether a reader of the record may know which files it has: of restricted files only the privileged know (R2h). An
 * embargo that has ended made them public.
 */
export const mayListFiles = (access: Access, privileged: boolean, today: Day): boolean =>
  privileged || accessOn(access, today).files === "public";

/** Rights of a row of R2e by role; a viewer with several roles has the rights of all of them. */
type Row = Readonly<Partial<Record<RoleId, boolean>>>;

function anyRole(viewer: Viewer, row: Row): boolean {
  return isAdministrator(viewer) || viewer.roles.some((role) => row[role] === true);
}

/**
 * What an index must allow for an item to be added; community administrators may always use their own (R2e, "POST
 * deposit").
 */
export function mayContribute(viewer: Viewer, lineage: Lineage): boolean {
  const [index] = lineage;
  const admitted =
    index !== undefined &&
    (holdsOne<number>(index.contributeRole, viewer.roles) || holdsOne(index.contributeGroup, viewer.groups));
  return anyRole(viewer, {
    [ROLES.communityAdministrator]: admitted || isOwn(lineage, viewer),
    [ROLES.registered]: admitted,
  });
}

/** R2e, "POST deposit", before any index is checked: accounts without a role and guests deposit nothing. */
export function mayDeposit(viewer: Viewer): boolean {
  return anyRole(viewer, { [ROLES.communityAdministrator]: true, [ROLES.registered]: true });
}

/** R2e, "PUT": any; items of own communities, own, shared; own, shared. */
export function mayUpdate(viewer: Viewer, facts: Ownership): boolean {
  const own = owns(viewer, facts) || isSharedWith(viewer, facts);
  return anyRole(viewer, {
    [ROLES.communityAdministrator]: own || administersItem(viewer, facts),
    [ROLES.registered]: own,
  });
}

/** R2e, "DELETE": any; items of own communities, own; own. Whom an item is shared with does not delete it (R15). */
export function mayDelete(viewer: Viewer, facts: Ownership): boolean {
  const own = owns(viewer, facts);
  return anyRole(viewer, {
    [ROLES.communityAdministrator]: own || administersItem(viewer, facts),
    [ROLES.registered]: own,
  });
}

/**
 * Owners, and those who administer or manage the item, choose with whom it is shared (R15, R37). A person without a
 * role owns drafts too.
 */
export function mayShare(viewer: Viewer, facts: Ownership): boolean {
  return mayDelete(viewer, facts) || owns(viewer, facts) || isGranted(viewer, facts, "manage");
}

/** R2e, "tools: read and edit a draft, publish, new version, files". */
export function mayEdit(viewer: Viewer, facts: Ownership): boolean {
  const all = owns(viewer, facts) || isSharedWith(viewer, facts) || curates(viewer, facts);
  return anyRole(viewer, {
    [ROLES.communityAdministrator]: all,
    [ROLES.registered]: all,
    [ROLES.general]: owns(viewer, facts),
  });
}

/** R2e, "tools: delete, restore a published record": administrators. */
export function mayRemove(viewer: Viewer): boolean {
  return isAdministrator(viewer);
}

/** The refusal for a viewer without a right: guests are asked to sign in. */
export function refusalFor(viewer: Viewer): "unauthenticated" | "forbidden" {
  return isSignedIn(viewer) ? "forbidden" : "unauthenticated";
}

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
