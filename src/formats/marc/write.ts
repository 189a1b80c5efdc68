// A record as MARC 21 in XML (R38; MARC21slim 1.2, MARC 21 Format for Bibliographic Data): what cataloguing systems of
// libraries take, with the local fields (9XX) that existing repositories also write.

import { STATUS_RIGHTS } from "../../model/access/openness.ts";
import { rightAddress } from "../../model/metadata/licenses.ts";
import { type Agent, type Metadata, publicationDate } from "../../model/metadata/metadata.ts";
import { accessRightsLabel, accessRightsOf } from "../../model/rights/access-rights.ts";
import { printXml } from "../../shared/xml/print.ts";
import { workKind } from "../citation/cited-item.ts";
import {
  absoluteUri,
  firstName,
  firstText,
  periodOf,
  plainDescription,
  trimmedText,
  yearOf,
} from "../export-values.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import { leftOutBut } from "../left-out.ts";
import { EU_REPO } from "../oai-dc/write.ts";
import { licenseWord, resourceTypeWord } from "../vocabulary-words.ts";
import { type DataField, each, field, line, MARC_NAMESPACE, MARC_SCHEMA, recordElement } from "./fields.ts";
import { languageFields, marcLanguage } from "./languages.ts";
import {
  agentFields,
  containerFields,
  fundingFields,
  identifierFields,
  placeFields,
  relationFields,
} from "./related.ts";
import { titleFields } from "./titles.ts";

export { MARC_NAMESPACE, MARC_SCHEMA } from "./fields.ts";

/** Members that MARC holds completely, or that the sentences below cover. */
const CARRIED: ReadonlySet<keyof Metadata> = new Set([
  ...(["type", "titles", "creators", "contributors", "rightsHolders", "accessRights", "rights", "copyright"] as const),
  ...([
    "subjects",
    "descriptions",
    "publishers",
    "publicationDate",
    "languages",
    "versionLabel",
    "identifiers",
  ] as const),
  ...(["relations", "temporals", "locations", "funding", "containers", "degree", "conferences", "editions"] as const),
  ...(["volumeTitles", "originalLanguages", "formats", "sizes", "holdingAgent", "references"] as const),
]);

export function writeMarcXml(record: ExportedRecord): WrittenExport {
  const { metadata } = record;
  const leftOut = leftOutOf(metadata);
  const marc = recordElement({
    leader: leaderOf(metadata),
    control: [
      ["001", String(record.id)],
      ["005", `${record.updatedAt.slice(0, 19).replace(/\D/g, "")}.0`],
      ["008", fixedData(record)],
    ],
    data: dataFields(record),
  });
  const style = { prefixes: { [MARC_NAMESPACE]: "" }, declaration: true, comments: leftOut };
  return { text: printXml(marc, { ...style, schemaLocation: `${MARC_NAMESPACE} ${MARC_SCHEMA}` }), leftOut };
}

function leftOutOf(metadata: Metadata): readonly string[] {
  const people = [...metadata.creators, ...metadata.contributors, ...metadata.rightsHolders];
  const sentences = {
    "Further names and affiliations of people and organisations": people.some(
      ({ names, alternatives, affiliations }) => names.length + alternatives.length > 1 || affiliations.length > 1,
    ),
    "Dates other than that of publication": metadata.dates.some(({ type }) => type.toLowerCase() !== "issued"),
    "Lines and areas that are not boxes": metadata.locations.some(({ geometry }) => geometry !== undefined),
    "Identifiers of funders and addresses of awards": metadata.funding.some(
      ({ funder, award }) => funder.ids.length > 0 || award?.uri !== undefined,
    ),
  };
  return [
    ...leftOutBut(metadata, new Set([...CARRIED, "dates"])),
    ...Object.entries(sentences).flatMap(([what, isThere]) => (isThere ? [`${what} left out`] : [])),
  ];
}

/** The type of a record by the kind of work. */
const TYPES: Readonly<Record<string, string>> = {
  image: "k",
  video: "g",
  audio: "i",
  dataset: "m",
  software: "m",
  physicalobject: "r",
};

function leaderOf(metadata: Metadata): string {
  const type = TYPES[metadata.type?.id.split("-")[0] ?? ""] ?? "a";
  const isWithin = metadata.containers.length > 0;
  const level = metadata.type?.id === "publication-journal" ? "s" : isWithin ? LEVELS[workKind(metadata)] : "m";
  // New, no special control, Unicode; how completely it is described is not known.
  return `00000n${type}${level ?? "m"} a2200000uu 4500`;
}

