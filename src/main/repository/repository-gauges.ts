// Figures of the repository (R8, R13, R16), as Prometheus names them: the counts of the deposit interface, and the rows
// of tables, read when somebody asks.

import type { DepositFigures } from "../../repository/deposit/deposit.ts";
import type { CountReader, UndoneJobs, WaitingActivities } from "../../repository/store/counts.ts";
import type { Gauge, Metrics, Reading } from "../../shared/metrics.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { IncomingFiles } from "../../storage/storage.ts";
import { within } from "../process/role-parts.ts";

/** However often somebody asks, the tables are asked no more often than this. */
const STOCK_MS = 5_000;
/** Counting items reads every one of them. */
const ITEMS_MS = 300_000;

export function depositGauges(figures: () => DepositFigures): Gauge[] {
  return [
    {
      name: "arkstone_deposits_total",
      help: "Packages that were deposited, by what they were and what became of them",
      type: "counter",
      read: () => figures().ended.map(({ format, outcome, count }) => ({ labels: { format, outcome }, value: count })),
    },
    {
      name: "arkstone_deposits_in_work",
      help: "Packages being received, read or registered now",
      type: "gauge",
      read: () => [{ value: figures().working }],
    },
    {
      name: "arkstone_deposits_sent_away_total",
      help: "Deposits refused because too many were worked on (SVC_MAX_CONCURRENT_DEPOSITS)",
      type: "counter",
      read: () => [{ value: figures().sentAway }],
    },
    {
      name: "arkstone_deposit_received_bytes_total",
      help: "Bytes of deposits that came in, also of those that were refused",
      type: "counter",
      read: () => [{ value: figures().receivedBytes }],
    },
  ];
}

type CountGaugesNeeds = {
  readonly counts: CountReader;
  readonly incoming: Pick<IncomingFiles, "freeBytes">;
  readonly clock: Clock;
  readonly elapsedMs: () => number;
};

type CountGauges = {
  readonly gauges: readonly Gauge[];
  /**
   * Brings them up to date; settles within seconds, also when the database is silent. Must be awaited before they are
   * read.
   */
  readonly refresh: () => Promise<void>;
};

/** What was read last; null where that failed: then the figures are left out, not zero. */
type LastReadings = {
  readonly activities: readonly WaitingActivities[] | null;
  readonly jobs: readonly UndoneJobs[] | null;
  readonly freeBytes: number | null;
};

export function countGauges(needs: CountGaugesNeeds): CountGauges {
  const { clock } = needs;
  let seen: LastReadings = { activities: null, jobs: null, freeBytes: null };
  let items: readonly Reading[] = [];
  const secondsSince = (moment: Instant): number => Math.max(0, (Date.parse(clock.now()) - Date.parse(moment)) / 1000);

  const look = atMostEvery(STOCK_MS, needs.elapsedMs, async () => {
    const { counts, incoming } = needs;
    let next: LastReadings = { activities: null, jobs: null, freeBytes: await incoming.freeBytes() };
    await within(async () => {
      next = { ...next, activities: await counts.waitingActivities(), jobs: await counts.undoneJobs() };
    });
    seen = next;
  });
  const countItems = atMostEvery(ITEMS_MS, needs.elapsedMs, async () => {
    await within(async () => {
      items = (await needs.counts.itemsByState()).map(({ state, count }) => ({ labels: { state }, value: count }));
    });
  });

  const gauge = (name: string, help: string, read: () => readonly Reading[]): Gauge => ({
    name,
    help,
    type: "gauge",
    read,
  });
  const ofActivities = (value: (each: WaitingActivities) => number) => () =>
    (seen.activities ?? []).map((each) => ({ labels: { state: each.state, action: each.action }, value: value(each) }));
  const waitingJobs = (): readonly UndoneJobs[] => (seen.jobs ?? []).filter(({ state }) => state === "waiting");
  return {
    refresh: async () => void (await Promise.all([look(), countItems()])),
    gauges: [
      gauge(
        "arkstone_activities",
        "Activities that are not over: M waits for somebody, B has begun, P was stopped; by their current action",
        ofActivities(({ count }) => count),
      ),
      gauge(
        "arkstone_activity_oldest_seconds",
        "How long the activity that waits longest has not moved",
        ofActivities(({ since }) => secondsSince(since)),
      ),
      gauge("arkstone_jobs", "Jobs that are not done, by kind and state", () =>
        (seen.jobs ?? []).map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
      ),
      gauge(
        "arkstone_job_overdue_seconds",
        "How long the first waiting job of a kind should have been run already",
        () => waitingJobs().map(({ kind, since }) => ({ labels: { kind }, value: secondsSince(since) })),
      ),
      gauge("arkstone_items", "Items by state; counted every five minutes", () => items),
      gauge("arkstone_storage_free_bytes", "Free space where deposits are received and local files lie", () =>
        seen.freeBytes === null ? [] : [{ value: seen.freeBytes }],
      ),
    ],
  };
}

/** The same work at most so often; who comes meanwhile waits for the one that is under way. */
export function atMostEvery(ms: number, elapsedMs: () => number, work: () => Promise<void>): () => Promise<void> {
  let last: number | null = null;
  let running: Promise<void> | null = null;
  return async () => {
    if (running === null && last !== null && elapsedMs() - last < ms) return;
    running ??= work().finally(() => {
      last = elapsedMs();
      running = null;
    });
    await running;
  };
}

/** What answers count into and `/metrics` is rendered from; counts are read first. */
export function withCounts({ observe, countFast, render }: Metrics, { refresh }: Pick<CountGauges, "refresh">) {
  return {
    observe,
    countFast,
    render: async (): Promise<string> => {
      await refresh();
      return render();
    },
  };
}
