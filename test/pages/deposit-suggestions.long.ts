// Suggestions in the form of a draft in a real Chromium (R42): by keyboard alone, in rows that are added, while an input
// method composes, with the question before values are replaced, and without script.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { EMPTY_METADATA } from "../../src/model/metadata/metadata.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { NOW } from "../support/seed.ts";
import { setUpWorld } from "../support/world.ts";

const NAME = "creator.0.names.0.name";
const OPTION = "[role=option]";
const at = (name: string): string => `[name="${name}"]`;

describe.skipIf(!hasBrowser)("suggestions of a deposit in Chromium", () => {
  let server: Server;
  let browser: Browser;
  const world = setUpWorld({ pages: { env: { SVC_TOOL_ITEM_TYPE: "2" } } });

  beforeAll(async () => {
    const person = (familyName: string, firstName: string, orcid: string) => ({
      ...{ emailInfo: [], affiliationInfo: [] },
      authorIdInfo: [{ idType: "ORCID", authorId: orcid, authorIdShowFlg: true }],
      authorNameInfo: [
        { language: "en", familyName, firstName, nameShowFlg: true },
        { language: "ja-Kana", familyName: "ヤマ", firstName: "タロウ", nameShowFlg: true },
      ],
    });
    const all = [person("Yamada", "Taro", "0000-0002-1825-0097"), person("Yamanaka", "Jiro", "0000-0001-5109-3700")];
    await world.store.transact(async (tx) => {
      for (const [each, content] of all.entries()) {
        const uuid = `00000000-0000-4000-8000-00000000000${each}`;
        await tx.authors.insertAuthor(uuid, { content, communities: [], at: NOW });
      }
    });
    for (let id = 101; id <= 170; id += 1) await world.index({ id, indexNameEnglish: `Volume ${id}`, indexName: "巻" });
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop(1000);
  });

  type Visit = { readonly page: Page; readonly asked: string[] };

  async function visit(work: (visited: Visit) => Promise<void>, more: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: "en", viewport: { width: 360, height: 800 }, ...more });
    const page = await context.newPage();
    const [asked, problems]: [string[], string[]] = [[], []];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname.startsWith("/api/suggestions/")) asked.push(url.searchParams.get("q") ?? "");
    });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    try {
      await page.goto(`${server.url}/account/login`);
      await page.fill("#token", await world.token(world.owner));
      await page.click("main button");
      await page.waitForURL(/\/account\/tokens$|\/$/);
      await page.goto(`${server.url}/deposit?type=2`);
      await work({ page, asked });
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const opened = (page: Page) => page.locator(`${OPTION}:visible`).first().waitFor();
  const shown = (page: Page) => page.locator(`${OPTION}:visible`).evaluateAll(TEXTS);
  const focused = (page: Page) => page.evaluate("document.activeElement.name ?? document.activeElement.id");
  async function axe(page: Page): Promise<void> {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const { violations } = (await page.evaluate("axe.run(document)")) as { violations: readonly { id: string }[] };
    expect(violations.map(({ id }) => id)).toEqual([]);
    const wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await page.evaluate(wide)).toBe(false);
  }

  test("P.159 likely duplicates are listed after a pause while a title is typed, the own draft never", async () => {
    const known = await world.publish({
      metadata: { ...EMPTY_METADATA, titles: [{ value: "Levels of northern rivers", kind: "main" }] },
    });
    await visit(async ({ page }) => {
      const title = at("title.0.title");
      const asked: string[] = [];
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.pathname === "/api/records/duplicates") asked.push(url.searchParams.get("title") ?? "");
      });
      await page.focus(title);
      await page.keyboard.insertText("Levels of the northern rivers");
      const found = page.locator("#duplicates a");
      await found.waitFor();
      expect([await found.textContent(), await found.getAttribute("href")]).toEqual([
        "Levels of northern rivers",
        `/records/${known.id}`,
      ]);
      expect(asked).toEqual(["Levels of the northern rivers"]);
      await axe(page);
      // The draft is saved by itself; asked again, it is not its own duplicate.
      await page.waitForURL(/\/deposit\/\d+/);
      await page.keyboard.insertText(".");
      await page.waitForResponse((response) => response.url().includes("/api/records/duplicates"));
      expect(await found.allTextContents()).toEqual(["Levels of northern rivers"]);
      await page.fill(title, "Something else entirely");
      await page.waitForSelector("#duplicates:empty", { state: "attached" });
    });
  });

  test("P.144 by keyboard alone a person is found and fills in the row, also one that was added", () =>
    visit(
      async ({ page, asked }) => {
        await page.focus(at(NAME));
        await page.keyboard.insertText("yama");
        await opened(page);
        expect([await shown(page), asked]).toEqual([["Yamada, Taro", "Yamanaka, Jiro"], ["yama"]]);
        await axe(page);
        await page.keyboard.press("Escape");
        expect(await page.inputValue(at(NAME))).toBe("yama");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await page.waitForSelector(at("creator.0.names.1.name"));
        expect(await page.inputValue(at("creator.0.names.1.lang"))).toBe("ja-Kana");
        expect(await page.inputValue(at("creator.0.identifiers.0.identifier"))).toBe("0000-0002-1825-0097");
        expect(await focused(page)).toBe(NAME);
        await page.locator("form > p[role=status]", { hasText: "were filled in" }).waitFor({ state: "attached" });
        // Another creator: the copy of the first entry has a list of its own.
        await page.locator('[name=add][value="creator"]').press("Enter");
        const second = "creator.1.names.0.name";
        expect([await focused(page), await page.inputValue(at(second))]).toEqual([second, ""]);
        const devtools = await page.context().newCDPSession(page);
        for (const text of ["ｙ", "や", "やま"]) {
          await devtools.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 });
          await page.waitForTimeout(300);
        }
        expect([asked, await shown(page)]).toEqual([["yama"], []]);
        await devtools.send("Input.insertText", { text: "やま" });
        await opened(page);
        expect(asked).toEqual(["yama", "やま"]);
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("Enter");
        await page.waitForSelector(at("creator.1.names.1.name"));
        expect(await page.inputValue(at(second))).toBe("Yamanaka, Jiro");
        expect(await page.inputValue(at(NAME))).toBe("Yamada, Taro");
      },
      { bypassCSP: true },
    ));

  test("P.144 the question about other values is no modal, is answered by keyboard, and keeps what was typed", () =>
    visit(
      async ({ page }) => {
        await page.fill(at("creator.0.identifiers.0.identifier"), "0000-0003-0000-0000");
        await page.selectOption(at("creator.0.identifiers.0.scheme"), "ORCID");
        const choose = async () => {
          await page.fill(at(NAME), "");
          await page.focus(at(NAME));
          await page.keyboard.insertText("yamad");
          await opened(page);
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("Enter");
          await page.waitForSelector(".suggested.question");
        };
        await choose();
        expect([await focused(page), await page.inputValue(at(NAME))]).toEqual([`${NAME}-question`, "yamad"]);
        expect(await page.textContent(".suggested.question [tabindex]")).toContain("Fill in “Yamada, Taro”?");
        expect(await page.locator(".suggested.question tbody tr").allTextContents()).not.toEqual([]);
        await axe(page);
        expect(await page.inputValue(at("creator.0.identifiers.0.identifier"))).toBe("0000-0003-0000-0000");
        await page.locator(".suggested [name=save]").press("Enter");
        expect([await page.inputValue(at(NAME)), await focused(page)]).toEqual(["yamad", NAME]);
        expect(await page.locator(".suggested").count()).toBe(0);
        await choose();
        await page.locator(".suggested [name=fill]").press("Enter");
        expect(await page.inputValue(at("creator.0.identifiers.0.identifier"))).toBe("0000-0002-1825-0097");
      },
      { bypassCSP: true },
    ));

  test("P.144 an index that is found becomes one more choice, chosen", () =>
    visit(
      async ({ page, asked }) => {
        await page.focus("#place-find-index");
        for (const [text, id] of [
          ["volume 12", 120],
          ["volume 165", 165],
        ] as const) {
          await page.focus("#place-find-index");
          await page.keyboard.insertText(text);
          await opened(page);
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("Enter");
          expect(await page.isChecked(`[name=place-index][value="${id}"]`)).toBe(true);
          expect(await page.inputValue("#place-find-index")).toBe("");
        }
        expect(asked).toEqual(["volume 12", "volume 165"]);
        await axe(page);
        await page.locator("[name=save]").first().click();
        await page.waitForURL(/\/deposit\/\d+/);
        const id = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
        expect((await world.store.items.draft(id))?.content.indexes).toEqual([120, 165]);
      },
      { bypassCSP: true },
    ));

  test("P.143 without script the button looks up, and a radio button chooses", () =>
    visit(
      async ({ page, asked }) => {
        await page.fill(at(NAME), "yamad");
        await page.locator(`[name=look-up][value="${NAME}"]`).click();
        await page.locator(`[id="${NAME}-chosen"]`).check();
        await page.locator("[name=choose]").click();
        expect(await page.inputValue(at("creator.0.identifiers.0.identifier"))).toBe("0000-0002-1825-0097");
        await page.fill(at("creator.0.identifiers.0.identifier"), "0000-0003-0000-0000");
        await page.fill(at(NAME), "yamad");
        await page.locator(`[name=look-up][value="${NAME}"]`).click();
        const found = await page.content();
        await page.locator(`[id="${NAME}-chosen"]`).check();
        await page.locator("[name=choose]").click();
        const question = await page.content();
        expect(question).toContain("Fill in empty fields only");
        await visit(
          async ({ page: other }) => {
            for (const html of [found, question]) {
              await other.route("**/deposit?type=2", (route) =>
                route.fulfill({ body: html, contentType: "text/html" }),
              );
              await other.goto(`${server.url}/deposit?type=2`);
              await axe(other);
            }
          },
          { bypassCSP: true },
        );
        expect(asked).toEqual([]);
      },
      { javaScriptEnabled: false },
    ));
});

const TEXTS = (options: readonly Element[]): readonly string[] =>
  options.map((option) => option.firstChild?.textContent ?? "");
