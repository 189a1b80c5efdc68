// The character sets of item tables: UTF-8 with and without a byte order mark, Windows-31J (cp932) as Japanese
// spreadsheets write it, and UTF-16 where it has a byte order mark (R13a).
import { DocumentError } from "../../shared/document-error.ts";

/**
 * The text of a table without its byte order mark. Bytes that are not UTF-8 are read as Windows-31J.
 * @throws DocumentError for bytes that are neither, or that differ from what their byte order mark states.
 */
export function decodeTable(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeBytes(bytes, "utf-16le");
  if (first === 0xfe && second === 0xff) return decodeBytes(bytes, "utf-16be");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decodeBytes(bytes, "shift_jis");
  }
}

function decodeBytes(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentError(
      label === "shift_jis"
        ? "The table is neither UTF-8 nor Windows-31J"
        : "The table has a byte order mark and is not UTF-16",
    );
  }
}
