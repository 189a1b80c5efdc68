// How much of everything is taken from outside (R9a). Each limit is held before the work that it bounds, and has the
// setting that moves it or the reason why there is none. docs/security.md shows this table; a test holds the two
// against each other.

type Limit<Most extends number = number> = {
  readonly most: Most;
  /** What is counted. */
  readonly of: string;
  readonly moved: { readonly by: `SVC_${string}` } | { readonly by: null; readonly because: string };
};

const limit = <const Most extends number>(most: Most, of: string, moved: Limit["moved"]): Limit<Most> => ({
  most,
  of,
  moved,
});

const fixed = (because: string): Limit["moved"] => ({ by: null, because });
const setting = (by: `SVC_${string}`): Limit["moved"] => ({ by });

const MIB = 1024 * 1024;

const FORMS = fixed("the forms of our pages are smaller by far");
const EVERYWHERE = fixed("what one Arkstone keeps, exports and sends, every other must be able to read");
const STACK = fixed("parsers are recursive: it bounds their stack, which no setting makes larger");
const MEMORY_OF_VIEWS = fixed("each takes several times its size; the others wait");
const VIEWS = fixed("somebody waits for the page; the file can be downloaded");
const TEXTS = fixed("SVC_FULL_TEXT_SECONDS and SVC_FULL_TEXT_MEMORY_MIB end its reader before");
const MEMORY = fixed("the document is read whole: it bounds the memory that one deposit takes");

