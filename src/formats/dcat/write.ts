// A record as a dataset of DCAT-AP 3 in RDF/XML (R38; DCAT-AP 3.0, with CitedDCAT-AP for funding), for data portals.
// Related works are linked and not described: they are not datasets of this repository.
import { STATUS_RIGHTS } from "../../model/access/openness.ts";
import { languageOf } from "../../model/metadata/language-codes.ts";
import { type Metadata, mainTitle, publicationDate } from "../../model/metadata/metadata.ts";
import type { XmlElement } from "../../shared/xml/element.ts";
import { printXml } from "../../shared/xml/print.ts";
import { citeAs } from "../citation/cited-item.ts";
import { UNKNOWN } from "../datacite/agents.ts";
import { dateTypeOf, descriptionTypeOf, type RelationType, relationTypeOf } from "../datacite/lists.ts";
import { geoLocationsOf } from "../datacite/places.ts";
import { absoluteUri, periodOf, plainDescription, trimmedText, unique, uriOfIdent } from "../export-values.ts";
import type { ExportedFile, ExportedRecord, WrittenExport } from "../exported-record.ts";
import { type Notes, notesKeeper } from "../jpcoar/elements.ts";
import { shown } from "../jpcoar/nodes.ts";
import { leftOutBut, leftOutRest } from "../left-out.ts";
import { resourceTypeWord, vocabularyWord } from "../vocabulary-words.ts";
import { aboutOf, dated, holds, link, node, PREFIXES, RDF, type Term, typed, words, XSD } from "./nodes.ts";
import {
  agent,
  attribution,
  checksum,
  concept,
  funding,
  license,
  mediaType,
  organisation,
  period,
  place,
  rightsStatement,
} from "./resources.ts";

/** Members that the profile holds completely, or that the writer handles itself. */
const CARRIED: ReadonlySet<keyof Metadata> = new Set([
  ...(["type", "titles", "creators", "contributors", "rightsHolders", "accessRights", "rights", "copyright"] as const),
  ...(["subjects", "descriptions", "publishers", "publicationDate", "dates", "languages", "versionLabel"] as const),
  ...(["identifiers", "relations", "temporals", "locations", "funding", "containers", "formats", "sizes"] as const),
  "references",
]);

export function writeDcat(record: ExportedRecord): WrittenExport {
  const notes = notesKeeper();
  const dataset = datasetOf(record, notes);
  const leftOut = [
    ...leftOutBut(record.metadata, CARRIED),
    ...leftOutRest("Publisher", record.metadata.publishers.length, 1),
    ...notes.list(),
  ];
  const root = { namespace: RDF, name: "RDF", attributes: [], children: [dataset] };
  return { text: printXml(root, { prefixes: PREFIXES, declaration: true, comments: leftOut }), leftOut };
}

/** The address of the item itself, as opposed to its page. */
function addressOf(record: ExportedRecord): string {
  const { metadata, landingPage, arkUrl, repositoryName } = record;
  const cited = citeAs({ metadata, landingPage, ark: arkUrl, repositoryName, files: [] });
  const address = absoluteUri(cited) ?? landingPage;
  return address === landingPage ? `${address}#dataset` : address;
}

