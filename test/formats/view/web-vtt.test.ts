// Captions are read and written again by us (R49, Q.126): what players get has no tag, style or region of others.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  CAPTION_BYTES,
  CUES_MAX,
  captionFiles,
  readCaptions,
  writeCaptions,
} from "../../../src/formats/view/web-vtt.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const rewritten = (text: string): string => {
  const captions = readCaptions(encode(text));
  if (captions === null) throw new Error("not WebVTT");
  return writeCaptions(captions);
};

test("Q.126 cues keep times, positions and the tags that WebVTT knows; all else is left out", () => {
  const written = rewritten(
    [
      "\uFEFFWEBVTT - a film\r\nKind: captions\r\n",
      "STYLE\n::cue { background: url(https://example.org/spy) }\n",
      "REGION\nid:fred\n",
      "NOTE a comment\n",
      "one\n00:01.000 --> 00:02.500 line:90% align:center region:fred onclick:x\n<v Ada Lovelace>Hello <i>there</i> & <b>you\n- second line\n",
      "00:00:03.000 --> 00:00:04.000\n<script>alert(1)</script><img src=x onerror=alert(1)>safe <c.red.big>text</c> &lt;3\n",
      "00:00:09.000 --> 00:00:08.000\nends before it starts\n",
      "100:00:00.000 --> 100:00:01.000\n<lang ja>字幕</lang><lang en onx>x</lang>",
    ].join("\n"),
  );
  expect(written).toBe(
    [
      "WEBVTT\n",
      "00:00:01.000 --> 00:00:02.500 line:90% align:center",
      "<v Ada Lovelace>Hello <i>there</i> &amp; <b>you",
      "- second line</b></v>\n",
      "00:00:03.000 --> 00:00:04.000",
      "alert(1)safe <c>text</c> &lt;3\n",
      "100:00:00.000 --> 100:00:01.000",
      "<lang ja>字幕</lang><c>x</c>\n",
    ].join("\n"),
  );
  expect(rewritten(written)).toBe(written);
});

test("Q.126 the transcript has who speaks and the words without tags", () => {
  const cues = readCaptions(encode("WEBVTT\n\n00:01.000 --> 00:02.000\n<v 話者>こんにちは &amp; <u>hi</u>\n"))?.cues;
  expect(cues?.map(({ voice, text, startMs }) => [voice, text, startMs])).toEqual([["話者", "こんにちは & hi", 1_000]]);
});

test("Q.126 HTML, subtitles of other kinds and empty files are not WebVTT; broken cues are passed over", () => {
  for (const other of ["", "<html>", "1\n00:00:01,000 --> 00:00:02,000\nsrt", "WEBVTTX\n", " WEBVTT"]) {
    expect([other, readCaptions(encode(other))]).toEqual([other, null]);
  }
  expect(readCaptions(encode("WEBVTT"))?.cues).toEqual([]);
  expect(readCaptions(encode("WEBVTT\n\n--> \nx\n\n00:01.000 --> 99\ny"))?.cues).toEqual([]);
});

test("Q.126 100,000 cues are read up to a number, in time that grows with the file alone", async () => {
  const cue = "00:01.000 --> 00:02.000\n<b>a</b>\n\n";
  const many = encode(`WEBVTT\n\n${cue.repeat(100_000)}`);
  expect(many.length).toBeGreaterThan(CAPTION_BYTES);
  const read = readCaptions(many);
  expect([read?.cues.length, read?.isCut]).toEqual([CUES_MAX, true]);
  const whole = readCaptions(encode(`WEBVTT\n\n${cue.repeat(10)}`));
  expect([whole?.cues.length, whole?.isCut]).toEqual([10, false]);
  for (const part of ["<", "<b>", "</b>", "&", "\n", "-->", "00:01.000 --> 00:02.000 ", "<v "]) {
    const text = encode(`WEBVTT\n\n00:01.000 --> 00:02.000\n${part.repeat(CAPTION_BYTES / part.length)}`);
    expect(await cpuMs(() => readCaptions(text))).toBeLessThan(1_000);
  }
});

test("Q.126 whatever a file holds, what is written is WebVTT with known tags only, and reads as the same", () => {
  const piece = fc.constantFrom(
    "<b>",
    "</b>",
    "<v A>",
    "<script>",
    "&lt;",
    "-->",
    "\n",
    "\n\n",
    "00:01.000 --> 00:02.000\n",
    "x",
    "<",
    ">",
    "\0",
    "\r",
    "<lang ja>",
    "<c.a>",
  );
  const property = fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    const written = rewritten(`WEBVTT\n\n00:01.000 --> 00:02.000\n${pieces.join("")}`);
    const tags = written.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !/^<\/?(?:b|c|v|lang)(?: [^<>]*)?>$/.test(tag))).toEqual([]);
    expect(rewritten(written)).toBe(written);
  });
  fc.assert(property, { numRuns: 300 });
});

test("Q.125 captions of a film are those with its name, perhaps with a language", () => {
  const names = [
    "a/film.mp4",
    "a/film.vtt",
    "a/film.ja.vtt",
    "a/film.en-GB.VTT",
    "a/film.x y.vtt",
    "a/film2.vtt",
    "film.vtt",
    "a/film.ja.txt",
  ];
  expect(captionFiles("a/film.mp4", names)).toEqual([
    { name: "a/film.en-GB.VTT", lang: "en-GB" },
    { name: "a/film.ja.vtt", lang: "ja" },
    { name: "a/film.vtt", lang: null },
  ]);
});
