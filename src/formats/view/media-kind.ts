// What a picture, a sound or a film is, by its first bytes (R49): never by its name or by what its depositor declared.

/** At most this many bytes of the start of a file are read to recognise it. */
const MEDIA_HEAD_BYTES = 4_096;

export type MediaKind = {
  readonly family: "picture" | "sound" | "film";
  readonly mediaType: string;
  /** Whether browsers show or play it. */
  readonly plays: boolean;
};

const picture = (mediaType: string, plays = true): MediaKind => ({ family: "picture", mediaType, plays });
const sound = (mediaType: string, plays = true): MediaKind => ({ family: "sound", mediaType, plays });
const film = (mediaType: string, plays = true): MediaKind => ({ family: "film", mediaType, plays });

/** `at`: where these characters are, each one byte. The first row that fits decides. */
const SIGNATURES: readonly { readonly at: number; readonly bytes: string; readonly kind: MediaKind }[] = [
  { at: 0, bytes: "\xff\xd8\xff", kind: picture("image/jpeg") },
  { at: 0, bytes: "\x89PNG\r\n\x1a\n", kind: picture("image/png") },
  { at: 0, bytes: "GIF87a", kind: picture("image/gif") },
  { at: 0, bytes: "GIF89a", kind: picture("image/gif") },
  { at: 0, bytes: "II*\0", kind: picture("image/tiff", false) },
  { at: 0, bytes: "MM\0*", kind: picture("image/tiff", false) },
  { at: 0, bytes: "II+\0", kind: picture("image/tiff", false) },
  { at: 0, bytes: "MM\0+", kind: picture("image/tiff", false) },
  { at: 0, bytes: "8BPS", kind: picture("image/vnd.adobe.photoshop", false) },
  { at: 0, bytes: "\0\0\0\x0cjP  ", kind: picture("image/jp2", false) },
  { at: 0, bytes: "\xff\x4f\xff\x51", kind: picture("image/jp2", false) },
  { at: 0, bytes: "\xff\x0a", kind: picture("image/jxl", false) },
  { at: 0, bytes: "\0\0\0\x0cJXL ", kind: picture("image/jxl", false) },
  { at: 0, bytes: "\x1a\x45\xdf\xa3", kind: film("video/x-matroska", false) },
  { at: 0, bytes: "fLaC", kind: sound("audio/flac") },
  { at: 0, bytes: "ID3", kind: sound("audio/mpeg") },
  { at: 0, bytes: "MThd", kind: sound("audio/midi", false) },
  { at: 0, bytes: "\x30\x26\xb2\x75\x8e\x66\xcf\x11", kind: film("video/x-ms-wmv", false) },
  { at: 0, bytes: "\0\0\x01\xba", kind: film("video/mpeg", false) },
  { at: 0, bytes: "\0\0\x01\xb3", kind: film("video/mpeg", false) },
];

/** The chunk after `RIFF` and its size. */
const RIFF: Readonly<Record<string, MediaKind>> = {
  WEBP: picture("image/webp"),
  WAVE: sound("audio/wav"),
  "AVI ": film("video/x-msvideo", false),
};

/** The brand of a file in the format of ISO 14496-12. */
const BRANDS: readonly { readonly brand: RegExp; readonly kind: MediaKind }[] = [
  { brand: /^avi[fs]$/, kind: picture("image/avif") },
  { brand: /^(?:hei[cxms]|hev[cx]|mif1|msf1)$/, kind: picture("image/heic", false) },
  { brand: /^M4[AB] $/, kind: sound("audio/mp4") },
  { brand: /^qt {2}$/, kind: film("video/quicktime", false) },
  { brand: /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |dash|MSNV|f4v |3g[p2].)$/, kind: film("video/mp4") },
];

/** What the bytes are; null for what is none of these. */
export function mediaKindOf(head: Uint8Array): MediaKind | null {
  const found = SIGNATURES.find(({ at, bytes }) => hasBytes(head, at, bytes));
  if (found !== undefined) return found.kind.mediaType === "video/x-matroska" ? matroska(head) : found.kind;
  if (hasBytes(head, 0, "RIFF")) return RIFF[letters(head, 8, 12)] ?? null;
  if (hasBytes(head, 0, "FORM")) return /^AIF[FC]$/.test(letters(head, 8, 12)) ? sound("audio/aiff", false) : null;
  if (hasBytes(head, 0, "OggS"))
    return hasBytes(head, 28, "\x80theora") ? film("video/ogg", false) : sound("audio/ogg");
  if (hasBytes(head, 4, "ftyp")) return branded(head);
  // The size of the header that follows is one of a few.
  if (hasBytes(head, 0, "BM") && hasBytes(head, 15, "\0\0\0")) return picture("image/bmp", false);
  return isSvg(head) ? picture("image/svg+xml") : framed(head);
}

/** These bytes as characters; a decoder of Latin text would read some as others. */
const letters = (head: Uint8Array, from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));

function hasBytes(head: Uint8Array, at: number, bytes: string): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    if (head[at + index] !== bytes.charCodeAt(index)) return false;
  }
  return head.length >= at + bytes.length;
}

/** WebM is what browsers play of Matroska; its name is in the first element. */
const matroska = (head: Uint8Array): MediaKind =>
  letters(head, 0, 64).includes("webm") ? film("video/webm") : film("video/x-matroska", false);

const BRANDS_READ = 128;

/** The major brand, then the compatible ones: pictures name their format among them. */
function branded(head: Uint8Array): MediaKind | null {
  const size = ((head[2] ?? 0) << 8) | (head[3] ?? 0);
  const start = letters(head, 0, Math.min(size, BRANDS_READ));
  const brands = [letters(head, 8, 12)];
  for (let at = 16; at + 4 <= start.length; at += 4) brands.push(start.slice(at, at + 4));
  if (brands.includes("avif") || brands.includes("avis")) return picture("image/avif");
  for (const brand of brands) {
    const known = BRANDS.find((each) => each.brand.test(brand));
    if (known !== undefined) return known.kind;
  }
  return null;
}

/**
 * The root element is `svg`: after a byte order mark, an XML declaration, comments and a document type without
 * declarations inside, nothing else comes before it.
 */
function isSvg(head: Uint8Array): boolean {
  let text: string;
  try {
    // The end may cut a character in two.
    text = new TextDecoder("utf-8", { fatal: true }).decode(head.subarray(0, MEDIA_HEAD_BYTES), { stream: true });
  } catch {
    return false;
  }
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    if (!text.startsWith("<", at)) return false;
    const end = text.startsWith("<?", at)
      ? after(text, "?>", at)
      : text.startsWith("<!--", at)
        ? after(text, "-->", at)
        : text.startsWith("<!DOCTYPE svg", at)
          ? after(text, ">", at)
          : -1;
    if (end === -1) return /^<(?:svg:)?svg[\s/>]/.test(text.slice(at, at + 10));
    if (end === 0) return false;
    at = end;
  }
}

/** Where the text goes on after this mark; 0: there is none. */
function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? 0 : found + mark.length;
}

/** MP3 and AAC without a tag begin with the header of a frame (ISO 11172-3, ISO 13818-7). */
function framed(head: Uint8Array): MediaKind | null {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || head.length < 4) return null;
  if ((second & 0xf6) === 0xf0) return (third & 0x3c) >> 2 <= 12 ? sound("audio/aac") : null;
  const isLayer3 = (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  const isRate = (third & 0xf0) !== 0xf0 && (third & 0xf0) !== 0 && (third & 0x0c) !== 0x0c;
  return isLayer3 && isRate ? sound("audio/mpeg") : null;
}
