// The SWORD status document (specification, "Status document"; R11, R13b, R13c, R15, R16 for its links). `metadata` and `fileSet` stay empty and the
// state is always ingested, as the specification wants; `rel` is a list, as SWORD and its clients want (R11).

import { SERVICE_DOCUMENT_PATH } from "../../model/items/addresses.ts";
import type { Json } from "../../shared/json/json.ts";
import { STATE_INGESTED, SWORD_CONTEXT, swordTime } from "./sword-terms.ts";

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
type LinkRelation = (typeof LINK_RELATIONS)[number];

/** A link of the document; absent members are left out. Times are UTC instants, accounts their ids. */
export type StatusLink = {
  readonly "@id": string;
  readonly rel: readonly LinkRelation[];
  readonly contentType?: string;
  readonly byReference?: string;
  readonly "dcterms:isReplacedBy"?: string;
  readonly "dcterms:relation"?: string;
  readonly "dcterms:replaces"?: string;
  readonly depositedBy?: string;
  readonly depositedOn?: string;
  readonly depositedOnBehalfOf?: string;
  readonly derivedFrom?: string;
  readonly eTag?: string;
  readonly log?: string;
  readonly packaging?: string;
  readonly status?: string;
  readonly versionReplacedOn?: string;
};

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
  /** What the depositor should know, one sentence each: completion that is off, terms the metadata do not know, an index that is missing (R14, R16). */
  readonly notes: readonly string[];
};

/** The document as JSON; also for 202 (R11). */
export function statusDocument(needs: StatusNeeds): { readonly [key: string]: Json } {
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

function linkJson(link: StatusLink): Json {
  return Object.fromEntries(
    Object.entries(link).flatMap(([key, value]) => {
      if (value === undefined) return [];
      return [[key, TIMES.has(key) && typeof value === "string" ? swordTime(value) : value]];
    }),
  );
}

/** A page for people: the landing page of an item, the page of an activity, an identifier's address. */
export function pageLink(url: string, more: Partial<Omit<StatusLink, "@id" | "rel">> = {}): StatusLink {
  return { "@id": url, rel: ["alternate"], contentType: "text/html", ...more };
}
