// Records of many people are read, written and checked with pauses, in each of which others have their turn (R9a).
import { expect, test } from "bun:test";
import { shownEntriesInParts } from "../../../src/formats/record/named-entries.ts";
import {
  missingToPublishInParts,
  readRecordInParts,
  writeMetadataInParts,
} from "../../../src/formats/record/record.ts";
import { NO_ENTRIES } from "../../../src/formats/record/record-input.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import type { InParts } from "../../../src/shared/time/event-loop.ts";
import { agentOf } from "../../support/cited-items.ts";
import { readBody, SMALLEST, TODAY } from "../../support/record-bodies.ts";

const COUNT = 500;
const many = <T>(make: (at: number) => T): T[] => Array.from({ length: COUNT }, (_, at) => make(at));
const person = (at: number) => ({
  person_or_org: { type: "personal", family_name: `Family ${at}`, given_name: "Given" },
});

/** What work gives, and how often it paused. */
function pauses<Result>(work: InParts<Result>): { readonly result: Result; readonly count: number } {
  for (let count = 0; ; count++) {
    const step = work.next();
    if (step.done) return { result: step.value, count };
  }
}

const LISTS = {
  creators: many(person),
  contributors: many((at) => ({ ...person(at), role: { id: "other" } })),
  subjects: many((at) => ({ subject: `word ${at}` })),
  additional_titles: many((at) => ({ title: `Title ${at}`, type: { id: "other" } })),
  additional_descriptions: many((at) => ({ description: `Words ${at}`, type: { id: "other" } })),
  locations: { features: many((at) => ({ place: `Place ${at}` })) },
  funding: many((at) => ({ funder: { name: `Funder ${at}` } })),
  references: many((at) => ({ reference: `Work ${at}` })),
};

test.each(Object.entries(LISTS))("R9a reading many %s pauses at each, twice over what is there", (member, list) => {
  const body = { metadata: { ...SMALLEST, [member]: list } };
  const { metadata } = readBody(body);
  const again = pauses(readRecordInParts(body, { metadata, access: readBody(body).access }, NO_ENTRIES, TODAY));
  expect(again.count).toBeGreaterThan(2 * COUNT);
  const little = pauses(readRecordInParts({ metadata: SMALLEST }, null, NO_ENTRIES, TODAY));
  expect(little.count).toBeLessThan(COUNT);
});

test("R9a writing, checking and naming the entries of many people pauses at each", () => {
  const agent = (at: number): Metadata["creators"][number] =>
    agentOf({ names: [{ family: `Family ${at}`, given: "Given" }] });
  const metadata = { ...EMPTY_METADATA, creators: many(agent) };
  const written = pauses(writeMetadataInParts(metadata, NO_ENTRIES));
  expect(written.result.creators).toHaveLength(COUNT);
  expect(written.count).toBeGreaterThanOrEqual(COUNT);
  expect(pauses(shownEntriesInParts(metadata)).count).toBeGreaterThanOrEqual(COUNT);
  const checked = pauses(missingToPublishInParts(metadata, metadata));
  expect(checked.count).toBeGreaterThanOrEqual(2 * COUNT);
  expect(checked.result.map(({ field }) => field)).toEqual([
    "metadata.resource_type",
    "metadata.title",
    "metadata.publication_date",
  ]);
});
