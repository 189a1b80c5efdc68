// Activities: the steps of a deposit through a workflow, and the decisions of people about it (R16, R2e, R2f). The
// items service changes the item at the end, in the same transaction.

import { administeredCommunities, isAdministrator, type Viewer } from "../../auth/account.ts";
import { mayBrowseIndex } from "../../model/access/visibility.ts";
import type { Item } from "../../model/items/item.ts";
import { cut } from "../../model/items/summary.ts";
import type { FieldComment } from "../../model/metadata/commented-field.ts";
import { may } from "../../model/rights/policy.ts";
import { heldByAnother, isHeldByAnother, taskEventOf } from "../../model/rights/task-rules.ts";
import {
  type Action,
  type ActivityCondition,
  type ApprovalFacts,
  mayApprove,
  mayCancel,
  maySeeActivity,
  nextStop,
} from "../../model/rights/workflow-rules.ts";
import type { Sent } from "../../shared/fields.ts";
import type { AccountId, IndexId, ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { ActivityItems } from "../items/types.ts";
import { accountViewer, writeAs } from "../people/current-viewer.ts";
import type { Activity, ActivityKind, ActivityReach, ActivityStep } from "../store/activities.ts";
import type { TaskPart } from "../store/requests.ts";
import type { Workflow } from "../store/settings.ts";
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { COMMENT_MAX, type Decision as DecisionBody } from "./decision-body.ts";

/** Characters of an item's title in the list of activities. */
const TITLE_CHARACTERS = 1_000;

type ActivitiesNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly items: ActivityItems;
  /** The day of an instant in the repository's time zone, `YYYY-MM-DD`. */
  readonly dayOf: (at: Instant) => string;
};

type BeginIn = {
  readonly kind: ActivityKind;
  readonly workflow: Workflow;
  readonly itemId: ItemId;
  readonly title: string;
  readonly onBehalfOf: AccountId | null;
  readonly packageName: string | null;
  readonly packageSha256: string | null;
  /** False: the item names no index, so the activity stops before its end (R16). */
  readonly isFiled: boolean;
  /** A lock on the item that the depositor's request holds (R19). */
  readonly lockOwner?: string;
  /** Saves the draft the activity is about, once it has its id. */
  readonly saveDraft?: (activityId: string) => Promise<unknown>;
};

/** For the next steps: the index for an item that names none, whether it names one, and the lock of the caller. */
type Continuation = { readonly index?: IndexId | null; readonly isFiled: boolean; readonly lockOwner?: string };

type Decision = "activity.approve" | "activity.throw-out" | "activity.cancel";

/** An activity after a step. `done`: it reached its end and the item was changed. */
type ActivityOutcome = { readonly activity: Activity; readonly done: boolean; readonly item: Item | null };

export interface Activities {
  begin(tx: RepositoryWriter, viewer: Viewer, input: BeginIn): Promise<ActivityOutcome>;
  /** An activity that stopped at its registration, for people to complete (R16, `keep_incomplete`). */
  beginStopped(tx: RepositoryWriter, viewer: Viewer, input: BeginIn, why: string): Promise<Activity>;
  /**
   * A thrown-out deposit is sent again (PUT to the same URL, R16): the same activity continues from its registration.
   */
  resubmit(
    tx: RepositoryWriter,
    viewer: Viewer,
    id: string,
    input: Omit<BeginIn, "kind" | "workflow" | "itemId">,
  ): Promise<ActivityOutcome>;
  /**
   * `index` files an item that names no index, where the approver may put items.
   *
   * @throws Refusal `not_found`, `forbidden`, `conflict`, `invalid`.
   */
  approve(asking: Viewer, id: string, decision: DecisionBody): Promise<ActivityOutcome>;
  /** Returns it to the depositor, who sends the item again or cancels; a deletion ends, its item stays (R16). */
  throwOut(asking: Viewer, id: string, comment: string, fields?: readonly FieldComment[]): Promise<Activity>;
  /** Ends it: a new item is deleted, a published one stays as it was (R16). */
  cancel(asking: Viewer, id: string, comment: string): Promise<Activity>;
  /** Who decides; null releases it. @throws Refusal not_found, forbidden, invalid. */
  setHolder(asking: Viewer, id: string, to: Sent<AccountId | null>): Promise<void>;
  /**
   * One activity as its page and `GET .../{id}` show it. @throws Refusal `not_found` where the viewer may not see it.
   */
  read(viewer: Viewer, id: string): Promise<ActivityView>;
  /**
   * `page` from 1: those waiting for the viewer, which wait longest first; the viewer's own that wait, or all they may
   * see, newest first.
   */
  list(viewer: Viewer, asked: ActivityListIn): Promise<ActivityList>;
  /** What waits for the viewer, those that wait longest first; `total`: all there are. */
  tasks(viewer: Viewer, part: TaskPart<string>): Promise<{ total: number; tasks: readonly Activity[] }>;
  /** Whether a viewer may see the pending item of an activity (a status document before it is published, R16). */
  maySee(viewer: Viewer, activity: Activity): Promise<boolean>;
}

