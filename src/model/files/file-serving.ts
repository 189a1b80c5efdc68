// How a file is served (R19a): headers that prevent its content from running, and the answers of RFC 9110 to ranges and
// conditions.
import { type ByteRange, lengthOf, parseRange } from "../../shared/http/byte-range.ts";
import { namesTag } from "../../shared/http/entity-tags.ts";
import { isShownInline, sentMediaType } from "../../shared/http/media-types.ts";
import { downloadName } from "./file-names.ts";

export type FileToServe = {
  readonly name: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Access is restricted: no shared cache may store it. */
  readonly restricted: boolean;
};

/** What of a request counts; header values as sent, null when absent. */
export type FileRequest = {
  readonly method: string;
  readonly range: string | null;
  readonly ifRange: string | null;
  readonly ifNoneMatch: string | null;
  /** The caller requested a download. */
  readonly asAttachment?: boolean;
};

type FileAnswer = {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: readonly (readonly [string, string])[];
  /** The bytes that are the body; null for none. An empty file has none either. */
  readonly send: ByteRange | null;
};

/** Longer file names are shortened in headers; their end stays. In characters. */
const HEADER_NAME_MAX = 180;

/** Whether the caller may read the file at all is decided before (R2d). */
export function fileAnswer(file: FileToServe, request: FileRequest): FileAnswer {
  const etag = `"${file.sha256}"`;
  const always: readonly (readonly [string, string])[] = [
    ["etag", etag],
    // Access may end any day: caches ask each time, and are answered 304.
    ["cache-control", file.restricted ? "private, no-cache" : "public, no-cache"],
    ["x-content-type-options", "nosniff"],
    ["content-security-policy", "sandbox"],
    ["accept-ranges", "bytes"],
  ];
  if (namesTag(request.ifNoneMatch, etag)) {
    return { status: 304, headers: always, send: null };
  }
  // Ranges belong to GET alone (RFC 9110 section 14.2); of an `If-Range` with a date we know nothing.
  const isRanged = request.method === "GET" && (request.ifRange === null || request.ifRange.trim() === etag);
  const range = isRanged ? parseRange(request.range, file.sizeBytes) : null;
  if (range === "unsatisfiable") {
    return { status: 416, headers: [...always, ["content-range", `bytes */${file.sizeBytes}`]], send: null };
  }
  const described = [...always, ...descriptionOf(file, request)];
  const whole = file.sizeBytes === 0 ? null : { first: 0, last: file.sizeBytes - 1 };
  const length: readonly [string, string] = [
    "content-length",
    String(range === null ? file.sizeBytes : lengthOf(range)),
  ];
  if (range === null) {
    return { status: 200, headers: [...described, length], send: request.method === "HEAD" ? null : whole };
  }
  const contentRange: readonly [string, string] = [
    "content-range",
    `bytes ${range.first}-${range.last}/${file.sizeBytes}`,
  ];
  return { status: 206, headers: [...described, length, contentRange], send: range };
}

function descriptionOf(
  file: FileToServe,
  { asAttachment = false }: FileRequest,
): readonly (readonly [string, string])[] {
  const mediaType = sentMediaType(file.mediaType);
  const disposition = !asAttachment && isShownInline(file.mediaType) ? "inline" : "attachment";
  return [
    // Without a charset, browsers read plain text as a western one.
    ["content-type", mediaType === "text/plain" ? "text/plain; charset=utf-8" : mediaType],
    ["content-disposition", contentDisposition(disposition, downloadName(file.name))],
  ];
}

/** The header of RFC 6266: the name in ASCII for old clients, and as it is (RFC 8187) where that differs. */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const shown = shortenName(name.toWellFormed());
  // A percent sign followed by digits is decoded by some clients, a backslash is dropped by others.
  const plain = shown.replace(/[^ !#$&'()+,\-.0-9;=@A-Z[\]^_`a-z{}~]/gu, "_");
  const full = encodeURIComponent(shown).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const quoted = `${kind}; filename="${plain}"`;
  return plain === shown ? quoted : `${quoted}; filename*=UTF-8''${full}`;
}

function shortenName(name: string): string {
  const characters = [...name];
  if (characters.length <= HEADER_NAME_MAX) return name;
  const end = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  return characters.slice(0, HEADER_NAME_MAX - end.length).join("") + end;
}
