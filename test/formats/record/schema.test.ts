// The shapes of metadata in the interface description allow what reading takes and refuse what it refuses, and what is
// shown fits them (R3, R32, R37).
import { expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { writeCustomFields } from "../../../src/formats/record/custom-fields.ts";
import { METADATA, METADATA_FIELDS, writeMetadata } from "../../../src/formats/record/record.ts";
import { NO_ENTRIES } from "../../../src/formats/record/record-input.ts";
import { CustomFieldsShape, MetadataShape } from "../../../src/formats/record/record-schema.ts";
import type { Json } from "../../../src/shared/json/json.ts";
import { PERSON, readBody, readMembers, SMALLEST } from "../../support/record-bodies.ts";

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
/** Without the names of shapes, which the description alone needs. */
const check = (schema: object) =>
  ajv.compile(JSON.parse(JSON.stringify(schema, (name, value) => (name === "$id" ? undefined : value))));
const isSent = check(METADATA.schema);
const isShown = check(MetadataShape);
const areShown = check(CustomFieldsShape);

const person = (parts: object): Json => ({ person_or_org: { type: "personal", family_name: "Brown", ...parts } });

/** Values that a member takes, and values that it refuses for their shape. */
const CASES: Readonly<Record<string, { readonly good: readonly Json[]; readonly bad: readonly Json[] }>> = {
  resource_type: { good: [{ id: "dataset" }, { id: "dataset", title: { en: "Dataset" } }], bad: ["dataset", {}] },
  creators: {
    good: [[person({ identifiers: [{ identifier: "0000-0002-1825-0097", scheme: "orcid" }] })]],
    bad: [{}, [{}], [person({ type: "group" })], [person({ name: 1 })], [{ ...PERSON, colour: "red" }]],
  },
  contributors: { good: [[{ ...PERSON, role: { id: "editor" } }]], bad: [[PERSON], [{ role: { id: "editor" } }]] },
  title: { good: ["Three"], bad: ["ab", 1, null] },
  additional_titles: {
    good: [[{ title: "Another", type: { id: "subtitle" }, lang: { id: "eng" } }]],
    bad: [[{ title: "Another" }], [{ type: { id: "subtitle" } }]],
  },
  publisher: { good: ["CERN"], bad: [["CERN"]] },
  publication_date: { good: ["2020-06"], bad: [2020] },
  subjects: { good: [[{ subject: "tides" }]], bad: [["tides"], [{ subject: 1 }], [{ word: "tides" }]] },
  dates: {
    good: [[{ date: "2020", type: { id: "created" } }]],
    bad: [[{ date: "2020" }], [{ type: { id: "created" } }]],
  },
  languages: { good: [[{ id: "eng" }]], bad: ["eng", [{}]] },
  identifiers: {
    good: [[{ identifier: "10.1234/a", scheme: "doi" }], [{ identifier: "10.1234/a" }]],
    bad: [[{ scheme: "doi" }], [{ identifier: "10.1234/a", scheme: "none" }]],
  },
  related_identifiers: {
    good: [[{ identifier: "10.1234/a", scheme: "doi", relation_type: { id: "cites" } }]],
    bad: [[{ identifier: "10.1234/a", scheme: "doi" }]],
  },
  sizes: { good: [["11 pages"]], bad: [[11]] },
  formats: { good: [["text/csv"]], bad: ["text/csv"] },
  version: { good: ["v1"], bad: ["v".repeat(192)] },
  rights: {
    good: [[{ id: "cc-by-4.0" }], [{ title: { en: "Ours" }, link: "https://example.org/" }]],
    bad: [[{ title: { en: "Ours", de: "Unsere" } }], [{ licence: "cc-by-4.0" }]],
  },
  copyright: { good: ["© 2026"], bad: [""] },
  description: { good: ["<p>Words</p>"], bad: ["ab", {}] },
  additional_descriptions: {
    good: [[{ description: "Steps", type: { id: "methods" } }]],
    bad: [[{ description: "Steps" }], [{ description: "St", type: { id: "methods" } }]],
  },
  locations: {
    good: [{ features: [{ place: "Geneva", geometry: { type: "Point", coordinates: [6, 46] } }] }],
    bad: [[], { features: {} }, { features: [{ geometry: { type: "Blob", coordinates: [6, 46] } }] }],
  },
  funding: {
    good: [[{ funder: { name: "ERC" }, award: { number: "1", title: { en: "Tides" } } }]],
    bad: [[{ award: { number: "1" } }], [{ funder: { name: 1 } }]],
  },
  references: { good: [[{ reference: "Brown, 2020" }]], bad: [[{ identifier: "10.1234/a" }], ["Brown"]] },
};

test("R32 R37 every member of the metadata is among the cases", () => {
  expect(Object.keys(CASES).sort()).toEqual([...METADATA_FIELDS].sort());
});

test.each(Object.entries(CASES))(
  "R32 R37 %s is described as it is read, and shown as it is described",
  (name, cases) => {
    for (const value of cases.good) {
      const { metadata, errors } = readMembers({ [name]: value });
      expect([value, errors, isSent({ ...SMALLEST, [name]: value })]).toEqual([value, [], true]);
      const written = writeMetadata(metadata, NO_ENTRIES);
      expect([value, name in written, isShown(written), isShown.errors]).toEqual([value, true, true, null]);
    }
    for (const value of cases.bad) {
      const { errors } = readMembers({ [name]: value });
      const isNamed = errors.some(({ field }) => field === `metadata.${name}` || field.startsWith(`metadata.${name}.`));
      expect([value, isNamed, isSent({ ...SMALLEST, [name]: value })]).toEqual([value, true, false]);
    }
  },
);

test("R32 R37 metadata with a member that there is none of are refused and reported", () => {
  expect(readMembers({ colour: "red" }).errors.map(({ field }) => field)).toEqual(["metadata.colour"]);
  expect(isSent({ ...SMALLEST, colour: "red" })).toBe(false);
});

test("R32 R37 custom fields are shown as they are described", () => {
  const custom_fields = {
    "journal:journal": { title: "Tides", issn: "0317-8471" },
    "thesis:thesis": { university: "Geneva", department: "Sea" },
    "code:codeRepository": "https://example.org/",
  };
  const { metadata, errors } = readBody({ metadata: SMALLEST, custom_fields });
  const written = writeCustomFields(metadata);
  expect([errors, Object.keys(written).sort()]).toEqual([[], Object.keys(custom_fields).sort()]);
  expect([areShown(written), areShown.errors]).toEqual([true, null]);
  expect(areShown({ "journal:magazine": {} })).toBe(false);
});
