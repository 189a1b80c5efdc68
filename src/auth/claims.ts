// What a JWT must contain before its signature is worth checking (A24; RFC 7519 4.1, RFC 8725, RFC 9068).
import { scopeParts } from "./caller.ts";

export type JsonObject = { readonly [name: string]: unknown };

/** Algorithms of external issuers (A24). Symmetric ones and `none` are not among them and never will be. */
export const OIDC_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;
export const OIDC_LEEWAY_SECONDS = 60;
/** Our own clock issues and checks our own tokens. */
export const OWN_LEEWAY_SECONDS = 0;
/** A subject that is looked up: not endless, and nothing that a log or a database would choke on. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

type TokenProblem =
  | "algorithm"
  | "token_type"
  | "critical_header"
  | "issuer"
  | "audience"
  | "no_expiry"
  | "expired"
  | "not_yet_valid";

/** `types`: values of `typ` that are accepted, lower case; "" accepts a token without one. */
type ExpectedHeader = { readonly algorithms: readonly string[]; readonly types: readonly string[] };

/** A token of this service contains exactly what we write. */
export const OWN_HEADER: ExpectedHeader = { algorithms: ["HS256"], types: ["jwt"] };
/** Access tokens of an external issuer; ID tokens are `JWT` too and are kept out by the audience. */
export const OIDC_HEADER: ExpectedHeader = {
  algorithms: OIDC_ALGORITHMS,
  types: ["", "jwt", "at+jwt", "application/at+jwt"],
};

/**
 * What is wrong with the header of a token, or null. Keys or addresses of keys in it (`jwk`, `jku`, `x5u`) are never
 * used.
 */
export function headerProblem(header: JsonObject, expected: ExpectedHeader): TokenProblem | null {
  if (typeof header.alg !== "string" || !expected.algorithms.includes(header.alg)) return "algorithm";
  const type = header.typ ?? "";
  if (typeof type !== "string" || !expected.types.includes(type.toLowerCase())) return "token_type";
  return header.crit === undefined ? null : "critical_header";
}

type ExpectedClaims = {
  readonly issuer: string;
  readonly audience: string;
  readonly nowSeconds: number;
  readonly leewaySeconds: number;
};

/** What is wrong with issuer, audience and times, or null. A token without an expiry is refused. */
export function claimsProblem(claims: JsonObject, expected: ExpectedClaims): TokenProblem | null {
  if (claims.iss !== expected.issuer) return "issuer";
  if (!audiences(claims.aud).includes(expected.audience)) return "audience";
  if (!isTime(claims.exp)) return "no_expiry";
  if (expected.nowSeconds >= claims.exp + expected.leewaySeconds) return "expired";
  if (claims.nbf === undefined) return null;
  return isTime(claims.nbf) && expected.nowSeconds >= claims.nbf - expected.leewaySeconds ? null : "not_yet_valid";
}

/** Whom a token of an external issuer speaks for: `azp`, then `client_id`, then `sub`. */
export function oidcSubject(claims: JsonObject): string | null {
  return usableText(claims.azp ?? claims.client_id ?? claims.sub);
}

/** The credential that one of our tokens represents. */
export function ownSubject(claims: JsonObject): string | null {
  return usableText(claims.sub);
}

/** Where servers write what a token may do: `scope` (RFC 8693 4.2, RFC 9068) or `scp` (Okta, Entra ID). */
const SCOPE_CLAIMS = ["scope", "scp"] as const;

/**
 * The `ark:` scopes a token of an external issuer carries (A52), in either claim; null when it carries none: then what
 * is registered holds. Servers write a claim as one text or as a list; anything else is `undefined`, a token that
 * cannot be understood.
 */
export function oidcScopes(claims: JsonObject): readonly string[] | null | undefined {
  const ours = new Set<string>();
  for (const name of SCOPE_CLAIMS) {
    const parts = scopeClaim(claims[name]);
    if (parts === undefined) return undefined;
    for (const part of parts) if (part.startsWith("ark:")) ours.add(part);
  }
  return ours.size === 0 ? null : [...ours];
}

function scopeClaim(claim: unknown): readonly string[] | undefined {
  if (claim === undefined || claim === null) return [];
  if (typeof claim === "string") return scopeParts(claim);
  return isTextList(claim) ? claim.flatMap(scopeParts) : undefined;
}

function audiences(claim: unknown): readonly string[] {
  if (typeof claim === "string") return [claim];
  return isTextList(claim) ? claim : [];
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function usableText(value: unknown): string | null {
  return typeof value === "string" && SUBJECT.test(value) ? value : null;
}
