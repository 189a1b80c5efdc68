// Workflow activities for programs (R16): list, one with its steps, approve, send back, cancel.
import type { Viewer } from "../../../src/auth/account.ts";
import { HOLDER } from "../../../src/repository/requests/holder-body.ts";
import type { Activity } from "../../../src/repository/store/activities.ts";
import type { Activities } from "../../../src/repository/workflow/activities.ts";
import {
  ActivityDetailShape,
  ActivityPageShape,
  activityDetailJson,
  activityJson,
  DecidedShape,
  decisionJson,
} from "../../../src/repository/workflow/activity-json.ts";
import { ACTIVITY_QUERY } from "../../../src/repository/workflow/activity-query.ts";
import type { ActivityViews } from "../../../src/repository/workflow/activity-views.ts";
import { DECISION, type Decision } from "../../../src/repository/workflow/decision-body.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { plainGroup } from "../error-groups.ts";

type Services = {
  readonly activities: Pick<Activities, "approve" | "throwOut" | "cancel" | "setHolder">;
  readonly views: ActivityViews;
};

const GROUP = plainGroup({
  prefix: "/api/v1/workflow/activities",
  name: "activities",
  tag: "Workflow",
  scopes: ["user:activity"],
  ofOne: [404],
  pathParameters: { activity_id: "Id of an activity" },
  answerWith: (body, status, headers) =>
    Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } }),
});

const { get, post, put } = endpointsOf<Services>();

type Decide = (activities: Services["activities"], viewer: Viewer, id: string, decision: Decision) => Promise<Activity>;

const decision = (
  name: string,
  id: string,
  summary: string,
  description: string,
  refuses: readonly number[],
  decide: Decide,
) =>
  post(`/:activity_id/${name}`, {
    id,
    summary,
    description,
    body: DECISION,
    answer: { status: 200, description: "The activity after the change", schema: DecidedShape },
    refuses,
    async run({ activities, views }, { viewer, params, body }) {
      const activity = await decide(activities, viewer, params.activity_id, body());
      return decisionJson(activity, await views.read(viewer, params.activity_id));
    },
  });

const ACTIVITY_ENDPOINTS = [
  get("", {
    id: "listActivities",
    summary: "Activities",
    description: "What waits for the caller begins with what waits longest; other lists are newest first.",
    query: ACTIVITY_QUERY,
    answer: { status: 200, description: "The page", schema: ActivityPageShape },
    async run({ views }, { viewer, query }) {
      const { total, condition: status, limit, page, activities } = await views.list(viewer, query());
      return { total, condition: { status, limit, page }, activities: activities.map(activityJson) };
    },
  }),
  get("/:activity_id", {
    id: "readActivity",
    summary: "One activity with its steps",
    description: "With what the caller may decide.",
    answer: { status: 200, description: "The activity", schema: ActivityDetailShape },
    run: async ({ views }, { viewer, params }) => activityDetailJson(await views.read(viewer, params.activity_id)),
  }),
  put("/:activity_id/holder", {
    id: "setActivityHolder",
    summary: "Take, release or reassign",
    description:
      "Approvers take what waits, with their own id, and release it with null; administrators give it to another approver. Nobody else decides about it meanwhile but administrators.",
    body: HOLDER,
    answer: { status: 200, description: "The activity after the change", schema: ActivityDetailShape },
    async run({ activities, views }, { viewer, params, body }) {
      await activities.setHolder(viewer, params.activity_id, body);
      return activityDetailJson(await views.read(viewer, params.activity_id));
    },
  }),
  decision(
    "approve",
    "approveActivity",
    "Approve",
    "The item is published, or deleted, when no step is left.",
    [404, 409],
    async (activities, viewer, id, sent) => (await activities.approve(viewer, id, sent)).activity,
  ),
  decision(
    "throw-out",
    "throwOutActivity",
    "Send back to the depositor",
    "A deletion that is sent back ends, and its item stays.",
    [404],
    (activities, viewer, id, { comment, fields }) => activities.throwOut(viewer, id, comment, fields),
  ),
  decision(
    "cancel",
    "cancelActivity",
    "Cancel",
    "A new item disappears, a published one stays as it was.",
    [404, 409],
    (activities, viewer, id, { comment }) => activities.cancel(viewer, id, comment),
  ),
];

export const activitiesPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ACTIVITY_ENDPOINTS, services, guard);
