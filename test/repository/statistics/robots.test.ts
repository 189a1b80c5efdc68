// Robots by their User-Agent (R39): our reading of the COUNTER list against the expressions as they are written.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import robots from "../../../src/assets/robots.json" with { type: "json" };
import { robotTest } from "../../../src/repository/statistics/counting.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const isRobot = robotTest(robots.patterns);
const expressions = robots.patterns.map((pattern) => new RegExp(pattern, "i"));
const asWritten = (userAgent: string): boolean => expressions.some((each) => each.test(userAgent));

describe("robotTest()", () => {
  test.each([
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true],
    ["curl/8.5.0", true],
    ["python-requests/2.32", true],
    ["Wget/1.21", true],
    ["", true],
    ["x", true],
    ["Mozilla/5.0", true],
    ["Fetch+API+Request", true],
    ["java/17.0", true],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", false],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
      false,
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      false,
    ],
  ])("S3.6.245 %p is a robot: %p", (userAgent, expected) => {
    expect([isRobot(userAgent), asWritten(userAgent)]).toEqual([expected, expected]);
  });

  test("S3.6.245 no User-Agent is a robot's; source and date of the list are reported", () => {
    expect(isRobot(null)).toBe(true);
    expect(robots.source).toContain("COUNTER-Robots");
    expect(robots.edition).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(robots.patterns.length).toBeGreaterThan(300);
  });

  test("S3.6.245 every pattern is read as the expression it is", () => {
    const pieces = robots.patterns.map((pattern) => pattern.replace(/[\\^$?()[\]|{}]/g, ""));
    const userAgents = fc
      .tuple(
        fc.constantFrom("", "Mozilla/5.0 ", "x ", "a"),
        fc.constantFrom(...pieces),
        fc.nat(40),
        fc.constantFrom("", " 1", "+(x", "bo"),
      )
      .map(([before, piece, length, behind]) => before + piece.slice(0, length) + behind);
    fc.assert(
      fc.property(userAgents, (userAgent) => isRobot(userAgent) === asWritten(userAgent)),
      { numRuns: 3_000 },
    );
  });

  test("S3.6.245 what a stranger sends costs its length, and of a long one the beginning", async () => {
    const hostile = [..."htwa^lj+ "].map((character) => character.repeat(100_000));
    const ms = await cpuMs(() => {
      for (const userAgent of [...hostile, "link check ".repeat(10_000)]) isRobot(userAgent);
    });
    expect(ms).toBeLessThan(1_000);
    const [near, far] = [500, 512].map((length) => `${"z".repeat(length)}Googlebot`);
    expect([isRobot(near ?? ""), isRobot(far ?? "")]).toEqual([true, false]);
  });

  test("S3.6.245 a pattern of a form nobody knows is refused when the list is read", () => {
    for (const pattern of ["(a+)+$", "a*", "x{1,}", "[abc", "(ab", "\\w", "a|b", "a?b?c?d?e?f?g?"])
      expect(() => robotTest([pattern])).toThrow(TypeError);
    // One choice less.
    const choices = robotTest(["a?b?c?d?e?f?xyz"]);
    expect([choices("AcfXYZ"), choices("acfx")]).toEqual([true, false]);
  });
});
