// The workflows that deposits by pages go through, by the settings of the format JSON (R16, R17).
import type { Viewer } from "../../auth/account.ts";
import type { Draft } from "../../model/items/item.ts";
import { takesDeposits } from "../../model/rights/workflow-rules.ts";
import { FORMAT_DEFAULTS } from "../deposit/client-settings.ts";
import type { Activity } from "../store/activities.ts";
import type { SettingReader, Workflow } from "../store/settings.ts";
import type { RepositoryReader } from "../store/store.ts";
import { waitsForDepositor } from "../workflow/activities.ts";

/** The workflows of new deposits; null: they are published directly. */
export async function depositWorkflows(settings: SettingReader): Promise<readonly Workflow[] | null> {
  const { registrationType, workflow } = (await settings.formatSetting("JSON")) ?? FORMAT_DEFAULTS.JSON;
  if (registrationType !== 2) return null;
  const named = workflow === null ? null : await settings.workflow(workflow);
  const all = workflow === null ? await settings.workflows() : named === null ? [] : [named];
  return all.filter(takesDeposits);
}

/** The activity by which a draft was returned to this viewer; null: none. */
export async function returnedActivity(
  { activities }: Pick<RepositoryReader, "activities">,
  viewer: Viewer,
  { activityId }: Pick<Draft, "activityId">,
): Promise<Activity | null> {
  const activity = activityId === null ? null : await activities.activity(activityId);
  return activity !== null && waitsForDepositor(activity) && activity.account === viewer.account?.id ? activity : null;
}
