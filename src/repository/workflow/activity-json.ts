// Activities in the shape existing clients read (R16; states, steps and names of members as they know them).
import { type Static, Type } from "@sinclair/typebox";
import { TASK_EVENTS } from "../../model/rights/task-rules.ts";
import { ACTION_NAMES, ACTIVITY_CONDITIONS } from "../../model/rights/workflow-rules.ts";
import { MomentShape, manyOf, wordOf } from "../../shared/shapes.ts";
import type { ActionState, Activity, ActivityKind, ActivityState } from "../store/activities.ts";
import { type ActivityDetail, actionAt, type NamedActivity } from "./activity-views.ts";

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

const ACTIVITY = {
  activity_id: Type.String({ description: "A-YYYYMMDD-00001; deletions begin with D-" }),
  item_name: Type.String(),
  item_id: Type.Union([Type.Integer(), Type.Null()]),
  kind: wordOf<ActivityKind>(["registration", "update", "deletion"]),
  workflow_type: Type.String({ description: "Name of the workflow" }),
  action: Type.String({ description: "The current step" }),
  status: wordOf<ActivityState>(["M", "B", "P", "F", "C", "E"]),
  user: Type.String({ description: "Who deposited it" }),
  holder: Type.String({ description: "Who took it, to decide about it; empty: nobody" }),
  note: Type.String({ description: "Why it does not move on; empty otherwise" }),
  created: MomentShape,
  updated: MomentShape,
};
const ActivityShape = Type.Object(ACTIVITY, { $id: "Activity" });

const StepShape = Type.Object(
  {
    number: Type.Integer(),
    action: Type.String(),
    action_endpoint: Type.String(),
    action_status: wordOf<ActionState>(["B", "F", "P", "R", "M", "T", "S", "E", "C"]),
    action_user: Type.String(),
    action_comment: Type.String(),
    action_date: MomentShape,
    event: Type.Optional(wordOf([...TASK_EVENTS, "comment"])),
    field: Type.Optional(Type.String({ description: "The field of the record that the comment is about" })),
    event_user: Type.Optional(Type.String({ description: "Who holds it from here on" })),
  },
  { $id: "ActivityStep" },
);

export const ActivityPageShape = Type.Object(
  {
    total: Type.Integer(),
    condition: Type.Object({ status: wordOf(ACTIVITY_CONDITIONS), limit: Type.Integer(), page: Type.Integer() }),
    activities: manyOf(ActivityShape),
  },
  { $id: "ActivityList" },
);

export const ActivityDetailShape = Type.Object(
  {
    ...ACTIVITY,
    may: Type.Object({
      approve: Type.Boolean(),
      throw_out: Type.Boolean(),
      cancel: Type.Boolean(),
      hold: Type.Boolean(),
    }),
    needs_index: Type.Boolean({ description: "Approving needs an index" }),
    steps: manyOf(StepShape),
  },
  { $id: "ActivityDetail" },
);

/** The answer to a decision: the action that is current now, and the step that was just written. */
export const DecidedShape = Type.Object(
  {
    next_action: Type.Object({ id: Type.String(), endpoint: Type.String() }),
    status: ACTIVITY.status,
    action_info: Type.Union([
      Type.Object({
        action_id: Type.String(),
        action_date: MomentShape,
        action_user: Type.String(),
        action_status: StepShape.properties.action_status,
        action_comment: Type.String(),
      }),
      Type.Null(),
    ]),
  },
  { $id: "DecidedActivity" },
);

export function activityJson({ activity, workflow, depositor, holder }: NamedActivity): Static<typeof ActivityShape> {
  return {
    activity_id: activity.id,
    item_name: activity.title,
    item_id: activity.itemId,
    kind: activity.kind,
    workflow_type: workflow.en,
    action: ACTION_NAMES[actionAt(activity)].en,
    status: activity.state,
    user: depositor,
    holder,
    note: activity.note,
    created: activity.createdAt,
    updated: activity.updatedAt,
  };
}

export function activityDetailJson(detail: ActivityDetail): Static<typeof ActivityDetailShape> {
  return {
    ...activityJson(detail),
    may: {
      approve: detail.may.approve,
      throw_out: detail.may.throwOut,
      cancel: detail.may.cancel,
      hold: detail.may.hold,
    },
    needs_index: detail.needsIndex,
    steps: detail.steps.map(({ step: { number, action, state, comment, at, event, field }, who, about }) => ({
      number,
      action: ACTION_NAMES[action].en,
      action_endpoint: ENDPOINTS[action],
      action_status: state,
      action_user: who,
      action_comment: comment,
      action_date: at,
      ...(event === "" ? {} : { event }),
      ...(field === "" ? {} : { field }),
      ...(about === "" ? {} : { event_user: about }),
    })),
  };
}

export function decisionJson(activity: Activity, { steps }: ActivityDetail): Static<typeof DecidedShape> {
  const next = actionAt(activity);
  // The newest step that somebody decided.
  const decided = steps
    .filter(({ step }) => step.account !== null && step.action !== "end" && step.event === "")
    .at(-1);
  return {
    next_action: { id: next, endpoint: ENDPOINTS[next] },
    status: activity.state,
    action_info:
      decided === undefined
        ? null
        : {
            action_id: decided.step.action,
            action_date: decided.step.at,
            action_user: decided.who,
            action_status: decided.step.state,
            action_comment: decided.step.comment,
          },
  };
}
