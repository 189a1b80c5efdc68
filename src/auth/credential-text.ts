// The Authorization header: Bearer tokens (RFC 6750 2.1) and Basic client credentials (RFC 7617, RFC 6749 2.3.1).

import type { Instant } from "../shared/time/instant.ts";
import type { Credential } from "./caller.ts";

/** Longest header that is read; tokens of external issuers carry lists of groups and grow. */
const AUTHORIZATION_MAX = 16_384;

const SCHEME = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+)(?: +(.*))?$/s;
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** `none`: nothing of this scheme was sent. `malformed`: it was, and cannot be read. */
type BearerHeader =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "bearer"; readonly token: string };

export function readBearer(header: string | null): BearerHeader {
  const credentials = credentialsOf(header, "bearer");
  if (credentials === null || credentials === "") return { kind: "none" };
  if (credentials.length > AUTHORIZATION_MAX || !BEARER_TOKEN.test(credentials)) return { kind: "malformed" };
  return { kind: "bearer", token: credentials };
}

type BasicHeader =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "basic"; readonly clientId: string; readonly clientSecret: string };

/** Client id and secret are each form-encoded before they are joined and put into base64 (RFC 6749 2.3.1). */
export function readBasic(header: string | null): BasicHeader {
  const credentials = credentialsOf(header, "basic");
  if (credentials === null) return { kind: "none" };
  const pair = credentials.length > AUTHORIZATION_MAX ? null : base64Text(credentials);
  const colon = pair?.indexOf(":") ?? -1;
  if (pair === null || colon < 0) return { kind: "malformed" };
  const clientId = formDecode(pair.slice(0, colon));
  const clientSecret = formDecode(pair.slice(colon + 1));
  if (clientId === null || clientSecret === null) return { kind: "malformed" };
  return { kind: "basic", clientId, clientSecret };
}

/** The text after the scheme, or null when the header is absent or of another scheme. */
function credentialsOf(header: string | null, scheme: string): string | null {
  if (header === null) return null;
  const match = SCHEME.exec(header.trim());
  return match?.[1]?.toLowerCase() === scheme ? (match[2] ?? "").trim() : null;
}

function base64Text(text: string): string | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function formDecode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

// API keys and client secrets as text (A23):
//
//   secret = "svc_" id "_" random
//   id     = 1*32( digit / lower-case letter )     finds the row
//   random = 43 characters of base64url            32 bytes of the platform's cryptographic generator
//
// Kept is the SHA-256 of the random part as it is written; the text itself is shown once and known to its owner only.

export const SECRET_PREFIX = "svc_";
/** Betanumeric characters in the id of a new secret. */
export const SECRET_ID_LENGTH = 12;
export const SECRET_RANDOM_BYTES = 32;

const SECRET = /^svc_([0-9a-z]{1,32})_([A-Za-z0-9_-]{43})$/;

/**
 * What codes and tokens of grants are (R30): words with vowels, which no other id begins with, for those are
 * betanumeric.
 */
const GRANT_SECRETS = { code: "code", access: "access", refresh: "refresh" } as const;
type GrantSecretKind = keyof typeof GRANT_SECRETS;

/** The id of a new secret of that kind, ending with random characters. */
export const grantSecretId = (kind: GrantSecretKind, random: string): string => `${GRANT_SECRETS[kind]}${random}`;

/** Whether a text looks like a code or token of a grant. */
export const isGrantToken = (text: string): boolean =>
  Object.values(GRANT_SECRETS).some((word) => text.startsWith(`${SECRET_PREFIX}${word}`));

type Secret = { readonly id: string; readonly random: string };

/** The parts of a secret, or null when the text is none. */
export function parseSecret(text: string): Secret | null {
  const match = SECRET.exec(text);
  const [, id, random] = match ?? [];
  return id === undefined || random === undefined ? null : { id, random };
}

export function secretText(secret: Secret): string {
  return `${SECRET_PREFIX}${secret.id}_${secret.random}`;
}

/** Why a credential or one of its secrets is not accepted; for the log only, callers see one answer (A26). */
type CredentialProblem =
  | "unknown_secret"
  | "wrong_kind"
  | "wrong_secret"
  | "revoked_secret"
  | "expired_secret"
  | "disabled_credential"
  | "expired_credential";

/** Whether the credential itself may be used now. Its organisation is another matter (1303). */
export function credentialProblem(credential: Credential, now: Instant): CredentialProblem | null {
  if (!credential.active) return "disabled_credential";
  return ended(credential.expiresAt, now) ? "expired_credential" : null;
}

/** What is kept of a secret, as far as its use is decided by it. */
type KeptSecret = {
  readonly kind: string;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
};

/** Whether a secret may be used now as `kind`. `matches`: the hash of what was presented is the one kept. */
export function secretProblem(
  secret: KeptSecret | null,
  kind: string,
  matches: boolean,
  now: Instant,
): CredentialProblem | null {
  if (secret === null) return "unknown_secret";
  if (!matches) return "wrong_secret";
  if (secret.kind !== kind) return "wrong_kind";
  if (ended(secret.revokedAt, now)) return "revoked_secret";
  return ended(secret.expiresAt, now) ? "expired_secret" : null;
}

/** True from the instant on; never where there is none. Instants sort as text. */
export function ended(at: Instant | null, now: Instant): boolean {
  return at !== null && at <= now;
}
