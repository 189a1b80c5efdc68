// Ids of the repository's records. All are numbers that a database assigns; their brands keep one from being taken for
// another.
import type { Brand } from "./brand.ts";

/** One version of a record: the recid (R2a). */
export type ItemId = Brand<number, "item">;
/** What the versions of a record have in common (R2a). */
export type ParentId = Brand<number, "parent">;
/**
 * The id of a version, or of what its versions have in common: then the latest one that the viewer may read is meant
 * (R2a).
 */
export type RecordId = ItemId | ParentId;
/** A node of the index tree; 0: its root. */
export type IndexId = Brand<number, "index">;
/** A person or program that may sign in. */
export type AccountId = Brand<number, "account">;
/** An author of the author database, not one of its numbers in a scheme. */
export type AuthorId = Brand<number, "author">;
