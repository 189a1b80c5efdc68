// The author database (specification 2, "Author resource"; R6a, R20 to R23).

import type { Author, AuthorContent, AuthorKeyKind } from "../../model/agents/author.ts";
import type { IdentifierForm } from "../../model/metadata/identifier-forms.ts";
import type { Instant } from "../../shared/instant.ts";

/** A name as it is looked for: equal to the key, or beginning with it. */
export type NameSought = {
  readonly kinds: readonly AuthorKeyKind[];
  readonly key: string;
  readonly isPrefix: boolean;
};

/** All of it holds together; what is absent holds for all. */
export type AuthorQuery = {
  readonly names: readonly NameSought[];
  /** The key of an identifier (src/model/agents/author.ts). */
  readonly identifier: string | null;
  /** A number of the repository's own scheme; that of an author who was taken in finds the one who took him in. */
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

export type SharedKey = { readonly key: string; readonly authorId: number };

export interface AuthorReader {
  /** By number or UUID, whatever became of the author. */
  author(idOrUuid: number | string): Promise<Author | null>;
  /** In the order of their numbers. */
  authors(ids: readonly number[]): Promise<readonly Author[]>;
  /** Neither deleted nor taken in by another, by number behind `after`. */
  authorsAfter(after: number, limit: number): Promise<readonly Author[]>;
  /** The line up to which a file was imported; 0: nothing of it was. */
  importedLines(file: string): Promise<number>;
  /** Neither deleted nor taken in by another, by number. */
  findAuthors(query: AuthorQuery, limit: number, offset: number): Promise<readonly Author[]>;
  /** Whose name, family or given name first, begins with a key (src/model/agents/author.ts), in the order of names. */
  namesBeginning(key: string, limit: number): Promise<readonly Author[]>;
  /** Neither deleted nor taken in by another. */
  countAuthors(): Promise<number>;
  /** Whoever shares a key of this kind with another, for so many keys behind `after`, in their order; keys that more than `most` have are left out. */
  sharedKeys(kind: AuthorKeyKind, after: string, limit: number, most: number): Promise<readonly SharedKey[]>;
  /** Authors with whom each of these is linked in the same items. */
  coauthors(ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  authorChoices(): Promise<readonly AuthorChoice[]>;
  /** Published items in which the author is linked, by number behind `after`. */
  itemsOfAuthor(authorId: number, after: number, limit: number): Promise<readonly number[]>;
  /** Those among them that were being worked on when a change of the author came by. */
  postponedItems(authorId: number, after: number, limit: number): Promise<readonly number[]>;
  propagation(authorId: number): Promise<Propagation | null>;
}

/** What is written of an author. */
export type AuthorIn = {
  readonly content: AuthorContent;
  /** UUIDs. */
  readonly communities: readonly string[];
  readonly at: Instant;
};

/** By what agents of an item may be linked to authors. */
export type LinksSought = {
  /** Authors by number. */
  readonly authors: readonly number[];
  /** Numbers of the repository's own scheme. */
  readonly numbers: readonly number[];
  /** Keys of identifiers. */
  readonly keys: readonly string[];
};

/** Authors that were found, each as who he is now; what is nobody's, or more than one's, is left out. */
export type LinksFound = {
  readonly authors: ReadonlyMap<number, number>;
  readonly numbers: ReadonlyMap<number, number>;
  readonly keys: ReadonlyMap<string, number>;
};

/** What the record of an author says no more, and his items are to say no more either. */
export type Dropped = {
  /** Keys of identifiers. */
  readonly identifiers: readonly string[];
  readonly emails: readonly string[];
  /** He has no affiliation any more. */
  readonly affiliations: boolean;
};

/** A change of an author on its way to his items (R23). */
export type Propagation = {
  readonly authorId: number;
  /** Counts what began it anew. */
  readonly turn: number;
  /** Items up to this number have it, or are postponed. */
  readonly behind: number;
  readonly done: number;
  readonly total: number;
  readonly withNames: boolean;
  readonly dropped: Dropped;
};

export interface AuthorWriter extends AuthorReader {
  /** The author, locked until the end of the transaction. */
  lockAuthor(idOrUuid: number | string): Promise<Author | null>;
  /** The highest number of the repository's own scheme, plus one; nobody else gets it before the end of the transaction. */
  nextAuthorNumber(): Promise<number>;
  /** Gives back the number of the new author. Its numbers in the own scheme are claimed apart. */
  insertAuthor(uuid: string, author: AuthorIn): Promise<number>;
  /**
   * Many new authors, each with a number of the own scheme that becomes his for ever. Gives back the numbers that are others' already: then
   * nothing of it may be committed.
   */
  insertAuthors(
    authors: readonly (AuthorIn & { readonly uuid: string; readonly number: number })[],
  ): Promise<readonly number[]>;
  /** Replaces what is said of a locked author. */
  saveAuthor(before: Author, author: AuthorIn): Promise<void>;
  /** The numbers of the repository's own scheme become the author's for ever; gives back the first that is another's, null where none is. */
  claimAuthorNumbers(authorId: number, numbers: readonly number[]): Promise<number | null>;
  /** Written with the authors of these lines. */
  keepImportedLines(file: string, line: number): Promise<void>;
  /** Adds a choice behind the others of its kind, or changes the one that is there. */
  saveAuthorChoice(choice: AuthorChoice): Promise<void>;
  removeAuthorChoice(kind: ChoiceKind, id: string): Promise<void>;
  /** One of the authors that have an identifier of the scheme, or whose institutions have. */
  authorWithScheme(kind: "author" | "institution", scheme: string): Promise<number | null>;
  /** Whom the agents of an item mean; nobody changes these authors before the end of the transaction. */
  findLinks(sought: LinksSought): Promise<LinksFound>;
  /** An item that says something of these authors was written: changes of theirs that have passed it come by again. */
  passAgain(authorIds: readonly number[], itemId: number): Promise<void>;
  /** A change of a locked author begins its way to his items, together with one that is on its way. Gives back to how many items; none: there is nothing to do. */
  beginPropagation(authorId: number, change: Pick<Propagation, "withNames" | "dropped">): Promise<number>;
  /** The item has the change, or is postponed. False when the change began anew meanwhile. */
  propagated(propagation: Propagation, itemId: number, isPostponed: boolean): Promise<boolean>;
  /** An item that was postponed has the change. */
  caughtUp(authorId: number, itemId: number): Promise<void>;
  /** The change has reached every item. False where one is left, or it began anew. */
  endPropagation(propagation: Propagation): Promise<boolean>;
  /** The author, and all whom he took in, are the survivor from now on; he is found by nothing but his numbers and his id. */
  mergeAuthor(author: Author, survivor: number, at: Instant): Promise<void>;
  /** The author is found no more; the row stays. */
  deleteAuthor(author: Author, at: Instant): Promise<void>;
}
