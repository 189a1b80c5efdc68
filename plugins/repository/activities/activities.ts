// Workflow activities for programs (R16): list, one with its steps, approve, send back, cancel.
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import { ACTIVITY_CONDITIONS } from "../../../src/model/rights/workflow-rules.ts";
import type { Activity } from "../../../src/repository/store/activities.ts";
import type { Activities } from "../../../src/repository/workflow/activities.ts";
import { activityJson, decisionJson, stepJson } from "../../../src/repository/workflow/activity-json.ts";
import {
  type ActivityDetail,
  type ActivityViews,
  actionAt,
  type NamedActivity,
} from "../../../src/repository/workflow/activity-views.ts";
import type { IndexId } from "../../../src/shared/ids.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { errors } from "../../http/errors.ts";
import { recordsDialect } from "../errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { ACTIVITIES_DETAIL, ACTIVITY_DETAIL, APPROVE_DETAIL, CANCEL_DETAIL, THROW_OUT_DETAIL } from "./document.ts";

type ActivitiesPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "viewer" | "json">;
  readonly activities: Pick<Activities, "approve" | "throwOut" | "cancel">;
  readonly views: ActivityViews;
};

const GROUP = "activities";
const SCOPES = ["user:activity"] as const;
const ACTIVITIES_LIMIT_MAX = 100;
const DEFAULT_LIMIT = 20;
/** Pages that can be asked for; further down one narrows the condition. */
const PAGE_MAX = 10_000;
const PRIVATE = { "cache-control": "no-store" };

type Decision = { readonly comment: string; readonly index: IndexId | null };
type Decide = (viewer: Viewer, id: string, decision: Decision) => Promise<Activity>;

export const activitiesPlugin = (needs: ActivitiesPluginNeeds) => {
  const { guard, views, activities } = needs;
  const viewerOf = (request: Request) => guard.viewer(request, GROUP, SCOPES);
  const decided = (decide: Decide) => async (call: { request: Request; params: { activity_id: string } }) => {
    const [viewer, id] = [await viewerOf(call.request), call.params.activity_id];
    const activity = await decide(viewer, id, await decisionOf(guard, call.request));
    const last = lastDecided(await views.read(viewer, id));
    return Response.json(decisionJson(actionAt(activity), activity.state, last), { headers: PRIVATE });
  };
  return new Elysia({ name: "activities", prefix: "/api/v1/workflow/activities" })
    .use(errors(recordsDialect))
    .get("", async ({ request }) => list(needs, request), { detail: ACTIVITIES_DETAIL })
    .get(
      "/:activity_id",
      async ({ request, params }) => {
        const detail = await views.read(await viewerOf(request), params.activity_id);
        return Response.json(detailJson(detail), { headers: PRIVATE });
      },
      { detail: ACTIVITY_DETAIL },
    )
    .post(
      "/:activity_id/approve",
      decided(async (viewer, id, decision) => (await activities.approve(viewer, id, decision)).activity),
      { parse: "none", detail: APPROVE_DETAIL },
    )
    .post(
      "/:activity_id/throw-out",
      decided((viewer, id, { comment }) => activities.throwOut(viewer, id, comment)),
      { parse: "none", detail: THROW_OUT_DETAIL },
    )
    .post(
      "/:activity_id/cancel",
      decided((viewer, id, { comment }) => activities.cancel(viewer, id, comment)),
      { parse: "none", detail: CANCEL_DETAIL },
    );
};

async function list({ guard, views }: ActivitiesPluginNeeds, request: Request): Promise<Response> {
  const viewer = await guard.viewer(request, GROUP, SCOPES);
  const { searchParams } = new URL(request.url);
  const status = searchParams.get("status") ?? "todo";
  const condition = ACTIVITY_CONDITIONS.find((each) => each === status);
  if (condition === undefined) {
    throw new Refusal("invalid", `status "${status.slice(0, 100)}" is none of ${ACTIVITY_CONDITIONS.join(", ")}`);
  }
  const limit = numberIn(searchParams, "limit", DEFAULT_LIMIT, ACTIVITIES_LIMIT_MAX);
  const page = numberIn(searchParams, "page", 1, PAGE_MAX);
  const found = await views.list(viewer, { condition, limit, page });
  const body = {
    total: found.total,
    condition: { status: condition, limit, page },
    activities: found.activities.map(namedJson),
  };
  return Response.json(body, { headers: PRIVATE });
}

function numberIn(parameters: URLSearchParams, name: string, fallback: number, most: number): number {
  const text = parameters.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= 1 && value <= most) return value;
  throw new Refusal("invalid", `${name} "${text.slice(0, 100)}" is not a number from 1 to ${most}`);
}

const namedJson = ({ activity, workflow, depositor }: NamedActivity) =>
  activityJson({ ...activity, action: actionAt(activity), workflow: workflow.en, depositor });

function detailJson(detail: ActivityDetail) {
  return {
    ...namedJson(detail),
    may: { approve: detail.may.approve, throw_out: detail.may.throwOut, cancel: detail.may.cancel },
    needs_index: detail.needsIndex,
    steps: detail.steps.map(({ step, who }) => stepJson({ ...step, who })),
  };
}

/** The newest step that somebody decided. */
function lastDecided({ steps }: ActivityDetail) {
  const found = steps.filter(({ step }) => step.account !== null && step.action !== "end").at(-1);
  return found === undefined ? null : { ...found.step, who: found.who };
}

/** `{comment?, index?}`; without a body, neither is set. @throws invalid, naming the member. */
async function decisionOf(guard: Pick<RepositoryGuard, "json">, request: Request): Promise<Decision> {
  const body = await guard.json(request);
  if (body === undefined || body === null) return { comment: "", index: null };
  if (typeof body !== "object" || Array.isArray(body)) {
    throw new Refusal("invalid", "The body must be a JSON object with comment and index");
  }
  const { comment = "", index = null, ...others } = body as Readonly<Record<string, unknown>>; // An object, as was just seen.
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new Refusal("invalid", `Unknown member "${unknown.slice(0, 100)}": there are comment and index`);
  if (comment !== null && typeof comment !== "string") throw new Refusal("invalid", "comment must be a text");
  return { comment: comment ?? "", index: indexOf(index) };
}

/** The number of an index, as a number or in digits; null and "" name none. */
export function indexOf(value: unknown): number | null {
  if (value === null || value === "") return null;
  const number = typeof value === "string" && /^[1-9]\d{0,15}$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number > 0) return number;
  throw new Refusal("invalid", `index ${JSON.stringify(value).slice(0, 100)} is not the number of an index`);
}
