// Fields of a MARC 21 record for identifiers (020 to 024), what it appeared in (773), related works (76X to 78X),
// people and places.
import type { Agent, Container, Ident, Location, Metadata, Relation } from "../../model/metadata/metadata.ts";
import { own } from "../../shared/objects.ts";
import { type GeoBox, geoLocationsOf } from "../datacite/places.ts";
import { doiOfIdent, firstName, firstText, trimmedText, uriOfIdent } from "../export-values.ts";
import { notesKeeper } from "../jpcoar/elements.ts";
import { flatWord, vocabularyWord } from "../vocabulary-words.ts";
import { type DataField, each, field, line } from "./fields.ts";

/** Codes of the MARC list of standard identifier sources. */
const SOURCES: Readonly<Record<string, string>> = {
  ark: "ark",
  arxiv: "arxiv",
  doi: "doi",
  ean13: "gtin-14",
  handle: "hdl",
  hdl: "hdl",
  isni: "isni",
  orcid: "orcid",
  ror: "ror",
  uri: "uri",
  url: "uri",
  urn: "urn",
  viaf: "viaf",
  wikidata: "wikidata",
};

/** The digits of an ISBN with a valid check digit; null for other texts. */
export function isbnOf(text: string): string | null {
  const bare = line(text)
    .replace(/^(?:urn:)?isbn[:\s]*/i, "")
    .replace(/[\s-]/g, "")
    .toUpperCase();
  const digits = [...bare].map((digit) => (digit === "X" ? 10 : Number(digit)));
  const total = (weight: (at: number) => number): number =>
    digits.reduce((sum, digit, at) => sum + digit * weight(at), 0);
  if (/^\d{9}[\dX]$/.test(bare)) return total((at) => 10 - at) % 11 === 0 ? bare : null;
  return /^\d{13}$/.test(bare) && total((at) => (at % 2 === 0 ? 1 : 3)) % 10 === 0 ? bare : null;
}

const issnOf = (text: string): string | null => {
  const [, first, second] = /^(?:urn:)?(?:issn[:\s]*)?(\d{4})-?(\d{3}[\dX])$/i.exec(line(text)) ?? [];
  return first === undefined || second === undefined ? null : `${first}-${second.toUpperCase()}`;
};
const isIssn = ({ scheme }: Ident): boolean => /^(?:p|e|l)?issn(?:-?l)?$/i.test(scheme.trim());
const isIsbn = ({ scheme }: Ident): boolean => /^isbn$/i.test(scheme.trim());
const statedValue = ({ value, uri }: Ident): string =>
  trimmedText(value) === "" ? trimmedText(uri) : trimmedText(value);

/** An identifier of the item itself, under its scheme where MARC has a code for it. */
export function identifierFields(ident: Ident): readonly DataField[] {
  const doi = doiOfIdent(ident);
  if (doi !== null)
    return field("024", "7 ", [
      ["a", doi],
      ["2", "doi"],
    ]);
  const isbn = isIsbn(ident) ? isbnOf(ident.value) : null;
  if (isbn !== null) return field("020", "  ", [["a", isbn]]);
  const issn = isIssn(ident) ? issnOf(ident.value) : null;
  if (issn !== null) return field("022", "  ", [["a", issn]]);
  const source = own(SOURCES, flatWord(ident.scheme));
  const value = statedValue(ident);
  if (value === "") return [];
  if (source !== undefined)
    return field("024", "7 ", [
      ["a", value],
      ["2", source],
    ]);
  const scheme = line(ident.scheme);
  return field("024", "8 ", [["a", scheme === "" ? value : `${scheme}:${value}`]]);
}

/** Fields of linking entries by the relation's id; everything else is another relationship. */
const LINKS: Readonly<Record<string, readonly [tag: string, indicators: string]>> = {
  istranslationof: ["765", "0 "],
  hastranslation: ["767", "0 "],
  issupplementedby: ["770", "0 "],
  issupplementto: ["772", "0 "],
  ispartof: ["773", "0 "],
  ispublishedin: ["773", "0 "],
  inseries: ["773", "0 "],
  haspart: ["774", "0 "],
  isvariantformof: ["776", "0 "],
  isoriginalformof: ["776", "0 "],
  continues: ["780", "00"],
  isnewversionof: ["780", "00"],
  obsoletes: ["780", "00"],
  iscontinuedby: ["785", "00"],
  ispreviousversionof: ["785", "00"],
  isobsoletedby: ["785", "00"],
};

/**
 * Titles and identifiers for linking entries: ISSN and ISBN in separate subfields, others with their scheme in front.
 */
function linkParts(titles: Relation["titles"], ids: readonly Ident[]) {
  const issns = ids.filter(isIssn).flatMap(({ value }) => issnOf(value) ?? []);
  const isbns = ids.filter(isIsbn).flatMap(({ value }) => isbnOf(value) ?? []);
  const others = ids.filter(
    (ident) => !(isIssn(ident) && issnOf(ident.value) === issns[0]) && !(isIsbn(ident) && isbnOf(ident.value) !== null),
  );
  return {
    title: firstText(titles)?.value,
    issn: issns[0],
    isbns,
    others: others.map((ident) => {
      const doi = doiOfIdent(ident);
      const [scheme, value] = doi === null ? [line(ident.scheme), statedValue(ident)] : ["doi", doi];
      return value === "" || scheme === "" ? value : `${scheme}:${value}`;
    }),
  };
}

