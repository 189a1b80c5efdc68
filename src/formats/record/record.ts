// A record of the tools' model (R3, R37): read over what is there, shown, and what it still needs to be published. What
// is read is as it should be and becomes canonical metadata, access and the choice of files; everything else is
// reported and left out. Pure: `namedEntries` lists the vocabulary entries a body names, and the caller passes them in.
import type { Access } from "../../model/items/item.ts";
import {
  type Agent,
  EMPTY_METADATA,
  type Metadata,
  mainTitle,
  publicationDate,
} from "../../model/metadata/metadata.ts";
import { metadataExcess } from "../../model/metadata/metadata-limits.ts";
import { maybe, own } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import type { Day } from "../../shared/time/day.ts";
import { readEdtf } from "../../shared/time/edtf.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import { openAccess, readAccess } from "./access.ts";
import { readCustomFields } from "./custom-fields.ts";
import { readIdents, showIdents } from "./identifiers.ts";
import { type ListFormat, readListInParts } from "./keep.ts";
import {
  DATES,
  LANGUAGES,
  plainTexts,
  REFERENCES,
  RELATIONS,
  RIGHTS,
  readDescriptions,
  readTitles,
  SUBJECTS,
  showDescriptions,
  showTitles,
} from "./parts.ts";
import { agentFormat, FUNDING, memberUnlessEmpty, PERSON_TYPES, showPerson } from "./people.ts";
import { readLocations, showLocations } from "./places.ts";
import {
  atLeast,
  type Entries,
  type EntryName,
  entryAt,
  FAULT_MESSAGES,
  NO_ENTRIES,
  namedEntries,
  neededText,
  objectAt,
  type RecordFault,
  type RecordInput,
  recordInput,
  shownEntry,
  textAt,
} from "./record-input.ts";
import { CONTRIBUTOR_ROLES, CREATOR_ROLES } from "./words.ts";

type ReadRecord = {
  readonly metadata: Metadata;
  readonly access: Access;
  /** Absent where the body does not set it. */
  readonly filesEnabled?: boolean;
  readonly errors: readonly RecordFault[];
};

export type PreviousRecord = { readonly metadata: Metadata; readonly access: Access };

export const METADATA_FIELDS = [
  "resource_type",
  "creators",
  "title",
  "additional_titles",
  "publisher",
  "publication_date",
  "subjects",
  "contributors",
  "dates",
  "languages",
  "identifiers",
  "related_identifiers",
  "sizes",
  "formats",
  "version",
  "rights",
  "copyright",
  "description",
  "additional_descriptions",
  "locations",
  "funding",
  "references",
] as const;

/** A body over the stored record; without one over an empty record. Read-only members of a record are ignored. */
export function* readRecordInParts(
  body: Json,
  previous: PreviousRecord | null,
  entries: Entries,
  today: Day,
): InParts<ReadRecord> {
  const to = recordInput(entries);
  const before = previous ?? { metadata: EMPTY_METADATA, access: openAccess(today) };
  const sent = isJsonObject(body) ? body : {};
  if (!isJsonObject(body)) to.fault("_schema", FAULT_MESSAGES.notObject);
  const read = yield* readMetadata(own(sent, "metadata"), before.metadata, to);
  const customFields = own(sent, "custom_fields");
  yield;
  const whole = customFields === undefined ? read : readCustomFields(read, customFields, "custom_fields", to);
  yield;
  const excess = metadataExcess(whole);
  yield;
  if (excess !== null) to.fault("metadata", `The metadata ${excess}.`);
  const enabled = filesEnabled(own(sent, "files"), to);
  return {
    metadata: excess === null ? whole : before.metadata,
    access: readAccess(own(sent, "access"), before.access, "access", to, today),
    ...maybe("filesEnabled", enabled),
    errors: to.faults(),
  };
}

export function readRecord(...record: Parameters<typeof readRecordInParts>): ReadRecord {
  return runWithoutYielding(readRecordInParts(...record));
}

function filesEnabled(sent: Json | undefined, to: RecordInput): boolean | undefined {
  if (!isJsonObject(sent)) {
    if (sent !== undefined)
      to.fault(
        sent === null ? "files" : "files._schema",
        sent === null ? FAULT_MESSAGES.null : FAULT_MESSAGES.notObject,
      );
    return undefined;
  }
  const enabled = own(sent, "enabled");
  if (enabled === undefined || typeof enabled === "boolean") return enabled;
  to.fault("files.enabled", enabled === null ? FAULT_MESSAGES.null : FAULT_MESSAGES.notTruth);
  return undefined;
}

/**
 * `metadata` of a body: it replaces all that the tools' model shows (R3); what is required and is not there is
 * reported.
 */
