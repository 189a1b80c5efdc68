// multipart/form-data as it arrives (RFC 7578, RFC 2046 5.1): part heads and their bytes, in memory bounded by one
// chunk and one head.

import { concatenated } from "../bytes/byte-streams.ts";
import { DocumentError } from "../document-error.ts";

/** A body that is not a well-formed form or exceeds a limit. */
export class MultipartError extends DocumentError {}

type MultipartLimits = {
  /** Headers of one part. */
  readonly partHeaderBytes: number;
  readonly parts: number;
  /** One part that has no file name. */
  readonly fieldBytes: number;
  /** Text before the first part and after the last. */
  readonly paddingBytes: number;
};

export const MULTIPART_LIMITS: MultipartLimits = {
  partHeaderBytes: 16 * 1024,
  parts: 100,
  fieldBytes: 1024 * 1024,
  paddingBytes: 64 * 1024,
};

export type PartHead = {
  /** Name of the field; null when the part gives none. */
  readonly name: string | null;
  /** Null: a plain field. "": a file field in which nothing was chosen. Otherwise as sent, folders included. */
  readonly filename: string | null;
  /** As sent; null when the part has none. */
  readonly contentType: string | null;
};

type MultipartEvent =
  | { readonly kind: "part"; readonly head: PartHead }
  /** Some bytes of the part begun last; a view into the chunk that was pushed. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "end" };

type MultipartParser = {
  /** What this chunk completes, in order. @throws MultipartError */
  push(chunk: Uint8Array): readonly MultipartEvent[];
  /** To be called after the last chunk. @throws MultipartError when the closing boundary has not come. */
  finish(): void;
};

type State = "preamble" | "delimiter" | "body" | "epilogue";

const CR = 13;
const LF = 10;
const DASH = 0x2d;
const encoder = new TextEncoder();
const HEAD_END = search(encoder.encode("\r\n\r\n"));

/** A parser of one body. `boundary` as the content type gives it (see multipartBoundary). */
export function multipartParser(boundary: string, limits: MultipartLimits = MULTIPART_LIMITS): MultipartParser {
  const delimiter = search(encoder.encode(`\r\n--${boundary}`));
  let state: State = "preamble";
  // The first boundary may be at the very beginning, so the body is read as if a line ended before it.
  let rest: Uint8Array = encoder.encode("\r\n");
  let parts = 0;
  let partBytes = 0;
  let padding = 0;
  let isField = false;

  const take = (events: MultipartEvent[], bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    if (state === "preamble") {
      padding = counted(padding, bytes.length, limits.paddingBytes, "text before the first part");
      return;
    }
    partBytes += bytes.length;
    if (isField) counted(partBytes, 0, limits.fieldBytes, "a field without a file name");
    events.push({ kind: "bytes", bytes });
  };

  /** Up to the next boundary; what may be the beginning of one waits for more. */
  const readBody = (events: MultipartEvent[], bytes: Uint8Array): Uint8Array | null => {
    const found = findBytes(bytes, delimiter);
    if (found < 0) {
      const kept = partialEnd(bytes, delimiter);
      take(events, bytes.subarray(0, kept));
      rest = bytes.slice(kept);
      return null;
    }
    take(events, bytes.subarray(0, found));
    if (state === "body") events.push({ kind: "end" });
    state = "delimiter";
    return bytes.subarray(found + delimiter.pattern.length);
  };

  /** Behind a boundary: two dashes end the form, otherwise a line end and the head of a part follow. */
  const readDelimiter = (events: MultipartEvent[], bytes: Uint8Array): Uint8Array | null => {
    if (bytes.length < 2) return wait(bytes);
    if (bytes[0] === DASH && bytes[1] === DASH) {
      state = "epilogue";
      return bytes.subarray(2);
    }
    const line = lineStart(bytes);
    if (line === null) return wait(bytes);
    const end = findBytes(bytes, HEAD_END, line);
    if (end < 0) return wait(bytes);
    if (end - line > limits.partHeaderBytes) throw headTooLong(limits);
    parts = counted(parts, 1, limits.parts, "parts");
    const head = parseHead(bytes.subarray(line, end));
    partBytes = 0;
    isField = head.filename === null;
    state = "body";
    events.push({ kind: "part", head });
    return bytes.subarray(end + HEAD_END.pattern.length);
  };

  const wait = (bytes: Uint8Array): null => {
    if (bytes.length > limits.partHeaderBytes) throw headTooLong(limits);
    rest = bytes.slice();
    return null;
  };

  return {
    push: (chunk) => {
      const events: MultipartEvent[] = [];
      let bytes: Uint8Array | null = rest.length === 0 ? chunk : concatenated([rest, chunk]);
      rest = new Uint8Array(0);
      while (bytes !== null && bytes.length > 0) {
        if (state === "epilogue") {
          padding = counted(padding, bytes.length, limits.paddingBytes, "text after the last part");
          break;
        }
        bytes = state === "delimiter" ? readDelimiter(events, bytes) : readBody(events, bytes);
      }
      return events;
    },
    finish: () => {
      if (state === "epilogue") return;
      if (parts === 0 && state === "preamble") throw new MultipartError("No part in the request body");
      throw new MultipartError("The request body breaks off before its closing boundary");
    },
  };
}

