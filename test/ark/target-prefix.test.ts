// Prefixes of targets that move (A15): whole hosts and paths.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isUnder, seamProblem } from "../../src/ark/retarget.ts";

describe("a prefix of targets", () => {
  test.each([
    ["https://a.org", "https://a.org", true],
    ["https://a.org/x", "https://a.org", true],
    ["https://a.org?x", "https://a.org", true],
    ["https://a.org.example/x", "https://a.org", false],
    ["https://a.organic/x", "https://a.org", false],
    ["https://a.org:8443/x", "https://a.org", false],
    ["https://a.org=x", "https://a.org", false],
    ["https://a.org@evil.example/", "https://a.org", false],
    ["https://a.org/x", "https://a.org/", true],
    ["https://a.org/collection/1", "https://a.org/coll", false],
    ["https://a.org/coll/1", "https://a.org/coll", true],
    ["https://a.org/coll", "https://a.org/coll", true],
    ["https://a.org/coll.html", "https://a.org/coll", false],
    ["https://a.org/coll-2", "https://a.org/coll", false],
    ["https://a.org/coll%2F1", "https://a.org/coll", false],
    ["https://a.org/coll#top", "https://a.org/coll", true],
    ["https://a.org/item?id=7", "https://a.org/item?id=", true],
    ["https://a.org/item?id=7", "https://a.org/item?id", true],
    ["https://a.org/item?id=77", "https://a.org/item?id=7", false],
    ["https://a.org/item?id=7&v=2", "https://a.org/item?id=7", true],
    ["http://a.org/", "https://a.org/", false],
    ["https://a.org/", "", false],
  ])("A15 %s under %s: %p", (target, prefix, expected) => {
    expect(isUnder(target, prefix)).toBe(expected);
  });

  test("A15 what moves stays whole: the two prefixes end alike", () => {
    expect(seamProblem("https://a.org/", "https://b.org/x/")).toBeNull();
    expect(seamProblem("https://a.org", "https://b.org")).toBeNull();
    expect(seamProblem("https://a.org/x?id=", "https://b.org/")).toBeNull();
    expect(seamProblem("https://a.org/", "https://b.org")).toContain("must both end");
    expect(seamProblem("https://a.org", "https://b.org/")).toContain("must both end");
  });

  test("A15 moving a host never makes another host of what followed it", () => {
    const rest = fc.string({ unit: fc.constantFrom("/", "?", "#", "&", "=", ".", "-", "a", ":", "@"), maxLength: 12 });
    const prefix = fc.constantFrom("https://a.org", "https://a.org/", "https://a.org/x", "https://a.org/x/");
    fc.assert(
      fc.property(
        prefix,
        fc.constantFrom("https://b.org", "https://b.org/", "https://b.org/y"),
        rest,
        (from, to, tail) => {
          fc.pre(seamProblem(from, to) === null && isUnder(from + tail, from));
          expect(new URL(to + tail).host).toBe("b.org");
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
