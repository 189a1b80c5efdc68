// Keeps the resolver's table like the database it is pointed at: loaded whole, then followed by the change feed (A31d, A44; "The resolver's table" of docs/architecture.md).
import { ServiceError } from "../domain/errors.ts";
import type { Registry } from "../domain/resolution/registry.ts";
import { plainTable, type ResolutionTable, type WritableTable, withRows } from "../domain/resolution/table.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { FeedChange, FeedPosition, Replica } from "../ports/replica.ts";
import { feedWindow, ReplicaBehind } from "./feed-window.ts";

export type TableRefreshNeeds = {
  readonly replica: Replica;
  readonly clock: Pick<Clock, "now">;
  /** Time between two looks at the feed (SVC_REFRESH_MS). */
  readonly intervalMs: number;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  readonly registry?: Registry;
  /** Rows of one page while loading. */
  readonly pageSize?: number;
};

export type RefreshStatus = {
  readonly loaded: boolean;
  /** Names in the table. */
  readonly names: number;
  /** When the table was last known to be as new as the replica; null before the first time. */
  readonly lastRefreshAt: string | null;
  /** False since the last attempt to read failed. */
  readonly replicaUp: boolean;
  /** Times the table was built whole. */
  readonly rebuilds: number;
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

export type TableRefresh = ReturnType<typeof tableRefresh>;

const PAGE_SIZE = 10_000;
const KEYS_PER_READ = 1000;
const LONGEST_PAUSE_MS = 5000;
const FIRST_PAUSE_MS = 100;
/** Looks at the replica before a 404, in any one second (A31d). */
export const LOOKS_PER_SECOND = 200;

export const tableRefresh = (needs: TableRefreshNeeds) => {
  const { replica, clock, log } = needs;
  const pageSize = needs.pageSize ?? PAGE_SIZE;
  let table: WritableTable | null = null;
  let position: FeedPosition | null = null;
  let lastRefreshAt: string | null = null;
  let replicaUp = false;
  let rebuilds = 0;
  let changes = 0;
  let behind: string | null = null;
  const feed = feedWindow();
  let failures = 0;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  let announceLoaded: () => void = () => {};
  const loaded = new Promise<void>((resolve) => {
    announceLoaded = resolve;
  });
  const looks = lookLimit();

  async function loadPolicies(into: WritableTable): Promise<void> {
    const [naans, shoulders, organisations] = await Promise.all([
      replica.naans(),
      replica.shoulders(),
      replica.organisations(),
    ]);
    into.setPolicies({ naans, shoulders, organisations });
  }

  /** Builds a table aside and swaps it in. The place in the feed is read first: what changes meanwhile is applied again. */
  async function build(): Promise<void> {
    const startedAt = Date.now();
    const from = await replica.position();
    const fresh = plainTable(needs.registry);
    await loadPolicies(fresh);
    let after = "";
    for (;;) {
      if (isStopped) return;
      const rows = await replica.tableRows(after, pageSize);
      for (const row of rows) fresh.put(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageSize) break;
      after = last.key;
    }
    const reached = await follow(fresh, from);
    table = fresh;
    position = reached;
    rebuilds += 1;
    log.info("table_built", { names: fresh.size, ms: Date.now() - startedAt, epoch: from.epoch });
    announceLoaded();
  }

  /** Applies what the feed tells after a place; gives back the next place, or null when the history is another one. */
  async function follow(into: WritableTable, from: FeedPosition): Promise<FeedPosition | null> {
    let place = from;
    for (;;) {
      const page = await replica.changes(place);
      if (page.behind !== undefined) throw new ReplicaBehind(page.behind);
      if (page.position.epoch !== from.epoch) {
        log.error("replica_restored", { why: page.lost ?? "another epoch", next: "the table is built anew" });
        return null;
      }
      await applyChanges(into, feed.unseen(into, page, place === from));
      feed.applied(into, page.changes);
      place = page.position;
      if (!page.more || isStopped) return place;
    }
  }

  async function applyChanges(into: WritableTable, page: readonly FeedChange[]): Promise<void> {
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
    }
    if (policiesChanged) await loadPolicies(into);
    changes += page.length;
  }

  async function readAgain(into: WritableTable, keys: readonly string[]): Promise<void> {
    const rows = await replica.tableRowsOf(keys);
    for (const key of keys) {
      const row = rows.get(key);
      if (row === undefined) into.remove(key);
      else into.put(row);
    }
  }

  async function refreshOnce(): Promise<void> {
    try {
      if (table !== null && position !== null) position = await follow(table, position);
      // Another epoch is another history of the database: nothing read before counts.
      if (table === null || position === null) await build();
      if (failures > 0) log.info("replica_back", { after_failures: failures });
      replicaUp = true;
      behind = null;
      failures = 0;
      lastRefreshAt = clock.now();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (error instanceof ReplicaBehind) {
        if (behind === null) log.warn("replica_behind", { why: text, next: "waiting until it has caught up" });
        behind = text;
      } else if (failures === 0) log.warn("replica_away", { error: text });
      replicaUp = error instanceof ReplicaBehind;
      failures += 1;
    }
  }

  /** One look at the feed; while one is under way, the same one for all who ask. Never throws. */
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
    /** Begins to load and to follow. Settles when the first table stands, however long the replica is away. */
    start(): Promise<void> {
      void refreshNow().then(schedule);
      return loaded;
    },

    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },

    refreshNow,

    /** The table to answer from; null before the first one stands. */
    current: (): ResolutionTable | null => table,

    /**
     * Reads these names again before a 404 is said of one of them (A31d): the table as it is with them. Null, without a look, when
     * the replica is away or was looked at too often in this second. The table itself is left to the feed: a row read here may be
     * older than one the feed brings meanwhile.
     */
    async lookAgain(keys: readonly string[]): Promise<ResolutionTable | null> {
      const below = table;
      if (below === null || !replicaUp || behind !== null || keys.length === 0 || !looks.take(Date.now())) return null;
      try {
        return withRows(below, keys, await replica.tableRowsOf(keys));
      } catch {
        // The refusal stands; the next refresh notices that the replica is away.
        return null;
      }
    },

    status: (): RefreshStatus => ({
      loaded: table !== null,
      names: table?.size ?? 0,
      lastRefreshAt,
      replicaUp,
      rebuilds,
      changes,
      behind,
      ...feed.status(),
    }),
  };
};

/** At most so many looks in any one second of the clock. */
function lookLimit() {
  let second = 0;
  let taken = 0;
  return {
    take(nowMs: number): boolean {
      const current = Math.floor(nowMs / 1000);
      if (current !== second) {
        second = current;
        taken = 0;
      }
      taken += 1;
      return taken <= LOOKS_PER_SECOND;
    },
  };
}

/** The table, or the refusal of a resolver that has not loaded one yet (1901). */
export function requireTable(tables: Pick<TableRefresh, "current">): ResolutionTable {
  const table = tables.current();
  if (table === null) throw new ServiceError(1901, { reason: "table" }, { "retry-after": "1" });
  return table;
}
