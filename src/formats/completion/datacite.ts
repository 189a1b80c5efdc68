// Reads the metadata of a DOI at DataCite (`GET /dois/{doi}`) into the canonical metadata (R3, R14).

import { languageOf } from "../../model/metadata/language-codes.ts";
import { licenseIdOf } from "../../model/metadata/licenses.ts";
import type {
  Agent,
  Container,
  Funding,
  Ident,
  Location,
  Metadata,
  Org,
  Relation,
  Title,
} from "../../model/metadata/metadata.ts";
import { resourceTypeOf } from "../../model/metadata/resource-types.ts";
import type { Json } from "../../shared/json/json.ts";
import { maybe, own } from "../../shared/objects.ts";
import { withoutEnd } from "../../shared/text/text.ts";
import { DATE_TYPES } from "../jpcoar/choices.ts";
import { list, member, text, textWith, withoutMarkup } from "./foreign-json.ts";

/** DataCite's general types as JPCOAR labels. */
const TYPES: Readonly<Record<string, string>> = {
  Dataset: "dataset",
  JournalArticle: "journal article",
  DataPaper: "data paper",
  ConferencePaper: "conference paper",
  ConferenceProceeding: "conference proceedings",
  Book: "book",
  BookChapter: "book part",
  Dissertation: "thesis",
  Journal: "journal",
  Report: "report",
  Preprint: "working paper",
  PeerReview: "peer review",
  OutputManagementPlan: "data management plan",
  Software: "software",
  Workflow: "workflow",
  Image: "image",
  Sound: "sound",
  Audiovisual: "video",
  InteractiveResource: "interactive resource",
};

/** DataCite's relations as JPCOAR's; others have no place. */
const RELATIONS: Readonly<Record<string, string>> = {
  IsCitedBy: "isCitedBy",
  Cites: "Cites",
  IsSupplementTo: "isSupplementTo",
  IsSupplementedBy: "isSupplementedBy",
  HasVersion: "hasVersion",
  IsVersionOf: "isVersionOf",
  IsNewVersionOf: "replaces",
  IsPreviousVersionOf: "isReplacedBy",
  IsPartOf: "isPartOf",
  HasPart: "hasPart",
  IsReferencedBy: "isReferencedBy",
  References: "references",
  IsVariantFormOf: "isFormatOf",
  IsOriginalFormOf: "hasFormat",
  IsIdenticalTo: "isIdenticalTo",
  IsDerivedFrom: "isDerivedFrom",
  IsSourceOf: "isSourceOf",
  Requires: "requires",
  IsRequiredBy: "isRequiredBy",
  Obsoletes: "replaces",
  IsObsoletedBy: "isReplacedBy",
};

const DATES: ReadonlySet<string> = new Set(DATE_TYPES);
const DESCRIPTION_TYPES = new Set(["Abstract", "Methods", "TableOfContents", "TechnicalInfo"]);

/** Members of the metadata that the document has values for; an empty object when it has none. */
export function readDatacite(document: Json): Partial<Metadata> {
  const work = member(document, "data", "attributes");
  const type = own(TYPES, text(work, "types", "resourceTypeGeneral") ?? "");
  const publisher = text(work, "publisher") ?? text(work, "publisher", "name");
  const language = text(work, "language");
  const container = containerOf(member(work, "container"));
  return {
    ...maybe("type", type === undefined ? undefined : resourceTypeOf(type)),
    titles: list(work, "titles").flatMap(titleOf),
    creators: list(work, "creators").flatMap(agentOf),
    contributors: list(work, "contributors").flatMap((each) =>
      agentOf(each).map((agent) => ({ ...agent, ...maybe("role", text(each, "contributorType")) })),
    ),
    publishers: publisher === undefined ? [] : [{ names: [{ value: publisher }] }],
    ...maybe("publicationDate", text(work, "publicationYear")),
    subjects: list(work, "subjects").flatMap((each) => {
      const value = text(each, "subject");
      if (value === undefined) return [];
      const subject = { text: textWith(value, text(each, "lang")), ...maybe("scheme", text(each, "subjectScheme")) };
      return [{ ...subject, ...maybe("uri", text(each, "valueUri")) }];
    }),
    dates: list(work, "dates").flatMap((each) => {
      const date = text(each, "date");
      const dateType = text(each, "dateType") ?? "";
      return date === undefined || !DATES.has(dateType) ? [] : [{ date, type: dateType }];
    }),
    languages: language === undefined ? [] : [languageOf(language)],
    ...maybe("versionLabel", text(work, "version")),
    sizes: list(work, "sizes").flatMap(plain),
    formats: list(work, "formats").flatMap(plain),
    rights: list(work, "rightsList").flatMap((each) => {
      const uri = text(each, "rightsUri");
      const words = text(each, "rights");
      if (uri === undefined && words === undefined) return [];
      const id = uri === undefined ? undefined : (licenseIdOf(uri) ?? undefined);
      return [
        {
          ...maybe("id", id),
          text: words === undefined ? [] : [textWith(words, text(each, "lang"))],
          ...maybe("uri", uri),
        },
      ];
    }),
    descriptions: list(work, "descriptions").flatMap((each) => {
      const value = text(each, "description");
      const kind = text(each, "descriptionType") ?? "";
      if (value === undefined) return [];
      const words = textWith(withoutMarkup(value), text(each, "lang"));
      return [{ ...words, kind: DESCRIPTION_TYPES.has(kind) ? kind : "Other", html: false }];
    }),
    relations: list(work, "relatedIdentifiers").flatMap(relationOf),
    locations: list(work, "geoLocations").flatMap(locationOf),
    funding: list(work, "fundingReferences").flatMap(fundingOf),
    containers: container === null ? [] : [container],
  };
}

