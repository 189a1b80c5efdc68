// Several tasks decided at once (R44): of one community, or of one step of one workflow; each in its own transaction, with
// the rights that the account has then.
import { Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { may } from "../../model/rights/policy.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, oneOf, optional, refined, type Sent, sequenceOf, trimmed } from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { manyOf, wordOf } from "../../shared/shapes.ts";
import type { RepositoryReader } from "../store/store.ts";
import { type Activities, approvalFacts } from "../workflow/activities.ts";
import { COMMENT_MAX, commentFromText } from "./comment-body.ts";
import type { Decisions } from "./decisions.ts";
import { factsWith } from "./request-facts.ts";

const TASKS_MOST = most("tasksAtOnce");
const TASK_ACTIONS = ["accept", "decline"] as const;

type TaskId = { readonly kind: "request" | "activity"; readonly id: string };

const TASK: Field<TaskId> = {
  schema: Type.String({ maxLength: 100, description: "`request:UUID` or `activity:ID`" }),
  read(value, path) {
    const text = trimmed({ min: 1, max: 100 }).read(value, path);
    const [, kind, id = ""] = /^(request|activity):([\w-]{1,60})$/.exec(text) ?? [];
    if (kind !== "request" && kind !== "activity") throw faultSentence(path, "Must be request:UUID or activity:ID.");
    return { kind, id };
  },
};

/** The tasks, each once, and what is decided about them. */
export const TASK_DECISION = object(
  {
    tasks: refined(sequenceOf(TASK, TASKS_MOST), (tasks, path) => {
      if (tasks.length === 0) throw faultSentence(path, `Choose between 1 and ${TASKS_MOST} tasks.`);
      return [...new Map(tasks.map((task) => [`${task.kind}:${task.id}`, task])).values()];
    }),
    action: oneOf(TASK_ACTIONS),
    comment: optional(trimmed({ max: COMMENT_MAX })),
  },
  { $id: "TaskDecision" },
);
type TaskDecision = ReturnType<typeof TASK_DECISION.read>;

/** What became of each. */
export const TaskOutcomesShape = Type.Object(
  {
    outcomes: manyOf(
      Type.Object(
        {
          task: Type.String({ description: "`request:UUID` or `activity:ID`" }),
          title: Type.String(),
          result: wordOf(["done", "refused"]),
          message: Type.String({ description: "Why it was refused; empty otherwise" }),
        },
        { $id: "TaskOutcome" },
      ),
    ),
  },
  { $id: "TaskOutcomes" },
);

export type TaskOutcome = {
  readonly task: string;
  readonly title: string;
  readonly result: "done" | "refused";
  readonly message: string;
};

type TaskDecisionNeeds = {
  readonly store: Pick<RepositoryReader, "requests" | "activities" | "items" | "settings">;
  readonly requests: Pick<Decisions, "decide">;
  readonly activities: Pick<Activities, "approve" | "throwOut">;
};

/** Decides about several tasks. */
export type DecideTasks = (viewer: Viewer, sent: Sent<TaskDecision>) => Promise<readonly TaskOutcome[]>;

export const taskDecisions =
  (needs: TaskDecisionNeeds): DecideTasks =>
  async (viewer, sent) => {
    const decision = sent();
    const seen = new Map<TaskId, SeenTask>();
    for (const task of decision.tasks) {
      const found = await seenTask(needs.store, viewer, task);
      if (found !== null) seen.set(task, found);
    }
    if (new Set([...seen.values()].map(({ group }) => group)).size > 1) {
      throw new Refusal("invalid", "Choose tasks of one community, or of one step of one workflow");
    }
    const outcomes: TaskOutcome[] = [];
    for (const task of decision.tasks) {
      const message = await decideOne(needs, viewer, task, decision);
      const result = message === "" ? "done" : "refused";
      outcomes.push({ task: `${task.kind}:${task.id}`, title: seen.get(task)?.title ?? "", result, message });
    }
    return outcomes;
  };

type SeenTask = { readonly title: string; readonly group: string };

/** Null for what the viewer may not know of. */
async function seenTask(store: TaskDecisionNeeds["store"], viewer: Viewer, { kind, id }: TaskId) {
  if (kind === "activity") {
    const activity = await store.activities.activity(id);
    const facts = activity === null ? null : await approvalFacts(store, id);
    if (activity === null || facts === null || !may(viewer, "activity.see", facts)) return null;
    return { title: activity.title, group: `workflow ${activity.workflow} ${activity.actions[activity.step]}` };
  }
  const request = await store.requests.request(id);
  if (request === null) return null;
  const parent = request.parent === null ? null : await store.items.parent(request.parent);
  if (!may(viewer, "request.see", factsWith(request, parent))) return null;
  return { title: request.title, group: `community ${request.community}` };
}

/** Why it was refused; "" where it was done. */
async function decideOne(
  { requests, activities }: TaskDecisionNeeds,
  viewer: Viewer,
  { kind, id }: TaskId,
  { action, comment = "" }: TaskDecision,
): Promise<string> {
  try {
    if (kind === "request") {
      const cleaned = commentFromText(comment);
      await requests.decide(viewer, id, action, () => cleaned);
    } else if (action === "accept") await activities.approve(viewer, id, { comment, index: null });
    else await activities.throwOut(viewer, id, comment);
    return "";
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
