// What is kept of texts that come again stays bounded, by number and by weight.
import { expect, test } from "bun:test";
import { RecentValues } from "../../src/shared/recent-values.ts";

test("R9a kept values are up to twice the number or the weight, and one that is asked for stays", () => {
  const byNumber = new RecentValues<number>(10);
  const byWeight = new RecentValues<number>(100, (text) => text.length);
  for (let at = 0; at < 1_000; at += 1) {
    byNumber.set(`${at}`, at);
    byWeight.set(`${at}`.padStart(20, "-"), at);
    if (at > 0) expect([byNumber.get("0") ?? byNumber.set("0", 0)]).toEqual([0]);
    expect(byNumber.size).toBeLessThanOrEqual(20);
    expect(byWeight.size).toBeLessThanOrEqual(10);
  }
  expect([byNumber.get("999"), byNumber.get("500"), byWeight.get("999".padStart(20, "-"))]).toEqual([
    999,
    undefined,
    999,
  ]);
  // The same text again weighs nothing more.
  for (let again = 0; again < 50; again += 1) byWeight.set("x".repeat(90), again);
  expect([byWeight.get("x".repeat(90)), byWeight.get("999".padStart(20, "-"))]).toEqual([49, 999]);
});
