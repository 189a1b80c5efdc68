// PDFs in a real Chromium (R49, Q.100 to Q.103): pages are drawn in a frame that is an opaque origin, Japanese ones by
// their character maps; what a PDF asks its reader to do is not done.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Frame, Page } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { activePdf, manyPagesPdf, predefinedCmapPdf } from "../support/text-files.ts";
import { TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const OPEN = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;
const ELSEWHERE = "http://elsewhere.invalid";

describe.skipIf(!hasBrowser)("PDFs in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let base = "";
  const world = setUpWorld({ pages: true });

  beforeAll(async () => {
    const japanese = predefinedCmapPdf("907d8f918ad9");
    const named: Readonly<Record<string, Uint8Array>> = {
      "ja.pdf": japanese,
      "active.pdf": activePdf(ELSEWHERE),
      "many.pdf": manyPagesPdf(100_000, "One of many"),
      "cut.pdf": japanese.subarray(0, 300),
    };
    const files = [];
    for (const [name, bytes] of Object.entries(named)) {
      files.push(await world.file(name, bytes, { mediaType: "application/pdf" }));
    }
    const { id } = await world.publish({ files, access: OPEN });
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    base = `${server.url}/records/${id}/view`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop(1000);
  });

  type Visit = { readonly page: Page; readonly frame: Frame; readonly asked: readonly string[] };

  async function visit(name: string, work: (visited: Visit) => Promise<void>, expected: RegExp = /^$/): Promise<void> {
    const context = await browser.newContext({ locale: "en" });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const [asked, problems]: [string[], string[]] = [[], []];
    page.on("request", (request) => asked.push(request.url()));
    page.on("dialog", (dialog) => problems.push(dialog.message()));
    page.on("popup", (popup) => problems.push(popup.url()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await context.addCookies([{ name: "probe", value: "1", url: server.url }]);
    try {
      await page.goto(`${base}/${name}`);
      const element = await page.waitForSelector("iframe.pdf");
      const frame = await element.contentFrame();
      if (frame === null) throw new Error("There is no frame");
      await work({ page, frame, asked });
      expect(problems.filter((problem) => !expected.test(problem))).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith("blob:"))).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const drawn = (frame: Frame) => frame.waitForSelector('.sheet[data-rendered="yes"]');
  const pixels = (frame: Frame): Promise<number> =>
    frame.evaluate(() => {
      const canvas = document.querySelector("canvas");
      const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return data.filter((value, at) => at % 4 === 0 && value < 128).length;
    });

  test("Q.101 a Japanese page is drawn by its predefined character map, with its words to select", async () => {
    await visit("ja.pdf", async ({ frame }) => {
      await drawn(frame);
      expect(await frame.textContent(".textLayer")).toBe("図書館");
      expect(await pixels(frame)).toBeGreaterThan(0);
    });
  });

  test("Q.100 the frame has no cookies and reaches neither the page nor other addresses", async () => {
    await visit(
      "ja.pdf",
      async ({ frame }) => {
        await drawn(frame);
        const tries = await frame.evaluate(async () => {
          const attempt = async (work: () => unknown): Promise<string> => {
            try {
              return String(await work());
            } catch (error) {
              return error instanceof Error ? error.name : "refused";
            }
          };
          return [
            await attempt(() => document.cookie),
            await attempt(() => parent.document.title),
            await attempt(() => localStorage.length),
            await attempt(async () => (await fetch("/me")).status),
            await attempt(() => globalThis.origin),
          ];
        });
        expect(tries).toEqual(["SecurityError", "SecurityError", "SecurityError", "TypeError", "null"]);
      },
      /\/me' from origin 'null' has been blocked|ERR_FAILED/,
    );
  });

  test("Q.102 scripts, launches, links and forms of a PDF do nothing", async () => {
    await visit("active.pdf", async ({ page, frame }) => {
      await drawn(frame);
      expect(await frame.textContent(".textLayer")).toBe("Active page");
      await frame.click(".sheet canvas", { force: true, position: { x: 100, y: 200 } });
      await page.waitForTimeout(300);
      expect(await frame.locator("a, form, .sheet input").count()).toBe(0);
      expect(await frame.title()).toBe("PDF");
    });
  });

  test("Q.101 100,000 pages: a few are in the document; numbers and keys lead to the others", async () => {
    await visit("many.pdf", async ({ frame, asked }) => {
      await drawn(frame);
      expect(await frame.textContent("#count")).toBe("of 100000");
      await frame.fill("#number", "99999");
      await frame.press("#number", "Enter");
      await frame.waitForSelector('[aria-label="Page 99999"][data-rendered="yes"]');
      await frame.press("#pages", "ArrowRight");
      await frame.waitForSelector('[aria-label="Page 100000"][data-rendered="yes"]');
      expect(await frame.isDisabled("#next")).toBe(true);
      await frame.press("#pages", "Home");
      await frame.waitForSelector('[aria-label="Page 9"][data-rendered="yes"]');
      expect(await frame.locator(".sheet").count()).toBe(9);
      expect(asked.filter((url) => url.endsWith("/files/many.pdf"))).toEqual([]);
    });
  });

  test("Q.101 of a PDF that breaks off the frame states it", async () => {
    await visit("cut.pdf", async ({ frame }) => {
      await frame.waitForFunction(() => document.querySelector("#state")?.textContent?.includes("damaged"));
    });
  });
});