/** The note of an activity that lacks an index. */
const INDEX_MISSING = "No index is given: approve it with an index, and it is registered there";
const COMMENT_INDEX = "An index is needed: name one";

export const activities = (needs: ActivitiesNeeds): Activities => ({
  begin: (tx, viewer, input) => begin(needs, tx, viewer, input),
  beginStopped: (tx, viewer, input, why) => beginStopped(needs, tx, viewer, input, why),
  resubmit: (tx, viewer, id, input) => resubmit(needs, tx, viewer, id, input),
  approve: (asking, id, decision) => approve(needs, asking, id, decision),
  throwOut: (asking, id, comment, fields) => throwOut(needs, asking, id, comment, fields),
  cancel: (asking, id, comment) => cancel(needs, asking, id, comment),
  setHolder: (asking, id, to) => setHolder(needs, asking, id, to),
  read: (viewer, id) => read(needs, viewer, id),
  list: (viewer, asked) => list(needs, viewer, asked),
  async tasks(viewer, part) {
    const reach = await reachOf(needs, viewer);
    const total = await needs.store.activities.countActivities({ seenBy: { reach, condition: "todo" } });
    return { total, tasks: await needs.store.activities.activityTasks(reach, part) };
  },
  async maySee(viewer, activity) {
    const facts = await factsOf(needs.store, activity);
    return facts !== null && maySeeActivity(viewer, facts);
  },
});

/** Passes from `step` to the next action that waits for people; after the end the item is published or deleted. */
async function advance(
  needs: ActivitiesNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  activity: Activity,
  step: number,
  { index = null, isFiled, lockOwner }: Continuation,
): Promise<ActivityOutcome> {
  const at = needs.clock.now();
  const stop = nextStop(activity.actions, step);
  const passed = activity.actions.slice(step, stop);
  for (const action of passed) await note(tx, activity, action, "F", viewer, "", at);
  const action = activity.actions[stop] ?? "end";
  const lacksIndex = activity.kind !== "deletion" && !isFiled && index === null;
  if (action !== "end" || lacksIndex) {
    const waiting = {
      ...activity,
      step: stop,
      state: "M" as const,
      holder: null,
      note: lacksIndex ? INDEX_MISSING : "",
      updatedAt: at,
    };
    await tx.activities.updateActivity(waiting);
    await note(tx, activity, action, "M", null, "", at);
    if (action === "approval") {
      await tx.audit(viewer, at, [{ action: "activity-submit", subject: `activity:${activity.id}`, detail: {} }]);
    }
    return { activity: waiting, done: false, item: null };
  }
  await note(tx, activity, "end", "F", viewer, "", at);
  const ended = { ...activity, step: stop, state: "F" as const, holder: null, note: "", updatedAt: at };
  await tx.activities.updateActivity(ended);
  return { activity: ended, done: true, item: await finishItem(needs, tx, viewer, ended, index, lockOwner) };
}

