// The canonical model to unqualified Dublin Core as OAI-PMH asks for it (R31, R36; OAI-PMH 2.0 section 2.5, oai_dc.xsd): fifteen elements of text,
// each as often as there is something to say, once each. Mail addresses are never printed.
import { accessRightsLabel } from "../../repository/model/access-rights.ts";
import { licenseAddress } from "../../repository/model/licenses.ts";
import type {
  AccessRights,
  Agent,
  Container,
  Ident,
  Location,
  Metadata,
  Relation,
  Text,
} from "../../repository/model/metadata.ts";
import { printedResourceType } from "../../repository/model/resource-types.ts";
import { htmlToText } from "../../shared/html-text.ts";
import { XML_NAMESPACE, type XmlElement } from "../../shared/xml/element.ts";
import { printXml } from "../../shared/xml/print.ts";
import { resolvable } from "../jpcoar/elements.ts";
import { isLanguage } from "../jpcoar/text-rules.ts";
import { fullName } from "../jpcoar/write-parts.ts";

export const OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/";
export const OAI_DC_SCHEMA = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd";
const DC = "http://purl.org/dc/elements/1.1/";
const STYLE = { prefixes: { [OAI_DC]: "oai_dc", [DC]: "dc" }, schemaLocation: `${OAI_DC} ${OAI_DC_SCHEMA}` };

export type OaiDcInput = {
  readonly metadata: Metadata;
  readonly mediaTypes: readonly string[];
  /** Address of the landing page. */
  readonly landingPage: string;
  /** Address of the ARK at its resolver; null before it is minted. */
  readonly ark: string | null;
  /** What is printed when the depositor stated no access rights (R2d). */
  readonly accessRights: AccessRights;
};

type Element =
  | "title"
  | "creator"
  | "subject"
  | "description"
  | "publisher"
  | "contributor"
  | "date"
  | "type"
  | "format"
  | "identifier"
  | "source"
  | "language"
  | "relation"
  | "coverage"
  | "rights";
type Said = Readonly<Record<Element, readonly Text[]>>;

/** The record as an element with its declarations, without XML declaration. */
export function writeOaiDc(input: OaiDcInput): string {
  const children = Object.entries(elementsOf(input)).flatMap(([name, texts]) =>
    once(texts).map((text) => one(name, text)),
  );
  return printXml({ namespace: OAI_DC, name: "dc", attributes: [], children }, STYLE);
}

/** A description of something else than an item, such as a set. */
export function writePlainDc(texts: readonly (readonly [name: Element, text: Text])[]): string {
  const children = texts.map(([name, text]) => one(name, text));
  return printXml({ namespace: OAI_DC, name: "dc", attributes: [], children }, STYLE);
}

function one(name: string, { value, lang = "" }: Text): XmlElement {
  const attributes = lang === "" || !isLanguage(lang) ? [] : [{ namespace: XML_NAMESPACE, name: "lang", value: lang }];
  return { namespace: DC, name, attributes, children: [value] };
}

/** Each wording once, nothing empty. */
function once(texts: readonly Text[]): readonly Text[] {
  const seen = new Set<string>();
  return texts.flatMap(({ value, lang }) => {
    const said = value.trim();
    const key = `${lang ?? ""} ${said}`;
    if (said === "" || seen.has(key)) return [];
    seen.add(key);
    return [{ value: said, ...(lang === undefined ? {} : { lang }) }];
  });
}

const plain = (value: string | undefined): readonly Text[] => (value === undefined ? [] : [{ value }]);

function elementsOf({ metadata, mediaTypes, landingPage, ark, accessRights }: OaiDcInput): Said {
  const main = metadata.titles.filter(({ kind }) => kind === "main");
  return {
    title: [...main, ...metadata.titles.filter(({ kind }) => kind !== "main")],
    creator: metadata.creators.flatMap(namesOf),
    subject: metadata.subjects.flatMap(({ text, uri, id }) => (text === undefined ? plain(uri ?? id) : [text])),
    description: metadata.descriptions.map(({ value, lang, html }) => ({
      value: html ? htmlToText(value) : value,
      ...(lang === undefined ? {} : { lang }),
    })),
    publisher: metadata.publishers.flatMap(({ names }) => names),
    contributor: [...metadata.contributors, ...metadata.rightsHolders].flatMap(namesOf),
    date: datesOf(metadata),
    type: typesOf(metadata),
    format: [...metadata.formats, ...metadata.sizes, ...mediaTypes.map((value) => ({ value }))],
    identifier: [...plain(landingPage), ...plain(ark ?? undefined), ...metadata.identifiers.flatMap(identOf)],
    source: metadata.containers.flatMap(sourcesOf),
    language: metadata.languages.map((value) => ({ value })),
    relation: [...metadata.relations.flatMap(relationOf), ...metadata.references.map(({ text }) => ({ value: text }))],
    coverage: [...metadata.temporals, ...metadata.locations.flatMap(placesOf)],
    rights: rightsOf(metadata, accessRights),
  };
}

