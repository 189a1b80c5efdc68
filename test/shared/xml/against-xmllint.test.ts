// Our check of well-formedness against xmllint's: small documents, mutated at random, are taken or refused by both.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { DocumentError } from "../../../src/shared/document-error.ts";
import { parseXml } from "../../../src/shared/xml/parse.ts";
import { hasXmllint } from "../../support/jpcoar-schema.ts";

const SEEDS = [
  '<?xml version="1.0" standalone="yes"?>\n<a xmlns="urn:1" xmlns:p="urn:2" p:b="1" c=\'2\'><!-- c --><p:d>&lt;x&#65;</p:d><e/></a>',
  '<r><![CDATA[<x>]]>text<?pi data?>題<b x="&amp;&quot;\'"></b>\r\n\t</r>',
  '<a:r xmlns:a="urn:1"><a:b a:c="1" c="2"/><x:y xmlns:x="urn:1" x:z=""/></a:r>',
];
const PIECES = [
  "<",
  ">",
  "&",
  ";",
  '"',
  "'",
  "/",
  "=",
  " ",
  "\n",
  "<!--",
  "-->",
  "--",
  "]]>",
  "<![CDATA[",
  "<?",
  "?>",
  "&#0;",
  "&#x41;",
  "&nbsp;",
  ":",
  "xmlns",
  "a",
  "1",
  "\u0001",
  "\uFFFF",
  "<b>",
  "</b>",
  "<b/>",
  "xml",
];

type Mutation = { readonly at: number; readonly remove: number; readonly piece: string };
const mutant = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(
      fc.record({
        at: fc.nat({ max: 130 }),
        remove: fc.nat({ max: 3 }),
        piece: fc.constantFrom("", ...PIECES),
      }) as fc.Arbitrary<Mutation>,
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([seed, mutations]) =>
    mutations.reduce((text, { at, remove, piece }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + remove);
    }, seed),
  );

function isTaken(document: string): boolean {
  try {
    parseXml(new TextEncoder().encode(document));
    return true;
  } catch (error) {
    if (error instanceof DocumentError) return false;
    throw error;
  }
}

/**
 * What xmllint reports of each document: whether it found an error, an undeclared prefix included. A namespace may be
 * any string.
 */
function judged(documents: readonly string[]): boolean[] {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-xml-"));
  try {
    const names = documents.map((document, index) => {
      const name = `d${index}.xml`;
      writeFileSync(join(folder, name), document);
      return name;
    });
    const { stderr } = spawnSync("xmllint", ["--nonet", "--noout", ...names], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    const refused = new Set(
      [...stderr.matchAll(/^(d\d+\.xml):\d+: .*error(?!.*is not a valid URI)/gm)].map((match) => match[1]),
    );
    return names.map((name) => !refused.has(name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("well-formedness", () => {
  if (!hasXmllint) {
    console.log("XML: xmllint is not there, the comparison with it is skipped");
    test.skip("R13a message 11 what xmllint refuses is refused", () => {});
    return;
  }
  test("R13a message 11 mutants of small documents are taken and refused as xmllint does", () => {
    const documents = [...SEEDS, ...fc.sample(mutant, { numRuns: 400, seed: 20221201 })];
    const theirs = judged(documents);
    const differing = documents.filter((document, index) => isTaken(document) !== theirs[index]);
    expect(differing).toEqual([]);
    expect(theirs.filter((taken) => taken).length).toBeGreaterThan(10);
  }, 60_000);
});