function* readMetadata(value: Json | undefined, before: Metadata, to: RecordInput): InParts<Metadata> {
  const at = "metadata";
  const sent = objectAt(value, at, METADATA_FIELDS, to) ?? {};
  const { entries } = to;
  const list = <T>(field: (typeof METADATA_FIELDS)[number], stored: readonly T[], format: ListFormat<T>) =>
    readListInParts(format, own(sent, field), stored, `${at}.${field}`, to);
  const creators = yield* list("creators", before.creators, agentFormat(CREATOR_ROLES, entries, false));
  if (creators.length === 0 && isMissing(own(sent, "creators"))) to.fault(`${at}.creators`, FAULT_MESSAGES.missing);
  const { type: _type, copyright: _copyright, versionLabel: _label, publicationDate: _date, ...others } = before;
  return {
    ...others,
    type: readType(own(sent, "resource_type"), before.type, `${at}.resource_type`, to),
    titles: yield* readTitles(sent, before.titles, at, to),
    creators,
    contributors: yield* list("contributors", before.contributors, agentFormat(CONTRIBUTOR_ROLES, entries, true)),
    rights: yield* list("rights", before.rights, RIGHTS(entries)),
    ...maybe("copyright", readText(sent, "copyright", before.copyright, at, to)),
    subjects: yield* list("subjects", before.subjects, SUBJECTS),
    descriptions: yield* readDescriptions(sent, before.descriptions, at, to),
    publishers: readPublisher(own(sent, "publisher"), before.publishers, `${at}.publisher`, to),
    ...maybe(
      "publicationDate",
      readPublicationDate(own(sent, "publication_date"), before, `${at}.publication_date`, to),
    ),
    dates: yield* list("dates", before.dates, DATES(entries)),
    languages: yield* list("languages", before.languages, LANGUAGES(entries)),
    ...maybe("versionLabel", readText(sent, "version", before.versionLabel, at, to)),
    identifiers: readIdents("works", own(sent, "identifiers"), before.identifiers, `${at}.identifiers`, to),
    relations: yield* list("related_identifiers", before.relations, RELATIONS(entries)),
    locations: yield* readLocations(own(sent, "locations"), before.locations, `${at}.locations`, to),
    funding: yield* list("funding", before.funding, FUNDING(entries)),
    formats: yield* list("formats", before.formats, plainTexts("Format cannot be a blank string.")),
    sizes: yield* list("sizes", before.sizes, plainTexts("Size cannot be a blank string.")),
    references: yield* list("references", before.references, REFERENCES),
  };
}

const isMissing = (sent: Json | undefined): boolean => sent === undefined || (isJsonArray(sent) && sent.length === 0);

function readType(sent: Json | undefined, before: Metadata["type"], path: string, to: RecordInput): Metadata["type"] {
  if (sent === undefined) to.fault(path, FAULT_MESSAGES.missing);
  const id = isJsonObject(sent) ? own(sent, "id") : undefined;
  if (before !== null && before.id !== "" && id === before.id) return before;
  const entry = entryAt(sent, path, "resourcetypes", to);
  // Nothing was shown, and nothing was sent.
  return entry === null ? (sent === undefined && before?.id === "" ? before : null) : { id: entry.id };
}

const LONGEST = { version: 191, copyright: most("valueCharacters") } as const;

function readText(
  sent: JsonObject,
  name: "version" | "copyright",
  before: string | undefined,
  at: string,
  to: RecordInput,
) {
  const value = own(sent, name);
  // An empty text is not shown.
  if (value === before || (value === undefined && before === "")) return before;
  const text = textAt(value, `${at}.${name}`, to, { characters: LONGEST[name] });
  if (text === "" && name === "copyright") to.fault(`${at}.${name}`, "Shorter than minimum length 1.");
  return text === null || text === "" ? undefined : text;
}

/** The publisher that is shown: the first name of the first that has one. */
function shownPublisher(publishers: Metadata["publishers"]): { readonly place: number; readonly name: string } {
  const place = publishers.findIndex(({ names }) => (names[0]?.value ?? "") !== "");
  return { place, name: publishers[place]?.names[0]?.value ?? "" };
}

function readPublisher(sent: Json | undefined, before: Metadata["publishers"], path: string, to: RecordInput) {
  const { place, name } = shownPublisher(before);
  if (sent === undefined ? name === "" : sent === name) return before;
  const value = textAt(sent, path, to) ?? "";
  const old = before[place];
  if (old === undefined) return value === "" ? before : withName(before, value);
  if (value === "") return before.toSpliced(place, 1);
  return before.with(place, { ...old, names: [{ value }] });
}

