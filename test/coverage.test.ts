// Every sentence of the specification has a test; `bun test/coverage.ts --write FILE` writes which.
import { describe, expect, test } from "bun:test";
import { citationsOf, citedRules, coverage, coverageRows, specificationRows } from "./coverage.ts";

describe("the coverage table", () => {
  test("no row is empty", () => {
    const places = coverage();
    const empty = coverageRows().filter((row) => !places.has(row.id));
    expect(empty).toEqual([]);
  });

  test("every rule that a comment, a test or a guide cites has a row in docs/spec, once", () => {
    const rows = specificationRows().map(({ id }) => id);
    expect([...citedRules()].filter(([rule]) => !rows.includes(rule))).toEqual([]);
    expect(rows.filter((id, at) => rows.indexOf(id) !== at)).toEqual([]);
  });

  test("citations are read from the names of tests only", () => {
    const source =
      'test("L7 holds; T.get_record.12 and T.whoami.1 too, T.whoami and T.Whoami.2 not", () => {}); // L8\ntest.each([["A1"]])("A31c S3.1.17 S3.O.2 %s", () => {}); const x = "L9";' +
      'test.each<[() => Map<string, number>]>([["A2"]])("S2.A7 %s", () => {});';
    expect([...citationsOf(source).keys()]).toEqual([
      "L7",
      "T.get_record.12",
      "T.whoami.1",
      "A31c",
      "S3.1.17",
      "S3.O.2",
      "S2.A7",
    ]);
  });

  test("what a suite cites is held by each test inside of it; a suite without a test that runs holds nothing", () => {
    const source = `
      describe("R1 a suite", () => {
        test("first (of two)", () => { const x = ")"; });
        describe("inner", () => { test.each([[1, "(" ]])("L2 %s", () => {}, 5); });
      });
      describe("R3 empty", () => { helper(); });
      describe("R4 skipped", () => { test.skip("L5 never", () => {}); });
      describe.skip("R6 off", () => { test("L6 inside", () => {}); });
      test("behind all of them", () => {});
    `;
    const names = [...citationsOf(source)].map(([id, holders]) => [
      id,
      ...holders.map(({ suite, name }) => [suite, name]),
    ]);
    expect(names).toEqual([
      ["R1", ["R1 a suite", "first (of two)"], ["R1 a suite", "L2 %s"]],
      ["L2", [null, "L2 %s"]],
    ]);
  });

  test("a test that is skipped where something is missing is marked, by itself or by its suite", () => {
    const source = `
      test.skipIf(found === null)("L1 alone", () => {});
      describe.skipIf(found?.url === null)("a server", () => { test("L1 inside", () => {}); });
      describe("here", () => { test("L1 always", () => {}); });
    `;
    expect(citationsOf(source).get("L1")).toEqual([
      { name: "L1 alone", suite: null, isSometimes: true },
      { name: "L1 inside", suite: null, isSometimes: true },
      { name: "L1 always", suite: null, isSometimes: false },
    ]);
  });
});
