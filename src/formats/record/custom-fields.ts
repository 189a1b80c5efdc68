// Custom fields of the tools' model (R3): the families journal, imprint, thesis and meeting speak of what the canonical
// metadata has places for; what it has none for stays under their names in `custom`, as does the family code. Each
// field that comes back as it was shown changes nothing.
import { Type } from "@sinclair/typebox";
import { holdsBook, IMPRINT, isIsbn, splitPages } from "../../model/metadata/imprint.ts";
import type { Conference, Container, Degree, Ident, Metadata, Text } from "../../model/metadata/metadata.ts";
import { unfit } from "../../shared/field-faults.ts";
import { type Field, type Fields, optional } from "../../shared/fields.ts";
import { isWebUrl } from "../../shared/http/web-url.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { maybe, own } from "../../shared/objects.ts";
import { readEdtf } from "../../shared/time/edtf.ts";
import { IDENTIFIER_LISTS, readIdentifier, readIdents, shownIdentifier } from "./identifiers.ts";
import { essence, hasSameContent } from "./keep.ts";
import {
  line,
  NO_DATE,
  opened,
  type RecordInput,
  type SentMembers,
  type Shape,
  sentBack,
  shape,
} from "./record-input.ts";

const JOURNAL = "journal:journal";
const THESIS = "thesis:thesis";
const MEETING = "meeting:meeting";

/** Fields of software, kept as they are sent: words, addresses, ids of vocabularies. */
const CODE = /^code:[A-Za-z][A-Za-z0-9]{0,99}$/;
const CODE_CHARACTERS = 20_000;

/** One family: how it is shown, and which metadata it becomes. */
type Family = {
  readonly key: string;
  readonly members: Shape<Fields>;
  readonly show: (metadata: Metadata) => JsonObject;
  readonly put: (metadata: Metadata, sent: JsonObject, fields: Texts, to: RecordInput, path: string) => Metadata;
};

/** What the metadata have no place for, under the name of its family. */
function rest(metadata: Metadata, key: string): JsonObject {
  const value = own(metadata.custom, key);
  return isJsonObject(value) ? value : {};
}

function withRest(metadata: Metadata, key: string, value: JsonObject): Metadata {
  if (
    hasSameContent(rest(metadata, key), value) &&
    Object.keys(value).length > 0 === Object.hasOwn(metadata.custom, key)
  )
    return metadata;
  const others = Object.entries(metadata.custom).filter(([name]) => name !== key);
  const custom = Object.keys(value).length === 0 ? others : [...others, [key, value] as const];
  return { ...metadata, custom: Object.fromEntries(custom) };
}

/** A family of texts, and of `others`. */
const texts = ($id: string, names: readonly string[], others: Fields = {}): Shape<Fields> =>
  shape({ ...Object.fromEntries(names.map((name) => [name, optional(line())])), ...others }, { $id });

