// A feed of committed changes as its readers see it: the names' (A31d) and the repository's (R34). What is read is
// written by db/feed.

/**
 * A position in a feed. `epoch` is the random id of this history of the database: another epoch means a restore, and
 * everything read before is worthless. `horizon` is opaque, and up to 1000 characters long once the last page is read
 * (`more` is false).
 */
export type FeedPosition = { readonly epoch: string; readonly horizon: string };

/** One change: `id` is its number, a text because it may pass what a number holds. */
export type FeedEntry<Subject extends string = string> = {
  readonly id: string;
  readonly subject: Subject;
  readonly target: string;
};

export type PageOf<Change> = {
  /**
   * Changes at or after the horizon asked for, in id order. On PostgreSQL some may have been seen before: applying is
   * idempotent.
   */
  readonly changes: readonly Change[];
  /** Ask from here next time. Where its `epoch` is not the one asked from, `changes` is empty: reload everything. */
  readonly position: FeedPosition;
  /** True when more changes wait already: ask again at once. */
  readonly more?: boolean;
  /**
   * The database is not yet where another one was that was read before: why, in words. `changes` is empty and
   * `position` the one asked from. Nothing may be read from it until this is gone.
   */
  readonly behind?: string;
  /** Why the history is another one, in words; `position.epoch` is not the one asked from. */
  readonly lost?: string;
  /** Transactions at work that may still bring changes from before this page. */
  readonly open?: number;
  /** The oldest of them, by an opaque name; null when there is none. */
  readonly oldest?: string | null;
};
