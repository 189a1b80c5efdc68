// Fields of the index that the records interface and the tools need beyond item search (R27, R28, R37; reference 2.6).

/** Fields of words. */
export const RECORD_TEXTS = {
  /** Members of a record, each word after the code of its member (record-fields.ts). */
  members: "members",
  /** Two neighbouring words, for phrases (word-pairs.ts). */
  pairs: "pairs",
} as const;

/** Counted values. */
export const RECORD_FACETS = {
  access: "rfaccess",
  type: "rftype",
  subtype: "rfsubtype",
  fileType: "rffiletype",
  language: "rflanguage",
  subject: "rfsubject",
  year: "rfyear",
  published: "rfpublished",
  /** Its type as the vocabulary names it. */
  resourceType: "rfresourcetype",
  /** UUIDs of communities. */
  community: "rfcommunity",
  /** Numbers of the indexes that the item is in, and of those above them. */
  index: "rfindex",
  /** What it appeared in (journal-label.ts). */
  journal: "rfjournal",
  /** Names of those who paid, and licences as `licenseLabel` writes them. */
  funder: "rffunder",
  license: "rflicense",
  /** Numbers of the persons of the author database that are linked. */
  person: "rfperson",
} as const;

export const RECORD_NUMBERS = {
  /** Moments in milliseconds. */
  createdAt: "createdat",
  updatedAt: "updatedat",
  version: "versionindex",
  files: "filecount",
  bytes: "filebytes",
  /** The same of restricted files: only the privileged find by them (file-classes.ts). */
  restrictedFiles: "restrictedfilecount",
  restrictedBytes: "restrictedfilebytes",
} as const;

export const RECORD_SORTS = {
  /** As `sortupdated`, and of a draft when it was saved. */
  changed: "sortchanged",
  version: "sortversion",
  views: "sortviews",
  downloads: "sortdownloads",
} as const;

/**
 * With `draft`, `latest`, `old` in the field `standing`: the version of its parent with the highest number, draft or
 * not.
 */
export const NEWEST = "newest";