async function finishItem(
  needs: ActivitiesNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  activity: Activity,
  index: IndexId | null,
  lockOwner: string | undefined,
) {
  if (activity.itemId === null) throw new RangeError(`Activity ${activity.id} is about no item`);
  if (activity.kind === "deletion") {
    await needs.items.remove(tx, viewer, activity.itemId, activity.id);
    return null;
  }
  return await needs.items.publishDraft(tx, viewer, activity.itemId, {
    activityId: activity.id,
    index,
    depositor: activity.account,
    onBehalfOf: activity.onBehalfOf,
    packageName: activity.packageName,
    packageSha256: activity.packageSha256,
    ...(lockOwner === undefined ? {} : { lockOwner }),
  });
}

async function insertActivity(
  needs: ActivitiesNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  input: BeginIn,
  state: Activity["state"],
  why: string,
) {
  const { account } = viewer;
  if (account === null) throw new Refusal("forbidden", "Only an account can begin an activity");
  const at = needs.clock.now();
  const { workflow, kind } = input;
  const actions: readonly Action[] = kind === "deletion" ? (workflow.delete?.actions ?? []) : workflow.actions;
  const activity: Activity = {
    id: await tx.activities.nextActivityId(kind === "deletion" ? "D" : "A", needs.dayOf(at)),
    workflow: workflow.id,
    kind,
    itemId: input.itemId,
    state,
    step: 0,
    actions,
    title: cut(input.title, TITLE_CHARACTERS),
    account: account.id,
    onBehalfOf: input.onBehalfOf,
    holder: null,
    clientId: viewer.clientId,
    packageName: input.packageName,
    packageSha256: input.packageSha256,
    note: why,
    createdAt: at,
    updatedAt: at,
  };
  if (!(await tx.activities.insertActivity(activity))) {
    throw new Refusal("conflict", `Item ${input.itemId} is being edited`, {
      detail: { reason: "activity" },
    });
  }
  await input.saveDraft?.(activity.id);
  await tx.audit(viewer, at, [
    { action: "activity-begin", subject: `activity:${activity.id}`, detail: { kind, item: input.itemId } },
  ]);
  return activity;
}

async function begin(
  needs: ActivitiesNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  input: BeginIn,
): Promise<ActivityOutcome> {
  const activity = await insertActivity(needs, tx, viewer, input, "M", "");
  return await advance(needs, tx, viewer, activity, 0, input);
}

async function beginStopped(
  needs: ActivitiesNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  input: BeginIn,
  why: string,
): Promise<Activity> {
  const activity = await insertActivity(needs, tx, viewer, input, "P", why.slice(0, COMMENT_MAX));
  const at = needs.clock.now();
  const step = Math.max(activity.actions.indexOf("item_registration"), 0);
  for (const action of activity.actions.slice(0, step)) await note(tx, activity, action, "F", viewer, "", at);
  await note(tx, activity, activity.actions[step] ?? "start", "P", viewer, why.slice(0, COMMENT_MAX), at);
  const stopped = { ...activity, step };
  await tx.activities.updateActivity(stopped);
  return stopped;
}

async function reachOf(needs: ActivitiesNeeds, viewer: Viewer): Promise<ActivityReach> {
  const decides = viewer.roles.some((role) => role === 3 || role === 4);
  const workflows = decides ? await needs.store.settings.workflows() : [];
  // The query checks whose deposit it is; this checks whether the workflow names the viewer.
  const named = workflows.filter(({ approvers }) => mayApprove(viewer, { ...NOBODYS, approvers }));
  return {
    account: viewer.account?.id ?? null,
    everything: isAdministrator(viewer),
    workflows: named.map(({ id }) => id),
    communities: administeredCommunities(viewer).map(({ communityId }) => communityId),
  };
}

/** Locks an activity that somebody decides about. @throws Refusal `not_found`, `forbidden` or `conflict` */
async function lockForDecision(tx: RepositoryWriter, viewer: Viewer, id: string, action: Decision) {
  const activity = await tx.activities.lockActivity(id);
  const facts = activity === null ? null : await factsOf(tx, activity);
  if (activity === null || facts === null || !may(viewer, "activity.see", facts)) {
    throw new Refusal("not_found", `Activity "${id}" does not exist`);
  }
  if (!may(viewer, action, facts))
    throw new Refusal("forbidden", `Permission denied: activity "${id}" is not yours to decide`);
  const isOwn = action === "activity.cancel" && activity.account === viewer.account?.id;
  if (!isOwn && isHeldByAnother(viewer, activity.holder)) throw heldByAnother(activity.holder ?? 0);
  return activity;
}