/** Parts of a serial, parts of a book. */
const LEVELS: Readonly<Record<string, string>> = { article: "b", part: "a", conference: "a" };

/** Date of entry, date of publication, language; `|`: unknown. */
function fixedData({ metadata, createdAt }: ExportedRecord): string {
  const date = publicationDate(metadata);
  const period = date === null ? null : periodOf(date);
  const first = yearOf(date);
  const last = period?.isInterval === true ? yearOf(period.end) : null;
  const dates = first === null ? "nuuuuuuuu" : last === null || last === first ? `s${first}    ` : `m${first}${last}`;
  const language = metadata.languages.map(marcLanguage).find((code) => code !== null) ?? "und";
  return `${createdAt.slice(2, 10).replaceAll("-", "")}${dates}xx ${"|".repeat(17)}${language} d`;
}

function dataFields(record: ExportedRecord): readonly DataField[] {
  const { metadata } = record;
  const [first, ...others] = metadata.creators.filter((agent) => agentFields(agent, ["100", "110"]).length > 0);
  const main = first === undefined ? [] : agentFields(first, ["100", "110"]);
  const added = (agents: readonly Agent[]) => agents.flatMap((agent) => agentFields(agent, ["700", "710"]));
  return [
    ...(record.ark === null
      ? []
      : field("024", "7 ", [
          ["a", record.ark],
          ["2", "ark"],
        ])),
    ...metadata.identifiers.flatMap(identifierFields),
    ...languageFields(metadata),
    ...main,
    ...titleFields(metadata, main.length > 0),
    ...[metadata.versionLabel, ...metadata.editions.map(({ value }) => value)].flatMap((edition) =>
      field("250", "  ", [["a", edition]]),
    ),
    ...published(record),
    ...metadata.sizes.flatMap(({ value }) => field("300", "  ", [["a", value]])),
    ...metadata.formats.flatMap(({ value }) => field("347", "  ", [["b", value]])),
    ...notes(metadata),
    ...access(record),
    ...metadata.subjects.flatMap(subjectFields),
    ...added(metadata.contributors),
    ...added(others),
    ...conferences(metadata),
    ...metadata.relations.flatMap(relationFields),
    ...metadata.containers.flatMap((container) => containerFields(container, publicationDate(metadata))),
    ...links(record),
    ...local(record),
    ...placeFields(metadata.locations),
    ...fundingFields(metadata.funding),
  ];
}

/** Place, publisher and date of publication, with the opening date in the words of OpenAIRE. */
function published({ metadata, status, opensOn }: ExportedRecord): readonly DataField[] {
  const { publishers } = metadata;
  return field("260", "  ", [
    ...each(
      "a",
      publishers.map(({ place }) => place?.value),
    ),
    ...each(
      "b",
      publishers.map(({ names }) => firstText(names)?.value),
    ),
    ["c", publicationDate(metadata)],
    ["c", status === "embargoed" && opensOn !== null ? `info:eu-repo/date/embargoEnd/${opensOn}` : null],
  ]);
}

function notes({ descriptions, degree, temporals, holdingAgent }: Metadata): readonly DataField[] {
  const texts = descriptions.map((each) => ({ kind: each.kind.toLowerCase(), text: plainDescription(each) }));
  return [
    ...texts.flatMap(({ kind, text }) => {
      if (kind === "abstract") return field("520", "  ", [["a", text]]);
      return kind === "tableofcontents" || kind === "table-of-contents"
        ? field("505", "0 ", [["a", text]])
        : field("500", "  ", [["a", text]]);
    }),
    ...(degree === undefined
      ? []
      : field("502", "  ", [
          ["b", firstText(degree.names)?.value],
          ["c", firstText(degree.grantors.flatMap(({ names }) => names))?.value],
          ["d", degree.granted],
          ["o", degree.number],
        ])),
    ...temporals.flatMap(({ value }) => field("513", "  ", [["b", value]])),
    ...(holdingAgent === undefined ? [] : field("852", "  ", [["a", firstText(holdingAgent.names)?.value]])),
  ];
}

