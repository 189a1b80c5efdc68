// JPCOAR in and out: the published samples come back equal, whatever the model holds is printed as a record of the
// schema, and what the schema can hold comes back as it was.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Node, strangers, toNode } from "../../../src/formats/jpcoar/nodes.ts";
import { readJpcoar } from "../../../src/formats/jpcoar/read.ts";
import { ELEMENTS } from "../../../src/formats/jpcoar/schema.ts";
import { type JpcoarFile, type JpcoarInput, writeJpcoar } from "../../../src/formats/jpcoar/write.ts";
import type { FileClaim } from "../../../src/model/files/described-package.ts";
import type { Metadata } from "../../../src/model/metadata/metadata.ts";
import { METADATA_MEMBERS, memberProblem } from "../../../src/model/metadata/metadata-schema.ts";
import { parseXml } from "../../../src/shared/xml/parse.ts";
import { anyMetadata, jpcoarMetadata } from "../../support/jpcoar-metadata.ts";
import { hasJpcoarData, hasXmllint, jpcoarSamples, schemaErrors } from "../../support/jpcoar-schema.ts";
import { canonicalXml } from "../../support/xml-equal.ts";

const alone = (metadata: Metadata, files: readonly JpcoarFile[] = []): JpcoarInput => ({
  metadata,
  files,
  landingPage: null,
  ark: null,
  accessRights: null,
});

/** What the schema of the model has against metadata: a member the reader made up would be named here. */
const memberProblems = (metadata: Metadata): (string | null)[] =>
  METADATA_MEMBERS.filter((name) => metadata[name] !== undefined)
    .map((name) => memberProblem(name, metadata[name]))
    .filter((problem) => problem !== null);

const fileOf = (claim: FileClaim): JpcoarFile => ({
  ...claim,
  url: claim.url ?? "",
  mimeType: claim.mediaType ?? null,
  sizeBytes: null,
});

/** What is wrong with a record by our own table: strangers, order, counts, attributes. */
function structureProblems(xml: string): string[] {
  const root = toNode(parseXml(xml));
  const problems = strangers(root).map(({ path, problem }) => `${path} ${problem}`);
  const look = (node: Node): void => {
    const rule = ELEMENTS[node.name];
    for (const name of rule?.required ?? []) {
      if (node.attributes[name] === undefined) problems.push(`${node.name} lacks ${name}`);
    }
    const order = (rule?.children ?? []).map(([name]) => name);
    const places = node.children.map((child) => order.indexOf(child.name));
    if (places.some((place, index) => place < (places[index - 1] ?? 0))) problems.push(`${node.name} is out of order`);
    for (const [name, min] of rule?.children ?? []) {
      if (node.children.filter((child) => child.name === name).length < min)
        problems.push(`${node.name} lacks ${name}`);
    }
    node.children.forEach(look);
  };
  look(root);
  return problems;
}

/** Random records take their time on a busy machine. */
const SLOW_MS = 60_000;

const hasSchema = hasJpcoarData && hasXmllint;
if (!hasSchema) {
  const missing = hasXmllint ? "data/jpcoar-2.0" : "xmllint";
  console.log(`JPCOAR: ${missing} is not there, documents are judged by our own table alone`);
}

const file = fc.record(
  {
    url: fc.oneof(fc.webUrl(), fc.string({ maxLength: 10 })),
    label: fc.string({ unit: "binary", maxLength: 10 }),
    objectType: fc.constantFrom("fulltext", "Fulltext", "video"),
    mimeType: fc.constantFrom("application/pdf", "", null),
    sizeBytes: fc.option(fc.nat()),
    extents: fc.constant(["3MB", "24 pages"]),
    dates: fc.constant([
      { date: "2015", type: "issued" },
      { date: "soon", type: "Issued" },
    ]),
    version: fc.string({ maxLength: 5 }),
  },
  { requiredKeys: ["url", "mimeType", "sizeBytes"] },
);
const input: fc.Arbitrary<JpcoarInput> = fc.record({
  metadata: anyMetadata,
  files: fc.array(file, { maxLength: 2 }),
  landingPage: fc.constantFrom("https://repository.example.org/records/17", null),
  ark: fc.constantFrom("https://n2t.example.org/ark:/99999/fk4x", null),
  accessRights: fc.constantFrom({ label: "embargoed access" }, null),
});

describe("JPCOAR round trip", () => {
  if (hasJpcoarData) {
    test.each(jpcoarSamples())("R3 R29 sample $name comes back equal after canonicalisation", ({ xml }) => {
      const { item } = readJpcoar(xml);
      const written = writeJpcoar(alone(item.metadata, item.files.map(fileOf)));
      expect(canonicalXml(written.xml)).toBe(canonicalXml(xml));
      expect([item.notes, written.notes, item.metadata.extra]).toEqual([[], [], []]);
    });
  } else test.skip("R3 R29 the samples come back equal", () => {});

  test(
    "R29 any metadata at all is printed as a record of the schema's structure, without a mail address",
    () => {
      const documents: string[] = [];
      fc.assert(
        fc.property(input, (given) => {
          const { xml, notes } = writeJpcoar(given);
          expect(structureProblems(xml)).toEqual([]);
          expect(xml).not.toContain("hidden@example.org");
          expect(notes.filter((note) => !/^\S.*[^.]$/su.test(note))).toEqual([]);
          documents.push(xml);
        }),
        { numRuns: 150 },
      );
      if (hasSchema) expect(schemaErrors(documents)).toBe("");
    },
    SLOW_MS,
  );

  test(
    "R3 what a record can hold is read as it was written, with nothing to note",
    () => {
      const documents: string[] = [];
      fc.assert(
        fc.property(jpcoarMetadata, (metadata) => {
          const { xml, notes } = writeJpcoar(alone(metadata));
          const { item } = readJpcoar(xml);
          expect(item.metadata).toEqual(metadata);
          expect(memberProblems(item.metadata)).toEqual([]);
          expect([notes, item.notes]).toEqual([[], []]);
          documents.push(xml);
        }),
        { numRuns: 150 },
      );
      if (hasSchema) expect(schemaErrors(documents)).toBe("");
    },
    SLOW_MS,
  );

  test(
    "R3 a record that was written, read and written again stays the same",
    () => {
      fc.assert(
        fc.property(input, (given) => {
          const once = writeJpcoar({ ...given, files: [] }).xml;
          const twice = writeJpcoar(alone(readJpcoar(once).item.metadata)).xml;
          const thrice = writeJpcoar(alone(readJpcoar(twice).item.metadata)).xml;
          expect(thrice).toBe(twice);
        }),
        { numRuns: 100 },
      );
    },
    SLOW_MS,
  );
});
