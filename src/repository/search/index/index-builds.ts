// Builds of the search index from the database (R34): in the background, one at a time, while the old index answers. A
// build that fails is tried again after a while.
import type { FeedPosition } from "../../../shared/feed.ts";
import type { ParentId } from "../../../shared/ids.ts";
import type { Log } from "../../../shared/log.ts";
import type { Day } from "../../../shared/time/day.ts";
import { searchSchema } from "../settings/search-schema.ts";
import type { SearchSettings } from "../settings/settings.ts";
import { type DocumentThreads, madeInOrder } from "./document-threads.ts";
import type { FollowedIndex, FollowedStore } from "./followed-index.ts";
import { type IndexBuilding, IndexUnavailable, type UnfinishedBuild } from "./index-port.ts";
import type { TroubleLog } from "./trouble-log.ts";
import type { Lease } from "./writer-lease.ts";

export type IndexBuildsNeeds = {
  readonly store: Pick<FollowedStore, "changes" | "items">;
  readonly log: Log;
  readonly lease: Lease | null;
  readonly troubles: TroubleLog;
  readonly elapsedMs: () => number;
  readonly follower: BuildOwner;
  readonly today: () => Day;
  /** Null: documents are made in this thread. */
  readonly threads: DocumentThreads | null;
};

/** What a build asks of the follower that it builds for. */
export interface BuildOwner {
  readonly isStopped: () => boolean;
  /** The index that answers now. */
  readonly current: () => FollowedIndex | null;
  readonly readSettings: () => Promise<SearchSettings>;
  readonly open: (settings: SearchSettings) => Promise<FollowedIndex>;
  /**
   * Answers from this index from now on, which was built as of the position. `finish`, where this process built it,
   * runs between two passes.
   */
  readonly answerFrom: (
    index: FollowedIndex,
    position: FeedPosition,
    finish: (() => Promise<void>) | null,
  ) => Promise<void>;
  /** Follows the feed in the background. */
  readonly followOn: () => void;
}

/** `isHere`: the build fails where another process builds the index. */
export type BuildOptions = { readonly progress?: (built: number) => void; readonly isHere?: boolean };

