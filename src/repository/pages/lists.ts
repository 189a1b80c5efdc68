// Lists of items and the index tree as pages show them (R24, R2d): only what the viewer may see, page by page by key.

import { GUEST, type Viewer } from "../../auth/account.ts";
import { type Openness, openness } from "../../model/access/openness.ts";
import { mayBrowseIndex } from "../../model/access/visibility.ts";
import { type IndexNode, ROOT_INDEX } from "../../model/indexes/index-node.ts";
import type { ItemSummary } from "../../model/items/summary.ts";
import { deniedIndex } from "../../model/rights/index-rights.ts";
import { may } from "../../model/rights/policy.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { unknownIndex } from "../index-tree/index-tree.ts";
import type { Community } from "../store/communities.ts";
import type { ChangedItem } from "../store/items.ts";
import type { ShowingNeeds } from "./needs.ts";

const RECENT_ITEMS = 10;
const INDEX_ITEMS = 20;
/** Indexes of one level that a page shows; no page grows beyond this. */
const LEVEL_MAX = 1_000;
/** Indexes whose own children are shown below them, in a table of contents. */
const CONTENTS_MAX = 100;
/** Numbers of items that one site map covers (sitemaps.org: at most 50,000 addresses). */
export const SITE_MAP_PAGE = 10_000;

export type ListedItem = { readonly item: ItemSummary; readonly openness: Openness };
export type ListedIndex = { readonly node: IndexNode; readonly children: readonly IndexNode[] };

type ShownIndex = {
  readonly node: IndexNode;
  /** From the top down to the parent. */
  readonly above: readonly IndexNode[];
  readonly children: readonly ListedIndex[];
  readonly items: readonly ListedItem[];
  /** How many there are in all, where that is known without counting. */
  readonly count: number | null;
  readonly next: number | null;
  /** The viewer may put items into it. */
  readonly isForDeposits: boolean;
  /** Communities whose root it is and to which the viewer may submit. */
  readonly communities: readonly Pick<Community, "slug" | "title">[];
};

export interface ListShowing {
  /** The newest items the viewer may read, one version of each. */
  recent(viewer: Viewer): Promise<readonly ListedItem[]>;
  /** The first level of the tree. */
  top(viewer: Viewer, asContents: boolean): Promise<readonly ListedIndex[]>;
  /** One index; items below `before`. Throws not_found, forbidden. */
  index(viewer: Viewer, id: IndexId, before: ItemId | null): Promise<ShownIndex>;
  /**
   * Items that guests may read and when each was changed, newest first, below `before` and not below `from`, for the
   * site map.
   */
  publicItems(before: ItemId | null, limit: number, from?: ItemId): Promise<readonly ChangedItem[]>;
}

export const listShowing = ({ store, items, today }: ShowingNeeds): ListShowing => {
  const listed = (found: readonly ItemSummary[]): readonly ListedItem[] =>
    found.flatMap((item) => (item.content === null ? [] : [{ item, openness: openness(item.content, today()) }]));

  /** Live children the viewer may browse. `lineage`: of the parent, nearest first; empty for the root. */
  async function childrenOf(
    viewer: Viewer,
    parent: IndexId,
    lineage: readonly IndexNode[],
  ): Promise<readonly IndexNode[]> {
    const children = await store.indexes.children(parent);
    return children.filter((child) => mayBrowseIndex(viewer, [child, ...lineage], today())).slice(0, LEVEL_MAX);
  }

  /** A list, or if the parent sets it (`display_format` 2) a table of contents with one level more. */
  async function level(viewer: Viewer, parent: IndexId, lineage: readonly IndexNode[], asContents: boolean) {
    const children = await childrenOf(viewer, parent, lineage);
    return await Promise.all(
      children.map(async (node, at): Promise<ListedIndex> => {
        const isOpen = asContents && at < CONTENTS_MAX;
        return { node, children: isOpen ? await childrenOf(viewer, node.id, [node, ...lineage]) : [] };
      }),
    );
  }

  return {
    recent: async (viewer) =>
      listed(await items.list(viewer, { state: "published", latestOnly: true }, null, RECENT_ITEMS)),

    top: (viewer, asContents) => level(viewer, ROOT_INDEX, [], asContents),

    async index(viewer, id, before) {
      const lineage = await store.indexes.lineage(id);
      const [node, ...above] = lineage;
      if (node === undefined) throw unknownIndex(id);
      if (!mayBrowseIndex(viewer, lineage, today())) throw deniedIndex(id);
      const filter = { index: id, state: "published", latestOnly: true } as const;
      const [children, found] = await Promise.all([
        level(viewer, id, lineage, node.displayFormat === "2"),
        items.list(viewer, filter, before, INDEX_ITEMS + 1),
      ]);
      const page = found.slice(0, INDEX_ITEMS);
      const isSignedIn = may(viewer, "item.draft", null);
      const isForDeposits = isSignedIn && may(viewer, "item.file", lineage);
      const rootOf = isSignedIn ? ((await store.indexes.lineages([id])).get(id)?.[0]?.rootOf ?? []) : [];
      const known = rootOf.length === 0 ? [] : await store.communities.communitiesOf([...rootOf]);
      const communities = known.filter((each) => may(viewer, "community.submit", each));
      const isLast = found.length <= INDEX_ITEMS;
      return {
        node,
        above: [...above].reverse(),
        children,
        items: listed(page),
        count: before === null && isLast ? page.length : null,
        next: isLast ? null : (page.at(-1)?.id ?? null),
        isForDeposits,
        communities,
      };
    },

    publicItems: (before, limit, from = 0) => items.changes(GUEST, { state: "published", from }, before, limit),
  };
};
