// One index of the tree (R24; specification 2, "Index resource" and the table of the POST body). Id 0 is the root,
// which has no row.
import type { AccountId, IndexId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { IN_TREE_NAMES, type IndexSettings } from "./index-fields.ts";

export const ROOT_INDEX = 0;

export type IndexNode = IndexSettings & {
  readonly id: IndexId;
  readonly parent: IndexId;
  readonly position: number;
  readonly owner: AccountId | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: Instant | null;
};

/** The place of an index and who may browse it: the shape of a viewer's tree is made from this. */
export type IndexOutline = Pick<
  IndexNode,
  "id" | "parent" | "position" | "publicState" | "publicDate" | "browsingRole" | "browsingGroup"
>;

/** What GET shows of an index (specification 2, "Index resource"). */
export const SHOWN_NAMES = [
  "id",
  "parent",
  "position",
  "indexName",
  "indexNameEnglish",
  "indexLinkName",
  "indexLinkNameEnglish",
  ...IN_TREE_NAMES,
  "deletedAt",
] as const;
export type IndexAttributes = Pick<IndexNode, (typeof SHOWN_NAMES)[number]>;
