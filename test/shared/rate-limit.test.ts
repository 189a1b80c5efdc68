// Limits that several processes share through slices of one budget, and what they do when it is away (issue 4, item 6).
import { describe, expect, test } from "bun:test";
import { type RateBudget, sharedRateLimit } from "../../src/shared/http/rate-limit.ts";

/** A budget in memory, on a clock that is set by hand; `away` makes it fail. */
function world() {
  const time = { ms: 0 };
  const state = { away: false, leases: 0, sweeps: 0 };
  const windows = new Map<string, { minute: number; taken: number }>();
  const budget: RateBudget = {
    async lease(who, slice, limit) {
      state.leases += 1;
      if (state.away) throw new Error("no answer");
      const minute = Math.floor(time.ms / 60_000);
      const row = windows.get(who);
      const was = row?.minute === minute ? row.taken : 0;
      const granted = Math.max(0, Math.min(slice, limit - was));
      windows.set(who, { minute, taken: was + granted });
      return { granted, taken: was + granted, minute, msLeft: 60_000 - (time.ms % 60_000) };
    },
    async sweep() {
      state.sweeps += 1;
    },
  };
  const failures: unknown[] = [];
  const limit = (perMinute: number) =>
    sharedRateLimit({
      name: "credential",
      perMinute,
      budget,
      nowMs: () => time.ms,
      onFailure: (error) => failures.push(error),
    });
  return { time, state, failures, limit };
}

/** How many of `times` requests pass. */
async function passing(
  limit: ReturnType<ReturnType<typeof world>["limit"]>,
  times: number,
  who = "a",
): Promise<number> {
  let passed = 0;
  for (let n = 0; n < times; n += 1) if ((await limit.take(who)).waitSeconds === 0) passed += 1;
  return passed;
}

describe("sharedRateLimit", () => {
  test("two processes together let through what one may, and ask ten times a minute, not per request", async () => {
    const { limit, state, time } = world();
    const [one, other] = [limit(100), limit(100)];
    const passed = await Promise.all([passing(one, 300), passing(other, 300)]);
    expect(passed[0] + passed[1]).toBe(100);
    expect(state.leases).toBeLessThanOrEqual(12);
    expect(await one.take("a")).toEqual({ waitSeconds: 60, remaining: 0, resetSeconds: 60 });
    expect(await one.take("b")).toMatchObject({ waitSeconds: 0, remaining: 99 });
    time.ms = 60_000;
    expect(await passing(one, 300)).toBe(100);
    expect(one.refused() + other.refused()).toBeGreaterThan(500);
  });

  test("a crowd of requests at once asks once for each slice", async () => {
    const { limit, state } = world();
    const one = limit(50);
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => one.take("a")));
    expect(verdicts.filter(({ waitSeconds }) => waitSeconds === 0)).toHaveLength(20);
    expect(state.leases).toBeLessThanOrEqual(5);
    const more = await Promise.all(Array.from({ length: 200 }, () => one.take("a")));
    expect(more.filter(({ waitSeconds }) => waitSeconds === 0)).toHaveLength(30);
  });

  test("a limit of one a minute is one a minute", async () => {
    const { limit } = world();
    const [one, other] = [limit(1), limit(1)];
    expect((await passing(one, 3)) + (await passing(other, 3))).toBe(1);
  });

  test("while the budget is away each process counts for itself, reports it once, and asks again later", async () => {
    const { limit, state, time, failures } = world();
    const one = limit(10);
    state.away = true;
    expect(await passing(one, 30)).toBe(10);
    expect([failures.length, state.leases]).toEqual([1, 1]);
    state.away = false;
    time.ms = 31_000;
    expect(await passing(one, 30)).toBe(10);
    expect(state.leases).toBeGreaterThan(1);
  });

  test("minutes long past are forgotten now and then", async () => {
    const { limit, state, time } = world();
    const one = limit(10);
    for (let minute = 0; minute < 25; minute += 1) {
      time.ms = minute * 60_000;
      await one.take("a");
    }
    expect(state.sweeps).toBe(2);
  });
});
