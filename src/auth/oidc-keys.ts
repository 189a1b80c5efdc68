// The signing keys of the external authorization server, as authentication needs them (A24).

export type SignatureVerdict = "verified" | "unknown_key" | "wrong_signature";

export interface OidcKeys {
  /**
   * Checks the signature of a compact JWT against the issuer's published keys, and nothing else: algorithms are limited to those of
   * A24, claims are the caller's to check. Throws ServiceError 1901 while no key could ever be read.
   */
  verify(token: string): Promise<SignatureVerdict>;
}
