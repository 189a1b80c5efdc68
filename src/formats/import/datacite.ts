// DataCite JSON (kernel 4) read as a record: as `GET /dois/{doi}` answers it, or its attributes alone, as exports have
// them.
import { shippedVocabulary } from "../../assets/vocabularies/index.ts";
import type { Ident, ItemDate, Metadata, Relation, ResourceType, Right } from "../../model/metadata/metadata.ts";
import { resourceTypeOf, resourceTypeRow } from "../../model/metadata/resource-types.ts";
import { accessRightsLabel, accessRightsOf } from "../../model/rights/access-rights.ts";
import type { Json } from "../../shared/json/json.ts";
import { maybe } from "../../shared/objects.ts";
import { readDatacite } from "../completion/datacite.ts";
import { list, member, text, textWith } from "../completion/foreign-json.ts";
import { vocabularyWord } from "../vocabulary-words.ts";
import { trackReads } from "./read-tracker.ts";
import { type ImportedWork, wholeOf, withKind } from "./works.ts";

/** In every document of DataCite, and not about the work. */
const AROUND: ReadonlySet<string> = new Set(
  (
    "id type relationships schemaVersion prefix suffix url state created updated registered metadataVersion source isActive xml clientId " +
    "providerId viewCount downloadCount citationCount referenceCount versionCount versionOfCount partCount partOfCount viewsOverTime " +
    "downloadsOverTime citationsOverTime contentUrl published reason agency"
  ).split(" "),
);
const isAround = (path: string): boolean =>
  AROUND.has(path.replace(/^(?:data\.)?(?:attributes\.)?/, "").split(".")[0] ?? "");

const SCHEMES: Readonly<Record<string, string>> = { URL: "URI", Handle: "HDL", "Landing page": "URI" };
const identOf = (value: string, type: string | undefined): Ident => ({
  scheme: type === undefined ? "Other" : Object.hasOwn(SCHEMES, type) ? (SCHEMES[type] ?? type) : type,
  value,
});

export function importDatacite(document: Json): ImportedWork {
  const watch = trackReads(document);
  const attributes = member(watch.document, "data", "attributes") ?? member(watch.document, "attributes");
  const work = attributes ?? watch.document;
  const base = readDatacite({ data: { attributes: work } });
  const rights = readRights(list(work, "rightsList"));
  const dates = readDates(list(work, "dates"));
  const published = dates.find(({ type }) => type === "Issued")?.date ?? base.publicationDate;
  const described = list(work, "descriptions").filter((each) => text(each, "description") !== undefined);
  const kinds = described.map(seriesKind);
  const metadata = wholeOf({
    ...base,
    ...maybe("type", typeOf(work) ?? base.type),
    creators: (base.creators ?? []).map(withKind),
    contributors: (base.contributors ?? []).map(withKind),
    ...maybe("publicationDate", published),
    // The date of publication is read once.
    dates: dates.filter(({ date, type }) => type !== "Issued" || date !== published),
    identifiers: identifiersOf(work),
    relations: list(work, "relatedIdentifiers").flatMap(relationOf),
    descriptions: (base.descriptions ?? []).map((each, index) => ({ ...each, kind: kinds[index] ?? each.kind })),
    ...rights,
  });
  const taken = metadata.relations.length + (base.containers?.length ?? 0);
  const related = list(work, "relatedIdentifiers").length;
  const lost = watch.unread().filter((path) => !isAround(path));
  return {
    metadata,
    lost: taken < related ? [...lost, `relatedIdentifiers: ${related - taken} of ${related}`] : lost,
    line: 1,
  };
}

/** Of the types DataCite has beyond the canonical words this one is kept. */
const seriesKind = (value: Json): string | undefined =>
  text(value, "descriptionType") === "SeriesInformation" ? "SeriesInformation" : undefined;