/** A publisher of whom only the place was known has a name from now on. */
function withName(before: Metadata["publishers"], value: string): Metadata["publishers"] {
  const [nameless, ...others] = before;
  if (nameless === undefined || nameless.names.length > 0) return [{ names: [{ value }] }, ...before];
  return [{ ...nameless, names: [{ value }] }, ...others];
}

/** Unchanged while the text stays the same, whichever member it came from. An empty text counts as missing. */
function readPublicationDate(
  sent: Json | undefined,
  before: Metadata,
  path: string,
  to: RecordInput,
): string | undefined {
  const shown = publicationDate(before);
  if (sent !== undefined && sent === shown && sent !== "") return before.publicationDate;
  const text = sent === "" ? null : neededText(sent, path, to);
  if (sent === "" || text === "") to.fault(path, FAULT_MESSAGES.missing);
  if (text === null || text === "") return before.publicationDate === "" ? "" : undefined;
  if (readEdtf(text) !== null && readEdtf(text)?.kind !== "moment") return text;
  to.fault(path, FAULT_MESSAGES.date);
  return undefined;
}

// The metadata as this model shows them: what it has no member for is omitted here and kept in the stored record.

function* writeList<T>(name: string, format: ListFormat<T>, values: readonly T[]): InParts<JsonObject> {
  const shown: Json[] = [];
  for (const [index, value] of values.entries()) {
    const json = format.show(value, index);
    if (json !== null) shown.push(json);
    yield;
  }
  return shown.length === 0 ? {} : { [name]: shown };
}

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
  return runWithoutYielding(writeMetadataInParts(metadata, entries));
}

/** The entries whose titles a record shows, to be read in one statement before it is written. */
export function* shownEntriesInParts(metadata: Metadata): InParts<readonly EntryName[]> {
  const written = yield* writeMetadataInParts(metadata, NO_ENTRIES);
  yield;
  return namedEntries({ metadata: written });
}

export function shownEntries(metadata: Metadata): readonly EntryName[] {
  return runWithoutYielding(shownEntriesInParts(metadata));
}

// What a draft still needs to be published by a tool (R3): type, creators, a title of three characters, a date of
// publication, and that its people can be named. What another interface accepted with the published version is not
// required again.

/**
 * Faults of a draft in their order; none: it may be published. `published`: what was published of it, or of the version
 * before it.
 */
export function* missingToPublishInParts(
  metadata: Metadata,
  published: Metadata | null,
): InParts<readonly RecordFault[]> {
  const to = recordInput(NO_ENTRIES);
  if (metadata.type === null || metadata.type.id === "") to.fault("metadata.resource_type", FAULT_MESSAGES.missing);
  if (metadata.creators.length === 0) to.fault("metadata.creators", FAULT_MESSAGES.missing);
  const title = mainTitle(metadata);
  if (title === "") to.fault("metadata.title", FAULT_MESSAGES.missing);
  else atLeast(3, title, "metadata.title", to);
  if ((publicationDate(metadata) ?? "") === "") to.fault("metadata.publication_date", FAULT_MESSAGES.missing);
  yield* checkPeople("creators", metadata.creators, published?.creators ?? [], to);
  yield* checkPeople("contributors", metadata.contributors, published?.contributors ?? [], to);
  return to.faults();
}

export function missingToPublish(metadata: Metadata, published: Metadata | null): readonly RecordFault[] {
  return runWithoutYielding(missingToPublishInParts(metadata, published));
}

function* checkPeople(
  member: "creators" | "contributors",
  agents: readonly Agent[],
  published: readonly Agent[],
  to: RecordInput,
): InParts<void> {
  const known = new Set<string>();
  for (const agent of published) {
    known.add(JSON.stringify(agent));
    yield;
  }
  for (const [index, agent] of agents.entries()) {
    yield;
    const path = `metadata.${member}.${index}`;
    if (known.size > 0 && known.has(JSON.stringify(agent))) continue;
    const shown = showPerson({ ...agent, ids: [] });
    if (agent.kind === null) to.fault(`${path}.person_or_org.type`, PERSON_TYPES);
    else if (agent.kind === "organizational" && shown.name === undefined) {
      to.fault(`${path}.person_or_org.name`, "Name cannot be blank.");
    } else if (agent.kind === "personal" && shown.family_name === undefined) {
      to.fault(`${path}.person_or_org.family_name`, "Family name cannot be blank.");
    }
    if (member === "contributors" && (agent.role ?? "") === "") to.fault(`${path}.role`, FAULT_MESSAGES.missing);
  }
}

/**
 * The metadata a new version begins with: as the version before, without date of publication and name of the version.
 */
export function forNewVersion(metadata: Metadata): Metadata {
  const { publicationDate: _date, versionLabel: _label, ...others } = metadata;
  return { ...others, dates: metadata.dates.filter(({ type }) => type !== "Issued") };
}
