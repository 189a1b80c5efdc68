// The repository is a list of features (R1, R32). Server, worker, `up`, commands and interface description all read it: routes, commands and the
// steps of a first setup stand in its order.
import { type JobRunner, jobRunner } from "../jobs/runner.ts";
import type { SetupStep } from "../repository/store/setup-step.ts";
import type { Command } from "./commands/command.ts";
import { jobCommands } from "./commands/repository/jobs.ts";
import { administrationFeature } from "./repository/administration.ts";
import { authorizationFeature } from "./repository/authorization.ts";
import { authorsFeature } from "./repository/authors.ts";
import { communitiesFeature } from "./repository/communities.ts";
import { depositFeature } from "./repository/deposit.ts";
import type { CommandGroup, Feature, House } from "./repository/feature.ts";
import { filingFeature } from "./repository/filing.ts";
import { fullTextFeature } from "./repository/full-text.ts";
import { indexTreeFeature } from "./repository/index-tree.ts";
import { itemTypesFeature } from "./repository/item-types.ts";
import { itemsFeature } from "./repository/items.ts";
import { oaiFeature } from "./repository/oai.ts";
import { opensearchFeature } from "./repository/opensearch.ts";
import { pagesFeature } from "./repository/pages.ts";
import { peopleFeature } from "./repository/people.ts";
import { recordFilesFeature } from "./repository/record-files.ts";
import { recordImportFeature } from "./repository/record-import.ts";
import { recordListFeature } from "./repository/record-list.ts";
import { recordSearchFeature } from "./repository/record-search.ts";
import { recordsFeature } from "./repository/records.ts";
import { recordsApiFeature } from "./repository/records-api.ts";
import { requestsFeature } from "./repository/requests.ts";
import { searchFeature, searchForTools } from "./repository/search.ts";
import { statisticsFeature } from "./repository/statistics.ts";
import { storageFeature } from "./repository/storage.ts";
import { toolsAlone, toolsFeature } from "./repository/tools.ts";
import { vocabulariesFeature } from "./repository/vocabularies.ts";
import { workflowFeature } from "./repository/workflow.ts";

/** Work beside requests (R8, R8a): the kinds of it come from the other features. */
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
  communitiesFeature,
  requestsFeature,
  opensearchFeature,
  vocabulariesFeature,
  recordsApiFeature,
  recordImportFeature,
  recordsFeature,
  recordFilesFeature,
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

/** The runner of a process's jobs (R8, R8a), and what goes on beside them. Nothing runs before its `start`. */
export function jobsOf(house: House): JobRunner {
  const { store, clock, random, log } = house;
  const kinds = Object.assign({}, ...REPOSITORY.map(({ jobs }) => jobs?.(house) ?? {}));
  const owner = Array.from(random.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const runner = jobRunner({ store, kinds, clock, log, owner });
  const beside = REPOSITORY.flatMap(({ background }) => background?.(house) ?? []);
  return {
    ...runner,
    async start() {
      await runner.start();
      for (const each of beside) each.start();
    },
    async stop() {
      await Promise.all([runner.stop(), ...beside.map((each) => each.stop())]);
    },
  };
}
