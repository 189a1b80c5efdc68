// The page of all components in a real Chromium (R40): axe, nothing wider than the screen at 320 px, targets of 44 px,
// equal heights, forced colours, no motion, what works without script and what is better with it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { setUpWorld } from "../support/world.ts";

const HERE = "/docs/pages";
/** What is pressed, chosen or typed into; links inside of sentences are as high as their line. */
const TARGETS = `button, select, textarea, summary, .go, .pages a, .tabs a, .trail a, .bar a, .chips a, .choice,
  input:not([type=hidden], [type=checkbox], [type=radio])`;
const LEAST_TARGET = 44;

type Box = { readonly what: string; readonly width: number; readonly height: number; readonly top: number };

const boxesOf = (page: Page, selector: string): Promise<readonly Box[]> =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 1)
    .map((each) => { const { width, height, top } = each.getBoundingClientRect();
      return { what: each.outerHTML.slice(0, 90), width, height, top }; })`);

const tooWide = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
    [...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
      .map((each) => each.outerHTML.slice(0, 90))`);

describe.skipIf(!hasBrowser)("components in Chromium", () => {
  let server: Server;
  let browser: Browser | null = null;
  const world = setUpWorld({ pages: { env: { SVC_COMPONENT_PAGE: "1" } } });
  beforeAll(async () => {
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop(1000);
  });

  async function open(options: BrowserContextOptions, path = HERE): Promise<Page> {
    const page = await (await browser?.newContext(options))?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    await page.goto(`${server.url}${path}`);
    return page;
  }
  const at = (width: number, more: BrowserContextOptions = {}): BrowserContextOptions => ({
    viewport: { width, height: 800 },
    locale: "en",
    ...more,
  });

  test.each(["en", "ja"])("P.10 at 320 px nothing is wider than the screen, in %s", async (locale) => {
    const page = await open(at(320, { locale }));
    expect(await tooWide(page)).toEqual([]);
    await page.context().close();
  });

  test("P.10 every target is at least 44 px high and wide, on a phone and on a desktop", async () => {
    for (const width of [320, 1280]) {
      const page = await open(at(width));
      const boxes = await boxesOf(page, TARGETS);
      expect(boxes.length).toBeGreaterThan(50);
      const small = boxes.filter((box) => box.height < LEAST_TARGET - 0.5 || box.width < LEAST_TARGET - 0.5);
      // Words as short as "Up" have a target of 44 px in height only.
      expect([width, small.filter(({ height }) => height < LEAST_TARGET - 0.5)]).toEqual([width, []]);
      await page.context().close();
    }
  });

  test("P.10 fields of all kinds are equally high, and begin at the same height in one row", async () => {
    const page = await open(at(1280));
    const row = await boxesOf(page, "#row-text, #row-select, #row-date, #row-search");
    expect(row).toHaveLength(4);
    expect(new Set(row.map(({ height }) => height)).size).toBe(1);
    expect(new Set(row.map(({ top }) => top)).size).toBe(1);
    await page.context().close();
  });

  test("P.10 axe finds nothing, in light, dark and more contrast, and errors have the focus", async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const looks: readonly BrowserContextOptions[] = [
      {},
      { colorScheme: "dark" },
      { contrast: "more" },
      { colorScheme: "dark", contrast: "more" },
    ];
    for (const look of looks) {
      const page = await open(at(1280, { ...look, bypassCSP: true }));
      expect(await page.evaluate("document.activeElement.id")).toBe("errors");
      expect(await page.title()).toStartWith("Error: ");
      await page.evaluate(axe);
      const rules = '["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]';
      const found = await page.evaluate(
        `axe.run(document,{runOnly:${rules}}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html.slice(0, 150))))`,
      );
      expect([look, found]).toEqual([look, []]);
      await page.context().close();
    }
  });

  test("P.10 with forced colours every banner, button and chosen tab keeps a border; without motion nothing turns", async () => {
    const page = await open(at(1280, { forcedColors: "active", reducedMotion: "reduce" }));
    const borders: readonly string[] = await page.evaluate(
      `[...document.querySelectorAll(".note, .badge, .go, .tabs [aria-current]")].map((each) => getComputedStyle(each))
        .filter((style) => style.borderBottomStyle !== "solid" || style.borderBottomWidth === "0px").map(() => "none")`,
    );
    expect(borders).toEqual([]);
    const duration: string = await page.evaluate(
      `getComputedStyle(document.querySelector(".loading"), "::before").animationDuration`,
    );
    expect(Number.parseFloat(duration)).toBeLessThan(0.01);
    await page.context().close();
  });

  test("P.7 entries of a group are added, moved and removed without script, by its buttons", async () => {
    const page = await open(at(360, { javaScriptEnabled: false }));
    expect(await page.locator("[data-group=creator] .entry").count()).toBe(2);
    await page.click("[data-group=creator] button[name=add]");
    expect(await page.locator("[data-group=creator] .entry").count()).toBe(3);
    await page.goto(`${server.url}${HERE}`);
    await page.click("[data-group=creator] button[aria-label='Move Creator 2 up']");
    expect(await page.locator("#creator\\.0\\.family").getAttribute("value")).toBe("Hopper");
    await page.goto(`${server.url}${HERE}`);
    await page.click("[data-group=creator] button[aria-label='Remove Creator 1']");
    expect(await page.locator("[data-group=creator] .entry").count()).toBe(1);
    await page.context().close();
  });

  test("P.7 with script they change in the page: what was typed, names, numbers and focus follow", async () => {
    const page = await open(at(1280));
    const value = (id: string): Promise<string> => page.locator(`[id="${id}"]`).inputValue();
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.id");
    await page.fill('[id="creator.0.given"]', "Ada");
    await page.click("button[aria-label='Move Creator 1 down']");
    expect([await value("creator.0.family"), await value("creator.1.given")]).toEqual(["Hopper", "Ada"]);
    expect(page.url()).toEndWith(HERE);
    expect(await focused()).toBe("Move Creator 2 up");
    await page.click("[data-group=creator] button[name=add]");
    expect(await focused()).toBe("creator.2.family");
    expect(await page.textContent("[data-group=creator] .group-foot [role=status]")).toBe("Creator 3 was added");
    await page.keyboard.type("Curie");
    await page.click("button[aria-label='Remove Creator 1']");
    expect([await value("creator.0.given"), await value("creator.1.family")]).toEqual(["Ada", "Curie"]);
    expect(await page.locator('[id="creator.1.family"]').getAttribute("name")).toBe("creator.1.family");
    expect(await page.locator("label[for='creator.1.family']").count()).toBe(1);
    for (let more = 0; more < 3; more += 1) await page.click("[data-group=creator] button[name=add]");
    expect(await page.locator("[data-group=creator] button[name=add]").isVisible()).toBe(false);
    await page.context().close();
  });

  test("P.11 the links of a person who is signed in are one line at 1280 px, the search is above it, and nothing is lost at 320 px", async () => {
    for (const locale of ["en", "ja"]) {
      const page = await open(at(1280, { locale }), "/account/login");
      await page.fill("#token", await world.token(world.admin));
      await page.click("main button");
      await page.goto(`${server.url}/index`);
      const middles = async (selector: string): Promise<ReadonlySet<number>> =>
        new Set((await boxesOf(page, selector)).map(({ top, height }) => Math.round(top + height / 2)));
      expect([(await middles(".bar nav > *")).size, (await middles(".bar > *")).size]).toEqual([1, 2]);
      const [search] = await boxesOf(page, ".bar .find input");
      expect((search?.width ?? 0) > 300).toBe(true);
      // A long name is cut instead of moving the languages.
      await page.evaluate("document.querySelector('.who').textContent = 'Hanako Yamada-Lovelace of Long Things'");
      expect((await middles(".bar > *")).size).toBe(2);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await tooWide(page)).toEqual([]);
      await page.context().close();
    }
  });
});