function plain(value: Json): readonly { readonly value: string }[] {
  const found = text(value);
  return found === undefined ? [] : [{ value: found }];
}

const TITLE_KINDS: Readonly<Record<string, Title["kind"]>> = {
  AlternativeTitle: "alternative",
  Subtitle: "subtitle",
  TranslatedTitle: "translated",
  Other: "other",
};

function titleOf(value: Json): readonly Title[] {
  const title = text(value, "title");
  if (title === undefined) return [];
  return [
    { ...textWith(title, text(value, "lang")), kind: own(TITLE_KINDS, text(value, "titleType") ?? "") ?? "main" },
  ];
}

function agentOf(value: Json): readonly Agent[] {
  const full = text(value, "name");
  const family = text(value, "familyName");
  const given = text(value, "givenName");
  const nameType = text(value, "nameType");
  if (full === undefined && family === undefined && given === undefined) return [];
  const ids = list(value, "nameIdentifiers").flatMap((each): Ident[] => {
    const written = text(each, "nameIdentifier");
    if (written === undefined) return [];
    const isAddress = /^https?:\/\//.test(written);
    const id = isAddress ? (withoutEnd(written, "/").split("/").at(-1) ?? written) : written;
    return [
      { scheme: text(each, "nameIdentifierScheme") ?? "Other", value: id, ...(isAddress ? { uri: written } : {}) },
    ];
  });
  return [
    {
      kind: nameType === "Personal" ? "personal" : nameType === "Organizational" ? "organizational" : null,
      names: [{ ...maybe("full", full), ...maybe("family", family), ...maybe("given", given) }],
      alternatives: [],
      ids,
      emails: [],
      affiliations: list(value, "affiliation").flatMap(affiliationOf),
    },
  ];
}

function affiliationOf(value: Json): readonly Org[] {
  const name = text(value) ?? text(value, "name");
  const id = text(value, "affiliationIdentifier");
  if (name === undefined) return [];
  const scheme = text(value, "affiliationIdentifierScheme") ?? "Other";
  return [{ names: [{ value: name }], ids: id === undefined ? [] : [{ scheme, value: id }] }];
}

function relationOf(value: Json): readonly Relation[] {
  const type = own(RELATIONS, text(value, "relationType") ?? "");
  const identifier = text(value, "relatedIdentifier");
  if (type === undefined || identifier === undefined) return [];
  const written = text(value, "relatedIdentifierType") ?? "URI";
  return [{ type, ident: { scheme: written === "URL" ? "URI" : written, value: identifier }, titles: [] }];
}

function locationOf(value: Json): readonly Location[] {
  const place = text(value, "geoLocationPlace");
  const longitude = text(value, "geoLocationPoint", "pointLongitude");
  const latitude = text(value, "geoLocationPoint", "pointLatitude");
  const side = (name: string): string | undefined =>
    text(value, "geoLocationBox", `${name}BoundLongitude`) ?? text(value, "geoLocationBox", `${name}BoundLatitude`);
  const [west, east, south, north] = [side("west"), side("east"), side("south"), side("north")];
  const point = longitude === undefined || latitude === undefined ? undefined : { longitude, latitude };
  const box =
    west === undefined || east === undefined || south === undefined || north === undefined
      ? undefined
      : { west, east, south, north };
  if (place === undefined && point === undefined && box === undefined) return [];
  return [
    { ...maybe("point", point), ...maybe("box", box), places: place === undefined ? [] : [{ value: place }], ids: [] },
  ];
}

const FUNDER_SCHEMES: Readonly<Record<string, string>> = { "Crossref Funder ID": "Crossref Funder" };

function fundingOf(value: Json): readonly Funding[] {
  const name = text(value, "funderName");
  const id = text(value, "funderIdentifier");
  if (name === undefined && id === undefined) return [];
  const scheme = text(value, "funderIdentifierType") ?? "Other";
  const number = text(value, "awardNumber");
  const uri = text(value, "awardUri");
  const title = text(value, "awardTitle");
  const hasAward = number !== undefined || uri !== undefined || title !== undefined;
  const award = {
    ...maybe("number", number),
    ...maybe("uri", uri),
    titles: title === undefined ? [] : [{ value: title }],
  };
  return [
    {
      funder: {
        names: name === undefined ? [] : [{ value: name }],
        ids: id === undefined ? [] : [{ scheme: own(FUNDER_SCHEMES, scheme) ?? scheme, value: id }],
      },
      ...(hasAward ? { award } : {}),
    },
  ];
}

function containerOf(value: Json | undefined): Container | null {
  const title = text(value, "title");
  if (title === undefined) return null;
  const id = text(value, "identifier");
  const scheme = text(value, "identifierType") ?? "ISSN";
  return {
    titles: [{ value: title }],
    ids: id === undefined ? [] : [{ scheme, value: id }],
    ...maybe("volume", text(value, "volume")),
    ...maybe("issue", text(value, "issue")),
    ...maybe("pageStart", text(value, "firstPage")),
    ...maybe("pageEnd", text(value, "lastPage")),
    place: "flat",
  };
}
