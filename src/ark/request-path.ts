// What a request asks for, read from the raw request target; nothing is ever decoded (specification 1,
// "Percent-encoding"; A1, A2, A33, A34, A43, A49).
import { withoutRootPath } from "../shared/http/address.ts";
import { ARK_TEXT_MAX, hasBrokenPercent, NO_HEX_DIGITS, splitNaan } from "./syntax.ts";

/** A request for a name, as it came. */
export type ArkRequest = {
  /** Everything behind the label and its slashes, without the query: `naan/name` as received. */
  readonly rest: string;
  readonly naanText: string;
  /** Null where no slash follows the NAAN. */
  readonly nameText: string | null;
  /** Behind the first `?`; null where there is none, empty for a bare `?`. */
  readonly query: string | null;
};

type PathReading =
  | { readonly kind: "ark"; readonly request: ArkRequest }
  /** `reason` states why the text is not an ARK (1001); empty for a text that is too long (1004). */
  | { readonly kind: "refused"; readonly code: 1001 | 1004; readonly rest: string; readonly reason: string }
  | { readonly kind: "other" };

const LABEL = /^\/ark(?::|%3a)/i;
const DOT_DOT_REASON = "A segment .. leads out of a name";
const DOT_DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){2}(?:\/|$)/i;

/** True for a path that asks for a name: root path or none, then the label in any spelling of A2. */
export function isArkPath(path: string, rootPath: string): boolean {
  return LABEL.test(withoutRootPath(path, rootPath));
}

/** True where a segment is `..`, percent-encoded or not (A43). */
export function hasDotDotSegment(path: string): boolean {
  return DOT_DOT_SEGMENT.test(path);
}

/** Reads the raw request target. `other` is every path that asks for no name. */
export function readRequestTarget(pathAndQuery: string, rootPath: string): PathReading {
  const mark = pathAndQuery.indexOf("?");
  const fullPath = mark === -1 ? pathAndQuery : pathAndQuery.slice(0, mark);
  if (hasDotDotSegment(fullPath)) return { kind: "refused", code: 1001, rest: fullPath, reason: DOT_DOT_REASON };
  const path = withoutRootPath(fullPath, rootPath);
  const label = LABEL.exec(path);
  if (label === null) return { kind: "other" };
  const rest = path.slice(label[0].length).replace(/^\/+/, "");
  if (rest.length > ARK_TEXT_MAX) return { kind: "refused", code: 1004, rest, reason: "" };
  if (hasBrokenPercent(rest)) return { kind: "refused", code: 1001, rest, reason: NO_HEX_DIGITS };
  const { naan, name } = splitNaan(rest);
  const query = mark === -1 ? null : pathAndQuery.slice(mark + 1);
  return { kind: "ark", request: { rest, naanText: naan, nameText: name, query } };
}

/** Inflections of A33, each with the query that asks for it: `?` alone, `??`, `?info`, `?json`. */
export const INFLECTIONS = [
  ["", "kernel"],
  ["?", "support"],
  ["info", "info"],
  ["json", "json"],
] as const;

export type Inflection = (typeof INFLECTIONS)[number][1];

const BY_QUERY: ReadonlyMap<string, Inflection> = new Map(INFLECTIONS);

/**
 * The inflection a query asks for: its part up to the first `&`, case-sensitive; null for any other query and for none.
 */
export function inflectionOf(query: string | null): Inflection | null {
  if (query === null) return null;
  const end = query.indexOf("&");
  return BY_QUERY.get(end === -1 ? query : query.slice(0, end)) ?? null;
}

/** The language asked for behind an inflection (`?info&lang=en`), or null. */
export function languageOf(query: string | null): string | null {
  return /&lang=([A-Za-z0-9-]{1,35})(?:&|$)/.exec(query ?? "")?.[1] ?? null;
}
