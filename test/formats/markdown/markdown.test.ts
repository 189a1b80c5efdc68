// Markdown as a tree and as markup (Q.85): what is read, what stays text, and what hostile documents cost.
import { describe, expect, test } from "bun:test";
import { parseMarkdown } from "../../../src/formats/markdown/markdown.ts";
import { markdown, webLink } from "../../../src/pages/components/markdown.ts";
import { runWithoutYielding } from "../../../src/shared/time/event-loop.ts";
import { cpuTime, longestPart } from "../../support/parts.ts";

function shown(text: string): string {
  const blocks = runWithoutYielding(parseMarkdown(text));
  if (blocks === null) return "too much";
  const { markup } = markdown(blocks, { link: webLink, below: 1 });
  return markup.replace(/^<div class="markdown">|<\/div>\n$/g, "").trim();
}

describe("Markdown", () => {
  test.each([
    ["# One *two* #", "<h2>One <em>two</em></h2>"],
    ["Title\n===\n\nPart\n---", "<h2>Title</h2>\n<h3>Part</h3>"],
    ["a **b _c_** d~~e~~f", "<p>a <strong>b <em>c</em></strong> d<s>e</s>f</p>"],
    ["***both***", "<p><em><strong>both</strong></em></p>"],
    ["snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"],
    ["a \\*b\\* &amp; &copy; `<b> *c*` ``a`b``", "<p>a *b* &amp; © <code>&lt;b&gt; *c*</code> <code>a`b</code></p>"],
    ["one  \ntwo\nthree", "<p>one<br>\ntwo\nthree</p>"],
    [
      "```js\nlet a = '<b>';\n\n# no\n```\nafter",
      '<pre tabindex="0"><code>let a = &#39;&lt;b&gt;&#39;;\n\n# no</code></pre>\n<p>after</p>',
    ],
    ["    indented\n\n    code", '<pre tabindex="0"><code>indented\n\ncode</code></pre>'],
    [
      "> quoted\ngoes on\n>\n> > deeper",
      "<blockquote><p>quoted\ngoes on</p>\n<blockquote><p>deeper</p>\n</blockquote>\n</blockquote>",
    ],
    [
      "- a\n- b\n  - c\n\n1986. no list",
      '<ul>\n<li>a</li>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n<ol start="1986">\n<li>no list</li>\n</ol>',
    ],
    ["It was\n1986. A year\n1. list", "<p>It was\n1986. A year</p>\n<ol>\n<li>list</li>\n</ol>"],
    ["3) c\n\n4) d", '<ol start="3">\n<li><p>c</p>\n</li>\n<li><p>d</p>\n</li>\n</ol>'],
    [
      "- [x] done\n- [ ] not",
      '<ul>\n<li><span aria-hidden="true">☑</span><span class="off">✓</span> done</li>\n<li>☐ not</li>\n</ul>',
    ],
    ["* * *", "<hr>"],
    [
      "|a|b|\n|-|-:|\n|1|`x\\|y`|\n|2",
      '<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" class="number">b</th></tr></thead>\n<tbody>\n<tr><td>1</td><td class="number"><code>x|y</code></td></tr>\n<tr><td>2</td><td class="number"></td></tr>\n</tbody></table></div>',
    ],
    ["---\ntitle: x\n---\nText", '<pre tabindex="0"><code>title: x</code></pre>\n<p>Text</p>'],
  ])("Q.85 %j is written as markup", (source, markup) => {
    expect(shown(source)).toBe(markup);
  });

  test.each([
    [
      "[a](https://example.org/x?y=1 'title') b",
      '<p><a href="https://example.org/x?y=1" rel="nofollow noopener ugc">a</a> b</p>',
    ],
    [
      "see https://example.org/a_b_c. End",
      '<p>see <a href="https://example.org/a_b_c" rel="nofollow noopener ugc">https://example.org/a_b_c</a>. End</p>',
    ],
    [
      "<mailto:a@example.org> <b@example.org>",
      '<p><a href="mailto:a@example.org" rel="nofollow noopener ugc">mailto:a@example.org</a> <a href="mailto:b@example.org" rel="nofollow noopener ugc">b@example.org</a></p>',
    ],
    [
      '[x][Ref] and [ref]\n\n[ref]: https://example.org/r "t"',
      '<p><a href="https://example.org/r" rel="nofollow noopener ugc">x</a> and <a href="https://example.org/r" rel="nofollow noopener ugc">ref</a></p>',
    ],
    [
      "**[a *b*](https://example.org)**",
      '<p><strong><a href="https://example.org" rel="nofollow noopener ugc">a <em>b</em></a></strong></p>',
    ],
    [
      "![a **p**](https://example.org/p.png)",
      '<p><a href="https://example.org/p.png" rel="nofollow noopener ugc">[a p]</a></p>',
    ],
    ["[a](relative/file.csv) [b](#part) [c]", "<p>a b [c]</p>"],
  ])("Q.85 links of %j", (source, markup) => {
    expect(shown(source)).toBe(markup);
  });

  test.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java&#115;cript:alert(1))",
    "[a](\u0001javascript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "[a](vbscript:x)",
    "<javascript:alert(1)>",
    "[r]\n\n[r]: javascript:alert(1)",
    "![x](javascript:alert(1))",
    '[a](https://example.org/"onmouseover="alert(1))',
    "```\n</code></pre><script>alert(1)</script>\n```",
    "| <script> |\n|-|\n| <svg/onload=alert(1)> |",
    "# <iframe src=//example.org>",
    "<!--><script>alert(1)</script>-->",
    "[<b onclick=alert(1)>](https://example.org)",
    "`` `<script>` ``",
    "<https://example.org/<script>>",
  ])("R49 Q.82 Q.85 nothing of %j is markup of the document", (source) => {
    const markup = shown(source);
    const tags = [...markup.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>/g)].map(
      ([, , name = "", more = ""]) => `${name}${more}`,
    );
    const allowed =
      /^(?:p|h2|br|hr|em|strong|code|table|thead|tbody|tr|td|ul|li|pre(?: tabindex="0")?|th(?: scope="col")?|div(?: class="scroll" tabindex="0")?|a(?: href="https:\/\/example\.org[^"<>]*" rel="nofollow noopener ugc")?)$/;
    expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
    expect(markup).not.toMatch(/href="(?!https:\/\/example\.org)/);
  });

  test.each([
    ["emphasis that is never closed", "*a **b _c ".repeat(30_000)],
    ["emphasis that closes nothing", "a* b** c_ ".repeat(30_000)],
    ["brackets", "[".repeat(300_000)],
    ["brackets of links", "[a](".repeat(80_000)],
    ["links without an end", "](((((((".repeat(40_000)],
    ["backticks of every length", Array.from({ length: 700 }, (_, at) => `${"`".repeat(at)}x`).join("")],
    ["backticks", "`a``".repeat(75_000)],
    ["quotes in each other", `${">".repeat(300_000)} x`],
    ["lists in each other", Array.from({ length: 500 }, (_, at) => `${" ".repeat(at * 2)}- x`).join("\n")],
    ["items", "- x\n".repeat(80_000)],
    ["rows of a table", `|a|b|\n|-|-|\n${"|1|2|\n".repeat(50_000)}`],
    ["columns of a table", `${"|a".repeat(50_000)}|\n${"|-".repeat(50_000)}|\n`],
    ["underlines", "a\n".repeat(150_000)],
    ["blank lines", "\n".repeat(300_000)],
    ["spaces", `${" ".repeat(300_000)}#`],
    ["definitions", "[a]: b\n".repeat(40_000)],
    ["fences", "```\n".repeat(75_000)],
    ["angles", "<".repeat(300_000)],
    ["references", "&".repeat(300_000)],
    ["titles", `[a](b "${"(".repeat(1_000)}`.repeat(290)],
    ["nested emphasis", `${"*a ".repeat(16_000)}${"b*".repeat(16_000)}`],
    ["paragraphs of marks", `${"*_~[`!<&h".repeat(2_000)}\n\n`.repeat(16)],
  ])("R9a Q.85 a document of %s is read in parts that are short", (_what, source) => {
    const { value, ms } = longestPart(parseMarkdown(source));
    const written = cpuTime(() => markdown(value ?? [], { link: webLink, below: 1 }));
    expect(Math.max(ms, written)).toBeLessThan(250);
  });
});
