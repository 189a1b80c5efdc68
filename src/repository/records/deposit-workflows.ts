// The workflows that deposits by pages go through, by the settings of the format JSON (R16, R17).
import { takesDeposits } from "../../model/rights/workflow-rules.ts";
import { FORMAT_DEFAULTS } from "../deposit/client-settings.ts";
import type { SettingReader, Workflow } from "../store/settings.ts";

/** The workflows of new deposits; null: they are published directly. */
export async function depositWorkflows(settings: SettingReader): Promise<readonly Workflow[] | null> {
  const { registrationType, workflow } = (await settings.formatSetting("JSON")) ?? FORMAT_DEFAULTS.JSON;
  if (registrationType !== 2) return null;
  const named = workflow === null ? null : await settings.workflow(workflow);
  const all = workflow === null ? await settings.workflows() : named === null ? [] : [named];
  return all.filter(takesDeposits);
}
