// Which record a text names (reference 1.2; R30), as far as the caller may read it.
import type { Viewer } from "../../auth/account.ts";
import { unknownRecord } from "../../model/input/record-refusals.ts";
import { EMPTY_METADATA } from "../../model/metadata/metadata.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryReader } from "../store/store.ts";
import { namedRecord } from "./identifiers.ts";
import { ToolRefusal } from "./outcome.ts";

type RecordLookupNeeds = {
  readonly store: Pick<RepositoryReader, "items">;
  readonly items: Pick<Items, "readable" | "duplicates">;
  readonly baseUrl: string;
};

export function recordLookup({ store, items, baseUrl }: RecordLookupNeeds) {
  /** The number of the record a text names, as far as this viewer may read it. @throws Refusal not_found. */
  return async function idOf(viewer: Viewer, given: string): Promise<number> {
    // No name has what PostgreSQL keeps in no text.
    const named = given.includes("\0") ? null : namedRecord(given, baseUrl);
    if (named === null) {
      throw new ToolRefusal(
        "not_found",
        "The persistent identifier does not exist.",
        "recid is a number such as 42, an ARK, a DOI or the address of a record; search_records finds records by words",
      );
    }
    if (named.kind === "id") return named.id;
    if (named.kind === "ark") {
      const id = (await store.items.itemsByArk([named.ark])).get(named.ark);
      if (id !== undefined) return id;
    } else {
      const identifiers = [{ scheme: "DOI", value: named.doi }];
      const found = await items.duplicates(store, { ...EMPTY_METADATA, identifiers }, null);
      for (const id of found) if (await isReadable(viewer, id)) return id;
    }
    throw unknownRecord();
  };

  async function isReadable(viewer: Viewer, id: number): Promise<boolean> {
    try {
      await items.readable(viewer, id);
      return true;
    } catch (error) {
      if (isRefusal(error, "not_found", "forbidden", "gone", "unauthenticated")) return false;
      throw error;
    }
  }
}