const FAMILIES: readonly Family[] = [
  {
    key: JOURNAL,
    members: texts("JournalInput", ["title", "issue", "volume", "pages", "issn"]),
    show: (metadata) => showContainer(journalOf(metadata), isIssn, "issn"),
    put(metadata, _sent, fields, to, path) {
      const old = journalOf(metadata);
      const shown = showContainer(old, isIssn, "issn");
      const issn = readNumber("issn", fields.issn, shown.issn, () =>
        to.fault(`${path}.issn`, "Please provide a valid ISSN."),
      );
      return withContainer(metadata, old, putContainer(old, filled({ ...fields, issn }), isIssn, "issn"));
    },
  },
  {
    key: IMPRINT,
    members: texts("ImprintInput", ["title", "isbn", "pages", "place", "edition"]),
    show: (metadata) => ({
      ...rest(metadata, IMPRINT),
      ...showContainer(bookOf(metadata), isIsbn, "isbn"),
      ...filled({ place: metadata.publishers[0]?.place?.value, edition: first(metadata.editions) }),
    }),
    put(metadata, _sent, fields, to, path) {
      const old = bookOf(metadata);
      const shown = showContainer(old, isIsbn, "isbn");
      const isbn = readNumber("isbn", fields.isbn, shown.isbn, () =>
        to.fault(`${path}.isbn`, "Please provide a valid ISBN."),
      );
      // Without an ISBN nothing distinguishes the book from a journal.
      const { title, pages } = fields;
      const hasBook = isbn !== undefined;
      const book = hasBook ? filled({ title, pages, isbn }) : {};
      const contained = withContainer(
        metadata,
        old,
        old === undefined && !hasBook ? null : putContainer(old, book, isIsbn, "isbn"),
      );
      const placed = withPlace(contained, fields.place);
      const editions = withFirst(placed.editions, fields.edition);
      return withRest({ ...placed, editions }, IMPRINT, hasBook ? {} : filled({ title, pages }));
    },
  },
  {
    key: THESIS,
    members: texts("ThesisInput", ["university", "department", "type", "date_submitted", "date_defended"]),
    show: (metadata) => ({
      ...rest(metadata, THESIS),
      ...filled({
        university: first(metadata.degree?.grantors[0]?.names),
        type: first(metadata.degree?.names),
        date_defended: metadata.degree?.granted,
      }),
    }),
    put(metadata, _sent, fields, to, path) {
      const { university, type, department } = fields;
      const day = (name: string): string | undefined => {
        const value = fields[name];
        if (value === undefined || readEdtf(value) !== null || value === metadata.degree?.granted) return value;
        to.fault(`${path}.${name}`, NO_DATE);
        return undefined;
      };
      const degree = putDegree(metadata.degree, { university, type, granted: day("date_defended") });
      const { degree: _old, ...others } = metadata;
      const date_submitted = day("date_submitted");
      return withRest({ ...others, ...maybe("degree", degree) }, THESIS, filled({ department, date_submitted }));
    },
  },
  {
    key: MEETING,
    members: texts("MeetingInput", ["title", "acronym", "dates", "place", "session", "session_part", "url"], {
      identifiers: IDENTIFIER_LISTS.works,
    }),
    show: (metadata) => {
      const [conference] = metadata.conferences;
      return {
        ...rest(metadata, MEETING),
        ...filled({ title: first(conference?.names), dates: conference?.date?.text, place: first(conference?.places) }),
      };
    },
    put(metadata, sent, fields, to, path) {
      const [old, ...others] = metadata.conferences;
      const { title, dates, place, acronym, session, session_part, url } = fields;
      const conference = putConference(old, { title, dates, place });
      const isUrl = url === undefined || isWebUrl(url) || rest(metadata, MEETING).url === url;
      if (!isUrl) to.fault(`${path}.url`, "You must provide a valid URL.");
      const idents = readIdents("works", own(sent, "identifiers"), [], `${path}.identifiers`, to);
      const identifiers = idents.flatMap((ident) => shownIdentifier("works", ident) ?? []);
      const kept = {
        ...filled({ acronym, session, session_part, url: isUrl ? url : undefined }),
        ...(identifiers.length === 0 ? {} : { identifiers }),
      };
      return withRest(
        { ...metadata, conferences: conference === null ? others : [conference, ...others] },
        MEETING,
        kept,
      );
    },
  },
];

/** A valid ISSN or ISBN, or the stored one; undefined, and reported, for others. */
function readNumber(scheme: string, value: string | undefined, before: string | undefined, fault: () => void) {
  if (value === undefined || value === before) return value;
  const ident = readIdentifier("works", scheme, value);
  if (typeof ident === "object") return ident.value;
  fault();
  return undefined;
}

function withPlace(metadata: Metadata, place: string | undefined): Metadata {
  const [old, ...others] = metadata.publishers;
  if ((old?.place?.value || undefined) === place) return metadata;
  if (old === undefined)
    return place === undefined ? metadata : { ...metadata, publishers: [{ names: [], place: { value: place } }] };
  const { place: _place, ...publisher } = old;
  return {
    ...metadata,
    publishers: [{ ...publisher, ...maybe("place", place === undefined ? undefined : { value: place }) }, ...others],
  };
}

type ThesisFields = {
  readonly university?: string | undefined;
  readonly type?: string | undefined;
  readonly granted?: string | undefined;
};