/**
 * Where the line end after a boundary is (blanks before it are allowed); null when more bytes are needed to tell. Taken
 * with the head, so that a head without lines is `CR LF CR LF` too.
 */
function lineStart(bytes: Uint8Array): number | null {
  let at = 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
  if (at + 1 >= bytes.length) return null;
  if (bytes[at] === CR && bytes[at + 1] === LF) return at;
  throw new MultipartError("A boundary in the request body is not followed by a line end");
}

function counted(before: number, more: number, most: number, what: string): number {
  if (before + more > most) throw new MultipartError(`Too much in the request body: ${what} is limited to ${most}`);
  return before + more;
}

function headTooLong(limits: MultipartLimits): MultipartError {
  return new MultipartError(`The headers of a part are longer than ${limits.partHeaderBytes} bytes`);
}

/** Transfer encodings that change nothing; RFC 7578 4.7 deprecates all. */
const PLAIN_ENCODINGS: readonly string[] = ["binary", "8bit", "7bit"];

function parseHead(bytes: Uint8Array): PartHead {
  const headers = new Map<string, string>();
  for (const line of decodeHead(bytes).split("\r\n")) {
    if (line === "") continue;
    const colon = line.indexOf(":");
    if (colon <= 0)
      throw new MultipartError(`A part has the header ${JSON.stringify(line.slice(0, 80))}, without a name`);
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase();
  if (encoding !== undefined && !PLAIN_ENCODINGS.includes(encoding)) {
    throw new MultipartError(`A part has the transfer encoding ${JSON.stringify(encoding.slice(0, 80))}`);
  }
  const { name, filename } = readDisposition(headers.get("content-disposition") ?? "");
  return {
    name,
    filename,
    contentType: headers.get("content-type") ?? null,
  };
}

/** Heads are UTF-8; what is not is read as Latin-1 rather than refused. */
function decodeHead(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}

/** The events of a whole body. Leaving the loop early leaves the rest of `chunks` unread. */
export async function* multipartEvents(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  limits: MultipartLimits = MULTIPART_LIMITS,
): AsyncGenerator<MultipartEvent> {
  const parser = multipartParser(boundary, limits);
  for await (const chunk of chunks) yield* parser.push(chunk);
  parser.finish();
}

// Finding a boundary in bytes (Horspool's search), and what of it may have begun at their end.

type Search = {
  readonly pattern: Uint8Array;
  /** How far to move on, by the byte under the pattern's last byte. */
  readonly skip: Uint8Array;
};

/** A pattern of 1 to 255 bytes, made ready. */
function search(pattern: Uint8Array): Search {
  if (pattern.length === 0 || pattern.length > 255) throw new RangeError(`Cannot search ${pattern.length} bytes`);
  const skip = new Uint8Array(256).fill(pattern.length);
  pattern.subarray(0, -1).forEach((byte, index) => {
    skip[byte] = pattern.length - 1 - index;
  });
  return { pattern, skip };
}

/** Where the pattern first occurs in the bytes from `start` on, -1 when nowhere. */
function findBytes(bytes: Uint8Array, { pattern, skip }: Search, start = 0): number {
  const last = pattern.length - 1;
  let at = start;
  while (at + last < bytes.length) {
    let back = last;
    while (back >= 0 && bytes[at + back] === pattern[back]) back--;
    if (back < 0) return at;
    at += skip[bytes[at + last] ?? 0] ?? 1;
  }
  return -1;
}

/** Where at the end of the bytes a pattern may have begun; their length when nowhere. */
function partialEnd(bytes: Uint8Array, { pattern }: Search): number {
  const first = pattern[0] ?? 0;
  let at = bytes.indexOf(first, Math.max(0, bytes.length - pattern.length + 1));
  while (at >= 0) {
    if (bytes.subarray(at).every((byte, index) => byte === pattern[index])) return at;
    at = bytes.indexOf(first, at + 1);
  }
  return bytes.length;
}

// Values of headers with parameters: `attachment; filename="a.zip"`, `multipart/form-data; boundary=x` (RFC 9110 5.6,
// RFC 6266, RFC 8187).

type HeaderValue = {
  /** The text before the first semicolon, in lower case. */
  readonly value: string;
  /** Names in lower case; of a repeated name the first. Quotes are undone, nothing is percent-decoded. */
  readonly parameters: ReadonlyMap<string, string>;
};

/** Reads a value with parameters. Never throws: what cannot be read is left out. */
export function parseHeaderValue(text: string): HeaderValue {
  const [value = "", ...rest] = splitOutsideQuotes(text);
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const equals = part.indexOf("=");
    if (equals <= 0) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    if (!parameters.has(name)) parameters.set(name, unquoted(part.slice(equals + 1).trim()));
  }
  return { value: value.trim().toLowerCase(), parameters };
}

