// The index tree as a feature of the repository (R24 to R26).
import { indexDialect } from "../../../plugins/repository/errors.ts";
import { indexTreePlugin } from "../../../plugins/repository/index-tree/index-tree.ts";
import { seedTree } from "../../repository/index-tree/index-tree.ts";
import { indexTreeJobs } from "../../repository/index-tree/tree-jobs.ts";
import { indexCommands } from "../commands/repository/index-tree.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/api\/(?:(?:[^/]+\/)?tree|indextree)(?:\/|$)/;

export const indexTreeFeature: Feature = {
  commands: { Items: indexCommands },
  setUp: [seedTree],
  jobs: ({ store, items }) => indexTreeJobs({ store, describe: items.describeFor }),
  endpoint: ({ tree: indexTree, guard, config: { legacyIndexCreate } }) => ({
    plugin: indexTreePlugin({ indexTree, legacyIndexCreate, guard }),
    dialectFor: (path) => (PATHS.test(path) ? indexDialect : null),
  }),
};
