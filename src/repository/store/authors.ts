// The author database (specification 2, "Author resource"; R6a, R20 to R23).

import type { Author, AuthorContent, AuthorKeyKind } from "../../model/agents/author.ts";
import type { IdentifierForm } from "../../model/metadata/identifier-forms.ts";
import type { AuthorId, ItemId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** A name to search for: equal to the key, or beginning with it. */
export type NameQuery = {
  readonly kinds: readonly AuthorKeyKind[];
  readonly key: string;
  readonly isPrefix: boolean;
};

/** All of it holds together; what is absent holds for all. */
export type AuthorQuery = {
  readonly names: readonly NameQuery[];
  /** The key of an identifier (src/model/agents/author.ts). */
  readonly identifier: string | null;
  /** A number of the repository's own scheme; that of a merged author finds the survivor. */
  readonly number: number | null;
  /** UUID of a community. */
  readonly community: string | null;
};

const CHOICE_KINDS = ["author", "institution", "language"] as const;
export type ChoiceKind = (typeof CHOICE_KINDS)[number];

/** A scheme of identifiers, or a language (R21). */
export type AuthorChoice = {
  readonly kind: ChoiceKind;
  readonly id: string;
  /** The address of an identifier, with `##` in its place; "" where there is none. */
  readonly url: string;
  readonly form: IdentifierForm;
};

export type SharedKey = { readonly key: string; readonly authorId: AuthorId };

export interface AuthorReader {
  /** By number or UUID, whatever became of the author. */
  author(idOrUuid: AuthorId | string): Promise<Author | null>;
  /** In the order of their numbers. */
  authors(ids: readonly AuthorId[]): Promise<readonly Author[]>;
  /** Neither deleted nor taken in by another, by number behind `after`. */
  authorsAfter(after: AuthorId, limit: number): Promise<readonly Author[]>;
  /** The line up to which a file was imported; 0: nothing of it was. */
  importedLines(file: string): Promise<number>;
  /** Neither deleted nor taken in by another, by number. */
  findAuthors(query: AuthorQuery, limit: number, offset: number): Promise<readonly Author[]>;
  /** Whose name, family or given name first, begins with a key (src/model/agents/author.ts), in the order of names. */
  namesBeginning(key: string, limit: number): Promise<readonly Author[]>;
  /** Neither deleted nor taken in by another. */
  countAuthors(): Promise<number>;
  /**
   * At most `limit` keys of this kind after `after` that several authors share, in their order; keys that more than
   * `most` authors have are left out.
   */
  sharedKeys(kind: AuthorKeyKind, after: string, limit: number, most: number): Promise<readonly SharedKey[]>;
  /** Authors with whom each of these is linked in the same items. */
  coauthors(ids: readonly AuthorId[]): Promise<ReadonlyMap<AuthorId, readonly AuthorId[]>>;
  authorChoices(): Promise<readonly AuthorChoice[]>;
  /** Published items in which the author is linked, by number behind `after`. */
  itemsOfAuthor(authorId: AuthorId, after: ItemId, limit: number): Promise<readonly ItemId[]>;
  /** Those among them that were being worked on when a change of the author came by. */
  postponedItems(authorId: AuthorId, after: ItemId, limit: number): Promise<readonly ItemId[]>;
  propagation(authorId: AuthorId): Promise<Propagation | null>;
}

/** What is written of an author. */
export type AuthorIn = {
  readonly content: AuthorContent;
  /** UUIDs. */
  readonly communities: readonly string[];
  readonly at: Instant;
};

/** By what agents of an item may be linked to authors. */
export type LinkQuery = {
  /** Authors by number. */
  readonly authors: readonly AuthorId[];
  /** Numbers of the repository's own scheme. */
  readonly numbers: readonly number[];
  /** Keys of identifiers. */
  readonly keys: readonly string[];
};

/** The authors found, each in its present form; a key of nobody or of several authors is left out. */
export type LinkedAuthors = {
  readonly authors: ReadonlyMap<AuthorId, AuthorId>;
  readonly numbers: ReadonlyMap<number, AuthorId>;
  readonly keys: ReadonlyMap<string, AuthorId>;
};

/** Values that an author's record no longer has, and that the items are to lose too. */
export type DroppedValues = {
  /** Keys of identifiers. */
  readonly identifiers: readonly string[];
  readonly emails: readonly string[];
  /** The author has no affiliation any more. */
  readonly affiliations: boolean;
};

/** A pending change of an author to its items (R23). */
export type Propagation = {
  readonly authorId: AuthorId;
  /** Counts how often it began again. */
  readonly generation: number;
  /** Items up to this number have it, or are postponed. */
  readonly afterId: ItemId;
  readonly done: number;
  readonly total: number;
  readonly withNames: boolean;
  readonly dropped: DroppedValues;
};

export interface AuthorWriter extends AuthorReader {
  /** The author, locked until the end of the transaction. */
  lockAuthor(idOrUuid: AuthorId | string): Promise<Author | null>;
  /**
   * The highest number of the repository's own scheme, plus one; nobody else gets it before the end of the transaction.
   */
  nextAuthorNumber(): Promise<number>;
  /** Returns the number of the new author. Its numbers in the own scheme are claimed separately. */
  insertAuthor(uuid: string, author: AuthorIn): Promise<AuthorId>;
  /**
   * Many new authors, each with a number of the own scheme that belongs to the author for ever. Returns the numbers
   * that belong to others already: then nothing of it may be committed.
   */
  insertAuthors(
    authors: readonly (AuthorIn & { readonly uuid: string; readonly number: number })[],
  ): Promise<readonly number[]>;
  /** Replaces the content of a locked author. */
  saveAuthor(before: Author, author: AuthorIn): Promise<void>;
  /**
   * The numbers of the repository's own scheme belong to the author for ever. Returns the first that is another's, null
   * where there are none.
   */
  claimAuthorNumbers(authorId: AuthorId, numbers: readonly number[]): Promise<AuthorId | null>;
  /** Written with the authors of these lines. */
  keepImportedLines(file: string, line: number): Promise<void>;
  /** Adds a choice behind the others of its kind, or changes the one that is there. */
  saveAuthorChoice(choice: AuthorChoice): Promise<void>;
  removeAuthorChoice(kind: ChoiceKind, id: string): Promise<void>;
  /** One of the authors that have an identifier of the scheme, or whose institutions have. */
  authorWithScheme(kind: "author" | "institution", scheme: string): Promise<AuthorId | null>;
  /** Whom the agents of an item mean; nobody changes these authors before the end of the transaction. */
  findLinks(sought: LinkQuery): Promise<LinkedAuthors>;
  /** An item that mentions these authors was written: changes of theirs that have passed it pass it again. */
  passAgain(authorIds: readonly AuthorId[], itemId: ItemId): Promise<void>;
  /**
   * Starts the propagation of a change of a locked author, merged with a pending one. Returns the number of items; 0:
   * there is nothing to do.
   */
  beginPropagation(authorId: AuthorId, change: Pick<Propagation, "withNames" | "dropped">): Promise<number>;
  /** The item has the change, or is postponed. False when the change began again meanwhile. */
  propagated(propagation: Propagation, itemId: ItemId, isPostponed: boolean): Promise<boolean>;
  /** An item that was postponed has the change. */
  caughtUp(authorId: AuthorId, itemId: ItemId): Promise<void>;
  /** The change has reached every item. False where one is left, or the change began again. */
  endPropagation(propagation: Propagation): Promise<boolean>;
  /**
   * The author, and all authors merged into it, are the survivor from now on; only the author's numbers and id find it.
   */
  mergeAuthor(author: Author, survivor: AuthorId, at: Instant): Promise<void>;
  /** The author is found no more; the row stays. */
  deleteAuthor(author: Author, at: Instant): Promise<void>;
}
