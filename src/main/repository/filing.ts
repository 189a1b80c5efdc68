// Filing items and changing many of them, as a feature of the repository (R16a, R25, R47).
import { bulkDialect, indexDialect } from "../../../plugins/repository/errors.ts";
import { filingPlugin } from "../../../plugins/repository/filing/filing.ts";
import { bulkChangeJobs, bulkChanges } from "../../repository/items/bulk-changes.ts";
import { itemFiling } from "../../repository/items/filing.ts";
import type { Feature } from "./feature.ts";

const FILING_PATHS = /^\/api\/[^/]+\/items(?:\/|$)/;
const BULK_PATHS = /^\/api\/[^/]+\/bulk-changes(?:\/|$)/;

export const filingFeature: Feature = {
  jobs: bulkChangeJobs,
  endpoint: ({ guard, ...runtime }) => ({
    plugin: filingPlugin({ filing: itemFiling(runtime), bulk: bulkChanges(runtime), guard }),
    dialectFor: (path) => (FILING_PATHS.test(path) ? indexDialect : BULK_PATHS.test(path) ? bulkDialect : null),
  }),
};
