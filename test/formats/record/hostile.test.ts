// Bodies of strangers (S3.6.67): whatever is sent, the reader answers with metadata that are metadata and faults in one
// shape, in time that grows with the body only.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { detectScheme, readIdentifier, SCHEMES } from "../../../src/formats/record/identifiers.ts";
import { METADATA_FIELDS } from "../../../src/formats/record/record.ts";
import { isMetadata } from "../../../src/model/metadata/metadata-schema.ts";
import type { Json } from "../../../src/shared/json/json.ts";
import { readEdtf } from "../../../src/shared/time/edtf.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { faultsOf, PERSON, readBody, readMembers, SMALLEST, shown, shownCustom } from "../../support/record-bodies.ts";

const RUNS = process.env.ARKSTONE_SLOW === "1" ? 10_000 : 300;
const NAMES = [
  ...METADATA_FIELDS,
  ..."id title type lang person_or_org name family_name identifiers identifier scheme role affiliations features geometry coordinates funder award number __proto__ constructor toString record files embargo journal:journal code:x".split(
    " ",
  ),
];
const WORDS = fc.constantFrom(
  "",
  " ",
  "dataset",
  "eng",
  "personal",
  "10.1/x",
  "2020",
  "Point",
  "\u0000",
  "\ud800",
  "<b>",
  "__proto__",
);

const { value: anything } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    WORDS,
    fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.double(), fc.string({ maxLength: 8 })),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 6 }),
  ) as fc.Arbitrary<Json>,
}));

describe("S3.6.67: hostile bodies", () => {
  test("S3.6.67: a geometry whose type brings its own toString is a fault", () => {
    const locations = { features: [{ geometry: { type: { toString: "x" }, coordinates: [1, 2] } }] };
    expect(faultsOf(readMembers({ locations }))).toEqual([
      'metadata.locations.features.0.geometry.type: Unsupported value: {"toString":"x"}',
    ]);
  });

  test("S3.6.67: any JSON is read to metadata that are metadata, and what is shown of it can be read again", () => {
    fc.assert(
      fc.property(anything, anything, anything, (metadata, custom_fields, access) => {
        const read = readBody({ metadata, custom_fields, access });
        expect(isMetadata(read.metadata)).toBe(true);
        for (const { field, messages } of read.errors) {
          expect(typeof field).toBe("string");
          expect(messages.length).toBeGreaterThan(0);
        }
        const body = JSON.parse(
          JSON.stringify({ metadata: shown(read.metadata), custom_fields: shownCustom(read.metadata) }),
        );
        expect(readBody(body, read).metadata).toEqual(read.metadata);
      }),
      { numRuns: RUNS },
    );
  });

  test("S3.6.67: each member under its name takes any JSON", () => {
    fc.assert(
      fc.property(fc.constantFrom(...METADATA_FIELDS), anything, (member, value) => {
        const read = readMembers({ [member]: value });
        expect(isMetadata(read.metadata)).toBe(true);
      }),
      { numRuns: RUNS * 2 },
    );
  });

  test("S3.6.67: what is read new is shown as it is read, whatever was wrong next to it", () => {
    fc.assert(
      fc.property(anything, (creator) => {
        const read = readMembers({ creators: [PERSON, creator] });
        const again = readMembers({ ...JSON.parse(JSON.stringify(shown(read.metadata))) });
        expect(shown(again.metadata)).toEqual(shown(read.metadata));
      }),
      { numRuns: RUNS },
    );
  });

  test("S3.6.67: members of objects' prototypes are unknown fields, and change nothing", () => {
    const body = JSON.parse(`{"metadata": {"__proto__": {"title": "abc"}, "constructor": 1, "title": "abc"}}`);
    expect(faultsOf(readBody(body))).toContain("metadata.__proto__: Unknown field.");
    expect(faultsOf(readBody(body))).toContain("metadata.constructor: Unknown field.");
    expect(Object.hasOwn(Object.prototype, "title")).toBe(false);
  });

  test("S3.6.67: 10,000 creators, identifiers and dates, changed and unchanged, take less than a second each", async () => {
    const creators = Array.from({ length: 10_000 }, (_, index) => ({
      person_or_org: { type: "personal", family_name: `F${index % 100}`, given_name: "G" },
      affiliations: [{ name: "A" }],
    }));
    const identifiers = creators.map((_, index) => ({ identifier: `10.1234/${index}`, scheme: "doi" }));
    const read = readMembers({ creators, identifiers });
    expect(read.metadata.creators).toHaveLength(10_000);
    expect(
      await cpuMs(() => readMembers({ creators: creators.toReversed(), identifiers: identifiers.toReversed() }, read)),
    ).toBeLessThan(2_000);
    expect(faultsOf(readMembers({ creators: [...creators, ...creators, PERSON] }))).toContain(
      "metadata.creators: Longer than maximum length 20000.",
    );
  });

  test("S3.6.67: of a thousand faults and more a thousand are reported", () => {
    const { errors } = readMembers({ sizes: Array.from({ length: 5_000 }, () => "") });
    expect(errors).toHaveLength(1_000);
  });

  test("S3.6.67: long texts that nearly are a date or an identifier are distinguished at once", async () => {
    const long = [
      "1/".repeat(5_000),
      "a.".repeat(5_000),
      "10.1".repeat(2_500),
      "ark:/".repeat(2_000),
      "<".repeat(10_000),
      `${"9".repeat(9_999)}x`,
    ];
    for (const text of long) {
      expect(
        await cpuMs(() => {
          readEdtf(text);
          for (const set of ["works", "people", "places", "awards"] as const) {
            detectScheme(set, text);
            for (const scheme of Object.keys(SCHEMES[set])) readIdentifier(set, scheme, text);
          }
        }),
      ).toBeLessThan(250);
    }
  });

  test("S3.6.67: a mebibyte of markup is cleaned within a second", async () => {
    for (const piece of ["<a href='", "<b", "<!--", "<script>", "</p>", "<p>", '<a title="x" href=javascript:', "&#"]) {
      const description = piece.repeat(Math.floor(1_000_000 / piece.length));
      expect(await cpuMs(() => readMembers({ description }))).toBeLessThan(1_000);
    }
  });

  test("S3.6.67: a geometry of more positions than a field has values is refused", () => {
    const coordinates = Array.from({ length: 10_001 }, () => [1, 2]);
    expect(
      faultsOf(readMembers({ locations: { features: [{ geometry: { type: "MultiPoint", coordinates } }] } }))[0],
    ).toBe("metadata.locations.features.0.geometry.coordinates: Not valid coordinates of this type.");
  });

  test("S3.6.67: the smallest body is still read with these next to it", () => {
    expect(readBody({ metadata: SMALLEST, id: {}, links: [], pids: 3, parent: null } as Json).errors).toEqual([]);
  });
});
