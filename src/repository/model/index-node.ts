// One index of the tree (R24; specification 2, "Index resource" and the table of the POST body). Id 0 is the root, which is no row.
import type { Instant } from "../../shared/instant.ts";

export const ROOT_INDEX = 0;

export type IndexNode = {
  readonly id: number;
  readonly parent: number;
  readonly position: number;
  readonly indexName: string;
  readonly indexNameEnglish: string;
  readonly indexLinkName: string;
  readonly indexLinkNameEnglish: string;
  readonly indexLinkEnabled: boolean;
  readonly comment: string;
  readonly moreCheck: boolean;
  readonly displayNo: number;
  readonly harvestPublicState: boolean;
  readonly displayFormat: "1" | "2";
  readonly publicState: boolean;
  /** `YYYY-MM-DD`; null: no date gates it. */
  readonly publicDate: string | null;
  readonly rssStatus: boolean;
  readonly coverpageState: boolean;
  readonly recursiveCoverpageCheck: boolean;
  readonly recursivePublicState: boolean;
  /** Role and group ids, in the order written. */
  readonly browsingRole: readonly number[];
  readonly contributeRole: readonly number[];
  readonly browsingGroup: readonly number[];
  readonly contributeGroup: readonly number[];
  readonly recursiveBrowsingRole: boolean;
  readonly recursiveContributeRole: boolean;
  readonly recursiveBrowsingGroup: boolean;
  readonly recursiveContributeGroup: boolean;
  readonly onlineIssn: string;
  readonly owner: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: Instant | null;
};

/** Where an index stands and who may browse it: what the shape of a viewer's tree is made from. */
export type IndexOutline = Pick<
  IndexNode,
  "id" | "parent" | "position" | "publicState" | "publicDate" | "browsingRole" | "browsingGroup"
>;

/** What GET shows of an index (specification 2, "Index resource"). */
export type IndexShown = Pick<
  IndexNode,
  | keyof IndexOutline
  | "indexName"
  | "indexNameEnglish"
  | "indexLinkName"
  | "indexLinkNameEnglish"
  | "indexLinkEnabled"
  | "moreCheck"
  | "displayNo"
  | "coverpageState"
  | "recursiveCoverpageCheck"
  | "contributeRole"
  | "contributeGroup"
  | "deletedAt"
>;
