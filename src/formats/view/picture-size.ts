// The size of a picture in pixels, from its header alone (R49): nothing is decoded, so a picture that claims to be huge
// costs no more than another one.

export type PictureSize = { readonly width: number; readonly height: number };

/** `more`: the bytes end before the header does. Null: it is not a picture of this format, or states no size. */
export type SizeReading = PictureSize | "more" | null;

/** At most this many bytes of a picture are read for its size: cameras put other data first. */
export const SIZE_BYTES = 1024 * 1024;

/** Segments, chunks and boxes that are passed over. */
const PARTS_MAX = 2_000;
/** Boxes inside each other that are entered; AVIF needs four. */
const BOX_DEPTH = 5;

const READERS: Readonly<Record<string, (head: DataView) => SizeReading>> = {
  "image/jpeg": jpegSize,
  "image/png": pngSize,
  "image/gif": gifSize,
  "image/webp": webpSize,
  "image/avif": avifSize,
};

/** Media types whose size is read. */
export const SIZED_PICTURES: readonly string[] = Object.keys(READERS);

/** The size of a picture of this media type; `head` are its first bytes. */
export function pictureSize(mediaType: string, head: Uint8Array): SizeReading {
  const size = READERS[mediaType]?.(new DataView(head.buffer, head.byteOffset, head.byteLength)) ?? null;
  return size === null || size === "more" || (size.width > 0 && size.height > 0) ? size : null;
}

/** Markers without a length: TEM, RSTn, SOI. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Starts of frames; C4, C8 and CC are tables and reserved. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * ITU-T T.81, Annex B: segments up to the first start of a frame. Where Exif turns the picture by a quarter, width and
 * height are those that browsers show.
 */
function jpegSize(head: DataView): SizeReading {
  let at = 2;
  let isTurned = false;
  for (let part = 0; part < PARTS_MAX; part += 1) {
    if (at + 4 > head.byteLength) return "more";
    if (head.getUint8(at) !== 0xff) return null;
    const marker = head.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else if (isFrame(marker)) {
      if (at + 9 > head.byteLength) return "more";
      const [height, width] = [head.getUint16(at + 5), head.getUint16(at + 7)];
      return isTurned ? { width: height, height: width } : { width, height };
    } else {
      const length = head.getUint16(at + 2);
      // End of the picture, or its data, before a frame.
      if (marker === 0xd9 || marker === 0xda || length < 2) return null;
      if (marker === 0xe1 && at + 2 + length <= head.byteLength) {
        isTurned ||= isQuarterTurned(new DataView(head.buffer, head.byteOffset + at + 4, length - 2));
      }
      at += 2 + length;
    }
  }
  return null;
}

const EXIF = 0x45786966;
const ORIENTATION = 0x0112;

/** Orientations 5 to 8 of the first directory of Exif (TIFF 6.0). */
function isQuarterTurned(segment: DataView): boolean {
  if (segment.byteLength < 16 || segment.getUint32(0) !== EXIF) return false;
  const isLittle = segment.getUint16(6) === 0x4949;
  const directory = 6 + segment.getUint32(10, isLittle);
  if (directory + 2 > segment.byteLength) return false;
  const entries = segment.getUint16(directory, isLittle);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > segment.byteLength) return false;
    if (segment.getUint16(at, isLittle) !== ORIENTATION) continue;
    const value = segment.getUint16(at + 8, isLittle);
    return value >= 5 && value <= 8;
  }
  return false;
}

/** The chunk IHDR comes first (PNG, 11.2.1). */
function pngSize(head: DataView): SizeReading {
  if (head.byteLength < 24) return "more";
  const [width, height] = [head.getUint32(16), head.getUint32(20)];
  // More than 31 bits are not allowed.
  return head.getUint32(12) === 0x49484452 && width < 2 ** 31 && height < 2 ** 31 ? { width, height } : null;
}

/** The logical screen (GIF89a, 18). */
function gifSize(head: DataView): SizeReading {
  return head.byteLength < 10 ? "more" : { width: head.getUint16(6, true), height: head.getUint16(8, true) };
}

const VP8 = 0x56503820;
const VP8L = 0x5650384c;
const VP8X = 0x56503858;

/** The first chunk of the container: lossy, lossless or extended (RFC 9649). */
function webpSize(head: DataView): SizeReading {
  if (head.byteLength < 30) return "more";
  const kind = head.getUint32(12);
  if (kind === VP8X) return { width: 1 + read24(head, 24), height: 1 + read24(head, 27) };
  if (kind === VP8L) {
    if (head.getUint8(20) !== 0x2f) return null;
    const bits = head.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (kind !== VP8 || read24(head, 23) !== 0x2a019d) return null;
  return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff };
}

const read24 = (head: DataView, at: number): number => head.getUint16(at, true) | (head.getUint8(at + 2) << 16);

/** Boxes that are entered, and the bytes of theirs in front of what they contain (ISO 14496-12, 23008-12). */
const ENTERED: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 };

/** The largest of the spatial extents: a picture of tiles, or with a thumbnail, has several. */
function avifSize(head: DataView): SizeReading {
  const found = { width: 0, height: 0, parts: 0, isCut: false };
  readBoxes(head, { from: 0, to: head.byteLength, depth: 0 }, found);
  if (found.width > 0) return { width: found.width, height: found.height };
  return found.isCut ? "more" : null;
}

type Extents = { width: number; height: number; parts: number; isCut: boolean };

function readBoxes(
  head: DataView,
  { from, to, depth }: { readonly from: number; readonly to: number; readonly depth: number },
  found: Extents,
): void {
  let at = from;
  while (at + 8 <= to && found.parts < PARTS_MAX) {
    found.parts += 1;
    const size = head.getUint32(at);
    const name = String.fromCharCode(...[4, 5, 6, 7].map((each) => head.getUint8(at + each)));
    const inner = ENTERED[name];
    const end = size === 0 ? to : at + size;
    // Pictures do not have boxes of 64-bit sizes before their description.
    if (size !== 0 && size < 8) return;
    if (name === "ispe" && at + 20 <= to) {
      const [width, height] = [head.getUint32(at + 12), head.getUint32(at + 16)];
      if (width * height > found.width * found.height) Object.assign(found, { width, height });
    } else if (inner !== undefined && depth < BOX_DEPTH) {
      if (end > head.byteLength) found.isCut = true;
      readBoxes(head, { from: at + 8 + inner, to: Math.min(end, to), depth: depth + 1 }, found);
    }
    at = end;
  }
  if (depth === 0 && at > head.byteLength) found.isCut = true;
}
