// Keeps the resolver's table like the database it is pointed at: loaded whole, then followed by the change feed (A31d, A44; docs/resolver-table.md).

import type { Clock } from "../../shared/clock.ts";
import { errorMessage } from "../../shared/error-message.ts";
import { ServiceError } from "../../shared/errors.ts";
import { turn } from "../../shared/event-loop-turn.ts";
import type { Log } from "../../shared/log.ts";
import { feedWindow, ReplicaBehind } from "../feed-window.ts";
import { lookAgain, type SharedState, sharedState } from "../last-look.ts";
import type { Registry } from "../registry.ts";
import type { FeedChange, FeedPosition, Replica } from "../replica.ts";
import type { Policies, ResolutionTable } from "../table.ts";
import { type SnapshotStore, type TableBase, type TableBuilder, TableTooLarge } from "../table-builder.ts";
import { inlineBuilder } from "./table-building.ts";
import { type TableOrder, type TableWriter, type TellingWriter, tellingWriter, wholeTable } from "./table-copy.ts";
import { tableKeeping } from "./table-keeping.ts";
import { type TrieTable, trieTable } from "./trie.ts";

export type TableRefreshNeeds = {
  readonly replica: Replica;
  readonly clock: Pick<Clock, "now">;
  /** Time between two looks at the feed (SVC_REFRESH_MS). */
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
  /** Names that changed since its base was built, and octets of the base. */
  readonly overlayNames: number;
  readonly baseOctets: number;
  /** When the table was last known to be as new as the replica; null before the first time. */
  readonly lastRefreshAt: string | null;
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
  /** Begins to load and to follow. Settles when the first table stands, however long the replica is away. */
  start(): Promise<void>;
  /** Ends everything; leaves a snapshot behind where there is a place for it. */
  stop(): Promise<void>;
  /** One look at the feed; while one is under way, the same one for all who ask. Never throws. */
  refreshNow(): Promise<void>;
  /** The table to answer from; null before the first one stands. */
  current(): ResolutionTable | null;
  /** What a new copy of the table begins with; null before the first one stands. */
  whole(): TableOrder | null;
  /** Reads these names again before a 404 is said of one of them (A31d). */
  lookAgain(keys: readonly string[]): Promise<ResolutionTable | null>;
  status(): RefreshStatus;
}

const KEYS_PER_READ = 250;
const LONGEST_PAUSE_MS = 5000;
const FIRST_PAUSE_MS = 100;
const LAST_SNAPSHOT_MS = 4000;
const TOO_LARGE_PAUSE_MS = 600_000;
/** Changes since a snapshot, at least, from which building anew is quicker and sure. */
const CAUGHT_UP_MIN = 100_000;