function putDegree(old: Degree | undefined, { university, type, granted }: ThesisFields): Degree | undefined {
  if (old === undefined && university === undefined && type === undefined && granted === undefined) return undefined;
  const { granted: _granted, ...others }: Degree = old ?? { names: [], grantors: [] };
  const [grantor = { names: [], ids: [] }, ...more] = others.grantors;
  const names = withFirst(grantor.names, university);
  const isSame = names === grantor.names;
  const grantors = isSame ? others.grantors : names.length === 0 ? more : [{ names, ids: [] }, ...more];
  return { ...others, names: withFirst(others.names, type), grantors, ...maybe("granted", granted) };
}

type MeetingFields = {
  readonly title?: string | undefined;
  readonly dates?: string | undefined;
  readonly place?: string | undefined;
};

function putConference(old: Conference | undefined, { title, dates, place }: MeetingFields): Conference | null {
  const { date, ...others }: Conference = old ?? { names: [], sponsors: [], venues: [], places: [] };
  // Other words for the days are other days.
  const isDate = (date?.text || undefined) === dates;
  const conference = {
    ...others,
    names: withFirst(others.names, title),
    places: withFirst(others.places, place),
    ...maybe("date", isDate ? date : dates === undefined ? undefined : { text: dates }),
  };
  return Object.values(conference).every((value) => Array.isArray(value) && value.length === 0) ? null : conference;
}

export function writeCustomFields(metadata: Metadata): JsonObject {
  const shown = FAMILIES.map(({ key, show }) => [key, show(metadata)] as const).filter(
    ([, value]) => Object.keys(value).length > 0,
  );
  const code = Object.entries(metadata.custom).filter(([key]) => CODE.test(key));
  return Object.fromEntries<Json>([...shown, ...code]);
}

/** A text, an entry, or a list of either, kept as it is. */
const CODE_FIELD: Field<Json> = {
  schema: Type.Unknown({ description: "A text, an object with an id, or a list of either" }),
  read(value, path) {
    // Bodies are JSON.
    const sent = value as Json;
    const content = isCode(sent) ? essence(sent) : null;
    if (content !== null && content.length <= CODE_CHARACTERS) return sent;
    throw unfit(path, value, "must be text", { kind: "type", type: "text" });
  },
};

/** Custom fields as they are sent. */
export const CUSTOM_FIELDS: Shape<Fields> = {
  fields: Object.fromEntries(FAMILIES.map(({ key, members }) => [key, optional(members)])),
  ...sentBack(
    Type.Object(Object.fromEntries(FAMILIES.map(({ key, members }) => [key, Type.Optional(members.schema)])), {
      $id: "CustomFieldsInput",
      patternProperties: { [CODE.source]: CODE_FIELD.schema },
      additionalProperties: false,
    }),
  ),
};

/** The metadata with these custom fields; fields that were shown and are not sent are removed. */
export function readCustomFields(metadata: Metadata, sent: Json, path: string, to: RecordInput): Metadata {
  const codes = isJsonObject(sent) ? Object.keys(sent).filter((key) => CODE.test(key)) : [];
  const fields = { ...CUSTOM_FIELDS.fields, ...Object.fromEntries(codes.map((key) => [key, CODE_FIELD])) };
  const members = opened({ ...CUSTOM_FIELDS, fields }, sent, path, to);
  if (members === null) return metadata;
  const shown = writeCustomFields(metadata);
  let written = metadata;
  for (const family of FAMILIES) {
    const value = members.sent(family.key);
    if (hasSameContent(value ?? {}, own(shown, family.key) ?? {})) continue;
    written = readFamily(family, written, value, members.at(family.key), to);
  }
  return readCode(written, codes, members);
}