/** The table. A limit that a setting moves is given here with its default. */
export const LIMITS = {
  /** Held while the form is read. */
  formBytes: limit(64 * 1024, "bytes of a form", FORMS),
  /** Counted before the form is taken apart. */
  formFields: limit(200, "fields of a form", FORMS),
  /** A draft has as many fields as its item has values. */
  draftFormBytes: limit(16 * MIB, "bytes of the form of a draft", fixed("an item's metadata are shorter")),
  draftFormFields: limit(
    20_000,
    "fields of the form of a draft",
    fixed("longer items are written over the interfaces"),
  ),
  bodyBytes: limit(16 * MIB, "bytes of any other body but a deposit", setting("SVC_BODY_LIMIT")),
  /** Counted from the first piece on; the average of a body's pieces is what matters. */
  tinyPieces: limit(10_000, "pieces of a body whose average is below 16 bytes", fixed("no client sends such pieces")),
  bodyValues: limit(500_000, "values of a JSON body", MEMORY),
  settingBytes: limit(
    2 * MIB,
    "bytes of a JSON body sent to the repository",
    fixed("the largest item type is smaller by far"),
  ),
  depositBytes: limit(16_777_216_000, "bytes of a deposit", setting("SVC_MAX_UPLOAD_BYTES")),
  rows: limit(10_000, "rows of one request", setting("SVC_BULK_LIMIT")),

  /** Titles, subjects, identifiers ...: what one member of the metadata lists. */
  values: limit(10_000, "values of a field", EVERYWHERE),
  /** Creators, contributors and rights holders together. */
  authors: limit(20_000, "authors of an item that are kept", EVERYWHERE),
  /** Counted before they are looked up. */
  entriesNamed: limit(20_000, "entries of vocabularies that one record names", EVERYWHERE),
  importBytes: limit(
    512 * 1024,
    "bytes of a document that becomes a record over HTTP",
    fixed("a longer one would block the event loop; the command line accepts it"),
  ),
  recordFaults: limit(
    1_000,
    "faults that are reported for one record",
    fixed("further faults are reported after these are corrected"),
  ),
  authorsShown: limit(5_000, "authors of an item that a page shows", fixed("a page that lists more is read by nobody")),
  files: limit(10_000, "files of an item", EVERYWHERE),
  /** As it is stored: names of folders are percent-encoded. */
  fileKeyCharacters: limit(1_024, "characters of the key of a file", EVERYWHERE),
  fileMetadataCharacters: limit(65_536, "characters of the metadata of one file", fixed("it describes one file")),
  fileDescriptionCharacters: limit(
    4_000,
    "characters of the description of a file in pages",
    fixed("it is shown in a list"),
  ),
  fileFingerprintCharacters: limit(200, "characters by which a client recognises a file", fixed("it is a hash")),
  fileGroups: limit(100, "groups that one file is limited to", fixed("it is listed with each file")),
  removedFiles: limit(1_000, "removed files that are kept of one draft", fixed("they can be put back for a week")),
  unpackedEntries: limit(1_000, "entries of an archive that is unpacked in a draft", fixed("somebody waits for it")),
  unpackedBytes: limit(2_048 * MIB, "bytes that such an archive unpacks to", fixed("somebody waits for it")),
  fileParts: limit(10_000, "parts of an upload", fixed("stores of the S3 kind join no more")),
  uploadsInParts: limit(100, "uploads in parts that one draft has under way", fixed("each is asked for at the store")),
  draftRevisions: limit(200, "revisions that are kept of one draft", fixed("nobody reads a longer list")),
  draftRevisionCharacters: limit(64 * MIB, "characters of the kept revisions of one draft", EVERYWHERE),
  draftRevisionDays: limit(
    30,
    "days that a revision of a draft is kept",
    fixed("longer histories are those of published versions"),
  ),
  uploadsAtOnce: limit(50, "files that are received at once", fixed("each takes memory and a place on the disk")),
  indexes: limit(100, "indexes of an item", EVERYWHERE),
  bulkItems: limit(
    500,
    "items of one bulk change",
    fixed("each is a transaction of one job, and one line of its report"),
  ),
  metadataCharacters: limit(8 * MIB, "characters of an item's metadata", EVERYWHERE),
  valueCharacters: limit(MIB, "characters of a value", EVERYWHERE),
  nameCharacters: limit(10_000, "characters of a name or an identifier", EVERYWHERE),
  /**
   * Identifiers and addresses: each is found by an index, whose keys are short. Names are as long as elsewhere
   * (`nameCharacters`).
   */
  authorCharacters: limit(
    500,
    "characters of a value in the author database, except names",
    fixed("no identifier of a person is longer"),
  ),
  authorEntries: limit(
    200,
    "entries of a list of an author",
    fixed("no person has more names, identifiers or affiliations"),
  ),
  commentCharacters: limit(
    10_000,
    "characters of a comment, before it is cleaned",
    fixed("a longer text belongs in a separate document"),
  ),
  fieldComments: limit(100, "comments on fields that accompany one decision", fixed("a record has fewer fields")),
  requestEntries: limit(10_000, "entries of the timeline of a request", fixed("no conversation is longer")),
  tasksAtOnce: limit(100, "tasks that are decided, or shown, at once", fixed("each is a separate transaction")),
  joinRequests: limit(
    5,
    "requests of one person in a day to join one community",
    fixed("each is mail to its managers"),
  ),
  recordOffers: limit(10, "offers of one record to other accounts in a day", fixed("each is mail to somebody")),
  openOffers: limit(100, "offers of records of one account that wait", fixed("each waits in the list of somebody")),
  accessPurposeCharacters: limit(
    4_000,
    "characters of the purpose of a request for closed files, and of the answer",
    fixed("a longer text belongs in a separate document"),
  ),
  accessRequestsOfAccount: limit(
    20,
    "requests of one account for closed files in a day",
    fixed("each is mail to somebody"),
  ),
  guestRequestsOfAddress: limit(
    3,
    "requests for closed files in a day with one mail address that guests typed",
    fixed("each is mail to an address that nobody has confirmed"),
  ),
  guestRequestsOfRecord: limit(
    50,
    "requests for the closed files of one record in a day, above which guests ask for none",
    fixed("each is mail to an address that nobody has confirmed"),
  ),
  accessRequestsWaiting: limit(
    200,
    "requests for the closed files of one record that wait",
    fixed("people decide them"),
  ),
  guestRequestsAMinute: limit(
    5,
    "requests of one client for closed files in a minute without signing in",
    fixed("each is mail to an address that nobody has confirmed"),
  ),
  guestHours: limit(
    24,
    "hours in which a guest confirms a request for closed files",
    fixed("the name and the address are deleted after them"),
  ),
  guestDays: limit(
    30,
    "days that name, address and link of a guest are kept after a request for closed files or its right has ended",
    fixed("nobody needs them any more"),
  ),
  accessDays: limit(365, "days that the right to closed files lasts", fixed("who needs it longer asks again")),
  communityMembers: limit(10_000, "members of a community", fixed("they are read whole where their rights change")),
  changedMembers: limit(100, "members that one request changes or invites", fixed("they are one transaction")),
  askedCommunities: limit(
    10,
    "communities that one request takes a record into, or out of",
    fixed("they are one transaction"),
  ),
  communityCharacters: limit(
    50_000,
    "characters of the page or the policy of a community",
    fixed("a longer text belongs in a separate document"),
  ),
  logoBytes: limit(1_000_000, "bytes of the picture of a community", fixed("it is a row of the database")),
  authorsOfAnAnswer: limit(1_000, "authors of one answer", fixed("the next page holds the others")),

  redirectUris: limit(20, "addresses that a client has people sent back to", fixed("no program has more")),
  registrationBytes: limit(
    16_384,
    "bytes of the registration of a client",
    fixed("a client describes itself in a few lines"),
  ),
  clientDocumentBytes: limit(
    10_240,
    "bytes of the document about a client",
    fixed("a client describes itself in a few lines"),
  ),
  unusedClients: limit(
    10_000,
    "clients that registered and were never allowed anything",
    fixed("the oldest are forgotten first"),
  ),
  accountGrants: limit(1_000, "programs that one account allows something", fixed("people end what they do not use")),

  documentBytes: limit(16 * MIB, "bytes of a metadata document", MEMORY),
  jsonValues: limit(2_000_000, "values of a JSON document", MEMORY),
  jsonDepth: limit(200, "arrays and objects inside each other", STACK),
  /** An index is sent back with all below it, as GET gave it: two levels for each of the tree. */
  indexDepth: limit(2_500, "arrays and objects inside each other of an index that is sent", STACK),
  /** As long as the longest list an item may have. */
  jsonList: limit(20_000, "members of a list, except `@graph`", EVERYWHERE),
  graphEntities: limit(100_000, "entities of an `@graph`", MEMORY),
  /** A shorter document may make less of itself: src/formats/json-ld/graph.ts. */
  graphReads: limit(4_000_000, "values that links make of an `@graph`", MEMORY),
  graphCharacters: limit(128 * MIB, "characters that links make of an `@graph`", MEMORY),
  xmlDepth: limit(100, "XML elements inside each other", STACK),
  xmlElements: limit(500_000, "elements of an XML document", MEMORY),
  xmlAttributes: limit(64, "attributes of an XML element", MEMORY),
  xmlNamespaces: limit(100, "namespace prefixes in the scope of an XML element", MEMORY),
  xmlChildren: limit(20_000, "children of one name of an XML element", EVERYWHERE),
  namespaceCharacters: limit(1_000, "characters of a namespace of an XML document or a JSON-LD context", MEMORY),
  macroCharacters: limit(MIB, "characters that the macros of a BibTeX file expand to, each use counted", MEMORY),
  tableRows: limit(10_000, "rows of a table", MEMORY),
  tableColumns: limit(100_000, "columns of a table", MEMORY),
  tableCells: limit(4_000_000, "cells of a table", MEMORY),
  cellCharacters: limit(200_000, "characters of a cell", MEMORY),
  /** Counted before a column is read. */
  exportedHits: limit(
    10_000,
    "hits of a search in one file",
    fixed("lists without end are those of POST /records/list"),
  ),
  staticPages: limit(100, "static pages, deleted ones too", fixed("they are a few texts about the repository")),
  staticPageCharacters: limit(100_000, "characters of a static page in one language", fixed("it is shown whole")),
  staticPageRevisions: limit(
    500,
    "revisions of a static page",
    fixed("older ones are deleted: they are rows of the database"),
  ),
  savedSearches: limit(100, "searches that an account saves", fixed("their alerts are run every day")),
  savedSearchCharacters: limit(
    2_000,
    "characters of a saved search, encoded",
    fixed("browsers send longer addresses badly"),
  ),
  alertItems: limit(50, "new items in one mail of a saved search", fixed("the others are in the next one")),
  listColumns: limit(1_000, "columns of a list of hits", fixed("a table that has more is read by nobody")),
  bagTagBytes: limit(64 * MIB, "bytes of the manifests and tag files of a bag", MEMORY),

  queryCharacters: limit(1_000, "characters of a search text", fixed("no title is longer")),
  completedCharacters: limit(200, "characters that are completed while somebody types", fixed("a line is shorter")),
  queryParts: limit(
    1_000,
    "words and values that one search compares, a pair of Japanese characters each",
    fixed("it bounds what one question costs the index"),
  ),
  queryParameters: limit(500, "parameters of an address", fixed("the interface has fewer than a hundred")),
  luceneCharacters: limit(10_000, "characters of a query in Lucene's manner", fixed("lists of numbers are not longer")),
  /** Held while the query is read; what has more is taken as words. */
  luceneParts: limit(
    300,
    "words, phrases and ranges of such a query",
    fixed("it bounds what one question costs the index"),
  ),
  lucenePartsRead: limit(
    2_000,
    "words that are read from a text that is not a query",
    fixed("the others decide nothing"),
  ),
  luceneDepth: limit(40, "groups inside each other of such a query", STACK),
  /** More are refused. */
  lucenePatterns: limit(
    20,
    "patterns, regular expressions and fuzzy words of such a query",
    fixed("each is compared with words of the index"),
  ),
  luceneExpansions: limit(
    100,
    "members of records in which the patterns and ranges of such a query are searched",
    fixed("it bounds what one question costs the index"),
  ),
  /**
   * The words that match a pattern, a regular expression or a fuzzy word; with more matches the query is read as words.
   */
  expansions: limit(400, "words of the index that the patterns of one query match", fixed("each is asked for")),
  expansionWords: limit(
    50_000,
    "words of the index that are compared with the patterns of one query",
    fixed("it bounds what one question costs the index"),
  ),
  patternCharacters: limit(200, "characters of a pattern or a regular expression", fixed("no word is longer")),
  packageEntries: limit(100_000, "entries of a ZIP", fixed("the directory of a ZIP is held in memory")),
  textFileBytes: limit(100 * MIB, "bytes of a file whose words are read", setting("SVC_FULL_TEXT_MAX_FILE")),
  textCharacters: limit(1_000_000, "characters that are kept of a file", setting("SVC_FULL_TEXT_CHARACTERS")),
  textItemCharacters: limit(
    3_000_000,
    "characters that are kept of the files of an item",
    setting("SVC_FULL_TEXT_ITEM_CHARACTERS"),
  ),
  /** Of a document that is an archive, inflated; what is more is left out. */
  textPartBytes: limit(32 * MIB, "bytes of one part of such a file", TEXTS),
  textParts: limit(10_000, "parts of such a file, chapters and slides", TEXTS),
  textPages: limit(100_000, "pages of a PDF", TEXTS),

  /** What the viewers of files read; longer files are downloaded. */
  viewsAtOnce: limit(4, "files of more than 1 MiB that viewers read at once", MEMORY_OF_VIEWS),
  viewMarkdownBytes: limit(MIB, "bytes of Markdown that a viewer shows", VIEWS),
  viewSheetBytes: limit(16 * MIB, "bytes of one part of a workbook, inflated, that a viewer reads", VIEWS),
  viewNotebookBytes: limit(16 * MIB, "bytes of a notebook that a viewer shows", VIEWS),
  viewDataBytes: limit(8 * MIB, "bytes of JSON or XML that a viewer shows", VIEWS),
  viewTableBytes: limit(4 * MIB, "bytes of a table of which a viewer shows rows", VIEWS),
  viewPictureBytes: limit(64 * MIB, "bytes of a picture that a viewer shows", VIEWS),
  /** A browser needs four bytes for each. */
  viewPicturePixels: limit(100_000_000, "pixels of a picture that a viewer shows", VIEWS),
  viewMapBytes: limit(16 * MIB, "bytes of a GeoJSON file that a viewer shows", VIEWS),
  viewTracks: limit(8, "files of captions that a viewer of a film offers", VIEWS),
  viewCues: limit(2_000, "captions of a transcript", VIEWS),
  iiifPictures: limit(500, "pictures in a manifest of the IIIF", fixed("the header of each is read")),
  viewZipEntries: limit(20_000, "entries of a ZIP archive that a viewer lists", VIEWS),
  viewZipDirectoryBytes: limit(8 * MIB, "bytes of the directory of a ZIP archive that a viewer reads", VIEWS),
  viewTextBytes: limit(8 * MIB, "bytes of a text of which a viewer shows lines", VIEWS),
  proxyHeaderBytes: limit(
    4_096,
    "bytes of the header of the PROXY protocol, version 2 with its values",
    fixed("fronts send a few hundred; nginx takes as many"),
  ),
  tlsFileBytes: limit(MIB, "bytes of the file of a certificate or key", fixed("a chain has a few KiB")),
} as const;

type LimitName = keyof typeof LIMITS;

/** The figure of a limit. */
export function most<Name extends LimitName>(name: Name): (typeof LIMITS)[Name]["most"] {
  return LIMITS[name].most;
}