/** How open it is, licences, copyright. */
function access({ metadata, status }: ExportedRecord): readonly DataField[] {
  const { accessRights: stated, rights, rightsHolders, copyright } = metadata;
  const label = stated === undefined ? null : accessRightsLabel(stated.label, stated.uri);
  const accessRight = label === null ? STATUS_RIGHTS[status] : accessRightsOf(label);
  return [
    ...field("506", accessRight.label === "open access" ? "0 " : "1 ", [
      ["a", accessRight.label],
      ["u", accessRight.uri],
    ]),
    ...field("540", "  ", [["a", `info:eu-repo/semantics/${EU_REPO[status]}`]]),
    ...rights.flatMap((right) => {
      const word = licenseWord(right);
      const address = rightAddress(right) ?? word?.props.url;
      const title = firstText(right.text)?.value ?? word?.title.en ?? right.id;
      return [
        ...field("540", "  ", [
          ["a", title],
          ["u", absoluteUri(address ?? undefined)],
        ]),
        // Repeated where programs of existing repositories read it.
        ...(word === null
          ? []
          : field("650", "17", [
              ["a", word.id],
              ["2", "spdx"],
            ])),
      ];
    }),
    ...field("542", "  ", [
      ...each(
        "d",
        rightsHolders.map((holder) => firstName(holder)?.full),
      ),
      ["f", copyright],
      ["l", status],
    ]),
  ];
}

/** Thesauri that MARC has a number or a code for. */
const THESAURI: Readonly<Record<string, readonly [indicator: string, code: string | null]>> = {
  lcsh: ["0", null],
  mesh: ["2", null],
  agrovoc: ["7", "agrovoc"],
  fast: ["7", "fast"],
  gnd: ["7", "gnd"],
  ndlsh: ["7", "ndlsh"],
};

/** Every subject as a plain word; those of known thesauri again with their source. */
function subjectFields({ text, id, uri, scheme }: Metadata["subjects"][number]): readonly DataField[] {
  const word = line(text?.value) || line(id) || line(uri);
  const thesaurus = THESAURI[(scheme ?? "").trim().toLowerCase()];
  return [
    ...field("653", "  ", [["a", word]]),
    ...(thesaurus === undefined || word === ""
      ? []
      : field("650", ` ${thesaurus[0]}`, [
          ["a", word],
          ["0", absoluteUri(uri) ?? absoluteUri(id)],
          ["2", thesaurus[1]],
        ])),
  ];
}

const conferences = (metadata: Metadata): readonly DataField[] =>
  metadata.conferences.flatMap(({ names, sequence, date, venues, places }) => {
    const name = firstText(names)?.value;
    if (name === undefined) return [];
    const years = [date?.startYear, date?.endYear].filter((year) => line(year) !== "");
    return field("711", "2 ", [
      ["a", name],
      ["n", sequence],
      ["d", line(date?.text) || [...new Set(years)].join("-")],
      ["c", firstText([...places, ...venues])?.value],
    ]);
  });

/** The landing page, the ARK at its resolver, and each file with its size and checksum. */
function links({ landingPage, arkUrl, files, metadata }: ExportedRecord): readonly DataField[] {
  return [
    ...files.flatMap(({ url, sizeBytes, md5, mediaType, name }) =>
      field("856", "4 ", [
        ["q", mediaType],
        ["s", String(sizeBytes)],
        ["u", url],
        ["y", name],
        ["z", md5 === null ? null : `md5:${md5}`],
      ]),
    ),
    ...field("856", "40", [["u", landingPage]]),
    ...field("856", "40", [["u", arkUrl]]),
    ...metadata.references.flatMap(({ text }) => field("999", "c5", [["x", text]])),
  ];
}

/** Fields of existing repositories: the identifier of harvesters, communities, the type in their words. */
function local({ oai, communities, metadata }: ExportedRecord): readonly DataField[] {
  const word = resourceTypeWord(metadata.type);
  const slugs = communities.map(({ slug }) => `user-${slug}`);
  return [
    ...field("909", "co", [["o", oai], ...each("p", slugs)]),
    ...slugs.flatMap((slug) => field("980", "  ", [["a", slug]])),
    ...field("980", "  ", [["a", word?.props.eurepo]]),
    ...field("980", "  ", [
      ["a", word?.props.marc21_type || trimmedText(metadata.type?.label)],
      ["b", word?.props.marc21_subtype],
    ]),
  ];
}
