// What we write as a crate we read again without loss, whatever the item says (R3, R19b).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Metadata } from "../../../src/domain/items/metadata.ts";
import { readRoCrate } from "../../../src/formats/ro-crate/read.ts";
import { type CrateSubject, writeRoCrate } from "../../../src/formats/ro-crate/write.ts";
import { arbitraryMetadata } from "../../support/arbitrary-metadata.ts";
import { RO_CRATE_DEFAULT } from "../../support/mappings.ts";

const TODAY = "2026-05-01";

function throughCrate(subject: CrateSubject) {
  const bytes = new TextEncoder().encode(JSON.stringify(writeRoCrate(subject, RO_CRATE_DEFAULT)));
  const payload = new Set(subject.files.map((file) => file.path));
  const items = readRoCrate(bytes, { mapping: RO_CRATE_DEFAULT, payload, today: TODAY });
  return items;
}

describe("R19b An item written as a crate and read again", () => {
  test("R3 R19b says the same in every member, for any metadata", () => {
    fc.assert(
      fc.property(arbitraryMetadata, fc.boolean(), (metadata: Metadata, hasArk) => {
        const ark = hasArk
          ? { ark: "https://n2t.example/ark:99999/x1", landingPage: "https://repo.example/records/7" }
          : {};
        const [item, ...more] = throughCrate({ metadata, files: [], pubdate: "2025-04-01", ...ark });
        expect(more).toEqual([]);
        expect(item?.metadata).toEqual(metadata);
        expect(item?.instructions).toEqual({ openDate: "2025-04-01" });
        expect(item?.existing).toEqual({ id: null, uri: null });
        expect(item?.notes).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
