// The Authorization header: Bearer tokens (RFC 6750 2.1) and Basic client credentials (RFC 7617, RFC 6749 2.3.1).

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
