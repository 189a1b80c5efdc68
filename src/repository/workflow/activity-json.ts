// Activities in the shape existing clients read (R16; states, steps and names of members as they know them).
import { ACTION_NAMES } from "../../model/rights/workflow-rules.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

type ActionName = keyof typeof ACTION_NAMES;

/** What steps are called in existing systems. */
const ENDPOINTS: Readonly<Record<ActionName, string>> = {
  start: "begin_action",
  item_registration: "item_login",
  item_link: "item_link",
  identifier_grant: "identifier_grant",
  approval: "approval",
  end: "end_action",
};

type WrittenActivity = {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly kind: string;
  readonly itemId: ItemId | null;
  readonly action: ActionName;
  readonly workflow: string;
  readonly depositor: string;
  readonly note: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

type WrittenStep = {
  readonly number: number;
  readonly action: ActionName;
  readonly state: string;
  readonly who: string;
  readonly comment: string;
  readonly at: Instant;
};

export function activityJson(activity: WrittenActivity) {
  return {
    activity_id: activity.id,
    item_name: activity.title,
    item_id: activity.itemId,
    kind: activity.kind,
    workflow_type: activity.workflow,
    action: ACTION_NAMES[activity.action].en,
    status: activity.state,
    user: activity.depositor,
    note: activity.note,
    created: activity.createdAt,
    updated: activity.updatedAt,
  };
}

export function stepJson({ number, action, state, who, comment, at }: WrittenStep) {
  return {
    number,
    action: ACTION_NAMES[action].en,
    action_endpoint: ENDPOINTS[action],
    action_status: state,
    action_user: who,
    action_comment: comment,
    action_date: at,
  };
}

/** The answer to a decision: the action that is current now, and the step that was just written. */
export function decisionJson(next: ActionName, state: string, decided: WrittenStep | null) {
  return {
    next_action: { id: next, endpoint: ENDPOINTS[next] },
    status: state,
    action_info:
      decided === null
        ? null
        : {
            action_id: decided.action,
            action_date: decided.at,
            action_user: decided.who,
            action_status: decided.state,
            action_comment: decided.comment,
          },
  };
}
