// An open search index and how far it has followed the feed of changes (R34). What is applied is always read again from
// the database, so that applying twice is applying once: a kill at any point loses nothing, because the position in the
// feed is written with what came before it.
import type { FeedPosition } from "../../../shared/feed.ts";
import type { IndexId, ItemId, ParentId } from "../../../shared/ids.ts";
import type { Day } from "../../../shared/time/day.ts";
import type { ChangeReader, ItemChange } from "../../store/changes.ts";
import { FIELDS, type IndexSchema } from "../document/document.ts";
import {
  type DocumentReader,
  type DocumentReading,
  type DocumentSlice,
  DocumentsReader,
} from "../document/document-reading.ts";
import { numberKey, SHARED_PREFIX, withReachedDay } from "../document/keys.ts";
import { READER_PREFIX } from "../query/file-classes.ts";
import { anyOf } from "../query/query-text.ts";
import { KEYS, searchSchema } from "../settings/search-schema.ts";
import type { SearchSettings } from "../settings/settings.ts";
import type { Condition, OpenIndex, SearchIndex } from "./index-port.ts";

export type FollowedStore = DocumentReader & { readonly changes: ChangeReader };

export type FollowedIndexNeeds = {
  readonly store: FollowedStore;
  readonly today: () => Day;
  /**
   * Whether the index keeps its stored position for now: an index of this process keeps the position before a request
   * for a build until it is built, so that a process that is killed reads the request again.
   */
  readonly keepsPosition: () => boolean;
};

/** Parents that are indexed again at once. */
export const PARENTS_AT_ONCE = 100;
/** Fields whose keys name days, and how those keys begin. */
const FIELDS_WITH_DAYS = [
  [FIELDS.visibility, SHARED_PREFIX],
  [FIELDS.fileClasses, READER_PREFIX],
] as const;
const KEYS_MAX = 50_000;
const KEYS_AT_ONCE = 200;

/** The items of an index and of all below it, of which some are done. */
type Subtree = { readonly root: IndexId; indexes: IndexId[] | null; after: ItemId };

/** An index, and what its documents are made by. */
type IndexParts = {
  readonly index: SearchIndex;
  readonly schema: IndexSchema;
  readonly settings: SearchSettings;
  readonly documents: DocumentReading;
};

export class FollowedIndex implements IndexParts {
  readonly index: SearchIndex;
  readonly schema: IndexSchema;
  /** Names and labels in them may change without another index. */
  settings: SearchSettings;
  readonly documents: DocumentReading;
  /** How far the feed was read, which the index stores where no subtree waits; null: the index has to be built. */
  position: FeedPosition | null = null;
  readonly #needs: FollowedIndexNeeds;
  readonly #subtrees: Subtree[] = [];
  /** The day up to which no document names a day that is reached. */
  #refreshedDay: Day | null = null;
  #replacing = 0;

  constructor(needs: FollowedIndexNeeds, { index, schema, settings, documents }: IndexParts) {
    this.#needs = needs;
    this.index = index;
    this.schema = schema;
    this.settings = settings;
    this.documents = documents;
  }

