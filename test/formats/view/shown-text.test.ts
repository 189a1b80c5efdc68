// Text of depositors as viewers show it (Q.82): what is not seen is written as its number.
import { expect, test } from "bun:test";
import { cutText, shownText } from "../../../src/formats/view/shown-text.ts";

test.each([
  ["a\u202Eb\u2066c", "a[U+202E]b[U+2066]c"],
  ["\0\u0007\u001B[0m\u007F\u0085", "[U+0000][U+0007][U+001B][0m[U+007F][U+0085]"],
  ["one\ttwo\nthree", "one\ttwo\nthree"],
  ["\uFEFFx\u00AD\u{E0041}\uD800", "[U+FEFF]x[U+00AD][U+E0041][U+D800]"],
  ["e\u0301 👩\u200D🔬 عربي \u200C", "e\u0301 👩\u200D🔬 عربي \u200C"],
  [`a${"\u200B".repeat(16)}b`, `a${"[U+200B]".repeat(16)}b`],
  [`a${"\u200B".repeat(1_000)}\nb`, `a${"[U+200B]".repeat(16)}\n[… +984]b`],
])("Q.82 %j is shown as %j", (text, shown) => {
  expect(shownText(text)).toBe(shown);
});

test("Q.82 a text is never cut inside of a character", () => {
  expect(cutText("ab😀c", 3)).toEqual({ text: "ab", left: 3 });
  expect(cutText("ab😀c", 4)).toEqual({ text: "ab😀", left: 1 });
  expect(cutText("ab", 2)).toEqual({ text: "ab", left: 0 });
});