/**
 * Approvers file into an index by the same right as depositors (R2e).
 *
 * @throws Refusal `forbidden`; `invalid` for an index that does not exist or that the viewer may not see (R2h).
 */
async function requireFiling(
  needs: ActivitiesNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  index: IndexId,
): Promise<void> {
  const lineage = await tx.indexes.lineage(index);
  if (lineage.length > 0 && may(viewer, "item.file", lineage)) return;
  if (!mayBrowseIndex(viewer, lineage, needs.dayOf(needs.clock.now()))) {
    throw new Refusal("invalid", `Index ${index} does not exist`);
  }
  throw new Refusal("forbidden", `You may not put items into index ${index}`, { detail: { index } });
}

async function resubmit(
  needs: ActivitiesNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  id: string,
  input: Omit<BeginIn, "workflow" | "kind" | "itemId">,
) {
  const activity = await tx.activities.lockActivity(id);
  if (activity === null || !waitsForDepositor(activity)) {
    throw new Refusal("conflict", `Activity "${id}" does not wait for its depositor`, {
      detail: { reason: "activity" },
    });
  }
  const { packageName, packageSha256 } = input;
  const title = cut(input.title, TITLE_CHARACTERS);
  const onBehalfOf = input.onBehalfOf ?? activity.onBehalfOf;
  const again = { ...activity, title, onBehalfOf, packageName, packageSha256, note: "" };
  return await advance(needs, tx, viewer, again, activity.step, input);
}

function approve(needs: ActivitiesNeeds, asking: Viewer, id: string, decision: DecisionBody) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const activity = await lockForDecision(tx, viewer, id, "activity.approve");
    const { fields = [] } = decision;
    for (const text of [decision.comment, ...fields.map(({ content }) => content)]) requireComment(text);
    const action = activity.actions[activity.step];
    const waitsForIndex = action === "end" && activity.note === INDEX_MISSING;
    if (activity.state !== "M" || (action !== "approval" && !waitsForIndex)) {
      throw new Refusal("invalid", "Activity status is not Approval.");
    }
    const { index } = decision;
    if (index !== null) await requireFiling(needs, tx, viewer, index);
    const isFiled = await isFiledOnce(tx, activity);
    if (waitsForIndex && index === null && !isFiled) throw new Refusal("invalid", COMMENT_INDEX);
    const at = needs.clock.now();
    await tx.audit(viewer, at, [{ action: "activity-approve", subject: `activity:${id}`, detail: { index } }]);
    await noteFields(tx, activity, action ?? "approval", viewer, fields, at);
    await note(tx, activity, action ?? "approval", "F", viewer, decision.comment, at);
    const step = waitsForIndex ? activity.step : activity.step + 1;
    return await advance(needs, tx, viewer, activity, step, { index, isFiled });
  });
}

function throwOut(
  needs: ActivitiesNeeds,
  asking: Viewer,
  id: string,
  comment: string,
  fields: readonly FieldComment[] = [],
) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const activity = await lockForDecision(tx, viewer, id, "activity.throw-out");
    for (const text of [comment, ...fields.map(({ content }) => content)]) requireComment(text);
    const action = activity.actions[activity.step];
    if (activity.state !== "M" || action !== "approval") {
      throw new Refusal("invalid", "Activity status is not Approval.");
    }
    const at = needs.clock.now();
    await noteFields(tx, activity, action, viewer, fields, at);
    await note(tx, activity, action, "T", viewer, comment, at);
    const back: Activity =
      activity.kind === "deletion"
        ? { ...activity, state: "F", holder: null, note: "Thrown out", updatedAt: at }
        : {
            ...activity,
            state: "M",
            holder: null,
            step: activity.actions.indexOf("item_registration"),
            note: THROWN_OUT,
            updatedAt: at,
          };
    await tx.activities.updateActivity(back);
    if (back.state === "M") await note(tx, activity, "item_registration", "R", null, "", at);
    await tx.audit(viewer, at, [{ action: "activity-throw-out", subject: `activity:${id}`, detail: {} }]);
    return back;
  });
}

