// Addresses that SWORD 3.0 documents are made of (R11: {sword_ns}, {sword_context_uri}).

/** `version` of the service document; the namespace of everything below. No slash at the end. */
export const SWORD_NS = "http://purl.org/net/sword/3.0";
export const SWORD_CONTEXT = "https://swordapp.github.io/swordv3/swordv3.jsonld";
export const STATE_INGESTED = `${SWORD_NS}/state/ingested`;

/** What packaging identifiers begin with. */
export const PACKAGING_NS = `${SWORD_NS}/package/`;

/** A time as SWORD's own samples write it: in UTC, in whole seconds (R13c). Clients of the standard read no fraction. */
export function swordTime(at: string | number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
