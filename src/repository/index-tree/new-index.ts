// A new index: defaults of the specification 2 ("Index tree endpoints", table of the POST body) and what a child takes from its parent (R24, R2e).
import type { Instant } from "../../shared/instant.ts";
import { ROLE_IDS, ROLES } from "../../auth/account.ts";
import { type IndexNode, ROOT_INDEX } from "../model/index-node.ts";
import type { NewIndex } from "./index-input.ts";

/** The index every repository begins with. */
export const FIRST_INDEX = 1;

/** Everybody; contributing needs an account. */
const ALL_BROWSE: readonly number[] = ROLE_IDS;
const ALL_CONTRIBUTE: readonly number[] = ROLE_IDS.filter((role) => role !== ROLES.guest);

const NEW_NAME = "New Index";

type Settings = Omit<IndexNode, "id" | "parent" | "position" | "owner" | "createdAt" | "updatedAt" | "deletedAt">;

const DEFAULTS: Settings = {
  indexName: NEW_NAME,
  indexNameEnglish: NEW_NAME,
  indexLinkName: "",
  indexLinkNameEnglish: NEW_NAME,
  indexLinkEnabled: false,
  comment: "",
  moreCheck: false,
  displayNo: 5,
  harvestPublicState: true,
  displayFormat: "1",
  publicState: false,
  publicDate: null,
  rssStatus: false,
  coverpageState: false,
  recursiveCoverpageCheck: false,
  recursivePublicState: false,
  browsingRole: ALL_BROWSE,
  contributeRole: ALL_CONTRIBUTE,
  browsingGroup: [],
  contributeGroup: [],
  recursiveBrowsingRole: false,
  recursiveContributeRole: false,
  recursiveBrowsingGroup: false,
  recursiveContributeGroup: false,
  onlineIssn: "",
};

/** What a child takes over (R24): display format and harvest always, a setting and its flag where the flag is on. */
export function inheritedFrom(parent: IndexNode): Partial<Settings> {
  return {
    displayFormat: parent.displayFormat,
    harvestPublicState: parent.harvestPublicState,
    ...(parent.recursivePublicState
      ? { publicState: parent.publicState, publicDate: parent.publicDate, recursivePublicState: true }
      : {}),
    ...(parent.recursiveCoverpageCheck ? { coverpageState: parent.coverpageState, recursiveCoverpageCheck: true } : {}),
    ...(parent.recursiveBrowsingRole ? { browsingRole: parent.browsingRole, recursiveBrowsingRole: true } : {}),
    ...(parent.recursiveContributeRole ? { contributeRole: parent.contributeRole, recursiveContributeRole: true } : {}),
    ...(parent.recursiveBrowsingGroup ? { browsingGroup: parent.browsingGroup, recursiveBrowsingGroup: true } : {}),
    ...(parent.recursiveContributeGroup
      ? { contributeGroup: parent.contributeGroup, recursiveContributeGroup: true }
      : {}),
  };
}

/** What was sent wins over what the parent hands down, and that over the defaults. `parent` null: the root. */
export function makeIndex(
  sent: NewIndex,
  parent: IndexNode | null,
  made: { readonly id: number; readonly position: number; readonly owner: number | null; readonly at: Instant },
): IndexNode {
  const { id, position, owner, at } = made;
  return {
    ...DEFAULTS,
    ...(parent === null ? {} : inheritedFrom(parent)),
    ...sent,
    id,
    position,
    owner,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
}

/** The one public index of a fresh repository (R24). */
export function firstIndex(at: Instant): IndexNode {
  const sent: NewIndex = {
    parent: ROOT_INDEX,
    indexName: "サンプル",
    indexNameEnglish: "Sample Index",
    indexLinkNameEnglish: "Sample Index",
    publicState: true,
  };
  return makeIndex(sent, null, { id: FIRST_INDEX, position: 0, owner: null, at });
}
