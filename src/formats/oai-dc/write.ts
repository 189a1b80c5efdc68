// A record as unqualified Dublin Core (R31, R36, R38; OAI-PMH 2.0 section 2.5, oai_dc.xsd), for harvesters and for
// people alike: fifteen elements of text, each as often as it has values, each value once. Mail addresses are never
// printed.

import { type AccessStatus, STATUS_RIGHTS } from "../../model/access/openness.ts";
import { rightAddress } from "../../model/metadata/licenses.ts";
import {
  type Agent,
  type Container,
  type Ident,
  type Location,
  type Metadata,
  publicationDate,
  type Relation,
  type Text,
} from "../../model/metadata/metadata.ts";
import { printedResourceType } from "../../model/metadata/resource-types.ts";
import { accessRightsLabel } from "../../model/rights/access-rights.ts";
import { XML_NAMESPACE, type XmlElement } from "../../shared/xml/element.ts";
import { printXml } from "../../shared/xml/print.ts";
import { shapesOf } from "../datacite/places.ts";
import { plainDescription } from "../export-values.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import { resolvable } from "../jpcoar/elements.ts";
import { isLanguage } from "../jpcoar/text-rules.ts";
import { fullName } from "../jpcoar/write-parts.ts";
import { leftOutBut } from "../left-out.ts";
import { licenseWord, resourceTypeWord } from "../vocabulary-words.ts";

export const OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/";
export const OAI_DC_SCHEMA = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd";
const DC = "http://purl.org/dc/elements/1.1/";
const STYLE = { prefixes: { [OAI_DC]: "oai_dc", [DC]: "dc" }, schemaLocation: `${OAI_DC} ${OAI_DC_SCHEMA}` };

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
type ElementTexts = Readonly<Record<Element, readonly Text[]>>;

export function writeOaiDc(record: ExportedRecord): WrittenExport {
  const children = Object.entries(elementsOf(record)).flatMap(([name, texts]) =>
    once(texts).map((text) => one(name, text)),
  );
  const leftOut = leftOutOf(record.metadata);
  const dc = { namespace: OAI_DC, name: "dc", attributes: [], children };
  return { text: printXml(dc, { ...STYLE, declaration: true, comments: leftOut }), leftOut };
}

/** Members that the fifteen elements hold completely, or that the sentences below cover. */
const CARRIED: ReadonlySet<keyof Metadata> = new Set([
  ...(["type", "titles", "creators", "contributors", "rightsHolders", "accessRights", "rights", "copyright"] as const),
  ...(["subjects", "descriptions", "publishers", "publicationDate", "dates", "languages", "versionType"] as const),
  ...(["identifiers", "relations", "temporals", "locations", "containers", "formats", "sizes", "references"] as const),
]);

/**
 * What the elements cannot distinguish is left out as well: whose identifier it is, what kind of relation, which place
 * on a map.
 */
function leftOutOf(metadata: Metadata): readonly string[] {
  const people = [...metadata.creators, ...metadata.contributors, ...metadata.rightsHolders];
  const sentences = {
    "Identifiers, roles and affiliations of people and organisations": people.some(
      ({ ids, role, affiliations }) => ids.length > 0 || affiliations.length > 0 || (role ?? "") !== "",
    ),
    "Kinds of related things": metadata.relations.length > 0,
    "Schemes of subjects": metadata.subjects.some(({ scheme }) => (scheme ?? "") !== ""),
    "Lines and areas on the map": metadata.locations.some(({ geometry }) => geometry !== undefined),
  };
  return [
    ...leftOutBut(metadata, CARRIED),
    ...Object.entries(sentences).flatMap(([what, isThere]) =>
      isThere ? [`${what} left out: Dublin Core has no place for them`] : [],
    ),
  ];
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

/** Each wording once, without empty ones. */
function once(texts: readonly Text[]): readonly Text[] {
  const seen = new Set<string>();
  return texts.flatMap(({ value, lang }) => {
    const text = value.trim();
    const key = `${lang ?? ""} ${text}`;
    if (text === "" || seen.has(key)) return [];
    seen.add(key);
    return [{ value: text, ...(lang === undefined ? {} : { lang }) }];
  });
}

const plain = (value: string | undefined): readonly Text[] => (value === undefined ? [] : [{ value }]);

function elementsOf(record: ExportedRecord): ElementTexts {
  const { metadata, files, landingPage, arkUrl, oai } = record;
  const main = metadata.titles.filter(({ kind }) => kind === "main");
  return {
    title: [...main, ...metadata.titles.filter(({ kind }) => kind !== "main")],
    creator: metadata.creators.flatMap(namesOf),
    subject: metadata.subjects.flatMap(({ text, uri, id }) => (text === undefined ? plain(uri ?? id) : [text])),
    description: metadata.descriptions.map((each) => ({
      value: plainDescription(each),
      ...(each.lang === undefined ? {} : { lang: each.lang }),
    })),
    publisher: metadata.publishers.flatMap(({ names }) => names),
    contributor: [...metadata.contributors, ...metadata.rightsHolders].flatMap(namesOf),
    date: datesOf(record),
    type: typesOf(metadata),
    format: [...metadata.formats, ...metadata.sizes, ...files.map(({ mediaType }) => ({ value: mediaType }))],
    identifier: [
      ...plain(landingPage),
      ...plain(arkUrl ?? undefined),
      ...plain(oai ?? undefined),
      ...metadata.identifiers.flatMap(identOf),
    ],
    source: metadata.containers.flatMap((container) => sourcesOf(container, publicationDate(metadata))),
    language: metadata.languages.map((value) => ({ value })),
    relation: [
      ...metadata.relations.flatMap(relationOf),
      ...metadata.references.flatMap(({ text, ident }) => [
        ...plain(text),
        ...(ident === undefined ? [] : identOf(ident)),
      ]),
      ...record.communities.flatMap(({ slug }) =>
        plain(`${record.baseUrl}/api/communities/${encodeURIComponent(slug)}`),
      ),
    ],
    coverage: [...metadata.temporals, ...metadata.locations.flatMap(placesOf)],
    rights: rightsOf(record),
  };
}

function namesOf({ names, alternatives }: Agent): readonly Text[] {
  const written = names.map((name) => ({
    value: fullName(name),
    ...(name.lang === undefined ? {} : { lang: name.lang }),
  }));
  return written.length > 0 ? written : alternatives.slice(0, 1);
}

/** When it was published comes first, then when it opens, then every other date. */
function datesOf({ metadata: { publicationDate, dates, degree, containers }, status, opensOn }: ExportedRecord) {
  const issued = dates.filter(({ type }) => type.toLowerCase() === "issued");
  const appeared =
    issued.length > 0 ? undefined : containers.find((container) => container.issued !== undefined)?.issued;
  const all = [
    publicationDate,
    ...issued.map(({ date }) => date),
    appeared,
    degree?.granted,
    status === "embargoed" && opensOn !== null ? `info:eu-repo/date/embargoEnd/${opensOn}` : undefined,
    ...dates.map(({ date }) => date),
  ];
  return all.flatMap(plain);
}

function typesOf({ type, versionType }: Metadata): readonly Text[] {
  const row = type === null ? null : printedResourceType(type);
  const written = type?.label ?? row?.label ?? type?.id;
  return [
    ...plain(written),
    ...plain(type?.uri ?? row?.uri),
    ...plain(resourceTypeWord(type)?.props.eurepo),
    ...plain(versionType?.label),
    ...plain(versionType?.uri),
  ];
}

/** DOIs and handles as addresses, whatever has no address as `scheme:value`. */
function identOf({ scheme, value, uri }: Ident): readonly Text[] {
  if (value === "") return plain(uri);
  const type = scheme.toUpperCase() === "HANDLE" ? "HDL" : scheme.toUpperCase();
  const address = uri ?? resolvable(type, value);
  const isAddress = address !== value || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) || ["", "URI", "URL"].includes(type);
  return plain(isAddress ? address : `${scheme}:${value}`);
}

