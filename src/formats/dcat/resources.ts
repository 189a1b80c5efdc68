// The nodes of a dataset in DCAT-AP 3: people and organisations, funding, places, periods, files, concepts.

import { rightAddress } from "../../model/metadata/licenses.ts";
import type { Agent, Funding, Ident, Org, Right, Subject } from "../../model/metadata/metadata.ts";
import type { XmlElement } from "../../shared/xml/element.ts";
import { agentAddress } from "../citation/cited-item.ts";
import type { GeoBox, GeoLocation, GeoPoint } from "../datacite/places.ts";
import { absoluteUri, firstName, firstText, type Period, trimmedText, uriOfIdent } from "../export-values.ts";
import type { ExportedFile } from "../exported-record.ts";
import { licenseWord } from "../vocabulary-words.ts";
import { dated, holds, iriOf, link, node, type Term, typed, WKT, words, XSD } from "./nodes.ts";

const addressOf = (ids: readonly Ident[]): string | null => absoluteUri(agentAddress(ids) ?? undefined);

/** An organisation; null where it has neither a name nor an address. */
export function organisation(org: Org): XmlElement | null {
  const name = firstText(org.names);
  const address = addressOf(org.ids) ?? org.ids.map(uriOfIdent).find((uri) => uri !== null) ?? null;
  if (name === null && address === null) return null;
  return node("foaf:Agent", address, [
    link("rdf:type", iriOf("foaf:Organization")),
    org.names.length === 0 || name === null
      ? words("foaf:name", address ?? "")
      : org.names.map((each) => words("foaf:name", each)),
  ]);
}

/** A person or an organisation with all its names; null for one without a name. */
export function agent(each: Agent): XmlElement | null {
  const first = firstName(each);
  if (first === null) return null;
  const isOrganisation = each.kind === "organizational";
  const names = each.names.map(({ full, family, given, lang }) => ({
    value: full ?? [family, given].filter((part) => trimmedText(part) !== "").join(", "),
    ...(lang === undefined ? {} : { lang }),
  }));
  return node("foaf:Agent", addressOf(each.ids), [
    each.kind === null ? null : link("rdf:type", iriOf(isOrganisation ? "foaf:Organization" : "foaf:Person")),
    firstText(names) === null ? words("foaf:name", first.full) : names.map((name) => words("foaf:name", name)),
    isOrganisation ? null : [words("foaf:givenName", first.given), words("foaf:familyName", first.family)],
    each.alternatives.map((name) => words("foaf:nick", name)),
    each.ids.map(({ scheme, value, uri }) =>
      words(
        "dct:identifier",
        [trimmedText(scheme), trimmedText(value) || trimmedText(uri)].filter((part) => part !== "").join(":"),
      ),
    ),
    each.affiliations.map((org) => holds("org:memberOf", organisation(org))),
  ]);
}

/** A contributor in their role. */
export const attribution = (each: Agent, role: string | undefined): XmlElement | null => {
  const described = agent(each);
  if (described === null || trimmedText(role) === "") return null;
  const had = node("dcat:Role", null, [words("rdfs:label", role)]);
  return node("prov:Attribution", null, [holds("prov:agent", described), holds("dcat:hadRole", had)]);
};

/** Who paid, and the project it was for. */
export function funding({ funder, stream, award }: Funding): readonly (XmlElement | null)[] {
  const names = [...funder.names, ...(stream?.names ?? [])];
  const organised = organisation({ names, ids: [...funder.ids, ...(stream?.ids ?? [])] });
  const hasAward =
    award !== undefined &&
    (trimmedText(award.number) !== "" || firstText(award.titles) !== null || absoluteUri(award.uri) !== null);
  return [
    holds("citedcat:funder", organised),
    hasAward
      ? holds(
          "citedcat:isFundedBy",
          node("foaf:Project", absoluteUri(award.uri), [
            words("dct:identifier", award.number),
            award.titles.map((title) => words("dct:title", title)),
            holds("citedcat:isAwardedBy", organised),
          ]),
        )
      : null,
  ];
}

const position = ({ pointLongitude, pointLatitude }: GeoPoint): string => `${pointLongitude} ${pointLatitude}`;

