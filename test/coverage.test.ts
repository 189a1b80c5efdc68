// Every sentence of the specification has a test, and test/README.md says which.
import { describe, expect, test } from "bun:test";
import { citationsOf, coverage, coverageRows, readmeWithTable, readReadme } from "./coverage.ts";

describe("the coverage table", () => {
  test("no row is empty", () => {
    const places = coverage();
    const empty = coverageRows().filter((row) => !places.has(row.id));
    expect(empty).toEqual([]);
  });

  test("test/README.md is up to date (otherwise: bun test/coverage.ts --write)", () => {
    expect(readmeWithTable(readReadme()) === readReadme()).toBe(true);
  });

  test("citations are read from the names of tests only", () => {
    const source = 'test("L7 holds", () => {}); // L8\ntest.each([["A1"]])("A31c %s", () => {}); const x = "L9";';
    expect([...citationsOf(source).keys()]).toEqual(["L7", "A31c"]);
  });
});
