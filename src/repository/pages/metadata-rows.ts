// The metadata of an item as the rows a landing page shows (R3, R19a): every field with a value, in reading order,
// without labels of the page. Labels are the page's business; mail addresses and what was kept without being understood
// (`extra`) are never among the rows.

import { identAddress } from "../../formats/citation/cited-item.ts";
import { withImprint } from "../../model/metadata/imprint.ts";
import { licenseIdOf, rightAddress } from "../../model/metadata/licenses.ts";
import {
  type Agent,
  type Ident,
  type ItemDate,
  type Metadata,
  type Publisher,
  publicationDate,
  type Relation,
  type Right,
  type Subject,
  type Title,
} from "../../model/metadata/metadata.ts";
import {
  METADATA_MEMBERS,
  type MetadataMember,
  memberLabels,
  PLAIN_MEMBERS,
  type PlainMember,
  plainTexts,
} from "../../model/metadata/metadata-schema.ts";
import { inLanguage, wordedInLanguage } from "../../model/metadata/reader-language.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { licenseLabel } from "../search/document/record-fields.ts";
import {
  catalogValues,
  conferenceValues,
  containerValues,
  degreeValues,
  fundingValues,
  locationValues,
} from "./metadata-groups.ts";
import { agentValue, leading, orgText, type ShownValue, worded } from "./row-values.ts";

/** The fields in reading order; labelled members that are not named here follow. */
const ORDER = [
  "otherTitles",
  "creators",
  "contributors",
  "descriptions",
  "type",
  "publicationDate",
  "publishers",
  "containers",
  "conferences",
  "degree",
  "identifiers",
  "languages",
  "subjects",
  "rights",
  "copyright",
  "rightsHolders",
  "accessRights",
  "apc",
  "versionLabel",
  "versionType",
  "dates",
  "temporals",
  "locations",
  "funding",
  "relations",
  "references",
  "editions",
  "volumeTitles",
  "originalLanguages",
  "formats",
  "sizes",
  "holdingAgent",
  "datasetSeries",
  "catalog",
] as const;
const LABELLED = METADATA_MEMBERS.filter((name) => Object.hasOwn(memberLabels("en"), name));
export const SHOWN_FIELDS: readonly ShownField[] = [...new Set<ShownField>([...ORDER, ...LABELLED])];
export type ShownField = (typeof ORDER)[number] | MetadataMember;

/** `count`: how many values the field has, also where fewer are given. */
export type ShownRow = { readonly field: ShownField; readonly values: readonly ShownValue[]; readonly count: number };

/** Fields that the page shows above the rows. */
type ShownAbove = { readonly title: string; readonly abstract: string | null };

/** Which part of each field is wanted: `most` values from the one numbered `from`. */
type ShownPart = { readonly from: number; readonly most: number };

export type Reading = {
  /** The reader's language, which comes first in everything. */
  readonly tag: string;
  readonly above: ShownAbove;
  readonly part: ShownPart;
};

/**
 * Rows that have values, in the order of SHOWN_FIELDS. Only what is asked for is made into values, however many there
 * are.
 */
export function shownRows(metadata: Metadata, reading: Reading): readonly ShownRow[] {
  return SHOWN_FIELDS.map((field) => shownRow(metadata, field, reading)).filter(({ values }) => values.length > 0);
}

export function shownRow(metadata: Metadata, field: ShownField, reading: Reading): ShownRow {
  return { field, ...readerOf(field)(metadata, reading) };
}

type RowContent = Omit<ShownRow, "field">;
type Reader = (metadata: Metadata, reading: Reading) => RowContent;

/** A field as its entries, and each entry as it is shown. */
const list =
  <T>(
    entries: (metadata: Metadata, reading: Reading) => readonly T[],
    shown: (entry: T, tag: string) => ShownValue | readonly ShownValue[],
  ): Reader =>
  (metadata, reading) => {
    const { from, most } = reading.part;
    const all = entries(metadata, reading);
    const values = all
      .slice(from, from + most)
      .flatMap((entry) => shown(entry, reading.tag))
      .filter(({ text }) => text !== "")
      .map(withFewDetails);
    return { values, count: all.length };
  };

/** Details of one value beyond this number are left out; the exports have them. */
const DETAILS_MAX = 50;

function withFewDetails(value: ShownValue): ShownValue {
  const { details = [] } = value;
  return details.length <= DETAILS_MAX
    ? value
    : { ...value, details: [...details.slice(0, DETAILS_MAX), { text: "…" }] };
}

const one = <T>(entry: T | undefined | null): readonly T[] => (entry === undefined || entry === null ? [] : [entry]);
const plain = (text: string): ShownValue => ({ text: text.trim() });
const people = (field: "creators" | "contributors" | "rightsHolders", vocabulary: string): Reader =>
  list<Agent>(
    (metadata) => metadata[field],
    (agent, tag) => agentValue(agent, vocabulary, tag),
  );

function otherTitle(title: Title): ShownValue {
  return { ...worded(title), ...(title.kind === "main" ? {} : { kind: TITLE_KINDS[title.kind] }) };
}

function identValue(ident: Ident): ShownValue {
  return {
    text: ident.value.trim(),
    kind: { vocabulary: "identifierschemes", id: ident.scheme },
    ...leading(identAddress(ident)),
  };
}

function identifiers({ identifiers: own, registration }: Metadata): readonly Ident[] {
  const isNew = registration !== undefined && !own.some(({ value }) => value === registration.value);
  return isNew ? [...own, registration] : own;
}

function subjectValue({ text, id, uri, scheme }: Subject): ShownValue {
  return {
    ...(text === undefined ? { text: id ?? uri ?? "" } : worded(text)),
    ...leading(uri),
    ...(text === undefined ? {} : { filed: { kind: "subjects", value: text.value.trim() } }),
    ...(scheme === undefined || scheme === "Other" ? {} : { details: [{ text: scheme }] }),
  };
}

