// The metadata of an item as the rows a landing page shows (R3, R19a): every field that says something, in reading order, without words of ours.
// Labels are the page's business; mail addresses and what was kept without being understood (`extra`) are never among the rows.
import { licenseAddress } from "../../domain/items/licenses.ts";
import { type Ident, type Metadata, publicationDate } from "../../domain/items/metadata.ts";
import { identAddress } from "../citation/cited-item.ts";
import { htmlToText } from "../html-text.ts";
import { agentValue, orgText } from "./agents.ts";
import {
  catalogValues,
  conferenceValues,
  containerValues,
  degreeValues,
  fundingValues,
  locationValues,
} from "./groups.ts";
import { leading, type ShownValue, worded } from "./values.ts";

export const SHOWN_FIELDS = [
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
export type ShownField = (typeof SHOWN_FIELDS)[number];

export type ShownRow = { readonly field: ShownField; readonly values: readonly ShownValue[] };

/** What stands above the rows already. */
export type ShownAbove = { readonly title: string; readonly abstract: string | null };

/** Rows that have values, in the order of SHOWN_FIELDS. */
export function shownRows(metadata: Metadata, above: ShownAbove): readonly ShownRow[] {
  return SHOWN_FIELDS.map((field) => ({
    field,
    values: READERS[field](metadata, above).filter(({ text }) => text !== ""),
  })).filter(({ values }) => values.length > 0);
}

const plain = (text: string | undefined): readonly ShownValue[] => (text === undefined ? [] : [{ text: text.trim() }]);

function identValue(ident: Ident): ShownValue {
  return {
    text: ident.value.trim(),
    kind: { vocabulary: "identifierschemes", id: ident.scheme },
    ...leading(identAddress(ident)),
  };
}

function versionType(metadata: Metadata): readonly ShownValue[] {
  const { versionType: said } = metadata;
  return said === undefined ? [] : [{ text: said.label, ...leading(said.uri) }];
}

function typeValues({ type }: Metadata): readonly ShownValue[] {
  if (type === null) return [];
  return [{ text: type.label ?? type.id, term: { vocabulary: "resourcetypes", id: type.id } }];
}

function rightValues({ rights }: Metadata): readonly ShownValue[] {
  return rights.map(({ id, text, uri }) => {
    const [first, ...more] = text;
    const address = uri ?? (id === undefined ? null : licenseAddress(id));
    return {
      ...(first === undefined ? { text: id ?? uri ?? "" } : worded(first)),
      ...(id === undefined ? {} : { term: { vocabulary: "licenses", id } }),
      ...leading(address),
      details: more.map(worded),
    };
  });
}

const READERS: Readonly<Record<ShownField, (metadata: Metadata, above: ShownAbove) => readonly ShownValue[]>> = {
  otherTitles: ({ titles }, { title: shown }) =>
    titles
      .filter(({ value }) => value !== shown)
      .map((title) => ({ ...worded(title), ...(title.kind === "main" ? {} : { kind: TITLE_KINDS[title.kind] }) })),
  creators: ({ creators }) => creators.map((agent) => agentValue(agent, "creatorsroles")),
  contributors: ({ contributors }) => contributors.map((agent) => agentValue(agent, "contributorsroles")),
  rightsHolders: ({ rightsHolders }) => rightsHolders.map((agent) => agentValue(agent, "contributorsroles")),
  descriptions: ({ descriptions }, { abstract }) =>
    descriptions
      .map((each) => ({
        ...worded(each.html ? { ...each, value: htmlToText(each.value) } : each),
        kind: { vocabulary: "descriptiontypes", id: each.kind },
      }))
      .filter(({ text }) => text !== abstract?.trim()),
  type: typeValues,
  publicationDate: (metadata) => plain(publicationDate(metadata) ?? undefined),
  publishers: ({ publishers }) =>
    publishers.flatMap(({ names, place, description }) => {
      const [first, ...more] = names;
      const details = [...more, ...[place, description].filter((each) => each !== undefined)].map(worded);
      return first === undefined ? [] : [{ ...worded(first), details }];
    }),
  containers: ({ containers }) => containers.flatMap(containerValues),
  conferences: ({ conferences }) => conferences.flatMap(conferenceValues),
  degree: ({ degree }) => (degree === undefined ? [] : degreeValues(degree)),
  identifiers: ({ identifiers, registration }) =>
    [
      ...identifiers,
      ...(registration === undefined || identifiers.some(({ value }) => value === registration.value)
        ? []
        : [registration]),
    ].map(identValue),
  languages: ({ languages }) => languages.map((id) => ({ text: id, term: { vocabulary: "languages", id } })),
  subjects: ({ subjects }) =>
    subjects.map(({ text, id, uri, scheme }) => ({
      ...(text === undefined ? { text: id ?? uri ?? "" } : worded(text)),
      ...leading(uri),
      ...(scheme === undefined || scheme === "Other" ? {} : { details: [{ text: scheme }] }),
    })),
  rights: rightValues,
  copyright: ({ copyright }) => plain(copyright),
  accessRights: ({ accessRights }) =>
    accessRights === undefined ? [] : [{ text: accessRights.label, ...leading(accessRights.uri) }],
  apc: ({ apc }) => plain(apc),
  versionLabel: ({ versionLabel }) => plain(versionLabel),
  versionType,
  dates: (metadata) =>
    metadata.dates
      .filter(({ date, type }) => type !== "Issued" || date !== publicationDate(metadata))
      .map(({ date, type, description, lang }) => ({
        text: date,
        ...(lang === undefined ? {} : { lang }),
        ...(type === "dcterms" ? {} : { kind: { vocabulary: "datetypes", id: type } }),
        ...(description === undefined ? {} : { details: [worded(description)] }),
      })),
  temporals: ({ temporals }) => temporals.map(worded),
  locations: ({ locations }) => locations.flatMap(locationValues),
  funding: ({ funding }) => funding.flatMap(fundingValues),
  relations: ({ relations }) =>
    relations.map(({ type, ident, titles }) => {
      const [first, ...more] = titles;
      const named = first === undefined ? { text: ident?.value ?? "" } : worded(first);
      const own = first === undefined || ident === undefined ? [] : [{ text: `${ident.scheme}: ${ident.value}` }];
      return {
        ...named,
        kind: { vocabulary: "relationtypes", id: type },
        ...(ident === undefined ? {} : leading(identAddress(ident))),
        details: [...more.map(worded), ...own],
      };
    }),
  references: ({ references }) =>
    references.map(({ text, ident }) => ({ text, ...(ident === undefined ? {} : leading(identAddress(ident))) })),
  editions: ({ editions }) => editions.map(worded),
  volumeTitles: ({ volumeTitles }) => volumeTitles.map(worded),
  originalLanguages: ({ originalLanguages }) =>
    originalLanguages.map((id) => ({ text: id, term: { vocabulary: "languages", id } })),
  formats: ({ formats }) => formats.map(worded),
  sizes: ({ sizes }) => sizes.map(worded),
  holdingAgent: ({ holdingAgent }) => (holdingAgent === undefined ? [] : [orgText(holdingAgent)]),
  datasetSeries: ({ datasetSeries }) => (datasetSeries === undefined ? [] : [{ text: String(datasetSeries) }]),
  catalog: ({ catalog }) => (catalog === undefined ? [] : catalogValues(catalog)),
};

const TITLE_KINDS = {
  alternative: { vocabulary: "titletypes", id: "alternative-title" },
  subtitle: { vocabulary: "titletypes", id: "subtitle" },
  translated: { vocabulary: "titletypes", id: "translated-title" },
  other: { vocabulary: "titletypes", id: "other" },
} as const;