/** Parents that are read at once for a build. */
const BUILT_PARENTS = 500;
/** After a build that failed. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

export class IndexBuilds {
  readonly #needs: IndexBuildsNeeds;
  /** A build was requested, and none that began later has finished. */
  isDue = false;
  #running: Promise<void> | null = null;
  #documents = 0;
  #retryAtMs = 0;
  #retryMs = FIRST_RETRY_MS;
  #hasFailed = false;

  constructor(needs: IndexBuildsNeeds) {
    this.#needs = needs;
  }

  /** Settles when the build that runs now has ended; null: none runs. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** Documents put into the index that is being built, or was built last. */
  get documents(): number {
    return this.#documents;
  }

  /** Whether the last build failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  retryAtOnce(): void {
    this.#retryAtMs = 0;
  }

  begin(options: BuildOptions = {}): void {
    const { elapsedMs, follower, troubles } = this.#needs;
    if (this.#running !== null || follower.isStopped() || elapsedMs() < this.#retryAtMs) return;
    this.isDue = false;
    this.#running = this.#build(options)
      .then(() => {
        this.#retryMs = FIRST_RETRY_MS;
        this.#hasFailed = false;
      })
      .catch((error: unknown) => {
        this.isDue = true;
        this.#hasFailed = true;
        this.#retryAtMs = elapsedMs() + this.#retryMs;
        this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
        troubles.report("error", "search_index_not_built", error);
        throw error;
      })
      .finally(() => {
        this.#running = null;
      });
    // Those who wait for the build receive the error as well.
    this.#running.catch(() => {});
  }

  async #build({ progress = () => {}, isHere = false }: BuildOptions): Promise<void> {
    const { follower, lease } = this.#needs;
    const before = follower.current();
    const settings = await follower.readSettings();
    const isSame = before !== null && searchSchema(settings).version === before.schema.version;
    const target = isSame ? before : await follower.open(settings);
    try {
      if (lease === null || (await lease.held())) await this.#fill(target, progress);
      else if (isHere) throw new IndexUnavailable("Another process writes the search index");
      else await this.#takeOver(target);
    } catch (error) {
      if (!isSame) await target.index.close();
      throw error;
    }
    if (!isSame) await before?.index.close();
    follower.followOn();
  }

  /** Another process builds the index from which both answer. */
  async #takeOver(target: FollowedIndex): Promise<void> {
    const position = await target.index.position();
    if (position === null) throw new IndexUnavailable("Another process builds the search index");
    await this.#needs.follower.answerFrom(target, position, null);
  }

  async #fill(target: FollowedIndex, progress: (built: number) => void): Promise<void> {
    const { log, troubles, follower } = this.#needs;
    const { position, left } = await this.#start(target);
    const building = await target.index.build(position, left !== null);
    this.#documents = left?.documents ?? 0;
    let isWriting = false;
    try {
      for await (const add of this.#documentsAfter(target, building, left?.filledTo ?? -1)) {
        isWriting = true;
        this.#documents += await add();
        isWriting = false;
        progress(this.#documents);
        await this.#requireLease();
        if (follower.isStopped()) throw new IndexUnavailable("Cannot build the search index: the process ends");
      }
      isWriting = true;
      await follower.answerFrom(target, position, () => building.finish(position));
      log.info("search_index_built", { documents: this.#documents });
    } catch (error) {
      // What was written is right, and is kept, unless it cannot be written. What cannot be removed now is removed
      // before the next build.
      await (isWriting ? building.abandon() : building.leave()).catch((failure) =>
        troubles.report("warn", "search_index_behind", failure),
      );
      throw error;
    }
  }

  /** Where the feed is before anything is read; what was left of an earlier build counts while the feed knows its place. */
  async #start({ index }: FollowedIndex): Promise<{ position: FeedPosition; left: UnfinishedBuild | null }> {
    const { changes } = this.#needs.store;
    const left = await index.unfinished();
    if (left !== null) {
      const { position } = left;
      const page = await changes.changes(position, 1);
      if (page.lost === undefined && page.position.epoch === position.epoch) return { position, left };
    }
    return { position: await changes.position(), left: null };
  }

  /** Steps that each add some documents and return their number: made by threads where there are many. */
  async *#documentsAfter(
    { documents, settings }: FollowedIndex,
    building: IndexBuilding,
    after: ParentId,
  ): AsyncGenerator<() => Promise<number>> {
    const { today } = this.#needs;
    // Where threads failed, what is left is made here.
    const threads = this.#hasFailed ? null : this.#needs.threads;
    const pages = this.#pagesAfter(after);
    const read = documents.inOnePass();
    for (let page = 0; threads === null || page < threads.pagesBefore; page += 1) {
      const parents = await pages.next();
      if (parents.done === true) return;
      for await (const { documents: some } of read(parents.value))
        yield async () => {
          await building.add(some);
          return some.length;
        };
    }
    const started = Array.from({ length: threads.count }, () => threads.start(settings, building.form));
    try {
      for await (const prepared of madeInOrder(started, pages, today))
        yield async () => {
          await building.addPrepared(prepared);
          return prepared.documents;
        };
    } finally {
      await Promise.all(started.map((each) => each.close()));
    }
  }

  async *#pagesAfter(first: ParentId): AsyncGenerator<readonly ParentId[]> {
    const { store, threads } = this.#needs;
    const limit = threads?.parentsAtOnce ?? BUILT_PARENTS;
    for (let after: ParentId | undefined = first; after !== undefined; ) {
      const parents: readonly ParentId[] = await store.items.parentsAfter(after, limit);
      if (parents.length > 0) yield parents;
      after = parents.at(-1);
    }
  }

  async #requireLease(): Promise<void> {
    const { lease } = this.#needs;
    if (lease !== null && !(await lease.held())) throw new IndexUnavailable("Another process builds the search index");
  }
}
