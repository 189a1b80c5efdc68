// The task that a reviewer goes on with (R44).
import type { Viewer } from "../../../src/auth/account.ts";
import type { TaskPage, TaskRequest } from "../../../src/repository/notices/tasks.ts";
import type { NextTask } from "../../../src/repository/pages/templates/decided.ts";

/** What waits for somebody, oldest first. */
export type TasksOf = (viewer: Viewer, asked: TaskRequest) => Promise<TaskPage>;

/** The oldest task but this one that nobody else holds. */
export async function nextTask(
  { tasksOf }: { readonly tasksOf: TasksOf },
  viewer: Viewer,
  but: string,
): Promise<NextTask> {
  const { tasks } = await tasksOf(viewer, { limit: 2, isFree: true });
  return tasks.find(({ id }) => id !== but) ?? null;
}
