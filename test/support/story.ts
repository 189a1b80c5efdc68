// One person in a real Chromium, for stories that are told the whole way through pages: each press on a button or a link
// is counted, by mouse or by keyboard alone, and axe examines every page that a press leads to.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { type RepositoryTexts, repositoryTexts } from "../../src/repository/pages/languages/index.ts";

export type Setting = {
  readonly lang: "en" | "ja";
  readonly width: 360 | 1280;
  readonly hasScript: boolean;
  /** No mouse: Tab, keys and Enter. */
  readonly byKeyboard?: boolean;
};

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RUN =
  'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] })';
const SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
/** A page that does not come. */
const PATIENCE_MS = 20_000;
/** Further than any page of a story has places for Tab. */
const TABS = 600;

/** The row of a table by its words; undefined: the whole page. */
type Within = { readonly within?: string };

type Findings = {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { html: string }[] }[];
};

export class Visitor {
  clicks = 0;
  readonly words: RepositoryTexts;
  readonly page: Page;
  readonly setting: Setting;
  readonly #context: BrowserContext;
  /** Shows pages without script to axe, which is a script. */
  readonly #mirror: Page | null;
  readonly #problems: string[] = [];

  private constructor(setting: Setting, context: BrowserContext, page: Page, mirror: Page | null) {
    this.setting = setting;
    this.#context = context;
    this.page = page;
    this.#mirror = mirror;
    this.words = repositoryTexts(setting.lang);
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("pageerror", (error) => this.#problems.push(String(error)));
    page.on("response", (answer) => {
      if (answer.status() >= 500) this.#problems.push(`${answer.status()} ${answer.url()}`);
    });
  }

  static async start(browser: Browser, base: string, setting: Setting): Promise<Visitor> {
    const { lang, width, hasScript } = setting;
    const own = { baseURL: base, locale: lang, viewport: { width, height: 800 }, bypassCSP: true };
    const context = await browser.newContext({ ...own, javaScriptEnabled: hasScript });
    const mirror = hasScript ? null : await (await browser.newContext(own)).newPage();
    await mirror?.route(/\.js$/, (route) => route.abort());
    return new Visitor(setting, context, await context.newPage(), mirror);
  }

  async signIn(token: string): Promise<void> {
    await this.page.goto("/account/login");
    await this.page.fill("#token", token);
    await this.#follow(() => this.page.click("main form button"));
  }

  async close(): Promise<void> {
    await this.#mirror?.context().close();
    await this.#context.close();
    expect(this.#problems).toEqual([]);
  }

  /** Begins where a person comes from elsewhere: no press. */
  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.examine();
  }

  /** Presses the first button or link of this name, and waits for the page that it leads to. */
  async press(name: string | RegExp, options: Within & { readonly isExamined?: boolean } = {}): Promise<void> {
    const target = this.#target(name, options);
    await this.#follow(() => this.#activate(target));
    if (options.isExamined !== false) await this.examine();
  }

  /** Presses what leads to a file, which the browser saves, and returns its text. */
  async save(name: string | RegExp, options: Within = {}): Promise<string> {
    const target = this.#target(name, options);
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.#activate(target)]);
    return readFileSync(await file.path(), "utf8");
  }

  #target(name: string | RegExp, { within }: Within): Locator {
    const isExact = { name, exact: true };
    const place = within === undefined ? this.page : this.page.locator("tr", { hasText: within }).first();
    return place.getByRole("button", isExact).or(place.getByRole("link", isExact)).first();
  }

  async #activate(target: Locator): Promise<void> {
    this.clicks += 1;
    if (this.setting.byKeyboard !== true) return await target.click();
    await this.#reach(target);
    await this.page.keyboard.press("Enter");
  }

  /** A box or a radio button of this name: a press, too. */
  async check(name: string): Promise<void> {
    await this.#tick(this.page.getByLabel(name, { exact: true }));
  }

  /** A box by the name of its field and its value. */
  async tick(name: string, value: string): Promise<void> {
    await this.#tick(this.page.locator(`[name="${name}"][value="${value}"]`));
  }

  async #tick(box: Locator): Promise<void> {
    this.clicks += 1;
    if (this.setting.byKeyboard !== true) return await box.check();
    await this.#reach(box);
    await this.page.keyboard.press("Space");
  }

  /** What is folded, by its words: a press that leads nowhere. */
  async unfold(name: string): Promise<void> {
    await this.#activate(this.page.locator("summary", { hasText: name }).first());
  }

  /** Texts and choices of a form, by the names of its fields. */
  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      const field = this.page.locator(`[name="${name}"]`);
      const isSelect = (await field.and(this.page.locator("select")).count()) > 0;
      if (this.setting.byKeyboard !== true) {
        await (isSelect ? field.selectOption(value) : field.fill(value));
        continue;
      }
      await this.#reach(field);
      if (!isSelect) await this.page.keyboard.press("Control+A");
      await (isSelect ? this.page.keyboard.type(await optionText(field, value)) : this.page.keyboard.insertText(value));
      expect([name, await field.inputValue()]).toEqual([name, value]);
    }
  }

  /** Tab by Tab, as far as it is. */
  async #reach(target: Locator): Promise<void> {
    const here = target.and(this.page.locator(":focus"));
    for (let steps = 0; steps < TABS; steps += 1) {
      await this.page.keyboard.press("Tab");
      if ((await here.count()) > 0) return;
    }
    throw new RangeError(`No Tab leads to ${target}`);
  }

  async #follow(act: () => Promise<void>): Promise<void> {
    await Promise.all([this.page.waitForEvent("domcontentloaded"), act()]);
  }

  /** What axe finds here, and whether it scrolls sideways: nothing. */
  async examine(): Promise<void> {
    const shown = this.#mirror ?? this.page;
    if (this.#mirror !== null) await this.#copyTo(this.#mirror);
    await shown.evaluate(AXE);
    const { violations } = await shown.evaluate<Findings>(RUN);
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    if (await shown.evaluate<boolean>(SIDEWAYS)) found.push("It scrolls sideways");
    const at = new URL(this.page.url()).pathname;
    expect([at, ...found]).toEqual([at]);
  }

  async #copyTo(mirror: Page): Promise<void> {
    const [url, body] = [this.page.url(), await this.page.content()];
    await mirror.unroute(() => true);
    await mirror.route(
      (each) => each.href === url,
      (route) => route.fulfill({ body, contentType: "text/html; charset=utf-8" }),
    );
    await mirror.goto(url);
  }
}

/** The words that a choice is shown with; they are its value where it has no other. */
async function optionText(select: Locator, value: string): Promise<string> {
  const option = select.locator(`option[value="${value}"]`);
  return (await option.count()) === 0 ? value : ((await option.textContent()) ?? "");
}
