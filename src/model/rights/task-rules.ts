// Tasks of reviewers (R44): who takes one, releases it, and gives it to somebody else. Pure.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import type { AccountId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";

/** How a task changes hands, as its timeline names it. */
export const TASK_EVENTS = ["taken", "released", "reassigned"] as const;
export type TaskEvent = (typeof TASK_EVENTS)[number];

export type TaskFacts = {
  /** Who holds it now; null: nobody. */
  readonly holder: AccountId | null;
  /** Who is to hold it; null: nobody. */
  readonly to: AccountId | null;
  /** The viewer may decide about it. */
  readonly decides: boolean;
};

/** What a change of the holder is; null: the viewer may not do it. */
export function taskEventOf(viewer: Viewer, { holder, to, decides }: TaskFacts): TaskEvent | null {
  const own = viewer.account?.id ?? null;
  if (to === null) return own !== null && (holder === own || isAdministrator(viewer)) ? "released" : null;
  if (isAdministrator(viewer) && (to !== own || holder !== null)) return "reassigned";
  return decides && to === own ? "taken" : null;
}

/** A task that another account holds is decided by its holder, and by administrators. */
export const isHeldByAnother = (viewer: Viewer, holder: AccountId | null): boolean =>
  holder !== null && holder !== viewer.account?.id && !isAdministrator(viewer);

export const heldByAnother = (holder: AccountId): Refusal =>
  new Refusal("forbidden", `Account ${holder} has taken this task`, { detail: { holder } });
