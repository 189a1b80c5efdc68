// The log in which causes that repeat are counted.
import { describe, expect, test } from "bun:test";
import { jsonLog, throttledLog } from "../../src/adapters/log.ts";
import { eventually } from "../support/eventually.ts";

type Line = { readonly event: string; readonly repeated?: number; readonly reason?: string; readonly error?: string };

function logged(windowMs: number) {
  const lines: Line[] = [];
  return {
    lines,
    log: throttledLog(
      jsonLog("info", (line) => void lines.push(JSON.parse(line))),
      windowMs,
    ),
  };
}

describe("a cause that repeats", () => {
  test("1901 of a thousand refusals for one cause the first is reported whole, the others are counted in one line a minute later", async () => {
    const { lines, log } = logged(50);
    for (let number = 0; number < 1_000; number += 1) {
      log.warn("unavailable", { request_id: String(number), route: "/api/mint", reason: "database or disk is full" });
    }
    await eventually("the window ends", () => lines.length > 1);
    expect(lines).toMatchObject([
      { event: "unavailable", request_id: "0", reason: "database or disk is full" },
      { event: "unavailable", route: "/api/mint", reason: "database or disk is full", repeated: 999 },
    ]);
    log.warn("unavailable", { request_id: "again", reason: "database or disk is full" });
    expect(lines).toHaveLength(3);
  });

  test("A28 another cause is reported at once, with its stack; so is a thousandth different one", () => {
    const { lines, log } = logged(60_000);
    for (let number = 0; number < 1_000; number += 1) log.error("unexpected", { error: new Error(`bug ${number}`) });
    expect(lines).toHaveLength(1_000);
    expect(lines[999]?.error).toContain("throttled-log.test.ts");
  });

  test("lines that tell of no cause are never held back", () => {
    const { lines, log } = logged(60_000);
    for (let number = 0; number < 10; number += 1) log.info("request", { status: 503 });
    for (let number = 0; number < 10; number += 1) log.warn("job.failed", { error: new Error("same") });
    expect(lines).toHaveLength(20);
  });
});
