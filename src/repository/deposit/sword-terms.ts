// Addresses that SWORD 3.0 documents are made of (R11: {sword_ns}, {sword_context_uri}).

/** `version` of the service document; the namespace of everything below. No slash at the end. */
export const SWORD_NS = "http://purl.org/net/sword/3.0";
export const SWORD_CONTEXT = "https://swordapp.github.io/swordv3/swordv3.jsonld";
export const STATE_INGESTED = `${SWORD_NS}/state/ingested`;

/** What packaging identifiers begin with. */
export const PACKAGING_NS = `${SWORD_NS}/package/`;

export const SERVICE_DOCUMENT_PATH = "/sword/service-document";

/** The Object-URL of an item. `baseUrl` has no slash at the end. */
export function depositUrl(baseUrl: string, recid: number): string {
  return `${baseUrl}/sword/deposit/${recid}`;
}

/** A time as SWORD's own samples write it: in UTC, in whole seconds (R13c). Clients of the standard read no fraction. */
export function swordTime(at: string | number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
