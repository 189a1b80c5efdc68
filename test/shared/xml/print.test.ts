// XML printed by us is well-formed whatever the strings hold, and reads back as the same tree.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { XmlElement } from "../../../src/shared/xml/element.ts";
import { parseXml } from "../../../src/shared/xml/parse.ts";
import { printXml, xmlText } from "../../../src/shared/xml/print.ts";

const prefixes = { "urn:1": "p", "urn:2": "" };
const element = (
  name: string,
  children: XmlElement["children"] = [],
  attributes: XmlElement["attributes"] = [],
): XmlElement => ({
  namespace: "urn:1",
  name,
  attributes,
  children,
});

describe("printXml()", () => {
  test("escapes markup, declares prefixes once, lays elements out and leaves text alone", () => {
    const root = element("a", [
      element("b", [' <x> & "y" ]]> '], [{ namespace: "", name: "c", value: "\"<&>'\t\n" }]),
      { ...element("d"), namespace: "urn:2" },
    ]);
    expect(printXml(root, { prefixes, declaration: true })).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<p:a xmlns:p="urn:1" xmlns="urn:2">',
        `  <p:b c="&quot;&lt;&amp;&gt;'&#9;&#10;"> &lt;x&gt; &amp; "y" ]]&gt; </p:b>`,
        "  <d/>",
        "</p:a>",
        "",
      ].join("\n"),
    );
  });

  test("writes U+FFFD for what XML cannot hold and keeps a carriage return", () => {
    expect(xmlText("a\u0000b\u000Bc\uFFFEd\uD800e\u{1F600}\t\n")).toBe("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\u{1F600}\t\n");
    expect(printXml(element("a", ["1\r2"]), { prefixes: { "urn:1": "" } })).toBe('<a xmlns="urn:1">1&#13;2</a>\n');
  });

  test("refuses a namespace that has no prefix", () => {
    expect(() => printXml(element("a"), { prefixes: {} })).toThrow(RangeError);
  });

  test("any strings come back as they were", () => {
    const text = fc.string({ unit: "binary", maxLength: 30 });
    fc.assert(
      fc.property(text, text, (words, value) => {
        const root = element("a", words === "" ? [] : [words], [{ namespace: "", name: "b", value }]);
        const read = parseXml(printXml(root, { prefixes: { "urn:1": "" } }));
        expect(read.children.join("")).toBe(xmlText(words));
        expect(read.attributes[0]?.value).toBe(xmlText(value));
      }),
      { numRuns: 200 },
    );
  });
});
