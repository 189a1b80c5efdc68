// Conditions on entity tags: If-None-Match compares weakly, whatever made the tag; If-Match names the revision that is
// meant (R11).
import { describe, expect, test } from "bun:test";
import { allowsTag, isMatchAsked, namesTag } from "../../src/shared/http/entity-tags.ts";

describe("If-None-Match", () => {
  test.each([
    [null, '"a"', false],
    ["", '"a"', false],
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['W/"a"', 'W/"a"', true],
    ['"b", W/"a"', '"a"', true],
    ["*", '"a"', true],
    ['"A"', '"a"', false],
    ["a", '"a"', false],
  ])("%s of the tag %s is %p", (header, etag, names) => {
    expect(namesTag(header, etag)).toBe(names);
  });
});

describe("R11 If-Match", () => {
  test.each([
    [null, true],
    ["", true],
    ["*", true],
    ['"3"', true],
    ["3", true],
    ['W/"3"', true],
    ['"9", "3"', true],
    ['"33"', false],
    ['"9"', false],
  ])("%s of revision 3 is allowed: %p", (header, allows) => {
    expect(allowsTag(header, "3")).toBe(allows);
  });

  test("only a header that names a tag asks for one", () => {
    expect([null, " ", " * "].map(isMatchAsked)).toEqual([false, false, false]);
    expect(isMatchAsked('"3"')).toBe(true);
  });
});
