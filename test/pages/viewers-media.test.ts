// Viewers of pictures, sound, film and maps (R49): by what the bytes are, never by what a name or a depositor states,
// and with nothing of a file that runs.
import { describe, expect, test } from "bun:test";
import type { ItemFile } from "../../src/model/items/item.ts";
import { gif, jpeg, ofText, png } from "../support/pictures.ts";
import { TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });

const OPEN = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;
const MP4 = ofText("\0\0\0\x1cftypisom\0\0\0\0mp41", new Uint8Array(100));
const MP3 = ofText("ID3\x04\0", new Uint8Array(100));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

type Given = readonly [name: string, bytes: string | Uint8Array, fields?: Partial<ItemFile>];
/** The pages that show the files of a new item, by name. */
async function viewsOf(...given: readonly Given[]): Promise<readonly string[]> {
  const files: ItemFile[] = [];
  for (const [name, bytes, fields = {}] of given) files.push(await world.file(name, bytes, fields));
  const item = await world.publish({ files, access: OPEN });
  return files.map(({ name }) => `/records/${item.id}/view/${encodeURIComponent(name)}`);
}
async function viewOf(...given: Given): Promise<string> {
  const [view = ""] = await viewsOf(given);
  return view;
}
const get = (path: string, language = "en") => world.visitor(language).get(path);