function datasetOf(record: ExportedRecord, notes: Notes): XmlElement {
  const { metadata, landingPage, repositoryName } = record;
  const about = addressOf(record);
  const named = metadata.publishers.find(({ names }) => names.some(({ value }) => trimmedText(value) !== ""));
  const publisher = named?.names ?? [{ value: trimmedText(repositoryName) || UNKNOWN }];
  return node("dcat:Dataset", about, [
    typeOf(metadata),
    words("dct:identifier", about),
    identifiersOf(record, about),
    holds("dcat:landingPage", node("foaf:Document", landingPage, [])),
    titlesOf(metadata),
    descriptionsOf(metadata, notes),
    metadata.creators.map((each) => holds("dct:creator", agent(each))),
    contributorsOf(metadata),
    holds("dct:publisher", organisation({ names: publisher, ids: [] })),
    datesOf(record, notes),
    languagesOf(metadata),
    metadata.subjects.map((subject) => words("dcat:keyword", subject.text)),
    unique(metadata.subjects.flatMap((subject) => concept(subject) ?? [])).map((each) => holds("dcat:theme", each)),
    metadata.funding.flatMap(funding),
    relationsOf(record, notes),
    words("dcat:version", metadata.versionLabel),
    geoLocationsOf(metadata.locations, notes).map((location) => holds("dct:spatial", place(location))),
    metadata.temporals.map(({ value }) => holds("dct:temporal", period(periodOf(value), value))),
    metadata.sizes.map((size) => extentOf(size)),
    metadata.formats.map((format) => holds("dct:format", formatNode(format))),
    accessOf(record),
    distributionsOf(record),
  ]);
}

function typeOf({ type }: Metadata): XmlElement | null {
  const word = resourceTypeWord(type);
  const address = absoluteUri(type?.uri) ?? absoluteUri(word?.props.coar);
  const label = trimmedText(type?.label) || word?.title.en;
  if (label === undefined || label === "") return null;
  return holds("dct:type", node("skos:Concept", address, [words("skos:prefLabel", label)]));
}

/** Every identifier as it is written, and as an address where it has one. */
function identifiersOf({ metadata, ark, arkUrl, oai }: ExportedRecord, about: string): readonly (XmlElement | null)[] {
  const notation = (value: string | null, agency: string): XmlElement | null => {
    const text = trimmedText(value ?? undefined);
    if (text === "") return null;
    const isAddress = absoluteUri(text) === text;
    return holds(
      "adms:identifier",
      node("adms:Identifier", null, [
        isAddress ? typed("skos:notation", `${XSD}anyURI`, text) : words("skos:notation", text),
        words("adms:schemeAgency", agency),
      ]),
    );
  };
  const same = [arkUrl, ...metadata.identifiers.map(uriOfIdent)].map((address) => absoluteUri(address ?? undefined));
  return [
    notation(ark, "ARK"),
    notation(oai, "OAI"),
    ...metadata.identifiers.map((ident) => notation(trimmedText(ident.value) || trimmedText(ident.uri), ident.scheme)),
    ...unique(same)
      .filter((address) => address !== null && address !== about)
      .map((address) => link("owl:sameAs", address)),
  ];
}

/** Titles and their translations, with other forms as alternatives. There is always one. */
function titlesOf({ titles }: Metadata): readonly (XmlElement | null)[] {
  const listed = titles.map((title) =>
    words(title.kind === "main" || title.kind === "translated" ? "dct:title" : "dct:alternative", title),
  );
  if (listed.some((element) => element?.name === "title")) return listed;
  const first = titles.find(({ value }) => trimmedText(value) !== "");
  return [words("dct:title", first ?? UNKNOWN), ...listed];
}

/** Descriptions, contents and methods. There is always a description. */
function descriptionsOf(metadata: Metadata, notes: Notes): readonly (XmlElement | null)[] {
  const listed = metadata.descriptions.map((each) => {
    const { value: _, ...text } = { ...each, value: "" };
    const plain = { ...text, value: plainDescription(each) };
    const kind = descriptionTypeOf(each.kind);
    if (kind === "TableOfContents") return words("dct:tableOfContents", plain);
    if (kind !== "Methods") return words("dct:description", plain);
    const statement = words("rdfs:label", plain);
    return statement === null ? null : holds("dct:provenance", node("dct:ProvenanceStatement", null, [statement]));
  });
  if (listed.some((element) => element?.name === "description")) return listed;
  notes.add("No description is stated: DCAT-AP requires one, written as the title");
  return [words("dct:description", mainTitle(metadata)) ?? words("dct:description", UNKNOWN), ...listed];
}

