// The fields of what an administrator sets: valid, barely valid, barely invalid, hostile (R4a, R16, R17).
import { describe, expect, test } from "bun:test";
import { SHIPPED_ITEM_TYPES } from "../../src/assets/item-types/index.ts";
import { pathWithoutIndices } from "../../src/model/item-types/property-path.ts";
import { readItemType } from "../../src/model/item-types/read-definition.ts";
import { lostFields } from "../../src/model/item-types/removed-fields.ts";
import { CLIENT_SETTING } from "../../src/model/items/deposit-settings.ts";
import { ACCOUNT_FIELDS, NEW_ACCOUNT } from "../../src/repository/administration/records.ts";
import { depositUrl, isInClear, outcomeOf, plainFileName } from "../../src/repository/deposit/sending.ts";
import { fieldsOf, shownFrom, startOf } from "../../src/shared/declared.ts";
import { changed, flag, listOf, object, oneOf, orNull, text, textRecord, whole } from "../../src/shared/fields.ts";
import { uuidOf } from "../../src/shared/hash/digests.ts";
import { fileForm } from "../../src/shared/multipart/write.ts";
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
    expect(refusalOf(() => changed(ACCOUNT_FIELDS, NEW_ACCOUNT, { name: "x", mail: "a b@c" }, []))).toContain(
      "mail must be an e-mail address",
    );
    expect(refusalOf(() => changed(ACCOUNT_FIELDS, NEW_ACCOUNT, null, []))).toContain("The body must be an object");
  });
});

describe("fields an item type loses (R4a)", () => {
  const [full] = SHIPPED_ITEM_TYPES;
  const json = Object(full);
  const version = (change: object) => readItemType({ ...json, roCrate: undefined, ...change }, { id: 1, version: 2 });
  const before = version({});
  const [title] = before.groups.filter(({ label }) => label.en === "Title");

  test("R4a none when labels, choices and order change", () => {
    const renamed = json.groups.toReversed().map((group: object) => ({ ...group, label: { en: "Other", ja: "他" } }));
    expect(lostFields(before, version({ groups: renamed }))).toEqual([]);
  });

  test("R4a all of a group that goes, and a field whose values lie elsewhere from now on", () => {
    const groups = json.groups.filter((group: { key: string }) => group.key !== title?.key);
    expect(lostFields(before, version({ groups })).map(({ label }) => label)).toEqual([
      "Title.Title",
      "Title.Language",
    ]);
    const moved = json.groups.map((group: { key: string; place?: string }) =>
      group.key === title?.key ? { ...group, place: "titles[kind=alternative]" } : group,
    );
    expect(lostFields(before, version({ groups: moved })).length).toBe(2);
  });

  test("a path of a form value is compared without its indices", () => {
    expect(pathWithoutIndices("a[0].b[12].c")).toBe("a.b.c");
  });
});

describe("sending", () => {
  test.each([
    ["https://r.example.org", null, "https://r.example.org/sword/service-document"],
    ["https://r.example.org/sub/", null, "https://r.example.org/sub/sword/service-document"],
    ["https://r.example.org/sword/service-document?x=1#y", null, "https://r.example.org/sword/service-document"],
    ["https://r.example.org/sub/sword", "12", "https://r.example.org/sub/sword/deposit/12"],
    ["https://r.example.org", "../x", "https://r.example.org/sword/deposit/..%2Fx"],
    ["ftp://r.example.org", null, null],
    ["r.example.org", null, null],
  ])("R13 a deposit to %p (item %p) goes to %p", (base, id, url) => {
    expect(depositUrl(base, id)).toBe(url);
  });

  test("R6b a token is not sent in clear without a word, but to this machine", () => {
    expect(["http://r.example.org", "http://127.0.0.1.example.org"].map(isInClear)).toEqual([true, true]);
    const own = ["https://r.example.org", "http://localhost:8002", "http://127.0.0.1:1", "http://[::1]:2"];
    expect(own.map(isInClear)).toEqual([false, false, false, false]);
  });

  test("R13 names of packages are written so that every server reads them alike", () => {
    expect(["a b.zip", 'x"; y=".zip', "図.zip", "図"].map(plainFileName)).toEqual([
      "a_b.zip",
      "x_y_.zip",
      "_.zip",
      "package.zip",
    ]);
    expect(() => fileForm({ boundary: "b", field: "file", fileName: 'a"b', mediaType: "application/zip" })).toThrow(
      RangeError,
    );
    expect(() => fileForm({ boundary: "b\r\n", field: "file", fileName: "a", mediaType: "application/zip" })).toThrow(
      RangeError,
    );
  });

  test("R11 status and error documents are read, and anything else is reported unchanged", () => {
    const status = {
      "@id": "http://x/sword/deposit/7",
      eTag: "3",
      links: [{ "@id": "http://x/records/7" }, 4],
      state: [{ description: "" }],
    };
    expect(outcomeOf(201, JSON.stringify(status))).toEqual({
      ...{ status: 201, statusUrl: "http://x/sword/deposit/7", pages: ["http://x/records/7"], eTag: "3", words: "" },
    });
    expect(outcomeOf(400, '{"error":"wrong"}').words).toBe("wrong");
    expect(outcomeOf(502, "<html>Bad gateway</html>").words).toBe("<html>Bad gateway</html>");
    expect(outcomeOf(500, "[1]").words).toBe("[1]");
  });
});

test("R6a ids of communities are UUIDs of version 4", () => {
  expect(uuidOf(new Uint8Array(16))).toBe("00000000-0000-4000-8000-000000000000");
  expect(uuidOf(new Uint8Array(16).fill(255))).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
});