describe("pictures", () => {
  test("Q.120 Q.122 Q.123 a picture has its size, words for those who do not see it, and two sizes without script", async () => {
    const described = { mediaType: "image/png", metadata: { description: 'A river <in> "flood"' } };
    const path = await viewOf("river.png", png(30, 20), described);
    const { text, headers } = await get(path);
    expect(text).toContain(
      `<img class="fit" src="${path}/content" alt="A river &lt;in&gt; &quot;flood&quot;" width="30" height="20">`,
    );
    expect(text).toMatch(/href="\/api\/iiif\/record:\d+\/manifest"/);
    expect(text).toContain("30 × 20 pixels");
    expect(text).toContain(`<a href="${path}?part=full">Full size</a>`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect((await get(`${path}?part=full`, "ja")).text).toContain('<img class="full"');
    const bytes = await get(`${path}/content`);
    expect([bytes.headers.get("content-type"), bytes.headers.get("content-security-policy")]).toEqual([
      "image/png",
      "sandbox",
    ]);
    expect(bytes.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("Q.120 the media type is that of the bytes: neither name nor depositor makes HTML of a picture or a picture of HTML", async () => {
    const polyglot = gif(3, 2, "=1;/*<html><script>alert(1)</script>*/");
    for (const [name, bytes, stated, served] of [
      ["a.gif", polyglot, "text/html", "image/gif"],
      ["f.png", "alert(1)", "text/javascript", "application/octet-stream"],
      ["g.css", "*{color:red}", "text/css", "application/octet-stream"],
      ["b.gif", polyglot, "image/png", "image/gif"],
      ["c.png", png(2, 2), "image/svg+xml", "image/png"],
      ["d.png", "<html><script>alert(1)</script>", "image/png", "application/octet-stream"],
      ["e.jpg", SVG, "image/jpeg", "image/svg+xml"],
    ] as const) {
      const path = await viewOf(name, bytes, { mediaType: stated });
      const content = await get(`${path}/content`);
      const { headers } = content;
      expect([name, headers.get("content-type")]).toEqual([name, served]);
      expect([
        headers.get("x-content-type-options"),
        headers.get("content-security-policy")?.includes("sandbox"),
      ]).toEqual(["nosniff", true]);
      if (!/^image\/(?!svg)/.test(served)) expect(headers.get("content-disposition")).toStartWith("attachment;");
      expect((await get(path)).text).not.toContain("alert(1)");
    }
    const html = await get(await viewOf("d.png", "<html>", { mediaType: "image/png" }));
    expect(html.text).toContain("Its content is not of the kind");
  });

  test("R49 Q.120 an SVG is a picture on the page, and by its own address a download in which nothing runs", async () => {
    const path = await viewOf("drawing.svg", SVG, { mediaType: "image/svg+xml" });
    const { text } = await get(path);
    expect(text).toContain(`src="${path}/content"`);
    expect(text).not.toMatch(/onload|<svg|<iframe|<object|<embed/);
    const { headers } = await get(`${path}/content`);
    expect(headers.get("content-disposition")).toStartWith("attachment;");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox",
    );
    for (const address of [path.replace("/view/", "/files/")]) {
      expect((await get(address)).headers.get("content-disposition")).toStartWith("attachment;");
    }
  });

  test("Q.134 a picture that not everybody may have names no manifest", async () => {
    const path = await viewOf("a.png", png(3, 2), { mediaType: "image/png", access: "closed" });
    expect((await get(path)).status).toBe(403);
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    const { text } = await owner.get(path);
    expect([text.includes("3 × 2 pixels"), text.includes("/api/iiif/")]).toEqual([true, false]);
  });

  test("Q.121 what browsers cannot show, or only with trouble, states why in both languages", async () => {
    const tiff = await viewOf("a.tif", ofText("II*\0\x08\0\0\0"), { mediaType: "image/tiff" });
    expect((await get(tiff)).text).toContain("It is of a kind that browsers cannot show.");
    const huge = await viewOf("a.jpg", jpeg(65_535, 65_535), { mediaType: "image/jpeg" });
    expect((await get(huge)).text).toContain("It has more pixels than a browser shows");
    expect((await get(huge, "ja")).text).toContain("画素数が多すぎる");
    const late = await viewOf("b.jpg", jpeg(40, 30, { before: 200_000 }), { mediaType: "image/jpeg" });
    expect((await get(late)).text).toContain("40 × 30 pixels");
    const never = await viewOf("c.jpg", jpeg(40, 30, { before: 1_200_000 }), { mediaType: "image/jpeg" });
    expect((await get(never)).text).toContain("Its content is not of the kind");
  });
});

describe("sound and film", () => {
  const CUES =
    "WEBVTT\n\nSTYLE\n::cue{}\n\n00:01.000 --> 00:02.000\n<v Ada>Hello <i>all</i><img src=x onerror=alert(1)>\n";

  test("Q.124 Q.125 Q.126 a film has its captions as tracks, read and written again, and their words below it", async () => {
    const [film = "", english = "", japanese = ""] = await viewsOf(
      ["film.mp4", MP4, { mediaType: "video/mp4" }],
      ["film.en.vtt", CUES, { mediaType: "text/html" }],
      ["film.ja.vtt", "WEBVTT\n\n01:02:03.000 --> 01:02:04.000\nこんにちは", { mediaType: "text/vtt" }],
      ["film.de.vtt", "<script>alert(1)</script>", { mediaType: "text/vtt" }],
      ["other.vtt", CUES, { mediaType: "text/vtt" }],
    );
    const { text, headers } = await get(film);
    expect(text).toContain(
      `<video class="player" controls preload="metadata" src="${film}/content" aria-label="film.mp4">`,
    );
    const tracks = [...text.matchAll(/<track [^>]*>/g)].map(([track]) => track);
    expect(tracks).toEqual([
      `<track kind="captions" src="${english}/content?captions=1" srclang="en" label="English" default>`,
      `<track kind="captions" src="${japanese}/content?captions=1" srclang="ja" label="Japanese">`,
    ]);
    expect(text).toContain("<dt>0:01</dt><dd><b>Ada</b> Hello all</dd>");
    expect(text).toContain('<dl lang="ja">\n<div><dt>1:02:03</dt><dd>こんにちは</dd></div>');
    expect(text).not.toContain("onerror");
    expect((await get(film, "ja")).text).toContain('srclang="ja" label="日本語" default>');
    expect(headers.get("content-security-policy")).toContain("media-src 'self'");
    const captions = await get(`${english}/content?captions=1`);
    expect(captions.headers.get("content-type")).toBe("text/vtt; charset=utf-8");
    expect(captions.headers.get("x-content-type-options")).toBe("nosniff");
    expect(captions.text).toBe("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ada>Hello <i>all</i></v>\n");
    expect((await get(`${film}/content?captions=1`)).status).toBe(404);
    const range = await world.visitor().get(`${film}/content`, { range: "bytes=4-7" });
    expect([range.status, range.text]).toEqual([206, "ftyp"]);
    expect(range.headers.get("content-type")).toBe("video/mp4");
  });

  test("Q.124 Q.127 a sound has a player; what browsers do not play, and captions of 100,000 cues, are told", async () => {
    const [sound = "", avi = ""] = await viewsOf(
      ["a.mp3", MP3, { mediaType: "audio/mpeg" }],
      ["a.avi", ofText("RIFF\0\0\0\0AVI LIST"), { mediaType: "video/x-msvideo" }],
      ["a.vtt", `WEBVTT\n\n${"00:01.000 --> 00:02.000\n<b>a\n\n".repeat(50_000)}`, { mediaType: "text/vtt" }],
    );
    const { text } = await get(sound);
    expect(text).toContain('<audio class="player" controls');
    expect(text).toContain("Only the first 2,000 captions are shown.");
    expect(text.match(/<dt>/g)).toHaveLength(2_000);
    expect((await get(avi)).text).toContain("It is of a kind that browsers cannot show.");
    expect((await get(await viewOf("b.mp4", MP4, { mediaType: "video/mp4" }))).text).toContain(
      "There are no captions.",
    );
  });

  test("Q.125 captions that the reader may not have are no tracks", async () => {
    const closed = { mediaType: "text/vtt", access: "closed" } as const;
    const [film = "", captions = ""] = await viewsOf(
      ["film.mp4", MP4, { mediaType: "video/mp4" }],
      ["film.vtt", CUES, closed],
    );
    const { text } = await get(film);
    expect([text.includes("<track"), text.includes("Hello")]).toEqual([false, false]);
    expect((await get(`${captions}/content?captions=1`)).status).toBe(403);
  });
});

describe("maps", () => {
  const geo = (value: unknown) =>
    viewOf("a.geojson", typeof value === "string" ? value : JSON.stringify(value), {
      mediaType: "application/geo+json",
    });

  test("Q.130 Q.131 features are drawn by the server and listed with their properties; nothing is asked of others", async () => {
    const path = await geo({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          id: "<b>",
          geometry: { type: "Point", coordinates: [139.7, 35.6] },
          properties: { name: "<script>alert(1)</script>" },
        },
        {
          type: "Feature",
          geometry: {
            type: "LineString",
            coordinates: [
              [139, 35],
              [140, 36],
            ],
          },
          properties: { depth: 3 },
        },
      ],
    });
    const { text, headers } = await get(path);
    expect(text.match(/<path class="(?:dot|stroke|area)"/g)).toEqual(['<path class="dot"', '<path class="stroke"']);
    expect(text).toContain(
      'role="img" aria-labelledby="map-title map-text"><title id="map-title">Map of 2 features</title>',
    );
    expect(text).toContain('<th scope="col">name</th><th scope="col">depth</th>');
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).toMatch(/>139\.\d°E</);
    expect(text).not.toMatch(/<script>alert|style="/);
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|https?:/);
    expect((await get(path, "ja")).text).toContain("2件の地物の地図");
    expect((await get(`${path}?as=text`)).text).toContain("FeatureCollection");
  });

  test("Q.132 Q.133 what is not a map, and what is too much for one, states why", async () => {
    for (const [value, reason] of [
      ["<html><script>", "Its content is not of the kind"],
      ['{"type":"Point","coordinates":[NaN,0]}', "Its content is not of the kind"],
      [{ type: "Point", coordinates: [400_000, 3_900_000] }, "Its coordinates are not degrees"],
      [{ type: "FeatureCollection", features: [] }, "It has no places"],
      [`{"type":"Point","coordinates":${"[".repeat(100_000)}`, "nests deeper"],
      [`{"type":"MultiPoint","coordinates":[${"[1,2],".repeat(500_000)}[1,2]]}`, "nests deeper"],
      [`{"type":"MultiPoint","coordinates":[${"[1,2],".repeat(3_000_000)}[1,2]]}`, "It is larger than the"],
    ] as const) {
      const { status, text } = await get(await geo(value));
      expect([status, text.includes(reason)]).toEqual([200, true]);
    }
  });
});
