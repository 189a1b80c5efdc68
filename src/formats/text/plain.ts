// Text files as text (R35): the encoding of the bytes, as far as it can be detected, and the same text in the form it
// is stored.

/** At most this many bytes are checked to decide whether they are text. */
const CHECKED_BYTES_MAX = 64 * 1024;

/** The encoding of a byte order mark at the beginning. */
function markedEncoding(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

/** UTF-16 without a mark: half of the bytes of Latin text, of spaces and of line ends are zero, all on one side. */
function unmarkedUtf16(head: Uint8Array): string | null {
  const zeros = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const many = head.length / 64;
  if (odd > many && even === 0) return "utf-16le";
  return even > many && odd === 0 ? "utf-16be" : null;
}

/** The text, where all of the bytes are in this encoding; a character that is cut off at their end is left out. */
function decodeBytes(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

const HALF_WIDTH_KANA = /[\uFF61-\uFF9F]/g;
const PRIVATE = /[\uE000-\uF8FF]/g;

/** How little a text looks like Japanese as people write it: EUC-JP read as Shift_JIS is full of half-width kana. */
function oddness(text: string): number {
  const sample = text.slice(0, CHECKED_BYTES_MAX);
  return (sample.match(HALF_WIDTH_KANA)?.length ?? 0) + (sample.match(PRIVATE)?.length ?? 0) * 2;
}

function japanese(bytes: Uint8Array): string | null {
  const found = ["shift_jis", "euc-jp"].flatMap((encoding) => decodeBytes(bytes, encoding) ?? []);
  return found.toSorted((one, other) => oddness(one) - oddness(other))[0] ?? null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish bytes from text
const CONTROL = /[\u0000-\u0008\u000E-\u0019\u001C-\u001F]/g;
/** With it ISO-2022-JP changes to two bytes a character. */
const JIS_ESCAPE = "\u001B$";

/** False for bytes that no text file has. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (markedEncoding(bytes) !== null) return true;
  const head = bytes.subarray(0, CHECKED_BYTES_MAX);
  if (unmarkedUtf16(head) !== null) return true;
  const controls = new TextDecoder("latin1").decode(head).match(CONTROL)?.length ?? 0;
  return controls <= 1 + head.length / 1_000;
}

/**
 * The text of bytes. `declared`: an encoding that the document names itself, which a byte order mark overrules. Without
 * either: UTF-8, UTF-16, ISO-2022-JP, Shift_JIS or EUC-JP, whichever the bytes are, else Windows-1252, in which every
 * byte is a character.
 */
export function decodeText(bytes: Uint8Array, declared: string | null = null): string {
  const marked = markedEncoding(bytes) ?? unmarkedUtf16(bytes.subarray(0, CHECKED_BYTES_MAX));
  const text = marked === null ? (declared === null ? null : decodeBytes(bytes, declared)) : loose(bytes, marked);
  if (text !== null) return text;
  const utf8 = decodeBytes(bytes, "utf-8");
  if (utf8 !== null) {
    const isJis = utf8.slice(0, CHECKED_BYTES_MAX).includes(JIS_ESCAPE);
    return (isJis ? decodeBytes(bytes, "iso-2022-jp") : null) ?? utf8;
  }
  return japanese(bytes) ?? loose(bytes, "windows-1252");
}

/** What is not in the encoding becomes U+FFFD. */
function loose(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: databases do not store them and nobody searches for them
const UNKEPT = /[\u0000-\u0008\u000B\u000E-\u001F\u007F\u00AD\uFFFE\uFFFF]/g;

/**
 * A text as it is stored: at most `most` characters, without control characters and half characters, with one space or
 * line end in a row. The ends of pages stay (lines.ts).
 */
export function keptText(text: string, most: number): { readonly text: string; readonly isCut: boolean } {
  // What is cut away before is cut away for good: runs of spaces in a text a hundred times as long are not worth the
  // time.
  const begun = text.slice(0, most * 2);
  const plain = begun
    .replace(UNKEPT, (character) => (character === "\u00AD" ? "" : " "))
    .toWellFormed()
    .replace(/[^\S\n\f]+/g, " ")
    .replace(/ ?\n[\n ]*/g, "\n")
    .replace(/^[\n ]+/, "")
    .trimEnd();
  const cut = plain.slice(0, most);
  const isCut = cut.length < plain.length || begun.length < text.length;
  return { text: /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut, isCut };
}
