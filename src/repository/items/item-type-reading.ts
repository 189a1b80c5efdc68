// Definitions of item types as what is shown of items needs them (R4, R4a): each is read and checked once.

import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { StoredItemType } from "../store/settings.ts";
import type { RepositoryReader } from "../store/store.ts";

export type ItemTypeReading = {
  /** The definition as of this version; null where there is none, or one that cannot be read. */
  readonly at: (id: number, version: number) => Promise<ItemTypeDefinition | null>;
  /**
   * The newest one, by which all items of the type are shown alike, whichever version they were made with; null as
   * above.
   */
  readonly newest: (
    id: number,
  ) => Promise<{ readonly definition: ItemTypeDefinition; readonly deleted: boolean } | null>;
};

/** Definitions that are kept. */
const KEPT = 200;

export function itemTypeReading({ settings }: Pick<RepositoryReader, "settings">): ItemTypeReading {
  const kept = new Map<string, ItemTypeDefinition | null>();

  function read(stored: StoredItemType): ItemTypeDefinition | null {
    const key = `${stored.id}.${stored.version}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const definition = readable(stored);
    if (kept.size >= KEPT) kept.clear();
    kept.set(key, definition);
    return definition;
  }

  return {
    async at(id, version) {
      const known = kept.get(`${id}.${version}`);
      if (known !== undefined) return known;
      const stored = await settings.itemType(id, version);
      return stored === null ? null : read(stored);
    },
    async newest(id) {
      const stored = await settings.itemType(id);
      const definition = stored === null ? null : read(stored);
      return stored === null || definition === null ? null : { definition, deleted: stored.deleted };
    },
  };
}

function readable(stored: StoredItemType): ItemTypeDefinition | null {
  try {
    return readItemType(stored.definition, stored);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    return null;
  }
}
