// The XML layer: what is not well-formed is refused with its place, names get their namespaces, text comes out as
// written.
import { describe, expect, test } from "bun:test";
import { DocumentError } from "../../../src/shared/document-error.ts";
import { XML_LIMITS } from "../../../src/shared/xml/check.ts";
import { textOf, XML_NAMESPACE } from "../../../src/shared/xml/element.ts";
import { PEEK_BYTES, parseXml, peekRoot, type RootName } from "../../../src/shared/xml/parse.ts";
import { attributeOf, childElements } from "../../support/xml-elements.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string, isLittle: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
};

/** The refusal's sentence; fails when the document is read. */
function refusal(document: string | Uint8Array): string {
  try {
    parseXml(document);
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
  return "was read";
}

describe("parseXml()", () => {
  test("resolves prefixes, the default namespace, and neither for attributes without a prefix", () => {
    const root = parseXml(
      '<a xmlns="urn:1" xmlns:p="urn:2"><p:b p:x="1" x="2" xml:lang="ja"/><c xmlns=""/><d xmlns:p="urn:3"><p:e/></d></a>',
    );
    const [b, c, d] = childElements(root);
    if (b === undefined || c === undefined || d === undefined) throw new Error("three children were expected");
    expect([root.namespace, root.name]).toEqual(["urn:1", "a"]);
    expect([b.namespace, b.name]).toEqual(["urn:2", "b"]);
    expect([attributeOf(b, "x"), attributeOf(b, "x", "urn:2"), attributeOf(b, "lang", XML_NAMESPACE)]).toEqual([
      "2",
      "1",
      "ja",
    ]);
    expect([c.namespace, d.namespace, childElements(d)[0]?.namespace]).toEqual(["", "urn:1", "urn:3"]);
  });

  test.each([
    ["entities and references", "<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;</a>", "<&>\"'A\u{1F600}"],
    ["an escaped ampersand once", "<a>&amp;#65;&amp;lt;</a>", "&#65;&lt;"],
    ["CDATA as it is", "<a>x<![CDATA[<b>&amp;]]]]><![CDATA[>]]>y</a>", "x<b>&amp;]]>y"],
    ["text around comments and instructions", "<a>1<!-- <b> & --><?p a=\"?' > ?>2</a>", "12"],
    ["white space as written", "<a> \n x\t</a>", " \n x\t"],
    ["line ends as LF", "<a>1\r\n2\r3&#13;</a>", "1\n2\n3\r"],
    ["elements that HTML would not close", "<link>x<br>y</br></link>", "xy"],
    ["a name beyond ASCII", "<題 名='1'>x</題>".replace("名", "n"), "x"],
  ])("gives %s", (_, document, expected) => {
    expect(textOf(parseXml(document))).toBe(expected);
  });

  test("gives attribute values with references resolved, line breaks as spaces, `>` and the other quote as they are", () => {
    const root = parseXml(`<a one="1 &#10;&lt;&quot;'>" two='"
x'/>`);
    expect([attributeOf(root, "one"), attributeOf(root, "two")]).toEqual(["1 \n<\"'>", '" x']);
  });

  test.each([
    ["UTF-8", bytes('<?xml version="1.0" encoding="utf-8"?><a>題</a>')],
    ["UTF-8 with a byte order mark", bytes("\uFEFF<a>題</a>")],
    ["UTF-16LE with a byte order mark", utf16('\uFEFF<?xml version="1.0" encoding="UTF-16"?><a>題</a>', true)],
    ["UTF-16BE with a byte order mark", utf16("\uFEFF<a>題</a>", false)],
    ["a string with a byte order mark", "\uFEFF<a>題</a>"],
  ])("reads %s", (_, document) => {
    expect(textOf(parseXml(document))).toBe("題");
  });

  test.each<[string, string | Uint8Array, string]>([
    ["a DOCTYPE", "<!DOCTYPE a><a/>", "line 1, column 1: a DOCTYPE is not accepted"],
    [
      "a billion laughs",
      '<?xml version="1.0"?>\n<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n<l>&b;</l>',
      "line 2, column 1: a DOCTYPE is not accepted",
    ],
    ["an external entity", '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>&x;</a>', "a DOCTYPE is not accepted"],
    ["an unknown entity", "<a>\n &nbsp;</a>", 'line 2, column 2: "&nbsp;" is not an entity that XML defines'],
    ["a bare ampersand", "<a>R & D</a>", 'column 6: "&" is not an entity that XML defines'],
    ["a bare ampersand in an attribute", '<a b="x&y"/>', 'line 1, column 8: "&y" is not an entity'],
    ["a NUL", "<a>\u0000</a>", "line 1, column 4: the character U+0000 is not allowed in XML"],
    ["a control character", "<a>x\u0008</a>", "U+0008 is not allowed"],
    ["a lone surrogate", "<a>\uD800</a>", "U+D800 is not allowed"],
    ["a reference to NUL", "<a>&#0;</a>", '"&#0;" names a character that is not allowed'],
    ["a reference to a surrogate", "<a>&#xD800;</a>", '"&#xD800;" names a character that is not allowed'],
    ["a reference beyond Unicode", "<a>&#x110000;</a>", '"&#x110000;" names a character that is not allowed'],
    ["an endless reference", `<a>&#${"1".repeat(1000)};</a>`, "is not an entity that XML defines"],
    ["an unclosed element", "<a>\n<b>x</a>", 'line 2, column 5: "</a" where "</b>" was expected'],
    ["a document that stops", "<a><b>x</b>", 'line 1, column 1: the element "a" is never closed'],
    ["a closing tag too many", "<a/></a>", '"</a" closes nothing'],
    ["two roots", "<a/><b/>", 'there is a second root element "b"'],
    ["no root", "<!-- nothing -->", "has no root element"],
    ["nothing", "", "has no root element"],
    ["words", "hello", "line 1, column 1: there is text outside the root element"],
    ["text after the root", "<a/> x", "line 1, column 6: there is text outside the root element"],
    ["CDATA outside the root", "<![CDATA[x]]><a/>", "there is text outside the root element"],
    ["duplicate attributes", '<a b="1" b="2"/>', 'the attribute "b" of "a" appears twice'],
    [
      "duplicate attributes by namespace",
      '<a xmlns:p="urn:1" xmlns:q="urn:1"><b p:x="1" q:x="2"/></a>',
      'refused at a/b[1]: the attribute "x" appears twice',
    ],
    ["an undeclared prefix", "<a><b/><p:b/></a>", 'refused at a/p:b[1]: the prefix "p" is not declared'],
    ["an undeclared prefix of an attribute", '<a p:x="1"/>', 'refused at a: the prefix "p" is not declared'],
    ["a prefix out of its scope", '<a><b xmlns:p="urn:1"/><p:c/></a>', 'the prefix "p" is not declared'],
    ["a prefix without a namespace", '<a xmlns:p=""/>', '"xmlns:p" declares no namespace'],
    ["a new meaning for xml", '<a xmlns:xml="urn:1"/>', '"xmlns:xml" declares what is reserved'],
    ["a new meaning for xmlns", '<a xmlns:xmlns="urn:1"/>', '"xmlns:xmlns" declares what is reserved'],
    ["an attribute without quotes", "<a b=1/>", 'the tag "<a" is malformed'],
    ["an attribute without a value", "<a b/>", 'the tag "<a" is malformed'],
    ["attributes without a space", '<a b="1"c="2"/>', 'the tag "<a" is malformed'],
    ["`<` in an attribute", '<a b="<"/>', 'the tag "<a" is malformed'],
    ["a tag without end", "<a", 'the tag "<a" is malformed'],
    ["a space before a name", "< a/>", '"<" does not begin a tag'],
    ["a name with two colons", "<a:b:c/>", 'the tag "<a:b" is malformed'],
    ["`--` in a comment", "<a><!-- x -- y --></a>", 'a comment holds "--"'],
    ["a comment without end", "<a><!-- x</a>", "this comment never ends"],
    ["CDATA without end", "<a><![CDATA[x</a>", "this CDATA section never ends"],
    ["`]]>` in text", "<a>x]]>y</a>", 'text holds "]]>"'],
    ["an instruction without end", "<a><?x y</a>", "this processing instruction never ends"],
    ["an instruction whose name does not end", "<a><?x/y?></a>", "this processing instruction has no proper name"],
    ["an instruction with a colon", "<a><?x:y z?></a>", "this processing instruction has no proper name"],
    ["a declaration that is not first", ' <?xml version="1.0"?><a/>', "malformed or not at the start"],
    ["a declaration inside", '<a><?xml version="1.0"?></a>', "malformed or not at the start"],
    ["invalid UTF-8", new Uint8Array([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]), "is not valid UTF-8"],
    [
      "an overlong encoding",
      new Uint8Array([0x3c, 0x61, 0x3e, 0xc0, 0x80, 0x3c, 0x2f, 0x61, 0x3e]),
      "is not valid UTF-8",
    ],
    ["UTF-16 cut in the middle", utf16("\uFEFF<a/>", true).subarray(0, 9), "is not valid UTF-16"],
    ["UTF-16 without a byte order mark", utf16("<a/>", true), "has no UTF-16 byte order mark"],
    [
      "Shift_JIS by its declaration",
      bytes('<?xml version="1.0" encoding="Shift_JIS"?><a/>'),
      'declares the encoding "Shift_JIS"',
    ],
    ["a document of nothing but tags' beginnings", "<".repeat(80_000), '"<" does not begin a tag'],
    ["a script, whose content the parser package never reads", "<a><script>1</script></a>", '"script" are not read'],
  ])("R13a message 11 refuses %s with its place", (_, document, expected) => {
    expect(refusal(document)).toContain(expected);
  });

  test("R13a refuses 100,000 levels without running into the end of the stack", () => {
    const deep = "<a>".repeat(100_000) + "</a>".repeat(100_000);
    expect(refusal(deep)).toContain(`elements lie deeper than ${XML_LIMITS.maxDepth} levels`);
  });

  test("R13a reports it in a few words also where names are as long as the document", () => {
    const name = "n".repeat(1_000_000);
    for (const document of [`<${name}>`, `<${name}><p:a/></${name}>`, `<a></${name}>`]) {
      const message = refusal(document);
      expect(message).toContain("The XML document is refused at ");
      expect(message.length).toBeLessThan(500);
    }
  });

  test("R13a a large document with nested text is read in bounded time and memory", () => {
    const deep = `${"<a>".repeat(100)}${"x".repeat(4_000_000)}${"</a>".repeat(100)}`;
    expect(textOf(parseXml(deep)).length).toBe(4_000_000);
  });

  test("R13a holds each limit at its very number", () => {
    const limits = { maxCharacters: 60, maxDepth: 2, maxElements: 3, maxAttributes: 1 };
    const accepts = (document: string): boolean => {
      try {
        return parseXml(document, limits).name === "a";
      } catch (error) {
        if (error instanceof DocumentError) return false;
        throw error;
      }
    };
    expect([accepts("<a><b/></a>"), accepts("<a><b><c/></b></a>")]).toEqual([true, false]);
    expect([accepts("<a><b/><b/></a>"), accepts("<a><b/><b/><b/></a>")]).toEqual([true, false]);
    expect([accepts('<a b="1"/>'), accepts('<a b="1" c="2"/>')]).toEqual([true, false]);
    expect([accepts(`<a>${"x".repeat(53)}</a>`), accepts(`<a>${"x".repeat(54)}</a>`)]).toEqual([true, false]);
  });
});

describe("peekRoot()", () => {
  test.each<[string, string | Uint8Array, RootName | null]>([
    ["a plain root", '<a xmlns="urn:1">', { namespace: "urn:1", name: "a" }],
    [
      "a prefix, after declaration, comments, instructions and a byte order mark",
      "\uFEFF<?xml version='1.0'?>\n<!-- <b/> --><?p?> <p:a q='>' xmlns:p='urn:1'/>",
      { namespace: "urn:1", name: "a" },
    ],
    ["no namespace", "<a/>", { namespace: "", name: "a" }],
    ["a root after a DOCTYPE", '<!DOCTYPE a [<!ENTITY x "<b>">]><a/>', { namespace: "", name: "a" }],
    ["UTF-16", utf16('\uFEFF<a xmlns="urn:1"/>', false), { namespace: "urn:1", name: "a" }],
    ["an undeclared prefix", "<p:a/>", null],
    ["words", "hello", null],
    ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]), null],
    ["a comment that never ends", "<!-- x", null],
    ["nothing", "", null],
  ])("R13a tells %s", (_, document, expected) => {
    expect(peekRoot(typeof document === "string" ? bytes(document) : document)).toEqual(expected);
  });

  test("R13a looks no further than its limit", () => {
    expect(peekRoot(bytes(`${" ".repeat(PEEK_BYTES)}<a/>`))).toBe(null);
    expect(peekRoot(bytes(`${" ".repeat(PEEK_BYTES - 4)}<a/>`))).toEqual({ namespace: "", name: "a" });
  });
});
