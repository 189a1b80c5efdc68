// Names in crates (RO-Crate 1.1) and the prefix of our terms (R14).

export const CRATE_CONTEXT = "https://w3id.org/ro/crate/1.1/context";
export const CRATE_PROFILE = "https://w3id.org/ro/crate/1.1";
export const CRATE_FILE_NAME = "ro-crate-metadata.json";
/** Where a package has its crate (specification "Package content rules"). */
export const CRATE_PATH = `data/${CRATE_FILE_NAME}`;
export const ROOT_ID = "./";

/** Prefixes of a crate's terms beyond those of the RO-Crate context. */
export const CRATE_PREFIXES = {
  dc: "http://purl.org/dc/elements/1.1/",
  dcterms: "http://purl.org/dc/terms/",
  jpcoar: "https://github.com/JPCOAR/schema/blob/master/2.0/",
  svc: "urn:arkstone:terms:",
} as const;

export const ARK_TERM = "svc:ark";
export const LANDING_PAGE_TERM = "svc:landingPage";
export const PUBDATE_TERM = "svc:pubdate";
/** Names of members that the metadata does not have although the document seems to contain them. */
export const ABSENT_TERM = "svc:absent";
