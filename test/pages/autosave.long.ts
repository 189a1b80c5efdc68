// The form of a draft saves itself, in a real Chromium over a process that is killed (R42): connection, session, server,
// browser and language are lost or changed, two windows write, an input method composes. Nothing that was typed before a
// pause of two seconds is lost.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { firstSetup } from "../support/first-repository.ts";
import { freePort, type Role, startRole, temporaryFolder } from "../support/processes.ts";

const TITLE = '[id="title.0.title"]';
const WORDS = '[id="description.0.text"]';
const STATE = ".save-state";

describe.skipIf(!hasBrowser)("a form that saves itself in Chromium", () => {
  const folder = temporaryFolder("autosave");
  let env: Readonly<Record<string, string>> = {};
  let server: Role;
  let browser: Browser;
  let context: BrowserContext;
  let token = "";
  let port = 0;

  beforeAll(async () => {
    port = await freePort();
    env = {
      ...{ SVC_DATA_DIR: join(folder.path, "data"), SVC_BASE_URL: `http://127.0.0.1:${port}` },
      ...{ SVC_TOOL_ITEM_TYPE: "2", SVC_RATE_PER_MINUTE: "0", SVC_ACCESS_LOG: "off" },
    };
    token = await firstSetup(env);
    [server, browser] = await Promise.all([startRole("repository", env, port), startBrowser()]);
    context = await browser.newContext({ locale: "en", timezoneId: "Asia/Tokyo" });
    await signIn(await context.newPage());
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    if (server?.running() === true) await server.kill("SIGTERM");
    folder.remove();
  });

  async function signIn(page: Page): Promise<void> {
    if (!page.url().includes("/account/login")) await page.goto(`${server.base}/account/login`);
    await page.fill("#token", token);
    await page.click("main form button");
    await page.waitForURL((url) => !url.pathname.startsWith("/account/login"));
  }

  const state = (page: Page, text: string | RegExp) => page.locator(STATE, { hasText: text }).waitFor();
  const saved = (page: Page) => state(page, /^Saved \d\d:\d\d$/);
  const drafts = async (): Promise<number> => {
    const answer = await fetch(`${server.base}/api/user/records?size=100`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { readonly hits: { readonly total: number } }).hits.total;
  };
  const stored = async (page: Page) => {
    const id = /\d+$/.exec(new URL(page.url()).pathname)?.[0];
    const answer = await fetch(`${server.base}/api/records/${id}/draft`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { readonly metadata: { readonly title?: string } }).metadata;
  };
  const copies = (page: Page): Promise<number> =>
    page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('arkstone-draft')).length");

  const shows = (page: Page, field: string, value: string) =>
    eventually(`${field} shows "${value}"`, async () => (await page.inputValue(field)) === value);

  /** The page of a draft whose title is saved. */
  async function draft(title: string, of = context): Promise<Page> {
    const page = await of.newPage();
    await page.goto(`${server.base}/deposit?type=2`);
    await page.fill(TITLE, title);
    await saved(page);
    return page;
  }
  const sameDraft = async (page: Page, of = context): Promise<Page> => {
    const other = await of.newPage();
    await other.goto(page.url());
    return other;
  };

  test("P.128 P.129 the first key makes one draft; the rest follows two seconds after the last key; the time is the person's", async () => {
    const before = await drafts();
    const page = await context.newPage();
    await page.goto(`${server.base}/deposit?type=2`);
    await page.locator(TITLE).pressSequentially("Tides of the sea", { delay: 20 });
    await page.waitForURL(/\/deposit\/\d+$/);
    await saved(page);
    expect(await page.textContent(STATE)).toBe(
      `Saved ${new Date().toLocaleTimeString("en", { timeZone: "Asia/Tokyo", hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}`,
    );
    expect([await drafts(), await stored(page), await copies(page)]).toEqual([
      before + 1,
      expect.objectContaining({ title: "Tides of the sea" }),
      0,
    ]);
    // Its page, its links.
    expect(await page.getAttribute("nav.langs a", "href")).toMatch(/\/deposit\/\d+\?lang=ja$/);
    await page.click("main >> text=Earlier states");
    await page.waitForURL(/\/revisions$/);
    await page.goBack();
    // An entry that is added is saved, too.
    await page.click("[data-group=title] > .group-foot button[name=add]");
    await page.keyboard.type("Second");
    await saved(page);
    await page.reload();
    expect(await page.inputValue('[id="title.1.title"]')).toBe("Second");
    await page.close();
  }, 60_000);

  test("P.130 without connection everything stays in the browser and is sent by itself; an answer that was lost makes no second draft", async () => {
    const before = await drafts();
    const page = await context.newPage();
    await page.goto(`${server.base}/deposit?type=2`);
    // The server receives the first save; its answer is lost.
    let isCut = true;
    await page.route(/\/deposit(\/\d+)?$/, async (route) => {
      if (route.request().method() !== "POST" || !isCut) return await route.continue();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await page.locator(TITLE).pressSequentially("Lost", { delay: 5 });
    await state(page, "No connection");
    await page.locator(TITLE).pressSequentially(" and found", { delay: 5 });
    isCut = false;
    await saved(page);
    expect([await drafts(), (await stored(page)).title, await copies(page)]).toEqual([before + 1, "Lost and found", 0]);
    await page.unrouteAll();
    // The server is killed while somebody writes, and started again.
    await server.kill("SIGKILL");
    await page.locator(TITLE).pressSequentially(" again", { delay: 5 });
    await state(page, "No connection");
    expect(await copies(page)).toBe(1);
    server = await startRole("repository", env, port);
    await saved(page);
    expect([(await stored(page)).title, await copies(page)]).toEqual(["Lost and found again", 0]);
    await page.close();
  }, 90_000);

  test("P.131 P.132 a session that ended leads to sign-in and back; the text is offered, and never mixed in by itself", async () => {
    const page = await draft("Before");
    const cookies = (await context.cookies()).filter(({ name }) => name === "arkstone-session");
    await context.clearCookies({ name: "arkstone-session" });
    await page.fill(TITLE, "Typed after the end");
    await state(page, "Your session has ended");
    await page.click(`${STATE} a`);
    await page.waitForURL(/\/account\/login/);
    await signIn(page);
    await page.waitForURL(/\/deposit\/\d+$/);
    expect(await page.inputValue(TITLE)).toBe("Before");
    await page.locator(".note", { hasText: "The browser kept what was not saved" }).waitFor();
    expect([(await stored(page)).title, await copies(page)]).toEqual(["Before", 1]);
    await page.click("button:has-text('Show it')");
    await saved(page);
    expect([(await stored(page)).title, await copies(page)]).toEqual(["Typed after the end", 0]);
    // Signed in again in another window: the page goes on with the new session.
    await context.clearCookies({ name: "arkstone-session" });
    await page.fill(TITLE, "Kept open");
    await state(page, "Your session has ended");
    const other = await context.newPage();
    await signIn(other);
    await other.close();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await saved(page);
    expect((await stored(page)).title).toBe("Kept open");
    // Signing out leaves nothing in the browser.
    await page.route("**/deposit/**", (route) => route.abort());
    await page.fill(TITLE, "Not saved");
    await state(page, "No connection");
    expect(await copies(page)).toBe(1);
    await page.click(".bar form button.plain");
    await page.waitForURL((url) => url.pathname === "/");
    expect(await copies(page)).toBe(0);
    await page.unrouteAll();
    await signIn(page);
    expect(cookies.length).toBe(1);
    await page.close();
  }, 90_000);

  test("P.132 P.136 a browser that is closed, another language and a link lose nothing", async () => {
    const page = await draft("One");
    await page.fill(TITLE, "Two");
    await page.click("nav.langs a");
    await page.waitForURL(/lang=ja/);
    expect(await page.inputValue(TITLE)).toBe("Two");
    await page.fill(TITLE, "Three");
    await page.close({ runBeforeUnload: false });
    const again = await context.newPage();
    await eventually("the text that was typed before the page was closed", async () => {
      await again.goto(page.url());
      return (await again.inputValue(TITLE)) === "Three" || (await again.locator(".note >> text=ブラウザ").count()) > 0;
    });
    await again.close();
  }, 60_000);

  test("P.133 nothing is sent while an input method composes, nor after a key of one", async () => {
    const page = await draft("Base");
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST")
        sent.push(new URLSearchParams(request.postData() ?? "").get("title.0.title") ?? "");
    });
    const devtools = await context.newCDPSession(page);
    await page.fill(TITLE, "");
    await page.focus(TITLE);
    for (const text of ["ｓ", "し", "しお"]) {
      await devtools.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      await page.waitForTimeout(900);
    }
    expect(sent).toEqual([]);
    await devtools.send("Input.insertText", { text: "潮" });
    await page.waitForTimeout(1_500);
    // An input method that reports its keys and no composition: the two seconds begin again.
    await page.evaluate(
      `document.querySelector('${TITLE}').dispatchEvent(new KeyboardEvent("keydown", { key: "Process", keyCode: 229, bubbles: true }))`,
    );
    await page.waitForTimeout(1_200);
    expect(sent).toEqual([]);
    await saved(page);
    expect([sent, (await stored(page)).title]).toEqual([["潮"], "潮"]);
    await page.close();
  }, 60_000);

  test("P.134 two windows: different fields are merged and shown; one field shows both values and asks", async () => {
    const one = await draft("Mine");
    const two = await sameDraft(one);
    await two.fill(WORDS, "Their words");
    // A row above the one that the first window is in.
    await two.click("[data-group=title] > .group-foot button[name=add]");
    await two.keyboard.type("Above");
    await two.click("[data-group=title] button[aria-label='Move Title 2 up']");
    await saved(two);
    await one.locator(TITLE).pressSequentially(" more", { delay: 5 });
    await shows(one, '[id="description.0.text"]', "Their words");
    await saved(one);
    const focused = "[document.activeElement.id, document.activeElement.value, document.activeElement.selectionStart]";
    expect(await one.evaluate<unknown>(focused)).toEqual(["title.1.title", "Mine more", 9]);
    expect(await one.inputValue(TITLE)).toBe("Above");
    const opened = await sameDraft(one);
    const all = [TITLE, '[id="title.1.title"]', WORDS].map((field) => opened.inputValue(field));
    expect(await Promise.all(all)).toEqual(["Above", "Mine more", "Their words"]);
    await opened.close();
    // The same field: the second window has not seen it.
    await two.fill('[id="title.1.title"]', "Theirs");
    await state(two, "Not saved: somebody else");
    expect(await two.textContent('[id="title.1.title-error"]')).toContain("changed this meanwhile to “Mine more”");
    expect([await two.inputValue('[id="title.1.title"]'), await copies(two)]).toEqual(["Theirs", 1]);
    await two.click("button:has-text('Keep my value')");
    await saved(two);
    // The first window is in the field that changed: it is shown when the field is left.
    await one.evaluate(`{
      const field = document.getElementById("date.0.date");
      field.value = "2024";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }`);
    await saved(one);
    expect(await one.inputValue('[id="title.1.title"]')).toBe("Mine more");
    await one.focus(WORDS);
    await shows(one, '[id="title.1.title"]', "Theirs");
    // And the other way round: the other value is taken.
    await two.fill(WORDS, "Words of two");
    await saved(two);
    await one.fill(WORDS, "Words of one");
    await state(one, "Not saved: somebody else");
    await one.click("button:has-text('Take the other value')");
    await saved(one);
    expect([await one.inputValue(WORDS), await copies(one)]).toEqual(["Words of two", 0]);
    await Promise.all([one.close(), two.close()]);
  }, 60_000);

  test("P.135 a wrong value is reported when its field is left; the others are saved", async () => {
    const page = await draft("Dates");
    await page.fill('[id="date.0.date"]', "03/04/2024");
    await saved(page);
    expect(await page.locator('[id="date.0.date-error"]').count()).toBe(0);
    await page.focus(TITLE);
    await page.locator('[id="date.0.date-error"]', { hasText: "This can be 3 April 2024" }).waitFor();
    expect([await page.getAttribute('[id="date.0.date"]', "aria-invalid"), await copies(page)]).toEqual(["true", 1]);
    await page.fill('[id="date.0.date"]', "令和6年3月1日");
    await saved(page);
    await page.focus(TITLE);
    await page.locator('[id="date.0.date-hint"]', { hasText: "1 March 2024" }).waitFor();
    expect([await page.locator('[id="date.0.date-error"]').count(), await copies(page)]).toEqual([0, 0]);
    // The buttons of the form go on when everything is saved.
    await page.fill(TITLE, "Dates and files");
    await page.click("button[name=files]");
    await page.waitForURL(/\/files$/);
    await page.close();
  }, 60_000);
});