function contributorsOf({ contributors, rightsHolders }: Metadata): readonly (XmlElement | null)[] {
  return [
    ...contributors.map((each) => holds("dct:contributor", agent(each))),
    ...contributors.map((each) => {
      const role = vocabularyWord("contributorsroles", each.role)?.title.en ?? each.role;
      return holds("prov:qualifiedAttribution", attribution(each, role));
    }),
    ...rightsHolders.map((each) => holds("dct:rightsHolder", agent(each))),
  ];
}

const DATES: Readonly<Record<string, Term>> = {
  Accepted: "dct:dateAccepted",
  Available: "dct:available",
  Copyrighted: "dct:dateCopyrighted",
  Created: "dct:created",
  Submitted: "dct:dateSubmitted",
  Valid: "dct:valid",
};

/** One date of publication and one of change; what was collected or covered over a time is a period. */
function datesOf({ metadata, updatedAt, opensOn }: ExportedRecord, notes: Notes): readonly (XmlElement | null)[] {
  const lost = (text: string): null => {
    if (trimmedText(text) !== "") notes.add(`The date "${shown(text)}" has no form that DCAT-AP knows and is left out`);
    return null;
  };
  const published = publicationDate(metadata);
  const issued = periodOf(published ?? "");
  if (issued?.isInterval === true) notes.add("Of the interval of publication the earlier date is written");
  const others = metadata.dates.flatMap(({ date, type }) => {
    const kind = dateTypeOf(type) ?? "Other";
    if (kind === "Issued" || kind === "Updated") return [];
    const bounds = periodOf(date);
    if (bounds === null) return [lost(date)];
    if (bounds.isInterval || kind === "Collected" || kind === "Coverage")
      return [holds("dct:temporal", period(bounds, date))];
    return [dated(DATES[kind] ?? "dct:date", bounds.start)];
  });
  return [
    issued === null ? lost(published ?? "") : dated("dct:issued", issued.start === "" ? issued.end : issued.start),
    dated("dct:modified", updatedAt),
    opensOn === null ? null : dated("dct:available", opensOn),
    ...others,
  ];
}

const LANGUAGE = "http://publications.europa.eu/resource/authority/language/";

const languagesOf = ({ languages }: Metadata): readonly (XmlElement | null)[] =>
  unique(languages.map(languageOf).filter((code) => /^[a-z]{3}$/.test(code))).map((code) =>
    holds("dct:language", node("dct:LinguisticSystem", LANGUAGE + code.toUpperCase(), [])),
  );

/**
 * Relations that Dublin Core or DCAT have a word for; all others are relations. Those whose other end must be described
 * as a dataset are too.
 */
const RELATIONS: Readonly<Partial<Record<RelationType, Term>>> = {
  HasPart: "dct:hasPart",
  IsCitedBy: "dct:isReferencedBy",
  IsDerivedFrom: "prov:wasDerivedFrom",
  IsNewVersionOf: "dcat:previousVersion",
  IsObsoletedBy: "dct:isReplacedBy",
  IsOriginalFormOf: "dct:hasFormat",
  IsPartOf: "dct:isPartOf",
  IsPublishedIn: "dct:isPartOf",
  IsReferencedBy: "dct:isReferencedBy",
  IsRequiredBy: "dct:isRequiredBy",
  IsVariantFormOf: "dct:isFormatOf",
  IsVersionOf: "dcat:isVersionOf",
  Cites: "dct:references",
  Obsoletes: "dct:replaces",
  References: "dct:references",
  Requires: "dct:requires",
};