export const tableRefresh = (needs: TableRefreshNeeds): TableRefresh => {
  const { replica, clock, log, state = sharedState(), snapshots = null, tell = null } = needs;
  const builder = needs.builder ?? inlineBuilder(replica, needs.pageSize);
  const keeping = tableKeeping({
    builder,
    snapshots,
    log,
    ...(needs.rebuildAfter === undefined ? {} : { rebuildAfter: needs.rebuildAfter }),
    onBase: (segments, upTo) => {
      writer?.flush();
      tell?.({ kind: "base", segments, upTo });
    },
  });
  let table: TrieTable | null = null;
  /** What the feed is applied to: the table itself, or one that tells its copies as well. */
  let writer: TellingWriter | null = null;
  let policies: Policies = { naans: [], shoulders: [], organisations: [] };
  let position: FeedPosition | null = null;
  let lastRefreshAt: string | null = null;
  let replicaUp = false;
  let rebuilds = 0;
  let changes = 0;
  let behind: string | null = null;
  const feed = feedWindow();
  let failures = 0;
  /** The last table that did not fit, and when it is tried again: reading so many names for nothing is dear. */
  let tooLarge: { readonly error: TableTooLarge; readonly until: number } | null = null;
  let isStopped = false;
  let isBuilding = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  let snapshot: Promise<Awaited<ReturnType<SnapshotStore["load"]>>> | null = null;
  let isSnapshotSpent = snapshots === null;
  let announceLoaded: () => void = () => {};
  const loaded = new Promise<void>((resolve) => {
    announceLoaded = resolve;
  });

  async function loadPolicies(into: TableWriter): Promise<void> {
    const [naans, shoulders, organisations] = await Promise.all([
      replica.naans(),
      replica.shoulders(),
      replica.organisations(),
    ]);
    policies = { naans, shoulders, organisations };
    into.setPolicies(policies);
  }

  /** Builds a table aside and swaps it in. */
  async function build(): Promise<void> {
    const startedAt = Date.now();
    if (tooLarge !== null && startedAt < tooLarge.until) throw tooLarge.error;
    isBuilding = true;
    try {
      // Fails at once where the replica is away, before any thread is started.
      await replica.position();
      const base = await builder.fromReplica();
      const built = await adopt(base, false);
      if (built === null) throw new Error("The history of the database changed while the table was built");
      rebuilds += 1;
      log.info("table_built", { names: built.size, ms: Date.now() - startedAt, epoch: base.position.epoch });
    } finally {
      isBuilding = false;
    }
  }

  /** Makes this base the table, once it is as new as the replica. Null: the feed does not go on from there. */
  async function adopt(base: TableBase, fromSnapshot: boolean): Promise<TrieTable | null> {
    const fresh = trieTable(base.segments, needs.registry);
    const most = fromSnapshot ? Math.max(CAUGHT_UP_MIN, fresh.size / 2) : Number.POSITIVE_INFINITY;
    const into = tellingWriter(fresh, tell, most);
    await loadPolicies(into);
    const reached = await follow(into, base.position);
    if (reached === null) return null;
    table = fresh;
    position = reached;
    writer = into;
    into.begin();
    tell?.(wholeTable(fresh, policies));
    keeping.keep(fresh, base, fromSnapshot);
    announceLoaded();
    return fresh;
  }

  /** Starts from the snapshot. False: there is none to be trusted, and whoever should know has been told once. */
  async function adoptSnapshot(store: SnapshotStore): Promise<boolean> {
    const startedAt = Date.now();
    snapshot ??= store.load();
    const found = await snapshot;
    let refusal: string | null = null;
    if ("fault" in found) refusal = found.fault instanceof TableTooLarge ? found.fault.message : found.fault;
    else {
      try {
        const from = await adopt(found, true);
        if (from === null) refusal = "it belongs to another history of the database";
        else
          log.info("table_from_snapshot", {
            names: from.size,
            ms: Date.now() - startedAt,
            epoch: found.position.epoch,
          });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        refusal = error.message;
      }
    }
    isSnapshotSpent = true;
    snapshot = null;
    if (refusal !== null && refusal !== "absent" && !isStopped) log.warn("snapshot_not_used", { why: refusal });
    return refusal === null;
  }

  /** Applies what the feed tells after a position; gives back the next one, or null when the history is another one. */
  async function follow(into: TableWriter, from: FeedPosition): Promise<FeedPosition | null> {
    let feedPosition = from;
    for (;;) {
      const page = await replica.changes(feedPosition);
      if (page.behind !== undefined) throw new ReplicaBehind(page.behind);
      if (page.position.epoch !== from.epoch) {
        log.error("replica_restored", { why: page.lost ?? "another epoch", next: "the table is built anew" });
        return null;
      }
      await applyChanges(into, feed.unseen(into, page, feedPosition === from));
      feed.applied(into, page.changes);
      feedPosition = page.position;
      if (!page.more || isStopped) return feedPosition;
    }
  }

  async function applyChanges(into: TableWriter, page: readonly FeedChange[]): Promise<void> {
    if (page.length === 0) return;
    const keys = new Set<string>();
    let policiesChanged = false;
    for (const change of page) {
      if (change.subject === "ark") keys.add(change.target);
      else if (change.subject !== "credential") policiesChanged = true;
    }
    const all = [...keys];
    for (let start = 0; start < all.length; start += KEYS_PER_READ) {
      await readAgain(into, all.slice(start, start + KEYS_PER_READ));
      await turn();
    }
    if (policiesChanged) await loadPolicies(into);
    changes += page.length;
  }

  async function readAgain(into: TableWriter, keys: readonly string[]): Promise<void> {
    const rows = await replica.tableRowsOf(keys);
    for (const key of keys) {
      const row = rows.get(key);
      if (row === undefined) into.remove(key);
      else into.put(row);
    }
  }

  async function refreshOnce(): Promise<void> {
    try {
      if (writer !== null && position !== null) await followOn(writer, position);
      if (table === null && snapshots !== null && !isSnapshotSpent) await adoptSnapshot(snapshots);
      // Another epoch is another history of the database: nothing read before counts.
      if (table === null || position === null) await build();
      if (failures > 0) log.info("replica_back", { after_failures: failures });
      setReplica(true, null);
      failures = 0;
      lastRefreshAt = clock.now();
    } catch (error) {
      if (isStopped) return;
      const text = errorMessage(error);
      if (error instanceof ReplicaBehind) {
        if (behind === null) log.warn("replica_behind", { why: text, next: "waiting until it has caught up" });
        setReplica(true, text);
      } else if (error instanceof TableTooLarge) {
        if (error !== tooLarge?.error) {
          tooLarge = { error, until: Date.now() + TOO_LARGE_PAUSE_MS };
          log.error("table_too_large", {
            error: text,
            next: table === null ? "nothing is answered" : "the table there is answers",
          });
        }
        setReplica(true, text);
      } else {
        if (failures === 0) log.warn("replica_away", { error: text });
        setReplica(false, behind);
      }
      failures += 1;
    }
  }

  async function followOn(into: TellingWriter, from: FeedPosition): Promise<void> {
    const before = changes;
    try {
      position = await follow(into, from);
    } finally {
      into.flush();
    }
    if (position !== null) keeping.followed(position, changes - before);
  }

  function setReplica(up: boolean, behindBecause: string | null): void {
    replicaUp = up;
    behind = behindBecause;
    // Nobody takes a last look at a replica that is behind.
    state.setReplicaUp(up && behind === null);
  }

  function refreshNow(): Promise<void> {
    running ??= refreshOnce().finally(() => {
      running = null;
    });
    return running;
  }

  function schedule(): void {
    if (isStopped) return;
    const pause = failures === 0 ? needs.intervalMs : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    timer = setTimeout(() => void refreshNow().then(schedule), Math.max(pause, needs.intervalMs));
  }

  return {
    start() {
      void refreshNow().then(schedule);
      return loaded;
    },

    async stop() {
      isStopped = true;
      clearTimeout(timer);
      // Nobody waits for a table that is being built.
      if (isBuilding || table === null) builder.close();
      await running;
      await keeping.stop(position, LAST_SNAPSHOT_MS);
      builder.close();
    },

    refreshNow,

    current: () => table,

    whole: () => (table === null ? null : wholeTable(table, policies)),

    lookAgain: (keys) => lookAgain(table, keys, replica, state),

    status: () => ({
      loaded: table !== null,
      names: table?.size ?? 0,
      overlayNames: table?.changed ?? 0,
      baseOctets: table?.octets ?? 0,
      lastRefreshAt,
      replicaUp,
      rebuilds,
      ...keeping.status(),
      changes,
      behind,
      ...feed.status(),
    }),
  };
};

/** The table, or the refusal of a resolver that has not loaded one yet (1901). */
export function requireTable(tables: Pick<TableRefresh, "current">): ResolutionTable {
  const table = tables.current();
  if (table === null) throw new ServiceError(1901, { reason: "table" }, { "retry-after": "1" });
  return table;
}
