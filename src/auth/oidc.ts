// OpenID providers, as small as the service needs them: people who sign in (R33), and the keys of an external
// authorization server (A24).

export type OidcStart = {
  readonly state: string;
  readonly nonce: string;
  /** S256 challenge of PKCE (RFC 7636). */
  readonly challenge: string;
  readonly redirectUri: string;
};

export type OidcReturn = {
  readonly code: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
};

/** The identity that the provider asserts. */
export type OidcPerson = {
  readonly subject: string;
  /** Only one that the provider has verified. */
  readonly mail: string | null;
  readonly eppn: string | null;
};

export interface OidcSignIn {
  /** Where the person is sent. Throws when the provider cannot be reached or is not the one configured. */
  authorizationUrl(start: OidcStart): Promise<string>;
  /** Exchanges the code and verifies the token about the person. Throws when anything about it is not right. */
  person(returned: OidcReturn): Promise<OidcPerson>;
}

export type SignatureVerdict = "verified" | "unknown_key" | "wrong_signature";

export interface OidcKeys {
  /**
   * Checks the signature of a compact JWT against the issuer's published keys, and nothing else: algorithms are limited
   * to those of A24, claims are the caller's to check. Throws ServiceError 1901 while no key could ever be read.
   */
  verify(token: string): Promise<SignatureVerdict>;
}