function readFamily(
  family: Family,
  metadata: Metadata,
  sent: Json | undefined,
  path: string,
  to: RecordInput,
): Metadata {
  const members = opened(family.members, sent ?? {}, path, to);
  if (members === null) return metadata;
  const names = Object.keys(family.members.fields).filter((name) => name !== "identifiers");
  const fields = filled(Object.fromEntries(names.map((name) => [name, textIn(members.read(name))])));
  return family.put(metadata, isJsonObject(sent) ? sent : {}, fields, to, path);
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function readCode(metadata: Metadata, codes: readonly string[], { sent, read }: SentMembers<Fields>): Metadata {
  const kept = Object.entries(metadata.custom).filter(([key]) => !CODE.test(key));
  const taken = codes.flatMap((key): (readonly [string, Json])[] => {
    const value = sent(key);
    const isKept = value !== undefined && hasSameContent(value, own(metadata.custom, key));
    if (value === undefined || (!isKept && read(key) === null)) return [];
    return [[key, value]];
  });
  return { ...metadata, custom: Object.fromEntries([...kept, ...taken]) };
}

function isCode(value: Json): boolean {
  const isOne = (one: Json): boolean =>
    typeof one === "string" || (isJsonObject(one) && typeof own(one, "id") === "string");
  return isJsonArray(value) ? value.length <= most("values") && value.every(isOne) : isOne(value);
}

// Journals and books: sources of the canonical metadata, of which a field shows a part.

/** The texts of a family by their names. */
type Texts = Readonly<Record<string, string>>;

const filled = (fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
  );

const first = (texts: readonly Text[] | undefined): string => texts?.[0]?.value ?? "";

/** The first wording, replaced where it changed, removed where the new one is empty. */
function withFirst(texts: readonly Text[], value: string | undefined): readonly Text[] {
  if (first(texts) === (value ?? "")) return texts;
  return value === undefined ? texts.slice(1) : [{ value }, ...texts.slice(1)];
}

const isIssn = ({ scheme }: Ident): boolean => /^[PE]?ISSN$/i.test(scheme);

const pagesOf = ({ pageStart = "", pageEnd = "" }: Container): string =>
  [pageStart, pageEnd].filter((page) => page !== "").join("-");

function showContainer(container: Container | undefined, ident: (id: Ident) => boolean, name: string): Texts {
  if (container === undefined) return {};
  const id = container.ids.find((each) => ident(each) && each.value !== "")?.value;
  const { volume, issue } = name === "issn" ? container : {};
  return filled({ title: first(container.titles), volume, issue, pages: pagesOf(container), [name]: id });
}

/** A container with what was sent for it; its hidden parts stay. Null: it is empty. */
function putContainer(
  before: Container | undefined,
  fields: Texts,
  ident: (id: Ident) => boolean,
  name: "issn" | "isbn",
): Container | null {
  const old: Container = before ?? { titles: [], ids: [], place: "flat" };
  const { pageStart, pageEnd, volume, issue, ...others } = old;
  const pages =
    fields.pages === (pagesOf(old) || undefined)
      ? { ...maybe("pageStart", pageStart), ...maybe("pageEnd", pageEnd) }
      : splitPages(fields.pages);
  const shownId = old.ids.find((id) => ident(id) && id.value !== "");
  const isKept = shownId?.value === fields[name];
  const value = fields[name];
  const id = value === undefined ? [] : [{ scheme: name.toUpperCase(), value }];
  const ids = isKept ? old.ids : [...id, ...old.ids.filter((each) => each !== shownId)];
  const isJournal = name === "issn";
  const container: Container = {
    ...others,
    titles: withFirst(old.titles, fields.title),
    ids,
    ...maybe("volume", isJournal ? fields.volume : volume),
    ...maybe("issue", isJournal ? fields.issue : issue),
    ...pages,
  };
  const { titles, place, ...values } = container;
  return titles.length === 0 &&
    Object.values(values).every((each) => Array.isArray(each) && each.length === 0) &&
    place !== undefined
    ? null
    : container;
}

function withContainer(metadata: Metadata, old: Container | undefined, container: Container | null): Metadata {
  const place = old === undefined ? -1 : metadata.containers.indexOf(old);
  if (place === -1)
    return container === null ? metadata : { ...metadata, containers: [...metadata.containers, container] };
  const containers =
    container === null ? metadata.containers.toSpliced(place, 1) : metadata.containers.with(place, container);
  return { ...metadata, containers };
}

const journalOf = ({ containers }: Metadata): Container | undefined => containers.find((each) => !holdsBook(each));
const bookOf = ({ containers }: Metadata): Container | undefined => containers.find(holdsBook);
