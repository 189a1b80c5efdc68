// The documents of SWORD 3.0 and the answers that carry them.

// The SWORD status document (specification, "Status document"; R11, R13b, R13c, R15, R16 for its links). `metadata` and
// `fileSet` stay empty and the state is always ingested, as the specification wants; `rel` is a list, as SWORD and its
// clients want (R11).

import { type Static, Type } from "@sinclair/typebox";
import { identAddress } from "../../formats/citation/cited-item.ts";
import { type Addresses, SERVICE_DOCUMENT_PATH } from "../../model/items/addresses.ts";
import type { Item } from "../../model/items/item.ts";
import { manyOf, membersOf, wordOf } from "../../shared/shapes.ts";
import { SWORD_ERROR_STATUS, type SwordErrorType } from "./messages.ts";
import type { DepositAnswer } from "./request.ts";

/** What `rel` may hold (specification, "Status document"). */
export const LINK_RELATIONS = [
  "alternate",
  "packaging",
  "depositedOn",
  "depositedOnBehalfOf",
  "status",
  "log",
  "dcterms:relation",
  "dcterms:replaces",
  "dcterms:isReplacedBy",
  "versionReplaced",
  "eTag",
  "byReference",
  "derivedFrom",
  "metadataFormat",
] as const;

const text = Type.Optional(Type.String());

/** A link of the document; absent members are left out. Times are UTC instants, accounts their ids. */
const StatusLink = Type.Object({
  "@id": Type.String(),
  rel: manyOf(wordOf(LINK_RELATIONS)),
  contentType: text,
  byReference: text,
  "dcterms:isReplacedBy": text,
  "dcterms:relation": text,
  "dcterms:replaces": text,
  depositedBy: text,
  depositedOn: text,
  depositedOnBehalfOf: text,
  derivedFrom: text,
  eTag: text,
  log: text,
  packaging: text,
  status: text,
  versionReplacedOn: text,
});
type StatusLink = Readonly<Static<typeof StatusLink>>;

/** What a client may do with an item over SWORD: delete it, and nothing in parts. */
const ACTIONS = {
  appendFiles: false,
  appendMetadata: false,
  deleteFiles: false,
  deleteMetadata: false,
  deleteObject: true,
  getFiles: false,
  getMetadata: false,
  replaceFiles: false,
  replaceMetadata: false,
} as const;

type StatusNeeds = {
  /** The Object-URL of the item. */
  readonly url: string;
  readonly revision: number;
  readonly links: readonly StatusLink[];
  /**
   * What the depositor should know, one sentence each: completion that is off, terms the metadata do not know, an index
   * that is missing (R14, R16).
   */
  readonly notes: readonly string[];
};

/** What an item is over SWORD. */
export const StatusDocument = Type.Object(
  {
    "@context": Type.String(),
    "@id": Type.String({ description: "Address of this document" }),
    "@type": Type.Literal("Status"),
    actions: membersOf(Type.Boolean()),
    eTag: Type.String({ description: "Revision number of the item" }),
    fileSet: Type.Object({}),
    links: manyOf(StatusLink),
    metadata: Type.Object({}),
    service: Type.String(),
    state: manyOf(Type.Object({ "@id": Type.String(), description: Type.String() })),
  },
  { $id: "StatusDocument" },
);

/** The document as JSON; also for 202 (R11). */
export function statusDocument(needs: StatusNeeds): Static<typeof StatusDocument> {
  return {
    "@context": SWORD_CONTEXT,
    "@id": needs.url,
    "@type": "Status",
    actions: ACTIONS,
    eTag: String(needs.revision),
    fileSet: {},
    links: needs.links.map(linkJson),
    metadata: {},
    service: SERVICE_DOCUMENT_PATH,
    state: [{ "@id": STATE_INGESTED, description: needs.notes.join(" ") }],
  };
}

/** Members of a link that are times. */
const TIMES: ReadonlySet<string> = new Set(["depositedOn", "versionReplacedOn"] satisfies (keyof StatusLink)[]);

function linkJson(link: StatusLink): StatusLink {
  const members = Object.entries(link).map(([key, value]) => [
    key,
    TIMES.has(key) && typeof value === "string" ? swordTime(value) : value,
  ]);
  // The same members: those that are times as SWORD writes them.
  return Object.fromEntries(members) as StatusLink;
}

/** A page for people: the landing page of an item, the page of an activity, an identifier's address. */
export function pageLink(url: string, more: Partial<Omit<StatusLink, "@id" | "rel">> = {}): StatusLink {
  return { "@id": url, rel: ["alternate"], contentType: "text/html", ...more };
}

// The SWORD service document (specification, "Service document"; R11): what this repository takes, field by field as
// the specification has it.

