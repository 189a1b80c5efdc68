// The settings of the repository (R32; R5, R7, R12, R13, R26, R33), beside those it shares with the ARK service.
import { setting } from "../../shared/setting.ts";
import * as parsers from "../../shared/setting-parsers.ts";

/** By the name they have in the program. */
export const REPOSITORY_SETTINGS = {
  repositoryName: setting(
    "REPOSITORY_NAME",
    "Arkstone",
    "Name of the repository, as `dc:title` of the service document and on its pages",
    parsers.text,
  ),
  repositoryAbstract: setting(
    "REPOSITORY_ABSTRACT",
    "",
    "What the repository holds, as `dcterms:abstract` and on its front page",
    parsers.text,
  ),
  collectionPolicyUrl: setting("COLLECTION_POLICY_URL", "", "Where the collection policy is written", parsers.pageUrl),
  collectionPolicyText: setting("COLLECTION_POLICY_TEXT", "", "The collection policy in a sentence", parsers.text),
  treatmentUrl: setting("TREATMENT_URL", "", "Where it is written what happens to a deposit", parsers.pageUrl),
  treatmentText: setting("TREATMENT_TEXT", "", "What happens to a deposit, in a sentence", parsers.text),
  resolverUrl: setting(
    "RESOLVER_URL",
    "",
    "Address under which ARKs of items are given; empty: SVC_GLOBAL_RESOLVER",
    parsers.httpUrl,
  ),
  oaiHost: setting(
    "OAI_HOST",
    "",
    "Host in the identifiers of records for harvesters and in feeds; set it before the repository moves; empty: that of SVC_BASE_URL",
    parsers.optionalHostName,
  ),
  maxUploadBytes: setting(
    "MAX_UPLOAD_BYTES",
    "16777216000",
    "Largest deposit, in bytes",
    parsers.wholeNumber(1024, 1_000_000_000_000),
  ),
  minSegmentBytes: setting(
    "MIN_SEGMENT_BYTES",
    "",
    "minSegmentSize of the service document; empty: not said",
    parsers.optionalWholeNumber(1, 1_000_000_000_000),
  ),
  maxConcurrentDeposits: setting(
    "MAX_CONCURRENT_DEPOSITS",
    "16",
    "Most deposits being received or read at once; more are told to come back (503)",
    parsers.wholeNumber(1, 10_000),
  ),
  parseSeconds: setting(
    "PARSE_SECONDS",
    "20",
    "Longest that reading one package, or writing one export, may take in the thread beside the server; what takes longer is refused",
    parsers.wholeNumber(1, 600),
  ),
  depositsPerAccount: setting(
    "DEPOSITS_PER_ACCOUNT",
    "4",
    "Most of them that one account may have under way at once, whatever tokens it uses (429)",
    parsers.wholeNumber(1, 10_000),
  ),
  leastUploadRate: setting(
    "LEAST_UPLOAD_RATE",
    "16384",
    "Bytes a second that a deposit must come with, SVC_CLIENT_SECONDS apart: a slot is not held by trickling",
    parsers.wholeNumber(1, 1_000_000_000),
  ),
  swordOnBehalfOf: setting(
    "SWORD_ON_BEHALF_OF",
    "1",
    "Take deposits for somebody else (On-Behalf-Of)",
    parsers.boolean,
  ),
  swordVerifyDigest: setting(
    "SWORD_VERIFY_DIGEST",
    "when-sent",
    "Digest of deposits: required, when-sent (one that is sent must be right) or off",
    parsers.oneOf(["required", "when-sent", "off"]),
  ),
  swordRawBody: setting(
    "SWORD_RAW_BODY",
    "1",
    "Take a ZIP as the body itself too, as standard SWORD clients send it",
    parsers.boolean,
  ),
  defaultIndex: setting(
    "DEFAULT_INDEX",
    "",
    "Index of deposits that name none; empty: none",
    parsers.optionalWholeNumber(1, Number.MAX_SAFE_INTEGER),
  ),
  legacyIndexCreate: setting(
    "LEGACY_INDEX_CREATE",
    "text",
    "Answer of POST /api/indextree/create: text (as the interface describes it) or json (201 with the index)",
    parsers.oneOf(["text", "json"]),
  ),
  mintItemArks: setting("MINT_ITEM_ARKS", "1", "Give every published item an ARK", parsers.boolean),
  itemArkCredential: setting(
    "ITEM_ARK_CREDENTIAL",
    "first-key",
    "client_id of the credential that mints the ARKs of items",
    parsers.text,
  ),
  storage: setting(
    "STORAGE",
    "",
    "Where files lie: a folder, or s3://bucket/prefix; empty: `files` under SVC_DATA_DIR",
    parsers.storage,
  ),
  s3Endpoint: setting("S3_ENDPOINT", "", "Address of the S3-compatible store", parsers.httpUrl),
  s3Region: setting("S3_REGION", "us-east-1", "Region of the S3-compatible store", parsers.text),
  s3AccessKeyId: setting("S3_ACCESS_KEY_ID", "", "Access key id for the S3-compatible store", parsers.optionalText),
  s3SecretAccessKey: setting(
    "S3_SECRET_ACCESS_KEY",
    "",
    "Secret access key for the S3-compatible store",
    parsers.optionalText,
    { secrecy: "secret" },
  ),
  toolItemType: setting(
    "TOOL_ITEM_TYPE",
    "1",
    "Item type of records made by tools (read when the tool servers come)",
    parsers.wholeNumber(1, Number.MAX_SAFE_INTEGER),
  ),
  timeZone: setting("TIME_ZONE", "UTC", "Time zone in which a day begins, for embargoes and dates", parsers.timeZone),
  jobs: setting(
    "JOBS",
    "on",
    "Run jobs in the repository process; off: `arkstone worker` runs them",
    parsers.oneOf(["on", "off"]),
  ),
  completionCrossrefUrl: setting(
    "COMPLETION_CROSSREF_URL",
    "",
    "Address of the Crossref REST API for completing metadata by DOI; empty: not asked",
    parsers.httpUrl,
  ),
  completionDataciteUrl: setting(
    "COMPLETION_DATACITE_URL",
    "",
    "Address of the DataCite REST API for completing metadata by DOI; empty: not asked",
    parsers.httpUrl,
  ),
  signInClientId: setting(
    "OIDC_CLIENT_ID",
    "",
    "Client id with which people sign in at SVC_OIDC_ISSUER",
    parsers.optionalText,
  ),
  signInClientSecret: setting("OIDC_CLIENT_SECRET", "", "Secret of that client", parsers.optionalText, {
    secrecy: "secret",
  }),
} as const;
