// Activities as people and programs are shown them (R16): with the names of who deposited and who decided.

import type { Account, Viewer } from "../../auth/account.ts";
import type { ACTION_NAMES, ActivityCondition } from "../../model/rights/workflow-rules.ts";
import type { Activity, ActivityStep } from "../store/activities.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { Activities, ActivityView } from "./activities.ts";

export type NamedActivity = {
  readonly activity: Activity;
  readonly workflow: { readonly en: string; readonly ja: string };
  /** Mail address, ePPN or name of the depositor. */
  readonly depositor: string;
  /** The same of who took it; "": nobody. */
  readonly holder: string;
};

type NamedStep = { readonly step: ActivityStep; readonly who: string; readonly about: string };

export type ActivityDetail = NamedActivity &
  Pick<ActivityView, "may" | "needsIndex"> & { readonly steps: readonly NamedStep[] };

type ActivityPage = {
  readonly total: number;
  readonly condition: ActivityCondition;
  readonly limit: number;
  readonly page: number;
  readonly activities: readonly NamedActivity[];
};

export interface ActivityViews {
  /** `page` from 1. What waits for the viewer: longest first; others newest first. */
  list(
    viewer: Viewer,
    asked: { readonly condition: ActivityCondition; readonly limit: number; readonly page: number },
  ): Promise<ActivityPage>;
  /** @throws Refusal `not_found` for viewers who may not see it */
  read(viewer: Viewer, id: string): Promise<ActivityDetail>;
}

const nameOf = (account: Account | undefined): string => account?.mail ?? account?.eppn ?? account?.name ?? "";

export const activityViews = (needs: {
  readonly store: Pick<RepositoryReader, "accounts" | "settings">;
  readonly activities: Pick<Activities, "list" | "read">;
}): ActivityViews => {
  const { store, activities } = needs;

  async function people(ids: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> {
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    return new Map((await store.accounts.accounts(wanted)).map((account) => [account.id, nameOf(account)]));
  }

  async function workflowName(id: number): Promise<NamedActivity["workflow"]> {
    return (await store.settings.workflow(id))?.name ?? { en: "", ja: "" };
  }

  return {
    async list(viewer, asked) {
      const { total, activities: found } = await activities.list(viewer, asked);
      const names = await people(found.flatMap(({ account, holder }) => [account, holder]));
      const workflows = new Map<number, NamedActivity["workflow"]>();
      for (const { workflow } of found)
        if (!workflows.has(workflow)) workflows.set(workflow, await workflowName(workflow));
      return {
        ...asked,
        total,
        activities: found.map((activity) => ({
          activity,
          workflow: workflows.get(activity.workflow) ?? { en: "", ja: "" },
          depositor: names.get(activity.account) ?? "",
          holder: names.get(activity.holder ?? 0) ?? "",
        })),
      };
    },

    async read(viewer, id) {
      const { activity, steps, may, needsIndex } = await activities.read(viewer, id);
      const named = steps.flatMap(({ account, about }) => [account, about]);
      const names = await people([activity.account, activity.holder, ...named]);
      return {
        activity,
        workflow: await workflowName(activity.workflow),
        depositor: names.get(activity.account) ?? "",
        holder: names.get(activity.holder ?? 0) ?? "",
        may,
        needsIndex,
        steps: steps.map((step) => ({
          step,
          who: names.get(step.account ?? 0) ?? "",
          about: names.get(step.about ?? 0) ?? "",
        })),
      };
    },
  };
};

/** The current action of an activity. */
export function actionAt({ actions, step }: Activity): keyof typeof ACTION_NAMES {
  return actions[step] ?? "end";
}
