// The link in each mail about a saved search that ends these mails without signing in (issue 26; RFC 8058).
import { sameHash } from "../../shared/hash/digests.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { searchSignature } from "../notices/alerts.ts";
import type { SavedSearch } from "../store/saved-searches.ts";
import type { RepositoryStore } from "../store/store.ts";

/** The parts of the link. */
export type SearchStopLink = { readonly search: string; readonly signature: string };

export interface SearchStopLinks {
  /** @throws Refusal `not_found` where the link was not made here */
  searchOf(link: SearchStopLink): Promise<SavedSearch>;
  /** Ends the mails; the search stays. @throws Refusal `not_found` */
  stop(link: SearchStopLink): Promise<SavedSearch>;
}

type Needs = { readonly store: RepositoryStore; readonly clock: Pick<Clock, "now"> };

export const searchStopLinks = ({ store, clock }: Needs): SearchStopLinks => {
  async function searchOf({ search: id, signature }: SearchStopLink): Promise<SavedSearch> {
    const search = await store.savedSearches.savedSearch(id);
    const setting = search === null ? null : await store.outgoing.noticeSetting(search.accountId);
    if (search === null || setting === null || !sameHash(searchSignature(setting, id), signature)) {
      throw new Refusal("not_found", "There is no such link: sign in and change your saved searches");
    }
    return search;
  }

  return {
    searchOf,
    async stop(link) {
      const { id } = await searchOf(link);
      return await store.transact(async (tx) => {
        const search = await tx.savedSearches.lockSavedSearch(id);
        if (search === null) throw new Refusal("not_found", "There is no such saved search");
        const stopped = { ...search, frequency: "never" as const, nextRunAt: null, updatedAt: clock.now() };
        await tx.savedSearches.saveSavedSearch(stopped);
        return stopped;
      });
    },
  };
};
