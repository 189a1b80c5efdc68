// Keeps the resolver's table like the database it is pointed at: loaded whole, then followed by the change feed (A31d,
// A44; docs/resolver-table.md).

import { errorMessage } from "../../shared/error-message.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { feedWindow, ReplicaBehind } from "../feed-window.ts";
import type { Registry } from "../registry.ts";
import type { FeedChange, FeedPage, FeedPosition, Replica, TableRow } from "../replica.ts";
import { lookAgain, type SharedState, sharedState } from "../replica-recheck.ts";
import type { Policies, ResolutionTable } from "../table.ts";
import { type SnapshotStore, type TableBase, type TableBuilder, TableTooLarge } from "../table-builder.ts";
import { inlineBuilder } from "./table-building.ts";
import { type TableOrder, type TableWriter, type TellingWriter, tellingWriter, wholeTable } from "./table-copy.ts";
import { BaseKeeper, type TableKeeping } from "./table-keeping.ts";
import { type TrieTable, trieTable } from "./trie.ts";

export type TableRefreshNeeds = {
  readonly replica: Replica;
  readonly clock: Pick<Clock, "now">;
  /** Time between two reads of the feed (SVC_REFRESH_MS). */
  readonly intervalMs: number;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  readonly registry?: Registry;
  /** Rows of one page while loading on this thread. */
  readonly pageSize?: number;
  /** Where bases are built; on this thread where it is left out. */
  readonly builder?: TableBuilder;
  readonly snapshots?: SnapshotStore | null;
  /** Tells the copies of the table in other threads what has changed. */
  readonly tell?: (order: TableOrder) => void;
  readonly state?: SharedState;
  /** Names over the base from which a new base is due; left to the table where it is left out. */
  readonly rebuildAfter?: number;
};

type RefreshStatus = {
  readonly loaded: boolean;
  /** Names in the table. */
  readonly names: number;
  /** Names that changed since its base was built, and bytes of the base. */
  readonly overlayNames: number;
  readonly baseBytes: number;
  /** When the table was last known to be as new as the replica; null before the first time. */
  readonly lastRefreshAt: Instant | null;
  /** False since the last attempt to read failed. */
  readonly replicaUp: boolean;
  /** Times the table was built whole, from the replica. */
  readonly rebuilds: number;
  /** Times recent changes were taken into a new base. */
  readonly baseRebuilds: number;
  readonly snapshotsWritten: number;
  /** Changes applied since the start. */
  readonly changes: number;
  /** Why nothing is read from the replica although it answers: it is behind what was applied. Null when it is not. */
  readonly behind: string | null;
  /** Changes of the last look that had been applied already and were skipped. */
  readonly windowRows: number;
  /** Transactions at work that may still bring changes from before the last look. */
  readonly openTransactions: number;
  /** Since when the oldest of them has been seen at work (milliseconds); null when there is none. */
  readonly horizonSinceMs: number | null;
};

export interface TableRefresh {
  /** Begins to load and to follow. Settles when the first table is ready, however long the replica is away. */
  start(): Promise<void>;
  /** Ends everything; leaves a snapshot behind where there is a place for it. */
  stop(): Promise<void>;
  /** Reads the feed once; concurrent callers share one read. Never throws. */
  refreshNow(): Promise<void>;
  /** The table to answer from; null before the first one is ready. */
  current(): ResolutionTable | null;
  /** What a new copy of the table begins with; null before the first one is ready. */
  whole(): TableOrder | null;
  /** Reads these names again before a 404 is returned for one of them (A31d). */
  lookAgain(keys: readonly string[]): Promise<ResolutionTable | null>;
  status(): RefreshStatus;
}

const LONGEST_PAUSE_MS = 5000;
const FIRST_PAUSE_MS = 100;
const LAST_SNAPSHOT_MS = 4000;
const TOO_LARGE_PAUSE_MS = 600_000;
/** Changes since a snapshot, at least, from which a new build is quicker and sure. */
const CAUGHT_UP_MIN = 100_000;

export class TableFollower implements TableRefresh {
  readonly #needs: TableRefreshNeeds;
  readonly #replica: TableRefreshNeeds["replica"];
  readonly #clock: TableRefreshNeeds["clock"];
  readonly #log: TableRefreshNeeds["log"];
  readonly #state: SharedState;
  readonly #snapshots: SnapshotStore | null;
  readonly #tell: ((order: TableOrder) => void) | null;
  readonly #builder: TableBuilder;
  readonly #keeping: TableKeeping;
  #table: TrieTable | null = null;
  /** What the feed is applied to: the table itself, or one that updates its copies as well. */
  #writer: TellingWriter | null = null;
  #policies: Policies = { naans: [], shoulders: [], organisations: [] };
  #position: FeedPosition | null = null;
  #lastRefreshAt: Instant | null = null;
  #replicaUp = false;
  #rebuilds = 0;
  #changes = 0;
  #behind: string | null = null;
  readonly #feed = feedWindow();
  #failures = 0;
  /** The last table that did not fit, and when it is tried again: reading all names in vain is expensive. */
  #tooLarge: { readonly error: TableTooLarge; readonly until: number } | null = null;
  #isStopped = false;
  #isBuilding = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;
  #snapshot: Promise<Awaited<ReturnType<SnapshotStore["load"]>>> | null = null;
  #isSnapshotSpent: boolean;
  #announceLoaded: () => void = () => {};
  readonly #loaded: Promise<void>;

