// The author database as a feature of the repository (R20 to R23).
import { authorPlugin } from "../../../plugins/repository/authors/authors.ts";
import { authorDialect } from "../../../plugins/repository/errors.ts";
import { authorJobs } from "../../repository/authors/propagation.ts";
import { seedAuthorChoices } from "../../repository/authors/shipped-choices.ts";
import { authorCommands } from "../commands/repository/author.ts";
import { authorFileCommands } from "../commands/repository/author-files.ts";
import { authorSchemeCommands } from "../commands/repository/author-scheme.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/api\/[^/]+\/authors(?:\/|$)/;

export const authorsFeature: Feature = {
  setUp: [seedAuthorChoices],
  commands: { People: [...authorCommands, ...authorFileCommands, ...authorSchemeCommands] },
  jobs: ({ store, clock, items }) => authorJobs({ store, clock, items }),
  endpoint: ({ authors, guard }) => ({
    plugin: authorPlugin({ authors, guard }),
    dialectFor: (path) => (PATHS.test(path) ? authorDialect : null),
  }),
};
