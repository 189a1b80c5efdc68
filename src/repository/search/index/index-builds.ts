// Builds of the search index from the database (R34): in the background, one at a time, while the old index answers. A
// build that fails is tried again after a while.
import type { FeedPosition } from "../../../shared/feed.ts";
import type { Log } from "../../../shared/log.ts";
import { searchSchema } from "../settings/search-schema.ts";
import type { SearchSettings } from "../settings/settings.ts";
import type { FollowedIndex, FollowedStore } from "./followed-index.ts";
import { IndexUnavailable } from "./index-port.ts";
import type { TroubleLog } from "./trouble-log.ts";
import type { Lease } from "./writer-lease.ts";

export type IndexBuildsNeeds = {
  readonly store: Pick<FollowedStore, "changes" | "items">;
  readonly log: Log;
  readonly lease: Lease | null;
  readonly troubles: TroubleLog;
  readonly elapsedMs: () => number;
  readonly follower: BuildOwner;
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
    const { store, log, troubles, follower } = this.#needs;
    const position = await store.changes.position();
    const building = await target.index.build();
    this.#documents = 0;
    try {
      const read = target.documents.inOnePass();
      for (let after = -1; ; ) {
        if (follower.isStopped()) throw new IndexUnavailable("Cannot build the search index: the process ends");
        const parents = await store.items.parentsAfter(after, BUILT_PARENTS);
        const last = parents.at(-1);
        if (last === undefined) break;
        for await (const { documents } of read(parents)) {
          await building.add(documents);
          this.#documents += documents.length;
          progress(this.#documents);
          await this.#requireLease();
        }
        after = last;
      }
      await follower.answerFrom(target, position, () => building.finish(position));
      log.info("search_index_built", { documents: this.#documents });
    } catch (error) {
      // What cannot be removed now is removed before the next build.
      await building.abandon().catch((failure) => troubles.report("warn", "search_index_behind", failure));
      throw error;
    }
  }

  async #requireLease(): Promise<void> {
    const { lease } = this.#needs;
    if (lease !== null && !(await lease.held())) throw new IndexUnavailable("Another process builds the search index");
  }
}
