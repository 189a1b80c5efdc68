// The controlled lists of DataCite 4.6, and how words of the model map to them.
import { own } from "../../shared/objects.ts";
import { flatWord, vocabularyWord } from "../vocabulary-words.ts";

export const RESOURCE_TYPES = [
  "Audiovisual",
  "Award",
  "Book",
  "BookChapter",
  "Collection",
  "ComputationalNotebook",
  "ConferencePaper",
  "ConferenceProceeding",
  "DataPaper",
  "Dataset",
  "Dissertation",
  "Event",
  "Image",
  "Instrument",
  "InteractiveResource",
  "Journal",
  "JournalArticle",
  "Model",
  "OutputManagementPlan",
  "PeerReview",
  "PhysicalObject",
  "Preprint",
  "Project",
  "Report",
  "Service",
  "Software",
  "Sound",
  "Standard",
  "StudyRegistration",
  "Text",
  "Workflow",
  "Other",
] as const;
export const CONTRIBUTOR_TYPES = [
  "ContactPerson",
  "DataCollector",
  "DataCurator",
  "DataManager",
  "Distributor",
  "Editor",
  "HostingInstitution",
  "Other",
  "Producer",
  "ProjectLeader",
  "ProjectManager",
  "ProjectMember",
  "RegistrationAgency",
  "RegistrationAuthority",
  "RelatedPerson",
  "ResearchGroup",
  "RightsHolder",
  "Researcher",
  "Sponsor",
  "Supervisor",
  "Translator",
  "WorkPackageLeader",
] as const;
export const DATE_TYPES = [
  "Accepted",
  "Available",
  "Collected",
  "Copyrighted",
  "Coverage",
  "Created",
  "Issued",
  "Other",
  "Submitted",
  "Updated",
  "Valid",
  "Withdrawn",
] as const;
export const DESCRIPTION_TYPES = [
  "Abstract",
  "Methods",
  "SeriesInformation",
  "TableOfContents",
  "TechnicalInfo",
  "Other",
] as const;
export const TITLE_TYPES = ["AlternativeTitle", "Subtitle", "TranslatedTitle", "Other"] as const;
export const FUNDER_TYPES = ["ISNI", "GRID", "ROR", "Crossref Funder ID", "Other"] as const;
export const IDENTIFIER_TYPES = [
  "ARK",
  "arXiv",
  "bibcode",
  "CSTR",
  "DOI",
  "EAN13",
  "EISSN",
  "Handle",
  "IGSN",
  "ISBN",
  "ISSN",
  "ISTC",
  "LISSN",
  "LSID",
  "PMID",
  "PURL",
  "RRID",
  "UPC",
  "URL",
  "URN",
  "w3id",
] as const;
export const RELATION_TYPES = [
  "IsCitedBy",
  "Cites",
  "IsSupplementTo",
  "IsSupplementedBy",
  "IsContinuedBy",
  "Continues",
  "IsNewVersionOf",
  "IsPreviousVersionOf",
  "IsPartOf",
  "HasPart",
  "IsPublishedIn",
  "IsReferencedBy",
  "References",
  "IsDocumentedBy",
  "Documents",
  "IsCompiledBy",
  "Compiles",
  "IsVariantFormOf",
  "IsOriginalFormOf",
  "IsIdenticalTo",
  "HasMetadata",
  "IsMetadataFor",
  "Reviews",
  "IsReviewedBy",
  "IsDerivedFrom",
  "IsSourceOf",
  "Describes",
  "IsDescribedBy",
  "HasVersion",
  "IsVersionOf",
  "Requires",
  "IsRequiredBy",
  "Obsoletes",
  "IsObsoletedBy",
  "Collects",
  "IsCollectedBy",
  "HasTranslation",
  "IsTranslationOf",
] as const;

export type ResourceTypeGeneral = (typeof RESOURCE_TYPES)[number];
export type ContributorType = (typeof CONTRIBUTOR_TYPES)[number];
export type DateType = (typeof DATE_TYPES)[number];
export type DescriptionType = (typeof DESCRIPTION_TYPES)[number];
export type TitleType = (typeof TITLE_TYPES)[number];
export type FunderType = (typeof FUNDER_TYPES)[number];
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number];
export type RelationType = (typeof RELATION_TYPES)[number];

/**
 * Finds the entry of a list for words: by the vocabulary, else by the list's own names; null where none matches.
 */
function finder<T extends string>(
  list: readonly T[],
  vocabulary: Parameters<typeof vocabularyWord>[0] | null,
  more: Readonly<Record<string, T>> = {},
) {
  const names = new Map(list.map((each): [string, T] => [flatWord(each), each]));
  return (written: string | undefined): T | null => {
    if (written === undefined) return null;
    const word = vocabulary === null ? null : vocabularyWord(vocabulary, written);
    const flat = flatWord(word?.props.datacite || written);
    return names.get(flat) ?? own(more, flat) ?? null;
  };
}

export const contributorTypeOf = finder(CONTRIBUTOR_TYPES, "contributorsroles");
export const dateTypeOf = finder(DATE_TYPES, "datetypes");
export const descriptionTypeOf = finder(DESCRIPTION_TYPES, "descriptiontypes");
export const relationTypeOf = finder(RELATION_TYPES, "relationtypes", {
  isformatof: "IsVariantFormOf",
  hasformat: "IsOriginalFormOf",
  isreplacedby: "IsObsoletedBy",
  replaces: "Obsoletes",
  inseries: "IsPartOf",
});
export const resourceTypeGeneralOf = finder(RESOURCE_TYPES, null);
export const identifierTypeOf = finder(IDENTIFIER_TYPES, null, {
  hdl: "Handle",
  uri: "URL",
  ads: "bibcode",
  pissn: "ISSN",
  lsid1: "LSID",
});
export const funderTypeOf = finder(FUNDER_TYPES, null, {
  crossreffunder: "Crossref Funder ID",
  doi: "Crossref Funder ID",
});
