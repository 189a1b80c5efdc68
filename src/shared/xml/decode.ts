// Bytes of an XML document to its text (XML 1.0, appendix F). UTF-8 and UTF-16 with a byte order mark are read, which is what every XML processor
// must read; any other encoding is refused by name.
import { DocumentError } from "../document-error.ts";

const DECLARED = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]*)["']/;
/** In how many bytes an XML declaration is searched. */
const DECLARATION_BYTES = 256;

/** The text of a document. A byte order mark is not part of it. Throws DocumentError for invalid UTF-8 or UTF-16 and for other encodings. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes, "utf-16le", "UTF-16");
  if (first === 0xfe && second === 0xff) return decode(bytes, "utf-16be", "UTF-16");
  if ((first === 0x3c && second === 0) || (first === 0 && second === 0x3c)) {
    throw new DocumentError("The XML document looks like UTF-16 or UTF-32 and has no UTF-16 byte order mark");
  }
  const start = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  const head = String.fromCharCode(...bytes.subarray(start, start + DECLARATION_BYTES));
  const declared = DECLARED.exec(head)?.[1];
  if (declared !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/i.test(declared)) {
    throw new DocumentError(`The XML document declares the encoding "${declared}"; UTF-8 and UTF-16 are read`);
  }
  return decode(bytes, "utf-8", "UTF-8");
}

function decode(bytes: Uint8Array, encoding: "utf-8" | "utf-16le" | "utf-16be", name: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new DocumentError(`The XML document is not valid ${name}`);
  }
}