/** The JPCOAR 2.0 schema file and the RO-Crate 1.1 profile. */
const ACCEPTED_METADATA = [
  "https://github.com/JPCOAR/schema/blob/master/2.0/jpcoar_scm.xsd",
  "https://w3id.org/ro/crate/1.1/",
] as const;
/** Defaults of the specification's table "Limits", in bytes, segments and seconds. */
export const MAX_UPLOAD_BYTES = 16_777_216_000;
const MAX_ASSEMBLED_BYTES = 30_000_000_000_000;
const MAX_BY_REFERENCE_BYTES = 30_000_000_000_000_000;
const MAX_SEGMENTS = 1_000;
const STAGING_MAX_IDLE_S = 3_600;

/** A policy or treatment: shown as `{}` while nothing is set. */
type Statement = { readonly url: string | null; readonly description: string | null };

export type ServiceDocumentNeeds = {
  /** Its own address. */
  readonly url: string;
  readonly title: string;
  readonly abstract: string;
  readonly collectionPolicy: Statement;
  readonly treatment: Statement;
  readonly maxUploadBytes: number;
  /** Null: not output. */
  readonly minSegmentBytes: number | null;
  readonly onBehalfOf: boolean;
};

const StatementShape = Type.Object({ "@id": text, description: text });
const texts = manyOf(Type.String());

/** What can be deposited, and how. */
export const ServiceDocument = Type.Object(
  {
    "@context": Type.String(),
    "@id": Type.String(),
    "@type": Type.Literal("ServiceDocument"),
    accept: texts,
    acceptArchiveFormat: texts,
    acceptDeposits: Type.Boolean(),
    acceptMetadata: texts,
    acceptPackaging: texts,
    authentication: texts,
    byReferenceDeposit: Type.Boolean(),
    collectionPolicy: StatementShape,
    "dc:title": Type.String(),
    "dcterms:abstract": Type.String(),
    digest: texts,
    maxAssembledSize: Type.Integer(),
    maxByReferenceSize: Type.Integer(),
    minSegmentSize: Type.Optional(Type.Integer()),
    maxSegments: Type.Integer(),
    maxUploadSize: Type.Integer(),
    onBehalfOf: Type.Boolean(),
    root: Type.String(),
    services: texts,
    staging: Type.String(),
    stagingMaxIdle: Type.Integer(),
    treatment: StatementShape,
    version: Type.String(),
  },
  { $id: "ServiceDocument" },
);

/** The document as JSON, keys in the order of the specification. maxSegmentSize is never output. */
export function serviceDocument(needs: ServiceDocumentNeeds): Static<typeof ServiceDocument> {
  const { url } = needs;
  return {
    "@context": SWORD_CONTEXT,
    "@id": url,
    "@type": "ServiceDocument",
    accept: ["*/*"],
    acceptArchiveFormat: ["application/zip"],
    acceptDeposits: true,
    acceptMetadata: ACCEPTED_METADATA,
    acceptPackaging: ["*"],
    authentication: ["OAuth"],
    byReferenceDeposit: false,
    collectionPolicy: statement(needs.collectionPolicy),
    "dc:title": needs.title,
    "dcterms:abstract": needs.abstract,
    digest: ["SHA-256"],
    maxAssembledSize: MAX_ASSEMBLED_BYTES,
    maxByReferenceSize: MAX_BY_REFERENCE_BYTES,
    ...(needs.minSegmentBytes === null ? {} : { minSegmentSize: needs.minSegmentBytes }),
    maxSegments: MAX_SEGMENTS,
    maxUploadSize: needs.maxUploadBytes,
    onBehalfOf: needs.onBehalfOf,
    root: url,
    services: [],
    staging: "",
    stagingMaxIdle: STAGING_MAX_IDLE_S,
    treatment: statement(needs.treatment),
    version: SWORD_NS,
  };
}

function statement({ url, description }: Statement): Static<typeof StatementShape> {
  return {
    ...(url === null ? {} : { "@id": url }),
    ...(description === null ? {} : { description }),
  };
}

// The SWORD error document (specification, "Error document" and "Deposit error types"; R13c).

/** A refusal over SWORD. */
export const ErrorDocument = Type.Object(
  {
    "@context": Type.String(),
    // The keys of the table of error types.
    "@type": wordOf(Object.keys(SWORD_ERROR_STATUS) as SwordErrorType[]),
    error: Type.String(),
    timestamp: Type.String({ format: "date-time" }),
  },
  { $id: "SwordError" },
);

