// The icon of the repository's pages: an ark on the water, rendered once as an ICO file of 32 by 32 pixels (a bitmap of
// 32 bits a pixel).

const SIZE = 32;
const HEAD_BYTES = 22;
const BITMAP_HEAD_BYTES = 40;
const MASK_BYTES = (SIZE * SIZE) / 8;
const PIXEL_BYTES = SIZE * SIZE * 4;

type Color = readonly [blue: number, green: number, red: number, alpha: number];
const CLEAR: Color = [0, 0, 0, 0];
const HULL: Color = [0x8a, 0x5a, 0x1f, 0xff];
const WAVE: Color = [0xc8, 0x9a, 0x4a, 0xff];

/** The color at a place, `y` from the top. */
function colorAt(x: number, y: number): Color {
  const fromMiddle = Math.abs(x - (SIZE - 1) / 2);
  if (y >= 5 && y < 12) return fromMiddle <= 1 + (y - 5) ? HULL : CLEAR;
  if (y >= 12 && y < 16) return fromMiddle <= 6 ? HULL : CLEAR;
  if (y >= 17 && y < 24) return fromMiddle <= 15 - (y - 17) ? HULL : CLEAR;
  if (y >= 26 && y < 29) return Math.round(Math.sin(x / 2) + 27) === y ? WAVE : CLEAR;
  return CLEAR;
}

function renderIcon(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD_BYTES + BITMAP_HEAD_BYTES + PIXEL_BYTES + MASK_BYTES);
  const view = new DataView(bytes.buffer);
  const imageBytes = bytes.length - HEAD_BYTES;
  view.setUint16(2, 1, true);
  view.setUint16(4, 1, true);
  bytes.set([SIZE, SIZE], 6);
  view.setUint16(10, 1, true);
  view.setUint16(12, 32, true);
  view.setUint32(14, imageBytes, true);
  view.setUint32(18, HEAD_BYTES, true);
  view.setUint32(HEAD_BYTES, BITMAP_HEAD_BYTES, true);
  view.setInt32(HEAD_BYTES + 4, SIZE, true);
  // The height counts the mask too.
  view.setInt32(HEAD_BYTES + 8, SIZE * 2, true);
  view.setUint16(HEAD_BYTES + 12, 1, true);
  view.setUint16(HEAD_BYTES + 14, 32, true);
  const pixels = HEAD_BYTES + BITMAP_HEAD_BYTES;
  for (let y = 0; y < SIZE; y += 1) {
    // Rows go from the bottom up.
    for (let x = 0; x < SIZE; x += 1) bytes.set(colorAt(x, y), pixels + ((SIZE - 1 - y) * SIZE + x) * 4);
  }
  return bytes;
}

export const FAVICON: Uint8Array<ArrayBuffer> = renderIcon();
