// Activities that wait for somebody, as a feature of the repository (R16).
import { activitiesPlugin } from "../../../plugins/repository/activities/activities.ts";
import { activityViews } from "../../repository/workflow/activity-views.ts";
import { activityCommands } from "../commands/repository/activity.ts";
import type { Feature } from "./feature.ts";

export const workflowFeature: Feature = {
  commands: { Items: activityCommands },
  endpoint: ({ store, activities, guard }) => ({
    plugin: activitiesPlugin({ activities, views: activityViews({ store, activities }), guard }),
  }),
};
