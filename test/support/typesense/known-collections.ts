// What a database knows of the collections in Typesense, in memory: for tests of the adapter without one.
import type { KnownCollections } from "../../../src/adapters/typesense/known-collections.ts";
import type { SearchCollection } from "../../../src/repository/store/search-writer.ts";

export function collectionsInMemory(): KnownCollections {
  const known = new Map<string, SearchCollection>();
  return {
    all: async () => [...known.values()],
    save: async (collection) => void known.set(collection.name, collection),
    remove: async (name) => void known.delete(name),
  };
}