/** What it appeared in, on one line for each title: its numbers, and when. */
function sourcesOf(container: Container, published: string | null): readonly Text[] {
  const { titles, ids, volume, issue, pageStart, pageEnd, issued } = container;
  const number = [volume, issue === undefined ? undefined : `(${issue})`].filter((part) => part !== undefined).join("");
  const pages = [pageStart, pageEnd].filter((part) => part !== undefined).join("-");
  const date = issued ?? published;
  const year = date === null ? "" : `(${date})`;
  const details = [number, pages, number + pages === "" ? "" : year].filter((part) => part !== "").join(", ");
  const lines = titles.map(({ value, lang }) => ({
    value: details === "" ? value : `${value}, ${details}`,
    ...(lang === undefined ? {} : { lang }),
  }));
  return [...(lines.length > 0 ? lines : plain(details)), ...ids.flatMap(identOf)];
}

const relationOf = ({ ident, titles }: Relation): readonly Text[] => [
  ...(ident === undefined ? [] : identOf(ident)),
  ...titles,
];

/** Names of places; points and boxes as DCMI Point and Box word them. */
function placesOf({ places, point, box, geometry }: Location): readonly Text[] {
  const shapes = geometry === undefined || point !== undefined || box !== undefined ? [] : shapesOf(geometry);
  const pointText = (east: string | number, north: string | number): string => `east=${east}; north=${north}`;
  const boxText = (sides: readonly (string | number)[]): string =>
    ["westlimit", "southlimit", "eastlimit", "northlimit"].map((side, at) => `${side}=${sides[at]}`).join("; ");
  return [
    ...places,
    ...plain(point === undefined ? undefined : pointText(point.longitude, point.latitude)),
    ...plain(box === undefined ? undefined : boxText([box.west, box.south, box.east, box.north])),
    ...shapes.flatMap(({ geoLocationPoint: at, geoLocationBox: area }) => [
      ...plain(at === undefined ? undefined : pointText(at.pointLongitude, at.pointLatitude)),
      ...plain(
        area === undefined
          ? undefined
          : boxText([
              area.westBoundLongitude,
              area.southBoundLatitude,
              area.eastBoundLongitude,
              area.northBoundLatitude,
            ]),
      ),
    ]),
  ];
}

/** How open it is in the words of OpenAIRE. */
export const EU_REPO: Readonly<Record<AccessStatus, string>> = {
  open: "openAccess",
  embargoed: "embargoedAccess",
  restricted: "restrictedAccess",
  "metadata-only": "closedAccess",
};

function rightsOf({ metadata: { accessRights: stated, rights, copyright }, status }: ExportedRecord): readonly Text[] {
  const isKnown = stated !== undefined && accessRightsLabel(stated.label, stated.uri) !== null;
  const access = isKnown ? stated : STATUS_RIGHTS[status];
  return [
    ...plain(`info:eu-repo/semantics/${EU_REPO[status]}`),
    ...plain(access.label),
    ...plain(access.uri),
    ...rights.flatMap((right) => {
      const { text, id } = right;
      const title = text.length > 0 ? [] : plain(licenseWord(right)?.title.en);
      return [...text, ...title, ...plain(rightAddress(right) ?? id)];
    }),
    ...plain(copyright),
  ];
}
