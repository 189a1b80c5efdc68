// What administrators set, as a feature of the repository (R17), with what a repository has from its start.
import { repositoryAdmin } from "../../../plugins/repository/administration/administration.ts";
import { SHIPPED_ITEM_TYPES } from "../../assets/item-types/index.ts";
import { SHIPPED_MAPPINGS } from "../../assets/mappings/index.ts";
import { SHIPPED_EDITION, SHIPPED_TYPES, shippedVocabulary } from "../../assets/vocabularies/index.ts";
import { tidyingJobs } from "../../repository/administration/repository-tidying.ts";
import { shippedSettings } from "../../repository/administration/shipped-settings.ts";
import { communityCommands } from "../commands/repository/community.ts";
import { groupCommands } from "../commands/repository/group.ts";
import { itemTypeCommands, mappingCommands } from "../commands/repository/item-type.ts";
import { searchSettingCommands } from "../commands/repository/search-settings.ts";
import { swordCommands } from "../commands/repository/sword.ts";
import { vocabularyCommands } from "../commands/repository/vocabulary.ts";
import { workflowCommands } from "../commands/repository/workflow.ts";
import type { Feature } from "./feature.ts";
import { registrationOf } from "./people-core.ts";

export const administrationFeature: Feature = {
  commands: {
    People: [...groupCommands, ...communityCommands],
    Deposits: [...itemTypeCommands, ...mappingCommands, ...workflowCommands, ...vocabularyCommands, ...swordCommands],
    Items: searchSettingCommands,
  },
  setUp: shippedSettings({
    itemTypes: SHIPPED_ITEM_TYPES,
    vocabularies: { edition: SHIPPED_EDITION, types: SHIPPED_TYPES, entries: shippedVocabulary },
    mappings: SHIPPED_MAPPINGS,
  }),
  jobs: tidyingJobs,
  endpoint: (served) => ({
    plugin: repositoryAdmin({
      administration: served.admin,
      registration: registrationOf(served),
      guard: served.guard,
    }),
  }),
};
