// Everything an administrator sets, in one place, for the interface and the command line (R6a, R6b, R16, R17).
import type { Random } from "../../shared/time/clock.ts";
import { accountCollection } from "./accounts.ts";
import { type AuditLog, auditLog } from "./audit.ts";
import { authorChoiceCollection } from "./author-choices.ts";
import type { AdministrationNeeds, Collection } from "./collection.ts";
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
  readonly users: Collection;
  readonly groups: Collection;
  readonly communities: Collection;
  readonly itemTypes: Collection;
  readonly crateMappings: Collection;
  readonly mappings: Collection;
  readonly workflows: Collection;
  readonly swordFormats: Collection;
  readonly swordClients: Collection;
  readonly authorSchemes: Collection;
  readonly institutionSchemes: Collection;
  readonly authorLanguages: Collection;
  readonly facets: Collection;
  readonly searchFields: Collection;
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
  authorSchemes: authorChoiceCollection(needs, "author"),
  institutionSchemes: authorChoiceCollection(needs, "institution"),
  authorLanguages: authorChoiceCollection(needs, "language"),
  facets: facetCollection(needs),
  searchFields: searchFieldCollection(needs),
  vocabularies: vocabularies(needs),
  tokens: tokens(needs),
  jobs: jobs(needs),
  audit: auditLog(needs),
});
