// Who may do what in the repository (R2e, R2g, R16, R25): one table of actions. A use case that writes asks it inside
// its transaction, about the viewer and the facts at that time; an earlier check in an interface is a courtesy.

import { isAdministrator, type MemberRole, REPOSITORY_SCOPES, ROLES, type Viewer } from "../../auth/account.ts";
import type { AccountId, IndexId } from "../../shared/ids.ts";
import {
  type Lineage,
  mayContribute,
  mayDelete,
  mayDeposit,
  mayEdit,
  mayPreview,
  mayRemove,
  mayShare,
  mayUpdate,
  type Ownership,
} from "../access/visibility.ts";
import {
  type CommunityFacts,
  isSignedIn,
  mayChangeCommunity,
  mayIncludeDirectly,
  mayManageMembers,
  maySeeCommunity,
  maySubmitTo,
} from "./community-rights.ts";
import { mayDeleteIndex, mayManageIndexes, mayPutBelow, mayWriteIndex, type OwnLineage } from "./index-rights.ts";
import { mayActOn, mayChangeComment, maySeeRequest, type RequestAction, type RequestFacts } from "./request-rules.ts";
import { type ApprovalFacts, mayApprove, mayCancel, maySeeActivity } from "./workflow-rules.ts";

/** What each action is decided from, in addition to the viewer. Null: from the viewer alone. */
type ActionFacts = {
  "item.deposit": null;
  /** The viewer's own draft, in no index. */
  "item.draft": null;
  /** The index an item is put into, and its ancestors. */
  "item.file": Lineage;
  "item.update": Ownership;
  "item.edit": Ownership;
  /** To read its draft. */
  "item.preview": Ownership;
  "item.delete": Ownership;
  /** To remove an item, or an edit of it, while somebody else has unsaved work on it (R19). */
  "item.end-draft": null;
  /** Choosing with whom it is shared. */
  "item.share": Ownership;
  /** Offering it to another account. */
  "item.transfer": Ownership;
  "item.restore": null;
  "item.erase": null;
  "index.manage": null;
  /** The index that is to be the parent, and its ancestors; empty: the root. */
  "index.put-below": OwnLineage;
  "index.update": OwnLineage;
  /** `roots`: indexes among those that go which are the root of a community. */
  "index.delete": { readonly lineage: OwnLineage; readonly roots: readonly IndexId[] };
  "index.delete-items": null;
  "activity.see": ApprovalFacts;
  "activity.approve": ApprovalFacts;
  "activity.throw-out": ApprovalFacts;
  "activity.cancel": ApprovalFacts;
  "community.create": null;
  "community.see": CommunityFacts;
  "community.change": CommunityFacts;
  /** `roles`: those a member has, or is to have. */
  "community.manage-members": { readonly id: string; readonly roles: readonly MemberRole[] };
  "community.submit": CommunityFacts;
  "community.include": CommunityFacts;
  "request.see": RequestFacts;
  "request.act": RequestFacts & { readonly action: RequestAction };
  "request.change-comment": { readonly author: AccountId | null };
  "author.manage": null;
  /** Writing the static pages (Q.10). */
  "page.change": null;
  "settings.change": null;
};
type Action = keyof ActionFacts;

type Rule<A extends Action> = (viewer: Viewer, facts: ActionFacts[A]) => boolean;

const POLICY: { readonly [A in Action]: Rule<A> } = {
  "item.deposit": mayDeposit,
  "item.draft": (viewer) => viewer.account !== null,
  "item.file": (viewer, lineage) => isAdministrator(viewer) || mayContribute(viewer, lineage),
  "item.update": mayUpdate,
  "item.edit": mayEdit,
  "item.preview": (viewer, facts) => mayEdit(viewer, facts) || mayPreview(viewer, facts),
  "item.delete": mayDelete,
  "item.end-draft": isAdministrator,
  "item.share": mayShare,
  "item.transfer": (viewer, { owner }) => isAdministrator(viewer) || viewer.account?.id === owner,
  "item.restore": mayRemove,
  "item.erase": isAdministrator,
  "index.manage": mayManageIndexes,
  "index.put-below": mayPutBelow,
  "index.update": mayWriteIndex,
  "index.delete": (viewer, { lineage, roots }) => mayDeleteIndex(viewer, lineage, roots),
  "index.delete-items": isAdministrator,
  "activity.see": maySeeActivity,
  "activity.approve": mayApprove,
  "activity.throw-out": mayApprove,
  "activity.cancel": mayCancel,
  "community.create": (viewer) => isSignedIn(viewer) || isAdministrator(viewer),
  "community.see": maySeeCommunity,
  "community.change": mayChangeCommunity,
  "community.manage-members": mayManageMembers,
  "community.submit": maySubmitTo,
  "community.include": mayIncludeDirectly,
  "request.see": maySeeRequest,
  "request.act": mayActOn,
  "request.change-comment": mayChangeComment,
  "author.manage": (viewer) => isAdministrator(viewer) || viewer.roles.includes(ROLES.communityAdministrator),
  "page.change": (viewer) => isAdministrator(viewer) && carriesEverything(viewer),
  // No scope is for settings alone, so a restricted token does not reach them at all: with a token for reading, the
  // holder could otherwise make themselves an administrator (R6b).
  "settings.change": (viewer) => viewer.roles.includes(ROLES.systemAdministrator) && carriesEverything(viewer),
};

/** Whether the viewer may do this, by the facts at hand. */
export function may<A extends Action>(viewer: Viewer, action: A, facts: ActionFacts[A]): boolean {
  return POLICY[action](viewer, facts);
}

/** A session, or a token that was not narrowed. */
function carriesEverything({ scopes }: Viewer): boolean {
  return scopes === null || REPOSITORY_SCOPES.every((scope) => scopes.has(scope));
}
