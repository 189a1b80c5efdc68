// The search index follows the repository (R34): it is built from the database where it does not exist, has another
// schema or lost its position in the feed of changes, and follows that feed otherwise.

import type { FeedPosition } from "../../../shared/feed.ts";
import type { Log } from "../../../shared/log.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { type Day, dayIn } from "../../../shared/time/day.ts";
import { inTime, yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import type { IndexSchema } from "../document/document.ts";
import { searchSchema } from "../settings/search-schema.ts";
import { type SearchSettings, searchSettingsFrom } from "../settings/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../settings/shipped-settings.ts";
import type { DocumentThreads } from "./document-threads.ts";
import {
  type FollowedIndex,
  type FollowedIndexNeeds,
  type FollowedStore,
  openFollowedIndex,
  PARENTS_AT_ONCE,
  readUnfollowed,
  type UnfollowedChanges,
} from "./followed-index.ts";
import { type BuildOwner, IndexBuilds } from "./index-builds.ts";
import { IndexUnavailable, type OpenIndex, type SearchIndex } from "./index-port.ts";
import { PassLine } from "./pass-line.ts";
import { TroubleLog } from "./trouble-log.ts";
import type { Lease } from "./writer-lease.ts";

export type FollowerNeeds = {
  readonly store: FollowedStore;
  readonly open: OpenIndex;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly log: Log;
  /** How long a search waits for what was committed before it, where it waits at all. */
  readonly waitMs: number;
  /** Null: this process has its own index. */
  readonly lease?: Lease | null;
  /** Make documents for builds; null: they are made here. */
  readonly threads?: DocumentThreads | null;
  readonly pollMs?: number;
  /** A clock that only moves forward. */
  readonly elapsedMs?: () => number;
};

/** An index, and what its documents are made by. */
export type ActiveIndex = {
  readonly index: SearchIndex;
  readonly schema: IndexSchema;
  readonly settings: SearchSettings;
};

export type FollowerMetrics = {
  readonly state: "starting" | "building" | "following";
  /** Documents put into an index that is being built. */
  readonly built: number;
  /** Since when something is not applied that was committed; 0: nothing waits. */
  readonly lagMs: number;
  /** Indexes whose items are still to be indexed again. */
  readonly queue: number;
  /** Why the index cannot be followed or built now; null: it can. */
  readonly trouble: string | null;
};

export interface Follower {
  /** Opens the index and begins to follow; the first build runs in the background. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What answers now. Throws `IndexUnavailable` before the first is built. */
  answering(): ActiveIndex;
  /** What was committed before this call and is not in the index. */
  unfollowed(): Promise<UnfollowedChanges>;
  /**
   * Waits, for a limited time, until what was committed before this call is in the index. After one call waited in vain
   * no other waits for the same, nor for anything while the index follows a large change.
   */
  settled(): Promise<void>;
  /** Builds the index again while the old one answers. Rejects if it was not built; it is tried again nevertheless. */
  rebuild(progress?: (built: number) => void): Promise<void>;
  /** The index was found damaged or missing: it is checked at once. */
  doubt(): void;
  metrics(): FollowerMetrics;
}

const POLL_MS = 250;
/** How often those who wait for a shared index check how far it is. */
const SHARED_POLL_MS = 50;
/** Changes of the feed that are read at once. */
const CHANGES_AT_ONCE = 1_000;

export class IndexFollower implements Follower {
  readonly #needs: FollowerNeeds;
  readonly #lease: Lease | null;
  readonly #elapsedMs: () => number;
  readonly #indexNeeds: FollowedIndexNeeds;
  readonly #troubles: TroubleLog;
  readonly #builds: IndexBuilds;
  readonly #passes = new PassLine(() => this.#pass());
  #current: FollowedIndex | null = null;
  #opening: Promise<FollowedIndex> | null = null;
  /** The head of the feed up to which every commit is applied. */
  #applied: string | null = null;
  #lateSinceMs: number | null = null;
  #timesCaughtUp = 0;
  #lastBuildRequest = "";
  /** A call waited for this in vain; `isLarge`: and the others need not try. */
  #vain: { readonly head: string; readonly isLarge: boolean } | null = null;
  #lastUnfollowed: { readonly of: string; readonly unfollowed: Promise<UnfollowedChanges> } | null = null;
  /** This process wrote the shared index last, as far as it knows. */
  #wroteLast = false;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(needs: FollowerNeeds) {
    const { store, log, clock, timeZone, lease = null, threads = null, elapsedMs = () => performance.now() } = needs;
    this.#needs = needs;
    this.#lease = lease;
    this.#elapsedMs = elapsedMs;
    this.#troubles = new TroubleLog(log);
    const today = (): Day => dayIn(timeZone, clock.now());
    this.#indexNeeds = {
      store,
      today,
      keepsPosition: () => lease === null && (this.#builds.isDue || this.#builds.running !== null),
    };
    const follower = this.#buildOwner();
    const troubles = this.#troubles;
    this.#builds = new IndexBuilds({ store, log, lease, troubles, elapsedMs, follower, today, threads });
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    await this.#poll();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#builds.running?.catch(() => {});
    await this.#passes.ended();
    await this.#lease?.release();
    await this.#opening?.catch(() => {});
    await this.#current?.index.close();
    this.#current = null;
  }

  answering(): ActiveIndex {
    if (this.#current === null) throw new IndexUnavailable("The search index is not open");
    return this.#current;
  }

  async unfollowed(): Promise<UnfollowedChanges> {
    const { changes } = this.#needs.store;
    const from = this.#current;
    if (from === null) return { kind: "nothing" };
    const head = await changes.head();
    const roots = from.waitingRoots;
    if (head === this.#applied && roots.length === 0) return { kind: "nothing" };
    const isKnown = from.position !== null && (this.#lease === null || this.#wroteLast);
    const position = isKnown ? from.position : await from.index.position();
    if (position === null) return { kind: "everything" };
    // Many searches are answered while the index follows one change.
    const of = JSON.stringify([head, position, roots]);
    if (this.#lastUnfollowed?.of !== of) {
      const unfollowed = readUnfollowed(changes, position, roots);
      this.#lastUnfollowed = { of, unfollowed };
      unfollowed.catch(() => {
        this.#lastUnfollowed = null;
      });
    }
    return await this.#lastUnfollowed.unfollowed;
  }

  async settled(): Promise<void> {
    const known = this.#current;
    if (known === null) return;
    const head = await this.#needs.store.changes.head();
    if (head === this.#applied && known.waitingRoots.length === 0) return;
    if (this.#vain !== null && (this.#vain.isLarge || this.#vain.head === head)) return;
    const before = this.#timesCaughtUp;
    let isLate = false;
    const wait = async (): Promise<void> => {
      if (this.#builds.running !== null && known.position === null) await this.#builds.running.catch(() => {});
      await this.#passes.run();
      // Where another process writes the index, that process has to reach the change.
      while (
        this.#lease !== null &&
        !this.#wroteLast &&
        this.#timesCaughtUp === before &&
        !isLate &&
        !this.#isStopped
      ) {
        await new Promise((resolve) => void setTimeout(resolve, SHARED_POLL_MS));
        await this.#passes.run();
      }
    };
    await inTime(wait().catch(this.#reportLateness), this.#needs.waitMs, () => {
      isLate = true;
      const replacing = this.#current?.replacing ?? 0;
      this.#vain = { head, isLarge: known.waitingRoots.length > 0 || replacing >= PARENTS_AT_ONCE };
    });
  }

  async rebuild(progress?: (built: number) => void): Promise<void> {
    await this.#builds.running?.catch(() => {});
    this.#builds.retryAtOnce();
    this.#builds.begin({ ...(progress === undefined ? {} : { progress }), isHere: true });
    await this.#builds.running;
  }

  doubt(): void {
    void this.#check().catch(this.#reportLateness);
  }

  metrics(): FollowerMetrics {
    const isBuilding = this.#builds.running !== null;
    return {
      state: isBuilding ? "building" : (this.#current?.position ?? null) === null ? "starting" : "following",
      built: this.#builds.documents,
      lagMs: this.#lateSinceMs === null ? 0 : this.#elapsedMs() - this.#lateSinceMs,
      queue: this.#current?.waitingRoots.length ?? 0,
      trouble: this.#troubles.trouble,
    };
  }

  #buildOwner(): BuildOwner {
    return {
      isStopped: () => this.#isStopped,
      current: () => this.#current,
      readSettings: () => this.#readSettings(),
      open: (settings) => openFollowedIndex(this.#indexNeeds, this.#needs.open, settings),
      answerFrom: (index, position, finish) =>
        this.#passes.between(async () => {
          await finish?.();
          this.#current = index.builtAt(position);
          this.#applied = null;
          if (finish !== null) this.#wroteLast = true;
        }),
      followOn: () => void this.#passes.run().catch(this.#reportLateness),
    };
  }

  async #poll(): Promise<void> {
    await this.#check().catch(this.#reportLateness);
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#poll(), this.#needs.pollMs ?? POLL_MS);
  }

  async #check(): Promise<void> {
    await this.#open();
    if (this.#current === null) return;
    await this.#passes.run();
    // Damaged, lost, or of another history: a new index is built next to it.
    const isMissing = this.#current.position === null || (await this.#current.index.position()) === null;
    if (isMissing) this.#current.position = null;
    if (isMissing || this.#builds.isDue) this.#builds.begin();
    if (!this.#builds.hasFailed) this.#troubles.reportRecovery("search_index_follows");
  }

  /** Opens the index once, however many ask meanwhile: a second one would have another place, without documents. */
  async #open(): Promise<void> {
    if (this.#current !== null) return;
    this.#opening ??= this.#opened().finally(() => {
      this.#opening = null;
    });
    const opened = await this.#opening;
    this.#current ??= opened;
  }

  async #opened(): Promise<FollowedIndex> {
    const opened = await openFollowedIndex(this.#indexNeeds, this.#needs.open, await this.#readSettings());
    try {
      opened.position = await opened.index.position();
    } catch (error) {
      // An engine that is not reachable may have everything: it is asked again, and nothing is built.
      await opened.index.close();
      throw error;
    }
    return opened;
  }

  /** Applies what the feed has, up to its end. */
  async #pass(): Promise<void> {
    const to = this.#current;
    if (to === null || to.position === null || this.#isStopped) return;
    const head = await this.#needs.store.changes.head();
    if (head === this.#applied && to.waitingRoots.length === 0 && to.isDayRefreshed) return;
    if (head !== this.#applied) this.#lateSinceMs ??= this.#elapsedMs();
    if (!(await this.#isWriter(to))) {
      to.markDayRefreshed();
      if (await this.#isSharedIndexUpToDate(to)) this.#setCaughtUp(head);
      return;
    }
    while (await this.#readOn(to)) await yieldToEventLoop();
    if (to.position !== null && to.waitingRoots.length === 0) this.#setCaughtUp(head);
  }

  /** Continues from the position that another process stored, if that wrote before. */
  async #isWriter(to: FollowedIndex): Promise<boolean> {
    if (this.#lease === null) return true;
    const isHeld = await this.#lease.held();
    if (isHeld && !this.#wroteLast) {
      to.position = await to.index.position();
      const isIdle = this.#builds.running === null;
      if (isIdle && (await to.index.removeLeftovers?.()) === true) this.#builds.isDue = true;
    }
    this.#wroteLast = isHeld;
    return isHeld;
  }

  #setCaughtUp(head: string): void {
    this.#applied = head;
    this.#timesCaughtUp += 1;
    this.#lateSinceMs = null;
    this.#vain = null;
  }

  /** A page of the feed, or else some of a subtree; false where nothing is left to do. */
  async #readOn(to: FollowedIndex): Promise<boolean> {
    if (to.position === null || this.#isStopped) return false;
    const page = await this.#needs.store.changes.changes(to.position, CHANGES_AT_ONCE);
    const request = page.changes.findLast(({ subject }) => subject === "rebuild");
    // A row may be seen twice.
    if (request !== undefined && request.id !== this.#lastBuildRequest) {
      this.#lastBuildRequest = request.id;
      this.#builds.isDue = true;
    }
    if (page.lost !== undefined || page.position.epoch !== to.position.epoch) {
      this.#needs.log.warn("search_index_lost", { reason: page.lost ?? "another history of the database" });
      to.position = null;
      return false;
    }
    if (page.changes.length > 0) await to.applyPage(page.changes, page.position);
    else to.position = page.position;
    if (page.changes.some(({ subject }) => subject === "settings")) await this.#applySettings();
    if (this.#builds.isDue) this.#builds.begin();
    if (page.more === true) return true;
    return (await to.applySubtree()) || (await to.refreshReachedDays());
  }

  /** Facets and fields may have other names at once; where documents change, the index is built first. */
  async #applySettings(): Promise<void> {
    if (this.#current === null) return;
    const settings = await this.#readSettings();
    const schema = searchSchema(settings);
    if (schema.version === this.#current.schema.version) this.#current.settings = settings;
    else this.#builds.isDue = true;
  }

  async #isSharedIndexUpToDate({ index }: FollowedIndex): Promise<boolean> {
    const position: FeedPosition | null = await index.position();
    if (position === null) return false;
    const page = await this.#needs.store.changes.changes(position, 1);
    return page.lost === undefined && page.position.epoch === position.epoch && page.changes.length === 0;
  }

  async #readSettings(): Promise<SearchSettings> {
    return searchSettingsFrom(await this.#needs.store.settings.searchSettings(), SHIPPED_SEARCH_SETTINGS);
  }

  readonly #reportLateness = (error: unknown): void => this.#troubles.report("warn", "search_index_behind", error);
}
