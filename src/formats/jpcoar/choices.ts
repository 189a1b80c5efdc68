// The lists of the JPCOAR 2.0 schema: what schemes and types may be called in a record.

export const NAME_SCHEMES = [
  "e-Rad_Researcher",
  "NRID",
  "ORCID",
  "ISNI",
  "VIAF",
  "AID",
  "kakenhi",
  "Ringgold",
  "GRID",
  "ROR",
] as const;
export const SUBJECT_SCHEMES = [
  "BSH",
  "DDC",
  "e-Rad_field",
  "JEL",
  "LCC",
  "LCSH",
  "MeSH",
  "NDC",
  "NDLC",
  "NDLSH",
  "SciVal",
  "UDC",
  "Other",
] as const;
export const DESCRIPTION_TYPES = ["Abstract", "Methods", "TableOfContents", "TechnicalInfo", "Other"] as const;
export const DATE_TYPES = [
  "Accepted",
  "Available",
  "Collected",
  "Copyrighted",
  "Created",
  "Issued",
  "Submitted",
  "Updated",
  "Valid",
] as const;
export const IDENTIFIER_TYPES = ["DOI", "HDL", "URI"] as const;
export const REGISTRATION_TYPES = ["JaLC", "Crossref", "DataCite", "PMID"] as const;
export const RELATED_IDENTIFIER_TYPES = [
  "ARK",
  "arXiv",
  "CRID",
  "DOI",
  "HDL",
  "ICHUSHI",
  "ISBN",
  "J-GLOBAL",
  "Local",
  "PISSN",
  "EISSN",
  "ISSN",
  "NAID",
  "NCID",
  "PMID",
  "PURL",
  "SCOPUS",
  "URI",
  "WOS",
] as const;
export const RELATION_TYPES = [
  "inSeries",
  "isCitedBy",
  "Cites",
  "isVersionOf",
  "hasVersion",
  "isPartOf",
  "hasPart",
  "isReferencedBy",
  "references",
  "isFormatOf",
  "hasFormat",
  "isReplacedBy",
  "replaces",
  "isRequiredBy",
  "requires",
  "isSupplementTo",
  "isSupplementedBy",
  "isIdenticalTo",
  "isDerivedFrom",
  "isSourceOf",
] as const;
export const CONTRIBUTOR_TYPES = [
  "ContactPerson",
  "DataCollector",
  "DataCurator",
  "DataManager",
  "Distributor",
  "Editor",
  "HostingInstitution",
  "Producer",
  "ProjectLeader",
  "ProjectManager",
  "ProjectMember",
  "RelatedPerson",
  "Researcher",
  "ResearchGroup",
  "Sponsor",
  "Supervisor",
  "WorkPackageLeader",
  "Other",
] as const;
export const OBJECT_TYPES = [
  "abstract",
  "dataset",
  "fulltext",
  "iiif",
  "software",
  "summary",
  "thumbnail",
  "other",
] as const;
export const FUNDER_TYPES = ["Crossref Funder", "e-Rad_funder", "GRID", "ISNI", "ROR", "Other"] as const;
export const STREAM_TYPES = ["Crossref Funder", "JGN_fundingStream"] as const;
export const SOURCE_TYPES = ["PISSN", "EISSN", "ISSN", "NCID"] as const;
export const HOLDING_SCHEMES = ["kakenhi", "ISNI", "Ringgold", "GRID", "ROR", "FANO", "ISIL", "MARC", "OCLC"] as const;
export const LICENSE_TYPES = ["file", "metadata", "thumbnail"] as const;
export const NAME_TYPES = ["Organizational", "Personal"] as const;
