// What waits for somebody's decision (R45): activities to approve, requests to decide, invitations; oldest first.
import type { Viewer } from "../../auth/account.ts";
import { mayActOn } from "../../model/rights/request-rules.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { factsWith, requestSightOf } from "../requests/request-facts.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { Activities } from "../workflow/activities.ts";

/** Tasks of each sort that are listed. */
const TASKS_MOST = 100;

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
  const seenBy = requestSightOf(viewer);
  const filter = { statuses: ["submitted"] as const, ...(seenBy === undefined ? {} : { seenBy }) };
  const requests = await store.requests.findRequests(filter, "oldest", 0, TASKS_MOST);
  const parents = await store.items.parents([...new Set(requests.flatMap(({ parent }) => parent ?? []))]);
  const tasks: Task[] = waiting.map(({ id, title, updatedAt }) => ({
    id: `activity:${id}`,
    kind: "activity",
    title,
    path: `/workflow/activity/detail/${id}`,
    since: updatedAt,
  }));
  for (const request of requests) {
    const facts = factsWith(request, parents.get(request.parent ?? 0) ?? null);
    const isOwn = viewer.account?.id === request.creator;
    if (isOwn || !mayActOn(viewer, { ...facts, action: "accept" })) continue;
    const { id, type, title, submittedAt, createdAt } = request;
    tasks.push({ id: `request:${id}`, kind: type, title, path: `/requests/${id}`, since: submittedAt ?? createdAt });
  }
  return tasks.toSorted((one, other) => (one.since < other.since ? -1 : one.since > other.since ? 1 : 0));
}
