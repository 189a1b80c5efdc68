// Static pages over HTTP and on the command line, as a feature of the repository (Q.10, Q.13).
import { staticPageRoutes } from "../../../plugins/repository/administration/static-pages.ts";
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { pageCommands } from "../commands/repository/page.ts";
import type { Feature } from "./feature.ts";

const PATHS = /^\/api\/pages(?:\/|$)/;

export const staticPagesFeature: Feature = {
  commands: { Items: pageCommands },
  endpoint: ({ guard, staticPages, addresses: { baseUrl } }) => ({
    plugin: staticPageRoutes({ guard, pages: staticPages, baseUrl }),
    dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
  }),
};
