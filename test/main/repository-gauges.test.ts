// Figures about tables (src/main/repository/repository-gauges.ts; R8, R16): read when somebody asks, not too often, and
// left out when the database is silent.
import { expect, test } from "bun:test";
import { countGauges, withCounts } from "../../src/main/repository/repository-gauges.ts";
import type { CountReader } from "../../src/repository/store/counts.ts";
import { metrics } from "../../src/shared/metrics.ts";

const NOW = "2026-11-20T12:00:00.000Z";

/** A repository with one activity and one job; `asked` counts how often each table was read. */
function world(answers: Partial<CountReader> = {}, freeBytes: number | null = 1000) {
  const time = { ms: 0 };
  const asked = { activities: 0, items: 0 };
  const counts: CountReader = {
    async waitingActivities() {
      asked.activities += 1;
      return [{ state: "M", action: "approval", count: 2, since: "2026-11-20T11:00:00.000Z" }];
    },
    undoneJobs: async () => [
      { kind: "file_md5", state: "waiting", count: 3, since: "2026-11-20T11:59:00.000Z" },
      { kind: "file_md5", state: "failed", count: 1, since: "2026-11-20T10:00:00.000Z" },
      { kind: "storage_sweep", state: "waiting", count: 1, since: "2026-11-21T11:00:00.000Z" },
    ],
    async itemsByState() {
      asked.items += 1;
      return [{ state: "published", count: 7 }];
    },
    ...answers,
  };
  const needs = { counts, clock: { now: () => NOW }, elapsedMs: () => time.ms };
  const gauges = countGauges({ ...needs, incoming: { freeBytes: async () => freeBytes } });
  const figures = metrics();
  figures.add(...gauges.gauges);
  const lines = async (): Promise<readonly string[]> =>
    (await withCounts(figures, gauges).render()).split("\n").filter((line) => /^arkstone_(?!request)/.test(line));
  return { time, asked, lines };
}

test("R8 R16 activities, jobs, items and room are reported; only what is due is overdue, and a job that failed is not", async () => {
  expect(await world().lines()).toEqual([
    'arkstone_activities{state="M",action="approval"} 2',
    'arkstone_activity_oldest_seconds{state="M",action="approval"} 3600',
    'arkstone_jobs{kind="file_md5",state="waiting"} 3',
    'arkstone_jobs{kind="file_md5",state="failed"} 1',
    'arkstone_jobs{kind="storage_sweep",state="waiting"} 1',
    'arkstone_job_overdue_seconds{kind="file_md5"} 60',
    'arkstone_job_overdue_seconds{kind="storage_sweep"} 0',
    'arkstone_items{state="published"} 7',
    "arkstone_storage_free_bytes 1000",
  ]);
});

test("however often somebody asks, tables are read every five seconds and items every five minutes", async () => {
  const { time, asked, lines } = world();
  await Promise.all([lines(), lines(), lines()]);
  time.ms = 4_999;
  await lines();
  expect(asked).toEqual({ activities: 1, items: 1 });
  time.ms = 5_000;
  await lines();
  expect(asked).toEqual({ activities: 2, items: 1 });
  time.ms = 300_000;
  await lines();
  expect(asked).toEqual({ activities: 3, items: 2 });
});

test("figures of a database that fails or is silent are left out, not zero, and the others come within seconds", async () => {
  const failing = { waitingActivities: async () => Promise.reject(new Error("away")) };
  expect(await world(failing, null).lines()).toEqual(['arkstone_items{state="published"} 7']);
  const silent = { waitingActivities: () => new Promise<never>(() => {}), itemsByState: failing.waitingActivities };
  expect(await world(silent).lines()).toEqual(["arkstone_storage_free_bytes 1000"]);
});