/**
 * A licence of the vocabulary by its name there, known by its id or its address; further details are shown below it.
 */
function rightValue(right: Right, tag: string): ShownValue {
  const { id, text, uri } = right;
  const texts = inLanguage(text, tag).map(worded);
  const known = id ?? (uri === undefined ? null : licenseIdOf(uri));
  const address = rightAddress(right);
  const [first = { text: id ?? uri ?? "" }, ...more] = texts;
  return {
    ...first,
    ...(known === null ? {} : { term: { vocabulary: "licenses", id: known } }),
    ...leading(address),
    filed: { kind: "licences", value: licenseLabel(right).trim() },
    details: more,
  };
}

function publisherValue({ names, place, description }: Publisher, tag: string): readonly ShownValue[] {
  const [first, ...more] = inLanguage(names, tag);
  const details = [...more, ...[place, description].filter((each) => each !== undefined)].map(worded);
  return first === undefined ? [] : [{ ...worded(first), details }];
}

function dateValue({ date, type, description, lang }: ItemDate): ShownValue {
  return {
    text: date,
    ...(lang === undefined ? {} : { lang }),
    ...(type === "dcterms" ? {} : { kind: { vocabulary: "datetypes", id: type } }),
    ...(description === undefined ? {} : { details: [worded(description)] }),
  };
}

function relationValue({ type, ident, titles }: Relation, tag: string): ShownValue {
  const [first, ...more] = inLanguage(titles, tag);
  const named = first === undefined ? { text: ident?.value ?? "" } : worded(first);
  const own = first === undefined || ident === undefined ? [] : [{ text: `${ident.scheme}: ${ident.value}` }];
  return {
    ...named,
    kind: { vocabulary: "relationtypes", id: type },
    ...(ident === undefined ? {} : leading(identAddress(ident))),
    details: [...more.map(worded), ...own],
  };
}

/** Fields that are more than plain words. */
const READERS: { readonly [field in ShownField]?: Reader } = {
  otherTitles: list(
    ({ titles }, { above, tag }) =>
      inLanguage(
        titles.filter(({ value }) => value !== above.title),
        tag,
      ),
    otherTitle,
  ),
  creators: people("creators", "creatorsroles"),
  contributors: people("contributors", "contributorsroles"),
  rightsHolders: people("rightsHolders", "contributorsroles"),
  descriptions: list(
    ({ descriptions }, { above, tag }) =>
      inLanguage(
        descriptions.filter(({ value }) => value !== above.abstract),
        tag,
      ),
    (each) => ({
      ...worded(each.html ? { ...each, value: htmlToText(each.value) } : each),
      kind: { vocabulary: "descriptiontypes", id: each.kind },
    }),
  ),
  type: list(
    ({ type }) => one(type),
    ({ label, id }) => ({ text: label ?? id, term: { vocabulary: "resourcetypes", id } }),
  ),
  publicationDate: list((metadata) => one(publicationDate(metadata)), plain),
  publishers: list(({ publishers }) => publishers, publisherValue),
  containers: list((metadata) => withImprint(metadata).containers, containerValues),
  conferences: list(({ conferences }) => conferences, conferenceValues),
  degree: list(({ degree }) => one(degree), degreeValues),
  identifiers: list(identifiers, identValue),
  subjects: list(({ subjects }, { tag }) => wordedInLanguage(subjects, tag), subjectValue),
  rights: list(({ rights }) => rights, rightValue),
  accessRights: list(
    ({ accessRights }) => one(accessRights),
    ({ label, uri }) => ({ text: label, ...leading(uri) }),
  ),
  versionType: list(
    ({ versionType }) => one(versionType),
    ({ label, uri }) => ({ text: label, ...leading(uri) }),
  ),
  dates: list((metadata) => {
    const issued = publicationDate(metadata);
    return metadata.dates.filter(({ date, type }) => type !== "Issued" || date !== issued);
  }, dateValue),
  locations: list(({ locations }) => locations, locationValues),
  funding: list(({ funding }) => funding, fundingValues),
  relations: list(({ relations }) => relations, relationValue),
  references: list(
    ({ references }) => references,
    ({ text, ident }) => ({ text, ...(ident === undefined ? {} : leading(identAddress(ident))) }),
  ),
  holdingAgent: list(({ holdingAgent }) => one(holdingAgent), orgText),
  catalog: list(({ catalog }) => one(catalog), catalogValues),
};

const PLAIN = new Map(PLAIN_MEMBERS.map((member) => [member.name, plainReader(member)]));

function plainReader(member: PlainMember): Reader {
  const { vocabulary } = member.annotations;
  return list(
    (metadata, { tag }) => {
      const values = plainTexts(metadata, member);
      return member.kind === "texts" ? inLanguage(values, tag) : values;
    },
    (text) => {
      if (member.kind === "texts") return worded(text);
      const { value: id } = text;
      return vocabulary === undefined ? plain(id) : { text: id, term: { vocabulary, id } };
    },
  );
}

function readerOf(field: ShownField): Reader {
  const reader = READERS[field] ?? (field === "otherTitles" ? undefined : PLAIN.get(field));
  if (reader === undefined) throw new RangeError(`No reader for the labelled member "${field}"`);
  return reader;
}

const TITLE_KINDS = {
  alternative: { vocabulary: "titletypes", id: "alternative-title" },
  subtitle: { vocabulary: "titletypes", id: "subtitle" },
  translated: { vocabulary: "titletypes", id: "translated-title" },
  other: { vocabulary: "titletypes", id: "other" },
} as const;
