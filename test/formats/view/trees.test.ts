// JSON and XML as trees (Q.87): what is read as it is written, what is refused, and what giants cost.
import { describe, expect, test } from "bun:test";
import type { DataNode } from "../../../src/formats/view/data-tree.ts";
import { jsonTree } from "../../../src/formats/view/json-tree.ts";
import { attributesOf } from "../../../src/formats/view/xml-events.ts";
import { xmlTree } from "../../../src/formats/view/xml-tree.ts";
import { runWithoutYielding } from "../../../src/shared/time/event-loop.ts";
import { longestPart } from "../../support/parts.ts";

const brief = ({ label, kind, value, children, left }: DataNode): unknown => {
  const below = [...children.map(brief), ...(left === 0 ? [] : [`${left} more`])];
  return [label, kind, value, ...(below.length === 0 ? [] : [below])];
};
function json(text: string): unknown {
  const found = runWithoutYielding(jsonTree(text));
  return typeof found === "string" ? found : brief(found);
}
function xml(text: string): unknown {
  const found = runWithoutYielding(xmlTree(text));
  return typeof found === "string" ? found : found.map(brief);
}

describe("JSON", () => {
  test("Q.87 keys and values are as they are written, in their order, each of them", () => {
    expect(
      json(
        '\uFEFF {"a": 12345678901234567890.10, "a": -0, "__proto__": {"x": []}, "t": "\\u00e9\\n\\"<b>", "l": [true, null, {}]}',
      ),
    ).toEqual([
      "",
      "object",
      "",
      [
        ["a", "number", "12345678901234567890.10"],
        ["a", "number", "-0"],
        ["__proto__", "object", "", [["x", "list", ""]]],
        ["t", "text", 'é\n"<b>'],
        [
          "l",
          "list",
          "",
          [
            ["1", "word", "true"],
            ["2", "word", "null"],
            ["3", "object", ""],
          ],
        ],
      ],
    ]);
    expect(json('"only"')).toEqual(["", "text", "only"]);
  });

  test.each([
    "",
    "{",
    "[1,]",
    '{"a":1,}',
    "{a:1}",
    "[1 2]",
    "]",
    "[}",
    '{"a" "b"}',
    "nul",
    "01",
    "1.e",
    "[1]x",
    '"open',
    "{]",
    "[,1]",
    '{"a":}',
    "<a/>",
    "NaN",
    "'a'",
    "[1]]",
  ])("Q.87 %j is not JSON", (text) => {
    expect(json(text)).toBe("not-json");
  });

  test("Q.87 what is more than is shown is counted; what nests too deep is refused", () => {
    const many = json(JSON.stringify(Array.from({ length: 250 }, (_, at) => at))) as unknown[][];
    expect([many[3]?.length, many[3]?.at(-1)]).toEqual([201, "50 more"]);
    expect(JSON.stringify(json(`${"[".repeat(60)}${"]".repeat(60)}`))).toContain('"1 more"');
    expect(json(`${"[".repeat(1_001)}${"]".repeat(1_001)}`)).toBe("too-deep");
  });

  test.each([
    ["entries", `[${"1,".repeat(1_000_000)}1]`],
    ["lists", `[${"[],".repeat(625_000)}1]`],
    ["a text", `"${"x".repeat(2_000_000)}"`],
    ["escapes", `"${"\\\\".repeat(1_000_000)}"`],
    ["quotes", '"'.repeat(2_000_000)],
    ["open lists", "[".repeat(2_000_000)],
    ["white space", " ".repeat(2_000_000)],
    ["digits", "1".repeat(2_000_000)],
    ["a fraction", `0.${"1".repeat(2_000_000)}`],
  ])("R9a Q.87 2 MB of %s are read in short parts", (_what, text) => {
    expect(longestPart(jsonTree(text)).ms).toBeLessThan(250);
  });
});

describe("XML", () => {
  test("Q.87 elements, attributes, texts, comments and sections are as they are written", () => {
    const source =
      "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><!-- n -->\n<x:a xmlns:x=\"urn:x\" y='>'>one &lt;&#x41;&#66;&b; <b/><![CDATA[<c>&amp;]]></x:a>";
    expect(xml(source)).toEqual([
      ["instruction", "comment", "xml version='1.0'"],
      ["doctype", "comment", "DOCTYPE a […]"],
      ["", "comment", "n"],
      [
        "x:a",
        "element",
        "xmlns:x=\"urn:x\" y='>'",
        [
          ["", "text", "one <AB&b;"],
          ["b", "element", ""],
          ["", "text", "<c>&amp;"],
        ],
      ],
    ]);
    expect(attributesOf(` a="1" b = 'x&quot;' c=""`)).toEqual([
      { name: "a", value: "1" },
      { name: "b", value: 'x"' },
      { name: "c", value: "" },
    ]);
  });

  test.each([
    "",
    "text",
    "<a>",
    "<a></b>",
    "<a/><b/>",
    "<a></a></a>",
    "<>",
    "<a <b>></a>",
    "</a>",
    "{}",
    "<a/>x",
    "< a/>",
  ])("Q.87 %j is not XML", (text) => {
    expect(xml(text)).toBe("not-xml");
  });

  const bomb = `<!DOCTYPE a [<!ENTITY x0 "x">${Array.from({ length: 30 }, (_, at) => `<!ENTITY x${at + 1} "&x${at};&x${at};">`).join("")}]><a>&x30;</a>`;
  test("Q.82 Q.87 entities of the document are not expanded, and no file is read for them", () => {
    expect(JSON.stringify(xml(bomb))).toContain('["","text","&x30;"]');
    expect(JSON.stringify(xml('<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>'))).toContain("&f;");
  });

  test.each([
    ["elements", `<a>${"<b/>".repeat(500_000)}</a>`],
    ["nested elements", "<a>".repeat(650_000)],
    ["one tag", `<a ${"b='c' ".repeat(325_000)}/>`],
    ["a quote that is never closed", `<a b="${"<c>".repeat(650_000)}`],
    ["less-than signs", "<".repeat(2_000_000)],
    ["comments", `<a>${"<!---->".repeat(275_000)}</a>`],
    ["comments that are never closed", "<!--".repeat(500_000)],
    ["document types", `${"<!DOCTYPE a [".repeat(150_000)}`],
    ["declarations", `${"<!a>".repeat(500_000)}<a/>`],
    ["declarations in brackets", `${"<!a []>".repeat(280_000)}<a/>`],
    ["sections", `<a>${"<![CDATA[".repeat(220_000)}`],
    ["references", `<a>${"&amp;".repeat(400_000)}</a>`],
    ["one text", `<a>${"x".repeat(2_000_000)}</a>`],
    ["a name", `<${"a".repeat(2_000_000)}`],
  ])("R9a Q.87 2 MB of %s are read in short parts", (_what, text) => {
    expect(longestPart(xmlTree(text)).ms).toBeLessThan(250);
  });
});
