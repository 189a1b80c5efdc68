// What a stranger deposits holds nothing: every reader over texts and lists so long that looking twice would take minutes (R9a; house style 9).
import { describe, expect, test } from "bun:test";
import { identifierText } from "../../src/domain/items/duplicate-keys.ts";
import type { Json } from "../../src/domain/items/metadata.ts";
import { parseBagInfo, parseManifest } from "../../src/formats/bagit/tag-files.ts";
import { htmlToText } from "../../src/formats/html-text.ts";
import { readItemTable } from "../../src/formats/tsv/read.ts";
import { crate, onlyItem, readCrate } from "../formats/linked-data/crates.ts";

/** In one pass each takes well under a second; again from every place, minutes to hours. */
const MOST_MS = 5_000;

/** What a piece of work gives or refuses, which it may not take long over. */
function soon(work: () => unknown): unknown {
  const began = performance.now();
  let outcome: unknown;
  try {
    outcome = work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    outcome = error.message;
  }
  expect(performance.now() - began).toBeLessThan(MOST_MS);
  return outcome;
}

const MILLION = 1_000_000;

describe("R9a long texts", () => {
  test.each([
    ["a million <", "<".repeat(MILLION), MILLION],
    ["a million < before a >", `${"<".repeat(MILLION)}>`, MILLION + 1],
    ["a million <!", "<!".repeat(MILLION), 2 * MILLION],
    ["a million tags", "<p>".repeat(MILLION), 0],
    ["a million scripts that do not end", "<script>".repeat(MILLION), 0],
    ["a million &", "&#".repeat(MILLION), 2 * MILLION],
    ["a million lines", " \n".repeat(MILLION), 0],
  ])("R9a the words of %s", (_, html, length) => {
    expect(soon(() => htmlToText(html).length)).toBe(length);
  });

  test.each(["/", ".", " ", "\t", "ark:", "/ark:a/a", "doi:10.1/", "https://", "%20", "-", "[", "#"])(
    "R9a an identifier of a million %j",
    (piece) => {
      for (const value of [piece.repeat(MILLION), `https://h/${piece.repeat(MILLION)}\tx`]) {
        const text = soon(() => identifierText({ scheme: "URI", value }));
        expect(text === null || typeof text === "string").toBe(true);
      }
    },
  );

  test.each([
    ["a label of a million blanks", `a${" ".repeat(MILLION)}`, "Line 1 of bag-info.txt has no label"],
    ["a label and a million blanks", `a${" ".repeat(MILLION)}: b`, [["a", "b"]]],
    ["a million blanks before a value", `a:${" \t".repeat(MILLION)}b`, [["a", "b"]]],
    ["a million colons", `a${":".repeat(MILLION)}`, [["a", ":".repeat(MILLION - 1)]]],
  ] as const)("R9a bag-info.txt with %s", (_, text, outcome) => {
    expect(soon(() => parseBagInfo(text))).toEqual(outcome);
  });

  test("R9a bag-info.txt with a million lines that go on", () => {
    const [[, value] = ["", ""]] = soon(() => parseBagInfo(`a: b\n${" x\n".repeat(MILLION)}`)) as [string, string][];
    expect(value.length).toBe(1 + 2 * MILLION);
  });

  test("R9a a manifest with a million blanks", () => {
    const text = `${"a".repeat(63)}${" ".repeat(MILLION)}`;
    expect(soon(() => parseManifest(`${text}\n`, "m.txt", "sha256"))).toBe("Line 1 of m.txt is not a hash and a path");
  });

  test.each([" ", "(", "(1", "1)", ")"])("R9a a table whose item type is called %j again and again", (piece) => {
    const text = `#ItemType\tx${piece.repeat(190_000 / piece.length)}x\thttp://x\r\n#.id\r\n`;
    expect(soon(() => readItemTable(text, []))).toContain("is not known here");
  });
});

const people = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, at) => ({ "@id": `#p${at}`, "@type": "Person", name: `Person ${at}` }));
const links = (count: number): readonly Json[] => Array.from({ length: count }, (_, at) => ({ "@id": `#p${at}` }));

describe("R9a many values", () => {
  test("R9a four million keywords in one text are refused before they are split", () => {
    const outcome = soon(() => readCrate(crate({ name: "x", keywords: "a,".repeat(500_000) })));
    expect(outcome).toBe("Cannot take keywords: its text holds more than 10000 values");
    const kept = onlyItem(readCrate(crate({ name: "x", keywords: "a,".repeat(9_999) })));
    expect(kept.metadata.subjects.length).toBeGreaterThan(9_000);
  });

  test("R9a a text of more than a MiB is refused before it is looked at", () => {
    const outcome = soon(() => readCrate(crate({ name: "x", description: "x".repeat(1_048_577) })));
    expect(outcome).toContain("has 1048577 characters, 1048576 are read at most");
  });

  test("R9a 100,000 authors are refused before one of them is read", () => {
    const document = crate({ name: "x", author: links(99_990) }, ...people(99_990));
    expect(soon(() => readCrate(document))).toContain("a list has 99990 members, 20000 are read at most");
  });

  test("R9a 20,000 authors are read", () => {
    const document = crate({ name: "x", author: links(20_000) }, ...people(20_000));
    const items = soon(() => readCrate(document)) as ReturnType<typeof readCrate>;
    expect(onlyItem(items).metadata.creators.length).toBe(20_000);
  });

  test("R9a a short document that links make long is refused", () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `Name ${at}`);
    const same = Array.from({ length: 20_000 }, () => ({ "@id": "#org" }));
    const document = crate({ name: "x", author: same }, { "@id": "#org", "@type": "Organization", name: names });
    expect(soon(() => readCrate(document))).toBe(
      "Cannot read the graph: its links make more than 4000000 values of it",
    );
  });
});