function namesOf({ names, alternatives }: Agent): readonly Text[] {
  const written = names.map((name) => ({
    value: fullName(name),
    ...(name.lang === undefined ? {} : { lang: name.lang }),
  }));
  return written.length > 0 ? written : alternatives.slice(0, 1);
}

/** When it was published comes first, then every other date that has the form of one. */
function datesOf({ publicationDate, dates, degree, containers }: Metadata): readonly Text[] {
  const issued = dates.filter(({ type }) => type.toLowerCase() === "issued");
  const appeared =
    issued.length > 0 ? undefined : containers.find((container) => container.issued !== undefined)?.issued;
  const all = [
    publicationDate,
    ...issued.map(({ date }) => date),
    appeared,
    degree?.granted,
    ...dates.map(({ date }) => date),
  ];
  return all.flatMap(plain);
}

function typesOf({ type, versionType }: Metadata): readonly Text[] {
  const row = type === null ? null : printedResourceType(type);
  const written = type?.label ?? row?.label ?? type?.id;
  return [...plain(written), ...plain(type?.uri ?? row?.uri), ...plain(versionType?.label), ...plain(versionType?.uri)];
}

/** DOIs and handles as addresses, whatever has no address as `scheme:value`. */
function identOf({ scheme, value, uri }: Ident): readonly Text[] {
  if (value === "") return plain(uri);
  const type = scheme.toUpperCase() === "HANDLE" ? "HDL" : scheme.toUpperCase();
  const address = uri ?? resolvable(type, value);
  const isAddress = address !== value || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) || ["", "URI", "URL"].includes(type);
  return plain(isAddress ? address : `${scheme}:${value}`);
}

/** What it appeared in, on one line for each title, and its numbers. */
function sourcesOf({ titles, ids, volume, issue, pageStart, pageEnd }: Container): readonly Text[] {
  const number = [volume, issue === undefined ? undefined : `(${issue})`].filter((part) => part !== undefined).join("");
  const pages = [pageStart, pageEnd].filter((part) => part !== undefined).join("-");
  const behind = [number, pages].filter((part) => part !== "").join(", ");
  const lines = titles.map(({ value, lang }) => ({
    value: behind === "" ? value : `${value}, ${behind}`,
    ...(lang === undefined ? {} : { lang }),
  }));
  return [...(lines.length > 0 ? lines : plain(behind)), ...ids.flatMap(identOf)];
}

const relationOf = ({ ident, titles }: Relation): readonly Text[] => [
  ...(ident === undefined ? [] : identOf(ident)),
  ...titles,
];

/** Names of places; a point or a box as DCMI Point and Box word them. */
function placesOf({ places, point, box }: Location): readonly Text[] {
  return [
    ...places,
    ...plain(point === undefined ? undefined : `east=${point.longitude}; north=${point.latitude}`),
    ...plain(
      box === undefined
        ? undefined
        : `westlimit=${box.west}; southlimit=${box.south}; eastlimit=${box.east}; northlimit=${box.north}`,
    ),
  ];
}

function rightsOf({ accessRights: stated, rights, copyright }: Metadata, derived: AccessRights): readonly Text[] {
  const access = stated === undefined || accessRightsLabel(stated.label, stated.uri) === null ? derived : stated;
  return [
    ...plain(access.label),
    ...plain(access.uri),
    ...rights.flatMap(({ text, uri, id }) => [
      ...text,
      ...plain(uri ?? (id === undefined ? undefined : (licenseAddress(id) ?? id))),
    ]),
    ...plain(copyright),
  ];
}
