// How a workflow advances and who may move it (R16, the row "approve" of R2e; specification 2, "States and
// transitions").
import { type Account, administeredCommunities, isAdministrator, type Viewer } from "../../auth/account.ts";
import type { AccountId } from "../../shared/ids.ts";

export const WORKFLOW_ACTIONS = [
  "start",
  "item_registration",
  "item_link",
  "identifier_grant",
  "approval",
  "end",
] as const;
export type Action = (typeof WORKFLOW_ACTIONS)[number];

/** Names of actions for people. */
export const ACTION_NAMES: Readonly<Record<Action, { readonly en: string; readonly ja: string }>> = {
  start: { en: "Start", ja: "開始" },
  item_registration: { en: "Item Registration", ja: "アイテム登録" },
  item_link: { en: "Item Link", ja: "アイテムリンク" },
  identifier_grant: { en: "Identifier Grant", ja: "識別子付与" },
  approval: { en: "Approval", ja: "承認" },
  end: { en: "End", ja: "終了" },
};

/** Most actions of a workflow. */
export const WORKFLOW_ACTIONS_MAX = 20;

/** What is wrong with the actions of a workflow, in a sentence; null when they can be walked. */
export function actionsProblem(actions: readonly string[], kind: "registration" | "deletion"): string | null {
  const known: readonly string[] = WORKFLOW_ACTIONS;
  const unknown = actions.find((action) => !known.includes(action));
  if (unknown !== undefined) return `Unknown action "${unknown}"; there are ${known.join(", ")}`;
  if (actions.length > WORKFLOW_ACTIONS_MAX) return `A workflow has at most ${WORKFLOW_ACTIONS_MAX} actions`;
  if (actions[0] !== "start" || actions.at(-1) !== "end") return "A workflow begins with start and ends with end";
  if (actions.indexOf("start", 1) > 0 || actions.indexOf("end") !== actions.length - 1) {
    return "A workflow has one start and one end";
  }
  const first = actions.indexOf("item_registration");
  if (kind === "deletion" && first >= 0) return "A deletion registers no item: leave item_registration out";
  if (actions.filter((action) => action === "item_registration").length > 1) {
    return "A workflow has one item_registration";
  }
  const tooEarly = actions.findIndex((action) => action !== "start" && action !== "item_registration");
  if (kind === "registration" && first > tooEarly && first >= 0) {
    return `The action ${actions[tooEarly]} comes before item_registration, which creates the item it is about`;
  }
  return null;
}

/** Message 22: whether a workflow can accept a deposit. */
export function takesDeposits(workflow: { readonly deleted: boolean; readonly actions: readonly string[] }): boolean {
  return !workflow.deleted && workflow.actions.includes("item_registration");
}

/** The next action that needs a decision, from `step` on: the step of the next approval, or of the end. */
export function nextStop(actions: readonly Action[], step: number): number {
  const approval = actions.indexOf("approval", step);
  return approval >= 0 ? approval : actions.length - 1;
}

type Approvers = {
  readonly roles: readonly number[];
  readonly accounts: readonly AccountId[];
  readonly communities: readonly string[];
};

/** What the right to approve depends on. */
export type ApprovalFacts = {
  readonly approvers: Approvers;
  readonly depositor: Pick<Account, "id">["id"];
  /** For whom it was deposited (On-Behalf-Of): their own deposit too. */
  readonly onBehalfOf: AccountId | null;
  /** Communities of the item. */
  readonly communities: readonly string[];
};

/**
 * Row "approve" of R2e: administrators any; community administrators where the workflow names them or in their own
 * communities; registered users where the workflow names them; nobody else. Nobody approves their own deposit unless
 * they are an administrator.
 */
export function mayApprove(viewer: Viewer, facts: ApprovalFacts): boolean {
  const { account } = viewer;
  if (isAdministrator(viewer)) return true;
  if (account === null) return false;
  if (account.id === facts.depositor || account.id === facts.onBehalfOf) return false;
  if (!viewer.roles.some((role) => role === 3 || role === 4)) return false;
  const { approvers } = facts;
  if (approvers.accounts.includes(account.id)) return true;
  if (viewer.roles.some((role) => approvers.roles.includes(role))) return true;
  const curates = viewer.memberships.filter(({ role }) => role !== "reader").map(({ communityId }) => communityId);
  if (curates.some((community) => approvers.communities.includes(community))) return true;
  return administeredCommunities(viewer).some(({ communityId }) => facts.communities.includes(communityId));
}

/** Who sees an activity: the depositor, the person it was deposited for, and everybody who may approve it. */
export function maySeeActivity(viewer: Viewer, facts: ApprovalFacts): boolean {
  const id = viewer.account?.id;
  return (id !== undefined && (id === facts.depositor || id === facts.onBehalfOf)) || mayApprove(viewer, facts);
}

/** Cancel: depositor, approver, administrator (R16). */
export function mayCancel(viewer: Viewer, facts: ApprovalFacts): boolean {
  return viewer.account?.id === facts.depositor || mayApprove(viewer, facts);
}

/** `todo`: waits for me; `wait`: mine, waits for others; `all`: everything I may see. */
export const ACTIVITY_CONDITIONS = ["todo", "wait", "all"] as const;
export type ActivityCondition = (typeof ACTIVITY_CONDITIONS)[number];