function cancel(needs: ActivitiesNeeds, asking: Viewer, id: string, comment: string) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const activity = await lockForDecision(tx, viewer, id, "activity.cancel");
    requireComment(comment);
    if (activity.state !== "M" && activity.state !== "P" && activity.state !== "B") {
      throw new Refusal("invalid", `Activity "${id}" has ended already`);
    }
    const at = needs.clock.now();
    await note(tx, activity, activity.actions[activity.step] ?? "end", "C", viewer, comment, at);
    const cancelled: Activity = { ...activity, state: "C", holder: null, note: "", updatedAt: at };
    await tx.activities.updateActivity(cancelled);
    if (activity.kind !== "deletion" && activity.itemId !== null) {
      await needs.items.discardDraft(tx, viewer, activity.itemId, activity.id);
    }
    await tx.audit(viewer, at, [{ action: "activity-cancel", subject: `activity:${id}`, detail: {} }]);
    return cancelled;
  });
}

function setHolder(needs: ActivitiesNeeds, asking: Viewer, id: string, sent: Sent<AccountId | null>) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const activity = await tx.activities.lockActivity(id);
    const facts = activity === null ? null : await factsOf(tx, activity);
    if (activity === null || facts === null || !may(viewer, "activity.see", facts)) {
      throw new Refusal("not_found", `Activity "${id}" does not exist`);
    }
    const to = sent();
    const { holder } = activity;
    if (to === holder) return;
    const action = activity.actions[activity.step] ?? "end";
    const waits = activity.state === "M" && (action === "approval" || activity.note === INDEX_MISSING);
    if (!waits) throw new Refusal("invalid", "Activity status is not Approval.");
    const event = taskEventOf(viewer, { holder, to, decides: mayApprove(viewer, facts) });
    if (event === null) throw new Refusal("forbidden", `Permission denied: activity "${id}" is not yours to decide`);
    if (event === "taken" && holder !== null) throw heldByAnother(holder);
    const other = event === "reassigned" && to !== null ? await accountViewer(tx, to) : viewer;
    if (other === null || (event === "reassigned" && !mayApprove(other, facts))) {
      throw new Refusal("invalid", `user: account ${to} may not decide about it`);
    }
    const at = needs.clock.now();
    // It waits as long as before.
    await tx.activities.updateActivity({ ...activity, holder: to });
    const account = viewer.account?.id ?? null;
    await tx.activities.addStep({ activityId: id, action, state: "M", account, comment: "", at, event, about: to });
    await tx.audit(viewer, at, [{ action: `activity-${event}`, subject: `activity:${id}`, detail: { holder: to } }]);
  });
}

async function read(needs: ActivitiesNeeds, viewer: Viewer, id: string) {
  const activity = await needs.store.activities.activity(id);
  const facts = activity === null ? null : await factsOf(needs.store, activity);
  if (activity === null || facts === null || !maySeeActivity(viewer, facts)) {
    throw new Refusal("not_found", `Activity "${id}" does not exist`);
  }
  const atApproval = activity.state === "M" && activity.actions[activity.step] === "approval";
  const needsIndex = activity.state === "M" && activity.note === INDEX_MISSING;
  const approves = mayApprove(viewer, facts) && !isHeldByAnother(viewer, activity.holder);
  return {
    activity,
    steps: await needs.store.activities.steps(id),
    may: {
      approve: approves && (atApproval || needsIndex),
      throwOut: approves && atApproval,
      cancel: mayCancel(viewer, facts) && ["M", "P", "B"].includes(activity.state),
      hold: mayApprove(viewer, facts) && (atApproval || needsIndex),
    },
    needsIndex:
      needsIndex || (atApproval && activity.kind !== "deletion" && !(await isFiledOnce(needs.store, activity))),
  };
}

async function list(needs: ActivitiesNeeds, viewer: Viewer, asked: ActivityListIn) {
  const filter = { seenBy: { reach: await reachOf(needs, viewer), condition: asked.condition } };
  const [total, found] = await Promise.all([
    needs.store.activities.countActivities(filter),
    needs.store.activities.listActivities(filter, (asked.page - 1) * asked.limit, asked.limit),
  ]);
  return { total, activities: found };
}

