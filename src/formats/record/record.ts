// A record of the tools' model (R3, R37): read over what is there, shown, and what it still needs to be published. What
// is read is as it should be and becomes canonical metadata, access and the choice of files; everything else is
// reported and left out. Pure: `namedEntries` lists the vocabulary entries a body names, and the caller passes them in.
import { Type } from "@sinclair/typebox";
import { type FieldError, RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import type { Access } from "../../model/items/item.ts";
import {
  type Agent,
  EMPTY_METADATA,
  type Metadata,
  mainTitle,
  publicationDate,
} from "../../model/metadata/metadata.ts";
import { metadataExcess } from "../../model/metadata/metadata-limits.ts";
import { boolean, optional } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { maybe, own } from "../../shared/objects.ts";
import type { Day } from "../../shared/time/day.ts";
import { readEdtf } from "../../shared/time/edtf.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import { openAccess, readAccess } from "./access.ts";
import { readCustomFields } from "./custom-fields.ts";
import { FUNDING, fundingFormat } from "./funding.ts";
import { IDENTIFIER_LISTS, readIdents, showIdents } from "./identifiers.ts";
import { type ListFormat, readListInParts } from "./keep.ts";
import {
  DATES,
  dateFormat,
  FORMATS,
  formatFormat,
  LANGUAGES,
  languageFormat,
  REFERENCES,
  RELATIONS,
  RIGHTS,
  referenceFormat,
  relationFormat,
  rightFormat,
  SIZES,
  SUBJECTS,
  sizeFormat,
  subjectFormat,
} from "./parts.ts";
import {
  CONTRIBUTORS,
  CREATORS,
  contributorFormat,
  creatorFormat,
  memberUnlessEmpty,
  PERSON_TYPES,
  showPerson,
} from "./people.ts";
import { LOCATIONS, readLocations, showLocations } from "./places.ts";
import {
  type Entries,
  entryAt,
  entryOf,
  line,
  NO_DATE,
  NO_ENTRIES,
  opened,
  type RecordInput,
  recordInput,
  type SentMembers,
  sentBack,
  shape,
  shownEntry,
} from "./record-input.ts";
import {
  DESCRIPTION,
  OTHER_DESCRIPTIONS,
  OTHER_TITLES,
  readDescriptions,
  readTitles,
  showDescriptions,
  showTitles,
  TITLE,
} from "./titles.ts";

type ReadRecord = {
  readonly metadata: Metadata;
  readonly access: Access;
  /** Absent where the body does not set it. */
  readonly filesEnabled?: boolean;
  readonly errors: readonly FieldError[];
};

export type PreviousRecord = { readonly metadata: Metadata; readonly access: Access };

/** Metadata as they are sent: a draft may lack anything. */
export const METADATA = shape(
  {
    resource_type: optional(entryOf("resourcetypes")),
    creators: CREATORS,
    title: optional(TITLE),
    additional_titles: OTHER_TITLES,
    publisher: optional(line()),
    publication_date: optional(line({ about: { description: "A day, month, year or interval in EDTF" } })),
    subjects: SUBJECTS,
    contributors: CONTRIBUTORS,
    dates: DATES,
    languages: LANGUAGES,
    identifiers: IDENTIFIER_LISTS.works,
    related_identifiers: RELATIONS,
    sizes: SIZES,
    formats: FORMATS,
    version: optional(line({ max: 191 })),
    rights: RIGHTS,
    copyright: optional(line({ max: most("valueCharacters"), about: { minLength: 1 } })),
    description: DESCRIPTION,
    additional_descriptions: OTHER_DESCRIPTIONS,
    locations: LOCATIONS,
    funding: FUNDING,
    references: REFERENCES,
  },
  { $id: "MetadataInput" },
);
type MetadataName = keyof typeof METADATA.fields;
export const METADATA_FIELDS = Object.keys(METADATA.fields) as MetadataName[]; // the keys of the table
type SentMetadata = SentMembers<typeof METADATA.fields>;

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
  if (!isJsonObject(body)) to.fault("_schema", RECORD_SENTENCES.notObject);
  const read = yield* readMetadata(own(sent, "metadata"), before.metadata, to);
  const customFields = own(sent, "custom_fields");
  yield;
  const whole = customFields === undefined ? read : readCustomFields(read, customFields, "custom_fields", to);
  yield;
  const excess = metadataExcess(whole);
  yield;
  if (excess !== null) to.fault("metadata", `The metadata ${excess}.`);
  const enabled = opened(FILES, own(sent, "files"), "files", to)?.read("enabled");
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

/** Whether a record has files, and the choices that are read elsewhere; answers have more. */
export const FILES = shape(
  {
    enabled: optional(boolean()),
    default_preview: optional(sentBack(Type.Union([Type.String(), Type.Null()]))),
    order: optional(sentBack(Type.Array(Type.String()))),
  },
  { others: "ignored", $id: "RecordFilesInput" },
);

/**
 * `metadata` of a body: it replaces all that the tools' model shows (R3); what is required and is not there is
 * reported.
 */
function* readMetadata(value: Json | undefined, before: Metadata, to: RecordInput): InParts<Metadata> {
  const members = opened(METADATA, value ?? {}, "metadata", to) ?? opened(METADATA, {}, "metadata", to);
  if (members === null) return before;
  const { entries } = to;
  const { sent, at } = members;
  const list = <T>(field: MetadataName, stored: readonly T[], format: ListFormat<T>) =>
    readListInParts(format, sent(field), stored, at(field), to);
  const creators = yield* list("creators", before.creators, creatorFormat(entries));
  if (creators.length === 0 && isMissing(sent("creators"))) to.fault(at("creators"), RECORD_SENTENCES.missing);
  const { type: _type, copyright: _copyright, versionLabel: _label, publicationDate: _date, ...others } = before;
  return {
    ...others,
    type: readType(members, before.type, to),
    titles: yield* readTitles(members, before.titles, to),
    creators,
    contributors: yield* list("contributors", before.contributors, contributorFormat(entries)),
    rights: yield* list("rights", before.rights, rightFormat(entries)),
    ...maybe("copyright", readText(members, "copyright", before.copyright, to)),
    subjects: yield* list("subjects", before.subjects, subjectFormat),
    descriptions: yield* readDescriptions(members, before.descriptions, to),
    publishers: readPublisher(members, before.publishers),
    ...maybe("publicationDate", readPublicationDate(members, before, to)),
    dates: yield* list("dates", before.dates, dateFormat(entries)),
    languages: yield* list("languages", before.languages, languageFormat(entries)),
    ...maybe("versionLabel", readText(members, "version", before.versionLabel, to)),
    identifiers: readIdents("works", sent("identifiers"), before.identifiers, at("identifiers"), to),
    relations: yield* list("related_identifiers", before.relations, relationFormat(entries)),
    locations: yield* readLocations(sent("locations"), before.locations, at("locations"), to),
    funding: yield* list("funding", before.funding, fundingFormat(entries)),
    formats: yield* list("formats", before.formats, formatFormat),
    sizes: yield* list("sizes", before.sizes, sizeFormat),
    references: yield* list("references", before.references, referenceFormat),
  };
}

const isMissing = (sent: Json | undefined): boolean => sent === undefined || (isJsonArray(sent) && sent.length === 0);

function readType({ sent, at }: SentMetadata, before: Metadata["type"], to: RecordInput): Metadata["type"] {
  const value = sent("resource_type");
  if (value === undefined) to.fault(at("resource_type"), RECORD_SENTENCES.missing);
  const id = isJsonObject(value) ? own(value, "id") : undefined;
  if (before !== null && before.id !== "" && id === before.id) return before;
  const entry = entryAt(METADATA.fields.resource_type, value, at("resource_type"), to);
  // Nothing was shown, and nothing was sent.
  return entry === null ? (value === undefined && before?.id === "" ? before : null) : { id: entry.id };
}

function readText(
  { sent, read, at }: SentMetadata,
  name: "version" | "copyright",
  before: string | undefined,
  to: RecordInput,
) {
  const value = sent(name);
  // An empty text is not shown.
  if (value === before || (value === undefined && before === "")) return before;
  const text = read(name);
  if (text === "" && name === "copyright") to.fault(at(name), "Shorter than minimum length 1.");
  return text === null || text === "" ? undefined : text;
}

/** The publisher that is shown: the first name of the first that has one. */
function shownPublisher(publishers: Metadata["publishers"]): { readonly place: number; readonly name: string } {
  const place = publishers.findIndex(({ names }) => (names[0]?.value ?? "") !== "");
  return { place, name: publishers[place]?.names[0]?.value ?? "" };
}

function readPublisher(members: SentMetadata, before: Metadata["publishers"]) {
  const { place, name } = shownPublisher(before);
  const sent = members.sent("publisher");
  if (sent === undefined ? name === "" : sent === name) return before;
  const value = members.read("publisher") ?? "";
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
function readPublicationDate(members: SentMetadata, before: Metadata, to: RecordInput): string | undefined {
  const [sent, path] = [members.sent("publication_date"), members.at("publication_date")];
  const shown = publicationDate(before);
  if (sent !== undefined && sent === shown && sent !== "") return before.publicationDate;
  const text = sent === "" ? null : members.read("publication_date");
  if (sent === undefined || sent === "" || text === "") to.fault(path, RECORD_SENTENCES.missing);
  if (text === null || text === "") return before.publicationDate === "" ? "" : undefined;
  if (readEdtf(text) !== null && readEdtf(text)?.kind !== "moment") return text;
  to.fault(path, NO_DATE);
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
    ...(yield* writeList("creators", creatorFormat(entries), metadata.creators)),
    ...showTitles(metadata.titles, entries),
    ...memberUnlessEmpty("publisher", shownPublisher(metadata.publishers).name),
    ...memberUnlessEmpty("publication_date", publicationDate(metadata)),
    ...(yield* writeList("subjects", subjectFormat, metadata.subjects)),
    ...(yield* writeList("contributors", contributorFormat(entries), metadata.contributors)),
    ...(yield* writeList("dates", dateFormat(entries), metadata.dates)),
    ...(yield* writeList("languages", languageFormat(entries), metadata.languages)),
    ...(identifiers.length === 0 ? {} : { identifiers }),
    ...(yield* writeList("related_identifiers", relationFormat(entries), metadata.relations)),
    ...(yield* writeList("sizes", sizeFormat, metadata.sizes)),
    ...(yield* writeList("formats", formatFormat, metadata.formats)),
    ...memberUnlessEmpty("version", metadata.versionLabel),
    ...(yield* writeList("rights", rightFormat(entries), metadata.rights)),
    ...memberUnlessEmpty("copyright", metadata.copyright),
    ...showDescriptions(metadata, entries),
    ...showLocations(metadata.locations),
    ...(yield* writeList("funding", fundingFormat(entries), metadata.funding)),
    ...(yield* writeList("references", referenceFormat, metadata.references)),
  };
}

export function writeMetadata(metadata: Metadata, entries: Entries): JsonObject {
  return runWithoutYielding(writeMetadataInParts(metadata, entries));
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
): InParts<readonly FieldError[]> {
  const to = recordInput(NO_ENTRIES);
  if (metadata.type === null || metadata.type.id === "") to.fault("metadata.resource_type", RECORD_SENTENCES.missing);
  if (metadata.creators.length === 0) to.fault("metadata.creators", RECORD_SENTENCES.missing);
  const title = mainTitle(metadata);
  if (title === "") to.fault("metadata.title", RECORD_SENTENCES.missing);
  else to.read(TITLE, title, "metadata.title");
  if ((publicationDate(metadata) ?? "") === "") to.fault("metadata.publication_date", RECORD_SENTENCES.missing);
  yield* checkPeople("creators", metadata.creators, published?.creators ?? [], to);
  yield* checkPeople("contributors", metadata.contributors, published?.contributors ?? [], to);
  return to.faults();
}

export function missingToPublish(metadata: Metadata, published: Metadata | null): readonly FieldError[] {
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
    if (member === "contributors" && (agent.role ?? "") === "") to.fault(`${path}.role`, RECORD_SENTENCES.missing);
  }
}

/**
 * The metadata a new version begins with: as the version before, without date of publication and name of the version.
 */
export function forNewVersion(metadata: Metadata): Metadata {
  const { publicationDate: _date, versionLabel: _label, ...others } = metadata;
  return { ...others, dates: metadata.dates.filter(({ type }) => type !== "Issued") };
}
