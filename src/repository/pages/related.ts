// The items that a landing page names as related by content (R27g): a few, those that the reader may see now. What they
// are to guests is computed once in a while; whether they may be seen is asked for every page.
import { GUEST, type Viewer } from "../../auth/account.ts";
import { openness } from "../../model/access/openness.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { keptTexts } from "../../shared/text/text-cache.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import type { ReadableItem } from "../items/item-views.ts";
import { numberKey } from "../search/document/keys.ts";
import type { Finder } from "../search/query/finder.ts";
import { GuestWeights, similarItems } from "../search/query/similar.ts";
import { KEYS } from "../search/settings/search-schema.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { ListedItem } from "./lists.ts";

const RELATED = 5;
/** For so long guests see the same. */
const KEPT_MS = 5 * 60_000;
const KEPT_BYTES = 1024 * 1024;

type RelatedNeeds = {
  readonly finder: Pick<Finder, "find">;
  readonly store: Pick<RepositoryReader, "items">;
  readonly clock: Clock;
  readonly today: () => Day;
};

export interface RelatedShowing {
  /** At most five, the most similar first; none where nothing is telling, for drafts, and while nothing can be searched. */
  related(viewer: Viewer, readable: ReadableItem): Promise<readonly ListedItem[]>;
}

export function relatedShowing({ finder, store, clock, today }: RelatedNeeds): RelatedShowing {
  const kept = keptTexts(KEPT_BYTES, KEPT_MS);
  const weights = new GuestWeights();

  /** Without a second question to the database: what is found is readable at this moment. */
  async function relatedIds(viewer: Viewer, { item, content }: ReadableItem): Promise<readonly number[]> {
    const similar = async (who: Viewer) => {
      const { items } = await similarItems(
        { finder, mayWait: false, weights },
        who,
        { content, parentId: item.parentId },
        RELATED,
      );
      return items.map((hit) => hit.item.id);
    };
    if (viewer.account !== null) return await similar(viewer);
    const name = [item.id, item.revision, Math.floor(Date.parse(clock.now()) / KEPT_MS)].join();
    const known = kept.get(name);
    if (known === undefined) {
      const ids = await similar(GUEST);
      kept.set(name, ids.join());
      return ids;
    }
    return known === "" ? [] : await stillReadable(known.split(",").map(Number));
  }

  async function stillReadable(ids: readonly number[]): Promise<readonly number[]> {
    const where = { kind: "key", field: KEYS.number, anyOf: ids.map(numberKey) } as const;
    const page = { number: 1, size: RELATED };
    const found = await finder.find(GUEST, { where, chosen: null, sort: [], page, facets: [], mayWait: false });
    const readable = new Set(found.items.map(({ item }) => item.id));
    return ids.filter((id) => readable.has(id));
  }

  return {
    async related(viewer, readable) {
      if (readable.draft !== null) return [];
      try {
        const ids = await relatedIds(viewer, readable);
        const summaries = ids.length === 0 ? [] : await store.items.summariesOf(ids);
        return summaries.flatMap((item) =>
          item.content === null ? [] : [{ item, openness: openness(item.content, today()) }],
        );
      } catch (error) {
        if (isRefusal(error, "unavailable")) return [];
        throw error;
      }
    },
  };
}