/** The document as JSON. `log` is never output. `at` in milliseconds since 1970. */
export function errorDocument(type: SwordErrorType, error: string, at: number): Static<typeof ErrorDocument> {
  return {
    "@context": SWORD_CONTEXT,
    "@type": type,
    error,
    timestamp: swordTime(at),
  };
}

// Addresses that SWORD 3.0 documents are made of (R11: {sword_ns}, {sword_context_uri}).

/** `version` of the service document; the namespace of everything below. No slash at the end. */
const SWORD_NS = "http://purl.org/net/sword/3.0";
const SWORD_CONTEXT = "https://swordapp.github.io/swordv3/swordv3.jsonld";
const STATE_INGESTED = `${SWORD_NS}/state/ingested`;

/** What packaging identifiers begin with. */
export const PACKAGING_NS = `${SWORD_NS}/package/`;

/**
 * A time as SWORD's own samples write it: in UTC, in whole seconds (R13c). Clients of the standard read no fraction.
 */
function swordTime(at: string | number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

// Answers to deposits: status documents with their headers (specification 2, "Status document", "Response codes"; R2b,
// R5, R11, R15, R16).

type StatusIn = {
  readonly item: Pick<
    Item,
    "id" | "revision" | "content" | "ark" | "depositedBy" | "depositedOnBehalfOf" | "createdAt"
  >;
  readonly replaces: number | null;
  readonly isReplacedBy: number | null;
  /** The open activity of the item; the link to its page comes first then. */
  readonly activityId: string | null;
  /** Further items of the same deposit: the evidence of a split one. */
  readonly parts: readonly Pick<Item, "id" | "content" | "ark">[];
  readonly notes: readonly string[];
};

/** The status document of an item. */
function statusOf(at: Addresses, status: StatusIn) {
  const { item } = status;
  return statusDocument({
    url: at.deposit(item.id),
    revision: item.revision,
    links: linksOf(at, status),
    notes: status.notes,
  });
}

function linksOf(at: Addresses, { item, replaces, isReplacedBy, activityId, parts }: StatusIn): StatusLink[] {
  const properties: Partial<Omit<StatusLink, "@id" | "rel">> = {
    depositedOn: item.createdAt,
    ...(item.depositedBy === null ? {} : { depositedBy: String(item.depositedBy) }),
    ...(item.depositedOnBehalfOf === null ? {} : { depositedOnBehalfOf: String(item.depositedOnBehalfOf) }),
    ...(replaces === null ? {} : { "dcterms:replaces": at.landingPage(replaces) }),
    ...(isReplacedBy === null ? {} : { "dcterms:isReplacedBy": at.landingPage(isReplacedBy) }),
  };
  const pages = [...(activityId === null ? [] : [at.activityPage(activityId)]), at.landingPage(item.id)];
  const [first = "", ...others] = pages;
  return [
    pageLink(first, properties),
    ...others.map((url) => pageLink(url)),
    ...persistentLinks(at, item),
    ...parts.flatMap((part) => [pageLink(at.landingPage(part.id)), ...persistentLinks(at, part)]),
  ];
}

/** Schemes whose identifiers are persistent and have a resolver. */
const PERSISTENT: ReadonlySet<string> = new Set(["doi", "hdl", "handle"]);

/** The ARK of the item, and the DOIs and handles it has (specification, "Status document"). */
function persistentLinks(at: Addresses, { ark, content }: Pick<Item, "ark" | "content">): StatusLink[] {
  const { identifiers = [], registration } = content?.metadata ?? {};
  const stated = [...identifiers, ...(registration === undefined ? [] : [registration])]
    .filter(({ scheme }) => PERSISTENT.has(scheme.toLowerCase()))
    .flatMap((ident) => identAddress(ident) ?? []);
  const urls = new Set([...(ark === null ? [] : [at.arkUrl(ark)]), ...stated]);
  return [...urls].map((url) => pageLink(url));
}

/** 200, 201 or 202 with the status document, `ETag` and `Location`. */
export function statusAnswer(at: Addresses, status: number, document: StatusIn): DepositAnswer {
  return {
    status,
    headers: { etag: `"${document.item.revision}"`, location: at.deposit(document.item.id) },
    body: statusOf(at, document),
  };
}

/** A deletion; one that went through an activity names its page in `Link` and `Location` (R11). */
export function deletionAnswer(
  at: Addresses,
  status: 202 | 204,
  activityId: string | null,
  document: StatusIn | null,
): DepositAnswer {
  const page = activityId === null ? null : at.activityPage(activityId);
  const headers = page === null ? {} : { link: `<${page}>; rel="related"`, location: page };
  if (document === null) return { status, headers, body: null };
  return { status, headers: { ...headers, etag: `"${document.item.revision}"` }, body: statusOf(at, document) };
}
