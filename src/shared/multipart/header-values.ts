// Values of headers with parameters: `attachment; filename="a.zip"`, `multipart/form-data; boundary=x` (RFC 9110 5.6, RFC 6266, RFC 8187).

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

/** A backslash escapes a quote or a backslash; before anything else it is meant (old browsers sent whole Windows paths). */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const end = text.length > 1 && text.endsWith('"') ? -1 : undefined;
  return text.slice(1, end).replace(/\\(["\\])/g, "$1");
}

/**
 * Header text as it was meant: the runtimes hand it over as Latin-1 although clients write UTF-8. Text that is not UTF-8 stays
 * Latin-1.
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
export function readDisposition(text: string): ContentDisposition {
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

/** The boundary of a `multipart/form-data` content type; null for any other content type and for a boundary that is none. */
export function multipartBoundary(contentType: string | null): string | null {
  const { value, parameters } = parseHeaderValue(contentType ?? "");
  if (value !== "multipart/form-data") return null;
  const boundary = parameters.get("boundary") ?? "";
  const isOne = /^[\x20-\x7e]+$/.test(boundary) && !boundary.endsWith(" ");
  return isOne && boundary.length <= BOUNDARY_MAX_CHARACTERS ? boundary : null;
}
