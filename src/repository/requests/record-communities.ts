// The communities of a record, and those it may be taken into, as lists (R37).
import { Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import type { QueryReader } from "../../model/input/list-parameters.ts";
import { permissionDenied, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { Sent } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { COMMUNITY_QUERY, type Communities } from "../communities/communities.ts";
import { goneIn } from "../records/record-reading.ts";
import type { RequestsNeeds } from "./request-needs.ts";

type CommunitySearchResult = ReturnType<Communities["search"]>;
type CommunityQuery = Parameters<Communities["search"]>[1];

/** The parameters of communities that a record may be taken into. */
export const SUGGESTION_QUERY: QueryReader<ReturnType<CommunityQuery> & { readonly own: boolean }> = {
  parameters: [
    ...COMMUNITY_QUERY.parameters,
    { name: "membership", description: "Only the caller's own", schema: Type.Boolean() },
  ],
  read: (parameters) => ({
    ...COMMUNITY_QUERY.read(parameters),
    own: /^(?:true|1)$/i.test(parameters.get("membership") ?? ""),
  }),
};
type SuggestionQuery = Sent<ReturnType<typeof SUGGESTION_QUERY.read>>;

export interface RecordCommunities {
  /** Those the viewer may see. @throws Refusal not_found, forbidden, invalid. */
  list(viewer: Viewer, item: ItemId, query: CommunityQuery): CommunitySearchResult;
  /** Those the record is not in and does not wait for. */
  suggestions(viewer: Viewer, item: ItemId, query: SuggestionQuery): CommunitySearchResult;
}

export const recordCommunities = (
  { store, items }: Pick<RequestsNeeds, "store" | "items">,
  communities: Pick<Communities, "searchWithin">,
): RecordCommunities => {
  /** What ties its versions together, where the viewer may read one. */
  async function parentOf(viewer: Viewer, item: ItemId): Promise<ItemParent> {
    try {
      return (await items.readableOutline(viewer, item)).parent;
    } catch (error) {
      if (isRefusal(error, "forbidden", "unauthenticated")) throw permissionDenied();
      if (isRefusal(error, "not_found")) throw unknownRecord();
      const gone = isRefusal(error, "gone") ? error.detail.item : undefined;
      if (typeof gone === "number") throw await goneIn(store, viewer, gone);
      throw error;
    }
  }

  return {
    async list(viewer, item, query) {
      const { communities: ids } = await parentOf(viewer, item);
      return await communities.searchWithin(viewer, query, { path: `/api/records/${item}/communities`, ids });
    },

    async suggestions(viewer, item, query) {
      const parent = await parentOf(viewer, item);
      if (!may(viewer, "item.edit", parent)) throw permissionDenied();
      const waiting = await store.requests.findRequests(
        { statuses: ["submitted"], parent: parent.id },
        "newest",
        0,
        100,
      );
      const except = [...parent.communities, ...waiting.map(({ community }) => community)];
      const path = `/api/records/${item}/communities-suggestions`;
      const asked = query();
      const ids = viewer.memberships.map(({ communityId }) => communityId);
      return await communities.searchWithin(viewer, () => asked, { path, except, ...(asked.own ? { ids } : {}) });
    },
  };
};
