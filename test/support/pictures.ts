// Headers of pictures of any claimed size, and a PNG that browsers can show.
import { crc32, deflateSync } from "node:zlib";

const text = (value: string): Uint8Array => Uint8Array.from(value, (each) => each.charCodeAt(0));
const u16 = (value: number): number[] => [(value >> 8) & 255, value & 255];
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];
const l16 = (value: number): number[] => [value & 255, (value >> 8) & 255];
const l24 = (value: number): number[] => [...l16(value & 0xffff), value >> 16];
const bytes = (...parts: readonly (string | readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts.map((each) => Buffer.from(typeof each === "string" ? text(each) : each))));

function chunk(name: string, data: Uint8Array): Uint8Array {
  const body = bytes(name, data);
  return bytes(u32(data.length), body, u32(crc32(body)));
}

/** A grey picture that is really as large as it claims. */
export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((width + 1) * height).fill(0x80);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  const header = bytes(u32(width), u32(height), [8, 0, 0, 0, 0]);
  return bytes(
    "\x89PNG\r\n\x1a\n",
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", new Uint8Array()),
  );
}

const segment = (marker: number, data: Uint8Array): Uint8Array => bytes([0xff, marker], u16(data.length + 2), data);

/** `before`: bytes of other segments in front of the size; `orientation`: of Exif. */
export function jpeg(
  width: number,
  height: number,
  { before = 0, orientation = 0 }: { readonly before?: number; readonly orientation?: number } = {},
): Uint8Array<ArrayBuffer> {
  const exif = bytes("Exif\0\0MM\0*", u32(8), u16(1), u16(0x0112), u16(3), u32(1), u16(orientation), u16(0), u32(0));
  const fill: Uint8Array[] = [];
  for (let left = before; left > 0; left -= 60_000) fill.push(segment(0xe2, new Uint8Array(Math.min(left, 60_000))));
  const frame = segment(0xc2, bytes([8], u16(height), u16(width), [1, 1, 0x11, 0]));
  return bytes([0xff, 0xd8], ...(orientation === 0 ? [] : [segment(0xe1, exif)]), ...fill, frame, [0xff, 0xd9]);
}

export const gif = (width: number, height: number, rest = ""): Uint8Array<ArrayBuffer> =>
  bytes("GIF89a", l16(width), l16(height), [0, 0, 0], rest);

export const webp = (kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number): Uint8Array<ArrayBuffer> => {
  const bits = ((height - 1) << 14) | (width - 1);
  const data = {
    "VP8 ": bytes([0, 0, 0, 0x9d, 0x01, 0x2a], l16(width), l16(height)),
    VP8L: bytes([0x2f], l16(bits & 0xffff), l16(bits >>> 16), [0, 0, 0, 0, 0]),
    VP8X: bytes([0, 0, 0, 0], l24(width - 1), l24(height - 1)),
  }[kind];
  return bytes("RIFF", [100, 0, 0, 0], "WEBP", kind, [data.length, 0, 0, 0], data);
};

const box = (name: string, ...data: readonly Uint8Array[]): Uint8Array =>
  bytes(u32(8 + data.reduce((sum, each) => sum + each.length, 0)), name, ...data);

/** A picture of tiles: two extents, of which the larger is that of the whole. */
export function avif(width: number, height: number): Uint8Array<ArrayBuffer> {
  const extent = (w: number, h: number) => box("ispe", bytes([0, 0, 0, 0], u32(w), u32(h)));
  const meta = box(
    "meta",
    bytes([0, 0, 0, 0]),
    box("hdlr", new Uint8Array(20)),
    box("iprp", box("ipco", extent(1, 1), extent(width, height))),
  );
  return bytes(box("ftyp", bytes("avif", [0, 0, 0, 0], "mif1miaf")), meta, box("mdat", new Uint8Array(4)));
}

const l32 = (value: number): number[] => [...l16(value & 0xffff), ...l16(value >>> 16)];

/** A second of silence. */
export function wav(): Uint8Array<ArrayBuffer> {
  const samples = new Uint8Array(8_000).fill(0x80);
  const format = bytes(l16(1), l16(1), l32(8_000), l32(8_000), l16(1), l16(8));
  return bytes("RIFF", l32(36 + samples.length), "WAVEfmt ", l32(16), format, "data", l32(samples.length), samples);
}

export const ofText = bytes;
