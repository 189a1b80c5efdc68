// Everything an administrator sets, in one place, for the interface and the command line (R6a, R6b, R16, R17).
import type { Random } from "../../shared/time/clock.ts";
import { accountCollection } from "./accounts.ts";
import { type AuditLog, auditLog } from "./audit.ts";
import { authorLanguageCollection, authorSchemeCollection } from "./author-choices.ts";
import type { AdministrationNeeds } from "./collection.ts";
import { communityCollection } from "./communities.ts";
import { crateMappingCollection } from "./crate-mappings.ts";
import { clientCollection, formatCollection } from "./deposit-settings.ts";
import { groupCollection } from "./groups.ts";
import { itemTypeCollection } from "./item-types.ts";
import { type Jobs, jobs } from "./jobs.ts";
import { mappingCollection } from "./mappings.ts";
import { facetCollection, searchFieldCollection } from "./search-settings.ts";
import { type Tokens, tokens } from "./tokens.ts";
import { type Vocabularies, vocabularies } from "./vocabularies.ts";
import { workflowCollection } from "./workflows.ts";

export interface Administration {
  readonly users: ReturnType<typeof accountCollection>;
  readonly groups: ReturnType<typeof groupCollection>;
  readonly communities: ReturnType<typeof communityCollection>;
  readonly itemTypes: ReturnType<typeof itemTypeCollection>;
  readonly crateMappings: ReturnType<typeof crateMappingCollection>;
  readonly mappings: ReturnType<typeof mappingCollection>;
  readonly workflows: ReturnType<typeof workflowCollection>;
  readonly swordFormats: ReturnType<typeof formatCollection>;
  readonly swordClients: ReturnType<typeof clientCollection>;
  readonly authorSchemes: ReturnType<typeof authorSchemeCollection>;
  readonly institutionSchemes: ReturnType<typeof authorSchemeCollection>;
  readonly authorLanguages: ReturnType<typeof authorLanguageCollection>;
  readonly facets: ReturnType<typeof facetCollection>;
  readonly searchFields: ReturnType<typeof searchFieldCollection>;
  readonly vocabularies: Vocabularies;
  readonly tokens: Tokens;
  readonly jobs: Jobs;
  readonly audit: AuditLog;
}

export const administration = (
  needs: AdministrationNeeds & {
    readonly random: Random;
    /** True for an entry of a vocabulary that the program brings along. */
    readonly isShipped: (type: string, id: string) => boolean;
  },
): Administration => ({
  users: accountCollection(needs),
  groups: groupCollection(needs),
  communities: communityCollection(needs),
  itemTypes: itemTypeCollection(needs),
  crateMappings: crateMappingCollection(needs),
  mappings: mappingCollection(needs),
  workflows: workflowCollection(needs),
  swordFormats: formatCollection(needs),
  swordClients: clientCollection(needs),
  authorSchemes: authorSchemeCollection(needs, "author"),
  institutionSchemes: authorSchemeCollection(needs, "institution"),
  authorLanguages: authorLanguageCollection(needs),
  facets: facetCollection(needs),
  searchFields: searchFieldCollection(needs),
  vocabularies: vocabularies(needs),
  tokens: tokens(needs),
  jobs: jobs(needs),
  audit: auditLog(needs),
});
