// JSON Web Tokens in their compact form, and HS256 (RFC 7515, RFC 7519). What a token must contain is decided in
// src/auth/claims.ts: oslo's own validateJWT checks neither issuer nor audience, accepts tokens without an expiry and
// reads the clock by itself.

import { HMAC } from "oslo/crypto";
import { base64url } from "oslo/encoding";
import { createJWT } from "oslo/jwt";
import { parseJson } from "../shared/json/read.ts";
import { isObject } from "../shared/objects.ts";
import type { JsonObject } from "./claims.ts";

export type Jwt = {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  /** The bytes the signature covers. */
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
};

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
const hs256 = new HMAC("SHA-256");

/** Takes a token apart. Nothing is verified. Null when it is not a JWT. */
export function readJwt(token: string): Jwt | null {
  if (!COMPACT.test(token)) return null;
  const [headerPart = "", claimsPart = "", signaturePart = ""] = token.split(".");
  try {
    const header = jsonObject(decode(headerPart));
    const claims = jsonObject(decode(claimsPart));
    if (header === null || claims === null) return null;
    const signed = new TextEncoder().encode(`${headerPart}.${claimsPart}`);
    return { header, claims, signed, signature: decode(signaturePart) };
  } catch {
    return null;
  }
}

/** Signs claims as `{"alg": "HS256", "typ": "JWT"}`; times and identity are the caller's to put in. */
export async function signHs256(claims: JsonObject, secret: Uint8Array): Promise<string> {
  return await createJWT("HS256", secret, { ...claims });
}

/** Compares in constant time (WebCrypto's verify). The header's `alg` is the caller's to check. */
export async function verifyHs256(jwt: Jwt, secret: Uint8Array): Promise<boolean> {
  return await hs256.verify(secret, jwt.signature, jwt.signed);
}

function decode(part: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64url.decode(part, { strict: false }));
}

function jsonObject(bytes: Uint8Array): JsonObject | null {
  const value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  return isObject(value) ? value : null;
}
