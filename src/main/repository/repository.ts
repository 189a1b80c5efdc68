// The repository is a list of features (R1, R32). Server, worker, `up`, commands and interface description all read it:
// routes, commands and the steps of a first setup have its order.
import { type JobKinds, type JobRunner, jobRunner } from "../../jobs/runner.ts";
import type { SetupStep } from "../../repository/store/store.ts";
import type { Command } from "../commands/command.ts";
import { jobCommands } from "../commands/repository/jobs.ts";
import { administrationFeature } from "./administration.ts";
import { authorizationFeature } from "./authorization.ts";
import { authorsFeature } from "./authors.ts";
import { communitiesFeature } from "./communities.ts";
import { depositFeature } from "./deposit.ts";
import type { CommandGroup, Feature, Runtime } from "./feature.ts";
import { filingFeature } from "./filing.ts";
import { fullTextFeature } from "./full-text.ts";
import { hitFilesFeature } from "./hit-files.ts";
import { iiifFeature } from "./iiif.ts";
import { indexTreeFeature } from "./index-tree.ts";
import { itemTypesFeature } from "./item-types.ts";
import { itemsFeature } from "./items.ts";
import { noticesFeature } from "./notices.ts";
import { oaiFeature } from "./oai.ts";
import { opensearchFeature } from "./opensearch.ts";
import { pagesFeature } from "./pages.ts";
import { peopleFeature } from "./people.ts";
import { recordFilesFeature } from "./record-files.ts";
import { recordImportFeature } from "./record-import.ts";
import { recordListFeature } from "./record-list.ts";
import { recordSearchFeature } from "./record-search.ts";
import { recordsFeature } from "./records.ts";
import { recordsApiFeature } from "./records-api.ts";
import { requestsFeature } from "./requests.ts";
import { savedSearchesFeature } from "./saved-searches.ts";
import { searchFeature, searchForTools } from "./search.ts";
import { staticPagesFeature } from "./static-pages.ts";
import { statisticsFeature } from "./statistics.ts";
import { storageFeature } from "./storage.ts";
import { toolsAlone, toolsFeature } from "./tools.ts";
import { vocabulariesFeature } from "./vocabularies.ts";
import { workflowFeature } from "./workflow.ts";

/** Background work (R8, R8a): its kinds come from the other features. */
const jobsFeature: Feature = { commands: { "Look after": jobCommands } };

export const REPOSITORY: readonly Feature[] = [
  peopleFeature,
  authorizationFeature,
  itemsFeature,
  depositFeature,
  indexTreeFeature,
  filingFeature,
  authorsFeature,
  workflowFeature,
  administrationFeature,
  itemTypesFeature,
  searchFeature,
  recordSearchFeature,
  hitFilesFeature,
  communitiesFeature,
  requestsFeature,
  noticesFeature,
  savedSearchesFeature,
  opensearchFeature,
  vocabulariesFeature,
  staticPagesFeature,
  recordsApiFeature,
  recordImportFeature,
  recordsFeature,
  recordFilesFeature,
  iiifFeature,
  toolsFeature,
  recordListFeature,
  statisticsFeature,
  storageFeature,
  fullTextFeature,
  jobsFeature,
  oaiFeature,
  pagesFeature,
];

/** Of a process that serves the tools and nothing else: it searches and reads files like the repository. */
export const TOOLS_ALONE: readonly Feature[] = [
  searchForTools(searchFeature),
  withoutEndpoint(storageFeature),
  toolsAlone,
];

function withoutEndpoint({ endpoint: _, ...feature }: Feature): Feature {
  return feature;
}

/** What every start makes sure of (src/repository/administration/repository-setup.ts). */
export const SETUP_STEPS: readonly SetupStep[] = REPOSITORY.flatMap(({ setUp = [] }) => setUp);

export const repositoryCommands = (group: CommandGroup): readonly Command[] =>
  REPOSITORY.flatMap(({ commands = {} }) => commands[group] ?? []);

/** The kinds of jobs of all features. @throws RangeError when two features bring the same kind */
export function jobKindsOf(runtime: Runtime, features: readonly Feature[] = REPOSITORY): JobKinds {
  const kinds = features.flatMap(({ jobs }) => Object.entries(jobs?.(runtime) ?? {}));
  const names = kinds.map(([name]) => name);
  const double = names.find((name, at) => names.indexOf(name) !== at);
  if (double !== undefined) throw new RangeError(`Two features bring jobs of the kind "${double}"`);
  return Object.fromEntries(kinds);
}

/** The runner of a process's jobs (R8, R8a), and the other background work. Nothing runs before its `start`. */
export function jobsOf(runtime: Runtime): JobRunner {
  const { store, clock, random, log } = runtime;
  const kinds = jobKindsOf(runtime);
  const owner = Array.from(random.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const runner = jobRunner({ store, kinds, clock, log, owner });
  const others = REPOSITORY.flatMap(({ background }) => background?.(runtime) ?? []);
  return {
    ...runner,
    async start() {
      await runner.start();
      for (const each of others) each.start();
    },
    async stop() {
      await Promise.all([runner.stop(), ...others.map((each) => each.stop())]);
    },
  };
}