function relationsOf(record: ExportedRecord, notes: Notes): readonly (XmlElement | null)[] {
  const { metadata, parentPage, landingPage, replaces, isReplacedBy, baseUrl, communities } = record;
  const related = metadata.relations.map(({ type, ident, titles }) => {
    const relation = relationTypeOf(type);
    const term = (relation === null ? undefined : RELATIONS[relation]) ?? "dct:relation";
    const address = ident === undefined ? null : uriOfIdent(ident);
    if (address === null || titles.length > 0)
      notes.add("Titles of related works, and identifiers without an address, left out");
    return link(term, address);
  });
  const cited = metadata.references.map(({ ident, text }) => {
    const address = ident === undefined ? null : uriOfIdent(ident);
    return address === null ? words("dct:references", text) : link("dct:references", address);
  });
  const within = metadata.containers.map(({ titles, ids, volume, issue, pageStart, pageEnd, numPages, issued }) => {
    if ([volume, issue, pageStart, pageEnd, numPages, issued].some((each) => trimmedText(each) !== ""))
      notes.add("Volume, issue, pages and date of what it appeared in left out");
    const listed = [
      ...titles.map((title) => words("dct:title", title)),
      ...ids.map(({ scheme, value }) => words("dct:identifier", `${trimmedText(scheme)}:${trimmedText(value)}`)),
    ];
    return listed.every((each) => each === null)
      ? null
      : holds("dct:isPartOf", node("rdf:Description", null, [listed]));
  });
  return [
    ...related,
    ...cited,
    ...within,
    parentPage === landingPage ? null : link("dcat:isVersionOf", absoluteUri(parentPage)),
    link("dcat:previousVersion", absoluteUri(replaces ?? undefined)),
    link("dct:isReplacedBy", absoluteUri(isReplacedBy ?? undefined)),
    ...communities.map(({ slug }) =>
      link("dct:isPartOf", absoluteUri(`${baseUrl}/api/communities/${encodeURIComponent(slug)}`)),
    ),
  ];
}

const extentOf = (size: Metadata["sizes"][number]): XmlElement | null => {
  const label = words("rdfs:label", size);
  return label === null ? null : holds("dct:extent", node("dct:SizeOrDuration", null, [label]));
};

const formatNode = (format: Metadata["formats"][number]): XmlElement | null => {
  const label = words("rdfs:label", format);
  return label === null ? null : node("dct:MediaTypeOrExtent", null, [label]);
};

const ACCESS = "http://publications.europa.eu/resource/authority/access-right/";

/** How open it is, in the words of the Publications Office of the European Union. */
function accessOf({ status, metadata }: ExportedRecord): XmlElement | null {
  const stated = trimmedText(metadata.accessRights?.label) || STATUS_RIGHTS[status].label;
  const word = status === "open" ? "PUBLIC" : status === "metadata-only" ? "NON_PUBLIC" : "RESTRICTED";
  return holds("dct:accessRights", node("dct:RightsStatement", ACCESS + word, [words("rdfs:label", stated)]));
}

/**
 * A distribution for each file; one that leads to the landing page where there are none, so that the licence has a
 * place. Licence and rights are written once, by the first distribution, and the others refer to them: an item may have
 * many files and many rights.
 */
function distributionsOf({ metadata, landingPage, files }: ExportedRecord): readonly (XmlElement | null)[] {
  const stated = metadata.rights.filter((right) => license(right, "") !== null);
  const first = stated[0] === undefined ? null : license(stated[0], `${landingPage}#license`);
  const rights = rightsStatement(stated.slice(1), metadata.copyright, `${landingPage}#rights`);
  const of = (term: Term, thing: XmlElement | null, isFirst: boolean): XmlElement | null => {
    if (thing === null) return null;
    return isFirst ? holds(term, thing) : link(term, aboutOf(thing));
  };
  const distribution = (file: ExportedFile | null, at: number): XmlElement | null =>
    holds(
      "dcat:distribution",
      node("dcat:Distribution", null, [
        link("dcat:accessURL", absoluteUri(landingPage)),
        file === null
          ? null
          : [
              words("dct:title", file.name),
              link("dcat:downloadURL", absoluteUri(file.url)),
              mediaType("dcat:mediaType", file.mediaType),
              typed("dcat:byteSize", `${XSD}nonNegativeInteger`, String(file.sizeBytes)),
              holds("spdx:checksum", checksum(file)),
            ],
        of("dct:license", first, at === 0),
        of("dct:rights", rights, at === 0),
      ]),
    );
  if (files.length > 0) return files.map(distribution);
  return first === null && rights === null ? [] : [distribution(null, 0)];
}
