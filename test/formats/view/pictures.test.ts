// What pictures, sounds and films are by their bytes, and how large pictures are by their headers (R49, Q.120, Q.121).
import { expect, test } from "bun:test";
import fc from "fast-check";
import { mediaKindOf } from "../../../src/formats/view/media-kind.ts";
import { pictureSize, SIZED_PICTURES } from "../../../src/formats/view/picture-size.ts";
import { avif, gif, jpeg, ofText, png, webp } from "../../support/pictures.ts";

const kind = (bytes: Uint8Array) => mediaKindOf(bytes)?.mediaType ?? null;

test.each([
  ["image/jpeg", jpeg(3, 2)],
  ["image/png", png(3, 2)],
  ["image/gif", gif(3, 2)],
  ["image/webp", webp("VP8X", 3, 2)],
  ["image/avif", avif(3, 2)],
])("Q.120 Q.121 %s is recognised by its bytes, and its size is read", (mediaType, bytes) => {
  expect(kind(bytes)).toBe(mediaType);
  expect(mediaKindOf(bytes)?.plays).toBe(true);
  expect(pictureSize(mediaType, bytes)).toEqual({ width: 3, height: 2 });
  // Cut anywhere: never a size that is not there, never a fault.
  for (let at = 0; at < bytes.length; at += 1) {
    const size = pictureSize(mediaType, bytes.subarray(0, at));
    expect(size === "more" || size === null || size.width === 3 || size.width === 1).toBe(true);
  }
});

test("Q.121 lossy and lossless WebP, turned and long JPEG state the size that browsers show", () => {
  expect(pictureSize("image/webp", webp("VP8 ", 800, 600))).toEqual({ width: 800, height: 600 });
  expect(pictureSize("image/webp", webp("VP8L", 16_383, 9_000))).toEqual({ width: 16_383, height: 9_000 });
  expect(pictureSize("image/jpeg", jpeg(400, 300, { orientation: 6 }))).toEqual({ width: 300, height: 400 });
  expect(pictureSize("image/jpeg", jpeg(400, 300, { orientation: 3 }))).toEqual({ width: 400, height: 300 });
  const long = jpeg(400, 300, { before: 200_000 });
  expect(pictureSize("image/jpeg", long.subarray(0, 65_536))).toBe("more");
  expect(pictureSize("image/jpeg", long)).toEqual({ width: 400, height: 300 });
});

test("Q.121 a JPEG that claims 65,535 pixels each way is a number, not memory; a size of nothing is none", () => {
  expect(pictureSize("image/jpeg", jpeg(65_535, 65_535))).toEqual({ width: 65_535, height: 65_535 });
  for (const empty of [jpeg(0, 5), jpeg(5, 0)]) expect(pictureSize("image/jpeg", empty)).toBeNull();
  expect(pictureSize("image/png", gif(5, 5, "x".repeat(50)))).toBeNull();
});

test("Q.121 no bytes make the readers of headers fail or run on", () => {
  const starts = [jpeg(9, 9), png(9, 9), gif(9, 9), webp("VP8X", 9, 9), avif(9, 9)].map((each) => each.subarray(0, 40));
  const property = fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), (start, rest) => {
    const bytes = ofText(start, rest);
    mediaKindOf(bytes);
    for (const mediaType of SIZED_PICTURES) {
      const size = pictureSize(mediaType, bytes);
      if (size !== null && size !== "more") expect(size.width > 0 && size.height > 0).toBe(true);
    }
  });
  fc.assert(property, { numRuns: 300 });
  const endless = ofText([0xff, 0xd8], new Uint8Array(1024 * 1024).fill(0xff));
  expect(pictureSize("image/jpeg", endless)).toBeNull();
});

test.each([
  ["audio/mpeg", true, "ID3\x04\0"],
  ["audio/mpeg", true, "\xff\xfb\x90\x64"],
  ["audio/aac", true, "\xff\xf1\x50\x80"],
  ["audio/wav", true, "RIFF\0\0\0\0WAVEfmt "],
  ["audio/flac", true, "fLaC\0"],
  ["audio/ogg", true, `OggS${"\0".repeat(24)}\x01vorbis`],
  ["video/ogg", false, `OggS${"\0".repeat(24)}\x80theora`],
  ["audio/mp4", true, "\0\0\0\x1cftypM4A \0\0\0\0"],
  ["video/mp4", true, "\0\0\0\x1cftypisom\0\0\0\0mp41"],
  ["video/quicktime", false, "\0\0\0\x14ftypqt  \0\0\0\0"],
  ["video/webm", true, "\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm"],
  ["video/x-matroska", false, "\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska"],
  ["video/x-msvideo", false, "RIFF\0\0\0\0AVI LIST"],
  ["image/tiff", false, "II*\0\x08\0\0\0"],
  ["image/heic", false, "\0\0\0\x18ftypheic\0\0\0\0mif1"],
  ["image/svg+xml", true, '<?xml version="1.0"?><!-- a --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" ""> <svg/>'],
])("Q.120 %s (played: %p) by its first bytes", (mediaType, plays, start) => {
  expect([kind(ofText(start)), mediaKindOf(ofText(start))?.plays]).toEqual([mediaType, plays]);
});

test("Q.120 text, markup and programs are no pictures, whatever comes later in them", () => {
  for (const start of [
    ...["", "a", "<html><svg>", "<svgx>", "<!DOCTYPE svg [<!ENTITY a 'b'>", "hello <svg>", "<p><img>", "%PDF-1.7"],
    ...["PK\x03\x04", "BMI of patients", "RIFF and more", "FORM\0\0\0\0ILBM", "\xff\xfe<\0s\0v\0g\0"],
  ]) {
    expect([start, kind(ofText(start))]).toEqual([start, null]);
  }
});
