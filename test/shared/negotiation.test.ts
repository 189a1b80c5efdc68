// Media types, languages, and ANVL (A37, A41, A47; specification 1, "Resolution" rules 2, 3 and 6).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { printAnvl } from "../../src/ark/anvl.ts";
import { chooseLanguage, chooseMediaType } from "../../src/shared/http/negotiation.ts";

const INFO = ["text/html", "application/json", "text/plain"] as const;
const WELL_KNOWN = ["text/plain", "application/json"] as const;

describe("media types", () => {
  test.each([
    [null, "text/html"],
    ["", "text/html"],
    ["*/*", "text/html"],
    ["text/html, application/json", "text/html"],
    ["application/json, text/html", "text/html"],
    ["application/json", "application/json"],
    ["APPLICATION/JSON; Q=0.5", "application/json"],
    ["application/json;charset=utf-8", "application/json"],
    ["application/json, text/plain, */*", "application/json"],
    ["text/html;q=0.3, text/plain;q=0.4", "text/plain"],
    ["text/html;q=0, */*", "application/json"],
    ["text/*;q=0.9, application/json;q=0.8, text/html;q=0.1", "text/plain"],
    ["image/png", "text/html"],
    ["text/html;q=banana, text/plain", "text/plain"],
    [",,;q=1,", "text/html"],
  ] as const)("L54 L60 ?info for %p is %s", (accept, type) => {
    expect(chooseMediaType(accept, INFO, "named")).toBe(type);
  });

  test.each([
    [null, "text/plain"],
    ["*/*", "text/plain"],
    ["application/json", "application/json"],
    ["application/*", "application/json"],
    ["application/json, text/plain", "text/plain"],
    ["application/json, */*", "text/plain"],
    ["application/json, */*;q=0.5", "application/json"],
    ["application/json;q=0.5, text/plain;q=0.4", "application/json"],
    ["application/xml", "text/plain"],
    ["text/html,application/xhtml+xml", "text/plain"],
    ["text/plain;q=0, application/json;q=0", "text/plain"],
  ] as const)("A41 L64 /.well-known/ark for %p is %s", (accept, type) => {
    expect(chooseMediaType(accept, WELL_KNOWN, "default")).toBe(type);
  });

  test("A47 no header breaks the choice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (accept) => {
        expect(INFO).toContain(chooseMediaType(accept, INFO, "named"));
      }),
    );
  });
});

describe("languages", () => {
  const choose = (asked: string | null, header: string | null) => chooseLanguage(asked, header, ["en", "ja"], "en");

  test("L61 lang comes first, then Accept-Language by weight, then the default", () => {
    expect(choose("ja", "en")).toBe("ja");
    expect(choose("JA-jp", null)).toBe("ja");
    expect(choose("de", "ja")).toBe("ja");
    expect(choose(null, "ja")).toBe("ja");
    expect(choose(null, "en;q=0.5, ja;q=0.6")).toBe("ja");
    expect(choose(null, "fr, ja;q=0.1")).toBe("ja");
    expect(choose(null, "fr, *;q=0.5, ja;q=0.1")).toBe("en");
    expect(choose(null, "en-GB, ja")).toBe("en");
    expect(choose(null, "en;q=0, *")).toBe("ja");
    expect(choose(null, "ja;q=0")).toBe("en");
    expect(choose(null, null)).toBe("en");
  });
});

describe("ANVL", () => {
  test("A37 a value is one line, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const text = printAnvl([{ name: "erc", elements: [["who", value]] }]);
        expect(text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).length).toBe(3);
      }),
    );
  });

  test("A37 per cent signs and line ends are written percent-encoded, an empty value as (:unav)", () => {
    const text = printAnvl([
      {
        name: "erc",
        elements: [
          ["who", "100%\r\nb: c"],
          ["what", ""],
        ],
      },
    ]);
    expect(text).toBe("erc:\nwho: 100%25%0D%0Ab: c\nwhat: (:unav)\n");
  });
});
