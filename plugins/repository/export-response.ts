// The response with a record in an export format, the same at every endpoint (R38, R19a): the requested format, its
// headers, 304.
import type { Viewer } from "../../src/auth/account.ts";
import { EXPORT_FORMATS, type ExportOptions } from "../../src/repository/exports/formats.ts";
import type { RecordExport } from "../../src/repository/exports/record-exports.ts";
import { sha256Hex } from "../../src/shared/hash/digests.ts";
import { chooseMediaType } from "../../src/shared/http/negotiation.ts";
import type { RecordId } from "../../src/shared/ids.ts";
import { answerWith } from "../http/answer.ts";
import { isUnchanged } from "./record-dialect.ts";

/** Names of styles and languages are no longer. */
const OPTION_CHARACTERS = 100;
/** Characters at most of the header `Warning`, which lists what was left out. */
const WARNING_CHARACTERS = 1_000;
const LOCALE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/;

/**
 * Style and language as the query asks for them. `Accept-Language` chooses words only: a translated title is asked for
 * by name.
 */
export function exportOptions(request: Request): ExportOptions {
  const { searchParams } = new URL(request.url);
  const option = (name: string): string | null => searchParams.get(name)?.slice(0, OPTION_CHARACTERS) || null;
  const accepted = request.headers.get("accept-language")?.split(/[,;]/, 1)[0]?.trim() ?? "";
  const valid = (tag: string): string | null => (LOCALE.test(tag) ? tag : null);
  const reader = valid(option("locale") ?? "");
  return { style: option("style"), locale: reader ?? valid(accepted), reader };
}

const PROFILED = /application\/ld\+json\s*;[^,]*profile\s*=\s*"?([^",;]+)/i;

/**
 * The format that `Accept` wants most; null where that is what the address gives anyway: `usual`, a media type. Of
 * formats of one media type the first, unless a profile names another.
 */
export function acceptedFormat(accept: string | null, usual: string): string | null {
  if (accept === null) return null;
  const types = [...new Set(EXPORT_FORMATS.map(({ mediaType }) => mediaType))];
  const chosen = chooseMediaType(accept, [usual, ...types], "named");
  if (chosen === usual) return null;
  const profile = PROFILED.exec(accept.slice(0, 4096))?.[1];
  const formats = EXPORT_FORMATS.filter(({ mediaType }) => mediaType === chosen);
  const profiled =
    profile === undefined ? undefined : formats.find((format) => profile.startsWith(format.profile ?? "-"));
  return (profiled ?? formats[0])?.id ?? null;
}

/** Characters of a header and no others. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7E]/g, "?").replace(/["\\]/g, "'");

function warningOf(leftOut: readonly string[]): string | null {
  const warning = headerText(leftOut.join("; "));
  if (warning === "") return null;
  return `299 - "${warning.length > WARNING_CHARACTERS ? `${warning.slice(0, WARNING_CHARACTERS)} ...` : warning}"`;
}

/** The media types of the documents, as answers name them. */
export const EXPORT_TYPES: readonly string[] = [
  ...new Set(
    EXPORT_FORMATS.map(({ mediaType, ...format }) => {
      const [type = mediaType] = ("contentType" in format ? format.contentType : mediaType).split(";", 1);
      return type;
    }),
  ),
];

/** `vary`: what the response depends on in addition to the language. */
export async function exportResponse(
  request: Request,
  written: RecordExport,
  { vary, contentLocation }: { readonly vary: string; readonly contentLocation?: string },
): Promise<Response> {
  const { id, revision, text, updatedAt, leftOut, landingPage } = written;
  const etag = `"${id}.${revision}.${sha256Hex(text).slice(0, 16)}"`;
  const headers = new Headers({
    etag,
    "last-modified": new Date(updatedAt).toUTCString(),
    "cache-control": "private, no-cache",
    vary: `${vary}, Accept-Language`,
    link: `<${landingPage}>; rel="describes"; type="text/html"`,
  });
  const warning = warningOf(leftOut);
  if (warning !== null) headers.set("warning", warning);
  if (contentLocation !== undefined) headers.set("content-location", contentLocation);
  if (isUnchanged(request, { etag, changedAt: updatedAt })) return new Response(null, { status: 304, headers });
  headers.set("content-type", written.contentType);
  headers.set("content-disposition", `inline; filename="${written.fileName}"`);
  headers.set("content-security-policy", "default-src 'none'; sandbox");
  headers.set("x-content-type-options", "nosniff");
  return answerWith(request, text, { status: 200, headers });
}

// A record of the interface in the format that `Accept` names (R38, R37), with its refusals in the dialect of this
// interface.

/** Throws as reading the record does, and invalid for a citation style there is none of. */
type WriteRecord = (viewer: Viewer, id: RecordId, format: string, options: ExportOptions) => Promise<RecordExport>;

const USUAL = "application/json";

/** Null where the usual answer is wanted. */
export const exportedByAccept =
  (write: WriteRecord) =>
  async (request: Request, viewer: Viewer, id: RecordId): Promise<Response | null> => {
    const format = acceptedFormat(request.headers.get("accept"), USUAL);
    if (format === null) return null;
    const written = await write(viewer, id, format, exportOptions(request));
    return await exportResponse(request, written, { vary: "Accept, Authorization" });
  };
