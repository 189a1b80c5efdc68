// What we write as a crate we read again without loss, whatever the item contains (R3, R19b).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readRoCrate } from "../../../src/formats/ro-crate/read.ts";
import { type CrateFile, type CrateSubject, writeRoCrate } from "../../../src/formats/ro-crate/write.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import type { Json } from "../../../src/shared/json/json.ts";
import { arbitraryMetadata } from "../../support/arbitrary-metadata.ts";
import { RO_CRATE_DEFAULT } from "../../support/mappings.ts";
import { bytesOf, crate, onlyItem, TODAY } from "./crates.ts";

function throughCrate(subject: CrateSubject) {
  const bytes = new TextEncoder().encode(JSON.stringify(writeRoCrate(subject, RO_CRATE_DEFAULT)));
  const payload = new Set(subject.files.map((file) => file.path));
  const items = readRoCrate(bytes, { mapping: RO_CRATE_DEFAULT, payload, today: TODAY });
  return items;
}

describe("R19b An item written as a crate and read again", () => {
  test("R3 R19b is the same in every member, for any metadata", () => {
    fc.assert(
      fc.property(arbitraryMetadata, fc.boolean(), (metadata: Metadata, hasArk) => {
        const ark = hasArk
          ? { ark: "https://n2t.example/ark:99999/x1", landingPage: "https://repo.example/records/7" }
          : {};
        const [item, ...more] = throughCrate({ metadata, files: [], pubdate: "2025-04-01", ...ark });
        expect(more).toEqual([]);
        expect(item?.metadata).toEqual(metadata);
        expect(item?.instructions).toEqual({ openDate: "2025-04-01" });
        expect(item?.existing).toMatchObject({ id: null, uri: null });
        expect(item?.notes).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test("R19b keeps files with their paths, rights and labels, settings of its owner and whether it is published", () => {
    const files = [
      {
        path: "a%2Fb c.pdf",
        mediaType: "application/pdf",
        access: "date",
        accessDate: "2027-01-01",
        sizeBytes: 3,
        sha256: "ab",
      },
      { path: "sub/テ#?.csv", label: "Table", version: "2", license: "https://creativecommons.org/licenses/by/4.0/" },
      {
        path: "http:/x",
        access: "login",
        groups: ["1", "2"],
        objectType: "dataset",
        extents: ["3 pages"],
        displayType: "detail",
      },
      {
        path: "data/data",
        licenseText: "Ask first",
        license: "cc0",
        url: "https://x.example/y",
        dates: [{ date: "2020", type: "" }],
      },
    ] as const;
    const settings = {
      feedbackMail: ["a@example.org"],
      requestMail: ["b@example.org"],
      grant: [{ "jpcoar:identifier": "x" }],
      textExtraction: { "data/data": false },
    };
    const item = onlyItem(
      throughCrate({ metadata: EMPTY_METADATA, files, pubdate: "2025-04-01", publishStatus: "private", settings }),
    );
    expect(item.files).toEqual(files.map(({ ...file }) => withoutBytes(file)));
    expect(item.settings).toEqual(settings);
    expect(item.instructions).toEqual({ openDate: "2025-04-01", publishStatus: "private" });
    expect(item.notes).toEqual([]);
  });

  test("R3 an edit of the public terms edits the item; what it does not touch stays whole", () => {
    const metadata: Metadata = {
      ...EMPTY_METADATA,
      titles: [
        { value: "First", kind: "alternative" },
        { value: "Second", kind: "main" },
      ],
      degree: { names: [{ value: "Doctor" }], grantors: [] },
      descriptions: [{ value: "<b>x</b>", kind: "Methods", html: true }],
    };
    const document = JSON.stringify(writeRoCrate({ metadata, files: [], pubdate: "2025-04-01" }, RO_CRATE_DEFAULT));
    const edited = new TextEncoder().encode(document.replace('"name":"Second"', '"name":"Third"'));
    const item = onlyItem(readRoCrate(edited, { mapping: RO_CRATE_DEFAULT, payload: new Set(), today: TODAY }));
    expect(item.metadata).toEqual({
      ...metadata,
      titles: [
        { value: "Third", kind: "main" },
        { value: "First", kind: "alternative" },
      ],
      type: null,
    });
    expect(item.notes).toEqual(["svc:titles no longer fits the terms next to it: those were taken"]);
  });

  test("R3 a literal that is not metadata is not believed", () => {
    const literal = { "@type": "@json", "@value": [{ value: 7, kind: "main" }] };
    const bytes = bytesOf(crate({ name: "Shown", "svc:titles": literal }));
    const item = onlyItem(readRoCrate(bytes, { mapping: RO_CRATE_DEFAULT, payload: new Set(), today: TODAY }));
    expect(item.metadata.titles).toEqual([{ value: "Shown", kind: "main" }]);
    expect(item.metadata.extra).toEqual([{ format: "ro-crate", path: "svc:titles", value: literal }]);
  });

  test("RO-Crate 1.1: a descriptor, a root with datePublished, and a flat graph whose every link leads somewhere", () => {
    fc.assert(
      fc.property(arbitraryMetadata, (metadata) => {
        const files = [{ path: "a.txt" }];
        const document = writeRoCrate({ metadata, files, pubdate: "2025-04-01" }, RO_CRATE_DEFAULT);
        const graph = document["@graph"] as readonly { readonly [key: string]: Json }[]; // written by us one line above
        const ids = graph.map((entity) => String(entity["@id"]));
        expect(new Set(ids).size).toBe(ids.length);
        expect(graph[0]).toEqual({
          "@id": "ro-crate-metadata.json",
          "@type": "CreativeWork",
          conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" },
          about: { "@id": "./" },
        });
        expect(typeof graph[1]?.datePublished).toBe("string");
        for (const link of graph.flatMap((entity) =>
          Object.entries(entity).flatMap(([key, value]) => linksOf(key, value)),
        )) {
          expect(ids.includes(link) || /^https?:/.test(link)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});

function withoutBytes(file: CrateFile): CrateFile {
  const { sizeBytes: _size, sha256: _sha256, ...claim } = file;
  return claim;
}

/** Links of a term; a nested entity that is neither value nor link is reported as what nothing leads to. */
function linksOf(key: string, value: Json): readonly string[] {
  if (key.startsWith("@")) return [];
  if (Array.isArray(value)) return value.flatMap((each: Json) => linksOf(key, each));
  if (typeof value !== "object" || value === null || "@value" in value) return [];
  return Object.keys(value).join() === "@id" ? [String((value as { readonly "@id": Json })["@id"])] : ["nested"]; // has @id alone
}