function ringOf({
  westBoundLongitude: w,
  eastBoundLongitude: e,
  southBoundLatitude: s,
  northBoundLatitude: n,
}: GeoBox) {
  return `POLYGON((${w} ${s},${e} ${s},${e} ${n},${w} ${n},${w} ${s}))`;
}

/** A place by its name and its degrees, longitude first (CRS84). */
export function place(location: GeoLocation): XmlElement {
  const { geoLocationPlace, geoLocationPoint, geoLocationBox, geoLocationPolygon } = location;
  const ring = geoLocationPolygon?.map(({ polygonPoint }) => position(polygonPoint)) ?? [];
  // A ring ends where it begins.
  const closed = ring.length === 0 || ring[0] === ring.at(-1) ? ring : [...ring, ...ring.slice(0, 1)];
  return node("dct:Location", null, [
    words("rdfs:label", geoLocationPlace),
    words("locn:geographicName", geoLocationPlace),
    geoLocationPoint === undefined ? null : typed("dcat:centroid", WKT, `POINT(${position(geoLocationPoint)})`),
    geoLocationBox === undefined ? null : typed("dcat:bbox", WKT, ringOf(geoLocationBox)),
    closed.length === 0
      ? null
      : holds(
          "gsp:hasGeometry",
          node("gsp:Geometry", null, [typed("gsp:asWKT", WKT, `POLYGON((${closed.join(",")}))`)]),
        ),
  ]);
}

/** A period, or the words for one. */
export function period(bounds: Period | null, label: string): XmlElement | null {
  if (bounds === null) {
    const described = words("rdfs:label", label);
    return described === null ? null : node("dct:PeriodOfTime", null, [described]);
  }
  return node("dct:PeriodOfTime", null, [dated("dcat:startDate", bounds.start), dated("dcat:endDate", bounds.end)]);
}

/** A subject that has an address. */
export function concept({ text, id, uri, scheme }: Subject): XmlElement | null {
  const address = absoluteUri(uri) ?? absoluteUri(id);
  if (address === null) return null;
  return node("skos:Concept", address, [
    words("skos:prefLabel", text) ?? words("skos:prefLabel", address),
    trimmedText(scheme) === ""
      ? null
      : holds("skos:inScheme", node("skos:ConceptScheme", null, [words("dct:title", scheme)])),
  ]);
}

const rightTitles = (right: Right) => {
  const texts = right.text.filter(({ value }) => trimmedText(value) !== "");
  return texts.length > 0 ? texts : [{ value: licenseWord(right)?.title.en ?? right.id ?? "", lang: "en" }];
};

/** `otherwise`: the address written for a licence that has none. */
export function license(right: Right, otherwise: string): XmlElement | null {
  const address = absoluteUri(rightAddress(right) ?? undefined);
  const labels = rightTitles(right).map((title) => words("rdfs:label", title));
  return address === null && labels.every((label) => label === null)
    ? null
    : node("dct:LicenseDocument", address ?? otherwise, [labels]);
}

/** All other statements about rights, as one. */
export function rightsStatement(
  rights: readonly Right[],
  copyright: string | undefined,
  about: string,
): XmlElement | null {
  const labels = [...rights.flatMap((right) => rightTitles(right)), { value: copyright ?? "" }].map((label) =>
    words("rdfs:label", label),
  );
  return labels.every((label) => label === null) ? null : node("dct:RightsStatement", about, [labels]);
}

const MEDIA_TYPE = /^[a-z]+\/[\w!#$&^.+-]+$/;

/** A media type by its address at IANA. */
export function mediaType(term: Term, written: string): XmlElement | null {
  const type = written.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!MEDIA_TYPE.test(type)) return null;
  return holds(term, node("dct:MediaType", `https://www.iana.org/assignments/media-types/${type}`, []));
}

/** The checksum, the stronger one where both are known. */
export function checksum({ sha256, md5 }: ExportedFile): XmlElement | null {
  const [value, algorithm] = sha256 === null ? [md5, "md5"] : [sha256, "sha256"];
  if (value === null) return null;
  const about = `${iriOf("spdx:checksumAlgorithm_")}${algorithm}`;
  return node("spdx:Checksum", null, [
    holds("spdx:algorithm", node("spdx:ChecksumAlgorithm", about, [])),
    typed("spdx:checksumValue", `${XSD}hexBinary`, value),
  ]);
}
