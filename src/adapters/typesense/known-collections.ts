// What our database knows of the collections of an index in Typesense (R34), and whether a server has all of one.
import type { IndexSchema } from "../../repository/search/document/document.ts";
import type { SearchCollection } from "../../repository/store/search-writer.ts";
import type { FeedPosition } from "../../shared/feed.ts";
import type { Log } from "../../shared/log.ts";
import { numberOf, SEALED } from "./collections.ts";
import type { Members, TypesenseServer } from "./server.ts";

export type TypesenseNeeds = {
  readonly urls: readonly string[];
  readonly apiKey: string;
  /** The alias; collections are called so and numbered. One for each repository of a server. */
  readonly name: string;
  readonly collections: KnownCollections;
  readonly log: Log;
  /** A clock that only moves forward, in milliseconds. */
  readonly nowMs?: () => number;
};

/** What our database knows of collections. */
export type KnownCollections = {
  readonly all: () => Promise<readonly SearchCollection[]>;
  readonly save: (collection: SearchCollection) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
};

/** An index of one schema. */
export type IndexNeeds = Required<TypesenseNeeds> & {
  readonly server: TypesenseServer;
  readonly schema: IndexSchema;
  readonly fingerprint: string;
};

/** What is known of the collection that answers. */
export type CollectionState = {
  readonly collection: string;
  /** Documents there were when it was read. */
  readonly documents: number;
  readonly schema: string;
  readonly position: FeedPosition | null;
  readonly floor: number;
  readonly written: number;
  /** What our database knows of it; null: nothing yet. */
  readonly record: SearchCollection | null;
};

/** What our database knows of a collection, or has to know from now on. */
export const recordOf = (
  { fingerprint }: Pick<IndexNeeds, "fingerprint">,
  { collection, record, floor, written }: CollectionState,
): SearchCollection =>
  record ?? {
    name: collection,
    state: "whole",
    schema: fingerprint,
    least: floor,
    most: null,
    labels: 0,
    written,
    seal: null,
  };

/** The collections of this index that our database knows. */
export const ownCollections = async ({
  name,
  collections,
}: Pick<IndexNeeds, "name" | "collections">): Promise<readonly SearchCollection[]> =>
  (await collections.all()).filter((each) => numberOf(name, each.name) !== null);

/** Whether the documents prove that all writes have arrived that our database knows of. */
export const isSealed = ({ seal, written }: SearchCollection, found: readonly Members[]): boolean =>
  seal === null || found.some((document) => Number(document.id) === seal && Number(document[SEALED]) >= written);

export const hasCount = ({ least, most }: SearchCollection, documents: number): boolean =>
  documents >= least && (most === null || documents <= most);
