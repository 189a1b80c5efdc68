// The SWORD service document (specification, "Service document"; R11): what this repository takes, field by field as the specification has it.
import type { Json } from "../../shared/json/json.ts";
import { SWORD_CONTEXT, SWORD_NS } from "./sword-terms.ts";

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

/** The document as JSON, keys in the order of the specification. maxSegmentSize is never output. */
export function serviceDocument(needs: ServiceDocumentNeeds): { readonly [key: string]: Json } {
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

function statement({ url, description }: Statement): Json {
  return {
    ...(url === null ? {} : { "@id": url }),
    ...(description === null ? {} : { description }),
  };
}
