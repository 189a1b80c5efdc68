// Building the address a request is sent to (A3, A31b, A31c, A32, A35).

import { canParseUrl } from "../shared/http/web-url.ts";
import { withoutEnd } from "../shared/text/text.ts";
import { isArkPath } from "./request-path.ts";

/** True when the text can be sent in `Location` unchanged: visible ASCII without the characters that no URI holds. */
export function isPlainUri(text: string): boolean {
  return /^[!#-;=?-[\]_a-z|~]*$/.test(text);
}

const encoder = new TextEncoder();

function percentEncode(character: string): string {
  let encoded = "";
  for (const byte of encoder.encode(character)) encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return encoded;
}

/** Percent-encodes every byte that no URI path may hold (RFC 3986 `pchar` and `/`). Existing percent-encoding stays. */
export function encodePath(text: string): string {
  return text.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu, percentEncode);
}

/** Percent-encodes what would break a header or a URI in a query or a stored URL; all other characters stay as received. */
export function encodeLoose(text: string): string {
  return text.replace(/[^!#-;=?-[\]_a-z|~]/gu, percentEncode);
}

/** A stored URL as it can be sent in `Location`: plain ASCII, an international host name in its ASCII form. */
export function encodeTarget(url: string): string {
  if (isPlainUri(url)) return url;
  const parts = /^(https?:\/\/)([^/?#]*)(.*)$/is.exec(url);
  if (parts === null) return encodeLoose(url);
  const [, scheme = "", authority = "", rest = ""] = parts;
  const host = isPlainUri(authority) ? authority : (parseUrl(scheme + authority)?.host ?? encodeLoose(authority));
  return scheme + host + encodeLoose(rest);
}

type SplitUrl = { readonly main: string; readonly fragment: string };

function splitFragment(url: string): SplitUrl {
  const mark = url.indexOf("#");
  return mark === -1 ? { main: url, fragment: "" } : { main: url.slice(0, mark), fragment: url.slice(mark) };
}

/** A URL of an authority alone gets its `/`: a tail `.example.org` must never become part of the host. */
function withPath(main: string): string {
  return /^https?:\/\/[^/?#]*$/i.test(main) ? `${main}/` : main;
}

/** A segment that means its own folder, or the one above it. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * Hands a tail on to a target (A32): appended at the end, also behind a query; one slash where two would meet; without its leading
 * `/` behind `=`; a fragment stays last. The tail is a `/` or `.` and the rest as received.
 */
export function joinTail(target: string, tail: string): string {
  if (tail === "") return target;
  const { main, fragment } = splitFragment(target);
  const base = withPath(main);
  const encoded = encodePath(tail.startsWith(".") ? withoutDotSegment(base, tail) : tail);
  const drops = encoded.startsWith("/") && (base.endsWith("/") || base.endsWith("="));
  return base + (drops ? encoded.slice(1) : encoded) + fragment;
}

/** A suffix `../x` after a target that ends in `/` would be a separate segment and lead out of the target: its dots are removed. */
function withoutDotSegment(base: string, tail: string): string {
  const slash = tail.indexOf("/");
  const first = slash === -1 ? tail : tail.slice(0, slash);
  const segment = base.slice(base.lastIndexOf("/") + 1) + first;
  return DOT_SEGMENT.test(segment) ? tail.slice(first.length) : tail;
}

/** Hands a query on (A31b, A33): with `?`, or `&` where the target has a query already. Null means no query. */
export function joinQuery(target: string, query: string | null): string {
  if (query === null) return target;
  const { main, fragment } = splitFragment(target);
  return main + (main.includes("?") ? "&" : "?") + encodeLoose(query) + fragment;
}

/** Where we are reached, for the loop guard. */
export type OwnAddress = {
  readonly baseUrl: string | null;
  readonly rootPath: string;
  readonly allowedHosts: ReadonlySet<string>;
};

/**
 * True where a target leads back to this resolver: one of our hosts and an ARK path (A31c). Paths under any prefix count when the
 * prefix is that of the base URL. The port is part of a host only where the setting names one.
 */
export function leadsToOurselves(target: string, own: OwnAddress): boolean {
  if (!/ark(?::|%3a)/i.test(target)) return false;
  const url = parseUrl(target);
  if (url === null) return false;
  const base = own.baseUrl === null ? null : parseUrl(own.baseUrl);
  const isOurs =
    (base !== null && base.host === url.host) || own.allowedHosts.has(url.hostname) || own.allowedHosts.has(url.host);
  if (!isOurs) return false;
  const basePath = base === null ? "" : withoutEnd(base.pathname, "/");
  const path = url.pathname.replace(/^\/+/, "/");
  return isArkPath(path, own.rootPath) || isArkPath(path, basePath);
}

/** A cheap check of a stored URL: may it lead to an ARK path? Then the loop guard has to decide. */
export function mayLeadToArk(url: string): boolean {
  return /ark(?::|%3a)/i.test(url);
}

function parseUrl(text: string): URL | null {
  return canParseUrl(text) ? new URL(text) : null;
}