/** A related work: its relation, title and identifiers, and a link where it has an address. */
export function relationFields({ type, ident, titles }: Relation): readonly DataField[] {
  const word = vocabularyWord("relationtypes", type);
  const label = word?.title.en ?? line(type);
  const { title, issn, isbns, others } = linkParts(titles, ident === undefined ? [] : [ident]);
  const [tag, indicators] = own(LINKS, word?.id ?? "") ?? ["787", "0 "];
  const address = ident === undefined ? null : uriOfIdent(ident);
  const hasContent = [title, issn, ...isbns, ...others].some((value) => line(value) !== "");
  return [
    ...(hasContent
      ? field(tag, indicators, [["i", label], ["t", title], ...each("o", others), ["x", issn], ...each("z", isbns)])
      : []),
    ...(address === null || !/^https?:/i.test(address)
      ? []
      : field("856", "42", [
          ["3", label],
          ["u", address],
        ])),
  ];
}

/** What it appeared in, repeated in the fields that programs of existing repositories read. */
export function containerFields(container: Container, published: string | null): readonly DataField[] {
  const { titles, ids, volume, issue, pageStart, pageEnd, numPages, issued } = container;
  const { title, issn, isbns, others } = linkParts(titles, ids);
  const pages = [line(pageStart), line(pageEnd)].filter((page) => page !== "").join("-") || line(numPages);
  const parts = [
    line(volume) === "" ? "" : `Vol. ${line(volume)}`,
    line(issue) === "" ? "" : `no. ${line(issue)}`,
    line(issued) === "" ? "" : `(${line(issued)})`,
    pages === "" ? "" : `p. ${pages}`,
  ].filter((part) => part !== "");
  const hasContent = [title, issn, ...isbns, ...others, ...parts].some((value) => line(value) !== "");
  if (!hasContent) return [];
  return [
    ...field("773", "0 ", [
      ["t", title],
      ["g", parts.join(", ")],
      ...each("o", others),
      ["x", issn],
      ...each("z", isbns),
    ]),
    ...field("909", "c4", [
      ["p", title],
      ["v", volume],
      ["n", issue],
      ["c", pages],
      ["y", issued ?? published],
    ]),
  ];
}

/** Prefixes of identifiers of people and organisations, as authority records name their lists. */
const AGENT_SCHEMES = new Set(["orcid", "gnd", "isni", "ror", "viaf", "grid", "nrid", "wikidata"]);

/** A person or an organisation, by the first name it has. `tags`: of a person, of an organisation. */
export function agentFields(agent: Agent, [person, organisation]: readonly [string, string]): readonly DataField[] {
  const name = firstName(agent);
  if (name === null) return [];
  const isOrganisation = agent.kind === "organizational";
  const isInverted = line(name.family) !== "" || name.full.includes(",");
  const role = vocabularyWord("contributorsroles", agent.role)?.props.marc;
  const ids = agent.ids.filter(({ scheme }) => AGENT_SCHEMES.has(flatWord(scheme)));
  return field(isOrganisation ? organisation : person, isOrganisation ? "2 " : isInverted ? "1 " : "0 ", [
    ["a", name.full],
    ["u", firstText(agent.affiliations.flatMap(({ names }) => names))?.value],
    ...each(
      "0",
      ids.flatMap((ident) => {
        const value = statedValue(ident);
        return value === "" ? [] : [`(${flatWord(ident.scheme)})${value}`];
      }),
    ),
    ["4", role],
  ]);
}

const degreesText = (degrees: number): string => `${degrees < 0 ? "-" : "+"}${Math.abs(degrees)}`;

/** Places by name, and by their degrees. */
export function placeFields(locations: readonly Location[]): readonly DataField[] {
  const coordinates = (box: GeoBox) =>
    field("034", "0 ", [
      ["a", "a"],
      ["d", degreesText(box.westBoundLongitude)],
      ["e", degreesText(box.eastBoundLongitude)],
      ["f", degreesText(box.northBoundLatitude)],
      ["g", degreesText(box.southBoundLatitude)],
    ]);
  return geoLocationsOf(locations, notesKeeper()).flatMap(
    ({ geoLocationPlace, geoLocationPoint: at, geoLocationBox }) => [
      ...field("522", "  ", [["a", geoLocationPlace]]),
      ...(geoLocationBox === undefined ? [] : coordinates(geoLocationBox)),
      ...(at === undefined
        ? []
        : coordinates({
            westBoundLongitude: at.pointLongitude,
            eastBoundLongitude: at.pointLongitude,
            southBoundLatitude: at.pointLatitude,
            northBoundLatitude: at.pointLatitude,
          })),
    ],
  );
}

export const fundingFields = (funding: Metadata["funding"]): readonly DataField[] =>
  funding.flatMap(({ funder, stream, award }) => {
    const name = firstText([...funder.names, ...(stream?.names ?? [])])?.value ?? funder.ids.map(statedValue)[0];
    const title = firstText(award?.titles ?? [])?.value;
    return field("536", "  ", [
      ["a", [name, title].filter((part) => line(part) !== "").join(": ")],
      ["c", award?.number],
    ]);
  });
