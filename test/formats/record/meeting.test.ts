// Interfaces meet in one model (R3): the tools' record JSON written and read again loses nothing, whatever an item
// contains.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SHIPPED_TYPES, shippedVocabulary } from "../../../src/assets/vocabularies/index.ts";
import { openAccess } from "../../../src/formats/record/access.ts";
import { writeCustomFields } from "../../../src/formats/record/custom-fields.ts";
import { readRecord, writeMetadata } from "../../../src/formats/record/record.ts";
import { entriesOf, NO_ENTRIES } from "../../../src/formats/record/record-input.ts";
import type { Metadata } from "../../../src/model/metadata/metadata.ts";
import { arbitraryMetadata } from "../../support/arbitrary-metadata.ts";
import { anyMetadata, jpcoarMetadata } from "../../support/jpcoar-metadata.ts";

const ENTRIES = entriesOf(SHIPPED_TYPES.flatMap(shippedVocabulary));
const TODAY = "2026-11-22";
const RUNS = process.env.ARKSTONE_SLOW === "1" ? 5_000 : 150;

const REQUIRED = ["resource_type", "creators", "title", "publication_date"].map((member) => `metadata.${member}`);

const again = (metadata: Metadata, entries = ENTRIES) =>
  readRecord(
    JSON.parse(
      JSON.stringify({ metadata: writeMetadata(metadata, entries), custom_fields: writeCustomFields(metadata) }),
    ),
    { metadata, access: openAccess(TODAY) },
    entries,
    TODAY,
  );

describe("R3: what comes back as it was shown keeps its whole value", () => {
  for (const [name, arbitrary] of Object.entries({ arbitraryMetadata, anyMetadata, jpcoarMetadata })) {
    test(`R3: any metadata written and read over themselves are the same (${name})`, () => {
      fc.assert(
        fc.property(arbitrary, (metadata) => {
          const read = again(metadata);
          expect(read.metadata).toEqual(metadata);
          expect(read.errors.filter(({ field }) => !REQUIRED.includes(field))).toEqual([]);
          expect(again(metadata, NO_ENTRIES).metadata).toEqual(metadata);
        }),
        { numRuns: RUNS },
      );
    });
  }
});