/** By the words of the type, else by the general type. */
function typeOf(work: Json): ResourceType | undefined {
  const general = text(work, "types", "resourceTypeGeneral");
  const stated = text(work, "types", "resourceType");
  const row = stated === undefined ? null : resourceTypeRow(stated, undefined);
  if (stated !== undefined && row !== null) return resourceTypeOf(stated);
  const entries = shippedVocabulary("resourcetypes").filter(({ props }) => props.datacite_general === general);
  const named =
    stated === undefined
      ? undefined
      : entries.find(({ props, title }) => [props.datacite_type, title.en].includes(stated));
  const plain = entries.find(({ props }) => (props.datacite_type ?? "") === "");
  const entry = named ?? (general === "Other" ? undefined : plain);
  return entry === undefined ? undefined : { id: entry.id };
}

function identifiersOf(work: Json): readonly Ident[] {
  const doi = text(work, "doi");
  const found = [
    ...(doi === undefined ? [] : [identOf(doi, "DOI")]),
    ...list(work, "identifiers").flatMap((each) => {
      const value = text(each, "identifier");
      return value === undefined ? [] : [identOf(value, text(each, "identifierType"))];
    }),
    ...list(work, "alternateIdentifiers").flatMap((each) => {
      const value = text(each, "alternateIdentifier");
      return value === undefined ? [] : [identOf(value, text(each, "alternateIdentifierType"))];
    }),
  ];
  const once = new Map(found.map((ident) => [`${ident.scheme.toLowerCase()} ${ident.value.toLowerCase()}`, ident]));
  return [...once.values()];
}

function readDates(dates: readonly Json[]): readonly ItemDate[] {
  return dates.flatMap((each): ItemDate[] => {
    const date = text(each, "date");
    const type = text(each, "dateType") ?? "Other";
    const stated = text(each, "dateInformation");
    if (date === undefined) return [];
    return [
      {
        date,
        type: type === "Other" ? "dcterms" : type,
        ...maybe("description", stated === undefined ? undefined : { value: stated }),
      },
    ];
  });
}

/** The first resource type of each general type. */
const BY_GENERAL = new Map(
  shippedVocabulary("resourcetypes")
    .toReversed()
    .map(({ id, props }) => [props.datacite_general ?? "", id]),
);

/** Relations as the vocabulary has them; its words are JPCOAR's where that has one. */
function relationOf(value: Json): readonly Relation[] {
  const word = vocabularyWord("relationtypes", text(value, "relationType"));
  const identifier = text(value, "relatedIdentifier");
  if (word === null || identifier === undefined) return [];
  const general = text(value, "resourceTypeGeneral");
  const type = general === undefined ? undefined : BY_GENERAL.get(general);
  return [
    {
      type: word.props.jpcoar || word.props.datacite || word.id,
      ident: identOf(identifier, text(value, "relatedIdentifierType")),
      titles: [],
      ...maybe("resourceType", type),
    },
  ];
}

const COPYRIGHT = "http://rightsstatements.org/vocab/InC/1.0/";

/** Licences; the list also holds how open the work is and who has the copyright. */
function readRights(
  rows: readonly Json[],
): Pick<Metadata, "rights"> & Partial<Pick<Metadata, "accessRights" | "copyright">> {
  const rights: Right[] = [];
  const found: { accessRights?: Metadata["accessRights"]; copyright?: string } = {};
  for (const row of rows) {
    const [words, uri, identifier] = [
      text(row, "rights"),
      text(row, "rightsUri") ?? text(row, "rightsURI"),
      text(row, "rightsIdentifier"),
    ];
    const access = words === undefined ? null : accessRightsLabel(words, uri);
    if (access !== null) found.accessRights = accessRightsOf(access);
    else if (uri === COPYRIGHT && words !== undefined) found.copyright = words;
    else {
      const [right] = readDatacite({ data: { attributes: { rightsList: [row] } } }).rights ?? [];
      const isSpdx = text(row, "rightsIdentifierScheme")?.toLowerCase() === "spdx";
      const id = right?.id ?? (isSpdx ? identifier?.toLowerCase() : undefined);
      const title = words === undefined ? [] : [textWith(words, text(row, "lang"))];
      if (id !== undefined || title.length > 0 || uri !== undefined) {
        rights.push({ ...maybe("id", id), text: id === undefined ? title : [], ...maybe("uri", uri) });
      }
    }
  }
  return { rights, ...maybe("accessRights", found.accessRights), ...maybe("copyright", found.copyright) };
}
