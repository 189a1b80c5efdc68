// The task that a reviewer goes on with (R44).
import type { Viewer } from "../../../src/auth/account.ts";
import type { Task } from "../../../src/repository/notices/tasks.ts";
import type { NextTask } from "../../../src/repository/pages/templates/decided.ts";

/** What waits for somebody, oldest first. */
export type TasksOf = (viewer: Viewer) => Promise<readonly Task[]>;

/** The oldest task but this one. */
export async function nextTask(
  { tasksOf }: { readonly tasksOf: TasksOf },
  viewer: Viewer,
  but: string,
): Promise<NextTask> {
  return (await tasksOf(viewer)).find(({ id }) => id !== but) ?? null;
}
