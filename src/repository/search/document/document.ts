// What a search index holds of one item (R34): everything it is found by, sorted by, counted by and hidden by, as plain
// words and keys, so that an engine needs none of our rules. Made by one pure function
// (src/repository/search/document/item-document.ts) and never the truth: a hit is checked against the database before
// it is shown.
import type { ItemId, ParentId } from "../../../shared/ids.ts";

/** A key by which a value is found exactly, whatever is in it (R28): letters `a` to `z` and digits only, at most 64. */
export type Key = string;

/**
 * What a sort compares: whole or broken numbers below 2^53, or texts of `0` to `9` and `a` to `f` only, which every
 * engine orders alike.
 */
export type SortValue = number | string;

/** The names of everything an index holds. An index that was built with another schema is rebuilt. */
export type IndexSchema = {
  /** Incremented when documents of the same schema are made differently. */
  readonly version: number;
  /** Fields of words: tokens, with one space between two of them. */
  readonly texts: readonly string[];
  /** Fields of keys: exact filters. */
  readonly keys: readonly string[];
  /** Those of `keys` that are counted, each value with the label it is shown under. */
  readonly facets: readonly string[];
  /** Fields of numbers (days are numbers, YYYYMMDD): a document may have several, of which one has to be in a range. */
  readonly numbers: readonly string[];
  readonly sorts: readonly { readonly name: string; readonly type: "number" | "text" }[];
};

export type SearchDocument = {
  /** The item's number: unique in the index, and what every sort ends with, descending. */
  readonly id: ItemId;
  /** The number of its parent: a change names this one, and all documents of a parent are replaced together. */
  readonly parentId: ParentId;
  /** A digest of all the rest: two documents are alike when these are (`arkstone search verify`). */
  readonly digest: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly keys: Readonly<Record<string, readonly Key[]>>;
  /** For each key of a facet field its words. */
  readonly labels: Readonly<Record<Key, string>>;
  readonly numbers: Readonly<Record<string, readonly number[]>>;
  /** A value for every sort of the schema: 0 or "" if the item has no value. */
  readonly sorts: Readonly<Record<string, SortValue>>;
};

/**
 * With `old` in the field `standing`: somebody may see this version who may not see one that was published after it.
 */
export const VISIBLE_BEFORE = "before";

/** The fields every schema has, and what they contain. */
export const FIELDS = {
  /**
   * Who may see the item (R2d): one key for each way of being admitted, of which a viewer must hold one. Made by
   * visibility-keys.ts; ways that hang on a role, a group or a day are the same key for all items that share them, so
   * that the keys an index knows stay few.
   */
  visibility: "visibility",
  /**
   * `latest`: the published version people are shown; `draft`: never published; `old`: an earlier version; {@link
   * VISIBLE_BEFORE}.
   */
  standing: "standing",
  /**
   * Who may see a version that was published after this one, as in `visibility`: to others this one may be the latest.
   */
  newer: "newer",
  /**
   * The item type's number, as a key: only types with an RO-Crate mapping are searched by the records interface (rule
   * 1).
   */
  itemType: "itemtype",
  /** Every index the item is in and all their ancestors. */
  under: "under",
  /**
   * Words of files (R35): each token is written after the class of readers that may read the file (file-classes.ts).
   */
  files: "files",
  fileClasses: "fileclasses",
  /** Words of all metadata: what `q` looks into. */
  all: "all",
} as const;