  /** The same index after it was built as of this position: nothing waits. */
  builtAt(position: FeedPosition): FollowedIndex {
    const built = new FollowedIndex(this.#needs, this);
    built.position = position;
    built.#refreshedDay = this.#refreshedDay;
    return built;
  }

  /** The roots of the subtrees whose items are still to be indexed again. */
  get waitingRoots(): readonly number[] {
    return this.#subtrees.map(({ root }) => root);
  }

  /** Parents whose documents are being replaced. */
  get replacing(): number {
    return this.#replacing;
  }

  get isDayRefreshed(): boolean {
    return this.#refreshedDay === this.#needs.today();
  }

  markDayRefreshed(): void {
    this.#refreshedDay = this.#needs.today();
  }

  async applyPage(changes: readonly ItemChange[], position: FeedPosition): Promise<void> {
    const parents = [
      ...new Set(changes.filter(({ subject }) => subject === "parent").map(({ target }) => Number(target))),
    ];
    for (const { subject, target } of changes) {
      const root = Number(target);
      // A subtree that was begun may have passed the items of this change.
      const isWaiting = this.#subtrees.some((each) => each.root === root && each.indexes === null);
      if (subject === "index" && !isWaiting) this.#subtrees.push({ root, indexes: null, after: -1 });
    }
    await this.#replace(parents, this.#subtrees.length === 0 ? position : null);
    this.position = position;
  }

  /** Indexes the next items of the subtree that waits longest; true where something is left. */
  async applySubtree(): Promise<boolean> {
    const { store } = this.#needs;
    const [subtree] = this.#subtrees;
    if (subtree === undefined || this.position === null) return false;
    // The index itself even where it is deleted: what is still in it is visible to others now.
    subtree.indexes ??= [
      ...new Set([subtree.root, ...(await store.indexes.outlineFrom(subtree.root)).map(({ id }) => id)]),
    ];
    const [index] = subtree.indexes;
    const placed = index === undefined ? [] : await store.items.placedIn(index, subtree.after, PARENTS_AT_ONCE);
    const last = placed.at(-1);
    const isLast = last === undefined || placed.length < PARENTS_AT_ONCE;
    const isDone = isLast && subtree.indexes.length <= 1;
    const parents = [...new Set(placed.map(({ parent }) => parent))];
    await this.#replace(parents, isDone && this.#subtrees.length === 1 ? this.position : null);
    // Only now: until then its documents are not what they should be.
    if (isLast) subtree.indexes.shift();
    subtree.after = isLast ? -1 : last.item;
    if (isDone) this.#subtrees.shift();
    return this.#subtrees.length > 0;
  }

  /**
   * Documents that name a day which has come since they were written are found as they should be; they are indexed
   * again nevertheless, some at a time: so that the keys of an index stay few however long it follows. True where some
   * may be left.
   */
  async refreshReachedDays(): Promise<boolean> {
    const { store } = this.#needs;
    const day = this.#needs.today();
    if (this.#refreshedDay === day || this.position === null) return false;
    for (const [field, prefix] of FIELDS_WITH_DAYS) {
      const reached = withReachedDay(await this.index.keysOf(field, prefix, KEYS_MAX), day).slice(0, KEYS_AT_ONCE);
      if (reached.length === 0) continue;
      const where: Condition = { kind: "key", field, anyOf: reached };
      const query = { where, chosen: null, sort: [], after: null, offset: 0, limit: PARENTS_AT_ONCE, facets: [] };
      const ids = (await this.index.query(query)).hits.map(({ id }) => id);
      const parents = (await store.items.outlines(ids)).map(({ parent }) => parent.id);
      await this.#replace([...new Set(parents)], this.#subtrees.length === 0 ? this.position : null);
      // What the database does not know is a pending change.
      if (parents.length > 0) return true;
    }
    this.#refreshedDay = day;
    return false;
  }

  /**
   * What is read after the changes were read is at least as new as they are. `position`: up to which the index is right
   * then; null: as before.
   */
  async #replace(parents: readonly ParentId[], position: FeedPosition | null): Promise<void> {
    this.#replacing = parents.length;
    const stored = this.#needs.keepsPosition() ? null : position;
    let last: DocumentSlice | null = null;
    for (let from = 0; from < parents.length; from += PARENTS_AT_ONCE) {
      for await (const slice of this.documents.slices(parents.slice(from, from + PARENTS_AT_ONCE))) {
        if (last !== null) await this.index.apply({ ...last, position: null });
        last = slice;
      }
    }
    if (last !== null || stored !== null)
      await this.index.apply({ ...(last ?? { parents: [], documents: [] }), position: stored });
    this.#replacing = 0;
  }
}

export async function openFollowedIndex(
  needs: FollowedIndexNeeds,
  open: OpenIndex,
  settings: SearchSettings,
): Promise<FollowedIndex> {
  const schema = searchSchema(settings);
  const index = await open(schema);
  const documents = new DocumentsReader(needs.store, settings, needs.today);
  return new FollowedIndex(needs, { index, schema, settings, documents });
}

// What was committed and is not in the search index yet (R34), as conditions on its documents: hiding never waits, so
// that no answer rests on documents that such a change touches, unless the database was asked about them (finding.ts).

export type UnfollowedChanges =
  | { readonly kind: "nothing" }
  /** Versions of these parents, and what is in and below these indexes. Every other document is right. */
  | { readonly kind: "some"; readonly parents: readonly ParentId[]; readonly indexes: readonly IndexId[] }
  /** Any document may be wrong. */
  | { readonly kind: "everything" };

/**
 * Changes that are known one by one while the index has not followed them; where there are more, any document may be
 * wrong.
 */
const UNFOLLOWED_MAX = 5_000;

/** What changed after a position of the feed. `roots`: subtrees that wait although the feed was read past them. */
export async function readUnfollowed(
  feed: ChangeReader,
  position: FeedPosition,
  roots: readonly IndexId[],
): Promise<UnfollowedChanges> {
  const [parents, indexes] = [new Set<number>(), new Set(roots)];
  for (let [after, read] = [position, 0]; ; ) {
    const page = await feed.changes(after, UNFOLLOWED_MAX - read);
    if (page.lost !== undefined || page.position.epoch !== position.epoch) return { kind: "everything" };
    for (const { subject, target } of page.changes) {
      if (subject === "parent") parents.add(Number(target));
      else if (subject === "index") indexes.add(Number(target));
    }
    read += page.changes.length;
    if (page.more !== true) return { kind: "some", parents: [...parents], indexes: [...indexes] };
    if (read >= UNFOLLOWED_MAX) return { kind: "everything" };
    after = page.position;
  }
}

/** True of the documents that the changes may touch; null: of none. */
export function touchedBy(unfollowed: UnfollowedChanges): Condition | null {
  switch (unfollowed.kind) {
    case "nothing":
      return null;
    case "everything":
      return { kind: "and", of: [] };
    case "some": {
      const parents: Condition = { kind: "key", field: KEYS.number, anyOf: unfollowed.parents.map(numberKey) };
      const below: Condition = { kind: "key", field: FIELDS.under, anyOf: unfollowed.indexes.map(numberKey) };
      const of = [parents, below].filter((each) => each.kind === "key" && each.anyOf.length > 0);
      return of.length === 0 ? null : anyOf(of);
    }
  }
}

/** Whether the place of an item in the tree decides what is found. */
export function looksIntoTree(condition: Condition): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.of.some(looksIntoTree);
    case "not":
      return looksIntoTree(condition.of);
    default:
      return condition.field === FIELDS.under;
  }
}
