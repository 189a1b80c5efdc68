// The activity by which a draft was returned to its depositor, who may correct it (R16).
import type { Viewer } from "../../auth/account.ts";
import type { Draft } from "../../model/items/item.ts";
import type { Activity } from "../store/activities.ts";
import type { RepositoryReader } from "../store/store.ts";
import { waitsForDepositor } from "./activities.ts";

/** The activity by which a draft was returned to this viewer; null: none. */
export async function returnedActivity(
  { activities }: Pick<RepositoryReader, "activities">,
  viewer: Viewer,
  { activityId }: Pick<Draft, "activityId">,
): Promise<Activity | null> {
  const activity = activityId === null ? null : await activities.activity(activityId);
  return activity !== null && waitsForDepositor(activity) && activity.account === viewer.account?.id ? activity : null;
}
