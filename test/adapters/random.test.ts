// The platform's randomness as betanumerics (A5), and its clock.
import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/adapters/clock.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { BETANUMERICS } from "../../src/ark/syntax.ts";

describe("randomness", () => {
  test("A5 blades are betanumerics of the length asked for, and differ", () => {
    const random = platformRandom();
    const blades = Array.from({ length: 5000 }, () => random.betanumerics(8));
    expect(blades.every((blade) => /^[0-9bcdfghjkmnpqrstvwxz]{8}$/.test(blade))).toBe(true);
    expect(new Set(blades).size).toBe(5000);
    expect(random.betanumerics(0)).toBe("");
    expect(random.betanumerics(9000)).toHaveLength(9000);
  });

  test("A5 every character is equally likely", () => {
    const names = platformRandom().betanumerics(290_000);
    const counts = new Map<string, number>();
    for (const character of names) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(BETANUMERICS.length);
    // 10,000 each with a standard deviation of 98: six of them on either side.
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(600);
  });

  test("A5 two generators are independent", () => {
    expect(platformRandom().betanumerics(20)).not.toBe(platformRandom().betanumerics(20));
    expect(platformRandom().bytes(32)).toHaveLength(32);
  });

  test("the clock gives UTC with milliseconds", () => {
    expect(systemClock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});