  constructor(needs: TableRefreshNeeds) {
    this.#needs = needs;
    this.#replica = needs.replica;
    this.#clock = needs.clock;
    this.#log = needs.log;
    this.#state = needs.state ?? sharedState();
    this.#snapshots = needs.snapshots ?? null;
    this.#tell = needs.tell ?? null;
    this.#builder = this.#needs.builder ?? inlineBuilder(this.#replica, this.#needs.pageSize);
    this.#keeping = new BaseKeeper({
      builder: this.#builder,
      snapshots: this.#snapshots,
      log: this.#log,
      ...(this.#needs.rebuildAfter === undefined ? {} : { rebuildAfter: this.#needs.rebuildAfter }),
      onBase: (segments, upTo) => {
        this.#writer?.flush();
        this.#tell?.({ kind: "base", segments, upTo });
      },
    });
    this.#isSnapshotSpent = this.#snapshots === null;
    this.#loaded = new Promise<void>((resolve) => {
      this.#announceLoaded = resolve;
    });
  }

  start(): Promise<void> {
    void this.refreshNow().then(() => this.#schedule());
    return this.#loaded;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    // Nobody waits for a table that is being built.
    if (this.#isBuilding || this.#table === null) this.#builder.close();
    await this.#running;
    await this.#keeping.stop(this.#position, LAST_SNAPSHOT_MS);
    this.#builder.close();
  }

  refreshNow(): Promise<void> {
    this.#running ??= this.#refreshOnce().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  current(): ResolutionTable | null {
    return this.#table;
  }

  whole(): TableOrder | null {
    return this.#table === null ? null : wholeTable(this.#table, this.#policies);
  }

  lookAgain(keys: readonly string[]): Promise<ResolutionTable | null> {
    return lookAgain(this.#table, keys, this.#replica, this.#state);
  }

  status(): RefreshStatus {
    return {
      loaded: this.#table !== null,
      names: this.#table?.size ?? 0,
      overlayNames: this.#table?.changed ?? 0,
      baseBytes: this.#table?.bytes ?? 0,
      lastRefreshAt: this.#lastRefreshAt,
      replicaUp: this.#replicaUp,
      rebuilds: this.#rebuilds,
      ...this.#keeping.status(),
      changes: this.#changes,
      behind: this.#behind,
      ...this.#feed.status(),
    };
  }

  async #loadPolicies(into: TableWriter): Promise<void> {
    const [naans, shoulders, organisations] = await Promise.all([
      this.#replica.naans(),
      this.#replica.shoulders(),
      this.#replica.organisations(),
    ]);
    this.#policies = { naans, shoulders, organisations };
    into.setPolicies(this.#policies);
  }

  /** Builds a table next to the one that answers, and replaces that. */
  async #build(): Promise<void> {
    const startedAt = Date.now();
    if (this.#tooLarge !== null && startedAt < this.#tooLarge.until) throw this.#tooLarge.error;
    this.#isBuilding = true;
    try {
      // Fails at once where the replica is away, before any thread is started.
      await this.#replica.position();
      const base = await this.#builder.fromReplica();
      const built = await this.#adopt(base, false);
      if (built === null) throw new Error("The history of the database changed while the table was built");
      this.#rebuilds += 1;
      this.#log.info("table_built", { names: built.size, ms: Date.now() - startedAt, epoch: base.position.epoch });
    } finally {
      this.#isBuilding = false;
    }
  }

  /** Makes this base the table, once it is as new as the replica. Null: the feed does not go on from there. */
  async #adopt(base: TableBase, fromSnapshot: boolean): Promise<TrieTable | null> {
    const fresh = trieTable(base.segments, this.#needs.registry);
    const most = fromSnapshot ? Math.max(CAUGHT_UP_MIN, fresh.size / 2) : Number.POSITIVE_INFINITY;
    const into = tellingWriter(fresh, this.#tell, most);
    await this.#loadPolicies(into);
    const reached = await this.#follow(into, base.position);
    if (reached === null) return null;
    this.#table = fresh;
    this.#position = reached;
    this.#writer = into;
    into.begin();
    this.#tell?.(wholeTable(fresh, this.#policies));
    this.#keeping.keep(fresh, base, fromSnapshot);
    this.#announceLoaded();
    return fresh;
  }

  /** Starts from the snapshot. False: there is none to be trusted, which is logged once. */
  async #adoptSnapshot(store: SnapshotStore): Promise<boolean> {
    const startedAt = Date.now();
    this.#snapshot ??= store.load();
    const found = await this.#snapshot;
    let refusal: string | null = null;
    if ("fault" in found) refusal = found.fault instanceof TableTooLarge ? found.fault.message : found.fault;
    else {
      try {
        const from = await this.#adopt(found, true);
        if (from === null) refusal = "it belongs to another history of the database";
        else
          this.#log.info("table_from_snapshot", {
            names: from.size,
            ms: Date.now() - startedAt,
            epoch: found.position.epoch,
          });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        refusal = error.message;
      }
    }
    this.#isSnapshotSpent = true;
    this.#snapshot = null;
    if (refusal !== null && refusal !== "absent" && !this.#isStopped)
      this.#log.warn("snapshot_not_used", { why: refusal });
    return refusal === null;
  }

  /** Applies what the feed has after a position; returns the next one, or null when the history is another one. */
  async #follow(into: TableWriter, from: FeedPosition): Promise<FeedPosition | null> {
    let feedPosition = from;
    for (;;) {
      const page = await this.#replica.changes(feedPosition);
      if (page.behind !== undefined) throw new ReplicaBehind(page.behind);
      if (page.position.epoch !== from.epoch) {
        this.#log.error("replica_restored", { why: page.lost ?? "another epoch", next: "the table is rebuilt" });
        return null;
      }
      await this.#applyChanges(into, this.#feed.unseen(into, page, feedPosition === from), page.rows);
      this.#feed.applied(into, page.changes);
      feedPosition = page.position;
      if (!page.more || this.#isStopped) return feedPosition;
    }
  }

  async #applyChanges(into: TableWriter, page: readonly FeedChange[], rows: FeedPage["rows"]): Promise<void> {
    if (page.length === 0) return;
    const keys = new Set<string>();
    let policiesChanged = false;
    for (const change of page) {
      if (change.subject === "ark") keys.add(change.target);
      else if (change.subject !== "credential") policiesChanged = true;
    }
    const all = [...keys];
    const { keysPerRead } = this.#replica;
    for (let start = 0; start < all.length; start += keysPerRead) {
      const some = all.slice(start, start + keysPerRead);
      takeRows(into, some, rows ?? (await this.#replica.tableRowsOf(some)));
      await yieldToEventLoop();
    }
    if (policiesChanged) await this.#loadPolicies(into);
    this.#changes += page.length;
  }

  async #refreshOnce(): Promise<void> {
    try {
      if (this.#writer !== null && this.#position !== null) await this.#followOn(this.#writer, this.#position);
      if (this.#table === null && this.#snapshots !== null && !this.#isSnapshotSpent)
        await this.#adoptSnapshot(this.#snapshots);
      // Another epoch is another history of the database: nothing read before counts.
      if (this.#table === null || this.#position === null) await this.#build();
      if (this.#failures > 0) this.#log.info("replica_back", { after_failures: this.#failures });
      this.#setReplica(true, null);
      this.#failures = 0;
      this.#lastRefreshAt = this.#clock.now();
    } catch (error) {
      if (this.#isStopped) return;
      const text = errorMessage(error);
      if (error instanceof ReplicaBehind) {
        if (this.#behind === null)
          this.#log.warn("replica_behind", { why: text, next: "waiting until it has caught up" });
        this.#setReplica(true, text);
      } else if (error instanceof TableTooLarge) {
        if (error !== this.#tooLarge?.error) {
          this.#tooLarge = { error, until: Date.now() + TOO_LARGE_PAUSE_MS };
          this.#log.error("table_too_large", {
            error: text,
            next: this.#table === null ? "nothing is answered" : "the table there is answers",
          });
        }
        this.#setReplica(true, text);
      } else {
        if (this.#failures === 0) this.#log.warn("replica_away", { error: text });
        this.#setReplica(false, this.#behind);
      }
      this.#failures += 1;
    }
  }

  async #followOn(into: TellingWriter, from: FeedPosition): Promise<void> {
    const before = this.#changes;
    try {
      this.#position = await this.#follow(into, from);
    } finally {
      into.flush();
    }
    if (this.#position !== null) this.#keeping.followed(this.#position, this.#changes - before);
  }

  #setReplica(up: boolean, behindBecause: string | null): void {
    this.#replicaUp = up;
    this.#behind = behindBecause;
    // A replica that is behind gets no last look.
    this.#state.setReplicaUp(up && this.#behind === null);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const pause =
      this.#failures === 0
        ? this.#needs.intervalMs
        : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    this.#timer = setTimeout(
      () => void this.refreshNow().then(() => this.#schedule()),
      Math.max(pause, this.#needs.intervalMs),
    );
  }
}

/** The table, or the refusal of a resolver that has not loaded one yet (1901). */
export function requireTable(tables: Pick<TableRefresh, "current">): ResolutionTable {
  const table = tables.current();
  if (table === null) throw new ServiceError(1901, { reason: "table" }, { "retry-after": "1" });
  return table;
}

function takeRows(into: TableWriter, keys: readonly string[], rows: ReadonlyMap<string, TableRow>): void {
  for (const key of keys) {
    const row = rows.get(key);
    if (row === undefined) into.remove(key);
    else into.put(row);
  }
}
