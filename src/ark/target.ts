// Building the address a request is sent to (A3, A31b, A31c, A32, A35).

import { canParseUrl, namesWebHost } from "../shared/http/web-url.ts";
import { withoutEnd } from "../shared/text/text.ts";
import { type ReceivedName, restAfter } from "./received-name.ts";
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

/**
 * Percent-encodes what would break a header or a URI in a query or a stored URL; all other characters stay as received.
 */
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
 * Hands a tail on to a target (A32): appended at the end, also behind a query; one slash where two would meet; without
 * its leading `/` behind `=`; a fragment stays last. The tail is a `/` or `.` and the rest as received.
 */
export function joinTail(target: string, tail: string): string {
  if (tail === "") return target;
  const { main, fragment } = splitFragment(target);
  const base = withPath(main);
  const encoded = encodePath(tail.startsWith(".") ? withoutDotSegment(base, tail) : tail);
  const drops = encoded.startsWith("/") && (base.endsWith("/") || base.endsWith("="));
  return base + (drops ? encoded.slice(1) : encoded) + fragment;
}

/**
 * A suffix `../x` after a target that ends in `/` would be a separate segment and lead out of the target: its dots are
 * removed.
 */
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
 * True where a target leads back to this resolver: one of our hosts and an ARK path (A31c). Paths under any prefix
 * count when the prefix is that of the base URL. The port is part of a host only where the setting names one.
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

// Where foreign NAANs and delegated shoulders send their names: a base URL or a template (A31b).

export type Redirect = {
  readonly status: number;
  /** With its variables still in it; a base URL has become `…/ark:${content}`. */
  readonly template: string;
};

type RedirectReading = { readonly redirect: Redirect } | { readonly problem: string };

const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307];
const VARIABLE = /\$\{(content|pid|value|suffix|blade)\}|\$id(?![A-Za-z0-9_])/g;

/** Reads `[status ]URL`; returns a problem where it cannot be used. */
export function readRedirect(text: string, defaultStatus = 302): RedirectReading {
  const parts = /^\s*(?:(\d{3})\s+)?(\S+)\s*$/.exec(text);
  if (parts === null) return { problem: "empty, or holds white space" };
  const status = parts[1] === undefined ? defaultStatus : Number(parts[1]);
  if (!REDIRECT_STATUSES.includes(status)) return { problem: `status ${status} is not one of 301, 302, 303, 307` };
  const url = parts[2] ?? "";
  const bare = url.replace(VARIABLE, "");
  if (bare.includes("${")) return { problem: "holds a variable that is not known" };
  if (!namesWebHost(url)) return { problem: "is not an http or https URL" };
  const authority = /^https?:\/\/([^/\\?#]*)/i.exec(url)?.[1] ?? "";
  if (authority.includes("$")) return { problem: "has a variable in its host" };
  try {
    new URL(bare);
  } catch {
    return { problem: "is not a URL" };
  }
  const hasVariable = bare !== url;
  return { redirect: { status, template: hasVariable ? url : `${withoutEnd(url, "/")}/ark:\${content}` } };
}

/** What a template is filled with, everything as received. */
type Filling = {
  /** `naan/name` with qualifier. */
  readonly content: string;
  readonly name: ReceivedName;
  /** Bytes of the shoulder in the normal form of the name; 0 where no shoulder matched. */
  readonly shoulderLength: number;
};

/** The address for one name. */
export function fillRedirect(redirect: Redirect, filling: Filling): string {
  const { content, name, shoulderLength } = filling;
  const values: Readonly<Record<string, string>> = {
    content,
    pid: `ark:${content}`,
    value: name.received,
    suffix: restAfter(name, shoulderLength),
    blade: /\d(.*)$/s.exec(name.received)?.[1] ?? "",
  };
  return redirect.template.replace(VARIABLE, (_, variable: string | undefined) =>
    encodePath(values[variable ?? "content"] ?? ""),
  );
}
