// Pictures, sound and maps in a real Chromium (R49, Q.120 to Q.131): what is shown, zoom by keyboard and without script,
// captions that load, and nothing of a file that runs.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { gif, png, wav } from "../support/pictures.ts";
import { TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const OPEN = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="alert(1)"><script>alert(2)</script>
<image href="http://elsewhere.invalid/a.png" width="5" height="5"/><rect width="40" height="30"/></svg>`;
const MAP = '{"type":"LineString","coordinates":[[179,-17],[-179,-16]]}';
const CAPTIONS = "WEBVTT\n\n00:00.000 --> 00:00.900\n<v Ada>Good <b>morning</b><img src=x onerror=alert(3)>\n";

describe.skipIf(!hasBrowser)("pictures, sound and maps in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let base = "";
  const world = setUpWorld({ pages: true });

  beforeAll(async () => {
    const files = [
      await world.file("wide.png", png(3_000, 400), { mediaType: "image/png" }),
      await world.file("drawing.svg", SVG, { mediaType: "image/svg+xml" }),
      await world.file("both.gif", gif(3, 2, "=1;alert(4)/**/"), { mediaType: "text/javascript" }),
      await world.file("talk.wav", wav(), { mediaType: "audio/wav" }),
      await world.file("talk.en.vtt", CAPTIONS, { mediaType: "text/vtt" }),
      await world.file("line.geojson", MAP, { mediaType: "application/geo+json" }),
    ];
    const { id } = await world.publish({ files, access: OPEN });
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    base = `${server.url}/records/${id}/view`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop(1000);
  });

  async function visit(
    name: string,
    work: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
    expected = /^$/,
  ): Promise<void> {
    const context = await browser.newContext({ locale: "en", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const problems: string[] = [];
    page.on("dialog", (dialog) => {
      problems.push(dialog.message());
      void dialog.dismiss();
    });
    page.on("request", (request) => request.url().startsWith(server.url) || problems.push(request.url()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    try {
      await page.goto(`${base}/${name}`);
      await work(page);
      expect(problems.filter((problem) => !expected.test(problem))).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const width = (page: Page): Promise<number> =>
    page.$eval("img[src$=content]", (image) => Math.round(image.getBoundingClientRect().width));
  const pageWidth = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

  test("Q.123 a wide picture fits the page, and grows and shrinks by keys and buttons inside of its frame", async () => {
    await visit("wide.png", async (page) => {
      const fitted = await width(page);
      expect(fitted).toBeLessThan(1_280);
      await page.focus(".frame");
      await page.keyboard.press("1");
      expect(await width(page)).toBe(3_000);
      await page.keyboard.press("-");
      expect(await width(page)).toBe(2_400);
      await page.click('button:has-text("Fit to the page")');
      expect(Math.abs((await width(page)) - fitted)).toBeLessThan(3);
      expect(await page.textContent("figure [role=status]")).toMatch(/^\d+ %$/);
      await page.hover(".frame");
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -100);
      await page.waitForFunction((before) => (document.querySelector(".frame img")?.clientWidth ?? 0) > before, fitted);
      expect(await pageWidth(page)).toBeLessThanOrEqual(1_280);
    });
  });

  test("Q.123 without script there are links to both sizes, also on a narrow screen", async () => {
    const narrow = { javaScriptEnabled: false, viewport: { width: 320, height: 600 } };
    await visit(
      "wide.png",
      async (page) => {
        await page.click("text=Full size");
        const image = page.locator("img.full");
        expect(Math.round((await image.boundingBox())?.width ?? 0)).toBe(3_000);
        const box = await page.locator("main").boundingBox();
        expect(box?.width ?? 0).toBeLessThanOrEqual(320);
      },
      narrow,
    );
  });

  test("R49 Q.120 an SVG with a script is a picture; by its address it is a download; a GIF that is a script is none", async () => {
    await visit("drawing.svg", async (page) => {
      expect(await page.$eval("figure img", (image) => (image as HTMLImageElement).naturalWidth)).toBe(40);
      const download = page.waitForEvent("download");
      await page.goto(`${base}/drawing.svg/content`).catch(() => null);
      expect((await download).suggestedFilename()).toBe("drawing.svg");
    });
    const refused = /MIME type/;
    await visit(
      "wide.png",
      async (page) => {
        const outcome = await page.evaluate(
          (src) =>
            new Promise<string>((resolve) => {
              const script = document.createElement("script");
              script.onload = () => resolve("ran");
              script.onerror = () => resolve("refused");
              script.src = src;
              document.head.append(script);
            }),
          `${base}/both.gif/content`,
        );
        expect(outcome).toBe("refused");
      },
      {},
      refused,
    );
  });

  test("Q.124 Q.126 a sound loads, with captions that have only tags of WebVTT", async () => {
    await visit("talk.wav", async (page) => {
      const heard = await page.$eval("audio", async (audio) => {
        const player = audio as HTMLAudioElement;
        const [track] = player.textTracks;
        if (track !== undefined) track.mode = "hidden";
        const element = player.querySelector("track");
        await new Promise<void>((resolve) => {
          if (element?.readyState === 2) resolve();
          else element?.addEventListener("load", () => resolve());
        });
        while (player.readyState < 1) await new Promise((resolve) => setTimeout(resolve, 20));
        const cues = [...(track?.cues ?? [])] as VTTCue[];
        return { seconds: player.duration, cues: cues.map(({ text }) => text) };
      });
      expect(heard).toEqual({ seconds: 1, cues: ["<v Ada>Good <b>morning</b></v>"] });
    });
  });

  test("Q.131 a map across the antimeridian has its place on a narrow screen", async () => {
    await visit(
      "line.geojson",
      async (page) => {
        const { strokes, labels } = await page.$eval("figure.map svg", (map) => ({
          strokes: [...map.querySelectorAll(".stroke")].map((each) => Math.round(each.getBoundingClientRect().width)),
          labels: [...map.querySelectorAll("text")].map((each) => each.textContent ?? ""),
        }));
        expect([strokes.length, (strokes[0] ?? 0) > 100]).toEqual([1, true]);
        expect(labels).toContain("180.0°");
        expect(await pageWidth(page)).toBeLessThanOrEqual(320);
      },
      { viewport: { width: 320, height: 600 } },
    );
  });
});
