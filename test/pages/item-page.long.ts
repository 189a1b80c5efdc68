// The pages around an item in a real Chromium (R40): a citation is copied, nothing is wider than 320 px, axe finds nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

describe.skipIf(!hasBrowser)("the pages of an item in Chromium", () => {
  let server: Server;
  let browser: Browser | null = null;
  let [first, second] = [0, 0];
  const world = setUpWorld({ pages: true });
  beforeAll(async () => {
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    browser = await startBrowser();
    const { id, content } = await world.publish({
      metadata: titled("Records of tides"),
      files: [await world.file("a.txt", "a")],
    });
    if (content === null) throw new Error("It is published");
    const changed = { ...content, metadata: titled("Records of winds") };
    first = id;
    second = (await world.items.newVersion(world.owner, id, { content: changed })).item.id;
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop(1000);
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (
      await browser?.newContext({ viewport: { width: 320, height: 800 }, locale: "en", ...options })
    )?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    await page.goto(`${server.url}${path}`);
    return page;
  }

  test("Q.41 a button copies each citation; without script there is none and the text is selected whole", async () => {
    const page = await open(`/records/${second}`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const shown = await page.locator(".cites .cite").first().textContent();
    const button = page.getByRole("button", { name: "Copy: APA" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator(".cites [role=status]", { hasText: "Copied" }).first().waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(shown ?? "");
    await page.locator(".cites summary").click();
    for (const name of ["SIST 02", "BibTeX", "RIS"])
      expect(await page.getByRole("button", { name: `Copy: ${name}` }).isVisible()).toBe(true);
    await page.context().close();
    const plain = await open(`/records/${second}`, { javaScriptEnabled: false });
    expect(await plain.locator(".cites button").count()).toBe(0);
    expect(await plain.locator(".cites .cite").first().isVisible()).toBe(true);
    await plain.context().close();
  });

  test("Q.42 Q.43 at 320 px nothing is wider than the screen, and axe finds nothing", async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const path of [`/records/${second}`, `/records/${second}/versions`, `/records/${first}/compare/${second}`]) {
      const page = await open(path);
      expect([path, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([path, true]);
      await page.evaluate(axe);
      const found = await page.evaluate<readonly string[]>(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`))",
      );
      expect([path, found]).toEqual([path, []]);
      await page.context().close();
    }
  });
});
