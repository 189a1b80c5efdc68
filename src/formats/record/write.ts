// The canonical metadata as the tools' model shows them (R3, R37): what it has no member for is omitted here and kept
// in the stored record (`read.ts`).
import { type Metadata, publicationDate } from "../../model/metadata/metadata.ts";
import { atOneGo, type InParts } from "../../shared/bytes/in-parts.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { type Entries, type EntryName, NO_ENTRIES, namedEntries, shownEntry } from "./entries.ts";
import { FUNDING } from "./funding.ts";
import { showIdents } from "./identifiers.ts";
import type { ListFormat } from "./keep.ts";
import { DATES, LANGUAGES, plainTexts, REFERENCES, RELATIONS, RIGHTS, SUBJECTS } from "./parts.ts";
import { agentFormat } from "./people.ts";
import { showLocations } from "./places.ts";
import { shownPublisher } from "./read.ts";
import { showDescriptions, showTitles } from "./texts.ts";
import { CONTRIBUTOR_ROLES, CREATOR_ROLES } from "./words.ts";

export { writeAccess } from "./access.ts";
export { writeCustomFields } from "./custom-fields.ts";

function* writeList<T>(name: string, format: ListFormat<T>, values: readonly T[]): InParts<JsonObject> {
  const shown: Json[] = [];
  for (const [index, value] of values.entries()) {
    const json = format.show(value, index);
    if (json !== null) shown.push(json);
    yield;
  }
  return shown.length === 0 ? {} : { [name]: shown };
}

const memberUnlessEmpty = (name: string, value: string | null | undefined): JsonObject =>
  value === undefined || value === null || value === "" ? {} : { [name]: value };

/** `metadata` of a record, without empty members. */
export function* writeMetadataInParts(metadata: Metadata, entries: Entries): InParts<JsonObject> {
  const { type } = metadata;
  const identifiers = showIdents("works", metadata.identifiers);
  return {
    ...(type === null || type.id === "" ? {} : { resource_type: shownEntry(entries, "resourcetypes", type.id) }),
    ...(yield* writeList("creators", agentFormat(CREATOR_ROLES, entries, false), metadata.creators)),
    ...showTitles(metadata.titles, entries),
    ...memberUnlessEmpty("publisher", shownPublisher(metadata.publishers).name),
    ...memberUnlessEmpty("publication_date", publicationDate(metadata)),
    ...(yield* writeList("subjects", SUBJECTS, metadata.subjects)),
    ...(yield* writeList("contributors", agentFormat(CONTRIBUTOR_ROLES, entries, true), metadata.contributors)),
    ...(yield* writeList("dates", DATES(entries), metadata.dates)),
    ...(yield* writeList("languages", LANGUAGES(entries), metadata.languages)),
    ...(identifiers.length === 0 ? {} : { identifiers }),
    ...(yield* writeList("related_identifiers", RELATIONS(entries), metadata.relations)),
    ...(yield* writeList("sizes", plainTexts(""), metadata.sizes)),
    ...(yield* writeList("formats", plainTexts(""), metadata.formats)),
    ...memberUnlessEmpty("version", metadata.versionLabel),
    ...(yield* writeList("rights", RIGHTS(entries), metadata.rights)),
    ...memberUnlessEmpty("copyright", metadata.copyright),
    ...showDescriptions(metadata, entries),
    ...showLocations(metadata.locations),
    ...(yield* writeList("funding", FUNDING(entries), metadata.funding)),
    ...(yield* writeList("references", REFERENCES, metadata.references)),
  };
}

export function writeMetadata(metadata: Metadata, entries: Entries): JsonObject {
  return atOneGo(writeMetadataInParts(metadata, entries));
}

/** The entries whose titles a record shows, to be read in one statement before it is written. */
export function* shownEntriesInParts(metadata: Metadata): InParts<readonly EntryName[]> {
  const written = yield* writeMetadataInParts(metadata, NO_ENTRIES);
  yield;
  return namedEntries({ metadata: written });
}

export function shownEntries(metadata: Metadata): readonly EntryName[] {
  return atOneGo(shownEntriesInParts(metadata));
}
