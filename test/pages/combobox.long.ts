// Completion in the search fields of the pages, in a real Chromium (R27j, R40): keys as the ARIA Authoring Practices have
// them, nothing while an input method composes, and the same form without script.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { TODAY, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

// The first page has a search of its own, every other page the one in its header.
const FIELD = "form:is(.find, .front) input[name=q]";
const OPTION = "[role=option]";
const SUGGESTIONS = "/search/suggestions";

describe.skipIf(!hasBrowser)("R27j the search field in Chromium", () => {
  let server: Server;
  let browser: Browser;
  const ids = { tides: 0, winds: 0 };
  const world = setUpWorld({ pages: true });

  beforeAll(async () => {
    const publish = async (title: string, more: Parameters<typeof world.publish>[0] = {}) =>
      (await world.publish({ metadata: titled(title, { subjects: [{ text: { value: "Tidal power" } }] }), ...more }))
        .id;
    ids.winds = await publish("Winds and tides");
    ids.tides = await publish("Tides of the sea");
    await publish("図書館の歴史");
    const access = { openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;
    await publish("Tides nobody may see", { access: { ...access, record: "restricted" } });
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop(1000);
  });

  type Visit = { readonly page: Page; readonly asked: string[]; readonly problems: string[] };

  async function visit(work: (visited: Visit) => Promise<void>, path = "/", more: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: "en", viewport: { width: 1280, height: 900 }, ...more });
    const page = await context.newPage();
    const [asked, problems]: [string[], string[]] = [[], []];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname === SUGGESTIONS) asked.push(url.searchParams.get("q") ?? "");
    });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    try {
      await page.goto(`${server.url}${path}`);
      await work({ page, asked, problems });
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const options = (page: Page) => page.locator(OPTION).allTextContents();
  const active = async (page: Page): Promise<string | null> => {
    const id = await page.getAttribute(FIELD, "aria-activedescendant");
    return id === null ? null : await page.textContent(`#${id}`);
  };
  const isOpen = async (page: Page): Promise<boolean> =>
    (await page.getAttribute(FIELD, "aria-expanded")) === "true" && (await page.locator("[role=listbox]").isVisible());
  const opened = (page: Page) => page.locator(OPTION).first().waitFor({ state: "visible" });
  /** Longer than a look-up waits. */
  const settle = (page: Page) => page.waitForTimeout(500);

  test("what is typed is completed, grouped by kind, announced, and asked for once", () =>
    visit(async ({ page, asked }) => {
      await page.locator(FIELD).pressSequentially("tid", { delay: 20 });
      await opened(page);
      expect(await options(page)).toEqual(["Tides of the sea", "Winds and tides", "Tidal power"]);
      expect(await page.locator("[role=group]").evaluateAll(GROUP_NAMES)).toEqual(["Titles", "Subjects"]);
      expect(asked).toEqual(["tid"]);
      expect(await active(page)).toBeNull();
      await page.locator(".combobox [role=status]", { hasText: "3 suggestions" }).waitFor({ state: "attached" });
    }));

  test("Down and Up walk through the list and around, the text stays, Enter takes", () =>
    visit(async ({ page }) => {
      await page.fill(FIELD, "tid");
      await opened(page);
      const walked: (string | null)[] = [];
      for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"]) {
        await page.press(FIELD, key);
        walked.push(await active(page));
      }
      const [first, second, third] = ["Tides of the sea", "Winds and tides", "Tidal power"];
      expect(walked as unknown[]).toEqual([first, second, third, first, third, second]);
      expect(await page.inputValue(FIELD)).toBe("tid");
      await page.press(FIELD, "Home");
      expect([await active(page), await isOpen(page)]).toEqual([null, true]);
      await page.press(FIELD, "ArrowDown");
      await page.press(FIELD, "Enter");
      await page.waitForURL(`**/records/${ids.tides}`);
    }));

  test("Escape closes and keeps the text; Down opens again; Enter without a choice searches", () =>
    visit(async ({ page, asked }) => {
      await page.fill(FIELD, "tides");
      await opened(page);
      await page.press(FIELD, "ArrowDown");
      await page.press(FIELD, "Escape");
      expect([await isOpen(page), await page.inputValue(FIELD), await active(page)]).toEqual([false, "tides", null]);
      await page.press(FIELD, "ArrowDown");
      await opened(page);
      expect([await active(page), asked.length]).toEqual(["Tides of the sea", 1]);
      await page.press(FIELD, "Escape");
      await page.press(FIELD, "Enter");
      await page.waitForURL("**/search?q=tides");
      expect(await page.inputValue("form.search input[name=q]")).toBe("tides");
    }));

  test("a click takes; leaving the field closes", () =>
    visit(async ({ page }) => {
      await page.fill(FIELD, "tid");
      await opened(page);
      await page.locator("h1").click();
      expect(await isOpen(page)).toBe(false);
      await page.locator(FIELD).click();
      await page.press(FIELD, "ArrowDown");
      await opened(page);
      await page.locator(OPTION, { hasText: "Tidal power" }).click();
      await page.waitForURL("**/search?q=subject**");
      expect(await page.locator(".hits li").count()).toBeGreaterThanOrEqual(3);
    }));

  test("nothing is looked up and no key is taken while an input method composes", () =>
    visit(async ({ page, asked }) => {
      const devtools = await page.context().newCDPSession(page);
      const compose = (text: string) =>
        devtools.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      await page.focus(FIELD);
      for (const text of ["ｔ", "と", "とｓ", "とし", "としょ", "図書"]) {
        await compose(text);
        await settle(page);
      }
      expect([asked, await isOpen(page)]).toEqual([[], false]);
      await devtools.send("Input.insertText", { text: "図書" });
      await opened(page);
      expect([asked, await options(page)]).toEqual([["図書"], ["図書館の歴史"]]);
      // The next word is being composed: the list is closed, and the keys are those of the input method.
      await compose("か");
      expect(await isOpen(page)).toBe(false);
    }));

  test("keys with the code 229, which some input methods send after a composition, are not taken", () =>
    visit(async ({ page }) => {
      await page.fill(FIELD, "tid");
      await opened(page);
      await page.press(FIELD, "ArrowDown");
      const prevented = await page.evaluate(TAKEN_KEYS);
      expect(prevented).toEqual([]);
      expect([await active(page), await isOpen(page), await page.inputValue(FIELD)]).toEqual([
        ...["Tides of the sea", true, "tid"],
      ]);
      expect(new URL(page.url()).pathname).toBe("/");
    }));

  test("a look-up that was overtaken, fails or is not wanted any more changes nothing", () =>
    visit(async ({ page, asked, problems }) => {
      let hold: (() => void) | null = null;
      await page.route(`**${SUGGESTIONS}**`, async (route) => {
        if (route.request().url().includes("q=tid&"))
          await new Promise<void>((resolve) => {
            hold = resolve;
          });
        if (route.request().url().includes("q=broken")) await route.fulfill({ status: 503, body: "no" });
        else await route.continue().catch(() => {});
      });
      await page.fill(FIELD, "tid");
      await settle(page);
      await page.fill(FIELD, "winds");
      await opened(page);
      (hold as (() => void) | null)?.();
      await settle(page);
      expect([asked, await options(page)]).toEqual([["tid", "winds"], ["Winds and tides"]]);
      await page.fill(FIELD, "broken");
      await settle(page);
      expect(await isOpen(page)).toBe(false);
      expect(problems.splice(0).every((text) => text.includes("503"))).toBe(true);
    }));

  test("the field of the search page is completed as well, in Japanese, and a reader finds their own items", () =>
    visit(async ({ page }) => {
      await page.fill("#token", await world.token(world.owner));
      await page.click("main button");
      await page.waitForURL(/\/account\/tokens$|\/$/);
      await page.goto(`${server.url}/search?q=sea&lang=ja`);
      await page.fill("form.search input[name=q]", "tides n");
      await opened(page);
      expect(await options(page)).toEqual(["Tides nobody may see"]);
      expect(await page.locator("[role=group]").evaluateAll(GROUP_NAMES)).toEqual(["タイトル"]);
    }, "/account/login"));

  test.each([
    ["phone", { width: 360, height: 740 }],
    ["desktop", { width: 1280, height: 900 }],
  ])("axe finds nothing in the open list on a %s, and nothing scrolls sideways", (_name, viewport) =>
    visit(
      async ({ page }) => {
        const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
        await page.fill(FIELD, "tid");
        await opened(page);
        await page.press(FIELD, "ArrowDown");
        await page.evaluate(axe);
        const { violations } = (await page.evaluate("axe.run(document)")) as { violations: readonly { id: string }[] };
        expect(violations.map(({ id }) => id)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")).toBe(
          false,
        );
      },
      "/",
      { viewport, bypassCSP: true },
    ),
  );

  test("without script the form searches as before", () =>
    visit(
      async ({ page, asked }) => {
        expect(await page.getAttribute(FIELD, "role")).toBeNull();
        await page.fill(FIELD, "tides");
        await page.press(FIELD, "Enter");
        await page.waitForURL("**/search?q=tides");
        expect(asked).toEqual([]);
        expect(await page.locator(".hits li").count()).toBeGreaterThanOrEqual(2);
      },
      "/",
      { javaScriptEnabled: false },
    ));
});

const GROUP_NAMES = (groups: readonly Element[]): readonly string[] =>
  groups.map(
    (group) => group.ownerDocument.getElementById(group.getAttribute("aria-labelledby") ?? "")?.textContent ?? "",
  );

/** Sends keys as an input method does; those that the page took. */
const TAKEN_KEYS = `["ArrowDown", "Enter", "Escape", "Process"].filter((key) => {
  const event = new KeyboardEvent("keydown", { key, keyCode: 229, bubbles: true, cancelable: true });
  document.querySelector("${FIELD}").dispatchEvent(event);
  return event.defaultPrevented;
})`;
