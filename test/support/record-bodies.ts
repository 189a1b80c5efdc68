// Bodies of records in the tools' model, for tests: the smallest that may be published, and what reading one gives.
import { shippedEntry } from "../../src/assets/vocabularies/index.ts";
import { writeCustomFields } from "../../src/formats/record/custom-fields.ts";
import { namedEntries, shownEntries } from "../../src/formats/record/named-entries.ts";
import { type PreviousRecord, readRecord, writeMetadata } from "../../src/formats/record/record.ts";
import { type Entry, type EntryName, entriesOf } from "../../src/formats/record/record-input.ts";
import type { Metadata } from "../../src/model/metadata/metadata.ts";
import type { Json } from "../../src/shared/json/json.ts";
import type { JsonObject } from "../../src/shared/json/read.ts";

export const TODAY = "2026-11-22";

export const PERSON: JsonObject = {
  person_or_org: { type: "personal", family_name: "Brown", given_name: "Troy" },
};

export const SMALLEST: JsonObject = {
  resource_type: { id: "dataset" },
  creators: [PERSON],
  title: "A Romans story",
  publication_date: "2020-06-01",
};

/** Vocabularies that a repository loads, one entry each. */
const LOADED: readonly Entry[] = [
  {
    type: "affiliations",
    id: "01ggx4157",
    title: { en: "CERN", ja: "欧州原子核研究機構" },
    props: {},
  },
  { type: "funders", id: "00k4n6c32", title: { en: "European Commission", ja: "" }, props: {} },
  {
    type: "awards",
    id: "00k4n6c32::755021",
    title: { en: "Personalised treatment", ja: "個別化治療" },
    props: { number: "755021", uri: "https://cordis.example.org/755021" },
  },
  {
    type: "subjects",
    id: "http://id.nlm.nih.gov/mesh/A-D000007",
    title: { ja: "腹部損傷", en: "Abdominal Injuries" },
    props: { scheme: "MeSH" },
  },
];

const found = (names: readonly EntryName[]) =>
  entriesOf(
    names.flatMap(
      ({ type, id }) => shippedEntry(type, id) ?? LOADED.find((each) => each.type === type && each.id === id) ?? [],
    ),
  );

/** A body read as the use case does it: what it names is looked up first. */
export const readBody = (body: Json, previous: PreviousRecord | null = null) =>
  readRecord(body, previous, found(namedEntries(body)), TODAY);

/** The smallest record with these members added or replaced. */
export const readMembers = (members: JsonObject, previous: PreviousRecord | null = null) =>
  readBody({ metadata: { ...SMALLEST, ...members } }, previous);

/** The errors of a body, a line each. */
export const faultsOf = ({ errors }: { readonly errors: readonly { field: string; messages: readonly string[] }[] }) =>
  errors.map(({ field, messages }) => `${field}: ${messages.join(" ")}`);

export const shown = (metadata: Metadata): JsonObject => writeMetadata(metadata, found(shownEntries(metadata)));
export const shownCustom = (metadata: Metadata): JsonObject => writeCustomFields(metadata);