function splitOutsideQuotes(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted && character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ";" && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/**
 * A backslash escapes a quote or a backslash; before anything else it is meant (old browsers sent whole Windows paths).
 */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const end = text.length > 1 && text.endsWith('"') ? -1 : undefined;
  return text.slice(1, end).replace(/\\(["\\])/g, "$1");
}

/**
 * Header text as it was meant: the runtimes hand it over as Latin-1 although clients write UTF-8. Text that is not
 * UTF-8 stays Latin-1.
 */
function headerText(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}

/** `UTF-8'ja'%E7%A0%94` (RFC 8187); null when it cannot be read. */
function parseExtendedValue(text: string): string | null {
  const match = /^([A-Za-z0-9!#$%&+\-^_{}.]+)'[^']*'((?:%[0-9A-Fa-f]{2}|[^%])*)$/.exec(text);
  const [, charset, value] = match ?? [];
  if (charset === undefined || value === undefined) return null;
  const isLatin1 = charset.toLowerCase() === "iso-8859-1";
  if (!isLatin1 && charset.toLowerCase() !== "utf-8") return null;
  const latin1 = value.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (isLatin1) return latin1;
  if (/[\u0100-\uffff]/.test(latin1)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(latin1, (each) => each.charCodeAt(0)));
  } catch {
    return null;
  }
}

type ContentDisposition = {
  /** `attachment`, `form-data`, ... in lower case. */
  readonly type: string;
  /** From `filename*` when that can be read, else from `filename`; null when there is neither, "" when it is empty. */
  readonly filename: string | null;
  /** Field name of a form part. */
  readonly name: string | null;
  /** SWORD's `by-reference=true`. */
  readonly byReference: boolean;
};

/** Reads the Content-Disposition of a request, as the runtime gives it. Null when there is none. */
export function parseContentDisposition(header: string | null): ContentDisposition | null {
  return header === null || header.trim() === "" ? null : readDisposition(headerText(header));
}

/** Reads a Content-Disposition whose characters are already what was meant. */
function readDisposition(text: string): ContentDisposition {
  const { value, parameters } = parseHeaderValue(text);
  const extended = parameters.get("filename*");
  const filename = (extended === undefined ? null : parseExtendedValue(extended)) ?? parameters.get("filename") ?? null;
  return {
    type: value,
    filename,
    name: parameters.get("name") ?? null,
    byReference: parameters.get("by-reference")?.toLowerCase() === "true",
  };
}

/** Longest boundary (RFC 2046 5.1.1). */
const BOUNDARY_MAX_CHARACTERS = 70;

/**
 * The boundary of a `multipart/form-data` content type; null for any other content type and for a boundary that is
 * none.
 */
export function multipartBoundary(contentType: string | null): string | null {
  const { value, parameters } = parseHeaderValue(contentType ?? "");
  if (value !== "multipart/form-data") return null;
  const boundary = parameters.get("boundary") ?? "";
  const isOne = /^[\x20-\x7e]+$/.test(boundary) && !boundary.endsWith(" ");
  return isOne && boundary.length <= BOUNDARY_MAX_CHARACTERS ? boundary : null;
}

// A form with one file, written in two pieces around the bytes, so that a file of any size is sent without being held
// (RFC 7578).

type FilePart = {
  /** 1 to 70 characters of `A-Za-z0-9-`, which no line of the file can begin with by chance: random. */
  readonly boundary: string;
  readonly field: string;
  /** Of printable ASCII without quotes and backslashes. */
  readonly fileName: string;
  readonly mediaType: string;
};

/**
 * What precedes and follows the bytes of the file. @throws RangeError for a name or boundary that would break its line.
 */
export function fileForm({ boundary, field, fileName, mediaType }: FilePart): { head: Uint8Array; tail: Uint8Array } {
  if (!/^[A-Za-z0-9-]{1,70}$/.test(boundary))
    throw new RangeError(`Cannot use the boundary ${JSON.stringify(boundary)}`);
  if (!/^[ !#-[\]-~]+$/.test(fileName)) throw new RangeError(`Cannot send the file name ${JSON.stringify(fileName)}`);
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${field}"; filename="${fileName}"`,
    `Content-Type: ${mediaType}`,
    "",
    "",
  ].join("\r\n");
  const encoder = new TextEncoder();
  return { head: encoder.encode(head), tail: encoder.encode(`\r\n--${boundary}--\r\n`) };
}
