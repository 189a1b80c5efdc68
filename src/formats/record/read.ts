// A record of the tools' model read over what is there (R3, R37): what is as it should be becomes canonical metadata,
// access and the choice of files, everything else is reported and left out. Pure: `namedEntries` lists the vocabulary
// entries a body names, and the caller passes them in.
import type { Access } from "../../model/items/item.ts";
import { EMPTY_METADATA, type Metadata, publicationDate } from "../../model/metadata/metadata.ts";
import { metadataExcess } from "../../model/metadata/metadata-limits.ts";
import { atOneGo, type InParts } from "../../shared/bytes/in-parts.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { own } from "../../shared/own-entry.ts";
import type { Day } from "../../shared/time/day.ts";
import { readEdtf } from "../../shared/time/edtf.ts";
import { maybe } from "../../shared/without-undefined.ts";
import { openAccess, readAccess } from "./access.ts";
import { readCustomFields } from "./custom-fields.ts";
import type { Entries } from "./entries.ts";
import { FUNDING } from "./funding.ts";
import { readIdents } from "./identifiers.ts";
import { readListInParts } from "./keep.ts";
import { DATES, LANGUAGES, plainTexts, REFERENCES, RELATIONS, RIGHTS, SUBJECTS } from "./parts.ts";
import { agentFormat } from "./people.ts";
import { readLocations } from "./places.ts";
import {
  entryAt,
  FAULT_MESSAGES,
  neededText,
  objectAt,
  type Reading,
  type RecordFault,
  reading,
  textAt,
} from "./reading.ts";
import { readDescriptions, readTitles } from "./texts.ts";
import { CONTRIBUTOR_ROLES, CREATOR_ROLES } from "./words.ts";

export type ReadRecord = {
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
  const to = reading(entries);
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
  return atOneGo(readRecordInParts(...record));
}

function filesEnabled(sent: Json | undefined, to: Reading): boolean | undefined {
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
function* readMetadata(value: Json | undefined, before: Metadata, to: Reading): InParts<Metadata> {
  const at = "metadata";
  const sent = objectAt(value, at, METADATA_FIELDS, to) ?? {};
  const { entries } = to;
  const creators = yield* readListInParts(
    agentFormat(CREATOR_ROLES, entries, false),
    own(sent, "creators"),
    before.creators,
    `${at}.creators`,
    to,
  );
  if (creators.length === 0 && isMissing(own(sent, "creators"))) to.fault(`${at}.creators`, FAULT_MESSAGES.missing);
  const { type: _type, copyright: _copyright, versionLabel: _label, publicationDate: _date, ...others } = before;
  const list = <
    K extends
      | "subjects"
      | "dates"
      | "languages"
      | "relations"
      | "rights"
      | "funding"
      | "references"
      | "sizes"
      | "formats"
      | "contributors",
  >(
    member: K,
    field: (typeof METADATA_FIELDS)[number],
    format: Parameters<typeof readListInParts<Metadata[K][number]>>[0],
  ) =>
    readListInParts(format, own(sent, field), before[member] as readonly Metadata[K][number][], `${at}.${field}`, to); // the list of the member K
  return {
    ...others,
    type: readType(own(sent, "resource_type"), before.type, `${at}.resource_type`, to),
    titles: yield* readTitles(sent, before.titles, at, to),
    creators,
    contributors: yield* list("contributors", "contributors", agentFormat(CONTRIBUTOR_ROLES, entries, true)),
    rights: yield* list("rights", "rights", RIGHTS(entries)),
    ...maybe("copyright", readText(sent, "copyright", before.copyright, at, to)),
    subjects: yield* list("subjects", "subjects", SUBJECTS),
    descriptions: yield* readDescriptions(sent, before.descriptions, at, to),
    publishers: readPublisher(own(sent, "publisher"), before.publishers, `${at}.publisher`, to),
    ...maybe(
      "publicationDate",
      readPublicationDate(own(sent, "publication_date"), before, `${at}.publication_date`, to),
    ),
    dates: yield* list("dates", "dates", DATES(entries)),
    languages: yield* list("languages", "languages", LANGUAGES(entries)),
    ...maybe("versionLabel", readText(sent, "version", before.versionLabel, at, to)),
    identifiers: readIdents("works", own(sent, "identifiers"), before.identifiers, `${at}.identifiers`, to),
    relations: yield* list("relations", "related_identifiers", RELATIONS(entries)),
    locations: yield* readLocations(own(sent, "locations"), before.locations, `${at}.locations`, to),
    funding: yield* list("funding", "funding", FUNDING(entries)),
    formats: yield* list("formats", "formats", plainTexts("Format cannot be a blank string.")),
    sizes: yield* list("sizes", "sizes", plainTexts("Size cannot be a blank string.")),
    references: yield* list("references", "references", REFERENCES),
  };
}

const isMissing = (sent: Json | undefined): boolean => sent === undefined || (isJsonArray(sent) && sent.length === 0);

function readType(sent: Json | undefined, before: Metadata["type"], path: string, to: Reading): Metadata["type"] {
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
  to: Reading,
) {
  const value = own(sent, name);
  // An empty text is not shown.
  if (value === before || (value === undefined && before === "")) return before;
  const text = textAt(value, `${at}.${name}`, to, { characters: LONGEST[name] });
  if (text === "" && name === "copyright") to.fault(`${at}.${name}`, "Shorter than minimum length 1.");
  return text === null || text === "" ? undefined : text;
}

/** The publisher that is shown: the first name of the first that has one. */
export function shownPublisher(publishers: Metadata["publishers"]): { readonly place: number; readonly name: string } {
  const place = publishers.findIndex(({ names }) => (names[0]?.value ?? "") !== "");
  return { place, name: publishers[place]?.names[0]?.value ?? "" };
}

function readPublisher(sent: Json | undefined, before: Metadata["publishers"], path: string, to: Reading) {
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
function readPublicationDate(sent: Json | undefined, before: Metadata, path: string, to: Reading): string | undefined {
  const shown = publicationDate(before);
  if (sent !== undefined && sent === shown && sent !== "") return before.publicationDate;
  const text = sent === "" ? null : neededText(sent, path, to);
  if (sent === "" || text === "") to.fault(path, FAULT_MESSAGES.missing);
  if (text === null || text === "") return before.publicationDate === "" ? "" : undefined;
  if (readEdtf(text) !== null && readEdtf(text)?.kind !== "moment") return text;
  to.fault(path, FAULT_MESSAGES.date);
  return undefined;
}
