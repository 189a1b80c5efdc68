// What holds for every writer of exports (R38, R5, R2g): the ARK is in the document, addresses of people do not, the
// same record makes the same bytes.
import { describe, expect, test } from "bun:test";
import { doiOf } from "../../../src/formats/citation/cited-item.ts";
import { publicMetadata } from "../../../src/model/metadata/public-metadata.ts";
import { EXPORT_FORMATS, isRecordFormat, NO_OPTIONS, writeRecord } from "../../../src/repository/exports/formats.ts";
import { sampleRecords } from "../../support/exported-records.ts";

const WRITERS = EXPORT_FORMATS.map(({ id }) => id).filter(isRecordFormat);
/** They name an item by one address: its DOI where it has one. */
const BY_ONE_ADDRESS = ["linkset", "linkset-text"];
const records = sampleRecords(100, 38).map((record) => ({ ...record, metadata: publicMetadata(record.metadata) }));

describe.each(WRITERS)("the export as %s", (id) => {
  test("S3.6.195 R5 R38 names the ARK at its resolver", () => {
    for (const record of records) {
      if (record.arkUrl === null || (BY_ONE_ADDRESS.includes(id) && doiOf(record.metadata) !== null)) continue;
      expect(writeRecord(id, record, NO_OPTIONS).text).toContain(record.arkUrl);
    }
  });

  test("S3.6.196 R38 R2g is well-formed, the same whenever it is asked for, and names no address of people", () => {
    for (const record of records) {
      const { text, leftOut } = writeRecord(id, record, NO_OPTIONS);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/\p{Noncharacter_Code_Point}/u);
      expect(text).not.toContain("hidden@example.org");
      expect(writeRecord(id, structuredClone(record), NO_OPTIONS)).toEqual({ text, leftOut });
    }
  });
});
