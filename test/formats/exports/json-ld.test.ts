// JSON-LD in the words of schema.org (R38): whatever a record holds, a processor of Linked Data expands it without
// loss, and all words are schema.org's.
import { describe, expect, test } from "bun:test";
import process from "node:process";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { writeSchemaOrg } from "../../../src/formats/schema-org/write.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { ARTICLE } from "../../support/cited-items.ts";
import { RECORD, sampleRecords } from "../../support/exported-records.ts";
import { expanded, foreignMembers } from "../../support/schema-org.ts";

const COUNT = process.env.ARKSTONE_SLOW === "1" ? 10_000 : 300;
/** Expanding takes a few milliseconds. */
const EXPANDED = process.env.ARKSTONE_SLOW === "1" ? 2_000 : 200;

const of = (metadata: Partial<Metadata>, more: Partial<ExportedRecord> = {}) =>
  JSON.parse(writeSchemaOrg({ ...RECORD, ...more, metadata: { ...EMPTY_METADATA, ...metadata } }).text);

describe("writeSchemaOrg()", () => {
  test(`S3.6.210 ${COUNT} records of all kinds have types and members of schema.org only`, () => {
    for (const record of sampleRecords(COUNT)) {
      const { text } = writeSchemaOrg(record);
      expect(foreignMembers(JSON.parse(text))).toEqual([]);
      expect(text).not.toContain("hidden@example.org");
      expect(writeSchemaOrg(structuredClone(record)).text).toBe(text);
    }
  });

  test(`S3.6.210 ${EXPANDED} of them expand without loss`, async () => {
    for (const record of sampleRecords(EXPANDED)) {
      const data = JSON.parse(writeSchemaOrg(record).text);
      expect(await expanded(data)).toHaveLength(1);
    }
  });

  test("S3.6.210 a word that is none of schema.org's is found", async () => {
    const wrong = { "@context": "https://schema.org", "@type": "Book", nombre: "x", "@id": "https://x.example/1" };
    expect(foreignMembers(wrong)).toEqual([".nombre of Book"]);
    const refusal = await expanded(wrong).catch((error: unknown) => error);
    expect(String(refusal)).toContain("Safe mode");
  });

  test("S3.6.211 the address of a grant is an address, and a funder's identifier a whole ROR address", () => {
    const funding = [
      {
        funder: { names: [{ value: "JSPS" }], ids: [{ scheme: "ror", value: "00hhkn466" }] },
        award: { number: "20H00001", uri: "https://kaken.nii.ac.jp/grant/1", titles: [{ value: "Tides" }] },
      },
      { funder: { names: [{ value: "Other" }], ids: [] }, award: { number: "1", uri: "no address", titles: [] } },
    ];
    expect(of({ funding }).funding).toEqual([
      {
        "@type": "Grant",
        funder: { "@type": "Organization", "@id": "https://ror.org/00hhkn466", name: "JSPS" },
        identifier: "20H00001",
        name: "Tides",
        url: "https://kaken.nii.ac.jp/grant/1",
      },
      { "@type": "Grant", funder: { "@type": "Organization", name: "Other" }, identifier: "1" },
    ]);
  });

  test("S3.6.211 works it is related to, by the words of schema.org", () => {
    const relation = (type: string, value: string) => ({ type, ident: { scheme: "DOI", value }, titles: [] });
    const data = of({
      ...ARTICLE,
      relations: [
        relation("IsPartOf", "10.5555/whole"),
        relation("hasPart", "10.5555/part"),
        relation("cites", "10.5555/cited"),
        relation("isIdenticalTo", "10.5555/same"),
        relation("compiles", "10.5555/none"),
      ],
      references: [{ text: "Doe (2001)" }],
    });
    const work = (name: string) => ({ "@type": "CreativeWork", "@id": `https://doi.org/10.5555/${name}` });
    expect(data.isPartOf).toEqual([expect.objectContaining({ "@type": "PublicationIssue" }), work("whole")]);
    expect([data.hasPart, data.citation]).toEqual([[work("part")], [work("cited"), "Doe (2001)"]]);
    expect(data.sameAs).toEqual(["https://doi.org/10.5555/same"]);
  });

  test("S3.6.211 files that not everybody may have are not listed", () => {
    const file = { mediaType: "text/csv", sizeBytes: 3, md5: null, sha256: null, access: "open" as const };
    const files = ["open.csv", "closed.csv"].map((name) => ({
      ...{ ...file, name, url: `https://repo.example.org/records/7/files/${name}` },
      isPublic: name === "open.csv",
    }));
    const { distribution } = of({ type: { id: "dataset" } }, { files });
    expect(distribution).toEqual([
      {
        "@type": "DataDownload",
        name: "open.csv",
        contentUrl: "https://repo.example.org/records/7/files/open.csv",
        encodingFormat: "text/csv",
        contentSize: "3 B",
      },
    ]);
  });

  test.each([
    ["2018/2020-09", "2018"],
    ["2020-02-30", "2020-02"],
    ["昭和50年", undefined],
  ])("S3.6.211 published %s is %p", (publicationDate, date) => {
    expect(of({ publicationDate }).datePublished).toBe(date as string);
  });
});
