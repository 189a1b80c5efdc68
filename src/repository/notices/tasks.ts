// What waits for somebody's decision (R44, R45): activities to approve, requests to decide, invitations; oldest first.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import type { RequestType } from "../../model/rights/request-rules.ts";
import type { AccountId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { accessSightOf } from "../requests/access-facts.ts";
import { requestSightOf } from "../requests/request-facts.ts";
import type { TaskPart, TaskSight } from "../store/requests.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { Activities } from "../workflow/activities.ts";

export type Task = {
  /** `activity:ID` or `request:UUID`. */
  readonly id: string;
  readonly kind: "activity" | RequestType;
  readonly title: string;
  /** Below the base URL. */
  readonly path: string;
  /** Since when it waits. */
  readonly since: Instant;
  /** Who took it; null: nobody. */
  readonly holder: AccountId | null;
};

export type TaskPage = {
  readonly tasks: readonly Task[];
  /** All there are. */
  readonly total: number;
  /** What to ask for next; null: these were the last. */
  readonly next: string | null;
};

export type TaskRequest = {
  /** `next` of the page before. */
  readonly after?: string | null;
  readonly limit: number;
  /** Without those that another account holds. */
  readonly isFree?: boolean;
};

export type TasksNeeds = {
  readonly store: Pick<RepositoryStore, "requests">;
  readonly activities: Pick<Activities, "tasks">;
};

/** A task with its place: activities come before requests that wait as long. */
type Placed = { readonly task: Task; readonly place: string };

export async function tasksOf(needs: TasksNeeds, viewer: Viewer, asked: TaskRequest): Promise<TaskPage> {
  const { limit, isFree = false } = asked;
  const after = placeIn(asked.after ?? "");
  const part = { limit: limit + 1, isFree };
  const activities = await needs.activities.tasks(viewer, { ...part, after: after === null ? null : after.activity });
  const requests = await requestTasks(needs.store, viewer, { ...part, after: after === null ? null : after.request });
  const placed: readonly Placed[] = [
    ...activities.tasks.map(({ id, title, updatedAt: since, holder }) => {
      const path = `/workflow/activity/detail/${id}`;
      const task = { id: `activity:${id}`, kind: "activity", title, path, since, holder } as const;
      return { task, place: `${since} ${id}` };
    }),
    ...requests.tasks.map(({ id, number, type: kind, title, submittedAt, createdAt, holder }) => {
      const since = submittedAt ?? createdAt;
      const task = { id: `request:${id}`, kind, title, path: `/requests/${id}`, since, holder };
      return { task, place: `${since} ${number}` };
    }),
  ];
  // Each list is in order already, and activities come first: sorting keeps the order of those that wait as long.
  const sorted = placed.toSorted(({ task: one }, { task: other }) =>
    one.since < other.since ? -1 : one.since > other.since ? 1 : 0,
  );
  const shown = sorted.slice(0, limit);
  return {
    tasks: shown.map(({ task }) => task),
    total: activities.total + requests.total,
    next: sorted.length > limit ? (shown.at(-1)?.place ?? null) : null,
  };
}

/** How many tasks, offers of records and requests for closed files wait for the viewer. */
export async function countWaiting(
  { store, activities }: TasksNeeds & { readonly store: Pick<RepositoryStore, "transfers" | "accessRequests"> },
  viewer: Viewer,
): Promise<number> {
  const account = viewer.account?.id;
  if (account === undefined) return 0;
  const { total } = await tasksOf({ store, activities }, viewer, { limit: 1 });
  const asked = await store.accessRequests.countAccessRequestsFor(accessSightOf(viewer, account));
  return total + asked + (await store.transfers.countWaiting(account));
}

/** A place as the lists know it; null: the beginning, also for text that is none. */
function placeIn(text: string) {
  const [, since = "", id = ""] = /^(\d{4}-[\d:T.-]{1,30}Z) ([A-Z0-9-]{1,40})$/.exec(text) ?? [];
  if (since === "") return null;
  const isRequest = /^\d+$/.test(id);
  return {
    // Behind every activity of this moment, where a request was the last.
    activity: { since, id: isRequest ? "~" : id },
    request: { since, id: isRequest ? Number(id) : 0 },
  };
}

async function requestTasks({ requests }: TasksNeeds["store"], viewer: Viewer, part: TaskPart<number>) {
  const sight = taskSightOf(viewer);
  if (sight === null) return { tasks: [], total: 0 };
  return { tasks: await requests.requestTasks(sight, part), total: await requests.countRequestTasks(sight) };
}

function taskSightOf(viewer: Viewer): TaskSight | null {
  const { account, memberships } = viewer;
  if (account === null) return null;
  const owned = memberships.flatMap(({ role, communityId }) => (role === "owner" ? [communityId] : []));
  const seen = requestSightOf(viewer) ?? { account: account.id, curated: [], managed: [] };
  return { ...seen, owned, everything: isAdministrator(viewer) };
}
