// The citation data of an item (R19a), shared by landing pages, tombstones and link headers.
import type { Ident, Metadata } from "../../model/metadata/metadata.ts";
import { canParseUrl, namesWebHost } from "../../shared/http/web-url.ts";
import { own } from "../../shared/objects.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { ExportedRecord } from "../exported-record.ts";

/** A file that everybody may read: files of an item that are closed to the reader are not to be handed in. */
type CitedFile = {
  readonly url: string;
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number | null;
};

export type CitedItem = {
  readonly metadata: Metadata;
  /** Address of the landing page. */
  readonly landingPage: string;
  /** Address of the item's ARK at its resolver; null before it is minted. */
  readonly ark: string | null;
  readonly repositoryName: string;
  readonly files: readonly CitedFile[];
  /** When the record last changed, ISO 8601; absent where it is unknown. */
  readonly updatedAt?: Instant;
  /** When the record was published first. */
  readonly publishedAt?: Instant;
};

const RESOLVERS: Readonly<Record<string, string>> = {
  doi: "https://doi.org/",
  hdl: "https://hdl.handle.net/",
  handle: "https://hdl.handle.net/",
  orcid: "https://orcid.org/",
  ror: "https://ror.org/",
  isni: "https://isni.org/isni/",
};

/** A web address as a URL, every character beyond ASCII encoded; null for anything but http and https. */
export function webAddress(text: string): string | null {
  const address = text.trim();
  if (!namesWebHost(address) || !canParseUrl(address)) return null;
  return new URL(address).href;
}

/** The address of an identifier: its own, else that of its scheme's resolver; null for schemes without one. */
export function identAddress(ident: Ident): string | null {
  const stated = webAddress(ident.value) ?? (ident.uri === undefined ? null : webAddress(ident.uri));
  const resolver = own(RESOLVERS, ident.scheme.toLowerCase());
  if (stated !== null || resolver === undefined) return stated;
  const bare = ident.value.trim().replace(/^(?:doi|hdl|info:doi\/|info:hdl\/):?\s*/i, "");
  const value = resolver.includes("isni") ? bare.replace(/\s/g, "") : bare;
  return value === "" || /\s/.test(value) ? null : webAddress(resolver + value);
}

/** The address that identifies an agent: ORCID, else ROR, else ISNI; null when it has none of these. */
export function agentAddress(ids: readonly Ident[]): string | null {
  for (const scheme of ["orcid", "ror", "isni"]) {
    const ident = ids.find((each) => each.scheme.toLowerCase() === scheme);
    const address = ident === undefined ? null : identAddress(ident);
    if (address !== null) return address;
  }
  return null;
}

/** The DOI of the item itself without its resolver; null when it has none. */
export function doiOf(metadata: Metadata): string | null {
  const idents = [...metadata.identifiers, ...(metadata.registration === undefined ? [] : [metadata.registration])];
  for (const { value, uri } of idents) {
    const doi = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*|info:doi\/)?(10\.\d{4,9}(?:\.\d+)*\/\S+)$/i.exec(
      value.trim(),
    )?.[1];
    const other = uri === undefined ? undefined : /^https?:\/\/(?:dx\.)?doi\.org\/(10\.\S+)$/i.exec(uri.trim())?.[1];
    if ((doi ?? other) !== undefined) return doi ?? other ?? null;
  }
  return null;
}

/** The address by which the item is to be cited: its DOI, else its ARK, else its landing page. */
export function citeAs(item: CitedItem): string {
  const doi = doiOf(item.metadata);
  return (doi === null ? null : webAddress(`https://doi.org/${doi}`)) ?? item.ark ?? item.landingPage;
}

/** The kinds of work that citations distinguish. */
type WorkKind = "article" | "book" | "part" | "data" | "software" | "thesis" | "conference" | "report" | "other";

const KINDS: Readonly<Record<string, WorkKind>> = {
  "publication-article": "article",
  "publication-datapaper": "article",
  "publication-peerreview": "article",
  "publication-book": "book",
  "publication-conferenceproceeding": "book",
  "publication-section": "part",
  "publication-conferencepaper": "conference",
  dataset: "data",
  software: "software",
  "software-computationalnotebook": "software",
  "publication-thesis": "thesis",
  "publication-dissertation": "thesis",
  "publication-report": "report",
  "publication-technicalnote": "report",
  "publication-workingpaper": "report",
  "publication-deliverable": "report",
};

export function workKind(metadata: Metadata): WorkKind {
  return own(KINDS, metadata.type?.id ?? "") ?? "other";
}

// An exported record for citations, tags and links: with only those files that everybody may read.

export const citedOf = (record: ExportedRecord): CitedItem => ({
  metadata: record.metadata,
  landingPage: record.landingPage,
  ark: record.arkUrl,
  repositoryName: record.repositoryName,
  updatedAt: record.updatedAt,
  files: record.files.filter(({ isPublic }) => isPublic),
});
