// What is read from an OpenID provider (A24, R33): its discovery document and its keys. No redirects, limited in time
// and size.
import type { JSONWebKeySet } from "jose";
import { joinedUpTo, streamOf } from "../shared/bytes/byte-streams.ts";
import { isWebUrl } from "../shared/http/web-url.ts";
import { isObject } from "../shared/objects.ts";

export type Send = (url: string, init: RequestInit) => Promise<Response>;

const DOCUMENT_MAX_BYTES = 1_048_576;

export const discoveryUrl = (issuer: string): string => `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;

/** @throws Error for a document of another issuer (OpenID Connect Discovery 1.0, 4.3), or one that is none. */
export function requireIssuer(document: unknown, issuer: string, url: string): Readonly<Record<string, unknown>> {
  if (isObject(document) && document.issuer === issuer) return document;
  throw new Error(`Cannot use ${url}: its issuer is not "${issuer}"`);
}

/** The address that a discovery document gives under that name. @throws Error when there is none. */
export function endpoint(document: Readonly<Record<string, unknown>>, name: string, url: string): string {
  const address = document[name];
  if (typeof address !== "string" || !isWebUrl(address)) throw new Error(`Cannot use ${url}: no ${name}`);
  return address;
}

/** jose checks every key again before it uses one; keys of unknown kinds match no token. */
export function keysOf(document: unknown): JSONWebKeySet {
  if (!isObject(document) || !Array.isArray(document.keys)) throw new Error("The key set has no member keys");
  return { keys: document.keys.filter(isObject) as JSONWebKeySet["keys"] };
}

export async function limitedText(answer: Response, url: string): Promise<string> {
  const bytes = await joinedUpTo(answer.body ?? streamOf(), DOCUMENT_MAX_BYTES);
  if (bytes === null) throw new Error(`Cannot read ${url}: it is larger than ${DOCUMENT_MAX_BYTES} bytes`);
  return new TextDecoder().decode(bytes);
}
