// What a file is, for taking its text out (R35): by its first bytes, and only where they leave it open by media type
// and name.
import { looksLikeText } from "./plain.ts";

/** `zip`: a format in a ZIP, or only an archive; its entries decide. `office`: from before 2007, or encrypted. */
export type TextKind = "pdf" | "zip" | "office" | "html" | "xml" | "plain" | "unsupported";

export type NamedBytes = {
  /** The first of the file; all of a short one. */
  readonly head: Uint8Array;
  readonly name: string;
  readonly mediaType: string;
};

/** At most this many bytes are read to detect a format. */
export const HEAD_BYTES = 64 * 1024;
/** A PDF may begin after other bytes (ISO 32000-1, implementation note 13 of earlier editions). */
const PDF_WITHIN_BYTES = 1024;

const signature = (...bytes: readonly number[]) => Uint8Array.from(bytes);
const ZIP = signature(0x50, 0x4b, 0x03, 0x04);
const OFFICE = signature(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
/** Languages of printers and RTF are text by their bytes, and no words by themselves. */
const CODE: readonly string[] = ["%!", "{\\rtf", "\u001B%-12345X"];

export function detectKind({ head, name, mediaType }: NamedBytes): TextKind {
  const start = new TextDecoder("latin1").decode(head.subarray(0, PDF_WITHIN_BYTES));
  // A text about PDFs is not a PDF.
  if (start.startsWith("%PDF-") || (start.includes("%PDF-") && !looksLikeText(head))) return "pdf";
  if (startsWith(head, ZIP)) return "zip";
  if (startsWith(head, OFFICE)) return "office";
  if (CODE.some((beginning) => start.startsWith(beginning)) || !looksLikeText(head)) return "unsupported";
  return markupKind(
    start.replaceAll("\0", "").replace(/^(?:ï»¿|ÿþ|þÿ)/, ""),
    name.toLowerCase(),
    mediaType.toLowerCase(),
  );
}

function markupKind(start: string, name: string, mediaType: string): TextKind {
  if (/<!doctype\s+html|<html[\s>]/i.test(start)) return "html";
  if (/^\s*<\?xml\s/.test(start)) return "xml";
  if (!/^\s*</.test(start)) return "plain";
  if (/^(?:text\/html|application\/xhtml\+xml)\b/.test(mediaType) || /\.x?html?$/.test(name)) return "html";
  return /\/(?:[\w.-]+\+)?xml\b/.test(mediaType) || name.endsWith(".xml") ? "xml" : "plain";
}

function startsWith(bytes: Uint8Array, beginning: Uint8Array): boolean {
  return beginning.every((byte, at) => bytes[at] === byte);
}

const PACKAGE_STREAM = "EncryptedPackage";

/**
 * Word, Excel and PowerPoint put an encrypted document into a file of their old format, under this name (MS-OFFCRYPTO
 * 1.3.3).
 */
export function isEncryptedOffice(bytes: Uint8Array): boolean {
  const wide = Uint8Array.from([...PACKAGE_STREAM].flatMap((character) => [character.charCodeAt(0), 0]));
  const text = new TextDecoder("latin1").decode(bytes);
  return text.includes(new TextDecoder("latin1").decode(wide));
}