type ActivityListIn = {
  readonly condition: ActivityCondition;
  readonly page: number;
  readonly limit: number;
};
type ActivityList = { readonly total: number; readonly activities: readonly Activity[] };

export type ActivityView = {
  readonly activity: Activity;
  readonly steps: readonly ActivityStep[];
  readonly may: {
    readonly approve: boolean;
    readonly throwOut: boolean;
    readonly cancel: boolean;
    readonly hold: boolean;
  };
  /** Approving needs an index. */
  readonly needsIndex: boolean;
};

const NOBODYS = { depositor: 0, onBehalfOf: null, communities: [] };
const THROWN_OUT = "Thrown out: send the item again, or cancel";

/**
 * True where the depositor is to send the item again: it was thrown out, or it stopped because something required is
 * missing (R16).
 */
export function waitsForDepositor(activity: Activity): boolean {
  if (activity.kind === "deletion" || activity.actions[activity.step] !== "item_registration") return false;
  return activity.state === "P" || (activity.state === "M" && activity.note === THROWN_OUT);
}

/** What the right to approve an activity depends on now; null for one that is not there. */
export async function approvalFacts(
  reader: Pick<RepositoryReader, "activities" | "settings" | "items">,
  id: string,
): Promise<ApprovalFacts | null> {
  const activity = await reader.activities.activity(id);
  return activity === null ? null : await factsOf(reader, activity);
}

/** The facts rights depend on; null when the workflow is gone from the table, which cannot be. */
async function factsOf(
  reader: Pick<RepositoryReader, "settings" | "items">,
  activity: Activity,
): Promise<ApprovalFacts | null> {
  const workflow = await reader.settings.workflow(activity.workflow);
  if (workflow === null) return null;
  const item = activity.itemId === null ? null : await reader.items.item(activity.itemId);
  const parent = item === null ? null : await reader.items.parent(item.parentId);
  return {
    approvers: workflow.approvers,
    depositor: activity.account,
    onBehalfOf: activity.onBehalfOf,
    communities: [...(parent?.communities ?? []), ...(await communitiesAhead(reader, activity))],
  };
}

/**
 * Communities in whose indexes a pending item will be: they decide about it, although it is not filed yet (R2e, "own
 * community").
 */
async function communitiesAhead(reader: Pick<RepositoryReader, "items">, { itemId, kind }: Activity) {
  if (itemId === null || kind === "deletion") return [];
  const indexes = (await reader.items.draft(itemId))?.content.indexes ?? [];
  return [...(await reader.items.communitiesAbove(indexes)).values()].flat();
}

/** Whether the pending item names an index that is there: one that was deleted meanwhile is none (R16a). */
async function isFiledOnce(reader: Pick<RepositoryReader, "items">, activity: Activity): Promise<boolean> {
  if (activity.itemId === null) return false;
  const draft = await reader.items.draft(activity.itemId);
  return (await reader.items.communitiesAbove(draft?.content.indexes ?? [])).size > 0;
}

function requireComment(comment: string): void {
  if (comment.length <= COMMENT_MAX) return;
  throw new Refusal("invalid", `A comment has at most ${COMMENT_MAX} characters, this one has ${comment.length}`);
}

async function noteFields(
  tx: RepositoryWriter,
  { id: activityId }: Activity,
  action: Action,
  viewer: Viewer,
  fields: readonly FieldComment[],
  at: Instant,
): Promise<void> {
  const account = viewer.account?.id ?? null;
  for (const { field, content: comment } of fields) {
    if (comment.trim() === "") continue;
    await tx.activities.addStep({ activityId, action, state: "M", account, comment, at, event: "comment", field });
  }
}

async function note(
  tx: RepositoryWriter,
  activity: Activity,
  action: Action,
  state: ActivityStep["state"],
  viewer: Viewer | null,
  comment: string,
  at: Instant,
): Promise<void> {
  await tx.activities.addStep({
    activityId: activity.id,
    action,
    state,
    account: viewer?.account?.id ?? null,
    comment,
    at,
  });
}
