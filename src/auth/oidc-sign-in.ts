// Signing people in at an OpenID provider (R33), as small as the service needs it.

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
