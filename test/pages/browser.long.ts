// Every page of the repository in a real Chromium: WCAG 2.2 AA by axe, two languages, a phone and a desktop, no
// scrolling sideways, no squeezed text, no complaint of the content policy; and hostile files that may not run (R19a,
// R33, R16).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { EVERY_PAGE, everyPage, GUEST_PAGES, OWN_PAGES } from "../support/world/all-pages.ts";
import { titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

type AxeResult = {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
};

const SQUEEZED = `[...document.querySelectorAll("td")]
  .filter((cell) => cell.innerText.trim().length > 12 && cell.clientWidth > 0 && cell.clientWidth < 72)
  .map((cell) => cell.innerText.slice(0, 80))`;
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } } as const;

describe.skipIf(!hasBrowser)("the pages in Chromium", () => {
  let server: Server;
  let browser: Browser | null = null;
  let axe = "";
  const paths: Record<string, string> = {};
  const world = setUpWorld({ pages: EVERY_PAGE });
  beforeAll(async () => {
    Object.assign(paths, await everyPage(world));
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server.stop(1000);
  });

  async function visit(lang: string, size: keyof typeof SIZES, scheme: "light" | "dark" = "light") {
    // The policy keeps every script out, axe too: only for it the policy is disabled, after violations were collected.
    const context = await browser?.newContext({
      locale: lang,
      viewport: SIZES[size],
      bypassCSP: true,
      colorScheme: scheme,
    });
    const page = await context?.newPage();
    if (context === undefined || page === undefined) throw new TypeError("The browser did not start");
    return { context, page };
  }

  const ALL_RULES = '["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]';
  const COLOURS = '{type:"rule",values:["color-contrast","link-in-text-block"]}';

  async function findings(page: Page, rules = ALL_RULES): Promise<string[]> {
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    await page.evaluate(axe);
    const run = `axe.run(document,{runOnly:${rules}})`;
    const { violations } = (await page.evaluate(run)) as AxeResult;
    const sideways: boolean = await page.evaluate(
      "document.documentElement.scrollWidth > document.documentElement.clientWidth",
    );
    // Cells of a table that hold words and are narrower than a word is long.
    const squeezed: readonly string[] = await page.evaluate(SQUEEZED);
    return [
      ...squeezed.map((text) => `squeezed: ${text}`),
      ...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`)),
      ...(sideways ? ["it scrolls sideways"] : []),
    ];
  }

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${server.url}/account/login`);
    await page.fill("#token", await world.token(world.admin));
    await page.click("main button");
    await page.waitForURL(/\/account\/tokens$|\/$/);
  }

  async function look(page: Page, name: string, rules?: string): Promise<string[]> {
    await page.goto(`${server.url}${paths[name]}`);
    return (await findings(page, rules)).map((finding) => `${name}: ${finding}`);
  }

  /** Made of what the others are made of, only of more: once is enough, in the first of the looks. */
  const LARGE = ["long", "huge", "files", "folder", "values"];

  /** On these there is every coloured element: in dark mode they are enough. */
  const BOTH_COLOURS = "components front record gone search searched login activities activity tokens consent".split(
    " ",
  );

  async function lookAtAll(lang: string, size: keyof typeof SIZES, scheme: "light" | "dark"): Promise<string[]> {
    const { context, page } = await visit(lang, size, scheme);
    const found: string[] = [];
    // In the dark only the colours are others.
    const rules = scheme === "dark" ? COLOURS : ALL_RULES;
    const isWhole = inSlowRing || lang === "en";
    const isShown = (each: string) =>
      isWhole || (scheme === "light" ? !LARGE.includes(each) : BOTH_COLOURS.includes(each));
    for (const name of GUEST_PAGES.filter(isShown)) found.push(...(await look(page, name, rules)));
    await signIn(page);
    for (const name of OWN_PAGES.filter((each) => scheme === "light" || isShown(each)))
      found.push(...(await look(page, name, rules)));
    await context.close();
    return found;
  }

  test.each([
    ["en", "phone", "light"],
    ["ja", "desktop", "light"],
    ["ja", "phone", "dark"],
  ] as const)(
    "R19a axe finds nothing on any page, in %s on a %s in %s colours, and nothing scrolls sideways",
    async (lang, size, scheme) => {
      expect(await lookAtAll(lang, size, scheme)).toEqual([]);
    },
    300_000,
  );

  test("axe would find something, and the check for scrolling too", async () => {
    const { context, page } = await visit("en", "phone");
    await page.setContent(
      '<html lang="en"><title>x</title><main><h1>x</h1><input><p style="width:900px">wide</p><table><tr><td style="display:block;width:20px;overflow-wrap:anywhere">word after word</table></main></html>',
    );
    const found = await findings(page);
    await context.close();
    expect(found.some((finding) => finding.startsWith("label:"))).toBe(true);
    expect(found).toContain("it scrolls sideways");
    expect(found.filter((finding) => finding.startsWith("squeezed:"))).toHaveLength(1);
  });

  test("R16 R33 a person signs in, makes a token, approves an activity and signs out, without any script", async () => {
    const context = await browser?.newContext({ javaScriptEnabled: false, viewport: SIZES.phone });
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    const { id, itemId } = await world.pending({ indexes: [], metadata: titled("By hand") });
    await page.goto(`${server.url}/workflow/activity/detail/${id}`);
    await page.fill("#token", await world.token(world.admin));
    await page.click("main button");
    expect(page.url()).toBe(`${server.url}/workflow/activity/detail/${id}`);
    await page.fill("#index", "1");
    await page.fill("#comment", "Seen");
    await page.click('button:text-is("Approve")');
    expect(await page.textContent(".badge")).toBe("Finished");
    expect((await world.store.items.item(itemId))?.state).toBe("published");
    await page.goto(`${server.url}/account/tokens`);
    await page.fill("#name", "From a browser");
    await page.check('input[name="scope:item:read"]');
    await page.click("main form:has(#name) button");
    expect(await page.textContent(".secret")).toMatch(/^svc_/);
    await page.click("header form[method=post] button");
    expect(await page.textContent("header")).toContain("Sign in");
    await context?.close();
  });

  test("R40 what is folded opens without script, and is there in print", async () => {
    const context = await browser?.newContext({ javaScriptEnabled: false, viewport: SIZES.phone, locale: "ja" });
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    await page.goto(`${server.url}${paths.long}`);
    const last = page.locator("dd li", { hasText: "山田 花子28" });
    const deepest = page.getByText("潮位_195.csv", { exact: true });
    expect([await last.isVisible(), await deepest.isVisible()]).toEqual([false, false]);
    await page.click('summary:has-text("ほか 20 件を表示")');
    await page.click('summary:has-text("data")');
    await page.click('summary:has-text("year 2000")');
    await page.click("details.folder[open] details.folder[open] > details.rest > summary");
    expect([await last.isVisible(), await deepest.isVisible()]).toEqual([true, true]);
    await page.goto(`${server.url}${paths.long}`);
    expect(await deepest.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect([await last.isVisible(), await deepest.isVisible()]).toEqual([true, true]);
    await context?.close();
  });

  test("R40 items are found and narrowed down by keyboard alone, without script; in print there are only the hits", async () => {
    const context = await browser?.newContext({ javaScriptEnabled: false, viewport: SIZES.desktop, locale: "en" });
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    /** Tab by Tab to the first place that is this one. */
    const reach = async (selector: string): Promise<void> => {
      for (let steps = 0; steps < 100; steps += 1) {
        await page.keyboard.press("Tab");
        if ((await page.locator(`${selector}:focus`).count()) > 0) return;
      }
      throw new RangeError(`No Tab leads to ${selector}`);
    };
    const enter = async (): Promise<void> => {
      await Promise.all([page.waitForEvent("domcontentloaded"), page.keyboard.press("Enter")]);
    };
    await page.goto(`${server.url}/search`);
    await page.keyboard.press("Tab");
    expect(await page.locator(".skip:focus").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.locator("main input[name=q]:focus").count()).toBe(1);
    await page.keyboard.type("persistent");
    await enter();
    expect(new URL(page.url()).searchParams.get("q")).toBe("persistent");
    expect(await page.locator(".items .what").count()).toBeGreaterThan(0);
    await reach(".facets input[type=checkbox]");
    const name = (await page.locator(":focus").getAttribute("name")) ?? "";
    await page.keyboard.press("Space");
    await reach(".facets > button");
    await enter();
    expect(new URL(page.url()).searchParams.getAll(name)).toHaveLength(1);
    await reach(".chips a");
    await enter();
    expect(new URL(page.url()).searchParams.getAll(name)).toEqual([]);
    expect(new URL(page.url()).searchParams.get("q")).toBe("persistent");
    await page.emulateMedia({ media: "print" });
    const printed = [".items .what", ".total", ".facets", ".ordering", "input[name=q]"].map((each) =>
      page.locator(each).first().isVisible(),
    );
    expect(await Promise.all(printed)).toEqual([true, true, false, false, false]);
    await context?.close();
  });

  test("R19a no page needs what its policy forbids", async () => {
    const context = await browser?.newContext();
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    const complaints: string[] = [];
    const elsewhere: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
    });
    page.on("request", (request) => {
      // A blob is a worker of the page itself, as the frame of PDFs has one.
      if (!request.url().startsWith(server.url) && !request.url().startsWith("blob:")) elsewhere.push(request.url());
    });
    for (const name of GUEST_PAGES) await page.goto(`${server.url}${paths[name]}`);
    await signIn(page);
    for (const name of OWN_PAGES) await page.goto(`${server.url}${paths[name]}`);
    await context?.close();
    // Chromium asks for an icon by itself.
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  test.each([
    ["evil.html", "text/html", "<script>document.title='ran'</script><p>hello</p>"],
    [
      "evil.svg",
      "image/svg+xml",
      "<svg xmlns='http://www.w3.org/2000/svg'><script>document.title='ran'</script></svg>",
    ],
    [
      "evil.xhtml",
      "application/xhtml+xml",
      "<html xmlns='http://www.w3.org/1999/xhtml'><script>document.title='ran'</script></html>",
    ],
    ["evil.txt", "text/plain", "<html><script>document.title='ran'</script></html>"],
    ["evil.pdf", "application/pdf", "<html><script>document.title='ran'</script></html>"],
  ])("R19a a stored %s cannot run script on our origin, opened or embedded", async (name, mediaType, bytes) => {
    const item = await world.publish({ files: [await world.file(name, bytes, { mediaType })] });
    const context = await browser?.newContext({ acceptDownloads: true });
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    const url = `${server.url}/records/${item.id}/files/${name}`;
    const ran: string[] = [];
    page.on("console", (message) => ran.push(message.text()));
    // Where it is a download the navigation ends without a page.
    await page.goto(url).catch(() => null);
    expect(await page.title()).not.toBe("ran");
    await page.goto(`${server.url}/robots.txt`);
    const script = `new Promise((done) => { const frame = document.createElement("iframe"); frame.src = ${JSON.stringify(url)};
      frame.onload = () => { let title = ""; try { title = frame.contentDocument?.title ?? ""; } catch { title = "closed"; } done(title); };
      document.body.append(frame); setTimeout(() => done("timeout"), 1500); })`;
    expect(await page.evaluate(script)).not.toBe("ran");
    await context?.close();
  });
});
