// What waits for somebody's decision (R45): activities to approve, requests to decide, invitations; oldest first.
import type { Viewer } from "../../auth/account.ts";
import { mayActOn } from "../../model/rights/request-rules.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { factsWith, requestSightOf } from "../requests/request-facts.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { Activities } from "../workflow/activities.ts";

/** Tasks of each sort that are listed. */
const TASKS_MOST = 100;
/** Requests among which those to decide are sought, and how many are read at a time. */
const REQUESTS_READ_MOST = 2_000;
const REQUESTS_AT_ONCE = 100;

export type Task = {
  /** `activity:ID` or `request:UUID`. */
  readonly id: string;
  readonly kind: "activity" | "community-submission" | "community-inclusion" | "community-invitation";
  readonly title: string;
  /** Below the base URL. */
  readonly path: string;
  /** Since when it waits. */
  readonly since: Instant;
};

export type TasksNeeds = {
  readonly store: Pick<RepositoryStore, "requests" | "items">;
  readonly activities: Pick<Activities, "list">;
};

export async function tasksOf({ store, activities }: TasksNeeds, viewer: Viewer): Promise<readonly Task[]> {
  const { activities: waiting } = await activities.list(viewer, { condition: "todo", page: 1, limit: TASKS_MOST });
  const tasks: Task[] = waiting.map(({ id, title, updatedAt }) => ({
    id: `activity:${id}`,
    kind: "activity",
    title,
    path: `/workflow/activity/detail/${id}`,
    since: updatedAt,
  }));
  tasks.push(...(await requestTasks(store, viewer)));
  return tasks.toSorted((one, other) => (one.since < other.since ? -1 : one.since > other.since ? 1 : 0));
}

/** The viewer may see more requests than are theirs to decide. */
async function requestTasks(store: TasksNeeds["store"], viewer: Viewer): Promise<readonly Task[]> {
  const seenBy = requestSightOf(viewer);
  const filter = { statuses: ["submitted"] as const, ...(seenBy === undefined ? {} : { seenBy }) };
  const tasks: Task[] = [];
  for (let read = 0; read < REQUESTS_READ_MOST && tasks.length < TASKS_MOST; read += REQUESTS_AT_ONCE) {
    const requests = await store.requests.findRequests(filter, "oldest", read, REQUESTS_AT_ONCE);
    const parents = await store.items.parents([...new Set(requests.flatMap(({ parent }) => parent ?? []))]);
    for (const request of requests) {
      const facts = factsWith(request, parents.get(request.parent ?? 0) ?? null);
      const isOwn = viewer.account?.id === request.creator;
      if (isOwn || !mayActOn(viewer, { ...facts, action: "accept" })) continue;
      const { id, type, title, submittedAt, createdAt } = request;
      tasks.push({ id: `request:${id}`, kind: type, title, path: `/requests/${id}`, since: submittedAt ?? createdAt });
    }
    if (requests.length < REQUESTS_AT_ONCE) break;
  }
  return tasks.slice(0, TASKS_MOST);
}
