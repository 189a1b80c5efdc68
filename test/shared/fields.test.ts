// The readers of fields that an administrator sets: valid, barely valid, barely invalid, hostile (R16, R17).
import { describe, expect, test } from "bun:test";
import { CLIENT_SETTING } from "../../src/model/items/deposit-settings.ts";
import { ACCOUNT, NEW_ACCOUNT } from "../../src/repository/administration/records.ts";
import { fieldsOf, shownFrom, startOf } from "../../src/shared/declared.ts";
import { changed, flag, listOf, object, oneOf, orNull, text, textRecord, whole } from "../../src/shared/fields.ts";
import { Refusal } from "../../src/shared/refusal.ts";

/** Why a value is refused; "" when it is taken. */
function refusalOf(read: () => unknown): string {
  try {
    read();
    return "";
  } catch (error) {
    if (error instanceof Refusal && error.kind === "invalid") return error.message;
    throw error;
  }
}

describe("fields", () => {
  const name = text({ min: 1, max: 5 });
  test.each([
    ["abcde", ""],
    ["  ab ", ""],
    ["abcdef", 'x must be text of 1 to 5 characters, not "abcdef"'],
    ["   ", "x must be text of 1 to 5 characters"],
    ["a\nb", "x must be text"],
    ["\ud800", "x must be text"],
    [7, "x must be text of 1 to 5 characters, not 7"],
    [null, "x must be text of 1 to 5 characters, not null"],
    ["y".repeat(100_000), "…"],
  ])("R17 a text of 1 to 5 characters and %p: %p", (value, words) => {
    const refusal = refusalOf(() => name.read(value, "x"));
    expect(refusal).toContain(words);
    expect(refusal === "").toBe(words === "");
    expect(refusal.length).toBeLessThan(300);
  });

  test("R17 numbers, flags, choices, lists and null are what they state and nothing near it", () => {
    const number = whole(0, 10);
    expect([0, 10].map((value) => number.read(value, "n"))).toEqual([0, 10]);
    expect(number.read(-0, "n")).toBe(0);
    for (const value of [-1, 11, 1.5, "1", Number.NaN, 2 ** 60, null]) {
      expect(refusalOf(() => number.read(value, "n"))).toContain("n must be a whole number from 0 to 10");
    }
    for (const value of ["true", 1, 0, null, undefined])
      expect(refusalOf(() => flag.read(value, "f"))).toContain("f must be true or false");
    expect(refusalOf(() => oneOf(["a", "b"]).read("c", "o"))).toBe('o must be one of a, b, not "c"');
    expect(listOf(number, 2).read([1, 1], "l")).toEqual([1]);
    expect(refusalOf(() => listOf(number, 2).read([1, 2, 3], "l"))).toBe("l must have at most 2 entries, not 3");
    expect(refusalOf(() => listOf(number, 2).read([1, "2"], "l"))).toContain("l[1] must be");
    expect(orNull(number).read(null, "n")).toBeNull();
    const props = textRecord({ entries: 1, max: 3 });
    expect(props.read({ url: "x" }, "p")).toEqual({ url: "x" });
    expect(refusalOf(() => props.read({ a: "x", b: "y" }, "p"))).toContain("p must have at most 1 members");
    expect(refusalOf(() => props.read({ a: { toString: 1 } }, "p"))).toContain("p.a must be text");
  });

  test("R17 an object has its members and no other, whatever they are called", () => {
    const point = object({ x: whole(0, 9), y: whole(0, 9) });
    expect(point.read({ x: 1, y: 2 }, "p")).toEqual({ x: 1, y: 2 });
    expect(refusalOf(() => point.read({ x: 1 }, "p"))).toBe("p.y is missing");
    expect(refusalOf(() => point.read({ x: 1, y: 2, z: 3 }, "p"))).toContain('Unknown member "z" in p');
    expect(refusalOf(() => point.read([], "p"))).toContain("p must be an object");
    expect(refusalOf(() => point.read(JSON.parse('{"x":1,"y":2,"__proto__":{}}'), "p"))).toContain(
      'Unknown member "__proto__"',
    );
    expect(refusalOf(() => object({ toString: flag }).read({}, "p"))).toBe("p.toString is missing");
  });

  test("R17 what is sent is over what was there, and what the repository sets is passed over", () => {
    const before = { ...shownFrom(CLIENT_SETTING, startOf(CLIENT_SETTING)), mapping_id: 1 };
    const read = changed(fieldsOf(CLIENT_SETTING), before, { client_id: "x", verify_digest: "off" }, ["client_id"]);
    expect(read).toEqual({ ...before, registration_type_id: 1, verify_digest: "off" });
    expect(refusalOf(() => changed(fieldsOf(CLIENT_SETTING), before, { client_id: "x" }, []))).toContain(
      'Unknown member "client_id"',
    );
    expect(refusalOf(() => ACCOUNT.read(NEW_ACCOUNT, { name: "x", mail: "a b@c" }))).toContain(
      "mail must be an e-mail address",
    );
    expect(refusalOf(() => ACCOUNT.read(NEW_ACCOUNT, null))).toContain("The body must be an object");
  });
});
