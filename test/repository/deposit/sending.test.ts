// Where a deposit is sent, under which names, and what its answer means (R6b, R11, R13).
import { describe, expect, test } from "bun:test";
import { depositUrl, isInClear, outcomeOf, plainFileName } from "../../../src/repository/deposit/sending.ts";
import { fileForm } from "../../../src/shared/multipart/parser.ts";

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
    expect(outcomeOf(201, status)).toEqual({
      ...{ status: 201, statusUrl: "http://x/sword/deposit/7", pages: ["http://x/records/7"], eTag: "3", words: "" },
    });
    expect(outcomeOf(400, { error: "wrong" }).words).toBe("wrong");
    expect(outcomeOf(502, "<html>Bad gateway</html>").words).toBe("<html>Bad gateway</html>");
    expect(outcomeOf(500, [1]).words).toBe("1");
  });
});
